# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a certificate."""

from typing import Annotated, Literal

from limbtrace.vectors.document import Document, Form, Hex, Settings, Shape, Told, member

Sha256 = Annotated[str, Told(pattern="^[0-9a-f]{64}$")]


class CertifiedFile(Shape):
    """The file that was certified; of a folder, `sha256` is that of the lines `sha256sum` prints for its files."""

    name: str = member("without its path")
    sha256: Sha256


class CertifiedSet(Shape):
    """The cases in that file, as the file states them."""

    id: str = member("of the set; of a trace or a cycle table, made of the file", pattern="^[0-9a-f]{32}$")
    digest: str | None = member(
        "null where the file does not hold it: $readmemh, GF(p^2), traces, cycle tables",
        pattern="^sha256:[0-9a-f]{64}$",
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


class SecondReading(Shape):
    """What was read again in a trace or a cycle table: its loops in ZZ, and in ZZ[x] where digits are redundant."""

    document: Literal["trace", "cycles"]
    extent: Literal["every step", "values of columns", "results"] = member(
        "every step: each was derived again and compared; values of columns: those of `columns`, see the statements; "
        "results: of the steps nothing was read"
    )
    values: int = member("steps or cells that were compared", ge=0)
    columns: list[str] = member("columns of a cycle table whose values were read")
    complete: list[str] = member("those that have to show all values of their step")
    unread: dict[str, str] = member("what was not read, columns by name, and why")


class Disagreement(Shape):
    """A statement of the file that SageMath does not confirm."""

    case: str | None = member("id of the case, null for a statement of the head")
    place: str = member("place in the file")
    statement: str = member("key of `statements`")
    expected: str
    found: str


class Certificate(Document):
    """SageMath's findings about cases, a trace or a cycle table, recomputed in its own rings; not a signature."""

    schema: Literal["limbtrace-certificate-1.schema.json"]
    verdict: Literal["agrees", "disagrees"]
    file: CertifiedFile
    set: CertifiedSet
    cases: int = member("every case of the set, or product of the trace or table, was recomputed", ge=1)
    ring: Literal["GF(p)", "Z/mZ", "GF(p^2)", "(Z/mZ)[i]", "ZZ"] = member(
        "the field if the modulus is proven prime, otherwise the ring; ZZ without a modulus"
    )
    reading: SecondReading | None = member("of a trace or a cycle table", default=None)
    referee: RefereeVersions
    modulus: CertifiedModulus | None = member("null where the model has none")
    statements: dict[str, str] = member("checked statements: first those of the head, then those of every case")
    disagreements: int = member(ge=0, lt=1 << 31)
    first_disagreements: list[Disagreement] = member(max_length=20)
