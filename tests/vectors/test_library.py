# SPDX-License-Identifier: Apache-2.0
"""`limbtrace library`: its C for every model and core against the models, under sanitizers, and what is refused."""

import ctypes
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from refmodels.architecture import Job
from refmodels.program import Program
from refmodels.registry import ARCHITECTURES, MODELS
from refmodels.terms import field
from tests.refmodels.test_programs import SMALL, example, operands
from vectors.compiled.c import source, words
from vectors.library import LibraryQuery, LibraryRequest, files
from vectors.library.tables import LibraryTables, distinct

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

    def __init__(self, request: LibraryRequest, folder: Path) -> None:
        self.request = request
        self.tables = LibraryTables(request, source(request.program, "lt_run"))
        written(request, folder)
        self._library = ctypes.CDLL(str(compiled(folder, "library.so", "-O1", "-shared", "-fPIC", f"{request.name}.c")))

    def call(self, name: str, *arguments: Any) -> int:
        function = getattr(self._library, f"{self.request.name}_{name}")
        return int(function(*arguments))

    def run(self, operands: Operands) -> Any:
        """The frame of a stream."""
        frame = (ctypes.c_uint64 * self.tables.source.words)()
        self.call("run", *self._packed(operands), frame)
        return frame

    def _packed(self, operands: Operands) -> list[bytes]:
        sizes = {name[0]: count for name, count in self.tables.source.operands.items()}
        return [b"".join(pair["ab".index(letter)].to_bytes(8 * count, "little") for pair in operands)
                for letter, count in sizes.items()]  # fmt: skip

    def product(self, a: int, b: int) -> int:
        """By the function without a frame."""
        out = (ctypes.c_uint64 * words(self.tables.result_bits))()
        self.call("product", *self._packed([(a, b)]), out)
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


@pytest.mark.parametrize("name", MODELS)
def test_every_model(name: str, tmp_path: Path) -> None:
    library = Loaded(small(name, core=False), tmp_path)
    model, params = library.request.multiplier.model, library.request.multiplier.params
    for a, b in operands(model, params, random.Random(name)):
        run, frame = model.run(params, a, b), library.run([(a, b)])
        assert library.result(frame, 0) == run.result == library.product(a, b)
        assert [library.step(frame, step, index) for step, index, _ in run.steps] == [value for *_, value in run.steps]
    assert library.result(frame, 1) is None
    assert library.step(frame, run.steps[0][0], [9999]) is None
    assert library.step(frame, run.steps[0][0], [-1]) is None or run.steps[0][1][:1] == (-1,)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_every_core(name: str, tmp_path: Path) -> None:
    """Every cell of the cycle table, and every result."""
    library = Loaded(small(name, core=True), tmp_path)
    request, architecture = library.request, ARCHITECTURES[name]
    model, params = architecture.model, request.shape.params
    pairs = operands(model, params, random.Random(name))
    for first in range(0, len(pairs) - request.products, 2):
        stream = pairs[first : first + request.products]
        frame = library.run(stream)
        products = list(architecture.products(request.shape, [Job(a, b) for a, b in stream], request.plan))
        assert [library.result(frame, k) for k in range(request.products)] == [p.result for p in products]
        for k, column in enumerate(products[0].table):
            mine = [library.cell(frame, k, cycle) for cycle in range(request.plan.cycles)]
            assert mine == column, request.plan.columns[k].name
    assert library.cell(frame, 0, -1) is None
    assert library.cell(frame, 0, request.plan.cycles) is None


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
    ],
)
def test_sanitizers(name: str, prime: str, settings: list[str], portable: bool, tmp_path: Path) -> None:
    """The C example, with and without 128-bit integers: no undefined behaviour, and right results."""
    request = LibraryQuery(model=name, prime=prime, pairs=settings).request
    written(request, tmp_path)
    flags = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", *["-DLT_NO_INT128"] * portable]
    program = compiled(tmp_path, "example", *flags, "example.c", f"{request.name}.c")
    model, params = request.multiplier.model, request.multiplier.params
    for a, b in operands(model, params, random.Random(name))[:6]:
        done = subprocess.run([program, f"{a:x}", f"{b:x}"], capture_output=True, text=True)
        assert (done.stdout, done.stderr) == (f"{model.result(params, a, b):x}\n", "")


def test_the_example_refuses_what_is_no_operand(tmp_path: Path) -> None:
    written(LibraryQuery(model="iddmm2", prime=NARROW, pairs=["k=16"]).request, tmp_path)
    program = compiled(tmp_path, "example", "example.c", "lt_iddmm2.c")
    for given in ([], ["1"], ["1", "2", "3"], ["0x1", "2"], ["", "2"], ["g", "2"], ["1" * 17, "2"]):
        assert subprocess.run([program, *given], capture_output=True).returncode == 2


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
    request.__dict__["program"] = Program({"a0": 1 << 61, "b0": 1 << 61}, (), steps, (a,))
    library = Loaded(request, tmp_path)
    for x, y in ((0, 0), (1, 200), (255, 255)):
        frame = library.run([(x, y)])
        assert [library.step(frame, "e", [k]) for k in range(5)] == [x - 3, y - (x << 100), -5, y, None]
