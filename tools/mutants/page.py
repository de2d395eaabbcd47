# SPDX-License-Identifier: Apache-2.0
"""docs/reference/mutants.md, made of the data that the page of the service shows, too."""

from collections.abc import Iterable, Mapping, Sequence

from limbtrace.vectors.catalogue.mutants import DISTURBED, FaultBank, KnownFault
from limbtrace.vectors.request import EVERY_KIND, EXHAUSTIVE
from tools.mutants.bank import Bank, Mutant
from tools.mutants.measure import DISTURBED as PRODUCTS
from tools.mutants.measured import Measured
from tools.mutants.proofs import LIMIT, OPEN, PROVED, REFUSED, REFUTED, Found

COUNTS = (16, 100, 1000)
"""The default count, and two larger ones."""
KINDS = tuple(kind for kind in EVERY_KIND if kind != EXHAUSTIVE)

_HEAD = f"""# Mutants

Written by `./run mutants`.

The banks in `tools/mutants/bank` hold faults that designers make. Each is an expression of a core and what it is
replaced with. All faults of a bank are in one build, in which an input chooses one of them. The cores' own assertions
are taken out, so that only comparisons find a fault.

* An *operand* fault shows in products of the right operands. An *environment* fault shows only in what happens around
  them: resets, starts and writes at the wrong time, other moduli, unknown inputs.
* An *equivalent* fault changes no result, for the reason given. It may still show in a watched signal.
* The number after a kind is the first case that differs, counted from 1; a dash says that none of {COUNTS[-1]:,} does.
  A fault whose case is at most N is killed by N products.
* `rows` compares every watched signal in every cycle; in the tables of faults with the operands of `directed`. The
  other columns compare results and the handshake alone.
* `disturbed` is a run in lock-step with `--disturb all` and {PRODUCTS:,} random products, for environment faults.
"""


_PROOFS = f"""## Proofs

Written by `./run mutants --prove`: what [`limbtrace prove`](proofs.md) says of a copy of the core with that fault
alone, for all operands of a small modulus, with {LIMIT} s for each question.

* `refuted`: a simulation of operands that the solver found, or of drawn ones, shows the fault in a result or a watched
  signal. `open`: an obligation does not hold, or was not decided, and no simulation shows a difference; that is no
  proof. `refused`: control depends on operands, of which no proof is made.
* An operand fault may be `proved`: it cannot show at this modulus, or not in what a proof reads. The section of its
  bank says why. An equivalent fault may be `refuted`: its results are right, and a watched signal differs.
* A proof assumes that nothing disturbs the core, so that an environment fault may be `proved`.
"""


def joined(bank: Bank, measured: Measured) -> FaultBank:
    """A bank with what was measured."""
    faults = [
        KnownFault(
            **mutant.model_dump(
                include={"id", "file", "good", "bad", "defect", "why", "kind", "equivalent", "survives"}
            ),
            results={kind: kill.results for (id, kind), kill in measured.items() if id == mutant.id},
            rows={kind: kill.rows for (id, kind), kill in measured.items() if id == mutant.id},
        )
        for mutant in bank.mutant
    ]
    return FaultBank(bank.name, bank.core, bank.prime, {**bank.settings, **bank.build}, faults)


def page(banks: Sequence[FaultBank], proved: Mapping[str, tuple[Bank, Sequence[Found]]]) -> str:
    """The page; `proved` has each bank by its name, and what proofs say of it."""
    parts = [_HEAD, "## Rates\n", *_rates(banks), *_aims(banks), _PROOFS, *_proofs(proved.values())]
    for bank in banks:
        parts += _bank(bank, *proved[bank.name])
    return "\n".join(parts)


def surprising(mutant: Mutant, found: Found, core: Found) -> bool:
    """True if a proof says something else than the bank: an operand fault is to be refuted, an equivalent one proved.

    `core` is what it says of the core without a fault; where that is open, an equivalent fault is, too.
    """
    if mutant.equivalent is not None:
        return found.verdict != PROVED and (core.verdict == PROVED or found.verdict == REFUTED)
    return mutant.kind == "operand" and found.verdict != REFUTED


def _proofs(proved: Iterable[tuple[Bank, Sequence[Found]]]) -> Iterable[str]:
    """Verdicts, bank by bank."""
    kinds = ("operand", "equivalent", "environment")
    names = [f"{kind} faults {verdict}" for kind in kinds for verdict in (REFUTED, "not proved", PROVED)]
    yield _line("bank", "modulus", "method", "no fault", *names)
    yield _line("---", "---", "---", "---", *["---:"] * len(names))
    for bank, found in proved:
        if not found:
            continue
        verdicts = {one.fault: one.verdict for one in found}
        cells: list[int] = []
        for kind in kinds:
            mine = [verdicts[mutant.id] for mutant in bank.mutant if _sort(mutant) == kind]
            cells += (sum(verdict in some for verdict in mine) for some in ([REFUTED], [OPEN, REFUSED], [PROVED]))
        settings = "".join(f", {name} = {value}" for name, value in (bank.proof.settings | bank.proof.build).items())
        modulus = f"`{bank.proof.prime}`{settings}"
        yield _line(f"`{bank.name}`", modulus, f"`{bank.proof.method}`", verdicts[""], *cells)
    yield ""


def _sort(mutant: Mutant) -> str:
    return mutant.kind if mutant.equivalent is None else "equivalent"


