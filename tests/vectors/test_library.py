# SPDX-License-Identifier: Apache-2.0
"""`limbtrace library`: its C for every model and core against the models, under sanitizers, and what is refused."""

import ctypes
import random
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from limbtrace.refmodels.architecture import Shape, TimedPair
from limbtrace.refmodels.expr import field
from limbtrace.refmodels.model import Run
from limbtrace.refmodels.program import Program
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.vectors.compiled.c import words
from limbtrace.vectors.library import LibraryQuery, LibraryRequest, files
from limbtrace.vectors.library.render import entries, initializer, render
from limbtrace.vectors.library.tables import LibraryTables, distinct
from tests.refmodels.test_programs import ANY, SMALL, at, example, moduli, operands
from tests.sample import full

Operands = Sequence[tuple[int, int]]
NARROW = "2^61-1"
"""A modulus with which libraries are small."""


def written(request: LibraryRequest, folder: Path) -> Path:
    """The sources of a library."""
    folder.mkdir(exist_ok=True)
    for name, chunks in files(request):
        (folder / name).write_bytes(b"".join(chunks))
    return folder


def compiled(folder: Path, target: str, *arguments: str) -> Path:
    """What the C compiler makes; any warning is a failure."""
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", target, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / target


class Loaded:
    """A library in this process."""

    def __init__(self, request: LibraryRequest, folder: Path, level: str = "-O1") -> None:
        self.request = request
        self.tables = LibraryTables.of(request)
        self._constants: list[Any] = []
        written(request, folder)
        self._library = ctypes.CDLL(str(compiled(folder, "library.so", level, "-shared", "-fPIC", f"{request.name}.c")))

    def call(self, name: str, *arguments: Any) -> int:
        function = getattr(self._library, f"{self.request.name}_{name}")
        return int(function(*arguments))

    def take(self, modulus: int) -> bool:
        """Whether the library takes a modulus; what follows is then computed with it."""
        constants = (ctypes.c_uint64 * self.tables.source.operands["constants"])()
        bits = self.request.bits or 0
        taken = self.call("constants", modulus.to_bytes(8 * words(bits), "little"), constants)
        assert taken or not any(constants)
        self._constants = [constants]
        return bool(taken)

    def run(self, operands: Operands) -> Any:
        """The frame of a stream."""
        frame = (ctypes.c_uint64 * self.tables.source.words)()
        self.call("run", *self._packed(operands), *self._constants, frame)
        return frame

    def _packed(self, operands: Operands) -> list[bytes]:
        return [b"".join(pair["ab".index(letter)].to_bytes(8 * words(bits), "little") for pair in operands)
                for letter, bits in self.tables.operands.items()]  # fmt: skip

    def product(self, a: int, b: int) -> int:
        """By the function without a frame."""
        out = (ctypes.c_uint64 * words(self.tables.result_bits))()
        self.call("product", *self._packed([(a, b)]), *self._constants, out)
        return number(out)

    def result(self, frame: Any, product: int) -> int | None:
        """A result from a frame."""
        out = (ctypes.c_uint64 * words(self.tables.result_bits))()
        return number(out) if self.call("result", frame, product, out) else None

    def step(self, frame: Any, name: str, index: Sequence[int]) -> int | None:
        """A step, with its sign."""
        (at,) = (k for k, entry in enumerate(self.tables.names) if entry.name == name)
        entry = self.tables.names[at]
        out = (ctypes.c_uint64 * words(entry.bits))()
        padded = (ctypes.c_int32 * self.tables.depth)(*index)
        return number(out, entry.signed) if self.call("step", frame, at, padded, out) else None

    def cell(self, frame: Any, column: int, cycle: int) -> int | None:
        """A cell of the cycle table; None for don't care."""
        out = (ctypes.c_uint64 * words(self.tables.columns[column].width))()
        return number(out) if self.call("cell", frame, column, ctypes.c_int64(cycle), out) else None


def number(out: Any, signed: bool = False) -> int:
    """An integer of 64-bit words, low word first."""
    return int.from_bytes(bytes(out), "little", signed=signed)


def small(name: str, core: bool) -> LibraryRequest:
    """A library with few operations, of three products where they overlap."""
    model = ARCHITECTURES[name].model if core else MODELS[name]
    settings = [f"{key}={value}" for key, value in SMALL.get(model.id, {}).items()]
    prime = str(example(model)) if model.moduli is not None else NARROW if model.has_modulus else None
    products = "3" if core and ARCHITECTURES[name].overlap else "1"
    return LibraryQuery(model=name, core=core, prime=prime, pairs=settings, products=products).request


