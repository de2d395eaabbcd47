# SPDX-License-Identifier: Apache-2.0
"""Observations about a wrong value in the numbers of its product, with faults that often give such a value.

An observation is true of the numbers, whatever the cause. What follows "as" is a comparison: other causes give the
same number, above all where numbers are small.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.model import Index, Run, step_label
from limbtrace.vectors.report.lost_carry import lost_part
from limbtrace.vectors.report.relations import (
    UNKNOWN,
    NumberWidths,
    OtherProduct,
    Related,
    RightResult,
    readings,
    said_of_readings,
)
from limbtrace.vectors.request import Multiplier

FEWEST_BITS = 8
"""Values of fewer bits are equal to others by chance, and so they are not compared with those of other operands."""
MOST_SHIFT = 64
"""Largest power of two, of 2 or of the radix, by which a result is compared with the right one."""
MOST_STEPS = 4
"""Most steps that have the value for them to be named."""
MACHINE_WORDS = (8, 16, 32, 64)
"""Bits of the words in which an integer may stand in another order, besides the digits of the model."""


class Observation(NamedTuple):
    """A fact about a wrong value: its kind, a word that does not change, and a sentence."""

    kind: str
    text: str


@dataclass(frozen=True)
class Wrong:
    """A wrong result, or a wrong value of the step behind a signal, and the product that it is one of."""

    multiplier: Multiplier
    a: int
    b: int
    step: tuple[str, Index] | None
    """None: it is the result."""
    expected: int
    seen: int
    run: Run[Any] | None = None
    """The product with all of its steps, where a step is wrong."""
    before: Pair | None = None
    """Operands of the product before it in the run."""
    after: Pair | None = None
    """Operands of the product after it in the run."""
    widths: NumberWidths = UNKNOWN
    """Bits of the ports."""
    bits: int | None = None
    """Bits of the signal; None if they are not known."""

    @property
    def _what(self) -> str:
        return "the right result" if self.step is None else "the right value of this step"

    def observations(self) -> list[Observation]:
        """The most specific one first, without repetitions."""
        found = [*self._equal()]
        if self.step is None:
            found += [*([] if found else self._related()), *self._congruent()]
            found += self._placed()
        found += [*self._bits(), *self._elsewhere()]
        return list(dict.fromkeys(found))

    def _equal(self) -> Iterator[Observation]:
        """Equal to what other operands give, or to the same number written otherwise."""
        if self.seen.bit_length() < FEWEST_BITS:
            return
        a, b, unary = self.a, self.b, self.multiplier.model.unary
        if self.before is not None:
            other_a, other_b = self.before
            if self._is_of(other_a, other_b):
                yield Observation("previous_product", f"it is {self._what} for the product before it")
            elif not unary and self._is_of(other_a, b):
                yield Observation("previous_a", f"it is {self._what} for a of the product before it and this b")
            elif not unary and self._is_of(a, other_b):
                yield Observation("previous_b", f"it is {self._what} for this a and b of the product before it")
        if not unary and self._is_of(b, a):
            yield Observation("swapped_operands", f"it is {self._what} for a and b swapped")
        if self.step is None:
            yield from self._reordered()
        for name, value in (("a", a), *(() if unary else (("b", b),))):
            if self.seen == value:
                yield Observation("operand", f"it is operand {name}")

    def _reordered(self) -> Iterator[Observation]:
        """Right but for the order of words; the first width that explains it."""
        limit = max(*self.multiplier.params.limits, self.multiplier.params.result_limit - 1)
        words_of_others = MACHINE_WORDS if self.multiplier.params.closed else ()  # else each takes a run of the loop
        for width in dict.fromkeys(filter(None, (self.multiplier.params.radix_bits, *words_of_others))):
            count = -(-limit.bit_length() // width)
            if count < 2:
                continue
            words = f"words of {width} bits in reverse order"
            if self.seen == reverse(self.expected, width, count):
                yield Observation("word_order", f"it is {self._what} with its {words}")
                return
            a, b = (reverse(value, width, count) for value in (self.a, self.b))
            others = [("a", (a, self.b)), ("b", (self.a, b)), ("both operands", (a, b))]
            for name, pair in others[:1] if self.multiplier.model.unary else others:
                if self._is_of(*pair):
                    yield Observation("operand_word_order", f"it is {self._what} for {name} with {words}")
                    return

    def _is_of(self, a: int, b: int) -> bool:
        """True if these operands, which are others, give the value, and not the one that is right here."""
        if (a, b) == (self.a, self.b):
            return False
        model, params, p = self.multiplier.model, self.multiplier.params, self.multiplier.modulus.modulus
        try:
            model.check_operands(params, a, b)
        except ParameterError:
            return False
        if self.step is not None:
            value = model.run(params, a, b).values.get(self.step)
            return value is not None and int(value) == self.seen != self.expected
        right = model.result(params, a, b)
        p = 0 if model.several else p
        return self.seen == right or bool(p and self.seen == right % p and (right - self.expected) % p)

    def _congruent(self) -> Iterator[Observation]:
        """Congruences of a result modulo p and modulo R."""
        params, p, expected, seen = self.multiplier.params, self.multiplier.modulus.modulus, self.expected, self.seen
        if not p or self.multiplier.model.several:
            return
        R = params.domain
        if seen % p == expected % p:
            times = (seen - expected) // p
            kind = {1: "plus_p", -1: "minus_p"}.get(times, "multiple_of_p")
            size, cause = ("large", "without a last subtraction") if times > 0 else ("small", "after one too many")
            if seen >= params.result_limit:
                most = f"results are below {_shown(params.result_limit)}"
                yield Observation("not_reduced", f"it is congruent to the right result, but not reduced: {most}")
            sentence = f"it is congruent to the right result: {_times(times)}p too {size}, as {cause}"
            yield Observation(kind, sentence)
            return
        if R is not None and (seen - expected) % R == 0:
            times = (seen - expected) // R
            size = "large" if times > 0 else "small"
            where = "the weight above the last digit, as after a wrong carry out of the top"
            yield Observation("multiple_of_r", f"it is {_times(times)}R too {size}, {where}")
        if R is None:
            return
        model = self.multiplier.model
        product, text = (self.a, "a") if model.unary else (self.a * self.b, "a*b")
        if model.chain is None and seen % p == product % p:
            yield Observation("without_1_over_r", f"it is congruent to {text}, as without the factor 1/R")
        for k in range(1, MOST_SHIFT):
            for factor, word in ((1 << k, "too few"), (pow(1 << k, -1, p), "too many")):
                if seen % p == expected * factor % p and expected % p:
                    halvings = f"{k} halving{'s' if k > 1 else ''} {word}"
                    sentence = f"it is congruent to the right result with {halvings}, as after passes that are {word}"
                    yield Observation("halvings", sentence)
                    return

    def _related(self) -> Iterator[Observation]:
        """The relation of a wrong result to the right one, unless `_congruent` or `_bits` say it."""
        found = self.related
        difference = abs(self.seen - self.expected)
        if found is not None and not (found.kind == "power_of_two" and difference.bit_count() == 1):
            yield Observation(found.kind, found.sentence)

    def _placed(self) -> Iterator[Observation]:
        """The place in a digit-serial product at which a lost digit or carry gives it."""
        place = lost_part(self.multiplier, self.a, self.b, self.expected, self.seen)
        if place is not None:
            yield Observation(place.kind, place.sentence)

    @property
    def related(self) -> Related | None:
        """The relation of a wrong result to the right one by the table, None without one."""
        return RightResult(
            self.expected,
            0 if self.multiplier.model.several else self.multiplier.modulus.modulus,
            self.widths.result,
            self.multiplier.params.domain,
            self._others(),
        ).related(self.seen)

    def _others(self) -> list[OtherProduct]:
        """Products of values that the core may read in the place of its operands."""
        model, params, p = self.multiplier.model, self.multiplier.params, self.multiplier.modulus.modulus
        before, after = self.before or (None, None), self.after or (None, None)
        if not p or model.chain is not None or (params.closed is False):
            return []
        a_readings, b_readings = (
            readings(own, previous=before[k], next_one=after[k], width=self.widths[k])
            for k, own in enumerate((self.a, self.b))
        )
        found = []
        for a, b in itertools.product(a_readings, b_readings[:1] if model.unary else b_readings):
            if not (a.name or b.name) or (a.value, b.value) == (self.a, self.b):
                continue
            kind, words, cause = said_of_readings(a.name, None if model.unary else b.name)
            residues = (a.value % p, b.value % p)
            try:
                model.check_operands(params, *residues)
            except ParameterError:
                continue
            text = f"{self._what} for {words}, modulo p"
            found.append(OtherProduct(kind, text, cause, int(model.result(params, *residues))))
        return found

    def _bits(self) -> Iterator[Observation]:
        """The wrong bits and words of it."""
        expected, seen = self.expected, self.seen
        difference = abs(expected - seen)
        if self.bits == 1:  # it is wrong, and nothing else follows from its value
            return
        if seen == 0:
            yield Observation("zero", "it is 0, as of a value that is never loaded, or cleared too late")
        if expected >> (width := seen.bit_length()) and seen and seen == expected & ((1 << width) - 1):
            cause = "as of a register or wire that is too narrow"
            yield Observation("truncated", f"its low {width} bits are right and those above are missing, {cause}")
        if difference and difference & (difference - 1) == 0:
            sign, fate = ("less", "lost") if seen < expected else ("more", "too much")
            k = difference.bit_length() - 1
            sentence = f"it is 2^{k} {sign} than it should be, as after a carry into bit {k} that is {fate}"
            yield Observation("power_of_two", sentence)
        if self.step is None:
            yield from self._words()

    def _words(self) -> Iterator[Observation]:
        """The first wrong word of a result, in digits of the model or else in words of 64 bits."""
        width = self.multiplier.params.radix_bits or 64
        bits = max(self.expected.bit_length(), self.seen.bit_length(), self.multiplier.bits)
        total, low = -(-bits // width), (1 << width) - 1
        wrong = [k for k in range(total) if (self.expected ^ self.seen) >> (k * width) & low]
        if width > 1 and total > 1 and wrong:
            number = f"{len(wrong)} of {total} words of {width} bits {'is' if len(wrong) == 1 else 'are'} wrong"
            yield Observation("wrong_word", f"{number}, the lowest of them word {wrong[0]}")

    def _elsewhere(self) -> Iterator[Observation]:
        """Right for another step of that name."""
        if self.step is None or self.run is None or not self.seen:
            return
        steps = [(n, at) for n, at, value in self.run.steps if n == self.step[0] and int(value) == self.seen]
        if steps and len(steps) <= MOST_STEPS:
            where = ", ".join(step_label(*step) for step in steps)
            sentence = f"it is the right value of {where}, as of a step that is too early, too late, or not taken"
            yield Observation("other_step", sentence)


def elsewhere(cycles: int) -> Observation:
    """About the right result on the port, that many cycles after the wrong one was taken, or before that."""
    number = f"{abs(cycles)} cycle{'' if abs(cycles) == 1 else 's'}"
    kind, word, cause = (
        ("right_later", "later", "of a latency that is given too small, or a done that comes too early")
        if cycles > 0
        else ("right_earlier", "earlier", "of a latency that is given too large, or a result that does not stay")
    )
    return Observation(kind, f"the right result stands there {number} {word}, as {cause}")


def reverse(value: int, width: int, count: int) -> int:
    """The number whose `count` words of `width` bits are those of the value in reverse order."""
    low = (1 << width) - 1
    return sum((value >> (k * width) & low) << ((count - 1 - k) * width) for k in range(count))


def _times(times: int) -> str:
    """A factor in front of a symbol: empty for 1 and -1, in hexadecimal if it is long."""
    size = abs(times)
    return "" if size == 1 else f"{size:#x} " if size >> 64 else f"{size} "


def _shown(value: int) -> str:
    """A limit, shortened if it is long."""
    return f"{value:#x}" if value.bit_length() <= 128 else f"a number of {value.bit_length()} bits"
