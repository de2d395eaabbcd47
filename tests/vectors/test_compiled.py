# SPDX-License-Identifier: Apache-2.0
"""Programs as C: many expressions that no model has, of every size and sign, against terms computed one by one."""

import ctypes
import random
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.expr import Term, ends, field, joined
from limbtrace.refmodels.program import Program
from limbtrace.vectors.compiled.c import FrameSlot, limbs, source
from tests.vectors.test_library import compiled

BITS = 300
ONES = (1 << BITS) - 1


def expressions(rng: random.Random, count: int) -> list[Any]:
    """Terms of up to 700 bits, some negative, made of earlier ones by every operation."""
    pool: list[Any] = [field("a0", low, bits, (1 << bits) - 1) for low, bits in
                       ((0, 1), (5, 33), (64, 64), (60, 70), (128, 128), (3, 150), (0, BITS))]  # fmt: skip
    pool += [pool[1] - pool[2], 3 - pool[4], pool[0] - 1]
    while len(pool) < count:
        x, y = rng.choice(pool), rng.choice([*pool, 0, 1, -1, (1 << 64) - 1, 1 << 64, -(1 << 127), (1 << 200) + 1])
        choice = rng.randrange(11)
        if choice == 0:
            made = x << rng.choice((1, 31, 63, 64, 65, 127, 128, 130))
        elif choice == 1:
            made = x >> rng.choice((1, 31, 63, 64, 65, 127, 128, 130))
        elif choice == 2:
            made = x & ((1 << rng.choice((1, 31, 63, 64, 65, 127, 128, 192))) - 1)
        elif choice == 3 and not x.signed:
            made = x // rng.choice((3, 1 << 64, (1 << 64) + 1, 10**30)) if rng.randrange(2) else x % 10**25
        elif choice == 4:
            held = [value for value in rng.sample(pool, min(4, len(pool))) if not value.signed]
            made = joined((value, rng.choice((0, 7, 64, 100, 128))) for value in held) if held else 0
        else:
            made = (x + y, x - y, y - x, x * y, x & y, x | y, x ^ y)[choice % 7]
        if isinstance(made, Term) and made.bits < 700:
            pool.append(made)
    return pool


class Compiled:
    """A program with the operand a0, in this process."""

    def __init__(self, program: Program, folder: Path, *flags: str) -> None:
        self.source = source(program, "lt_run")
        call = "void run(const uint64_t *a, uint64_t *v);\nvoid run(const uint64_t *a, uint64_t *v) {"
        call += " const uint64_t *const o[] = {a}; lt_run(o, v); }\n"
        lines = ["#include <stdint.h>", "#include <stddef.h>", limbs(), self.source.text, call]
        (folder / "e.c").write_text("\n".join(lines))
        self._library = ctypes.CDLL(str(compiled(folder, "e.so", "-O1", "-shared", "-fPIC", *flags, "e.c")))

    def run(self, a: int) -> list[int]:
        """Every step."""
        frame = (ctypes.c_uint64 * self.source.words)()
        self._library.run(a.to_bytes(8 * self.source.operands["a0"], "little"), frame)
        return [step if isinstance(step, int) else self._value(frame, step) for step in self.source.steps]

    @staticmethod
    def _value(frame: Any, at: FrameSlot) -> int:
        limbs = b"".join(word.to_bytes(8, "little") for word in frame[at.word : at.word + at.words])
        return int.from_bytes(limbs, "little", signed=at.signed)


PORTABLE = pytest.param(["-DLT_NO_INT128"], id="portable", marks=pytest.mark.full)


@pytest.mark.parametrize("flags", [pytest.param([], id="int128"), PORTABLE])
def test_expressions(flags: list[str], tmp_path: Path) -> None:
    rng = random.Random(17)
    made = expressions(rng, 250)
    program = Program({"a0": ONES}, (), tuple(("e", (k,), term) for k, term in enumerate(made)), ())
    library = Compiled(program, tmp_path, "-fsanitize=undefined", "-fno-sanitize-recover=all", *flags)
    values = [0, 1, ONES, ONES - 1, 1 << BITS - 1, ONES ^ 1 << 64, *(rng.getrandbits(BITS) for _ in range(60))]
    values += [rng.getrandbits(BITS) & rng.getrandbits(BITS) & rng.getrandbits(BITS) for _ in range(20)]
    for value in values:
        golden, _ = program.run({"a0": value})
        for term, right, seen in zip(made, golden, library.run(value), strict=True):
            least, most = ends(term)
            assert least <= right <= most
            assert seen == right, term


def test_a_carry_through_every_limb(tmp_path: Path) -> None:
    """Digits that overlap: 1 added to limbs of ones."""
    parts = [(0, 64, 0), (64, 1, 0), (65, 64, 64), (129, 64, 128)]
    made = joined((field("a0", low, bits, (1 << bits) - 1), shift) for low, bits, shift in parts)
    program = Program({"a0": (1 << 193) - 1}, (), (("e", (), made),), ())
    assert Compiled(program, tmp_path).run((1 << 193) - 1) == [1 << 192]
