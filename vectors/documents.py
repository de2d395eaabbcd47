# SPDX-License-Identifier: Apache-2.0
"""The JSON documents on the wire, as types: for the typed client, for OpenAPI, and for the published JSON Schemas.

Integers are hexadecimal text. A document may carry more members than are named here; none is ever renamed.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

Hex = Annotated[str, Field(pattern=r"^-?0x[0-9a-fA-F]+$", description="integer in hexadecimal, such as 0x1f or -0x1")]
DigitVectors = Annotated[dict[str, list[Hex]], Field(description="by representation, low digit first")]
DigitsOfCase = Annotated[
    dict[Literal["a", "b", "result"], DigitVectors] | None,
    Field(description="a, b and result as digits, of models with several ways to hold them"),
]
Form = Literal["corrected", "printed"]
Settings = dict[str, int | str]
"""Parameters by name: integers, and texts where one of several readings is named."""
StepName = tuple[Annotated[str, Field(description="the paper's symbol")], list[int]]
PaperVerdict = Literal["agrees", "differs", "measured elsewhere", "other work"]
Step = tuple[Annotated[str, Field(description="the paper's symbol")], list[int], Hex]


class Document(BaseModel):
    """What every document begins with."""

    format: Literal["limbtrace/1"]


class Prime(BaseModel):
    """A modulus: odd, at least 3."""

    name: str | None = Field(description="name in the catalogue, null for any other modulus")
    modulus: Hex
    bits: int = Field(ge=2)
    primality: Literal["prime", "composite"]


class PrimeEntry(Prime):
    """A modulus with where it comes from."""

    source: str
    note: str


class PrimeDocument(PrimeEntry, Document):
    """One modulus."""


class PrimeList(Document):
    """The catalogue of moduli."""

    primes: list[PrimeEntry]


class Multiplier(BaseModel):
    """A model with a modulus and resolved parameters."""

    model: str = Field(description="id of the model")
    form: Form = Field(description="corrected, or printed: bit-exact to the paper, its errors included")
    prime: Prime | None = Field(description="null for a model without modulus")
    radix: str | None = Field(
        pattern=r"^2\^[0-9]+$", description="radix of the digits scanned, null for an algorithm without digits"
    )
    params: Settings = Field(description="digit counts and other parameters")
    constants: dict[str, Hex] = Field(description="derived constants by the paper's names")
    mended: list[str] = Field([], description="errata mended in a printed form that could not run at all")


class Constants(Multiplier, Document):
    """The constants of a multiplier."""


class Parameter(BaseModel):
    """A parameter of a model; default and range are text for people."""

    name: str
    aliases: list[str]
    meaning: str
    default: str
    range: str


class ModelSummary(BaseModel):
    """A model in short."""

    id: str
    title: str
    source: str
    forms: list[Form]
    operands: dict[str, str] = Field(
        description="ranges of a, b (where there is one) and result, in the paper's symbols"
    )


class ModelList(Document):
    """Every model."""

    models: list[ModelSummary]


class Symbol(BaseModel):
    """A name of the trace vocabulary."""

    name: str
    index: str
    meaning: str
    range: str


class Claim(BaseModel):
    """A statement about every step of that name, or about the result where step is null."""

    name: str
    step: str | None
    statement: str
    reference: str


class ModelDocument(ModelSummary, Document):
    """One model."""

    parameters: list[Parameter]
    steps: list[Symbol]
    claims: list[Claim]
    errata: list[str]


class CoreSummary(BaseModel):
    """A hardware architecture in short."""

    id: str
    title: str
    source: str
    model: str


class CoreList(Document):
    """Every architecture."""

    cores: list[CoreSummary]


class Signal(BaseModel):
    """A watched signal."""

    name: str
    kind: Literal["register", "combinational"]


class Cost(BaseModel):
    """A cost as a formula, its value for an example, and the published figures."""

    name: str
    unit: str
    formula: str
    example: dict[str, str | int | None]
    published: dict[str, Any] | None


class CoreDocument(CoreSummary, Document):
    """One architecture."""

    parameters: list[Parameter]
    first_cycle: int
    signals: list[Signal]
    costs: list[Cost]


class ErratumRequest(BaseModel):
    """What a reader runs to see an erratum."""

    form: Form | None = Field(description="of the model, null where none is traced")
    command: str
    url: str = Field(description="the same over HTTP, without the address of the service")
    result: Hex | None = Field(None, description="what it shows")


class Erratum(BaseModel):
    """Where a paper is wrong as printed; what shows it: a product, a formula or a figure; and a command that does."""

    id: str
    models: list[str]
    kind: Literal["form", "claim", "formula", "operation", "figure", "statement", "text"]
    printed: str
    corrected: str
    claim: str | None
    example: dict[str, Any]
    command: str
    requests: list[ErratumRequest] = Field(description="what shows it, the printed form first")


class ErratumDocument(Erratum, Document):
    """One erratum."""


class ErrataDocument(Document):
    """Every erratum."""

    errata: list[Erratum]
    right: dict[str, str] = Field(
        description="numbers of the lists under which a paper turned out to be right, and why"
    )


class Synthesis(BaseModel):
    """What a core of ours takes, out of context, by another tool than the paper's."""

    core: str
    parameters: dict[str, int | Hex] = Field(description="of the RTL")
    family: str
    tool: str
    value: int = Field(ge=0)


