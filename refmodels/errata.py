# SPDX-License-Identifier: Apache-2.0
"""Where the papers are wrong as printed: what they say, what is right, and operands that show it.

One file a paper. An erratum of kind "form" makes the printed form of a model return another integer than the corrected
one; an erratum of kind "claim" is a printed statement that the (right) computation breaks; one of kind "formula" is a
printed formula that does not give the figures of the paper itself; one of kind "operation" is about an operation
on digits that no request reaches; one of kind "figure" is about figures in tables; one of kind "statement" is about
what the text says of them; one of kind "text" is about words that nothing computes.
"""

from collections.abc import Mapping
from typing import TypeVar

from refmodels.erratum import (
    AnyErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OnCore,
    OperationErratum,
    StatementErratum,
    TextErratum,
)
from refmodels.papers.fpmm import errata as fpmm
from refmodels.papers.iddmm import errata as iddmm
from refmodels.papers.llmonpro import errata as llmonpro
from refmodels.papers.llmonpro.errata import PARAMETER_SETS
from refmodels.papers.redundant import errata as redundant
from refmodels.papers.sidh import errata as hffm

PAPERS: dict[str, tuple[AnyErratum, ...]] = {
    "iddmm": iddmm.ERRATA,
    "fpmm": fpmm.ERRATA,
    "redundant": redundant.ERRATA,
    "hffm": hffm.ERRATA,
    "llmonpro": llmonpro.ERRATA,
}
"""Every erratum of each paper."""

RIGHT: Mapping[str, str] = {
    "redundant.E15": "the bound of K_i is true",
    "redundant.E16": "the bound of T_i is true of the digits, and says nothing about the value",
    "llmonpro.E22": "the share is that of delays before they were rounded",
    "llmonpro.E24": "the range of Algorithms 1 and 2 is true, for every odd modulus below 64 as for large ones",
}
"""Numbers in the lists of errata under which the paper turned out to be right as printed."""

_Kind = TypeVar("_Kind", Erratum, FormulaErratum, OperationErratum, FigureErratum, StatementErratum, TextErratum)


def _of(kind: type[_Kind]) -> tuple[_Kind, ...]:
    return tuple(erratum for errata in PAPERS.values() for erratum in errata if isinstance(erratum, kind))


ERRATA = _of(Erratum)
FORMULA_ERRATA = _of(FormulaErratum)
OPERATION_ERRATA = _of(OperationErratum)
FIGURE_ERRATA = _of(FigureErratum)
STATEMENT_ERRATA = _of(StatementErratum)
TEXT_ERRATA = _of(TextErratum)

__all__ = [
    "ERRATA",
    "FIGURE_ERRATA",
    "FORMULA_ERRATA",
    "OPERATION_ERRATA",
    "PAPERS",
    "PARAMETER_SETS",
    "RIGHT",
    "STATEMENT_ERRATA",
    "TEXT_ERRATA",
    "AnyErratum",
    "Erratum",
    "FigureErratum",
    "FormulaErratum",
    "OnCore",
    "OperationErratum",
    "StatementErratum",
    "TextErratum",
]
