# SPDX-License-Identifier: Apache-2.0
"""The JSON documents of the catalogue: models, moduli, cores, errata, figures."""

from typing import Any, Literal

from limbtrace.vectors.document import Document, Form, Hex, MultiplierShape, PrimeShape, Settings, Shape, member
from limbtrace.vectors.proof import ProofDocument

Standing = Literal["erratum", "remark", "uncertain"]
PaperVerdict = Literal["agrees", "differs", "measured elsewhere", "other work"]


class PrimeEntry(PrimeShape):
    """A modulus with its source."""

    source: str
    note: str
    aliases: list[str] = member("further names; a curve's mean its base field", default=())


class PrimeDocument(PrimeEntry, Document):
    """One modulus."""


class PrimeList(Document):
    """The catalogue of moduli."""

    primes: list[PrimeEntry]


class Constants(MultiplierShape, Document):
    """The constants of a multiplier."""


class ParameterShape(Shape, name="Parameter"):
    """A parameter of a model; default and range are text for readers."""

    name: str
    aliases: list[str]
    meaning: str
    default: str
    range: str


class Fitting(Shape):
    """What holds for a model or core at the modulus and the radix that a list was asked for."""

    prime: PrimeShape | None = member("the modulus; if only a width or a radix was asked for, one that is taken")
    radix: str | None
    R: Hex | None = member("null if the result is congruent to a * b", default=None)
    constants: list[str] = member("names of those that a core may need, with values at /v1/constants", default=())
    parameters: list[ParameterShape] = member("with their values and ranges there")
    url: str = member("a request for it over HTTP, without the address of the service")


class ModelSummary(Shape):
    """A model in short."""

    id: str
    title: str
    source: str
    forms: list[Form]
    operands: dict[str, str] = member("ranges of a, b (where there is one) and result, in the paper's symbols")
    fitting: Fitting | None = member("in a list that was asked for a modulus, a radix or a width", default=None)


class ModelList(Document):
    """Every model."""

    models: list[ModelSummary]


class SymbolShape(Shape, name="Symbol"):
    """A name of the trace vocabulary."""

    name: str
    index: str
    meaning: str
    range: str


class ClaimShape(Shape, name="Claim"):
    """A statement about every step of that name, or about the result if step is null.

    `proof` is `intervals` if interval arithmetic on the loop proves it for all operands of some shapes of the model,
    else `tests`.
    """

    name: str
    step: str | None
    statement: str
    reference: str
    proof: Literal["intervals", "tests"]


class ProofShape(Shape, name="ProofOfStatement"):
    """How a statement about a model is proved for all operands."""

    by: Literal["intervals", "solver", "exhaustive", "reason"] = member(
        "intervals: interval arithmetic on the loop; solver: bitwuzla; exhaustive: all operands were tried; "
        "reason: an argument in words"
    )
    parameters: str = member("for which parameters, as options of the command line or in words")


class ProvedShape(Shape, name="ProvedStatement"):
    """A claim that holds for all operands, or an event that none of them makes happen."""

    kind: Literal["claim", "event"] = member("event: it never happens at these places")
    name: str = member("of the claim or the event")
    statement: str
    places: list[str] = member("of an event, with its subscripts; empty for a claim")
    reason: str | None = member("why an event never happens, where the model says it")
    proofs: list[ProofShape] = member("empty for a claim that is tested alone")


class ModelDocument(ModelSummary, Document):
    """One model."""

    pseudocode: str | None = member("the algorithm in a few lines of Python; null if it is not written")
    parameters: list[ParameterShape]
    steps: list[SymbolShape]
    claims: list[ClaimShape]
    errata: list[str] = member("ids of errata and remarks on its paper")
    standing_of: dict[str, Standing] = member("the standing of each of them")
    proved: list[ProvedShape] = member("every claim, the closed form, and events that never happen")


class EventExample(Shape):
    """Operands that make an event happen."""

    event: str = member("with its subscripts")
    a: Hex
    b: Hex | None = member("missing where the model has none", default=None)
    result: Hex
    command: str
    url: str = member("the same over HTTP, without the address of the service")


class Unreached(Shape):
    """Subscripts at which an event does not happen, as far as is known."""

    indices: list[list[int]]
    reason: str