class Figure(BaseModel):
    """A figure as a paper prints it, and what it ought to be."""

    table: int
    design: str
    bits: int | None = Field(description="of the modulus, null where the figure does not depend on it")
    k: int | None = Field(description="bits of a digit, null likewise")
    metric: str
    unit: str
    published: str = Field(description="as printed: a number, or an expression")
    ours: str | None = Field(description="null where no formula gives it")
    formula: str | None = Field(description="where ours comes from")
    verdict: PaperVerdict
    erratum: str | None = Field(description="id of the erratum that says why it differs")
    note: str
    synthesis: list[Synthesis] = Field(description="our cores beside an area of the vendor's tools")


class PaperTables(BaseModel):
    """The figures of one paper."""

    id: str
    source: str
    count: dict[PaperVerdict, int]
    figures: list[Figure]


class Tables(Document):
    """Figures that papers print, ours beside them."""

    schema_: Literal["limbtrace-tables-1.schema.json"] = Field(alias="schema")
    verdicts: dict[PaperVerdict, str] = Field(description="what each verdict means")
    papers: list[PaperTables]


class Quantity(BaseModel):
    """What a figure of every design means."""

    name: str
    unit: str = Field(description="empty for what is no measure")
    meaning: str


class ClockFrequency(BaseModel):
    """The clock that nanoseconds are for."""

    mhz: float = Field(gt=0)
    source: Literal["given", "published"]


class Times(BaseModel):
    """Times for 1, 2, 3 ... products that do not depend on each other."""

    cycles: list[int]
    clock: ClockFrequency | None = Field(description="null where none was asked for, or none is known")
    ns: list[float] | None


class DesignSynthesis(BaseModel):
    """What Yosys makes of a design."""

    core: str
    parameters: dict[str, int | Hex] = Field(description="of the RTL")
    family: str
    area: dict[str, int]
    tool: str


class DesignPoint(Times):
    """A design that a core can be."""

    name: str
    built: bool = Field(description="whether our core can be built as this design")
    obstacle: str = Field(description="why not, empty where it can")
    figures: dict[str, bool | int | float | str | None] = Field(description="by the names of the quantities")
    rtl: dict[str, int] = Field(description="parameters of the RTL, empty where the core cannot be built")
    settings: dict[str, str] = Field(description="parameters of the core, for its vectors and cycle tables")
    synthesis: DesignSynthesis | None = Field(description="null where it was not measured")
    compared: list[float] | None = Field(description="the objectives, null where not all of them are known")
    front: bool | None = Field(
        description="on the Pareto front: no other design is as good in all objectives, better in one; null where "
        "fewer than two designs are compared"
    )


