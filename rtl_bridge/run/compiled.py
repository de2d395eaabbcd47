# SPDX-License-Identifier: Apache-2.0
"""Golden data of mode fast as C: a program computes what rows, events and the result of a stream have to be.

Everything here has a slower way, product by product through the comparator, which says the same of a core.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from limbtrace.refmodels.architecture import Plan
from limbtrace.refmodels.program import Program, of_architecture, of_model
from limbtrace.rtl_bridge.binding.bound import Watch
from limbtrace.rtl_bridge.run.golden import schedule
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.compiled.build import kept
from limbtrace.vectors.compiled.c import WORD, FrameSlot, ProgramText, limbs, source, words
from limbtrace.vectors.compiled.cells import BitField, cell, fixed, image
from limbtrace.vectors.library.request import MAX_TERMS, MAX_WORK

FEWEST, FEWEST_COMPILED = 1000, 4000
"""Streams from which on a library pays that is in the cache, and one that is not there yet, which later runs find."""
MAX_WORDS = 1 << 20
"""Most words of 64 bits of an image."""

_TEXT = """#include <stddef.h>
#include <stdint.h>
#include <string.h>

{limbs}
{programs}
static const uint64_t lt_masks[] = {{{masks}}};

static void lt_golden_image(const uint64_t *a, const uint64_t *b, uint64_t *frame, uint64_t *image) {{
  (void)a; (void)b;
{calls}  lt_image(frame, image);
}}

