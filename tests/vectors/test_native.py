# SPDX-License-Identifier: Apache-2.0
"""The text of cases by C: the same bytes as by Python, for every model, modulus, kind and number of cases."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.compiled import build
from limbtrace.vectors.operands import DigitPattern, RandomStream, RunPattern
from limbtrace.vectors.request import CHAINED, EVERY_KIND, EXHAUSTIVE, Multiplier, VectorRequest
from limbtrace.vectors.sets import FORMATS, VectorSet, native, render
from limbtrace.vectors.sets.cases import LINE
from limbtrace.vectors.strategies import multipliers

pytestmark = pytest.mark.usefixtures("compiler")

KINDS = [kind for kind in EVERY_KIND if kind not in (CHAINED, EXHAUSTIVE)]
IN_PYTHON = {"effm", "ffm1", "hffm", "redundant"}
"""Models whose sets have digits; besides, chains are written by Python."""
TEXTS = ["json", "ndjson", "csv", "readmemh", "raw", "coe", "mif"]
"""Formats that C writes; packages are written by Python."""
BINARY = [name for name, model in MODELS.items() if not model.unary]
MODULI = {
    "3 bits": 7, "a limb": 2**64 - 59, "below a limb": 2**63 - 25, "beyond a limb": 2**64 + 13,
    "two limbs": 2**128 - 159, "a low top limb": 2**192 + 133,
    "521 bits": 2**521 - 1, "4096 bits": 2**4096 - 2**4000 + 1,
}  # fmt: skip


@contextmanager
def setting(**values: int) -> Iterator[None]:
    """Other values of the constants of `native`."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setattr(native, name, value)
        yield


def written(request: VectorRequest, form: str) -> bytes:
    """A set by C, for as few cases as there are; C must write it if it has no digits."""
    with setting(WORTH=1), pytest.MonkeyPatch.context() as patch:
        if not request.multiplier.params.representations:
            patch.setattr(VectorSet, "batches", None)
        return b"".join(render(VectorSet(request), form))


def plain(request: VectorRequest, form: str) -> bytes:
    """A set by Python."""
    with setting(WORTH=request.count + 1):
        return b"".join(render(VectorSet(request), form))


def resolved(model: str) -> Multiplier:
    """The model with a modulus that it takes, of about 256 bits, and its own parameters."""
    for prime in ("secp256k1", "sike-p434", "sike-p503", "p771", "p256", None):
        try:
            return Multiplier.resolve(model, prime, {})
        except ParameterError:
            continue
    raise AssertionError(model)


def test_which_models_have_digits() -> None:
    assert {model for model in BINARY if resolved(model).params.representations} == IN_PYTHON


@pytest.mark.parametrize("model", BINARY)
def test_every_model_and_kind(model: str) -> None:
    multiplier = resolved(model)
    with setting(BATCH=96):
        for kind, form in zip(KINDS, TEXTS * 2, strict=False):
            for count in (1, 95, 96, 97, 203) if kind in ("random", "mixed") else (100,):
                request = VectorRequest.resolve(multiplier, count, 5, kind)
                assert written(request, form) == plain(request, form)


@given(
    multipliers(BINARY), st.sampled_from(KINDS), st.sampled_from(TEXTS),
    st.integers(1, 150), st.integers(0, 2**64 - 1), st.integers(1, 100),
)  # fmt: skip
@settings(max_examples=50)
def test_any_parameters(multiplier: Multiplier, kind: str, form: str, count: int, seed: int, batch: int) -> None:
    request = VectorRequest.resolve(multiplier, count, seed, kind)
    with setting(BATCH=batch):
        assert written(request, form) == plain(request, form)


@pytest.mark.parametrize("form", TEXTS)
def test_batches_as_they_are(form: str) -> None:
    for count in (native.BATCH - 1, native.BATCH, native.BATCH + 1):
        request = VectorRequest.resolve(Multiplier.resolve("cios", "secp256k1", {}), count, 1, "mixed")
        assert written(request, form) == plain(request, form)


