# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.durations` renews tests/durations.txt from what parts noted with the files as they are."""

import re
import sys
from collections import defaultdict
from pathlib import Path

from tests.parts import DURATIONS, digest, function, read_durations, seconds_of
from tests.sample import BUDGET, SLOW

ROOT = Path(__file__).resolve().parent.parent
LEAST = BUDGET
"""Seconds of all tests of a function together, below which it has no line."""


def kept(name: str) -> bool:
    """True if there still is a function of this id; of a class, which may inherit its functions, whether that is."""
    file, outermost, *_ = name.split("::")
    path = ROOT / file
    return path.exists() and re.search(rf"^(def|class) {outermost}\b", path.read_text(), re.MULTILINE) is not None


def lines(noted: dict[str, float], before: dict[str, float]) -> list[str]:
    """The lines of the file; functions that were not run keep theirs."""
    taken: dict[str, list[float]] = defaultdict(list)
    for id, seconds in noted.items():
        taken[function(id)].append(seconds)
    # A function that has a line may have been tried with a few of its cases: their number says nothing.
    means = {name: sum(seconds) / len(seconds) for name, seconds in taken.items()}
    new = {name: mean for name, mean in means.items() if sum(taken[name]) >= LEAST or (name in before and mean >= SLOW)}
    old = {name: seconds for name, seconds in before.items() if name not in taken and kept(name)}
    return [f"{seconds:.1f} {name}" for name, seconds in sorted((old | new).items())]


def main() -> None:
    folder = ROOT / "build" / "parts" / digest(ROOT)
    noted = {id: seconds for path in sorted(folder.glob("*.txt")) for id, seconds in seconds_of(path).items()}
    if not noted:
        print("nothing was noted with the files as they are; run ./run test --part I/N first", file=sys.stderr)
        sys.exit(2)
    head = [line for line in DURATIONS.read_text().splitlines() if line.startswith("#")]
    DURATIONS.write_text("\n".join([*head, *lines(noted, read_durations())]) + "\n")
    print(f"{DURATIONS}: {len(noted)} tests", file=sys.stderr)


if __name__ == "__main__":
    main()
