# SPDX-License-Identifier: Apache-2.0
"""Trial bindings of a model, for a core without description: formulas right for every modulus that was tried."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.settings import Given
from limbtrace.rtl_bridge.binding.bind import names_of
from limbtrace.rtl_bridge.description.formula import evaluate
from limbtrace.vectors.request import Multiplier

EXAMPLES = ("p256", "2^255-19", "sike-p434", "sike-p503")
"""Moduli that formulas are tried with where none is given; some models take special ones only."""


class Tried:
    """A model with some moduli; without a model there are no multipliers, and names are those of any modulus.

    Raises ParameterError where the model does not take the modulus or the settings.
    """

    def __init__(self, model: str | None, prime: str | None, settings: Given) -> None:
        self.multipliers = list(_resolved(model, prime, settings)) if model else []
        self.modulus = self.multipliers[0].modulus.modulus if model and prime is not None else None
        """The modulus that was asked for."""

    @property
    def unary(self) -> bool:
        """True if the model has one operand."""
        return bool(self.multipliers) and self.multipliers[0].model.unary

    @property
    def numbers(self) -> Mapping[str, int]:
        """For a, b and result: how many numbers each holds; empty for a model of which each is one number."""
        model = self.multipliers[0].model if self.multipliers else None
        if model is None or not model.numbers:
            return {}
        return {side: len(model.numbers_of(side)) for side in ("a", "b", "result")}

    @property
    def constants(self) -> list[str]:
        """Names of the constants."""
        return list(self.multipliers[0].params.constants) if self.multipliers else []

    @property
    def inverse(self) -> str | None:
        """The constant that is the inverse of the modulus, or of its lowest digit."""
        return next((name for name in self.constants if name.endswith("'")), None)

    @property
    def reduced(self) -> bool:
        """True if there is a model, of which every result is below the modulus."""
        return all(m.params.result_limit <= m.modulus.modulus for m in self.multipliers)

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Names that formulas may use, with the values for the first modulus."""
        return names_of(self.multipliers[0]) if self.multipliers else {"N": 256}

    @cached_property
    def digit(self) -> str | None:
        """Name of the bits of a digit."""
        return next((x for x in ("k", "w", "d", "r", "r1") if x in self.radix_names), None) or (
            "w" if "w" in self.names else None
        )

    @cached_property
    def radix_names(self) -> Sequence[str]:
        """Other names of the radix, or of its bits."""
        parameters = self.multipliers[0].model.parameters if self.multipliers else ()
        return next((tuple(p.aliases) for p in parameters if p.name == "radix"), ())

    @cached_property
    def count(self) -> str | None:
        """Name of the number of digits of the modulus."""
        taken = (self.digit, *self.radix_names)
        return next((x for x in ("n", "s", "e", "k", "m") if x in self.names and x not in taken), None)

    @cached_property
    def log_r(self) -> str | None:
        """A formula of the number of bits of R: the first that is right for every modulus that was tried."""
        if not self.multipliers or self.multipliers[0].params.domain is None:
            return None
        names = list(self.names)
        texts = [*names[1:], *(f"{x} * {y}" for x, y in product(names[1:], repeat=2) if x != y), "N"]
        texts += [f"{x} * ({y} + {c})" for x, y in product(names[1:], repeat=2) if x != y for c in (1, 2)]
        tried = [*self.multipliers, *(m for first in self.multipliers for m in _longer(first))]
        return next((text for text in texts if all(_is_log_r(text, m) for m in tried)), None)


def _resolved(model: str, prime: str | None, settings: Given) -> Iterator[Multiplier]:
    """Multipliers that formulas are tried with. Raises ParameterError where the model takes none."""
    if prime is not None:
        yield Multiplier.resolve(model, prime, settings)
    found, error = 0, None
    for example in EXAMPLES:
        try:
            yield Multiplier.resolve(model, example, settings)
            found += 1
        except ParameterError as wrong:
            error = wrong
    if error is not None and not found and prime is None:
        raise error


def _longer(multiplier: Multiplier) -> Iterator[Multiplier]:
    """A multiplier with one more pass, if the model has passes: their default is that of another name."""
    if "passes" in (named := multiplier.params.named):
        yield Multiplier.resolve(
            multiplier.model.id, multiplier.prime, {**multiplier.settings, "passes": named["passes"] + 1}
        )


def _is_log_r(text: str, multiplier: Multiplier) -> bool:
    domain = multiplier.params.domain
    return domain is not None and 1 << min(evaluate(text, names_of(multiplier)), 1 << 16) == domain
