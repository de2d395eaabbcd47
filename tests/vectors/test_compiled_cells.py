# SPDX-License-Identifier: Apache-2.0
"""Bits of a frame side by side, against integers."""

import ctypes
import random
from pathlib import Path

import pytest

from limbtrace.vectors.compiled.c import FrameSlot
from limbtrace.vectors.compiled.cells import BitField, fixed, image
from tests.vectors.test_library import compiled

FRAME = 24
"""Words of a frame."""


def written(bits: list[BitField], count: int, frame: list[int], folder: Path) -> int:
    """An image as one integer."""
    head = "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n"
    call = "void run(const uint64_t *frame, uint64_t *image);\n"
    call += "void run(const uint64_t *frame, uint64_t *image) { lt_image(frame, image); }\n"
    (folder / "i.c").write_text(head + image(bits, count, "lt_image") + call)
    library = ctypes.CDLL(str(compiled(folder, "i.so", "-shared", "-fPIC", "i.c")))
    words = (ctypes.c_uint64 * count)(*[0xA5A5] * count)
    library.run((ctypes.c_uint64 * len(frame))(*frame), words)
    return int.from_bytes(bytes(words), "little")


def value_of(bits: BitField, frame: list[int]) -> int:
    """What bits of an image show."""
    value = bits.value
    if isinstance(value, FrameSlot):
        place, words = value, frame[value.word : value.word + value.words]
        value = sum(word << 64 * k for k, word in enumerate(words))
        if place.signed and words[-1] >> 63:
            value -= 1 << 64 * place.words
    return value >> bits.low & (1 << bits.width) - 1


@pytest.mark.parametrize("seed", range(4))
def test_bits_of_every_width_and_place(seed: int, tmp_path: Path) -> None:
    """1 to 130 bits of values of 1 to 4 words, with and without sign, beyond their end too, and of constants."""
    rng = random.Random(seed)
    frame = [rng.choice((rng.getrandbits(64), (1 << 64) - 1, 1 << 63, 0)) for _ in range(FRAME)]
    bits: list[BitField] = []
    at = 0
    for width in (*range(1, 131), *(64, 128) * 3):
        at += rng.choice((0, 0, 1, 63, -at % 64))
        words = rng.randint(1, 4)
        place = FrameSlot(rng.randrange(FRAME - words), words, 64 * words, bool(rng.randrange(2)))
        value = rng.choice((place, place, place, rng.getrandbits(140), -rng.getrandbits(100)))
        bits.append(BitField(at, width, value, rng.choice((0, 0, 1, 64, 100))))
        at += width
    count = -(-at // 64) + 1
    expected = sum(value_of(entry, frame) << entry.at for entry in bits)
    assert written(bits, count, frame, tmp_path) == expected
    never = [entry for entry in bits if isinstance(entry.value, int)]
    assert sum(word << 64 * k for k, word in enumerate(fixed(never, count))) == sum(
        value_of(entry, frame) << entry.at for entry in never
    )


def test_an_image_of_nothing(tmp_path: Path) -> None:
    assert written([], 2, [1], tmp_path) == 0