def _unlike(bank: Bank, found: Sequence[Found]) -> Iterable[str]:
    """Mutants on which proof and bank differ, with reasons."""
    if not found:
        return
    core, *rest = found
    lines = [] if core.verdict == PROVED else [f"* The core without a fault is {core.verdict}: {bank.proof.why}"]
    for mutant, one in zip(bank.mutant, rest, strict=True):
        if surprising(mutant, one, core):
            where = f" ({one.obligation})" if one.obligation else ""
            lines.append(f"* `{mutant.id}` is {one.verdict}{where}: {mutant.proof or 'not known yet'}")
    if lines:
        yield from ("Proofs that say something else:", "", *lines, "")


def operand_faults(bank: FaultBank) -> list[KnownFault]:
    """Those that operands have to show in results."""
    return [fault for fault in bank.faults if fault.kind == "operand" and fault.equivalent is None]


def environment_faults(bank: FaultBank) -> list[KnownFault]:
    """Those that disturbances have to show."""
    return [fault for fault in bank.faults if fault.kind == "environment" and fault.equivalent is None]


def killed(case: int | None, count: int) -> bool:
    """True if a fault that first shows in that case is killed by so many products."""
    return case is not None and case < count


def _rates(banks: Sequence[FaultBank]) -> Iterable[str]:
    """Kills in results by kind and count."""
    yield "Operand faults that are not equivalent, and how many of them results alone kill; the last column: rows.\n"
    yield _line("kind", "faults", *(f"{count:,} products" for count in COUNTS), "rows, 100 products")
    yield _line("---", *["---:"] * (len(COUNTS) + 2))
    for kind in KINDS:
        found = [fault for bank in banks for fault in operand_faults(bank) if kind in fault.results]
        if found:
            results = [
                _share(sum(killed(fault.results[kind], count) for fault in found), len(found)) for count in COUNTS
            ]
            rows = _share(sum(killed(fault.rows[kind], 100) for fault in found), len(found))
            yield _line(f"`{kind}`", len(found), *results, rows)
    yield ""


def _aims(banks: Sequence[FaultBank]) -> Iterable[str]:
    """Bank by bank, kind `directed`, and all disturbances."""
    yield "By bank, with `directed`:\n"
    counts = [f"{count:,} products" for count in COUNTS]
    yield _line(
        "bank", "operand faults", *counts, "rows, 100 products", "environment faults", "disturbed", "equivalent"
    )
    yield _line("---", *["---:"] * (len(COUNTS) + 5))
    for bank in banks:
        operand, environment = operand_faults(bank), environment_faults(bank)
        yield _line(
            f"`{bank.name}`",
            len(operand),
            *(sum(killed(fault.results.get("directed"), count) for fault in operand) for count in COUNTS),
            sum(killed(fault.rows.get("directed"), 100) for fault in operand),
            len(environment),
            sum(fault.results.get(DISTURBED) is not None for fault in environment),
            sum(fault.equivalent is not None for fault in bank.faults),
        )
    yield ""


def _bank(bank: FaultBank, own: Bank, found: Sequence[Found]) -> Iterable[str]:
    settings = ", ".join(f"{name} = {value}" for name, value in bank.settings.items())
    yield f"## {bank.name}\n"
    option = "" if bank.name == bank.core else f"Hardware that the core `{bank.core}` has with these parameters only. "
    yield f"{option}Modulus `{bank.prime}`{f', {settings}' if settings else ''}.\n"
    kinds = [kind for kind in KINDS if any(kind in fault.results for fault in bank.faults)]
    verdicts = {one.fault: one.verdict for one in found}
    yield _line("operand fault", "class", *kinds, "rows", "proof")
    yield _line("---", "---", *["---:"] * (len(kinds) + 1), "---")
    for fault in bank.faults:
        if fault.kind == "operand":
            cells = [_case(fault.results.get(kind)) for kind in kinds]
            yield _line(
                _named(fault), fault.defect, *cells, _case(fault.rows.get("directed")), verdicts.get(fault.id, "")
            )
    if any(fault.kind == "environment" for fault in bank.faults):
        yield ""
        yield _line("environment fault", "class", "directed", "disturbed", "proof")
        yield _line("---", "---", "---:", "---:", "---")
        for fault in bank.faults:
            if fault.kind == "environment":
                cells = [_case(fault.results.get(kind)) for kind in ("directed", DISTURBED)]
                yield _line(_named(fault), fault.defect, *cells, verdicts.get(fault.id, ""))
    yield ""
    yield from _remarks(
        "Survivors in results:", ((fault, fault.survives or "not known yet") for fault in _survivors(bank))
    )
    yield from _remarks(
        "Equivalent:", ((fault, fault.equivalent) for fault in bank.faults if fault.equivalent is not None)
    )
    yield from _unlike(own, found)


def _named(fault: KnownFault) -> str:
    return f"`{fault.id}`{' (equivalent)' if fault.equivalent is not None else ''}"


def _survivors(bank: FaultBank) -> Iterable[KnownFault]:
    """Faults that neither `directed` nor, for those of the environment, any disturbance kills."""
    for fault in (*operand_faults(bank), *environment_faults(bank)):
        if fault.results.get(fault.found_by) is None:
            yield fault


def _remarks(title: str, remarks: Iterable[tuple[KnownFault, str]]) -> Iterable[str]:
    lines = [f"* `{fault.id}`: {fault.why} {remark}" for fault, remark in remarks]
    if lines:
        yield from (title, "", *lines, "")


def _share(part: int, whole: int) -> str:
    return f"{part} ({part * 100 // whole} %)"


def _case(case: int | None) -> str:
    return "–" if case is None else f"{case + 1:,}"


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"
