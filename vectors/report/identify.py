# SPDX-License-Identifier: Apache-2.0
"""Identification of a core from products and their results alone: a factor, a range, an order of words.

Nothing is assumed about the core but that its result depends on its operands by one formula. The formulas that are
tried are few, so one that fits several random products is the right one: with k products modulo p, a wrong formula
fits with probability p^(1 - k).
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.report.relations import (
    UNKNOWN,
    WRAPPED,
    Candidate,
    NumberWidths,
    Related,
    RightResult,
    readings,
    said_of_readings,
)

UNITS = (8, 16, 32, 64, 128)
"""Words whose order may be reversed, in bits, besides single bits and the digits of the model."""
LEAST_DOUBT = 40
"""Bits of certainty below which several formulas may fit by chance."""
MOST_RELATIONS = 4
"""Most formulas that are returned."""
LIKELY = 3
"""Results of which each may be right, and so tells a factor."""
HYPOTHESES = 20
"""Bits of certainty that it costs to try all formulas, factors and relations of results with a fault."""


@dataclass(frozen=True)
class Sample:
    """A product that a core was given, and what it returned; `b` is None for a core with one operand."""

    a: int
    b: int | None
    seen: int


@dataclass(frozen=True)
class FormulaMatch:
    """A formula over the operands, up to a factor."""

    text: str
    value: Callable[[int, int], int]
    unary: bool = False
    """True if it does without b."""


FORMS = (
    FormulaMatch("a*b", lambda a, b: a * b),
    FormulaMatch("a^2", lambda a, b: a * a, unary=True),
    FormulaMatch("a", lambda a, b: a, unary=True),
    FormulaMatch("b^2", lambda a, b: b * b),
    FormulaMatch("b", lambda a, b: b),
    FormulaMatch("a + b", lambda a, b: a + b),
    FormulaMatch("a - b", lambda a, b: a - b),
)
"""Those more often met first."""


@dataclass(frozen=True)
class WordOrder:
    """The reading of a number of `width` bits: as it is, or with its words of `unit` bits in reverse order."""

    width: int
    unit: int = 0
    """0: as it is."""

    def __call__(self, value: int) -> int:
        """The value read so; what is beyond the width stays. An involution."""
        if not self.unit:
            return value
        mask = (1 << self.unit) - 1
        words = [value >> at & mask for at in range(0, self.width, self.unit)]
        turned = sum(word << self.unit * place for place, word in enumerate(reversed(words)))
        return value >> self.width << self.width | turned

    @property
    def text(self) -> str:
        if not self.unit:
            return ""
        return f"its {'bits' if self.unit == 1 else f'words of {self.unit} bits'} in reverse order"

    @classmethod
    def all(cls, width: int, bits: int, digit: int | None) -> list["WordOrder"]:
        """The orders in which numbers of `bits` bits may stand on a port of `width` bits.

        `digit` is the radix of the model in bits. Words may fill the port, or be as many as the numbers need.
        """
        units = sorted({1, *UNITS, *([digit] if digit else [])})
        sizes = [(unit, size) for unit in units for size in (-(-bits // unit) * unit, width // unit * unit)]
        return [cls(width), *dict.fromkeys(cls(size, unit) for unit, size in sizes if unit < size)]


AS_IT_IS = WordOrder(0)


@dataclass(frozen=True)
class Relation:
    """result = factor * form modulo p, with what had to be read in another way to make it so."""

    modulus: int
    form: FormulaMatch
    factor: int | None
    """Modulo p; None if the integers themselves are equal, without a reduction."""
    kept: tuple[int, int] | None = None
    """(lowest bit, number of bits) of an unreduced product that the result port keeps; None: all of it."""
    result: WordOrder = AS_IT_IS
    a: WordOrder = AS_IT_IS
    b: WordOrder = AS_IT_IS
    previous: bool = False
    """True if the operands are those of the product before."""
    multiples: int = 1
    """The smallest m such that all results are below m times p."""
    signed: bool = False
    """True if results are in two's complement, and so above -m times p, too."""
    readings: tuple[str, str | None] = ("", None)
    """Values in the place of a and b, as `relations.readings` names them; None for b of a core without one."""
    fault: Related | None = None
    """The relation that the other results have to the right ones."""
    right: int = 0
    """The number of results without the fault, if there is one."""
    others: int = 0
    """The number of results with it."""

    @cached_property
    def exponent(self) -> int | None:
        """k for a factor 2^k, and the k nearest to 0 of several; None for other factors."""
        return None if self.factor is None else power_of_two(self.factor, self.modulus)

    @property
    def negated(self) -> bool:
        """True if the factor is -(2^k), and no 2^k."""
        return self.exponent is None and self.negative_exponent is not None

    @cached_property
    def negative_exponent(self) -> int | None:
        """k for a factor -(2^k)."""
        return None if self.factor is None else power_of_two(-self.factor % self.modulus, self.modulus)

    @property
    def formula(self) -> str:
        """The right side of result = ..., such as a*b / 2^256 mod p."""
        form = self.form.text
        if self.factor is None:
            if self.kept is None:
                return f"{form}, not reduced"
            low, bits = self.kept
            return f"bits {low} to {low + bits - 1} of {form}, not reduced"
        sum_like = f"({form})" if " " in form else form
        exponent = self.negative_exponent if self.negated else self.exponent
        sign = "-" if self.negated else ""
        if exponent is None:
            return f"{sum_like} * {self.factor:#x} mod p"
        if exponent == 0:
            return f"{sign}{sum_like} mod p" if sign else f"{form} mod p"
        return f"{sign}{sum_like} {'*' if exponent > 0 else '/'} 2^{abs(exponent)} mod p"

    @property
    def notes(self) -> list[str]:
        """Clauses about operands and results that had to be read in another way."""
        turned = {"the result": self.result, "a": self.a, "b": self.b}
        if self.a == self.b:
            turned = {"the result": self.result, "each operand": self.a}
        found = ["as a number in two's complement"] if self.signed else []
        found += [f"with {name} read with {order.text}" for name, order in turned.items() if order.unit]
        if self.previous:
            found.append("with the operands of the product before")
        if any(self.readings):
            _, words, cause = said_of_readings(*self.readings)
            found.append(f"with {words}, as {cause}")
        return found

    @property
    def text(self) -> str:
        """The formula, with the range of the results."""
        text = ", ".join([f"result = {self.formula}", *self.notes])
        if self.factor is None:
            return text
        bound = "p" if self.multiples == 1 else f"{self.multiples} * p"
        if self.fault is None:
            return f"{text}; all {f'above -{bound} and ' if self.signed else ''}below {bound}"
        total = self.right + self.others
        rest = f"the other {self.others}" if self.right else f"all {total}"
        right = f"{text} in {self.right} of {total} products" if self.right else text
        return f"{right}, but of {rest} it is {self.fault.text}, as {self.fault.cause}"


