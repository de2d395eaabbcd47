# SPDX-License-Identifier: Apache-2.0
"""Where the papers are wrong as printed: what they say, what is right, and operands that show it.

An erratum of kind "form" makes the printed form of a model return another integer than the corrected one; an erratum
of kind "claim" is a printed statement that the (right) computation breaks; one of kind "figure" is about figures in
tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refmodels import registry
from refmodels.model import PRINTED, Claim, Run, at_most
from refmodels.published import papers
from refmodels.published.figures import Finding


@dataclass(frozen=True)
class Erratum:
    """One erratum with the product that shows it."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str
    modulus: int
    settings: Mapping[str, int]
    a: int
    b: int
    claim: Claim | None = None
    """The printed statement; None where the printed form itself goes wrong."""

    @property
    def kind(self) -> str:
        return "form" if self.claim is None else "claim"

    def run(self, model: str, form: str = "corrected") -> Run:
        """The product that shows it, in one of the forms of a model."""
        entry = registry.model(model)
        return entry.run(entry.resolve(self.modulus, {**self.settings, "form": form}), self.a, self.b)

    def shown(self, model: str) -> bool:
        """Whether the printed text really fails for these operands."""
        run = self.run(model)
        if self.claim is None:
            return self.run(model, PRINTED).result != run.result
        places = [((), run.result)] if self.claim.step is None else [
            (index, value) for name, index, value in run.steps if name == self.claim.step
        ]  # fmt: skip
        return not all(self.claim.holds(run, index, value) for index, value in places)


_IDDMM = ("iddmm1", "iddmm2")


def _result(statement: str, reference: str, holds: Callable[[Run, int], bool]) -> Claim:
    return Claim("printed", statement, reference, None, lambda run, _, value: holds(run, value))


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "iddmm.E1", _IDDMM,
        "R = beta^(n+1) although the loop of Algorithm 1 makes n passes",
        "passes is a parameter and R = beta^passes",
        11, {"k": 2, "passes": 2}, 7, 9,
        _result("result * beta^(n+1) = a*b mod p", "IDDMM, header of Algorithm 1",
                lambda run, value: (value * run.params.radix ** (run.params.digits + 1) - run.a * run.b)
                % run.params.modulus == 0),
    ),
    Erratum(
        "iddmm.E2", _IDDMM,
        "the sum of the carries at digit n carries nothing out, so digit n of the accumulator stays 0",
        "digit n of the accumulator takes the carries that leave digit n",
        13, {"k": 2}, 7, 11,
    ),
    Erratum(
        "iddmm.E3", _IDDMM,
        "the result is a*b/R mod p",
        "the result is congruent to it and below p + ab/R",
        7, {"k": 2}, 5, 6,
        _result("result < p", "IDDMM, postcondition", lambda run, value: value < run.params.modulus),
    ),
    Erratum(
        "iddmm.E4", _IDDMM,
        "no final subtraction is needed: operands below 2p give a result below 2p",
        "true only where R >= 4p",
        7, {"k": 4, "passes": 1}, 12, 13,
        _result("result < 2p", "IDDMM, section 3", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        "iddmm.E5", _IDDMM,
        "operands below 2p are held in n digits",
        "X and the accumulator need digit n, and Y as many digits as there are passes",
        9, {"k": 2, "passes": 3}, 10, 13,
    ),
    Erratum(
        "iddmm.E7", ("iddmm2",),
        "the carry C has k bits",
        "it has k + 1 bits and reaches 2*beta - 2",
        11, {"k": 2}, 3, 9,
        at_most("C", "C < beta", "IDDMM, Table 1", lambda run, _: run.params.radix - 1),
    ),
    Erratum(
        "iddmm.E13", ("iddmm2",),
        "the carry C<j> is cleared before there is a j",
        "C<0> is cleared when a pass begins, and only then",
        11, {"k": 2}, 3, 9,
        at_most("C", "C<j> = 0", "IDDMM, Algorithm 2, line 4", lambda run, _: 0),
    ),
    Erratum(
        "fpmm.E7", ("cios",),
        "every partial result T is below 2P",
        "T is below B + P during the loop; only the last one is below 2P",
        3, {"w": 2, "s": 2}, 3, 5,
        at_most("T", "T < 2P", "FPMM, eq. 5", lambda run, _: 2 * run.params.modulus - 1),
    ),
    Erratum(
        "fpmm.E8", ("cios",),
        "the carry word us is below 2^(w-1)",
        "it may reach 2^(w-1)",
        127, {"w": 3, "s": 3}, 62, 253,
        at_most("us", "us < W/2", "FPMM, eq. 6", lambda run, _: run.params.radix // 2 - 1),
    ),
)  # fmt: skip
"""Every erratum of the models that are here."""


@dataclass(frozen=True)
class FigureErratum:
    """An erratum about printed figures; what shows it is that they differ from ours."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str
    paper: str

    @property
    def kind(self) -> str:
        return "figure"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The figures that it is about."""
        return tuple(finding for finding in papers.paper(self.paper).findings if finding.erratum == self.id)


FIGURE_ERRATA: tuple[FigureErratum, ...] = (
    FigureErratum(
        "iddmm.E22", ("iddmm2",),
        "AND and XOR gates of architecture 2 in Table 4",
        "they leave out 4k full and 2k half adders that Table 3 charges; with them architecture 2 saves k - 1 AND and "
        "k - 2 XOR gates over architecture 1",
        "iddmm",
    ),
    FigureErratum(
        "iddmm.E23", _IDDMM,
        "full and half adders in Table 3",
        "both architectures work with 4k - 2 full and 2k + 2 half adders, architecture 2 with one XOR gate more",
        "iddmm",
    ),
    FigureErratum(
        "iddmm.E24", _IDDMM,
        "critical paths in Table 3",
        "with fewer than two pipeline levels there is also the way from X_0*Y_i through S and p'*S_0 to q",
        "iddmm",
    ),
    FigureErratum(
        "iddmm.E25", ("iddmm2",),
        "times, throughputs and efficiencies in Tables 5, 6 and 7",
        "version 4 has a pipeline level and takes n(n+3) cycles; the times fit n(n+2), or nothing, and some figures "
        "do not follow from those beside them",
        "iddmm",
    ),
)  # fmt: skip
"""Every erratum about figures."""
