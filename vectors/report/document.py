# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a simulation: what `limbtrace sim --json` writes, and what others may send.

A report may come from anywhere, so each text has a longest length and none has control characters. A member that a
later release has added has a default here: a report of an earlier one has none of them.
"""

from typing import Annotated, Literal

from limbtrace.vectors.code_coverage import CodeCoverage
from limbtrace.vectors.document import Document, Int, Otherwise, Shape, Told, member

# Without control characters, the ends of lines of Unicode, and what makes text run in the other direction. Lone
# surrogates are no text to pydantic.
_PLAIN = r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]*$"
MAX_NAME, MAX_LINE, MAX_COMMAND = 200, 20_000, 500_000
"""Characters of a name, of a sentence or a number, and of a command."""
MAX_COLUMNS, MAX_ROWS, MAX_SUBSCRIPTS, MAX_ENTRIES = 2000, 64, 16, 20_000
"""Watched signals, rows up to a difference, subscripts of a step, and entries of any other list."""
MAX_BITS = 200_000
"""Bits of an operand."""
MAX_WAVES, MAX_WAVE_CYCLES = 200, 256
"""Signals of an excerpt of a waveform, and its cycles."""


_SENTENCE = "{} is no text of at most %d printable characters in one line"
Name = Annotated[str, Told(pattern=_PLAIN, max_length=MAX_NAME), Otherwise(_SENTENCE % MAX_NAME, damage=False)]
Line = Annotated[str, Told(pattern=_PLAIN, max_length=MAX_LINE), Otherwise(_SENTENCE % MAX_LINE, damage=False)]
TESTBENCH_CLOCK = "u_shell.clk_i"
"""The clock of the testbench, for a core that has none with a port of its own."""
RESULT = "result"
"""The signal of a difference in a whole result."""
NO_REPLAY = "none was found that differs; the difference depends on what a command does not repeat"
"""The sentence in place of a command that differs."""
Command = Annotated[str, Told(pattern=_PLAIN, max_length=MAX_COMMAND), Otherwise(_SENTENCE % MAX_COMMAND, damage=False)]
Lines = Annotated[
    list[Line], Told(max_length=MAX_NAME), Otherwise(f"it must be a list of at most {MAX_NAME} sentences", damage=False)
]
Operand = Annotated[
    str,
    Told("integer in hexadecimal", pattern=r"^0x[0-9a-fA-F]+$", max_length=2 + MAX_BITS // 4),
    Otherwise(f"{{}} is not a hexadecimal integer such as 0x1f of at most {MAX_BITS} bits", damage=False),
]
Count = Annotated[int, Told(strict=True, ge=0, lt=1 << 64), Otherwise("{} is no count", damage=False)]
Number = Annotated[
    int, Told(strict=True, ge=-(1 << 64), lt=1 << 64), Otherwise("{} is no integer of 64 bits", damage=False)
]
Rate = Annotated[float, Told(ge=0, lt=1e18, allow_inf_nan=False, strict=True), Otherwise("{} is no rate", damage=False)]
Named = Annotated[
    dict[Name, Int | Name],
    Told(max_length=MAX_NAME),
    Otherwise("{} is no object of names and numbers", damage=False),
]
Names = Annotated[
    list[Name], Told(max_length=MAX_ENTRIES), Otherwise(f"it is no list of at most {MAX_ENTRIES} names", damage=False)
]
Shown = Annotated[
    str,
    Told("hexadecimal, with x and z for unknown digits", pattern=r"^0x[0-9a-fA-FxXzZ]+$", max_length=MAX_LINE),
    Otherwise("{} is not what a signal holds, such as 0x1f or 0x1x", damage=False),
]  # fmt: skip
StepBehind = Annotated[
    tuple[Name, Annotated[list[Number], Told(max_length=MAX_SUBSCRIPTS)]],
    Otherwise('{} is no step such as ["q", [1, 2]]', damage=False),
]


class SimulatedModulus(Shape):
    """The modulus of a run."""

    name: Name | None = member("name in the catalogue, null for any other modulus")
    modulus: Operand
    bits: Count
    primality: Literal["prime", "composite"]


class MiddleReset(Shape):
    """A reset in the middle of a product."""

    cycle: Number
    cycles: Count
    early: Annotated[bool, Told(strict=True)] | None = member(default=None)


class CloseGap(Shape):
    """A product right in front of this one, whose result nobody looked at."""

    cycles: Count = member("from the first cycle in which that one was done to the start")


class DisturbedProduct(Shape):
    """What is special about a product: how it was disturbed, or that it followed another one closely."""

    modulus: Operand | None = member("another modulus than that of the run", default=None)
    reset: MiddleReset | None = member(default=None)
    behind: CloseGap | None = member(default=None)


class SignedNumbers(Shape):
    """The numbers on the ports of operands in two's complement, which have the residues of a and b."""

    a: Line | None = member("missing where a is not signed", default=None)
    b: Line | None = member("missing where b is not signed", default=None)