def relations(
    samples: Sequence[Sample],
    modulus: int,
    *,
    widths: tuple[int, int],
    digit: int | None = None,
    ports: NumberWidths = UNKNOWN,
    exponents: Sequence[int] = (),
) -> list[Relation]:
    """The formulas that explain all samples, the plainest first; at most MOST_RELATIONS.

    `widths` are the bits of an operand and of the result as the core has them, `digit` those of a digit of the model,
    `ports` those of ports that have a number as it is. `exponents`: logarithms of likely R, for cores with a fault.
    Raises ParameterError("count") for fewer than three samples and ("prime") for a modulus below 2.
    """
    if len(samples) < 3:
        raise ParameterError("count", "it takes at least 3 products to tell formulas apart")
    if modulus < 2:
        raise ParameterError("prime", "modulo 1 all results are 0")
    found: list[Relation] = []
    contracts = _candidates(samples, modulus, widths, digit)
    signed, read = _signed(samples, modulus, ports.result), _read_otherwise(samples, modulus, ports)
    faulty = _faulty(samples, modulus, ports.result, exponents)
    for candidate in itertools.chain(contracts, signed, read, faulty):
        if all((candidate.form.text, candidate.factor) != (known.form.text, known.factor) for known in found):
            found.append(candidate)
        if len(found) == MOST_RELATIONS or _certain(samples, modulus):
            break
    return found


def _certain(samples: Sequence[Sample], modulus: int) -> bool:
    """True if a formula that fits does so for a reason."""
    different = len({(sample.a, sample.b) for sample in samples})
    return (different - 2) * (modulus.bit_length() - 1) >= LEAST_DOUBT


