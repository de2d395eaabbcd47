# SPDX-License-Identifier: Apache-2.0
"""The products of a lock-step run one after the other, each with what is special about it.

Everything follows from the seed, the modulus and the number of the case, so that a case is disturbed alike when it is
run alone.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.protocols.fields import pack
from limbtrace.rtl_bridge.run.compare import Comparator
from limbtrace.rtl_bridge.run.disturb import CONTROL, KINDS, RANDOM, FrontProduct
from limbtrace.rtl_bridge.run.products import ExpectedStream
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.shell.text import Shell


@dataclass(frozen=True)
class Trial:
    """A product, the constants that belong to it, and how it is disturbed."""

    expected: ExpectedStream
    bound: Bound
    comparator: Comparator
    constants: int
    limit: int
    """Most cycles to wait."""
    control: Mapping[str, int] = field(default_factory=dict)
    """Signals of lt_lockstep_tb that say how, by name."""
    other: str = ""
    """Kind of disturbance for which it has another modulus."""
    front: bool = False
    """True if it has other operands than the product behind it, which was asked for."""
    moduli: Mapping[int, int] = field(default_factory=dict)
    """The modulus of each product of the stream, by its place, that is not the one asked for."""
    disturbed: dict[str, Any] = field(default_factory=dict)
    """Facts about the product that a reader of a difference needs."""

    def facts(self, case: int) -> dict[str, Any]:
        """Facts about a product of the stream."""
        modulus = self.moduli.get(case - self.expected.case)
        return self.disturbed if modulus is None else {**self.disturbed, "modulus": f"{modulus:#x}"}

    @property
    def asked(self) -> bool:
        """True if it is one of those that were asked for."""
        return not self.other and not self.front


def trials(run: Run) -> Iterator[Trial]:
    """The products of a run in order, each preceded by those that its disturbances put in front of it.

    Raises ParameterError, ServiceError.
    """
    if not run.job.disturb:
        constants = pack(run.shell.constants)
        for expected in run.golden.checked():
            yield Trial(expected, run.bound, run.comparator, constants, run.bound.limit)
        return
    others = [_disturbed(other, kind) for kind, other in run.others]
    for asked, *found in zip(_disturbed(run), *others, strict=True):
        if found:
            before = found[run.turn(asked[-1].expected.case)]
            yield from before
            asked[-1] = mixed(run, asked[-1], before[-1])
        yield from asked


def mixed(run: Run, asked: Trial, other: Trial) -> Trial:
    """A stream with products of another one, which has another modulus, in about half of the places.

    The stream as it is if the modulus does not come with each product, or signals are watched, or operands are signed:
    the integers of these depend on the modulus.
    """
    shells = [Shell(trial.bound) for trial in (asked, other)]
    travels = {
        f"input_{asked.bound.ports[constant.port].net}"
        for constant in asked.bound.core.file.input
        if constant.with_ == "product"
    }
    fixed = [pack([field for field in shell.constants if field.name not in travels]) for shell in shells]
    bound = asked.bound
    if not travels or bound.products == 1 or bound.watches or bound.signed or fixed[0] != fixed[1]:
        return asked
    bits = Draw(f"mixed|{run.job.seed}|{asked.expected.case}").bits(run.stimulus.size)
    places = [place for place in range(run.stimulus.size) if bits >> place & 1]
    fields = [
        replace(field, value=_spliced(field.value, field_of.value, field.width // asked.bound.products, places))
        if field.name in travels
        else field
        for field, field_of in zip(shells[0].constants, shells[1].constants, strict=True)
    ]
    a, b, result = (
        _spliced(getattr(asked.expected, name), getattr(other.expected, name), run.shell.product_width(name), places)
        for name in ("a", "b", "result")
    )
    modulus = other.bound.multiplier.modulus.modulus
    return replace(
        asked,
        expected=replace(asked.expected, a=a, b=b, result=result),
        constants=pack(fields),
        moduli=dict.fromkeys(places, modulus),
    )


def _spliced(word: int, other: int, width: int, places: Sequence[int]) -> int:
    """A word with the parts of another one in these places; parts have that many bits."""
    mask = sum(((1 << width) - 1) << (width * place) for place in places)
    return word & ~mask | other & mask


def _disturbed(run: Run, other: str = "") -> Iterator[list[Trial]]:
    """Every stream of a run with its disturbances, behind those in front of it; `other` is the kind for which it has
    another modulus."""
    kinds = [KINDS[kind] for kind in run.job.disturb]
    for expected, bound in _spread(run):
        random = _random(run, expected.case, b"", RANDOM)
        quiet = {**dict.fromkeys(CONTROL, 0), "seed": int.from_bytes(random[:2], "little") or 1}
        control = dict(quiet)
        facts: dict[str, Any] = {"modulus": f"{bound.multiplier.modulus.modulus:#x}"} if other else {}
        for kind in kinds:
            control |= kind.control(bound, -1 if other else expected.case, random)
            facts |= kind.facts(bound, random)
        asked = Trial(
            expected,
            bound,
            run.comparator,
            pack(Shell(bound).constants),
            (1 + control["prefix_count"]) * (bound.limit + control["gap"]) + 2 * control["result_stall"],
            control,
            other,
            disturbed=facts,
        )
        fronts = (front for kind in kinds for front in kind.fronts(bound, random))
        yield [*(_front(run, front, asked, quiet, number) for number, front in enumerate(fronts)), asked]


def _front(run: Run, front: FrontProduct, asked: Trial, quiet: Mapping[str, int], number: int) -> Trial:
    """A product or stream with drawn operands in front of one that is asked for."""
    expected, bound, shell = asked.expected, asked.bound, run.shell
    draw = Draw(f"front|{run.job.seed}|{bound.multiplier.modulus.modulus:x}|{expected.case}|{number}")
    a_most, b_most = bound.limits
    pairs = [
        TimedPair(
            shell.part("a", expected.a, place) if front.keeps_a else draw.below(a_most + 1),
            shell.part("b", expected.b, place) if front.keeps_b else draw.below(b_most + 1),
        )
        for place in range(run.stimulus.size)
    ]
    return replace(
        asked,
        expected=replace(run.golden.stream(bound, expected.case, pairs), max_cycles=expected.max_cycles),
        limit=bound.limit,
        control={**quiet, "new_constants": asked.control["new_constants"], **front.control},
        front=True,
        disturbed={name: value for name, value in asked.disturbed.items() if name == "modulus"},
    )


def _spread(run: Run) -> Iterator[tuple[ExpectedStream, Bound]]:
    """Every stream, and the core for it: with starts of its own where products of a stream wait."""
    if _gaps(run, 0) is None:
        for expected in run.golden.checked():
            yield expected, run.bound
    elif run.bound.plan is None:
        for expected in run.golden.checked():
            spread = run.bound.stream(_gaps(run, expected.case) or ())
            yield replace(expected, max_cycles=spread.most), spread
    else:
        first, pairs = run.stimulus.first, run.stimulus.pairs()
        while stream := list(islice(pairs, run.stimulus.size)):
            spread = run.bound.stream(_gaps(run, first) or ())
            yield run.golden.stream(spread, first, stream), spread
            first += len(stream)


def _gaps(run: Run, case: int) -> list[int] | None:
    """Wait cycles before each product of the stream of a case; None if each starts as early as possible."""
    if run.job.timed:
        return None
    random = _random(run, case, b"gaps", run.stimulus.size)
    found = (KINDS[kind].gaps(run.bound, random) for kind in run.job.disturb)
    return next((gaps for gaps in found if gaps is not None), None)


def _random(run: Run, case: int, what: bytes, length: int) -> bytes:
    modulus = run.bound.multiplier.modulus.modulus
    return hashlib.shake_128(f"{run.job.seed}|{modulus:x}|{case}".encode() + what).digest(length)
