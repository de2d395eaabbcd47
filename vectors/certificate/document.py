# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a certificate."""

from typing import Annotated, Literal

from vectors.document import Document, Form, Hex, Settings, Shape, Told, member

Sha256 = Annotated[str, Told(pattern="^[0-9a-f]{64}$")]


class CertifiedFile(Shape):
    """The file that was certified; of a folder, `sha256` is that of the lines `sha256sum` prints for its files."""

    name: str = member("without its path")
    sha256: Sha256


class CertifiedSet(Shape):
    """The cases in that file, as the file states them."""

    id: str = member(pattern="^[0-9a-f]{32}$")
    digest: str | None = member(
        "null where the file does not hold it: $readmemh, GF(p^2)", pattern="^sha256:[0-9a-f]{64}$"
    )
    op: Literal["mul", "sqr"] | None = member("the operation, for cases in GF(p^2)", default=None)
    model: str
    form: Form
    radix: str | None
    params: Settings
    R: Hex | None = member("null if the model has no such factor")


class RefereeVersions(Shape):
    """The software that recomputed the cases."""

    sage: str = member("version of SageMath")
    package: str = member("the Python package that brought it, with its version")
    pari: str = member("version of PARI, which proved or factored the modulus")


class Factor(Shape):
    """A power of a proven prime."""

    prime: Hex
    exponent: int = member(ge=1)


class CertifiedModulus(Shape):
    """The findings about the modulus."""

    modulus: Hex
    bits: int = member(ge=2)
    finding: Literal["prime", "composite", "probable prime"]
    proof: str | None = member("for a prime: PARI accepts it as primecertisvalid(proof)")
    factors: list[Factor] = member("for a composite, as far as they were found")
    cofactor: Hex | None = member("composite rest that was not factored")
    reason: str = member("why there is no proof or no complete factorisation; empty if there is one")


class Disagreement(Shape):
    """A statement of the file that SageMath does not confirm."""

    case: str | None = member("id of the case, null for a statement of the head")
    place: str = member("place in the file")
    statement: str = member("key of `statements`")
    expected: str
    found: str


class Certificate(Document):
    """SageMath's findings about a vector set or cases in GF(p^2), recomputed in its own rings; not a signature."""

    schema: Literal["limbtrace-certificate-1.schema.json"]
    verdict: Literal["agrees", "disagrees"]
    file: CertifiedFile
    set: CertifiedSet
    cases: int = member("every case of the set was recomputed", ge=1)
    ring: Literal["GF(p)", "Z/mZ", "GF(p^2)", "(Z/mZ)[i]"] = member(
        "the field if the modulus is proven prime, otherwise the ring"
    )
    referee: RefereeVersions
    modulus: CertifiedModulus
    statements: dict[str, str] = member("checked statements: first those of the head, then those of every case")
    disagreements: int = member(ge=0, lt=1 << 31)
    first_disagreements: list[Disagreement] = member(max_length=20)
