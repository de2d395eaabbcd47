# SPDX-License-Identifier: Apache-2.0
"""`./run defects`: which case of each kind of operands shows each defect of the atlas first.

Writes `vectors/catalogue/defects.json` and docs/reference/defects.md.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from limbtrace.refmodels.defects import ATLAS, Defect, DefectKind
from limbtrace.vectors import catalogue
from limbtrace.vectors.catalogue.defects import FILE, multiplier_of
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import DIRECTED, EVENTS, KINDS, VectorRequest
from tools.demo import say

CASES, SEED = 1000, 1
TRIED = (DIRECTED, EVENTS, *KINDS)
"""Kinds of operands."""
ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "defects.md"
OUTPUT = Path(catalogue.__file__).parent / FILE


def first_case(defect: Defect, kind: str) -> int | None:
    """The first of CASES cases whose result differs from that of the model; None if none does."""
    multiplier = multiplier_of(defect)
    model, params, modulus = multiplier.model, multiplier.params, multiplier.modulus.modulus
    request = VectorRequest.resolve(multiplier, CASES, SEED, kind, CASES)
    for number, (a, b, _) in enumerate(operands(request)):
        if defect.compute(int(a), int(b), modulus) != model.result(params, int(a), int(b)):
            return number
    return None


def measured() -> dict[str, Any]:
    """The content of `defects.json`."""
    first = {}
    for number, defect in enumerate(ATLAS.values()):
        say(f"defects: {defect.id}, {number + 1} of {len(ATLAS)}")
        first[defect.id] = {kind: first_case(defect, kind) for kind in TRIED}
    return {"cases": CASES, "seed": SEED, "first": first}


def page(found: dict[str, Any]) -> str:
    """docs/reference/defects.md."""
    return "".join(_page(found["first"]))


def _page(first: dict[str, dict[str, int | None]]) -> Iterator[str]:
    yield "# Defects\n\nWritten by `./run defects`.\n\n"
    yield "Public faults of modular arithmetic, each with an emulation at the parameters that the code or core had.\n"
    yield "`limbtrace defects ID`, `/v1/defects/ID` and the page `/defects/ID` say what was wrong, "
    yield "give operands that show it, and the source.\n"
    yield "Facts are from the sources; the emulations are written for limbtrace.\n\n"
    yield f"A kind of operands shows a defect if a result of its first {CASES:,} cases differs "
    yield f"at the modulus of the defect, with seed {SEED}.\n"
    yield "The columns of kinds say which case is the first, from 0 on; `-` is none.\n\n"
    yield "## By kind of operands\n\n"
    yield _line("kind of operands", "in 16 cases", "in 100", "in 1,000")
    yield _line(*["---"] * 4)
    for kind in TRIED:
        cases = [found[kind] for found in first.values()]
        within = [sum(case is not None and case < most for case in cases) for most in (16, 100, CASES)]
        yield _line(f"`{kind}`", *(f"{number} of {len(cases)}" for number in within))
    yield "\n## By mechanism and year\n\n"
    yield _line("mechanism", "defects", "what is wrong")
    yield _line(*["---"] * 3)
    count = Counter(defect.kind for defect in ATLAS.values())
    for known in DefectKind:
        if count[known]:
            yield _line(known.value, str(count[known]), known.meaning)
    years = Counter(defect.year // 5 * 5 for defect in ATLAS.values())
    yield "\n" + ", ".join(f"{year} to {year + 4}: {years[year]}" for year in sorted(years)) + ".\n"
    yield "\n## All of them\n\n"
    shown = (DIRECTED, EVENTS, "mixed", "random", "edge")
    yield _line("defect", "year", "mechanism", "title", *(f"`{kind}`" for kind in shown))
    yield _line(*["---"] * (4 + len(shown)))
    for defect in ATLAS.values():
        cases = [first[defect.id][kind] for kind in shown]
        cells = ["-" if case is None else str(case) for case in cases]
        yield _line(f"`{defect.id}`", str(defect.year), defect.kind.value, defect.title, *cells)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def main() -> int:
    """Measure and write; returns the exit code."""
    argparse.ArgumentParser(prog="./run defects", description=__doc__).parse_args()
    found = measured()
    OUTPUT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
