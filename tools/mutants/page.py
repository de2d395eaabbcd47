# SPDX-License-Identifier: Apache-2.0
"""docs/mutants.md, made of the data that the page of the service shows, too."""

from collections.abc import Iterable, Sequence

from tools.mutants.bank import Bank
from tools.mutants.measure import DISTURBED as PRODUCTS
from tools.mutants.measured import Measured
from vectors.catalogue.mutants import DISTURBED, FaultBank, KnownFault
from vectors.request import EVERY_KIND, EXHAUSTIVE

COUNTS = (16, 100, 1000)
"""The default count, and two larger ones."""
KINDS = tuple(kind for kind in EVERY_KIND if kind != EXHAUSTIVE)

_HEAD = f"""# Mutants

Written by `./run mutants`.

The bank in `tools/mutants/bank` holds faults that designers make. Each is an expression of a core and what it is
replaced with. All faults of a core are in one build, in which an input chooses one of them. The cores' own assertions
are taken out, so that only comparisons find a fault.

* An *operand* fault shows in products of the right operands. An *environment* fault shows only in what happens around
  them: resets, starts and writes at the wrong time, other moduli, unknown inputs.
* An *equivalent* fault changes no result, for the reason given. It may still show in a watched signal.
* The number after a kind is the first case that differs, counted from 1; a dash says that none of {COUNTS[-1]:,} does.
  A fault whose case is at most N is killed by N products.
* `rows` compares every watched signal in every cycle, with the operands of `directed`; the other columns compare
  results and the handshake alone.
* `disturbed` is a run in lock-step with `--disturb all` and {PRODUCTS:,} random products, for environment faults.
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
    return FaultBank(bank.core, bank.prime, {**bank.settings, **bank.build}, faults)


def page(banks: Sequence[FaultBank]) -> str:
    """The page."""
    parts = [_HEAD, "## Rates\n", *_rates(banks), *_aims(banks)]
    for bank in banks:
        parts += _core(bank)
    return "\n".join(parts)


def operand_faults(bank: FaultBank) -> list[KnownFault]:
    """Those that operands have to show in results."""
    return [fault for fault in bank.faults if fault.kind == "operand" and fault.equivalent is None]


def environment_faults(bank: FaultBank) -> list[KnownFault]:
    """Those that disturbances have to show."""
    return [fault for fault in bank.faults if fault.kind == "environment" and fault.equivalent is None]


def killed(case: int | None, count: int) -> bool:
    """Whether a fault that first shows in that case is killed by so many products."""
    return case is not None and case < count


def _rates(banks: Sequence[FaultBank]) -> Iterable[str]:
    """Kills in results by kind and count."""
    yield "Operand faults that are not equivalent, and how many of them are killed in results alone:\n"
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
    """Core by core, kind `directed`, and all disturbances."""
    yield "By core, with `directed`:\n"
    counts = [f"{count:,} products" for count in COUNTS]
    yield _line(
        "core", "operand faults", *counts, "rows, 100 products", "environment faults", "disturbed", "equivalent"
    )
    yield _line("---", *["---:"] * (len(COUNTS) + 5))
    for bank in banks:
        operand, environment = operand_faults(bank), environment_faults(bank)
        yield _line(
            f"`{bank.core}`",
            len(operand),
            *(sum(killed(fault.results.get("directed"), count) for fault in operand) for count in COUNTS),
            sum(killed(fault.rows.get("directed"), 100) for fault in operand),
            len(environment),
            sum(fault.results.get(DISTURBED) is not None for fault in environment),
            sum(fault.equivalent is not None for fault in bank.faults),
        )
    yield ""


def _core(bank: FaultBank) -> Iterable[str]:
    settings = ", ".join(f"{name} = {value}" for name, value in bank.settings.items())
    yield f"## {bank.core}\n"
    yield f"Modulus `{bank.prime}`{f', {settings}' if settings else ''}.\n"
    kinds = [kind for kind in KINDS if any(kind in fault.results for fault in bank.faults)]
    yield _line("operand fault", "class", *kinds, "rows")
    yield _line("---", "---", *["---:"] * (len(kinds) + 1))
    for fault in bank.faults:
        if fault.kind == "operand":
            cells = [_case(fault.results.get(kind)) for kind in kinds]
            yield _line(_named(fault), fault.defect, *cells, _case(fault.rows.get("directed")))
    if any(fault.kind == "environment" for fault in bank.faults):
        yield ""
        yield _line("environment fault", "class", "directed", "disturbed")
        yield _line("---", "---", "---:", "---:")
        for fault in bank.faults:
            if fault.kind == "environment":
                cells = [_case(fault.results.get(kind)) for kind in ("directed", DISTURBED)]
                yield _line(_named(fault), fault.defect, *cells)
    yield ""
    yield from _remarks(
        "Survivors in results:", ((fault, fault.survives or "not known yet") for fault in _survivors(bank))
    )
    yield from _remarks(
        "Equivalent:", ((fault, fault.equivalent) for fault in bank.faults if fault.equivalent is not None)
    )


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
