# SPDX-License-Identifier: Apache-2.0
"""Cells of a cycle table as bits of a frame, and images: bits of a frame side by side."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from limbtrace.refmodels.architecture import Column, Control, Plan
from limbtrace.vectors.compiled.c import FULL, WORD, FrameSlot, words


def spans(column: Column) -> list[tuple[int, int]]:
    """(lowest bit of the value that it shows, width) of every part of a column, the lowest part first; in bits.

    The highest part may be narrower than the room that it has; the bits above it are 0.
    """
    if isinstance(column, Control):
        return [(0, column.width)]
    first = column.width - sum(width for _, width in column.parts[1:])
    if (bits := column.parts[0][0].bits) is not None:
        first = min(first, bits[0] + 1 - bits[1])
    widths = [first, *(width for _, width in column.parts[1:])]
    lows = [0 if part.bits is None else part.bits[1] for part, _ in column.parts]
    return list(zip(lows[::-1], widths[::-1], strict=True))


def shown(plan: Plan, column: int, cycle: int, steps: Sequence[FrameSlot | int]) -> list[FrameSlot | int] | None:
    """The value behind every part of a cell, the lowest part first; None for don't care.

    `steps` says where the steps of the model are, in its order; `column` and `cycle` count from 0.
    """
    target = plan.columns[column]
    known = [at for at in reversed(plan.cell(column, cycle)) if at is not None]
    if len(known) < len(spans(target)):
        return None
    if isinstance(target, Control):
        return list(known)
    return [target.reset if at == -1 else steps[at] for at in known]


class BitField(NamedTuple):
    """Some bits of an image."""

    at: int
    """The lowest of them."""
    width: int
    value: FrameSlot | int
    """Their content: a value in a frame, or a constant."""
    low: int = 0
    """The lowest bit of the value that is shown; above its own bits it is extended by its sign."""


def cell(plan: Plan, column: int, cycle: int, steps: Sequence[FrameSlot | int], at: int) -> list[BitField] | None:
    """A cell as bits of an image from bit `at` on, as `shown` finds it; None for don't care."""
    if (values := shown(plan, column, cycle, steps)) is None:
        return None
    found = []
    for (low, width), value in zip(spans(plan.columns[column]), values, strict=True):
        found.append(BitField(at, width, value, low))
        at += width
    return found


class _Move(NamedTuple):
    """`(frame[word] >> right & mask) << left` goes into word `to` of the image.

    With a `right` of FILL, copies of the word's highest bit stand in place of the shifted word.
    """

    to: int
    word: int
    right: int
    left: int
    mask: int


_FILL = WORD


def _moves(bits: BitField, place: FrameSlot) -> Iterable[_Move]:
    """Bits of the frame, cut where a word ends."""
    end, done = WORD * place.words, 0
    while done < bits.width:
        source, target = bits.low + done, bits.at + done
        inside = source < end
        count = min(bits.width - done, WORD - target % WORD, (WORD if not inside else WORD - source % WORD))
        mask = (1 << count) - 1
        if inside:
            yield _Move(target // WORD, place.word + source // WORD, source % WORD, target % WORD, mask)
        elif place.signed:
            yield _Move(target // WORD, place.word + place.words - 1, _FILL, target % WORD, mask)
        done += count


def fixed(bits: Iterable[BitField], count: int) -> list[int]:
    """The `count` words of 64 bits of an image whose values are ints; bits that are none of `bits` are 0."""
    found = [0] * count
    for entry in bits:
        assert isinstance(entry.value, int)
        value = (entry.value >> entry.low & (1 << entry.width) - 1) << entry.at % WORD
        for place in range(words(value.bit_length())):
            if part := value >> WORD * place & FULL:
                found[entry.at // WORD + place] |= part
    return found


def image(bits: Iterable[BitField], count: int, name: str) -> str:
    """C text of `static void NAME(const uint64_t *frame, uint64_t *image)`, which writes the `count` words of an image.

    Bits that are none of `bits`, which may not overlap, are 0. The text calls no other; it needs stddef.h, stdint.h and
    string.h.
    """
    entries = list(bits)
    never = fixed((entry for entry in entries if not isinstance(entry.value, FrameSlot)), count)
    moves = [move for entry in entries if isinstance(entry.value, FrameSlot) for move in _moves(entry, entry.value)]
    plain, fills = (sorted(m for m in moves if (m.right == _FILL) == filled) for filled in (False, True))
    text = f"static const uint64_t {name}_fixed[{count}] = {{{', '.join(map(_constant, never))}}};\n"
    loops = ""
    for suffix, table, value in (("moves", plain, "frame[m->word] >> m->right"),
                                 ("fills", fills, "((uint64_t)0 - (frame[m->word] >> 63))")):  # fmt: skip
        if not table:
            continue
        rows = ",\n".join(f"{{{m.to}, {m.word}, {m.right}, {m.left}, {_constant(m.mask)}}}" for m in table)
        text += (
            f"static const struct {{ uint32_t to, word; uint8_t right, left; uint64_t mask; }} {name}_{suffix}[]"
            f" = {{\n{rows}}};\n"
        )
        loops += (
            f"  for (size_t k = 0; k < {len(table)}; ++k) {{\n"
            f"    image[{name}_{suffix}[k].to] |= ({value.replace('m->', f'{name}_{suffix}[k].')}"
            f" & {name}_{suffix}[k].mask) << {name}_{suffix}[k].left;\n  }}\n"
        )
    return (
        f"{text}static void {name}(const uint64_t *frame, uint64_t *image) {{\n  (void)frame;\n"
        f"  memcpy(image, {name}_fixed, sizeof {name}_fixed);\n{loops}}}\n"
    )


def _constant(value: int) -> str:
    return f"UINT64_C({value:#x})" if value else "0"
