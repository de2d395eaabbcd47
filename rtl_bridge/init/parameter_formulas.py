# SPDX-License-Identifier: Apache-2.0
"""The value of an RTL parameter in a draft: rules that are tried in order, each with its reason."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from limbtrace.rtl_bridge.init.trial_binding import Tried
from limbtrace.rtl_bridge.interface.module_ports import SketchParameter

MAX_COUNT = 64
"""A default below this is taken for a number of digits, and not for one of bits."""

_AFFIX = re.compile(r"_?max$|^max_?", re.IGNORECASE)


class DraftFormula(NamedTuple):
    """The value of a parameter of the RTL."""

    value: str | int
    """An integer, or a formula over the parameters of the model."""
    reason: str


@dataclass(frozen=True)
class Subject:
    """A parameter of the RTL, and what is known of the core."""

    parameter: SketchParameter
    purpose: str
    """As `Roles.purpose_of` gives it."""
    model: Tried
    has_digits: bool
    """True if some parameter is the bits of a digit."""
    factor: int = 1
    """Bits of the modulus for each 1 of the parameter."""
    more: int = 0
    """Bits of the port of the modulus beside those."""
    asked: int | None = None
    """The value that was asked for."""

    @property
    def stem(self) -> str:
        """The name of a maximum without MAX; empty for other parameters."""
        stem = _AFFIX.sub("", self.parameter.name)
        return stem if stem != self.parameter.name else ""

    @property
    def spellings(self) -> tuple[str, str]:
        """Names that the model may have for a quantity with this name."""
        return self.parameter.name, self.parameter.name.lower()


Rule = Callable[[Subject], DraftFormula | None]
"""The value, or None if the rule does not apply."""


def formula_of(subject: Subject) -> DraftFormula | None:
    """The value by the first rule that applies; None if it has to be filled in.

    Without a model, of all quantities only the bits of the modulus have a name. A maximum has its own rule alone, for
    its name says more than the widths do.
    """
    if subject.asked is not None:
        return DraftFormula(subject.asked, "as asked for")
    if not subject.model.multipliers and subject.purpose == "steps":
        return None
    rules = (_maximum,) if subject.stem else RULES
    return next((formula for rule in rules if (formula := rule(subject))), None)


def _maximum(subject: Subject) -> DraftFormula | None:
    """MAX_X or X_MAX: the default, or more where the modulus needs more."""
    default = subject.parameter.default
    base = next(_bases(subject), None)
    return DraftFormula(f"max({base}, {default})", "as many as the modulus needs") if base and default else None


def _bases(subject: Subject) -> Iterator[str]:
    """Quantities that a maximum may be one of: a large one is of bits, a small one of what its name says."""
    default, names = subject.parameter.default, subject.model.names
    if default is None or default >= MAX_COUNT:
        yield "N"
    else:
        yield from (name for name in (subject.stem.lower(), subject.stem) if name in names and name != "N")


def _digit_bits(subject: Subject) -> DraftFormula | None:
    if subject.purpose != "digit" or not subject.model.digit:
        return None
    return DraftFormula(subject.model.digit, "bits of a digit, by the width of a port")


def _digit_count(subject: Subject) -> DraftFormula | None:
    if subject.purpose != "count" or not subject.model.count:
        return None
    return DraftFormula(subject.model.count, "digits, by the width of a port")


def _modulus_bits(subject: Subject) -> DraftFormula | None:
    """The bits of the modulus, or of its digits where the RTL has digits."""
    if subject.purpose not in ("modulus", "count"):
        return None
    if subject.factor > 1:
        rounded = subject.factor - 1 - min(max(subject.more, 0), subject.factor - 1)
        return DraftFormula(f"(N + {rounded}) // {subject.factor}", f"words of {subject.factor} bits of the modulus")
    if subject.purpose == "count":
        return None
    digit, count = subject.model.digit, subject.model.count
    bits = f"{digit} * {count}" if subject.has_digits and digit and count else "N"
    return DraftFormula(bits, "bits of the modulus, by the width of a port")


def _bits_of_r(subject: Subject) -> DraftFormula | None:
    if subject.purpose != "steps" or not subject.model.log_r:
        return None
    return DraftFormula(subject.model.log_r, "bits of R, by the width of an operand")


def _same_name(subject: Subject) -> DraftFormula | None:
    name = next((name for name in subject.spellings if name in subject.model.names), None)
    return DraftFormula(name, f"the {name} of the model has this name") if name else None


def _default(subject: Subject) -> DraftFormula | None:
    default = subject.parameter.default
    return None if default is None else DraftFormula(default, "its default")


RULES: tuple[Rule, ...] = (_digit_bits, _digit_count, _modulus_bits, _bits_of_r, _same_name, _default)
"""In the order in which they are tried."""