def _candidates(
    samples: Sequence[Sample], modulus: int, widths: tuple[int, int], digit: int | None
) -> Iterator[Relation]:
    """All that fit: as described first, then one thing after the other in another way."""
    operand_width, result_width = widths
    bits = (modulus - 1).bit_length()
    operand_orders, result_orders = WordOrder.all(operand_width, bits, digit), WordOrder.all(result_width, bits, digit)
    for previous in (False, True):
        for a_order, b_order, result in _orders(operand_orders, result_orders):
            values = [result(sample.seen) for sample in samples]
            operands = [(a_order(s.a), b_order(s.b or 0), s.b is None) for s in samples]
            if previous:
                values, operands = values[1:], operands[:-1]
            for form in FORMS:
                if operands[0][2] and not form.unary:
                    continue
                formed = [form.value(a, b) for a, b, _ in operands]
                plain = Relation(modulus, form, None, None, result, a_order, b_order, previous)
                yield from _fitting(plain, result_width, formed, values)


def _signed(samples: Sequence[Sample], modulus: int, width: int | None) -> Iterator[Relation]:
    """Results in two's complement, on a port of `width` bits."""
    if width is None or all(not sample.seen >> width - 1 for sample in samples):
        return
    values = [sample.seen - (sample.seen >> width - 1 << width) for sample in samples]
    for form in _forms(samples):
        formed = [form.value(s.a, s.b or 0) for s in samples]
        if any(formed) and (factor := factor_of(formed, values, modulus)) is not None:
            multiples = max(map(abs, values)) // modulus + 1
            yield Relation(modulus, form, factor, multiples=multiples, signed=True)


def _forms(samples: Sequence[Sample]) -> list[FormulaMatch]:
    """The formulas that these samples have the operands for."""
    unary = samples[0].b is None
    return [form for form in FORMS if form.unary or not unary]


def _read_otherwise(samples: Sequence[Sample], modulus: int, ports: NumberWidths) -> Iterator[Relation]:
    """Formulas of what a core reads before or after its operands are valid."""
    inner = range(1, len(samples) - 1)
    unary = samples[0].b is None
    operands = [[sample.a for sample in samples], [sample.b or 0 for sample in samples]]
    read = [
        [readings(own[k], previous=own[k - 1], next_one=own[k + 1], width=width) for k in inner]
        for own, width in zip(operands, (ports.a, ports.b), strict=True)
    ]
    names = [[one.name for one in places[0]] for places in read]
    values = [samples[k].seen for k in inner]
    forms = [form for form in _forms(samples) if form.text == ("a" if unary else "a*b") or (unary and form.unary)]
    for at, bt in itertools.product(range(len(names[0])), range(1 if unary else len(names[1]))):
        for form in forms if at or bt else ():
            formed = [form.value(a[at].value, b[bt].value) for a, b in zip(*read, strict=True)]
            if any(formed) and (factor := factor_of(formed, values, modulus)) is not None:
                pair = (names[0][at], None if unary else names[1][bt])
                multiples = max(values) // modulus + 1
                yield Relation(modulus, form, factor, readings=pair, multiples=multiples)


def _faulty(samples: Sequence[Sample], modulus: int, width: int | None, exponents: Sequence[int]) -> Iterator[Relation]:
    """Formulas of which some results are right and the others have one relation to the right one, or all have it."""
    for form in _forms(samples):
        formed = [form.value(s.a, s.b or 0) for s in samples]
        for factor in _likely_factors(samples, formed, modulus, width, exponents):
            found = _with_fault(samples, [factor * value % modulus for value in formed], modulus, width)
            if found is not None:
                fault, wrong = found
                right = len(samples) - wrong
                yield Relation(modulus, form, factor, fault=fault, right=right, others=wrong)


def _likely_factors(
    samples: Sequence[Sample], formed: Sequence[int], modulus: int, width: int | None, exponents: Sequence[int]
) -> list[int]:
    """1 and 1/R for likely R; those of the first results, as they are and with a multiple of p that was wrapped."""
    found = [1, *(pow(2, -k, modulus) for k in exponents if modulus % 2)]
    for sample, form in list(zip(samples, formed, strict=True))[:LIKELY]:
        values = [sample.seen]
        if width is not None:
            values += [(sample.seen + times * modulus) % (1 << width) for times in (-2, -1, 1, 2)]
        with suppress(ValueError):
            inverse = pow(form, -1, modulus)
            found += [value * inverse % modulus for value in values if value < modulus]
    return [factor for factor in dict.fromkeys(found) if factor]


