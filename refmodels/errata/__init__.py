# SPDX-License-Identifier: Apache-2.0
"""Where the papers are wrong as printed: what they say, what is right, and operands that show it.

One file a paper. An erratum of kind "form" makes the printed form of a model return another integer than the corrected
one; an erratum of kind "claim" is a printed statement that the (right) computation breaks; one of kind "formula" is a
printed formula that does not give the figures of the paper itself; one of kind "operation" is about an operation
on digits that no request reaches; one of kind "figure" is about figures in tables; one of kind "text" is about words
that nothing computes.
"""

from typing import TypeVar

from refmodels.errata import fpmm, hffm, iddmm, llmonpro, redundant
from refmodels.errata.kinds import (
    AnyErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OperationErratum,
    TextErratum,
)
from refmodels.errata.llmonpro import PARAMETER_SETS

PAPERS: dict[str, tuple[AnyErratum, ...]] = {
    "iddmm": iddmm.ERRATA,
    "fpmm": fpmm.ERRATA,
    "redundant": redundant.ERRATA,
    "hffm": hffm.ERRATA,
    "llmonpro": llmonpro.ERRATA,
}
"""Every erratum of each paper."""

_Kind = TypeVar("_Kind", Erratum, FormulaErratum, OperationErratum, FigureErratum, TextErratum)


def _of(kind: type[_Kind]) -> tuple[_Kind, ...]:
    return tuple(erratum for errata in PAPERS.values() for erratum in errata if isinstance(erratum, kind))


ERRATA = _of(Erratum)
FORMULA_ERRATA = _of(FormulaErratum)
OPERATION_ERRATA = _of(OperationErratum)
FIGURE_ERRATA = _of(FigureErratum)
TEXT_ERRATA = _of(TextErratum)

__all__ = [
    "ERRATA",
    "FIGURE_ERRATA",
    "FORMULA_ERRATA",
    "OPERATION_ERRATA",
    "PAPERS",
    "PARAMETER_SETS",
    "TEXT_ERRATA",
    "AnyErratum",
    "Erratum",
    "FigureErratum",
    "FormulaErratum",
    "OperationErratum",
    "TextErratum",
]
