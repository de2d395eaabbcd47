# SPDX-License-Identifier: Apache-2.0
"""Settings of a model by name; every name is read exactly once, and unknown names are rejected."""

from collections.abc import Mapping
from dataclasses import dataclass

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer, parse_power_of_two

MAX_WIDTH = 16384
"""Widest modulus, in bits; all digits of an operand together may have twice as many."""

Given = Mapping[str, str | int]


@dataclass(frozen=True)
class Parameter:
    """Description of one parameter, for people: its default and its range are text."""

    name: str
    meaning: str
    default: str
    range: str
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names of the values 0, 1, ..., if they have names."""
    silent: bool = False
    """True if documents omit a value of 0, so that documents older than the setting stay unchanged."""

    @property
    def is_flag(self) -> bool:
        """True if it takes 0 and 1 alone."""
        return self.range == "0 or 1"


class RangeError(ParameterError):
    """A value outside a range, which is from `low` to `high`; of a radix, these are logarithms."""

    def __init__(self, parameter: str, reason: str, low: int, high: int) -> None:
        super().__init__(parameter, reason)
        self.low, self.high = low, high


_DIGIT_NAMES = ("w", "k", "d", "r", "r1", "beta", "base", "bits", "word", "digit", "wordsize", "limb")
"""Common names of a radix elsewhere."""


class Settings:
    """Reader of the parameters given for `owner` (a model's or a core's id)."""

    def __init__(self, owner: str, known: tuple[Parameter, ...], given: Given) -> None:
        names = {name: p.name for p in known for name in (p.name, *p.aliases)}
        for name in given:
            if name not in names:
                radix = next((p for p in known if p.name == "radix"), None)
                hint = ""
                if radix is not None and name.lower() in _DIGIT_NAMES:
                    also = "".join(f" or {alias}=K" for alias in radix.aliases[:1])
                    hint = f"; for digits of K bits write radix=2^K{also}"
                raise ParameterError(name, f"{owner} has no such parameter; it has {', '.join(names)}{hint}")
        self.owner = owner
        self.given = given
        self.aliases = {p.name: (p.name, *p.aliases) for p in known}
        self.names = {p.name: p.names for p in known}

    def radix_bits(self, default: int, low: int, high: int) -> int:
        """log2 of the radix, from `radix` or from an alias, which gives the logarithm itself."""
        seen = {
            name: (parse_power_of_two(self.given[name]) if name == "radix" else parse_integer(self.given[name], name))
            for name in self.aliases["radix"]
            if name in self.given
        }
        return self._agree("radix", seen, default, low, high, "2^")

    def integer(self, name: str, default: int, low: int, high: int, why_low: str = "") -> int:
        """An integer in [low, high]; `why_low` explains a lower limit that depends on the modulus."""
        seen = {alias: parse_integer(self.given[alias], alias) for alias in self.aliases[name] if alias in self.given}
        return self._agree(name, seen, default, low, high, "", why_low)

    def choice(self, name: str, options: tuple[str, ...], default: str) -> str:
        """One of `options`."""
        value = str(self.given.get(name, default))
        if value not in options:
            raise ParameterError(name, f"{self.owner} takes {' or '.join(options)}, not {shown(value)}")
        return value

    def named(self, name: str, default: str) -> int:
        """The value that one of the parameter's names stands for."""
        return self.names[name].index(self.choice(name, self.names[name], default))

    @staticmethod
    def _agree(
        name: str, seen: dict[str, int], default: int, low: int, high: int, prefix: str, why_low: str = ""
    ) -> int:
        if len(set(seen.values())) > 1:
            given = " and ".join(
                f"{alias} = {prefix if alias == 'radix' else ''}{shown(value)}" for alias, value in seen.items()
            )
            raise ParameterError(name, f"{given} mean the same parameter and differ")
        value = next(iter(seen.values()), default)
        if not low <= value <= high:
            why = f" ({why_low})" if why_low else ""
            what = shown(value) if abs(value) >= 1 << 64 else f"{prefix}{value}"
            said = f"{what} is outside {prefix}{low} to {prefix}{high}{why}"
            raise RangeError(next(iter(seen), name), said, low, high)
        return value
