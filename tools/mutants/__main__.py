# SPDX-License-Identifier: Apache-2.0
"""`./run mutants`: how many faults of the bank each kind of operands finds.

Writes docs/reference/mutants.md and its data.
"""

import argparse
import sys
import time
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.catalogue.mutants import DISTURBED, FILE, written
from limbtrace.vectors.errors import ToolError
from tools.demo import say
from tools.mutants.bank import Bank, bank, names
from tools.mutants.copies import PlaceError
from tools.mutants.measure import Bred, Kill, bred
from tools.mutants.measured import read, write
from tools.mutants.page import COUNTS, KINDS, joined, page
from tools.mutants.proofs import proofs
from tools.mutants.proofs import read as kept
from tools.mutants.proofs import write as keep

OUTPUT = Path(__file__).parents[2] / "docs" / "reference" / "mutants.md"
DATA = Path(__file__).parents[2] / "vectors" / "catalogue" / FILE
CHOICES = (*KINDS, DISTURBED)


class BankError(Exception):
    """A bank that cannot be measured."""


def measure(one: Bank, kinds: list[str], count: int) -> dict[tuple[str, str], Kill]:
    """Kills of every mutant for every kind, and with all disturbances.

    Raises ParameterError, PlaceError, ToolError, BankError.
    """
    found: dict[tuple[str, str], Kill] = {}
    numbers = range(len(one.mutant) + 1)
    with bred(one) as core:
        for kind in (kind for kind in kinds if kind != DISTURBED):
            start = time.monotonic()
            kills = _of_kind(core, kind, count, numbers)
            if kills is None:
                continue
            if kills[0] != Kill(None, None):
                raise BankError(f"{one.name} differs without a fault, kind {kind}: {kills[0]}")
            found |= {(mutant.id, kind): kills[number] for number, mutant in enumerate(one.mutant, 1)}
            killed = sum(kill.results is not None for kill in kills.values())
            say(f"{one.name}: {kind} kills {killed} of {len(one.mutant)} ({time.monotonic() - start:.0f} s)")
        if DISTURBED in kinds:
            start = time.monotonic()
            environment = [number for number, mutant in enumerate(one.mutant, 1) if mutant.kind == "environment"]
            for number, case in core.disturbed([0, *environment]):
                if number:
                    found[one.mutant[number - 1].id, DISTURBED] = Kill(case, case)
                elif case is not None:
                    raise BankError(f"{one.name} differs without a fault when it is disturbed, in case {case}")
            say(f"{one.name}: disturbances ({time.monotonic() - start:.0f} s)")
    return found


def _of_kind(core: Bred, kind: str, count: int, numbers: range) -> dict[int, Kill] | None:
    """Kills by pairs of that kind; None if the model has no such kind."""
    try:
        return dict(core.kills(kind, count, numbers))
    except ParameterError as error:
        if error.parameter != "kind":
            raise
        return None


def prove(one: Bank) -> None:
    """Keep what a proof says of the core of a bank, and of each of its faults. Raises PlaceError, ToolError."""
    found = []
    for each in proofs(one, [None, *one.mutant]):
        say(f"{one.name}: {each.fault or 'no fault'} is {each.verdict}. {each.obligation}")
        found.append(each)
    keep(one.name, found)


def main() -> int:
    """Measure the banks that are named, all without a name, and write the page; returns the exit code."""
    parser = argparse.ArgumentParser(prog="./run mutants", description=__doc__)
    parser.add_argument("banks", metavar="BANK", nargs="*", help=f"{', '.join(names())}; default: all")
    parser.add_argument("--kind", action="append", choices=CHOICES, help="repeatable; default: all")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--page", action="store_true", help="measure nothing, write the page and its data from what is there"
    )
    instead.add_argument(
        "--prove", action="store_true", help="measure nothing, prove each fault at a small size and write the page"
    )
    asked = parser.parse_args()
    for name in asked.banks:
        if name not in names():
            parser.error(f"{name!r} is no bank; there are {', '.join(names())}")
    try:
        for name in [] if asked.page else asked.banks or names():
            one = bank(name)
            if asked.prove:
                prove(one)
                continue
            fresh = measure(one, asked.kind or list(CHOICES), COUNTS[-1])
            order = [(mutant.id, kind) for mutant in one.mutant for kind in CHOICES]
            known = {**(read(name) if asked.kind else {}), **fresh}
            write(name, {key: known[key] for key in order if key in known})
        banks = [joined(bank(name), read(name)) for name in names()]
        DATA.write_text(written(banks), encoding="utf-8")
        OUTPUT.write_text(page(banks, {name: (bank(name), kept(name)) for name in names()}), encoding="utf-8")
    except (ParameterError, PlaceError, BankError) as error:
        say(f"mutants: {error}")
        return 2
    except (ToolError, OSError) as error:
        say(f"mutants: {error}")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