class OtherWork(Times):
    """What a paper compares its designs with."""

    name: str
    latency: int = Field(description="clock cycles of one product")
    interval: int = Field(description="clock cycles between two products")


class Designs(Document):
    """The designs that a core can be, for moduli of one width."""

    schema_: Literal["limbtrace-explore-1.schema.json"] = Field(alias="schema")
    core: str
    source: str
    bits: int
    device: str | None = Field(description="whose published clocks are used")
    frequency: float | None = Field(description="clock that is used for everything, in MHz")
    quantities: list[Quantity]
    objectives: list[Quantity] = Field(description="what is to be small")
    points: list[DesignPoint]
    others: list[OtherWork]


class Case(BaseModel):
    """One product, or one chain, which has checkpoints instead of b. `id` follows from the content."""

    id: str = Field(pattern="^[0-9a-f]{16}$")
    a: Hex
    b: Hex | None = Field(None, description="missing in a chain")
    result: Hex = Field(description="the exact integer that the algorithm returns, maybe not below the modulus")
    residue: Hex = Field(description="result modulo the modulus")
    flags: list[str] = Field(description="keys of the set's notes")
    comment: str
    digits: DigitsOfCase = None
    checkpoints: list[tuple[int, Hex]] | None = Field(
        None, description="of a chain: after so many squarings, the result of a chain that ends there"
    )


class Range(BaseModel):
    """Smallest and largest value (inclusive), bits of the largest, and the range in the paper's symbols."""

    min: Hex
    max: Hex
    bits: int
    text: str


class Ranges(BaseModel):
    """What a and b may be, and what the result is."""

    a: Range
    b: Range | None = Field(None, description="missing for a chain")
    result: Range


class Domain(BaseModel):
    """The model's own R."""

    R: Hex
    meaning: str


class Group(Multiplier):
    """Cases of one multiplier."""

    ranges: Ranges
    domain: Domain | None = Field(description="null where the result is congruent to a * b")
    tests: list[Case]


class VectorSet(Document):
    """Test vectors, shaped like a Wycheproof file."""

    algorithm: str = Field(description="id of the model")
    schema_: Literal["limbtrace-vectors-1.schema.json"] = Field(alias="schema")
    license: Literal["CC0-1.0"]
    id: str = Field(pattern="^[0-9a-f]{32}$", description="hash of the normalised request")
    seed: int = Field(ge=0)
    kind: str
    checkpoints: int = Field(0, ge=0, description="of each chain")
    numberOfTests: int = Field(ge=1)
    notes: dict[str, str] = Field(description="what each flag of a case means")
    testGroups: list[Group] = Field(min_length=1, max_length=1)
    digest: str = Field(pattern="^sha256:[0-9a-f]{64}$", description="over head and cases, the same in every format")


class Trace(Multiplier, Document):
    """Every step of one product at digit level; a digit vector is one step a digit, its position the last index."""

    a: Hex
    b: Hex | None = Field(None, description="missing for a chain")
    a_digits: list[Hex] | None = Field(None, description="redundant digits that a alone does not imply, low first")
    b_digits: list[Hex] | None = Field(None, description="the same of b")
    step: int | None = Field(None, description="number of the squaring of a chain whose steps these are")
    squared: list[Hex] | None = Field(None, description="the digits that it squares, low first")
    result: Hex
    residue: Hex
    digits: DigitsOfCase = None
    representations: dict[str, DigitVectors] | None = Field(
        None, description="the result canonical, and maximal: with as many overlap bits as can be"
    )
    steps: list[Step]


class Column(BaseModel):
    """A watched signal of a cycle table."""

    name: str
    width: int = Field(ge=1, description="bits")
    step: str | None = Field(description="the step that it holds, null where it depends on the cycle alone")
    kind: Literal["register", "combinational"]
    parts: list[str] = Field([], description="the steps side by side in it, high part first, where there are several")


