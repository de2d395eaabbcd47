# SPDX-License-Identifier: Apache-2.0
"""Values of the formulas of a description, for one multiplier."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from limbtrace.refmodels.expressions import MAX_BITS
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.description.formula import SIZE_BITS, FormulaError, FormulaNameError, evaluate
from limbtrace.vectors.request import Multiplier


@dataclass(frozen=True)
class Formulas:
    """The names that formulas of a core may use. `key` names a formula in errors, all of which are ParameterErrors."""

    core: Core
    multiplier: Multiplier
    names: Mapping[str, int]
    """Parameters of the model with their aliases, and what a caller adds to them."""

    @cached_property
    def constants(self) -> dict[str, int]:
        """The constants of the model by name, with the modulus as p and R."""
        params = self.multiplier.params
        own = {"p": self.multiplier.modulus.modulus, **({} if params.domain is None else {"R": params.domain})}
        return {**own, **params.constants}

    def size(self, key: str, text: str | int) -> int:
        """A width, a count or a number of cycles, over the parameters: at least 0, and of at most 64 bits."""
        return self._evaluate(key, text, self.names, SIZE_BITS)

    def count(self, key: str, text: str | int) -> int:
        """A size that is at least 1."""
        return self._at_least_1(key, text, self.size(key, text))

    def value(self, key: str, text: str | int) -> int:
        """A constant of the model by its name, or a number over those and the parameters, at least 0."""
        if isinstance(text, str) and text in self.constants:
            return self.constants[text]
        known = ", ".join(map(repr, self.constants))
        hint = f"; the constants are {known}, and numbers such as '-p^-1 mod 2^32'"
        return self._evaluate(key, text, self._all, MAX_BITS, hint)

    def bound(self, key: str, text: str | int) -> int:
        """An exclusive bound over p, N, R and the parameters, at least 1."""
        return self._at_least_1(key, text, self._evaluate(key, text, self._all, MAX_BITS))

    def exclusive_least(self, key: str, text: str | int) -> int:
        """The exclusive lower limit of numbers that may be negative, over the same names: below 0."""
        value = self._evaluate(key, text, self._all, MAX_BITS, negative=True)
        if value >= 0:
            raise self.core.error(f"{key} is {text!r}, which is {value}, and must be negative")
        return value

    @cached_property
    def _all(self) -> dict[str, int]:
        """Parameters and constants, without names such as `R^2 mod p`, which a formula computes anyway."""
        constants = {name: value for name, value in self.constants.items() if not {*name} & {*" ^*"}}
        return {**self.names, **{name: value for name, value in constants.items() if name not in self.names}}

    def _evaluate(
        self,
        key: str,
        text: str | int,
        names: Mapping[str, int],
        max_bits: int,
        hint: str = "",
        *,
        negative: bool = False,
    ) -> int:
        try:
            value = evaluate(text, names, max_bits)
        except FormulaNameError as error:
            raise self.core.error(f"{key} {error}{hint}") from None
        except FormulaError as error:
            raise self.core.error(f"{key} {error}") from None
        if value < 0 and not negative:
            raise self.core.error(f"{key} is {text!r}, which is {value}, and must not be negative")
        return value

    def _at_least_1(self, key: str, text: str | int, value: int) -> int:
        if value < 1:
            raise self.core.error(f"{key} is {text!r}, which is {value}, and must be at least 1")
        return value