@pytest.mark.parametrize("prime", MODULI.values(), ids=MODULI)
@pytest.mark.parametrize("model", ["monpro", "iddmm2", "orup"])
def test_widths(model: str, prime: int) -> None:
    multiplier = Multiplier.resolve(model, prime, {})
    for kind in ("random", "lazy", "edge", "runs"):
        request = VectorRequest.resolve(multiplier, 200, 2, kind)
        assert written(request, "csv") == plain(request, "csv")
    with setting(FORMULA_WORDS=0):
        assert written(request, "csv") == plain(request, "csv")
    with setting(FORMULA_WORDS=1000):
        assert written(request, "csv") == plain(request, "csv")


@pytest.mark.parametrize("form", ["ndjson", "readmemh"])
def test_text_comes_in_pieces_of_any_width(form: str) -> None:
    for prime in ("secp256k1", "2^8192-1"):
        request = VectorRequest.resolve(Multiplier.resolve("monpro", prime, {}), 5000, 1, "random")
        pieces = [len(piece) for piece in render(VectorSet(request), form)]
        assert 1 << 16 < max(pieces) <= native.CHUNK


@pytest.mark.parametrize("form", FORMATS)
def test_a_set_that_python_writes(form: str) -> None:
    """Digits, and chains."""
    for model, settings_ in (("redundant", {}), ("vdf", {"d": 8, "t": 3})):
        request = VectorRequest.resolve(Multiplier.resolve(model, "0xea7", settings_), 30, 1, "random")
        with setting(WORTH=1):
            assert b"".join(render(VectorSet(request), form)) == plain(request, form)


@given(
    st.integers(1, 1100), st.integers(0, 2**64 - 100), st.integers(1, 9), st.sampled_from(["a", "x" * 62, "x" * 400])
)
@settings(max_examples=60)
def test_random_bytes_are_those_of_hashlib(bits: int, first: int, count: int, purpose: str) -> None:
    """Four streams at a time, one by one behind them, and with labels that are too long for that."""
    functions = native.library()
    assert functions is not None
    stream = RandomStream(Multiplier.resolve("cios", "p256", {}), 7, purpose, bits)
    for begin in (first, 10 ** len(str(first)) - 2):  # numbers of one length, and of two
        if begin + count < 2**64:
            assert native._random(functions, stream, begin, begin + count).tobytes() == stream.raw(begin, begin + count)


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    request = VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), native.WORTH, 1, "random")
    assert native.texts(request, VectorSet(request).maker, [LINE]) is not None
    golden = b"".join(render(VectorSet(request), "ndjson"))
    monkeypatch.setenv("CC", "")
    assert native.texts(request, VectorSet(request).maker, [LINE]) is None
    assert b"".join(render(VectorSet(request), "ndjson")) == golden


def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    request = VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), native.WORTH, 1, "random")
    monkeypatch.setenv("CC", "false")
    with caplog.at_level("INFO", "limbtrace"):
        assert native.texts(request, VectorSet(request).maker, [LINE]) is None
    assert "false failed with exit code 1" in caplog.text


def test_few_cases_need_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "compiled", None)
    request = VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), native.WORTH - 1, 1, "random")
    assert native.texts(request, VectorSet(request).maker, [LINE]) is None


