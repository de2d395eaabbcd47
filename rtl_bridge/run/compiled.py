# SPDX-License-Identifier: Apache-2.0
"""Golden data of mode fast as C: a program computes what every row and the result of a stream have to be.

Everything here has a slower way, product by product through the comparator, which says the same of a core.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from refmodels.program import Program, of_architecture, of_model
from rtl_bridge.run.golden import schedule
from rtl_bridge.run.run import Run
from vectors.compiled.build import kept
from vectors.compiled.c import WORD, Place, ProgramText, limbs, source, words
from vectors.compiled.cells import Bits, cell, fixed, image
from vectors.library.request import MAX_TERMS, MAX_WORK

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

/* struct Golden of fast.cpp. */
struct lt_golden {{
  void (*image)(const uint64_t *, const uint64_t *, uint64_t *, uint64_t *);
  const uint64_t *masks;
  uint32_t frame_words, image_words, a_words, b_words, cycles;
}};
extern const struct lt_golden lt_golden;
const struct lt_golden lt_golden = {{lt_golden_image, lt_masks, {sizes}}};
"""


def worthwhile(run: Run) -> Path | None:
    """As `library`, but None too where it would take longer than it saves."""
    if run.stimulus.streams < FEWEST:
        return None
    return library(run, make=run.stimulus.streams >= FEWEST_COMPILED)


def library(run: Run, *, make: bool = True) -> Path | None:
    """The library of a run's golden data; None where there is none, nor, if it may not `make` one, in the cache.

    Raises ToolError where a compiler fails.
    """
    written = text(run)
    return None if written is None else kept(written, f"{run.bound.core.file.name}-golden", make=make)


def text(run: Run) -> str | None:
    """The C text of a run's golden data; None where there is none, or where it would be too large.

    It defines `lt_golden`, a `struct Golden` of cpp/fast.cpp.
    """
    bound = run.bound
    if not run.golden.in_columns or bound.multiplier.model.work(bound.multiplier.params) * len(bound.starts) > MAX_WORK:
        return None
    architecture, shape, plan = schedule(bound)
    row_words, result_words = words(run.comparator.row_width), words(run.shell.result_width)
    count = plan.cycles * row_words + result_words
    # A signal that is narrower than its column has no room for all values that it is compared with.
    narrow = any(watch.width < plan.columns[watch.schedule_column].width for watch, _ in run.comparator.cycle_watches)
    if count > MAX_WORDS or narrow:
        return None
    try:
        program = of_architecture(architecture, shape)
        digits = _digits(run) if run.shell.result_digits else None
        if bound.core.file.compare != "result":
            program = replace(program, results=tuple(map(bound.expected, program.results)))
    except TypeError:  # digits of operands that are chosen by branches
        return None
    if len(program.terms) + (len(digits.terms) if digits else 0) > MAX_TERMS:
        return None
    frame = _Frame(source(program, "lt_steps"), source(digits, "lt_digits") if digits else None, len(bound.starts))
    cells = list(_cells(run, frame.whole.steps))
    result_at = WORD * plan.cycles * row_words
    masks = [Bits(at, width, -1) for at, width, _ in cells] + [Bits(result_at, run.shell.result_width, -1)]
    compared = [*(bits for _, _, shown in cells for bits in shown), *_results(run, frame, result_at)]
    return _TEXT.format(
        limbs=limbs(),
        programs=frame.text + image(compared, count, "lt_image"),
        masks=", ".join(f"UINT64_C({mask:#x})" for mask in fixed(masks, count)),
        calls=frame.calls,
        sizes=", ".join(
            map(str, (frame.words, count, frame.operand_words("a"), frame.operand_words("b"), plan.cycles))
        ),
    )


@dataclass(frozen=True)
class _Frame:
    """The values of a stream: its own, and behind them the digits of every result, where these are compared."""

    whole: ProgramText
    digits: ProgramText | None
    products: int

    @property
    def text(self) -> str:
        return self.whole.text + (self.digits.text if self.digits else "")

    @property
    def words(self) -> int:
        """64-bit words of all of it."""
        return self.whole.words + (self.digits.words * self.products if self.digits else 0)

    def operand_words(self, letter: str) -> int:
        """64-bit words of the operands a or b of a stream."""
        return self.whole.operands.get(f"{letter}0", 0) * self.products

    @property
    def calls(self) -> str:
        """C statements that compute it from a and b."""
        names = list(self.whole.operands)
        operands = ", ".join(f"{name[0]} + {int(name[1:]) * self.whole.operands[name]}" for name in names)
        lines = [f"const uint64_t *const operands[] = {{{operands or '0'}}};", "lt_steps(operands, frame);"]
        each = len(names) // self.products
        for number in range(self.products if self.digits else 0):
            lines.append(f"lt_digits(operands + {each * number}, frame + {self._digits_at(number)});")
        return "".join(f"  {line}\n" for line in lines)

    def _digits_at(self, number: int) -> int:
        assert self.digits is not None
        return self.whole.words + self.digits.words * number

    def digit(self, number: int, place: int) -> Place | int:
        """Digit `place` of the result of product `number`."""
        assert self.digits is not None
        found = self.digits.results[place]
        return found._replace(word=found.word + self._digits_at(number)) if isinstance(found, Place) else found


def _digits(run: Run) -> Program:
    """The digits of the result of one product in place of its result. Raises TypeError as `of_model` does."""
    m = run.bound.multiplier
    program = of_model(m.model, m.params)
    values = {(name, index): value for name, index, value in program.steps}
    return replace(program, results=tuple(values[step] for step in run.shell.result_digits))


def _cells(run: Run, steps: Sequence[Place | int]) -> Iterator[tuple[int, int, list[Bits]]]:
    """(lowest bit, width, contents) of every cell that somebody cares about, in the rows of the shell.

    The rows are of whole words. A signal that is wider than its column is 0 above it.
    """
    plan, width = run.bound.plan, WORD * words(run.comparator.row_width)
    assert plan is not None
    for watch, offset in run.comparator.cycle_watches:
        for cycle in range(plan.cycles):
            at = width * cycle + offset
            if (shown := cell(plan, watch.schedule_column, cycle, steps, at)) is not None:
                yield at, watch.width, shown


def _results(run: Run, frame: _Frame, start: int) -> Iterator[Bits]:
    """The results of a stream as `Layout.join` puts them, from bit `start` on."""
    shell, width = run.shell, run.shell.product_width("result")
    for number, result in enumerate(frame.whole.results):
        if not shell.result_digits:
            yield Bits(start + number * width, width, result)
        for place in range(len(shell.result_digits)):
            at = start + number * width + place * shell.digit_width
            yield Bits(at, shell.digit_width, frame.digit(number, place))