{events}/* struct Golden of fast.cpp. */
struct lt_golden {{
  void (*image)(const uint64_t *, const uint64_t *, uint64_t *, uint64_t *);
  const uint64_t *masks;
  const uint32_t *events;
  uint32_t frame_words, image_words, a_words, b_words, cycles, least, most, event_count, end_rows, end_at;
}};
extern const struct lt_golden lt_golden;
const struct lt_golden lt_golden = {{lt_golden_image, lt_masks, lt_events, {sizes}}};
"""


def worthwhile(run: Run) -> Path | None:
    """As `library`, but also None if it would take longer than it saves."""
    if run.stimulus.streams < FEWEST:
        return None
    return library(run, make=run.stimulus.streams >= FEWEST_COMPILED)


def library(run: Run, *, make: bool = True) -> Path | None:
    """The library of a run's golden data; None if there is none, nor, if it may not `make` one, in the cache.

    Raises ToolError where a compiler fails.
    """
    written = text(run)
    return None if written is None else kept(written, f"{run.bound.core.file.name}-golden", make=make)


def text(run: Run) -> str | None:
    """The C text of a run's golden data; None if there is none, or if it would be too large.

    It defines `lt_golden`, a `struct Golden` of cpp/fast.cpp.
    """
    bound = run.bound
    if (
        run.job.service is not None
        or bound.multiplier.model.work(bound.multiplier.params) * len(bound.starts) > MAX_WORK
    ):
        return None
    try:
        frame = _frame(run)
    except TypeError:  # digits of operands that are chosen by branches
        return None
    if frame is None:
        return None
    image_of = _Image(run, frame)
    if image_of.words > MAX_WORDS or image_of.narrow:
        return None
    masks = [BitField(part.at, part.width, -1) for part in image_of.parts]
    compared = [bits for part in image_of.parts for bits in part.shown]
    plan = bound.plan
    sizes = (
        frame.words,
        image_of.words,
        frame.operand_words("a"),
        frame.operand_words("b"),
        image_of.cycles,
        plan.cycles if plan else 0,
        plan.cycles if plan else bound.most,
        len(image_of.events),
        image_of.end_rows,
        image_of.end_at,
    )
    return _TEXT.format(
        limbs=limbs(),
        programs=frame.text + image(compared, image_of.words, "lt_image"),
        masks=", ".join(f"UINT64_C({mask:#x})" for mask in fixed(masks, image_of.words)),
        events=_events_text(image_of.events),
        calls=frame.calls,
        sizes=", ".join(map(str, sizes)),
    )


def _events_text(events: Sequence["_Event"]) -> str:
    rows = ", ".join(str(number) for event in events for number in event)
    return f"static const uint32_t lt_events[] = {{{rows or '0'}}};\n"


class _Event(NamedTuple):
    """struct Event of fast.cpp: the rows of one `when` and one watched signal."""

    word: int
    """Word of a row with the bit of the `when`."""
    bit: int
    at: int
    """Word of the image at which the rows of these events begin."""
    number: int
    """Number of events in a stream."""


class _ComparedBits(NamedTuple):
    """Bits of an image that are compared."""

    at: int
    width: int
    shown: list[BitField]


class _Image:
    """The compared data of a stream, in words: rows by cycle, rows by event, the last row, and the result.

    Rows have the places of a signal in a row of the shell, and whole words.
    """

    def __init__(self, run: Run, frame: "_Frame") -> None:
        self.run, self.frame = run, frame
        self.events: list[_Event] = []
        self.parts: list[_ComparedBits] = []
        self.narrow = False
        """True if a signal has no room for all values that it is compared with, so that its bits are not all of it."""
        self._row = words(run.comparator.row_width)
        plan = run.bound.plan
        self.cycles = plan.cycles if plan else 0
        """Rows from cycle 0 on."""
        self.words = self.cycles * self._row
        if plan is not None:
            self._cells(plan)
        for watch in run.comparator.event_watches:
            self._event(watch)
        self.end_at, self.end_rows = self.words, int(bool(run.comparator.result_watches))
        """Place of the row of the last cycle, if signals are compared in it."""
        for watch in run.comparator.result_watches:
            self._put(watch, self.end_at, frame.values(watch.row.step or "")[-1])
        self.words += self.end_rows * self._row
        width = run.shell.result_width
        self.parts.append(_ComparedBits(WORD * self.words, width, list(_results(run, frame, WORD * self.words))))
        self.words += words(width)

    def _cells(self, plan: Plan) -> None:
        """Every cell that is compared. A signal that is wider than its column is 0 above it."""
        assert self.frame.whole is not None
        for watch, offset in self.run.comparator.cycle_watches:
            self.narrow |= watch.width < plan.columns[watch.schedule_column].width
            for cycle in range(plan.cycles):
                at = WORD * self._row * cycle + offset
                if (shown := cell(plan, watch.schedule_column, cycle, self.frame.whole.steps, at)) is not None:
                    self.parts.append(_ComparedBits(at, watch.width, shown))

    def _event(self, watch: Watch) -> None:
        """The values of one row of core.toml, one after the other."""
        values = self.frame.values(watch.row.step or "")
        word, bit = divmod(self.run.shell.when_offset(watch.row.when or ""), WORD)
        self.events.append(_Event(word, bit, self.words, len(values)))
        for value in values:
            self._put(watch, self.words, value)
            self.words += self._row

    def _put(self, watch: Watch, row: int, value: FrameSlot | int) -> None:
        """A value in the place of a signal, in the row that begins with a word."""
        bits, signed = (value.bits, value.signed) if isinstance(value, FrameSlot) else (value.bit_length(), value < 0)
        self.narrow |= bits > watch.width or signed
        at = WORD * row + self.run.shell.offset(watch)
        self.parts.append(_ComparedBits(at, watch.width, [BitField(at, watch.width, value)]))


@dataclass(frozen=True)
class _Frame:
    """The values of a stream: those of a schedule, and behind them for every product those of its own loop."""

    whole: ProgramText | None
    """A stream by its schedule."""
    each: ProgramText | None
    """One product by the loop of the model: digits of its result or the result, then steps that rows are compared with.
    """
    named: Sequence[str]
    """Names of these steps, in order."""
    products: int

    @property
    def text(self) -> str:
        return "".join(program.text for program in (self.whole, self.each) if program)

    @property
    def words(self) -> int:
        """64-bit words of all of it."""
        return self._each_at(self.products if self.each else 0)

    @property
    def _operands(self) -> dict[str, int]:
        """64-bit words of an operand of one product, by its letter, in order."""
        program = self.whole or self.each
        assert program is not None
        return {name[0]: words for name, words in program.operands.items() if name[1:] == "0"}

    def operand_words(self, letter: str) -> int:
        """64-bit words of the operands a or b of a stream."""
        return self._operands.get(letter, 0) * self.products

    @property
    def calls(self) -> str:
        """C statements that compute it from a and b."""
        sizes = self._operands
        operands = ", ".join(
            f"{letter} + {number * size}" for number in range(self.products) for letter, size in sizes.items()
        )
        lines = [f"const uint64_t *const operands[] = {{{operands or '0'}}};"]
        if self.whole:
            lines.append("lt_steps(operands, frame);")
        for number in range(self.products if self.each else 0):
            lines.append(f"lt_each(operands + {len(sizes) * number}, frame + {self._each_at(number)});")
        return "".join(f"  {line}\n" for line in lines)

    def _each_at(self, number: int) -> int:
        return (self.whole.words if self.whole else 0) + (self.each.words if self.each else 0) * number

    def value(self, number: int, place: int) -> FrameSlot | int:
        """Value `place` of those that `each` has of product `number`."""
        assert self.each is not None
        found = self.each.results[place]
        return found._replace(word=found.word + self._each_at(number)) if isinstance(found, FrameSlot) else found

    def values(self, step: str) -> list[FrameSlot | int]:
        """The steps of that name, of one product after the other."""
        assert self.each is not None
        first = len(self.each.results) - len(self.named)
        places = [first + place for place, name in enumerate(self.named) if name == step]
        return [self.value(number, place) for number in range(self.products) for place in places]

    def result(self, number: int) -> FrameSlot | int:
        """The result of product `number` as one integer."""
        return self.value(number, 0) if self.whole is None else self.whole.results[number]


def _frame(run: Run) -> _Frame | None:
    """The programs of a run; None if they are too long. Raises TypeError as `of_model` does."""
    whole = _scheduled(run) if run.bound.plan is not None else None
    each, named = None, list[str]()
    if whole is None or run.shell.result_digits or run.comparator.needs_steps:
        each, named = _alone(run, with_result=whole is None)
    programs = [program for program in (whole, each) if program]
    if sum(len(program.terms) for program in programs) > MAX_TERMS:
        return None
    return _Frame(
        source(whole, "lt_steps") if whole else None,
        source(each, "lt_each") if each else None,
        named,
        len(run.bound.starts),
    )


def _scheduled(run: Run) -> Program:
    """A stream by its schedule, with the results that are compared."""
    architecture, shape, _ = schedule(run.bound)
    program = of_architecture(architecture, shape)
    if run.bound.core.file.compare != "result":
        program = replace(program, results=tuple(map(run.bound.expected, program.results)))
    return program


def _alone(run: Run, *, with_result: bool) -> tuple[Program, list[str]]:
    """The compared steps of one product, as results of the model's loop; and the names of steps at their end."""
    m = run.bound.multiplier
    program = of_model(m.model, m.params)
    values = {(name, index): value for name, index, value in program.steps}
    results = [values[step] for step in run.shell.result_digits]
    if with_result and not results:
        results = [run.bound.expected(program.results[0])]
    wanted = [(name, value) for name, _, value in program.steps if name in run.comparator.steps]
    results += [value for _, value in wanted]
    return replace(program, results=tuple(results)), [name for name, _ in wanted]


def _results(run: Run, frame: _Frame, start: int) -> Iterator[BitField]:
    """The results of a stream as `Layout.join` puts them, from bit `start` on."""
    shell, width = run.shell, run.shell.product_width("result")
    for number in range(frame.products):
        if not shell.result_digits:
            yield BitField(start + number * width, width, frame.result(number))
        for place in range(len(shell.result_digits)):
            at = start + number * width + place * shell.digit_width
            yield BitField(at, shell.digit_width, frame.value(number, place))
