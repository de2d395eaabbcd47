# SPDX-License-Identifier: Apache-2.0
"""docs/mutants.md, made of the bank and of what was measured."""

from collections.abc import Iterable, Sequence

from tools.mutants.bank import Bank, Mutant
from tools.mutants.measure import DISTURBED as PRODUCTS
from tools.mutants.measure import Kill
from tools.mutants.measured import DISTURBED, Measured
from vectors.request import EVERY_KIND

COUNTS = (16, 100, 1000)
"""The default count, and two larger ones."""
KINDS = tuple(EVERY_KIND)
_MISSED = Kill(None, None)

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


def page(banks: Sequence[tuple[Bank, Measured]]) -> str:
    """The page."""
    parts = [_HEAD, "## Rates\n", *_rates(banks), *_aims(banks)]
    for bank, measured in banks:
        parts += _core(bank, measured)
    return "\n".join(parts)


def operand_faults(bank: Bank) -> list[Mutant]:
    """Those that operands have to show in results."""
    return [mutant for mutant in bank.mutant if mutant.kind == "operand" and mutant.equivalent is None]


def environment_faults(bank: Bank) -> list[Mutant]:
    """Those that disturbances have to show."""
    return [mutant for mutant in bank.mutant if mutant.kind == "environment" and mutant.equivalent is None]


def killed(case: int | None, count: int) -> bool:
    """Whether a fault that first shows in that case is killed by so many products."""
    return case is not None and case < count


def _rates(banks: Sequence[tuple[Bank, Measured]]) -> Iterable[str]:
    """Kills in results by kind and count."""
    cores = [(bank, measured, operand_faults(bank)) for bank, measured in banks]
    yield "Operand faults that are not equivalent, and how many of them are killed in results alone:\n"
    yield _line("kind", "faults", *(f"{count:,} products" for count in COUNTS), "rows, 100 products")
    yield _line("---", *["---:"] * (len(COUNTS) + 2))
    for kind in KINDS:
        keys = [(measured, (mutant.id, kind)) for _, measured, mutants in cores for mutant in mutants]
        found = [measured[key] for measured, key in keys if key in measured]
        if found:
            results = [_share(sum(killed(kill.results, count) for kill in found), len(found)) for count in COUNTS]
            rows = _share(sum(killed(kill.rows, 100) for kill in found), len(found))
            yield _line(f"`{kind}`", len(found), *results, rows)
    yield ""


def _aims(banks: Sequence[tuple[Bank, Measured]]) -> Iterable[str]:
    """Core by core, kind `directed`, and all disturbances."""
    yield "By core, with `directed`:\n"
    counts = [f"{count:,} products" for count in COUNTS]
    yield _line(
        "core", "operand faults", *counts, "rows, 100 products", "environment faults", "disturbed", "equivalent"
    )
    yield _line("---", *["---:"] * (len(COUNTS) + 5))
    for bank, measured in banks:
        operand, environment = operand_faults(bank), environment_faults(bank)
        found = [measured.get((mutant.id, "directed"), _MISSED) for mutant in operand]
        disturbed = [measured.get((mutant.id, DISTURBED), _MISSED) for mutant in environment]
        yield _line(
            f"`{bank.core}`",
            len(operand),
            *(sum(killed(kill.results, count) for kill in found) for count in COUNTS),
            sum(killed(kill.rows, 100) for kill in found),
            len(environment),
            sum(kill.results is not None for kill in disturbed),
            sum(mutant.equivalent is not None for mutant in bank.mutant),
        )
    yield ""


def _core(bank: Bank, measured: Measured) -> Iterable[str]:
    settings = ", ".join(f"{name} = {value}" for name, value in {**bank.settings, **bank.build}.items())
    yield f"## {bank.core}\n"
    yield f"Modulus `{bank.prime}`{f', {settings}' if settings else ''}.\n"
    kinds = [kind for kind in KINDS if any(key[1] == kind for key in measured)]
    yield _line("operand fault", "class", *kinds, "rows")
    yield _line("---", "---", *["---:"] * (len(kinds) + 1))
    for mutant in bank.mutant:
        if mutant.kind == "operand":
            mark = " (equivalent)" if mutant.equivalent is not None else ""
            cells = [_case(measured.get((mutant.id, kind), _MISSED).results) for kind in kinds]
            rows = _case(measured.get((mutant.id, "directed"), _MISSED).rows)
            yield _line(f"`{mutant.id}`{mark}", mutant.defect, *cells, rows)
    if any(mutant.kind == "environment" for mutant in bank.mutant):
        yield ""
        yield _line("environment fault", "class", "directed", "disturbed")
        yield _line("---", "---", "---:", "---:")
        for mutant in bank.mutant:
            if mutant.kind == "environment":
                mark = " (equivalent)" if mutant.equivalent is not None else ""
                cells = [_case(measured.get((mutant.id, kind), _MISSED).results) for kind in ("directed", DISTURBED)]
                yield _line(f"`{mutant.id}`{mark}", mutant.defect, *cells)
    yield ""
    yield from _remarks(
        "Survivors in results:",
        ((mutant, mutant.survives or "not known yet") for mutant in _survivors(bank, measured)),
    )
    yield from _remarks(
        "Equivalent:", ((mutant, mutant.equivalent) for mutant in bank.mutant if mutant.equivalent is not None)
    )


def _survivors(bank: Bank, measured: Measured) -> Iterable[Mutant]:
    """Faults that neither `directed` nor, for those of the environment, any disturbance kills."""
    for mutants, kind in ((operand_faults(bank), "directed"), (environment_faults(bank), DISTURBED)):
        for mutant in mutants:
            if measured.get((mutant.id, kind), _MISSED).results is None:
                yield mutant


def _remarks(title: str, remarks: Iterable[tuple[Mutant, str]]) -> Iterable[str]:
    lines = [f"* `{mutant.id}`: {mutant.why} {remark}" for mutant, remark in remarks]
    if lines:
        yield from (title, "", *lines, "")


def _share(part: int, whole: int) -> str:
    return f"{part} ({part * 100 // whole} %)"


def _case(case: int | None) -> str:
    return "–" if case is None else f"{case + 1:,}"


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"
