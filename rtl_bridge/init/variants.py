# SPDX-License-Identifier: Apache-2.0
"""Other descriptions of a core that its ports allow, in the order in which they are worth a simulation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product, zip_longest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.description.writer import FILL_IN, Draft, DraftLine
from limbtrace.rtl_bridge.init.comment_values import BARRETT, INVERSE, POSITIVE_INVERSE, SQUARE
from limbtrace.rtl_bridge.init.inference import Guess
from limbtrace.rtl_bridge.init.port_roles import BY_NAME
from limbtrace.rtl_bridge.init.ways import Described
from limbtrace.rtl_bridge.interface.module_ports import Sketch, SketchPort
from limbtrace.rtl_bridge.interface.port_pool import ENABLE, READY, level, plain
from limbtrace.rtl_bridge.protocols import PROTOCOLS, kinds

MOST_VARIANTS = 24
MOST_OPEN = 2
"""Inputs without a meaning for which values are tried."""
MOST_COUNTED = 4
"""A port that counts bits holds no more than that many times the bits of the modulus."""
MOST_LATENCY = 64
"""Cycles from operands to their result, where no port shows that it is there."""

BOUNDS = {"redc": ("p * R", "p * R // 2", "p^2"), "reduce": ("p^2", "(p - 1)^2 + 1")}
"""By the model of a reducer, bounds of its operand besides the width of the port.