def same_product(library: Loaded, params: Any, a: int, b: int) -> tuple[Run, Any]:
    """Result and all steps of a product agree with the model; returns what both say."""
    run, frame = library.request.multiplier.model.run(params, a, b), library.run([(a, b)])
    assert library.result(frame, 0) == run.result == library.product(a, b)
    assert [library.step(frame, step, index) for step, index, _ in run.steps] == [value for *_, value in run.steps]
    return run, frame


@pytest.mark.parametrize("name", MODELS)
def test_every_model(name: str, tmp_path: Path) -> None:
    library = Loaded(small(name, core=False), tmp_path)
    model, params = library.request.multiplier.model, library.request.multiplier.params
    for a, b in operands(model, params, random.Random(name)):
        run, frame = same_product(library, params, a, b)
    assert library.result(frame, 1) is None
    assert library.step(frame, run.steps[0][0], [9999]) is None
    assert library.step(frame, run.steps[0][0], [-1]) is None or run.steps[0][1][:1] == (-1,)


def same_stream(library: Loaded, shape: Shape, pairs: Operands) -> Any:
    """Results and every cell of the cycle table agree with the schedule; returns the frame."""
    frame, plan = library.run(pairs), library.request.plan
    architecture = ARCHITECTURES[library.request.core.architecture.id]  # type: ignore[union-attr]
    products = list(architecture.products(shape, [TimedPair(a, b) for a, b in pairs], plan))
    assert [library.result(frame, k) for k in range(len(pairs))] == [product.result for product in products]
    for k, column in enumerate(products[0].table):
        assert [library.cell(frame, k, cycle) for cycle in range(plan.cycles)] == column, plan.columns[k].name
    return frame


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_every_core(name: str, tmp_path: Path) -> None:
    """Every cell of the cycle table, and every result."""
    library = Loaded(small(name, core=True), tmp_path)
    pairs = operands(ARCHITECTURES[name].model, library.request.shape.params, random.Random(name))
    for first in range(0, len(pairs) - library.request.products, 2):
        frame = same_stream(library, library.request.shape, pairs[first : first + library.request.products])
    assert library.cell(frame, 0, -1) is None
    assert library.cell(frame, 0, library.request.plan.cycles) is None


def any_modulus(name: str, core: bool, bits: int) -> LibraryRequest:
    """A library for every modulus of a size, small as `small` is."""
    model = ARCHITECTURES[name].model if core else MODELS[name]
    settings = [f"{key}={value}" for key, value in SMALL.get(model.id, {}).items()]
    products = "2" if core and ARCHITECTURES[name].overlap else "1"
    return LibraryQuery(model=name, core=core, bits=bits, pairs=settings, products=products).request


@pytest.mark.parametrize("name", ANY)
@pytest.mark.parametrize(("bits", "count"), [(7, 0), (16, 12), (64, 4), (65, 4), full((256, 4))])
def test_every_model_at_moduli_of_a_size(name: str, bits: int, count: int, tmp_path: Path) -> None:
    """Compiled once; all moduli of the smallest size, and others that were not there when it was written."""
    rng = random.Random(f"{name} {bits}")
    library = Loaded(any_modulus(name, False, bits), tmp_path, "-O0")
    multiplier = library.request.multiplier
    every = range(1 << bits - 1 | 1, 1 << bits, 2) if count == 0 else moduli(bits, count, rng)
    for modulus in every:
        assert library.take(modulus)
        params = at(multiplier.model, multiplier.params, modulus)
        for a, b in operands(multiplier.model, params, rng)[:: 1 if bits < 16 else 6]:
            same_product(library, params, a, b)
    top = (1 << 64 * words(bits)) - 1
    for wrong in (0, 1, (1 << bits) - 2, (1 << bits - 1) - 1, 1 << bits - 1, *[1 << bits | 1, top] * (bits % 64 > 0)):
        assert not library.take(wrong)


@pytest.mark.parametrize("name", [name for name, entry in ARCHITECTURES.items() if entry.model.moduli is None])
@pytest.mark.parametrize(("bits", "count"), [(61, 4), (256, 1)])
def test_every_core_at_moduli_of_a_size(name: str, bits: int, count: int, tmp_path: Path) -> None:
    rng = random.Random(f"{name} {bits}")
    library = Loaded(any_modulus(name, True, bits), tmp_path, "-O0")
    request, architecture = library.request, ARCHITECTURES[name]
    for modulus in moduli(bits, count, rng):
        assert library.take(modulus)
        params = at(architecture.model, request.shape.params, modulus)
        pairs = operands(architecture.model, params, rng)
        for _ in range(2):
            same_stream(library, replace(request.shape, params=params), rng.choices(pairs, k=request.products))