def drawn(raw: bytes, size: int, shape: RunPattern | DigitPattern | None, limit: int) -> list[int]:
    """Numbers from 0 to a limit, of `size` random bytes each, by C."""
    if shape is None:
        told = (0, 0, 0)
    elif isinstance(shape, RunPattern):
        told = (1, 1, shape.bits)
    else:
        told = (2, shape.digits, shape.width)
    words = limit.bit_length() // 64 + 1
    boundary = np.frombuffer((limit + 1).to_bytes(8 * words, "little"), np.uint64)
    while not boundary[-1]:
        boundary = boundary[:-1]
    pattern = -(-told[1] * told[2] // 64) + -(-size // 8)
    scratch = np.empty(2 * words + 2 * pattern + 4, np.uint64)
    to = np.empty(len(raw) // size * words, np.uint64)
    library = native.library()
    assert isinstance(library, ctypes.CDLL)
    library.lt_draw(np.frombuffer(raw, np.uint8).ctypes.data, size, size, len(raw) // size, *told, boundary.ctypes.data,
                    len(boundary), to.ctypes.data, words, words, scratch.ctypes.data)  # fmt: skip
    return [int.from_bytes(to[k : k + words].tobytes(), "little") for k in range(0, len(to), words)]


BYTES = st.sampled_from((b"\0", b"\xff", b"\x80", b"\x01", b"\x7f", b"\xfe", b"\x55"))


@st.composite
def raws(draw: st.DrawFn, size: int) -> bytes:
    """A value of many ones and zeros, or a random one; quotients are often estimated too large for the first."""
    if draw(st.booleans()):
        return draw(st.binary(min_size=size, max_size=size))
    return b"".join(draw(st.lists(BYTES, min_size=size, max_size=size)))


LIMITS = st.one_of(
    st.integers(0, 2**70),
    st.integers(0, 2**600),
    st.builds(lambda k, d: max((1 << k) - d, 0), st.integers(1, 600), st.integers(0, 3)),
    st.builds(lambda k, j: (1 << k) + (1 << j) - 2, st.integers(1, 400), st.integers(0, 400)),
)
SHAPES = st.one_of(
    st.none(),
    st.builds(RunPattern, st.integers(1, 700)),
    st.builds(DigitPattern, st.integers(1, 20), st.integers(1, 150)),
)


@given(st.data(), LIMITS, SHAPES)
@settings(max_examples=400)
def test_drawn_numbers(data: st.DataObject, limit: int, shape: RunPattern | DigitPattern | None) -> None:
    if isinstance(shape, RunPattern):
        size = 16
    elif isinstance(shape, DigitPattern):
        size = -(-shape.digits * (shape.width + 8) // 8)
    else:
        size = data.draw(st.integers(1, 100))
    values = data.draw(st.lists(raws(size), min_size=1, max_size=3))
    golden = [int.from_bytes(value, "little") for value in values]
    golden = golden if shape is None else list(map(shape, golden))
    assert drawn(b"".join(values), size, shape, limit) == [value % (limit + 1) for value in golden]


PROGRAM = """
import random, sys
from tests.vectors import test_native as t
from limbtrace.vectors.sets import native
rng = random.Random(5)
from limbtrace.vectors.operands import DigitPattern, RandomStream, RunPattern
for _ in range(300):
    limit = rng.getrandbits(rng.randrange(1, 400)) | 1
    for shape, size in ((None, rng.randrange(1, 70)), (RunPattern(bits := rng.randrange(1, 500)), 16),
                        (DigitPattern(4, width := rng.randrange(1, 140)), -(-4 * (width + 8) // 8))):
        raw = rng.randbytes(3 * size)
        golden = [int.from_bytes(raw[k:k + size], "little") for k in range(0, len(raw), size)]
        golden = golden if shape is None else list(map(shape, golden))
        assert t.drawn(raw, size, shape, limit) == [value % (limit + 1) for value in golden]
for model in ("cios", "monpro", "r2mm", "orup", "llmonpro", "ozturk"):
    for bits in (3, 63, 64, 65, 127, 250, 256, 700):
        prime = None if model == "ozturk" else (1 << bits) - 1 - 2 * rng.randrange(2)
        multiplier = t.Multiplier.resolve(model, prime, {})
        for kind in ("mixed", "lazy"):
            request = t.VectorRequest.resolve(multiplier, 110, bits, kind)
            for form in ("csv", "readmemh"):
                with t.setting(BATCH=50):
                    assert t.written(request, form) == t.plain(request, form)
"""


PORTABLE = pytest.param("-DLT_PORTABLE -DLT_NO_INT128", id="portable", marks=pytest.mark.full)


@pytest.mark.parametrize("flags", [pytest.param("", id="as it is"), PORTABLE])
def test_no_access_out_of_bounds_and_nothing_undefined(flags: str, tmp_path: Path) -> None:
    """By the sanitizers of the compiler, which see everything that NumPy allocates."""
    preload = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environment = {
        **os.environ,
        "CC": f"cc -g -fsanitize=address,undefined -fno-sanitize-recover=all {flags}",
        "LIMBTRACE_BUILD": str(tmp_path),
        "LD_PRELOAD": preload.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
