# SPDX-License-Identifier: Apache-2.0
"""A model's loop, or that of an architecture, as a straight program: it is run once, on terms.

The inputs of a program are the operands as integers; the digits that a loop scans are fields of their bits.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels.architecture import Architecture, Shape
from limbtrace.refmodels.batch_digits import WORD, Wide
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expr import Term, again, ends, field, inputs, joined, odd, value_of
from limbtrace.refmodels.model import Model, Parameters, Step, Symbol


@dataclass(frozen=True)
class Program:
    """Every step of a product, or of a stream of products, as an int or a term.

    The operands are called a0, b0, a1, b1 and so on, one pair for each product of the stream; `modulus` is one more
    where the parameters are those of every modulus of a size.
    """

    operands: dict[str, int]
    """Name of each operand that is read -> its largest value."""
    digits: tuple[Any, ...]
    """The digits that the loop scans, of all operands."""
    steps: tuple[Step, ...]
    results: tuple[Any, ...]
    """One for each product."""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """All terms that the steps and results need, each after its inputs and not long before it is used."""
        return tuple(ordered([*(value for _, _, value in self.steps), *self.results]))

    def run(self, operands: dict[str, int]) -> tuple[list[int], list[int]]:
        """Steps and results of these operands, computed term by term: slow, and what others are compared with."""
        values: dict[int, int] = {}

        def known(value: Any) -> int:
            return value if isinstance(value, int) else values[id(value)]

        for term in self.terms:
            values[id(term)] = value_of(term, known, operands)
        return [known(value) for _, _, value in self.steps], [known(value) for value in self.results]


def ordered(values: Sequence[Any], done: set[int] | None = None) -> Iterator[Term]:
    """The terms behind values, inputs first, without those in `done`, to which they are added."""
    done = set() if done is None else done
    for value in values:
        waiting = [value]
        while waiting:
            top = waiting[-1]
            if isinstance(top, int) or id(top) in done:
                waiting.pop()
                continue
            missing = [each for each in inputs(top) if not isinstance(each, int) and id(each) not in done]
            if missing:
                waiting.extend(reversed(missing))
            else:
                done.add(id(waiting.pop()))
                yield top


MODULUS, CONSTANTS = "modulus", "constants"


def every_modulus(bits: int) -> Any:
    """The modulus to resolve a model with for a program that takes any odd modulus of exactly `bits` bits, at least 2.

    What follows from it is computed from an operand of the program, and the ranges of all terms hold for each of these
    moduli. Where something would depend on the modulus and not on its size alone, there is a TypeError.
    """
    return odd(MODULUS, bits)


def of_model(model: Model, params: Parameters, number: int = 0, *, side_by_side: bool = False) -> Program:
    """The program of one product, that of a number in a stream of products that have nothing to do with each other.

    `side_by_side`: see `scanned`. Raises TypeError for operands whose digits are chosen by branches.
    """
    names, digits = scanned(model, params, number, side_by_side=side_by_side)
    steps = _plain(model.steps(params, *digits))
    return Program(names | _modulus(params), tuple(flat(digits)), steps, (_whole(model.result_of(params, steps)),))


def of_products(model: Model, params: Parameters, products: int) -> Program:
    """The program of a stream of so many products that have nothing to do with each other, whose operands hold numbers
    side by side. Raises as `of_model`."""
    each = [of_model(model, params, number, side_by_side=True) for number in range(products)]
    return Program(
        {name: most for program in each for name, most in program.operands.items()},
        tuple(digit for program in each for digit in program.digits),
        tuple(step for program in each for step in program.steps),
        tuple(result for program in each for result in program.results),
    )


def of_architecture(architecture: Architecture, shape: Shape) -> Program:
    """The program of a stream of products, register contents included. Raises TypeError as `of_model` does."""
    names: dict[str, int] = {}
    streamed: list[Any] = []
    for number in range(len(shape.starts)):
        own, digits = scanned(architecture.model, shape.params, number)
        names |= own
        streamed.append(digits)
    steps = _plain(architecture.stream_steps(shape, streamed))
    results = map(_whole, architecture.stream_results(shape, steps))
    return Program(names | _modulus(shape.params), tuple(flat(streamed)), steps, tuple(results))


def _modulus(params: Parameters) -> dict[str, int]:
    """The modulus as an operand, if it is one."""
    return {MODULUS: ends(params.modulus)[1]} if isinstance(params.modulus, Term) else {}


def apart(program: Program) -> tuple[Program, Program]:
    """The steps of a program that depend on the modulus alone, and a program of the rest.

    The second one reads those steps, its constants, from one more operand, `constants`, in which each begins at a
    multiple of 64 bits, in the same order; see `packed`.
    """
    asked = [*(value for _, _, value in program.steps), *program.results, *program.digits]
    terms = list(ordered(asked))
    fixed: set[int] = set()
    for term in terms:
        if term.operation == "field":
            alone = term.operands[0] == MODULUS
        else:
            alone = all(isinstance(value, int) or id(value) in fixed for value in inputs(term))
        if alone:
            fixed.add(id(term))
        else:
            asked += inputs(term)
    made: dict[int, Any] = {}
    constants: list[Step] = []
    size = 0
    for value in asked:
        if id(value) in fixed and id(value) not in made:
            low = min(value.least, 0)  # a constant is kept without a sign
            kept = value - low
            bits = kept.most.bit_length()
            constants.append(("constant", (len(constants),), kept))
            made[id(value)] = Term("field", (CONSTANTS, size, bits), kept.least, kept.most) + low
            size += -(-bits // WORD) * WORD

    def other(value: Any) -> Any:
        return made.get(id(value), value)

    for term in terms:
        if id(term) not in fixed:
            made[id(term)] = again(term, other)
    operands = {name: most for name, most in program.operands.items() if name != MODULUS}
    return (
        Program({MODULUS: program.operands[MODULUS]}, (), tuple(constants), ()),
        Program(
            {**operands, CONSTANTS: (1 << size) - 1},
            tuple(map(other, program.digits)),
            tuple((name, index, other(value)) for name, index, value in program.steps),
            tuple(map(other, program.results)),
        ),
    )


def packed(constants: Sequence[int], program: Program) -> int:
    """The operand `constants` of the second program of `apart`, given the steps of the first one and that program."""
    total = low = 0
    for value, (_, _, term) in zip(constants, program.steps, strict=True):
        total |= value << low
        low += -(-term.most.bit_length() // WORD) * WORD
    return total


def _plain(steps: Iterator[Step]) -> tuple[Step, ...]:
    """Steps, each of them one int or term."""
    return tuple((name, index, _whole(value)) for name, index, value in steps)


def _whole(value: Any) -> Any:
    """A step or result as one int or term."""
    if isinstance(value, Wide):
        return joined((digit, value.bits * j) for j, digit in enumerate(value.digits))
    return value if isinstance(value, Term) else int(value)


def number_width(params: Parameters) -> int:
    """Bits of one of the numbers that an operand holds side by side."""
    return int(ends(params.modulus)[1]).bit_length()


def scanned(
    model: Model, params: Parameters, number: int, *, side_by_side: bool = False
) -> tuple[dict[str, int], list[Any]]:
    """The operands that are read with their largest values, and both in the form in which the loop scans them.

    `number` is that of the product within its stream. `side_by_side`: an operand that holds several numbers is not an
    integer with a digit for each of them, but has each in `number_width` bits of its own, low number first.
    """
    names: dict[str, int] = {}
    scanned: list[Any] = []
    for place, letter in enumerate("ab"):

        def split(value: Any, place: int = place) -> Any:
            return params.split(*((value, 0) if place == 0 else (0, value)))[place]

        if side_by_side and model.packs(letter):
            width, largest = number_width(params), ends(params.modulus)[1] - 1
            places = range(len(model.numbers_of(letter)))
            names[f"{letter}{number}"] = sum(largest << width * k for k in places)
            scanned.append([field(f"{letter}{number}", width * k, width, largest) for k in reversed(places)])
        elif letter in model.operands:
            most = ends(params.limits[place])[1]
            names[f"{letter}{number}"] = most
            scanned.append(_cut(f"{letter}{number}", most, split))
        else:
            scanned.append(split(0))
    return names, scanned


def _cut(name: str, limit: int, split: Callable[[Any], Any]) -> Any:
    """The digits of an operand by `split`, as terms: some bits for each digit, else what it computes from the whole."""
    fields = _fields(name, limit, split)
    return split(field(name, 0, limit.bit_length(), limit)) if fields is None else fields


def _fields(name: str, limit: int, split: Callable[[Any], Any]) -> Any | None:
    """The digits of an operand, if each is some of its bits, perhaps with zeros below; None if not.

    Which bits they are is seen by splitting integers that number the bits: those with bit k of the number of each bit.
    """
    width = max(limit.bit_length(), 1)
    ones = (1 << width) - 1
    codes = [sum(1 << bit for bit in range(width) if bit >> k & 1) for k in range(width.bit_length())]
    whole, *coded = (flat(split(value)) for value in (ones, *codes))
    if any(isinstance(digit, Term) for digit in whole):  # the modulus has a part in it
        return None
    digits: list[Any] = []
    for at, mask in enumerate(whole):
        first = (mask & -mask).bit_length() - 1
        low = sum((digit[at] >> first & 1) << k for k, digit in enumerate(coded)) if mask > 0 else 0
        digits.append(field(name, low, mask.bit_length() - first, limit >> low) << first if mask > 0 else 0)
    for value in (limit, limit // 3, limit // 5 * 3, limit // 257, 0):
        if [_of(digit, value) for digit in digits] != flat(split(value)):
            return None
    return digits if isinstance(split(0), (list, tuple)) else digits[0]


def _of(digit: Any, value: int) -> int:
    """A digit of an operand that is known."""
    if isinstance(digit, int):
        return digit
    if digit.operation == "<<":
        return _of(digit.operands[0], value) << int(digit.operands[1])
    return value_of(digit, int, {digit.operands[0]: value})


def flat(value: Any) -> list[Any]:
    """The digits in nested lists; None, for an operand that a model does not have, is none."""
    if isinstance(value, (list, tuple)):
        return [digit for part in value for digit in flat(part)]
    return [] if value is None else [value]


class _UnknownRun:
    """A run of which only the parameters are known, so that a limit that asks for operands raises AttributeError."""

    def __init__(self, params: Parameters) -> None:
        self.params = params


def proved(program: Program, params: Parameters, symbol: Symbol) -> bool | None:
    """True if the intervals of a program alone prove the range of a symbol, for all operands of these parameters.

    None if no such step exists, or the range depends on the operands.
    """
    run: Any = _UnknownRun(params)
    seen = False
    for name, index, value in program.steps:
        if name == symbol.name:
            try:
                least = 0 if symbol.least is None else symbol.least(run, index)
                most = symbol.limit(run, index)
            except AttributeError:
                return None
            seen = True
            low, high = ends(value)
            if low < least or high > most:
                return False
    return seen or None


PROOF_BITS = (5, 12, 31, 64, 127)
"""Widths of the moduli at which `proofs` looks."""


class _Seeded:
    """A choice by a seed."""

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._rng.randint(low, high)

    def one_of(self, options: Sequence[Any]) -> Any:
        return self._rng.choice(options)


def proofs(model: Model) -> dict[str, bool]:
    """Name of a step -> whether intervals prove its range for all operands, at a shape for each of PROOF_BITS."""
    found: dict[str, list[bool]] = {symbol.name: [] for symbol in model.vocabulary}
    for bits in PROOF_BITS:
        choice = _Seeded(f"{model.id} {bits}")
        modulus = (1 << bits) - 1 if model.moduli is None else model.moduli(choice, bits)
        try:
            params = model.resolve(modulus if model.has_modulus else 0, model.shape(choice, bits, 8))
            program = of_model(model, params)
        except (ParameterError, TypeError):  # no shape of this model, or digits that are chosen by branches
            continue
        for symbol in model.vocabulary:
            if any(name == symbol.name for name, _, _ in program.steps):
                found[symbol.name].append(proved(program, params, symbol) is True)
    return {name: bool(seen) and all(seen) for name, seen in found.items()}
