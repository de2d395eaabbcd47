# SPDX-License-Identifier: Apache-2.0
"""docs/reference/model-mutants.md, made of what was measured and of what was found out about survivors."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tools.model_mutants.entered import MOST_SECONDS
from tools.model_mutants.measure import ROOT, SEED, ModuleScore, Survivor, digest_of, modules

OUTPUT = ROOT / "docs" / "reference" / "model-mutants.md"
MEASURED = Path(__file__).with_name("measured.json")
JUDGED = Path(__file__).with_name("equivalent.toml")

Judged = Mapping[str, Mapping[str, str]]
"""By module and the lines of a change: why no test can notice it."""

_HEAD = """\
# Mutants of models

Written by `./run mutants --models`, and by `python -m tools.model_mutants --page` without measuring anything.

cosmic-ray changes the code of a model: an operator, a comparison, a number, a condition, a loop. A *mutant* is the
module with one such change. It is *killed* if a test of the module's paper fails, or one of those of all models in
`tests/refmodels`. Those that enter the changed function are tried, fastest first, for at most {seconds:.0f} s of
processor time. Changes of annotations alone are left out.

Some mutants change no result, only limits, constructed operands or schedules. `tests/refmodels/test_unchanged.py`
compares these with hashes that are kept, so a mutant that it kills was noticed, not judged.

Of each module a sample is tried, drawn with seed {seed}; a larger sample has the mutants of a smaller one. Tests that
were made because a mutant of the sample survived count, too, so the share is too high as an estimate for all mutants.

An *equivalent* mutant changes nothing that a caller could see, for the reason given; it counts for nothing. Any other
survivor is a hole in the tests.

| | tried | killed | equivalent | holes | killed of those that are not equivalent |
| --- | ---: | ---: | ---: | ---: | ---: |
"""


def read() -> dict[str, ModuleScore]:
    """The measurements, by module."""
    found = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else []
    scores = [
        ModuleScore(**{**one, "survivors": tuple(Survivor(**each) for each in one["survivors"])}) for one in found
    ]
    return {one.module: one for one in scores}


def write(scores: Mapping[str, ModuleScore]) -> None:
    """Replace the measurements."""
    kept = [scores[module].document for module in sorted(scores) if (ROOT / module).exists()]
    MEASURED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def judged() -> Judged:
    """The reasons of survivors that are equivalent."""
    found: dict[str, dict[str, str]] = {}
    for each in tomllib.loads(JUDGED.read_text(encoding="utf-8"))["equivalent"]:
        found.setdefault(each["module"], {})[each["change"]] = each["reason"]
    return found


def unused(scores: Mapping[str, ModuleScore], reasons: Judged) -> list[str]:
    """Reasons that belong to no survivor: `module: change`."""
    survivors = {(one.module, each.change) for one in scores.values() for each in one.survivors}
    named = [(module, change) for module, found in reasons.items() for change in found]
    return [f"{module}: {change}" for module, change in named if (module, change) not in survivors]


def page(scores: Mapping[str, ModuleScore], reasons: Judged, every: Sequence[str]) -> str:
    """The page; `every` has the modules of all models."""
    papers = sorted({_paper(module) for module in scores})
    rows = [_row(f"`{name}`", [scores[m] for m in sorted(scores) if _paper(m) == name], reasons) for name in papers]
    rows.append(_row("all", [*scores.values()], reasons))
    changed = [one.module for one in scores.values() if one.digest != digest_of([ROOT / one.module])]
    text = _HEAD.format(seed=SEED, seconds=MOST_SECONDS) + "\n".join(rows) + "\n"
    text += "\n## Modules\n\n| module | mutants | tried | killed | equivalent | holes | share |\n"
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    text += "".join(_module_row(scores[module], reasons) for module in sorted(scores))
    for title, names, none in (
        ("Not measured", [module for module in every if module not in scores], "Every module was measured."),
        ("Changed since", changed, "No module has changed since it was measured."),
    ):
        text += f"\n## {title}\n\n" + ("".join(f"* `{_short(name)}`\n" for name in names) or f"{none}\n")
    text += "\n## Survivors\n"
    for one in (scores[module] for module in sorted(scores)):
        text += "".join(_survivor(one.module, each, reasons) for each in one.survivors)
    return text


def _paper(module: str) -> str:
    return module.split("/")[2]


def _short(module: str) -> str:
    return module.removeprefix("refmodels/papers/")


def _counts(one: ModuleScore, reasons: Judged) -> tuple[int, int, int, int]:
    """Mutants that were tried, killed, are equivalent, and show a hole."""
    known = sum(each.change in reasons.get(one.module, {}) for each in one.survivors)
    return one.tried, one.tried - len(one.survivors), known, len(one.survivors) - known


def _share(killed: int, holes: int) -> str:
    return f"{100 * killed // (killed + holes)} %" if killed + holes else "-"


def _row(name: str, scores: Sequence[ModuleScore], reasons: Judged) -> str:
    counts = [_counts(one, reasons) for one in scores]
    tried, killed, known, holes = (sum(each[place] for each in counts) for place in range(4))
    return f"| {name} | {tried} | {killed} | {known} | {holes} | {_share(killed, holes)} |"


def _module_row(one: ModuleScore, reasons: Judged) -> str:
    tried, killed, known, holes = _counts(one, reasons)
    share = _share(killed, holes)
    return f"| `{_short(one.module)}` | {one.mutants} | {tried} | {killed} | {known} | {holes} | {share} |\n"


def _survivor(module: str, each: Survivor, reasons: Judged) -> str:
    reason = reasons.get(module, {}).get(each.change)
    said = "A hole." if reason is None else f"Equivalent: {reason}"
    return f"\n`{_short(module)}`, line {each.line}. {said}\n\n```diff\n{each.change}\n```\n"


def everything() -> str:
    """The page of what is there."""
    return page(read(), judged(), [str(module) for module in modules([])])


def lines(scores: Sequence[ModuleScore]) -> Iterator[str]:
    """Survivors, for a terminal."""
    for one in scores:
        yield from (f"{one.module}:{each.line}\n{each.change}" for each in one.survivors)