Without a factor R, operands below p say nothing: they are their own residues.
"""

AGREES = "products agree with this value"
"""The reason of a value that was tried, once products do agree with it."""


@dataclass(frozen=True)
class Variant:
    """A description without open lines, but for a latency."""

    guess: Guess
    draft: Draft
    """Its lines that were tried say that products agree with them, which is for a trial to confirm."""
    what: str
    """How it differs from the first guess, for people."""

    def unconfirmed(self, *, explained: bool) -> Draft:
        """The draft if products do not agree with it: what was tried says so, and values of inputs are open again.

        The values stay where a formula explains the results.
        """
        tables = ((name, tuple(_unconfirmed(line, explained) for line in lines)) for name, lines in self.draft.tables)
        return replace(self.draft, tables=tuple(tables))

    @property
    def latency_open(self) -> bool:
        """True if the latency has to be found."""
        return self.draft.open == ["protocol.latency"]

    def changed(self, what: str, *lines: tuple[str, DraftLine]) -> "Variant":
        """The variant with other lines, each with its table."""
        draft = self.draft
        for table, line in lines:
            draft = draft.with_line(table, line)
        return replace(self, draft=draft, what=", ".join(filter(None, (self.what, what))))


def _unconfirmed(line: DraftLine, explained: bool) -> DraftLine:
    """The line where products do not agree, but perhaps are explained by a formula."""
    if line.guess == AGREES and not explained:
        what = "its constant value; products agree with none of those that were tried"
        return replace(line, value=FILL_IN, guess="", open=what)
    tried = line.guess.startswith("products agree")
    return replace(line, guess="one of those that were tried") if tried else line


def variants(sketch: Sketch, ways: Sequence[Described]) -> Iterator[Variant]:
    """The first guess, and others, those of each way in turn; the first one may be incomplete, and is left out then."""
    each = [_variants(sketch, described) for described in ways]
    return (variant for turn in zip_longest(*each) for variant in turn if variant is not None)


def _variants(sketch: Sketch, described: Described) -> Iterator[Variant]:
    found = (
        complete
        for base in _handshakes(sketch, described)
        for complete in _with_inputs(base)
        if not complete.draft.open or complete.latency_open
    )
    return islice(found, MOST_VARIANTS)


def _handshakes(sketch: Sketch, described: Described) -> Iterator[Variant]:
    """Each protocol that the ports allow with widths as they are guessed, and then with those of the defaults."""
    pinned = sketch.pinned
    shapes = [(sketch, ""), *([(pinned, "widths by the defaults of the parameters")] if pinned != sketch else [])]
    for shape, what in shapes:
        bases = list(_protocols(shape, described, what))
        yield from bases
        for base in bases:
            if "protocol.done" in base.draft.open:
                yield from _enabled(base)
                yield replace(base, draft=_without_done(base.draft))
            yield from _details(base)


def _without_done(draft: Draft, since: str = "the start") -> Draft:
    """The draft of a core whose result is there after a number of cycles, which has to be found."""
    line = DraftLine("latency", FILL_IN, open=f"cycles from {since} to the result, a formula")
    return draft.without("protocol", "done").with_line("protocol", line)


def _enabled(base: Variant) -> Iterator[Variant]:
    """A start that may be an enable of all registers held at 1, so that results follow their operands."""
    start = base.guess.roles.protocol.handshake.get("start")
    if start is not None and ENABLE.search(plain(start.name)):
        draft = _without_done(base.draft.without("protocol", "start"), "the operands")
        lines = (DraftLine("port", start.name, note=start.comment), DraftLine("value", 1, guess="held at 1"))
        what = ", ".join(filter(None, (base.what, f"{start.name} = 1")))
        yield replace(base, draft=draft.with_table("[input]", *lines), what=what)


def _protocols(sketch: Sketch, described: Described, what: str) -> Iterator[Variant]:
    first = described(sketch, "")
    best = first.roles.protocol.kind
    yield Variant(first, first.draft, what)
    for kind in reversed(kinds()):
        if kind != best:
            try:
                guess = described(sketch, kind)
            except (LookupError, ParameterError):
                continue
            yield Variant(guess, guess.draft, ", ".join(filter(None, (f"protocol {kind}", what))))


def _details(base: Variant) -> Iterator[Variant]:
    """A protocol with other details of its constants, its handshake or its memories."""
    keys = PROTOCOLS[base.guess.roles.protocol.kind].model_fields
    handshake = base.guess.roles.protocol.handshake
    if "idle" in keys and handshake.get("done") and base.guess.sketch.reset is None:
        line = DraftLine("idle", "any", guess="without a reset, it is unknown until the first start")
        yield base.changed("done not looked at without a product", ("protocol", line))
    yield from _inverses(base)
    if "held" in keys and handshake.get("start") and handshake.get("done"):
        line = DraftLine("held", value=True, guess="products agree with the start held until done, and not without")
        yield base.changed("start and operands held until done", ("protocol", line))
    ready = _ready(base.guess)
    if "busy" in keys and ready is not None and "busy" not in handshake:
        line = DraftLine("busy", f"!{ready.name}", guess="by its name")
        yield base.changed(f"busy while {ready.name} is low", ("protocol", line))
    yield from _memories(base)
    yield from _orders(base)
    if (bounds := BOUNDS.get(base.guess.model or "")) is not None:
        for bound in bounds:
            line = DraftLine("below", bound, guess="products agree with operands below this, and not with larger ones")
            yield base.changed(f"operands below {bound}", ("settings", line))


def _inverses(base: Variant) -> Iterator[Variant]:
    """The inverse of p with the other sign, where a name alone says that an input is one."""
    for at, lines in enumerate(_inputs(base.draft)):
        names = [line.value for line in lines if line.key == "port"]
        port = next((found for found in base.guess.sketch.ports if found.name in names), None)
        for line in lines:
            if line.key == "value" and port is not None and line.guess == BY_NAME:
                old = str(line.value)
                new = old.removeprefix("-") if old.startswith("-p^-1") else ""
                if old == INVERSE:
                    new = base.guess.constant(port, POSITIVE_INVERSE)
                if new:
                    changed = replace(
                        line, value=new, guess="products agree with this sign, and not with the other one"
                    )
                    what = ", ".join(filter(None, (base.what, f"{port.name} = {new}")))
                    yield replace(base, draft=base.draft.with_line("[input]", changed, at), what=what)


def _ready(guess: Guess) -> SketchPort | None:
    """An output that may say that the core takes a start: one without a purpose, or its done."""
    done = guess.roles.protocol.handshake.get("done")
    outputs = [port for port in (*guess.roles.left, *([done] if done else [])) if port.direction == "output"]
    return next((port for port in outputs if port.has_one_bit and READY.search(port.name.lower())), None)


def _memories(base: Variant) -> Iterator[Variant]:
    """Orders of words and latencies of memories that the core addresses."""
    if not base.guess.roles.read and base.guess.roles.written is None:
        return
    for order, latency in (("high-first", 1), ("low-first", 0), ("high-first", 0)):
        draft = base.draft
        tables = []
        for name, lines in draft.tables:
            lines = tuple(replace(line, value=order) if line.key == "order" else line for line in lines)
            if any(line.key == "address" for line in lines):
                lines = tuple(replace(line, value=latency) if line.key == "latency" else line for line in lines)
            tables.append((name, lines))
        what = f"{order} words in its memories" + (", which answer at once" if latency == 0 else "")
        what = ", ".join(filter(None, (base.what, what)))
        yield replace(base, draft=replace(draft, tables=tuple(tables)), what=what)


def _orders(base: Variant) -> Iterator[Variant]:
    """A result that comes in words without addresses, the high word first; and operands, too."""
    result = next((lines for name, lines in base.draft.tables if name == "result"), ())
    keys = {line.key for line in result}
    if "words" not in keys or keys & {"address", "order"}:
        return
    line = DraftLine("order", "high-first", guess="products agree with this order, and not with the other one")
    yield base.changed("the high word of the result first", ("result", line))
    if "order" in PROTOCOLS[base.guess.roles.protocol.kind].model_fields:
        yield base.changed("high words first", ("result", line), ("protocol", line))


def _with_inputs(base: Variant) -> Iterator[Variant]:
    """A variant as it is, or with values for up to MOST_OPEN inputs without a meaning."""
    inputs = [(at, lines) for at, lines in enumerate(_inputs(base.draft)) if any(line.open for line in lines)]
    if not inputs:
        yield base
        return
    if len(inputs) > MOST_OPEN:
        return
    ports = {port.name: port for port in base.guess.roles.left}
    values = [list(_values(base.guess, ports[str(lines[0].value)])) for _, lines in inputs]
    for chosen in product(*values):
        draft, said = base.draft, []
        for (at, lines), value in zip(inputs, chosen, strict=True):
            draft = draft.with_line("[input]", DraftLine("value", value, guess=AGREES), at)
            said.append(f"{lines[0].value} = {value}")
        what = ", ".join(filter(None, (base.what, *said)))
        yield replace(base, draft=draft, what=what)


def _inputs(draft: Draft) -> list[tuple[DraftLine, ...]]:
    return [lines for name, lines in draft.tables if name == "[input]"]


def _values(guess: Guess, port: SketchPort) -> Iterator[str | int]:
    """Constants that an input may be, those first that are met most often on a port of its width."""
    if port.has_one_bit:
        yield from (1, 0) if level(port) != port.name else (0, 1)
        return
    yield from dict.fromkeys([*_by_width(guess, port), *_constants(guess, port), 0, "N"])


def _by_width(guess: Guess, port: SketchPort) -> Iterator[str | int]:
    """Constants that a width suggests: a count of bits, more bits than the modulus has, or its high bits."""
    full = guess.roles.full_width_port
    if full is None:
        return
    if 1 << port.width <= MOST_COUNTED * full.width:
        yield "N"
        yield 0
    elif port.width > full.width:
        yield BARRETT
    if not guess.roles.modulus_shows and not guess.fixes_modulus:
        yield "p"
        if port.width < full.width:
            yield f"p // 2^(N - {port.width})"


def _constants(guess: Guess, port: SketchPort) -> Iterator[str]:
    """The constants of a model with an R; without one the inverses alone, with which the results may show an R.

    A core with its modulus inside has its inverse there, too.
    """
    if not guess.tried.multipliers:
        return
    if guess.tried.multipliers[0].params.domain is None:
        positive = guess.constant(port, POSITIVE_INVERSE)
        yield from () if guess.fixes_modulus else (f"-{positive}", positive)
        return
    yield guess.constant(port, INVERSE)
    yield guess.constant(port, POSITIVE_INVERSE)
    yield SQUARE
    yield "R mod p"
