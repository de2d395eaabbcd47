# SPDX-License-Identifier: Apache-2.0
"""The kinds of errata and remarks, their standing, and the demonstration of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, NamedTuple

from limbtrace.refmodels.architecture import Architecture, Shape
from limbtrace.refmodels.figures import Figures, Finding
from limbtrace.refmodels.model import CORRECTED, PRINTED, Claim, Model, Run, StreamRun

ERRATUM, REMARK, UNCERTAIN = "erratum", "remark", "uncertain"
STANDINGS = {
    ERRATUM: "the paper is wrong as printed",
    REMARK: "the paper is right, or leaves it open: a sharper bound, a choice, an edge case, or context",
    UNCERTAIN: "what the text says here may be damage of our copy of it",
}
"""Every standing and what it means."""

CORRECTIONS = {ERRATUM: "corrected", REMARK: "remark", UNCERTAIN: "corrected"}
"""Label of `corrected` beside `printed`, by standing."""

OMITTED = " [...] "
"""Stands between the parts of a quotation."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The fields of errata of every kind."""

    id: str
    models: tuple[Model, ...]
    """The models that the text is about; the last one demonstrates the erratum."""
    place: str
    """The place of the quotation: section, algorithm with line, equation, or table with row."""
    quote: str
    """The paper's own words, or signs, at that place; superscripts as ^{2}, subscripts as _{i}."""
    standing: str = ERRATUM
    """One of STANDINGS."""
    printed: str
    """The statement of the paper, in this repository's notation."""
    corrected: str
    """The corrected statement, or, for a remark, the addition."""


class Witness(NamedTuple):
    """A further product that demonstrates an erratum, at other parameters."""

    id: str
    """Its id from the time when it was an entry of its own; it still leads to the erratum."""
    modulus: int
    settings: Mapping[str, int | str]
    a: int
    b: int


@dataclass(frozen=True, kw_only=True)
class Erratum(Entry):
    """An erratum that one product demonstrates."""

    modulus: int
    """The modulus; 0 for a model without one."""
    settings: Mapping[str, int | str]
    a: int
    b: int
    claim: Claim | None = None
    """The printed statement; None if the printed form itself goes wrong."""
    others: tuple[tuple[int, int], ...] = ()
    """Further products of the same stream, if one product alone does not show the erratum."""
    witnesses: tuple[Witness, ...] = ()
    """Further products, each of which shows it alone."""

    @property
    def kind(self) -> str:
        """The kind of evidence: the printed "form", or a "claim" that does not hold."""
        return "form" if self.claim is None else "claim"

    @property
    def each(self) -> "tuple[Erratum, ...]":
        """The erratum once for each of its witnesses, under the id of the witness, this one first."""
        return (self, *(replace(self, witnesses=(), **witness._asdict()) for witness in self.witnesses))

    def run(self, model: Model, form: str = CORRECTED) -> Run:
        """The product or the stream of products that demonstrates it, in one of the forms of a model."""
        params = model.resolve(self.modulus, {**self.settings, "form": form})
        if self.others and model.run_stream is not None:
            return model.run_stream(params, self.products)
        return model.run(params, self.a, self.b)

    @property
    def products(self) -> tuple[tuple[int, int], ...]:
        """Operands of every product."""
        return ((self.a, self.b), *self.others)

    def results(self, model: Model, form: str = CORRECTED) -> tuple[int, ...]:
        """The results of all products of a run."""
        run = self.run(model, form)
        return run.results if isinstance(run, StreamRun) else (run.result,)

    def shown(self, model: Model) -> bool:
        """True if the printed text really fails for these operands."""
        if self.claim is None:
            return self.results(model, PRINTED) != self.results(model)
        run = self.run(model)
        places = [((), run.result)] if self.claim.step is None else [
            (index, value) for name, index, value in run.steps if name == self.claim.step
        ]  # fmt: skip
        return not all(self.claim.holds(run, index, value) for index, value in places)


@dataclass(frozen=True, kw_only=True)
class FormulaErratum(Entry):
    """An erratum about a formula for hardware units, demonstrated by units of the paper."""

    figures: Figures
    quantity: str
    units: tuple[tuple[str, int], ...]
    """(specification code, bits of the modulus)"""
    as_printed: Callable[[str, int], int]
    """(specification code, bits of the modulus) -> the quantity."""
    as_corrected: Callable[[str, int], int]

    kind: ClassVar[str] = "formula"

    @property
    def values(self) -> tuple[tuple[str, int, int, int], ...]:
        """For each unit (code, bits, what the printed formula gives, what the corrected one gives)."""
        return tuple((*unit, self.as_printed(*unit), self.as_corrected(*unit)) for unit in self.units)


@dataclass(frozen=True, kw_only=True)
class OperationErratum(Entry):
    """An erratum about an operation on digits or integers that no request reaches, demonstrated by one example."""

    operation: str
    """The computation, with its operands."""
    promised: int
    """The value, or the largest value, that follows from the text."""
    found: Callable[[], int]
    """The actual value."""

    kind: ClassVar[str] = "operation"


@dataclass(frozen=True, kw_only=True)
class FigureErratum(Entry):
    """An erratum about printed figures, demonstrated by their difference from ours."""

    figures: Figures

    kind: ClassVar[str] = "figure"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The figures concerned."""
        return tuple(finding for finding in self.figures.findings if finding.erratum == self.id)


@dataclass(frozen=True, kw_only=True)
class StatementErratum(Entry):
    """An erratum about a statement on figures, demonstrated by the figures of the tables."""

    figures: Figures
    worked_out: Callable[[Figures], Mapping[str, Fraction]]
    """The quantity of the statement, computed from the printed figures."""

    kind: ClassVar[str] = "statement"

    @property
    def values(self) -> dict[str, str]:
        """The number as text, with two decimals unless it is an integer."""
        found = self.worked_out(self.figures)
        return {name: str(value) if value.denominator == 1 else f"{float(value):.2f}" for name, value in found.items()}


class OnCore(NamedTuple):
    """A product in the registers of a core."""

    architecture: Architecture
    modulus: int
    settings: Mapping[str, int | str]
    a: int
    b: int

    @property
    def shape(self) -> Shape:
        return self.architecture.resolve(self.modulus, self.settings)

    @property
    def result(self) -> int:
        """The integer that the core returns."""
        return self.architecture.model.result(self.shape.params, self.a, self.b)


@dataclass(frozen=True, kw_only=True)
class CircuitErratum(Entry):
    """An erratum about a circuit, demonstrated by a product in the circuit as it is described."""

    product: OnCore
    flaw: str
    """Behaviour of the circuit as described that a correct one does not have."""
    as_printed: Callable[[OnCore], int]
    """The result of the circuit as described, clocked until its last digit is there."""

    kind: ClassVar[str] = "circuit"

    @property
    def printed_result(self) -> int:
        return self.as_printed(self.product)


@dataclass(frozen=True, kw_only=True)
class TextErratum(Entry):
    """An erratum in the wording, without a computation that would give a wrong value."""

    product: OnCore | None = None
    """A product in a correct circuit, for a statement about its cycles."""

    kind: ClassVar[str] = "text"


AnyErratum = (
    Erratum | FormulaErratum | OperationErratum | FigureErratum | StatementErratum | CircuitErratum | TextErratum
)
KINDS: tuple[type[AnyErratum], ...] = (
    Erratum,
    FormulaErratum,
    OperationErratum,
    FigureErratum,
    StatementErratum,
    CircuitErratum,
    TextErratum,
)
"""All kinds, in the order in which they are listed."""