class EventShape(Shape, name="Event"):
    """Something that can happen inside a product, where it can, and operands that make it happen."""

    name: str
    statement: str
    hunts: str = member("the fault that it finds")
    source: str
    indices: int | None = member("subscripts at which it was looked for; null without a modulus", default=None)
    reachable: int | None = member("at so many of them it happens", default=None)
    example: EventExample | None = member("at the first one at which it happens", default=None)
    unreachable: list[Unreached] = member("where it cannot happen, by reason")
    not_found: list[Unreached] = member("where it is not known whether it can")


class EventsDocument(Document):
    """The events of a model, and where they happen at given parameters."""

    model: str
    multiplier: MultiplierShape | None = member("null where no modulus was given")
    events: list[EventShape]


class CoreSummary(Shape):
    """A hardware architecture in short."""

    id: str
    title: str
    source: str
    model: str
    fitting: Fitting | None = member("in a list that was asked for a modulus, a radix or a width", default=None)


class CoreList(Document):
    """Every architecture."""

    cores: list[CoreSummary]


class SignalShape(Shape, name="Signal"):
    """A watched signal."""

    name: str
    kind: Literal["register", "combinational"]


class CostShape(Shape, name="Cost"):
    """A cost as a formula, its value for an example, and the published figures."""

    name: str
    unit: str
    formula: str
    example: dict[str, str | int | None]
    published: dict[str, Any] | None


class KeptProof(Shape):
    """A proof of the core at one of its published sizes."""

    prime: str = member("the modulus, as it was asked for")
    settings: Settings = member("settings of the model, as they were asked for")
    command: str = member("the command that makes it again")
    proof: ProofDocument


class SlowestPath(Shape):
    """The path between registers that limits the clock; a port is that of the core, with a register outside it."""

    start: str = member("a register or memory of the core, or `port` with its name")
    end: str
    levels: int = member("cells on the way, a carry chain being one")
    logic: float = member("nanoseconds in cells, with those of both registers")
    routing: float = member("nanoseconds between cells")


class RoutedShape(Shape, name="Routed"):
    """The clock frequency of the core at one of its published sizes, after place and route by nextpnr."""

    core: str
    parameters: dict[str, int | Hex] = member("parameters of the RTL")
    device: str = member("with its speed grade")
    mhz: float = member("of all paths, with a register at each port", gt=0)
    inside: float | None = member("MHz of the paths between registers of the core, null if there are none")
    path: SlowestPath
    area: dict[str, int] = member("of the core alone; a carry cell is two LUTs, RAMW writes LUTs used as memory")
    tool: str


class CoreDocument(CoreSummary, Document):
    """One architecture."""

    parameters: list[ParameterShape]
    first_cycle: int
    signals: list[SignalShape]
    costs: list[CostShape]
    proofs: list[KeptProof] = member("what was proved of it for all operands, and what was trusted")
    routes: list[RoutedShape] = member("its clock frequency after place and route")


class ErratumRequest(Shape):
    """A command and a URL that demonstrate an erratum."""

    form: Form | None = member("form of the model, null if none is traced")
    command: str
    url: str = member("the same over HTTP, without the address of the service")
    result: Hex | None = member("the result that it shows", default=None)


class WitnessShape(Shape, name="Witness"):
    """One of several products that demonstrate an erratum."""

    id: str = member("an id of its own, which /v1/errata/ID takes for that of the erratum")
    example: dict[str, Any]
    requests: list[ErratumRequest] = member("requests that show it, the printed form first")


class ErratumShape(Shape, name="Erratum"):
    """An error in a paper, or a remark on it, demonstrated by a product, a circuit, a formula or a figure."""

    id: str
    models: list[str]
    kind: Literal["form", "claim", "formula", "operation", "figure", "statement", "circuit", "text"] = member(
        "how it is demonstrated"
    )
    standing: Standing = member("`standings` of /v1/errata says what each means")
    place: str = member("where the quotation is in the paper")
    quote: str = member("the paper's own words at that place, `[...]` between parts; ^{} superscripts, _{} subscripts")
    printed: str = member("what the paper says, in the notation of the models")
    corrected: str = member("what is right; of a remark, what is to be added")
    claim: str | None
    example: dict[str, Any]
    command: str
    requests: list[ErratumRequest] = member("requests that show it, the printed form first")
    witnesses: list[WitnessShape] = member("all products that show it, each alone; empty if there is one")