class FirstDifference(Shape):
    """The first difference between a core and its golden data."""

    disturbed: DisturbedProduct | None = member(default=None)
    case: Count = member("number of the product")
    a: Operand
    b: Operand | None = member("missing where the model has no b", default=None)
    signed: SignedNumbers | None = member("for a core with signed operands", default=None)
    cycle: Number | None = member("from the one after the start (0); null where there is none")
    signal: Name = member("a watched signal, a signal of the handshake, result, or assertion")
    step: StepBehind | None = member("the step of the model behind the signal")
    expected: Line | None = member("null: no such event")
    seen: Line | None = member("may have x and z; null: no such event")
    reason: Line = member("the rule of a handshake that was broken, or what an assertion says", default="")
    replay: Command = member("a command that was seen to differ in this way; empty where none is")


class ProductBefore(Shape):
    """Operands of the product before or after another one."""

    a: Operand
    b: Operand | None = member("missing where the model has no b", default=None)


class PortWidths(Shape):
    """Bits of the ports of a core; null where a number is not on one port as it is."""

    a: Count | None = member(default=None)
    b: Count | None = member(default=None)
    result: Count | None = member(default=None)


class ObservedFact(Shape):
    """A fact about a wrong value."""

    kind: Name = member("a word that does not change, such as plus_p")
    text: Line


class ObservedDifference(Shape):
    """What the numbers of a difference say."""

    comment: Line = member("what is special about the operands", default="")
    before: ProductBefore | None = member(
        "the product before it in the run, where it is one of that modulus", default=None
    )
    after: ProductBefore | None = member("the product after it in the run, if it has that modulus", default=None)
    widths: PortWidths | None = member("what results are compared modulo powers of two by", default=None)
    right_at: Number | None = member(
        "cycles from the one in which the result was taken to the nearest one in which the port has the right result, "
        "in a simulation of this product alone; negative: before it",
        default=None,
    )
    observations: Annotated[list[ObservedFact], Told(max_length=MAX_ENTRIES)] = member(
        "the most specific one first", default=()
    )
    events: Names = member("what happens in the product, that near the difference first", default=())
    advice: Line = member("what else would show more of it", default="")


class DifferenceGroup(Shape):
    """Differences that have something in common, by --keep-going."""

    signal: Name
    step: Name | None = member("name of the step of the model behind the signal")
    kind: Literal["value", "unknown", "timing", "handshake", "event", "assertion"] = member(
        "value: it is a wrong number; unknown: it has x; timing: done in a wrong cycle; handshake: a rule of it was "
        "broken; event: it came too often or not; assertion: one of the core failed"
    )
    observation: Name | None = member("kind of the most specific observation", default=None)
    cases: Annotated[list[Count], Told(min_length=1, max_length=MAX_ENTRIES)] = member("all products of the group")
    difference: FirstDifference = member("the first of them")
    observed: ObservedDifference | None = member(default=None)


class Failures(Shape):
    """How many products differ, by --keep-going."""

    most: Count = member("differences after which the run ends")
    failed: Count = member("products that differ")
    products: Count = member("products that agree or differ")
    given_up: Count = member("products that are part of a stream in which another one differs", default=0)


class SeenRow(Shape):
    """The watched signals at the end of a cycle."""

    cycle: Number
    seen: Annotated[list[Shown], Told(max_length=MAX_COLUMNS)]
    golden: Annotated[list[Shown | None], Told(max_length=MAX_COLUMNS)] = member(
        "as in the golden table, null where any value will do; missing where there is no table", default=()
    )


class SeenRows(Shape):
    """The last rows up to the difference, earlier ones first."""

    columns: Annotated[list[Name], Told(max_length=MAX_COLUMNS)] = member("names of the watched signals")
    rows: Annotated[list[SeenRow], Told(max_length=MAX_ROWS)]


SignalKind = Annotated[
    Literal["register", "combinational"], Otherwise("{} is neither register nor combinational", damage=False)
]


class WatchedSignal(Shape):
    """What a waveform of the run calls a watched signal."""

    name: Name = member("with the scopes from the core on; an element of an array ends in its number, such as [3]")
    width: Count = member("in bits")
    kind: SignalKind


class PortOfNumber(Shape):
    """A port of a core that has a number as it is."""

    number: Literal["a", "b", "result"]
    name: Name = member("with the scopes from the core on")
    width: Count = member("in bits")
    modulo: Annotated[bool, Told(strict=True)] = member(
        "true: the difference has the residue of what is on the port, unless that is too large", default=False
    )


class WaveNames(Shape):
    """What a waveform of the run calls the signals that belong to the rows."""

    clock: Name = member("the rows are cycles of it; its rising edge ends a cycle")
    handshake: Annotated[list[Name], Told(max_length=MAX_WAVES)] = member("reset and ports of the handshake")
    signals: Annotated[list[WatchedSignal], Told(max_length=MAX_COLUMNS)] = member("in the order of the columns")
    operands: Annotated[list[PortOfNumber], Told(max_length=2)] = member(
        "ports that have an operand as it is, of a core without rows", default=()
    )
    result: PortOfNumber | None = member("port that has the result as it is, of a core without rows", default=None)
    finished: Name | None = member("port that is high when the result is there", default=None)
    started: Name | None = member(
        "port that is high when a product starts, where `latency` counts from it", default=None
    )
    latency: Count | None = member(
        "cycles from the start of a product to its result, where no port shows that it is there", default=None
    )
    behind: Count = member("cycles from the one in which that port has the result to that of the difference", default=0)


