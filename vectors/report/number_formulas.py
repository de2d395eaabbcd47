# SPDX-License-Identifier: Apache-2.0
"""Identification of a core with several numbers on its ports, from products and their results alone.

A model whose operands or result hold several numbers explains a core if an assignment of its numbers to ports does so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from operator import eq, ne
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model
from limbtrace.refmodels.registry import MODELS

MOST_BEYOND = 64
"""Bits that R has at most beyond those of the modulus."""
LIKELY = 6
"""Samples of which one is explained by a formula that is right for more than a few."""
FEWEST = 4
"""Samples that a formula explains at least, unless there are fewer."""
R = "r"
"""The setting that is the bits of R."""


@dataclass(frozen=True)
class NumberSample:
    """The numbers that a core was given and that it returned, each on a port of its own."""

    given: tuple[int, ...]
    seen: tuple[int, ...]


@dataclass(frozen=True)
class NumberFormula:
    """A model, with the places of the ports that have its numbers."""

    model: Model[Any]
    settings: Mapping[str, int]
    """Those that are not 0; of several r that are the same modulo p, the least one."""
    inputs: tuple[int, ...]
    """The input of each number of the operands, those of a before those of b, low ones first."""
    outputs: tuple[int, ...]
    """The output of each number of the result, low ones first."""
    right: int
    """How many of the samples it explains."""

    @property
    def keeps_order(self) -> bool:
        """True if every number is on the port of its own place."""
        return [*self.inputs] == sorted(self.inputs) and [*self.outputs] == sorted(self.outputs)

    @property
    def model_text(self) -> str:
        """The model with its settings."""
        given = ", ".join(f"{name} = {value}" for name, value in self.settings.items())
        return f"{self.model.id} with {given}" if given else self.model.id

    def text(self, inputs: Sequence[str], outputs: Sequence[str]) -> str:
        """The model with its settings, and its numbers with the names of their ports."""
        names = [name for side in ("a", "b") for name in self.model.numbers_of(side)]
        taken = ", ".join(f"{name} = {inputs[at]}" for name, at in zip(names, self.inputs, strict=True))
        results = zip(self.model.numbers_of("result"), self.outputs, strict=True)
        returned = ", ".join(f"{name} = {outputs[at]}" for name, at in results)
        return f"{self.model_text}, {taken}; {returned}"


def number_models(inputs: int | None = None, outputs: int | None = None) -> list[Model[Any]]:
    """Models whose operands or result hold several numbers, of that many inputs and outputs if they are given."""
    found = []
    for model in MODELS.values():
        counts = [len(model.numbers_of(side)) for side in ("a", "b", "result")]
        if model.numbers and inputs in (None, sum(counts[:2])) and outputs in (None, counts[2]):
            found.append(model)
    return found


def number_formulas(samples: Sequence[NumberSample], modulus: int) -> list[NumberFormula]:
    """The models and assignments of ports that explain all samples, the plainest first.

    If none does, those that explain most of all, and no fewer than FEWEST and a quarter of them: results of a core with
    a fault. Every sample has the same numbers of inputs and outputs. An empty list says that nothing explains them.
    """
    if not samples:
        return []
    models = number_models(len(samples[0].given), len(samples[0].seen))
    best: list[NumberFormula] = []
    for first in (samples[:1], samples[:LIKELY]):
        found = [formula for model in models for formula in _of_model(model, samples, len(first), modulus)]
        most = max((formula.right for formula in found), default=0)
        best = [formula for formula in found if formula.right == most]
        if most == len(samples):
            break
    return sorted(best, key=lambda formula: (len(formula.settings), not formula.keeps_order))


def _of_model(model: Model[Any], samples: Sequence[NumberSample], first: int, modulus: int) -> Iterator[NumberFormula]:
    """Those that explain enough samples, one of so many first ones among them."""
    known = set()
    least = max(min(FEWEST, len(samples)), len(samples) // 4)
    for settings in _settings(model, modulus):
        try:
            params = model.resolve(modulus, settings)
        except ParameterError:
            continue
        flags = tuple(item for item in settings.items() if item[0] != R)
        for inputs in permutations(range(len(samples[0].given))):
            values = [_result(model, params, sample, inputs) for sample in samples[:first]]
            for outputs in permutations(range(len(samples[0].seen))):
                seen = [tuple(sample.seen[at] for at in outputs) for sample in samples]
                if (flags, inputs, outputs) in known or all(map(ne, values, seen)):
                    continue
                results = values + [_result(model, params, sample, inputs) for sample in samples[first:]]
                if (right := sum(map(eq, results, seen))) >= least:
                    known.add((flags, inputs, outputs))
                    yield NumberFormula(model, settings, inputs, outputs, right)


def _settings(model: Model[Any], modulus: int) -> Iterator[dict[str, int]]:
    """Values of r and of settings that are 0 or 1; nothing for a value of 0."""
    names = [parameter.name for parameter in model.parameters if parameter.name == R or parameter.is_flag]
    values = [range(modulus.bit_length() + MOST_BEYOND + 1) if name == R else range(2) for name in names]
    for chosen in product(*values):
        yield {name: value for name, value in zip(names, chosen, strict=True) if value}


def _result(model: Model[Any], params: Any, sample: NumberSample, inputs: Sequence[int]) -> tuple[int, ...]:
    """The numbers of the result, low ones first."""
    given = iter([sample.given[at] for at in inputs])
    a, b = (joined_numbers([next(given) for _ in model.numbers_of(side)], params.modulus) for side in ("a", "b"))
    return split_numbers(model.closed_form(params, a, b), params.modulus, len(model.numbers_of("result")))


def joined_numbers(numbers: Sequence[int], modulus: int) -> int:
    """The integer that holds these numbers, the low one first."""
    return sum(number * modulus**place for place, number in enumerate(numbers))


def split_numbers(value: int, modulus: int, count: int) -> tuple[int, ...]:
    """The numbers that an integer holds, low ones first; the last one has all that is left."""
    found = []
    for _ in range(count - 1):
        value, low = divmod(value, modulus)
        found.append(low)
    return (*found, value)
