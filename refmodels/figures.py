# SPDX-License-Identifier: Apache-2.0
"""A printed figure, how it is derived, and the verdict on it."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import NamedTuple

from limbtrace.refmodels.model import Source

AGREES, DIFFERS, MEASURED, OTHER_WORK = "agrees", "differs", "measured elsewhere", "other work"
VERDICTS = {
    AGREES: "ours is the printed figure, as far as the rounding of what is printed goes",
    DIFFERS: "ours is another one, and the note says why",
    MEASURED: "a figure of the vendor's tools, shown as printed; ours, if any, is an estimate",
    OTHER_WORK: "a figure of a work that the paper cites",
}
"""Every verdict and what it means."""

FREQUENCY = "MHz"
"""Unit, and name of what place and route gives beside resources."""

LUTS = "LUT"
"""The resource that synthesis counts in cells, and a vendor's tool in sites."""

_DESCRIPTIONS = ("name", "yes/no")
"""Units of entries that are not figures."""


class Interval(NamedTuple):
    """The open interval in which a positive number may lie."""

    low: Fraction
    high: Fraction

    def meets(self, other: "Interval") -> bool:
        return self.low < other.high and other.low < self.high

    def __rtruediv__(self, number: int) -> "Interval":
        return Interval(number / self.high, number / self.low)


def places(text: str) -> int:
    """Number of decimals of a printed number."""
    return len(text.partition(".")[2])


def printed(text: str) -> Interval:
    """The interval of values that round or truncate to a printed number; papers do either."""
    unit = Fraction(1, 10 ** places(text))
    return Interval(Fraction(text) - unit / 2, Fraction(text) + unit)


@dataclass(frozen=True)
class Figure:
    """One row of a paper's file."""

    table: int
    design: str
    bits: int | None
    """Width of the modulus, in bits."""
    k: int | None
    metric: str
    unit: str
    value: str
    """As printed: a number, or an expression in k or n."""

    @property
    def column(self) -> tuple[int, str, int | None, int | None]:
        """The key that the figures of one design in one table share."""
        return self.table, self.design, self.bits, self.k

    @property
    def described(self) -> bool:
        """True if this is a description of the design instead of a figure."""
        return self.unit in _DESCRIPTIONS


@dataclass(frozen=True)
class Derived:
    """The expected value of a figure."""

    value: str
    formula: str
    agrees: bool
    why: str = ""
    """The reason why the printed figure disagrees, if it does."""
    erratum: str | None = None
    """The erratum about the disagreement."""


@dataclass(frozen=True)
class Finding:
    """A printed figure beside ours."""

    figure: Figure
    verdict: str
    ours: str | None
    formula: str | None
    erratum: str | None
    note: str


class Synthesised(NamedTuple):
    """The results of our core that correspond to a printed area or frequency, from synthesis or place and route."""

    core: str
    resource: str
    """A resource of the area, or FREQUENCY for what is printed as a frequency or a clock period."""
    fits: Callable[[Mapping[str, int]], bool]
    """True if a core with these RTL parameters corresponds to it."""


@dataclass(frozen=True)
class Figures:
    """The figures of a paper, and how they are derived."""

    paper: str
    """Id of the paper."""
    package: str
    """The folder of the paper, where figures.csv is."""
    source: Source
    derive: Callable[["Figures", Figure], Derived | None]
    """Derives the expected value; None for a figure without a formula."""
    estimate: Callable[["Figures", Figure], tuple[str, str] | None]
    """(value, formula) of a bound for a figure from the vendor's tools, if there is one."""
    remark: Callable[["Figures", Figure], str]
    """A note that is shown with every verdict."""
    own: Callable[[Figure], bool]
    """True if a figure is about the paper's own design."""
    synthesised: Callable[[Figure], Synthesised | None]

    @cached_property
    def rows(self) -> tuple[Figure, ...]:
        """Every row of the file, in its order."""
        text = (files(self.package) / "figures.csv").read_text()
        return tuple(
            Figure(
                int(row["table"]), row["design"], int(row["bits"] or 0) or None, int(row["k"] or 0) or None,
                row["metric"], row["unit"], row["value"],
            )
            for row in csv.DictReader(text.splitlines())
        )  # fmt: skip

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Every figure with its verdict, in the order of the file."""
        return tuple(self._find(figure) for figure in self.rows if not figure.described)

    def beside(self, figure: Figure, metric: str) -> str | None:
        """Another figure of the same design in the same table, as printed."""
        return next((f.value for f in self.rows if f.column == figure.column and f.metric == metric), None)

    def number(self, design: str, bits: int, metric: str) -> Fraction:
        """A figure as printed, in the first table that has it."""
        found = (f for f in self.rows if (f.design, f.bits, f.metric) == (design, bits, metric))
        return Fraction(next(found).value)

    def _find(self, figure: Figure) -> Finding:
        derived, remark = self.derive(self, figure), self.remark(self, figure)
        if derived is None:
            ours, formula = self.estimate(self, figure) or (None, None)
            return Finding(figure, MEASURED if self.own(figure) else OTHER_WORK, ours, formula, None, remark)
        if derived.agrees:
            return Finding(figure, AGREES, derived.value, derived.formula, None, remark)
        note = "; ".join(text for text in (derived.why, remark) if text)
        return Finding(figure, DIFFERS, derived.value, derived.formula, derived.erratum, note)