class CycleTable(Multiplier, Document):
    """Every watched signal in every cycle: registers after the edge that ends the cycle, null is don't care."""

    core: str
    operands: list[tuple[Hex, Hex] | tuple[Hex]] = Field(min_length=1, description="of a model without b [a] each")
    results: list[Hex]
    digits: list[DigitsOfCase] | None = Field(None, description="of every product")
    starts: list[int] = Field(description="cycle in which each product starts")
    columns: list[Column]
    first_cycle: int = Field(description="number of row 0 in the paper's counting")
    rows: list[list[Hex | None]]


class Seen(BaseModel):
    """A product as it was seen somewhere."""

    a: Hex
    b: Hex | None = Field(None, description="missing for a chain")
    result: Hex
    residue: Hex | None = Field(None, description="compared too where it is given")
    checkpoints: list[tuple[int, Hex]] | None = Field(None, description="of a chain; compared where they are given")
    id: str = Field("", description="how the verdict is to call it")


class PrimeReference(BaseModel):
    """A modulus as documents name it."""

    modulus: Hex


class Results(BaseModel):
    """Results seen somewhere, with the multiplier that they are results of."""

    format: Literal["limbtrace/1"] = "limbtrace/1"
    model: str
    prime: str | int | PrimeReference | None = Field(
        description="catalogue name, integer, expression, or {modulus}; null for a model without modulus"
    )
    radix: str | None = Field(None, description="power of two; the model's default where it is missing")
    params: Settings = Field({}, description="parameters of the model")
    form: Form = "corrected"
    compare: Literal["result", "residue"] = Field("result", description="exact integers, or modulo the modulus")
    results: list[Seen] = Field(min_length=1)


class Field2(BaseModel):
    """The field of the elements x0 + x1*i."""

    name: Literal["fp2"]
    polynomial: Literal["i^2 + 1"]


class Fp2Operation(BaseModel):
    """One operation of the base field."""

    name: str = Field(description="what it defines; c0 and c1 are the result")
    kind: Literal["mul", "add", "sub"]
    x: Hex
    y: Hex
    result: Hex = Field(description="the exact integer that the model returns")
    value: Hex = Field(description="result modulo the modulus, on which the next operations work")
    product: str | None = Field(None, description="id of the same product in a vector set of the model")
    steps: list[Step] | None = Field(None, description="the trace of the product, where it was asked for")


class Fp2Case(BaseModel):
    """One product or square of elements [x0, x1]."""

    id: str = Field(pattern="^[0-9a-f]{16}$")
    a: list[Hex] = Field(min_length=2, max_length=2)
    b: list[Hex] | None = Field(None, min_length=2, max_length=2, description="none for a square")
    result: list[Hex] = Field(min_length=2, max_length=2)
    operations: list[Fp2Operation]


class Fp2Set(Multiplier, Document):
    """Products or squares in GF(p^2), each with the base-field operations that make it."""

    field: Field2
    id: str = Field(pattern="^[0-9a-f]{32}$", description="follows from the cases")
    op: Literal["mul", "sqr"]
    R: Hex | None = Field(description="of the model; results are then in its domain, where operands are")
    sequence: list[tuple[str, str, str, str]] = Field(description="name, kind, x and y of the operations, in order")
    seed: int | None = Field(ge=0, description="null where the operands were given")
    kind: str | None = Field(description="null likewise")
    numberOfTests: int = Field(ge=1)
    tests: list[Fp2Case] = Field(min_length=1)


VerificationRequest = Results | VectorSet | Trace | CycleTable | Fp2Set
"""What can be verified: results of one's own, or any document that limbtrace wrote."""


class Divergence(BaseModel):
    """Where something seen differs from the golden value."""

    case: str
    a: Hex
    b: Hex | None = Field(None, description="missing for a chain")
    cycle: int | None
    signal: str
    step: StepName | None
    expected: str
    seen: str = Field(description="may contain x where it comes from a simulator")
    replay: str = Field(description="a command that gives the golden values")
    place: str | None = Field(None, description="where in the document that was verified")


CertificateStatus = Literal["agrees", "disagrees", "other file", "other set", "broken"]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class CertifiedFile(BaseModel):
    """The file that was certified; of a folder, `sha256` is that of the lines `sha256sum` prints for its files."""

    name: str = Field(description="without its path")
    sha256: Sha256