def _with_fault(
    samples: Sequence[Sample], rights: Sequence[int], modulus: int, width: int | None
) -> tuple[Related, int] | None:
    """The relation that all wrong results have to the right ones, and their number; None without one that is sure."""
    wrong = [(right, s.seen) for right, s in zip(rights, samples, strict=True) if right != s.seen]
    certainty = (len(samples) - len(wrong) - 1) * (modulus.bit_length() - 1)
    if not wrong or len(wrong) == len(samples) == 1:
        return None
    best = _common(list(RightResult(right, modulus, width).candidates(seen)) for right, seen in wrong)
    if best is None:
        return None
    of_relation = len(wrong) * (best.modulus.bit_length() - 1) - (8 * best.modulus.bit_length()).bit_length()
    if of_relation < HYPOTHESES or certainty + of_relation < LEAST_DOUBT + HYPOTHESES:
        return None
    return Related(best.kind, best.text, best.cause, doubtful=False), len(wrong)


def _common(found: Iterable[list[Candidate]]) -> Candidate | None:
    """The relation of all wrong results, one or several multiples of p, by those that each of them has."""
    common: dict[str, Candidate] | None = None
    multiples: dict[str, Candidate] | None = {}
    for candidates in found:
        by_text = {candidate.text: candidate for candidate in candidates}
        common = by_text if common is None else {text: one for text, one in common.items() if text in by_text}
        wrapped = {text: one for text, one in by_text.items() if one.kind == WRAPPED}
        multiples = {**multiples, **wrapped} if wrapped and multiples is not None else None
        if not common and multiples is None:
            return None
    if common:
        return max(common.values(), key=lambda candidate: candidate.modulus)
    if not multiples:
        return None
    first, *rest = multiples.values()
    words = [one.text.partition(",")[0].removeprefix("the right result ") for one in (first, *rest)]
    text = f"the right result {' or '.join(words)}, {first.text.partition(', ')[2]}"
    return first._replace(text=text, cause="after a last subtraction whose condition is wrong")


def _orders(
    operands: Sequence[WordOrder], results: Sequence[WordOrder]
) -> Iterator[tuple[WordOrder, WordOrder, WordOrder]]:
    """Orders of a, b and the result, those with fewer changes first; where both operands are turned, it is alike."""
    plain = operands[0]
    pairs = [(plain, plain)]
    pairs += [pair for order in operands[1:] for pair in ((order, order), (order, plain), (plain, order))]
    every = [(a, b, result) for a, b in pairs for result in results]
    yield from sorted(every, key=lambda orders: sum(bool(order.unit) for order in orders))


def _fitting(plain: Relation, width: int, formed: Sequence[int], values: Sequence[int]) -> Iterator[Relation]:
    """The relation between a formula and results of `width` bits, if there is one."""
    if not any(formed) or len(set(values)) == 1:
        return
    if max(formed) >= plain.modulus and list(formed) == list(values):
        yield plain
        return
    factor = factor_of(formed, values, plain.modulus)
    if factor is not None:
        yield replace(plain, factor=factor, multiples=max(values) // plain.modulus + 1)
        return
    for low in (0, width):
        if 0 < width < max(formed).bit_length() and all(
            value == form >> low & ((1 << width) - 1) for form, value in zip(formed, values, strict=True)
        ):
            yield replace(plain, kept=(low, width))
            return


def factor_of(formed: Sequence[int], values: Sequence[int], modulus: int) -> int | None:
    """c with value = c * form modulo p for all pairs; None without one, or where no form is invertible modulo p."""
    for form, value in zip(formed, values, strict=True):
        try:
            factor = value * pow(form, -1, modulus) % modulus
        except ValueError:
            continue
        pairs = zip(formed, values, strict=True)
        return factor if factor and all((factor * f - v) % modulus == 0 for f, v in pairs) else None
    return None


def power_of_two(factor: int, modulus: int) -> int | None:
    """The k nearest to 0, at most four times the bits of the modulus plus 64, with factor = 2^k modulo p.

    None without one; a negative k needs an odd modulus.
    """
    one, up, down = 1 % modulus, 1 % modulus, 1 % modulus
    half = (modulus + 1) // 2 if modulus % 2 else None
    for k in range(4 * modulus.bit_length() + 65):
        if factor == up:
            return k
        if half is not None and factor == down:
            return -k
        up = up * 2 % modulus
        down = down * half % modulus if half is not None else one
    return None
