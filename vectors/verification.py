# SPDX-License-Identifier: Apache-2.0
"""The verdict on a document, which is a document itself, and divergences from golden values."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from limbtrace.vectors.document import Document, Form, Hex, PrimeShape, Settings, Shape, StepName, member, members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.request import Multiplier

Kind = Literal["results", "vectors", "trace", "cycles", "fp2", "digest"]
CertificateStatus = Literal["agrees", "disagrees", "other file", "other set", "broken"]


class VerdictFact(Shape):
    """A fact about a wrong value in the numbers of its product."""

    kind: str = member("a word that does not change, such as plus_p")
    text: str = member("a sentence; what follows `as` is a cause that often gives such a value")


class DivergenceShape(Shape, name="Divergence"):
    """A difference from the golden value."""

    case: str
    a: Hex
    b: Hex | None = member("missing for a chain", default=None)
    cycle: int | None
    signal: str
    step: StepName | None
    expected: str
    seen: str = member("the actual value; may contain x if it comes from a simulator")
    replay: str = member("a command that gives the golden values")
    place: str | None = member("place in the verified document", default=None)
    before: list[Hex] | None = member("operands of the product before it, of several results", default=None)
    after: list[Hex] | None = member("operands of the product after it, of several results", default=None)
    observations: list[VerdictFact] = member(
        "what the wrong value is, the most specific one first: its relation to the right one, and wrong words of it",
        default=(),
    )


class CasesShape(Shape, name="Cases"):
    """Consecutive cases of a set, counted from 0."""

    first: int = member(ge=0)
    last: int = member(ge=0)


class CertificateSummary(Shape):
    """A summary of the certificate beside a set."""

    status: CertificateStatus
    file: str = member("name of the certificate")
    detail: str = member("one sentence")


class Verification(Document):
    """The verdict on a document."""

    verdict: Literal["pass", "fail"]
    kind: Kind
    model: str
    form: Form
    prime: PrimeShape | None
    radix: str | None
    params: Settings
    mended: list[str] = member(default=())
    verified: int = member("cases, steps or rows that were compared", ge=0)
    mismatches: int = member(ge=0)
    first_divergence: DivergenceShape | None
    id: str | None = member("id of the vector set that was verified", default=None)
    core: str | None = member("core of the cycle table that was verified", default=None)
    questions: int | None = member("of a digest: golden hashes that were asked for", default=None)
    differs: CasesShape | None = member(
        "of a digest that differs: the fewest cases that are known to hold the first difference", default=None
    )
    certificate: CertificateSummary | None = member("certificate beside the vector set, if there is one", default=None)


class Divergences:
    """The first divergence as a document, and the number of all: a verdict does not grow with wrong values."""

    def __init__(self) -> None:
        self.first: dict[str, Any] | None = None
        self.count = 0
        self._products: list[Sequence[int]] = []
        """Operands of the last product that was announced and of the one before it, up to the first divergence."""
        self._ended = False

    def compares(self, *operands: int) -> None:
        """Announce the product that is compared from now on, of several in their order."""
        if self._ended:
            return
        if self.first is None:
            self._products = [*self._products[-1:], operands]
        else:
            self.first["after"] = [*map(hexadecimal, operands)]
            self._ended = True

    def add(self, document: Callable[[], dict[str, Any]]) -> None:
        """Counts a divergence; `document` is called only for the first one."""
        if self.first is None:
            self.first = document()
            if len(self._products) == 2:
                self.first["before"] = [*map(hexadecimal, self._products[0])]
        self.count += 1

    def __bool__(self) -> bool:
        return self.count > 0


def verdict(kind: Kind, multiplier: Multiplier, verified: int, divergences: Divergences, **own: Any) -> dict[str, Any]:
    """The verdict on that number of cases, steps or rows; `own` are members of this kind of document."""
    head = {key: value for key, value in multiplier.head.items() if key != "constants"}
    if "params" in own:
        head["params"] = own.pop("params")
    document: dict[str, Any] = members(
        Verification,
        format=FORMAT,
        verdict="fail" if divergences else "pass",
        kind=kind,
        **head,
        verified=verified,
        mismatches=divergences.count,
        first_divergence=divergences.first,  # type: ignore[arg-type]
        **own,
    )
    return document


def divergence(
    multiplier: Multiplier,
    case: str,
    a: int,
    b: int,
    *,
    place: str | None = None,
    cycle: int | None = None,
    signal: str,
    step: Any = None,
    expected: str,
    seen: str,
    link: int | None = None,
) -> dict[str, Any]:
    """A divergence of a product for `Verification.first_divergence`; `link` is the squaring of a chain."""
    chosen = "" if link is None else f" --step {link}"
    operands: dict[str, Any] = dict(zip("ab", map(hexadecimal, multiplier.model.given(a, b)), strict=False))
    document: dict[str, Any] = members(
        DivergenceShape,
        case=case,
        **operands,
        cycle=cycle,
        signal=signal,
        step=step,
        place=place,
        expected=expected,
        seen=seen,
        replay=f"limbtrace trace {multiplier.model.id} {multiplier.options} {multiplier.arguments(a, b)}{chosen}",
    )
    return document
