# SPDX-License-Identifier: Apache-2.0
"""`./run claims`: which claims of models are proved at small parameters, and which events are proved never to happen.

Writes `vectors/catalogue/proved.json`. Of each model, all operands are tried at one modulus, and the solver is asked
at another one, which has more operands.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from limbtrace.refmodels.event_search import UNREACHABLE, Occurrences
from limbtrace.refmodels.model import Claim, Run
from limbtrace.refmodels.registry import MODELS
from limbtrace.rtl_bridge.proof.bitvector import BitTerm
from limbtrace.rtl_bridge.proof.reach import Questions
from limbtrace.rtl_bridge.proof.smt import PROVED, solved, text
from limbtrace.vectors import catalogue
from limbtrace.vectors.catalogue.proved import (
    CLOSED_FORM,
    EXHAUSTIVE,
    FILE,
    INTERVALS,
    SOLVER,
    ProvedClaims,
    claim_key,
    proved_claims,
)
from limbtrace.vectors.request import Multiplier
from tools.demo import say

OUTPUT = Path(catalogue.__file__).parent / FILE
SECONDS = 10
"""For a question."""
MEGABYTES = 2000
Given = dict[str, str | int]
Shape = tuple[int | None, Given]

SHAPES: dict[str, tuple[Shape, Shape]] = {
    "r2mm": ((13, {}), (509, {})),
    "mwr2mm": ((13, {"w": 2}), (61, {"w": 3})),
    "mwr2kmm": ((13, {"k": 2, "w": 3}), (61, {"k": 3, "w": 4})),
    "imm": ((13, {"k": 2}), (61, {"k": 3})),
    "iddmm1": ((13, {"k": 2, "passes": 3}), (61, {"k": 3, "passes": 3})),
    "iddmm2": ((13, {"k": 2, "passes": 3}), (61, {"k": 3, "passes": 3})),
    "cios": ((13, {"w": 2}), (61, {"w": 3})),
    "fpmm": ((13, {"w": 2, "sigma": 2}), (61, {"w": 3, "sigma": 2})),
    "orup": ((13, {"r": 2}), (21, {"r": 2, "tail": 1})),
    "redundant": ((3, {"r1": 4}), (21, {"r1": 4})),
    "monpro": ((13, {}), (251, {})),
    "redmonpro": ((13, {}), (251, {})),
    "llmonpro": ((13, {"d": 4}), (251, {"d": 4})),
    "ozturk": ((None, {"d": 2, "k": 1}), (None, {"d": 3, "k": 2})),
    "vdf": ((61, {"d": 4, "t": 3}), (251, {"d": 4, "t": 2})),
    "blakley": ((13, {}), (61, {"r": 2})),
    "fold": ((13, {}), (61, {})),
    "solinas": ((13, {}), (241, {})),
    "barrett": ((13, {"k": 6}), (61, {})),
    "barrett_reduce": ((13, {}), (61, {})),
    "barrett_mul": ((13, {}), (61, {})),
    "effm": ((71, {}), (199, {})),
    "ffm1": ((71, {}), (199, {})),
    "ffm2": ((11, {}), (107, {})),
    "hffm": ((11, {}), (107, {})),
    "koc_sos": ((13, {"w": 2}), (61, {"w": 3})),
    "koc_cios": ((13, {"w": 2}), (61, {"w": 3})),
    "koc_fios": ((13, {"w": 2}), (61, {"w": 3})),
    "koc_fips": ((13, {"w": 2}), (61, {"w": 3})),
    "koc_cihs": ((13, {"w": 2}), (61, {"w": 3})),
    "modmul": ((13, {}), (61, {})),
    "square": ((13, {}), (509, {})),
    "reduce": ((13, {}), (61, {})),
    "montgomery": ((13, {}), (61, {})),
    "redc": ((13, {}), (61, {})),
    "butterfly_ct": ((7, {}), (61, {"r": 4})),
    "butterfly_gs": ((7, {"r": 3, "halve": 1}), (61, {"halve": 1})),
    "modmac": ((13, {}), (61, {})),
    "modadd": ((13, {}), (509, {})),
    "modsub": ((13, {}), (509, {})),
    "modneg": ((13, {}), (509, {})),
    "modhalve": ((13, {}), (509, {})),
}
"""For each model, parameters at which all operands are tried, and those at which the solver is asked."""


def exhausted(m: Multiplier) -> tuple[set[str], set[str]]:
    """Claims that hold for all operands, and places at which no operands make an event happen."""
    model, params = m.model, m.params
    known = Occurrences(model, params)
    holding = {claim_key(claim) for claim in model.claims} | {CLOSED_FORM}
    silent = {place.label for place in known.places}
    runs: list[Run[Any]] = []
    for a, b in accepted(m):
        run = model.run(params, a, b)
        holding -= {claim_key(broken.claim) for broken in model.violations(run)}
        excess = run.result - model.closed_form(params, a, b)
        if excess and not (model.by_digits and excess == params.modulus):
            holding.discard(CLOSED_FORM)
        runs.append(run)
    for place, holds in known.hits([run.a for run in runs], [run.b for run in runs], known.places):
        if holds.any():
            silent.discard(place.label)
    return holding, silent


def accepted(m: Multiplier) -> Iterator[tuple[int, int]]:
    """All operands of a multiplier."""
    a_most, b_most = m.params.limits
    for a in range(a_most + 1):
        most = b_most if m.model.largest_b is None else min(b_most, m.model.largest_b(m.params, a))
        yield from ((a, b) for b in range(most + 1))


class Asked:
    """A model at parameters, for the solver or intervals alone."""

    def __init__(self, m: Multiplier) -> None:
        """Raises TypeError for a loop that branches on operands."""
        self._m = m
        self._questions = Questions(m.model, m.params)
        self.found: dict[str, tuple[set[str], set[str]]] = {INTERVALS: (set(), set()), SOLVER: (set(), set())}
        """By method: claims, and places of events."""
        self.open: list[str] = []
        """Questions that were not decided."""

    def ask(self) -> None:
        """Ask about every claim, the closed form, and all places that are not known to be reachable."""
        m, run = self._m, self._questions.run
        claims: list[tuple[str, Any]] = [
            (claim_key(claim), lambda claim=claim: run.broken(claim)) for claim in m.model.claims
        ]
        if not m.model.by_digits:
            claims.append((CLOSED_FORM, run.differing))
        for name, condition in claims:
            self._settle(0, name, condition)
        for found in Occurrences(m.model, m.params).all():
            if found.pair is None:
                place = found.place
                self._settle(1, place.label, lambda place=place: run.happens(place.event, place.index))

    def _settle(self, kind: int, name: str, condition: Any) -> None:
        try:
            bits: list[BitTerm] | None = self._questions.bits(condition())
        except TypeError:  # no term says it
            return
        if bits is None:
            self.found[INTERVALS][kind].add(name)
        elif solved(text(bits, products=True), 1000 * SECONDS, MEGABYTES).verdict == PROVED:
            self.found[SOLVER][kind].add(name)
        else:
            self.open.append(name)


def measure(name: str) -> Iterator[ProvedClaims]:
    """The proofs of a model. Raises RuntimeError where a claim or a stated reason turns out to be wrong."""
    small, wide = SHAPES[name]
    m = Multiplier.resolve(name, small[0], small[1])
    holding, silent = exhausted(m)
    check(m, holding, silent)
    yield kept(m, EXHAUSTIVE, holding, silent)
    m = Multiplier.resolve(name, wide[0], wide[1])
    asked = Asked(m)
    asked.ask()
    for method, (claims, places) in asked.found.items():
        yield kept(m, method, claims, places)
    if asked.open:
        say(f"{m.title}: not decided: {', '.join(asked.open)}")


def check(m: Multiplier, holding: set[str], silent: set[str]) -> None:
    """Raises RuntimeError where a claim does not hold, or a place happens that the model excludes."""
    wrong: list[Claim[Any]] = [claim for claim in m.model.claims if claim_key(claim) not in holding]
    found = [o.place.label for o in Occurrences(m.model, m.params).all() if o.state == UNREACHABLE]
    said = [label for label in found if label not in silent]
    if wrong or said or CLOSED_FORM not in holding:
        raise RuntimeError(f"{m.title}: wrong: {wrong}, {said}")


def kept(m: Multiplier, method: str, claims: set[str], places: set[str]) -> ProvedClaims:
    """An entry of the file, in the order of the model."""
    names = [*map(claim_key, m.model.claims), CLOSED_FORM]
    labels = [place.label for place in Occurrences(m.model, m.params).places]
    return ProvedClaims(
        m.model.id,
        m.prime,
        m.settings,
        method,
        [name for name in names if name in claims],
        [label for label in labels if label in places],
    )


def main() -> int:
    """Prove what can be proved of all models, or of some, and write the file; returns the exit code."""
    parser = argparse.ArgumentParser(prog="./run claims", description=__doc__)
    parser.add_argument("model", nargs="*", help="only these; the others are kept")
    wanted = parser.parse_args().model
    if unknown := set(wanted) - set(MODELS):
        parser.error(f"there is no model {', '.join(sorted(unknown))}; there are {', '.join(sorted(MODELS))}")
    entries: list[ProvedClaims] = []
    for name in sorted(MODELS):
        if wanted and name not in wanted:
            entries += [entry for entry in proved_claims() if entry.model == name]
            continue
        start = time.monotonic()
        found = list(measure(name))
        entries += [entry for entry in found if entry.claims or entry.events]
        said = ", ".join(f"{entry.by}: {len(entry.claims)} claims, {len(entry.events)} places" for entry in found)
        say(f"{name}: {said} ({time.monotonic() - start:.0f} s)")
    lines = ",\n".join(json.dumps(entry._asdict()) for entry in entries)
    OUTPUT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