@pytest.mark.parametrize("portable", [False, True], ids=["int128", "portable"])
@pytest.mark.parametrize(
    ("name", "prime", "settings"),
    [
        ("iddmm2", "p256", ["k=32"]),
        ("mwr2kmm", "p256", ["k=8", "w=16"]),  # signed
        ("hffm", "sike-p434", []),  # wide, with divisions
        ("redundant", NARROW, []),
        ("monpro", "p384", []),
        ("r2mm", "0xffff1", []),
        ("iddmm2", 256, ["k=32"]),  # bits of the modulus
        ("barrett", 61, []),
        full(("vdf", 128, ["t=2"])),
    ],
)
def test_sanitizers(name: str, prime: str | int, settings: list[str], portable: bool, tmp_path: Path) -> None:
    """The C example, with and without 128-bit integers: no undefined behaviour, and right results."""
    given = {"bits": prime} if isinstance(prime, int) else {"prime": prime}
    request = LibraryQuery(model=name, pairs=settings, **given).request
    written(request, tmp_path)
    flags = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", *["-DLT_NO_INT128"] * portable]
    program = compiled(tmp_path, "example", *flags, "example.c", f"{request.name}.c")
    model, params, modulus = request.multiplier.model, request.multiplier.params, []
    if isinstance(prime, int):
        params, modulus = at(model, params, (1 << prime) - 3), [f"{(1 << prime) - 3:x}"]
    for a, b in operands(model, params, random.Random(name))[:6]:
        values = [f"{value:x}" for value in model.given(a, b)]
        done = subprocess.run([program, *modulus, *values], capture_output=True, text=True)
        assert (done.stdout, done.stderr) == (f"{model.result(params, a, b):x}\n", "")


_THREADS = """
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>
#include "lt_r2mm.h"

static const uint64_t cases[][3][LT_R2MM_RESULT_WORDS] = {{{cases}}};

int main() {{
  std::vector<std::thread> threads;
  int wrong[4] = {{0, 0, 0, 0}};
  for (unsigned t = 0; t < 4; ++t) {{
    threads.emplace_back([t, &wrong] {{
      for (unsigned round = 0; round < 20; ++round) {{
        for (unsigned k = t; k < {count}; k += 4) {{
          uint64_t result[LT_R2MM_RESULT_WORDS];
          lt_r2mm_product(cases[k][0], cases[k][1], result);
          if (std::memcmp(result, cases[k][2], sizeof result) != 0) ++wrong[t];
        }}
      }}
    }});
  }}
  for (auto &thread : threads) thread.join();
  std::printf("%d %d %d %d\\n", wrong[0], wrong[1], wrong[2], wrong[3]);
}}
"""
"""Four threads with operands of their own."""


