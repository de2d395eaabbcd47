# SPDX-License-Identifier: Apache-2.0
"""The width of each port as a formula of the RTL parameters, from elaborations with other values of them.

A width is taken for a polynomial of degree 1 in each parameter and 2 in all, with s_i, m_ij and c to be found:

    w(p) = c + sum of s_i p_i + sum of m_ij p_i p_j  (i < j)

Forward differences at the defaults p give them. With e_i the step of parameter i by 1:

    D_i  = w(p + e_i) - w(p)                         = s_i + sum of m_ij p_j  (j other than i)
    D_ij = w(p + e_i + e_j) - w(p) - D_i - D_j       = m_ij

One more elaboration, with all parameters larger by CHECK_STEP, shows whether the width is such a polynomial.
"""

from collections.abc import Mapping
from itertools import combinations

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.init.port_parts import parts_of
from limbtrace.rtl_bridge.init.top_module import ElaboratedTop, SourceSet, elaborated
from limbtrace.rtl_bridge.interface.module_ports import SizeTerm

MAX_PARAMETERS = 8
"""Limit of the parameters that widths are followed for; the design is elaborated once for each pair of them."""
CHECK_STEP = 3

Widths = Mapping[str, int]
"""Bits of ports by the names of their parts."""


def width_formulas(
    sources: SourceSet, design: ElaboratedTop, defaults: Mapping[str, int | None]
) -> dict[str, Mapping[SizeTerm, int] | None]:
    """The width of every port as a sum of products of parameters; None if it is not such a sum."""
    integers = {name: value for name, value in defaults.items() if value is not None}
    sweep = _Sweep(sources, design, integers)
    return {port: sweep.formula(port) for port in sweep.widths}


class _Sweep:
    """Widths at the defaults of the parameters and at points near them. Points that the RTL forbids are left out."""

    def __init__(self, sources: SourceSet, design: ElaboratedTop, defaults: Mapping[str, int]) -> None:
        self._sources, self._top, self._defaults = sources, design.body.definition.name, defaults
        self.widths: Widths = {part.name: part.width for part in parts_of(design.body)}
        self._single: dict[str, Widths] = {}
        """Widths with one parameter larger by 1, for the parameters that change any width."""
        for name in list(defaults)[:MAX_PARAMETERS]:
            if (widths := self._widths_with(name)) is not None and widths != self.widths:
                self._single[name] = widths
        self._double: dict[tuple[str, str], Widths] = {}
        """Widths with two of those larger by 1."""
        for pair in combinations(self._single, 2):
            if (widths := self._widths_with(*pair)) is not None:
                self._double[pair] = widths
        self._checked = self._widths_with(*self._single, step=CHECK_STEP) if self._single else self.widths

    def _widths_with(self, *names: str, step: int = 1) -> Widths | None:
        """Widths with these parameters larger than their defaults; None if the RTL forbids the values."""
        values = {name: self._defaults[name] + step for name in names}
        try:
            design = elaborated(self._sources, self._top, values)
        except ParameterError:
            return None
        return {part.name: part.width for part in parts_of(design.body)}

    def formula(self, port: str) -> Mapping[SizeTerm, int] | None:
        """The width of a port, products of two parameters first; None if the check disagrees."""
        width = self.widths[port]
        differences = {name: widths.get(port, width) - width for name, widths in self._single.items()}
        mixed = self._mixed(port, differences)
        terms = mixed | self._linear(differences, mixed)
        if constant := width - value_of(terms, self._defaults):
            terms[()] = constant
        return terms if self._passes_check(port, terms) else None

    def _mixed(self, port: str, differences: Mapping[str, int]) -> dict[SizeTerm, int]:
        """The factors m_ij other than 0, from the differences D_i."""
        width = self.widths[port]
        factors: dict[SizeTerm, int] = {
            (x, y): widths.get(port, width) - width - differences[x] - differences[y]
            for (x, y), widths in self._double.items()
        }
        return {pair: factor for pair, factor in factors.items() if factor}

    def _linear(self, differences: Mapping[str, int], mixed: Mapping[SizeTerm, int]) -> dict[SizeTerm, int]:
        """The factors s_i other than 0, from the differences D_i and the factors m_ij."""
        slopes = dict(differences)
        for (x, y), factor in mixed.items():
            slopes[x] -= factor * self._defaults[y]
            slopes[y] -= factor * self._defaults[x]
        return {(name,): slope for name, slope in slopes.items() if slope}

    def _passes_check(self, port: str, terms: Mapping[SizeTerm, int]) -> bool:
        """True if the formula holds with all parameters larger by CHECK_STEP, or where that cannot be elaborated."""
        larger = {name: value + CHECK_STEP * (name in self._single) for name, value in self._defaults.items()}
        return self._checked is None or self._checked.get(port) == value_of(terms, larger)


def value_of(terms: Mapping[SizeTerm, int], values: Mapping[str, int]) -> int:
    """Value of a sum of products."""
    total = 0
    for names, factor in terms.items():
        for name in names:
            factor *= values[name]
        total += factor
    return total