class CertifiedSet(BaseModel):
    """The cases in that file, as the file states them."""

    id: str = Field(pattern="^[0-9a-f]{32}$")
    digest: str | None = Field(
        pattern="^sha256:[0-9a-f]{64}$", description="null where the file does not hold it: $readmemh, GF(p^2)"
    )
    op: Literal["mul", "sqr"] | None = Field(None, description="of cases in GF(p^2)")
    model: str
    form: Form
    radix: str | None
    params: Settings
    R: Hex | None = Field(description="null where the model has no such factor")


class RefereeVersions(BaseModel):
    """What recomputed the cases."""

    sage: str = Field(description="version of SageMath")
    package: str = Field(description="the Python package that brought it, with its version")
    pari: str = Field(description="version of PARI, which proved or factored the modulus")


class Factor(BaseModel):
    """A power of a proven prime."""

    prime: Hex
    exponent: int = Field(ge=1)


class CertifiedModulus(BaseModel):
    """What is known of the modulus."""

    modulus: Hex
    bits: int = Field(ge=2)
    finding: Literal["prime", "composite", "probable prime"]
    proof: str | None = Field(description="of a prime: PARI accepts it as primecertisvalid(proof)")
    factors: list[Factor] = Field(description="of a composite, as far as they were found")
    cofactor: Hex | None = Field(description="composite rest that was not factored")
    reason: str = Field(description="why there is no proof or no whole factorisation; empty where there is")


class Disagreement(BaseModel):
    """A statement of the file that SageMath does not confirm."""

    case: str | None = Field(description="id of the case, null for a statement of the head")
    place: str = Field(description="where in the file")
    statement: str = Field(description="key of `statements`")
    expected: str
    found: str


class Certificate(Document):
    """What SageMath says of a vector set or of cases in GF(p^2), recomputed in its own rings; no signature."""

    schema_: Literal["limbtrace-certificate-1.schema.json"] = Field(alias="schema")
    verdict: Literal["agrees", "disagrees"]
    file: CertifiedFile
    set: CertifiedSet
    cases: int = Field(ge=1, description="every case of the set was recomputed")
    ring: Literal["GF(p)", "Z/mZ", "GF(p^2)", "(Z/mZ)[i]"] = Field(
        description="the field where the modulus is proven prime, else the ring"
    )
    referee: RefereeVersions
    modulus: CertifiedModulus
    statements: dict[str, str] = Field(description="what was checked: in the head once, then in every case")
    disagreements: int = Field(ge=0, lt=1 << 31)
    first_disagreements: list[Disagreement] = Field(max_length=20)


class CertificateSummary(BaseModel):
    """A certificate in short, beside the set that it is about."""

    status: CertificateStatus
    file: str = Field(description="name of the certificate")
    detail: str = Field(description="one sentence")


class Verification(Document):
    """The verdict on a document."""

    verdict: Literal["pass", "fail"]
    kind: Literal["results", "vectors", "trace", "cycles", "fp2"]
    model: str
    form: Form
    prime: Prime | None
    radix: str | None
    params: Settings
    mended: list[str] = []
    verified: int = Field(ge=0, description="cases, steps or rows that were compared")
    mismatches: int = Field(ge=0)
    first_divergence: Divergence | None
    id: str | None = Field(None, description="id of the vector set that was verified")
    core: str | None = Field(None, description="core of the cycle table that was verified")
    certificate: CertificateSummary | None = Field(None, description="what lies beside the vector set, if anything")


class Problem(BaseModel):
    """Why a request was not served (RFC 9457)."""

    type: str = Field(description="kind of problem, a URN")
    title: str
    status: int = Field(ge=400, le=599)
    detail: str = Field(description="one sentence with the limit and what broke it")
    instance: str = Field(description="path of the request")
    parameter: str | None = Field(None, description="the parameter that cannot be served")


class Health(Document):
    """The service answers."""

    status: Literal["ok"]
    version: str