def test_threads_in_cpp(tmp_path: Path) -> None:
    """A library whose frame is too large for a stack: right results of every thread, and no data race."""
    request = LibraryQuery(model="r2mm", prime="2^521-1").request
    written(request, tmp_path)
    text = (tmp_path / "lt_r2mm.c").read_text()
    assert "LT_THREAD_LOCAL uint64_t frame[LT_R2MM_FRAME_WORDS];" in text  # else there is nothing to test
    model, params, rng = request.multiplier.model, request.multiplier.params, random.Random(521)
    a_max, b_max = params.limits
    cases = []
    for _ in range(16):
        a, b = rng.randint(0, a_max), rng.randint(0, b_max)
        values = (a, b, model.result(params, a, b))
        cases.append(", ".join(f"{{{', '.join(f'{value >> 64 * k & (1 << 64) - 1:#x}u' for k in range(9))}}}"
                               for value in values))  # fmt: skip
    (tmp_path / "threads.cpp").write_text(
        _THREADS.format(cases=", ".join(f"{{{case}}}" for case in cases), count=len(cases))
    )
    command = ["g++", "-std=c++17", "-O1", "-g", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fsanitize=thread",
               "-pthread", "-o", "threads", "threads.cpp", "-x", "c++", "lt_r2mm.c"]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([tmp_path / "threads"], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("0 0 0 0\n", "", 0)


def test_the_example_refuses_what_is_no_operand(tmp_path: Path) -> None:
    written(LibraryQuery(model="iddmm2", prime=NARROW, pairs=["k=16"]).request, tmp_path)
    program = compiled(tmp_path, "example", "example.c", "lt_iddmm2.c")
    for given in ([], ["1"], ["1", "2", "3"], ["0x1", "2"], ["", "2"], ["g", "2"], ["1" * 17, "2"]):
        assert subprocess.run([program, *given], capture_output=True).returncode == 2


def test_the_example_refuses_what_is_no_modulus(tmp_path: Path) -> None:
    written(LibraryQuery(model="iddmm2", bits=61, pairs=["k=16"]).request, tmp_path)
    program = compiled(tmp_path, "example", "example.c", "lt_iddmm2.c")
    modulus = f"{(1 << 61) - 1:x}"
    assert subprocess.run([program, modulus, "1", "2"], capture_output=True).returncode == 0
    for given in (
        [],
        ["1", "2"],
        ["3", "1", "2"],
        [f"{modulus[:-1]}e", "1", "2"],
        ["x", "1", "2"],
        [f"2{modulus}", "1", "2"],
    ):
        done = subprocess.run([program, *given], capture_output=True, text=True)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_initialisers() -> None:
    assert initializer([1, (2, [-3, True]), "a"]) == "{1, {2, {-3, 1}}, a}"
    assert (initializer([]), entries([])) == ("{}", "  0")
    assert entries([(1, 2), 3], width=11) == "  {1, 2}, 3"
    assert entries([(1, 2), 3], width=10) == "  {1, 2},\n  3"


def test_a_template_wants_all_of_its_values() -> None:
    """A missing template value is an error, not empty text in a source."""
    tables = LibraryTables.of(small("iddmm2", core=False))
    with pytest.raises(UndefinedError, match="'package' is undefined"):
        render("example.vhd.j2", tables)


def test_names_differ() -> None:
    assert distinct(["a", "A", "p'", "p_prime", "a_2", "a+b", "a*b", "+"]) == [
        "a", "A_2", "p_prime", "p_prime_2", "a_2_2", "a_b", "a_b_2", "step",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"model": "nothing", "prime": "p256"}, "model: "),
        ({"model": "iddmm2"}, "prime: the request does not give it"),
        ({"model": "iddmm_arch2"}, "prime: the request does not give it"),
        ({"model": "iddmm2", "prime": "p256", "products": "2"}, "products: iddmm2 is a model"),
        ({"model": "iddmm_arch2", "prime": "p256", "products": "2"}, "products: the products of iddmm_arch2"),
        ({"model": "iddmm2", "prime": "p256", "products": "0"}, "products: 0 is outside 1 to 64"),
        ({"model": "iddmm2", "prime": "p256", "name": "2x"}, "name: '2x' is no identifier"),
        ({"model": "iddmm2", "prime": "p256", "name": "x" * 65}, "name: "),
        ({"model": "iddmm2", "prime": "2^4096-1", "radix": "2^4"}, "model: a library of"),
        ({"model": "llmonpro", "prime": "2^4096-1", "radix": "2^16"}, "model: its program has"),
        ({"model": "vdf", "prime": "p256", "pairs": ["t=1000"]}, "model: a library of"),
        ({"model": "redundant", "prime": "p256", "pairs": ["overlap=1"]}, "overlap: "),
        ({"model": "redundant", "bits": "64", "pairs": ["overlap=1"]}, "overlap: "),
        ({"model": "iddmm2", "bits": "256", "prime": "p256"}, "bits: bits and prime exclude each other"),
        ({"model": "iddmm2", "bits": "2"}, "bits: 2 is outside 3 to 16384"),
        ({"model": "iddmm2", "bits": "16385"}, "bits: "),
        ({"model": "iddmm2", "bits": "x"}, "bits: "),
        ({"model": "iddmm2", "bits": "256", "pairs": ["n=1"]}, "n: 1 digits of 32 bits do not hold a modulus of 256"),
        ({"model": "ozturk", "bits": "256"}, "bits: ozturk has no modulus"),
        ({"model": "hffm", "bits": "434"}, "bits: hffm depends on the value of the modulus"),
        ({"model": "hffm", "core": True, "bits": "434"}, "bits: hffm depends on the value of the modulus"),
        ({"model": "iddmm_arch2", "bits": "256", "products": "2"}, "products: the products of iddmm_arch2"),
        ({"model": "nothing", "bits": "256"}, "model: "),
    ],
)
def test_refused(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        list(files(LibraryQuery(**asked).request))


def test_signed_steps_of_different_widths(tmp_path: Path) -> None:
    """A name has one width: narrow steps are extended by their sign."""
    request = LibraryQuery(model="iddmm2", prime=NARROW, pairs=["k=16"]).request
    a, b = field("a0", 0, 8, 255), field("b0", 0, 8, 255)
    steps = (("e", (0,), a - 3), ("e", (1,), b - (a << 100)), ("e", (2,), -5), ("e", (3,), b))
    request.__dict__["_programs"] = None, Program({"a0": 1 << 61, "b0": 1 << 61}, (), steps, (a,))
    library = Loaded(request, tmp_path)
    for x, y in ((0, 0), (1, 200), (255, 255)):
        frame = library.run([(x, y)])
        assert [library.step(frame, "e", [k]) for k in range(5)] == [x - 3, y - (x << 100), -5, y, None]