class ShownWave(Shape):
    """A signal of an excerpt of a waveform."""

    name: Name
    column: Name | None = member("the column of the rows; missing for a signal of the handshake", default=None)
    number: Count | None = member("number of that column, from 0", default=None)
    width: Count | None = member("in bits", default=None)
    kind: SignalKind
    cells: Annotated[list[Shown | None], Told(max_length=MAX_WAVE_CYCLES)] = member(
        "in each cycle; a register at its end, others during it; null before the first value"
    )


class ShownWaves(Shape):
    """The cycles around a difference, from a waveform of the run or of its replay."""

    first_cycle: Number = member("the cycle of the first cells, counted as in the rows")
    signals: Annotated[list[ShownWave], Told(max_length=MAX_WAVES)]
    missing: Names = member("columns that the waveform does not have", default=())
    clocked: Annotated[bool, Told(strict=True)] = member(
        "false: the core has no clock, and its cells are the moments in which something changed", default=True
    )


class EventSet(Shape):
    """Events that all failing products have and no other one."""

    kind: Literal["each", "any", "all"] = member(
        "each: each of them; any: one of these events, at any of its places; all: all of them together"
    )
    events: Names
    doubtful: Annotated[bool, Told(strict=True)] = member("true: so few products may share it by chance", default=False)


class ShrunkProducts(Shape):
    """The simplest products that were found to fail, one after the other."""

    products: Annotated[list[Annotated[list[Operand], Told(min_length=1, max_length=2)]], Told(max_length=MAX_ENTRIES)]
    events: Names = member("what happens in the last one")
    likely_cause: Names = member("what happens in every failing product and in no other one")
    cause: EventSet | None = member("the same, or where no event is so alone a set of events", default=None)
    simulations: Count
    replay: Command


class LatencyRange(Shape):
    """Different numbers of cycles from start to done within a run."""

    least: Count
    most: Count
    cases: Annotated[list[Count], Told(min_length=2, max_length=2)] = member("the first case with each of them")


class TriedModulus(Shape):
    """The outcome of a core at a modulus, by --moduli directed."""

    prime: SimulatedModulus
    reason: Line = member("why this one: a phrase about the modulus p, or that it was asked for")
    verdict: Literal["agrees", "differs"]
    verified: Count = member("products that agree")
    rebuilt: Annotated[bool, Told(strict=True)] = member("true: it took another build of the core", default=False)


class ReportDocument(Document):
    """The report of a simulation."""

    core: Name
    model: Name
    simulator: Name
    mode: Name
    verified: Count = member("products that agree")
    mismatches: Literal[0, 1]
    cycles: Count
    latency: LatencyRange | None = member(
        "cycles from start to done; only if they are known and differ between products",
        default=None,
    )
    signals: Count = member("watched signals that are compared; 0: results only")
    seed: Number
    products_per_second: Rate
    disturbances: Annotated[dict[Name, Count], Told(max_length=MAX_NAME)] = member("how often each kind happened")
    warnings: Lines | None = member(
        "sentences about what does not count as a difference, but may surprise", default=None
    )
    not_tried: Lines | None = member("what a run without a difference did not try, as noun phrases", default=None)
    first_divergence: FirstDifference | None
    prime: SimulatedModulus | None
    radix: Name | None
    params: Named
    build: Named = member("RTL parameters")
    count: Count
    operands: Annotated[list[Command], Told(max_length=MAX_ENTRIES)] = member(
        "given products, in place of a kind", default=()
    )
    kind: Name | None = member(default=None)
    exhausted: Count | None = member(
        "all products of the modulus, where the run has every pair of operands that core and model take", default=None
    )
    stream: Count | None = member("products of a stream, where the core takes several", default=None)
    rows: SeenRows | None = member("what the core showed up to the difference", default=None)
    wave_names: WaveNames | None = member("where the rows are in a waveform", default=None)
    shrunk: ShrunkProducts | None = member("by --shrink", default=None)
    code_coverage: CodeCoverage | None = member("by --code-coverage", default=None)
    observed: ObservedDifference | None = member("what the numbers of the first difference say", default=None)
    failures: Failures | None = member("by --keep-going", default=None)
    differences: Annotated[list[DifferenceGroup], Told(max_length=MAX_ENTRIES)] = member(
        "all differences in groups, in the order in which they were found; by --keep-going", default=()
    )
    moduli: Annotated[list[TriedModulus], Told(max_length=MAX_ENTRIES)] = member(
        "by --moduli directed: all of them, while the rest of the report is about the one that differs, or the first",
        default=(),
    )
    waves: ShownWaves | None = member("what `limbtrace waves` found in a waveform", default=None)