class ErratumDocument(ErratumShape, Document):
    """One erratum."""


class ErrataDocument(Document):
    """Every erratum and remark, or those of one standing."""

    errata: list[ErratumShape]
    standings: dict[Standing, str] = member("what each standing means")
    right: dict[str, str] = member("withdrawn numbers of the lists, and why the paper is right there")


class DefectShape(Shape, name="Defect"):
    """A public fault of modular arithmetic, with an emulation at the parameters that the code or core had."""

    id: str
    title: str
    year: int = member("when it was found or made public")
    identifier: str = member("CVE, issue or commit; empty where the source alone names it")
    source: str = member("the description of the fault")
    place: str = member("the function, file or module")
    mechanism: str = member("the mechanism that is wrong; `mechanisms` of /v1/defects says what each means")
    hardware: bool = member("true of RTL, false of software")
    statement: str = member("what is wrong")
    rate: str = member("how often uniform operands show it")
    model: str = member("the model whose result is right")
    prime: str = member("the modulus of the emulation, as `--prime` takes it")
    settings: dict[str, int | str] = member("of the model")
    a: Hex = member("an operand that shows it")
    b: Hex | None = member("the other one; null where the model takes none")
    right: Hex = member("the result of the model")
    wrong: Hex = member("the result of the emulation")
    first: dict[str, int | None] = member("by kind of operands, the first case that shows it; null where none does")
    command: str = member("prints the vector set that shows it first")
    simulation: str | None = member("runs a core with the fault, in RTL, until it shows; null for software")


class DefectDocument(DefectShape, Document):
    """One of them."""


class DefectsDocument(Document):
    """The atlas of defects."""

    mechanisms: dict[str, str] = member("what is wrong with each")
    cases: int = member("cases of each kind of operands that were tried", ge=1)
    seed: int = member("of these cases")
    defects: list[DefectShape]


class SitesShape(Shape, name="Sites"):
    """The six-input LUTs of a device that a core occupies, each counted once where it holds two functions."""

    logic: int = member("those that hold LUT cells; an upper bound", ge=0)
    through: int = member("those that only pass a signal on to a carry chain or MUXF7", ge=0)
    memory: int = member("those of memories and shift registers", ge=0)


class Synthesis(Shape):
    """The area of a core of ours, out of context, measured with a different tool than the paper's."""

    core: str
    parameters: dict[str, int | Hex] = member("parameters of the RTL")
    family: str
    tool: str
    value: int = member(ge=0)
    sites: SitesShape | None = member("of LUTs, null of another resource and where nobody counted them")


class Routing(Shape):
    """The frequency or clock period of a core of ours after place and route, on another device than the paper's."""

    core: str
    parameters: dict[str, int | Hex] = member("parameters of the RTL")
    device: str
    tool: str
    value: float = member("in the unit of the figure", gt=0)
    lut_ns: float = member("LUTs of this device, two for a carry cell, times the clock period in nanoseconds", ge=0)
    published_lut_ns: float | None = member("the same of the paper's design, null where its LUTs are not printed there")


class FigureShape(Shape, name="Figure"):
    """A printed figure, and its expected value."""

    table: int
    design: str
    bits: int | None = member("width of the modulus, null if the figure does not depend on it")
    k: int | None = member("bits of a digit, null if the figure does not depend on it")
    metric: str
    unit: str
    published: str = member("as printed: a number, or an expression")
    ours: str | None = member("our value, null without a formula")
    formula: str | None = member("formula of our value")
    verdict: PaperVerdict
    erratum: str | None = member("id of the erratum that explains the difference")
    note: str
    synthesis: list[Synthesis] = member("areas of our cores, beside an area from the vendor's tools")
    routing: list[Routing] = member("clocks of our cores, beside a frequency or a period from the vendor's tools")


class PaperTables(Shape):
    """The figures of one paper."""

    id: str
    source: str
    count: dict[PaperVerdict, int]
    figures: list[FigureShape]


class Tables(Document):
    """Figures printed in papers, with our values beside them."""

    schema: Literal["limbtrace-tables-1.schema.json"]
    verdicts: dict[PaperVerdict, str] = member("what each verdict means")
    papers: list[PaperTables]
