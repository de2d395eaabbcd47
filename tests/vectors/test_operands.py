# SPDX-License-Identifier: Apache-2.0
"""The generator: the same request gives the same cases everywhere, for any count."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Run
from limbtrace.refmodels.papers.llmonpro.llmonpro.claims import low_half
from limbtrace.refmodels.papers.sidh.hffm.algorithm import WINDOWS
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.certificate.sage_referee import SUBTRACTING
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import KINDS, Multiplier, VectorRequest
from limbtrace.vectors.sets import BATCH, FORMATS, NOTES, Case, CaseMaker, VectorSet, render
from limbtrace.vectors.sets.cases import CaseTexts
from limbtrace.vectors.sets.write import case_line
from limbtrace.vectors.strategies import multipliers
from tests.shapes import ANY_MODULUS, KOC, ONE_DIGIT, of_width, quotient, quotient_digits

SEEDS = st.one_of(st.just(1), st.integers(0, 2**64 - 1))


def cases(multiplier: Multiplier, count: int, kind: str, seed: int = 1) -> list[Case]:
    return list(VectorSet(VectorRequest.resolve(multiplier, count, seed, kind)).cases())


@given(multipliers(), st.sampled_from(list(KINDS)), st.integers(1, 70), st.integers(1, 140), SEEDS)
def test_the_first_cases_do_not_depend_on_the_count(
    multiplier: Multiplier, kind: str, few: int, more: int, seed: int
) -> None:
    first, whole = cases(multiplier, few, kind, seed), cases(multiplier, few + more, kind, seed)
    assert len(first) == few
    assert whole[:few] == first


@given(multipliers(), st.sampled_from(list(KINDS)), SEEDS)
def test_operands_are_in_range(multiplier: Multiplier, kind: str, seed: int) -> None:
    p = multiplier.modulus.modulus or max(multiplier.params.limits) + 1
    for case in cases(multiplier, 90, kind, seed):
        multiplier.model.check_operands(multiplier.params, case.a, case.b)
        assert kind == "lazy" or multiplier.model.whole_range or max(case.a, case.b) < p


def extremes(multiplier: Multiplier, run: Run) -> tuple[bool, bool]:
    """Whether every quotient digit is 0, and whether each has its maximum."""
    model, params = multiplier.model, multiplier.params
    if model.unary or params.domain is None:
        return False, False
    if model.id in ONE_DIGIT:
        whole = run.at(quotient(model))
        return whole == 0, whole == params.domain - 1
    if model.id == "llmonpro":  # whose digits have a bit to spare
        Q0 = low_half(run, "Q")
        return Q0 == 0, params.domain - 1 == Q0
    digits = set(quotient_digits(model, run))
    return digits == {0}, digits == {(1 << (params.radix_bits or 0)) - 1}


@given(multipliers(), st.sampled_from(list(KINDS)))
def test_results_and_flags_by_the_loop(multiplier: Multiplier, kind: str) -> None:
    p, model = multiplier.modulus.modulus, multiplier.model
    for case in cases(multiplier, 24, kind):
        run = model.run(multiplier.params, case.a, case.b)
        assert (case.result, case.residue) == (run.result, multiplier.residue(run.result))
        zero, maximal = extremes(multiplier, run)
        expected = {
            "ZeroOperand": case.a == 0 or (case.b == 0 and not model.unary),
            "LazyOperand": not model.numbers and 0 < p <= max(case.a, case.b),
            "NotReduced": not model.numbers and 0 < p <= run.result,
            "QuotientZero": zero,
            "QuotientMaximal": maximal,
        }
        assert case.flags == tuple(flag for flag in NOTES if expected[flag])


@pytest.mark.parametrize("model", ["monpro", "redmonpro", "vdf", "ozturk", *KOC])
def test_nothing_is_lazy_where_nothing_beyond_the_modulus_is_accepted(model: str) -> None:
    multiplier = Multiplier.resolve(model, "2^64-59" if MODELS[model].has_modulus else None, {})
    seen = {flag for kind in ("edge", "lazy") for case in cases(multiplier, 200, kind) for flag in case.flags}
    assert seen == {"ZeroOperand", *(("QuotientZero", "QuotientMaximal") if model in (*ONE_DIGIT, *KOC) else ())}


@pytest.mark.parametrize("model", [model for model in ANY_MODULUS if model not in (*ONE_DIGIT, *KOC, "vdf", "ozturk")])
def test_lazy_goes_beyond_the_modulus_and_edges_reach_every_flag(model: str) -> None:
    seen = set()
    for prime in ("secp256k1", "curve25519", "2^64-59"):
        for given_ in ({}, of_width(model, 16)):
            multiplier = Multiplier.resolve(model, prime, given_)
            edge, lazy = cases(multiplier, 200, "edge"), cases(multiplier, 200, "lazy")
            assert not any("LazyOperand" in case.flags for case in edge)
            beyond = [case for case in lazy if "LazyOperand" in case.flags]
            p, (a_max, b_max) = multiplier.modulus.modulus, multiplier.params.limits
            assert len(beyond) > (40 if a_max >= 2 * p - 1 else 10)
            assert max(case.a for case in lazy) == a_max
            assert max(case.b for case in lazy) == b_max
            assert {p - 1, p} <= {case.a for case in lazy}
            seen |= {flag for case in (*edge, *lazy) for flag in case.flags}
    assert seen == set(NOTES) - ({"NotReduced"} if multiplier.model.id in SUBTRACTING else set())


def test_edges_below_the_modulus_reach_the_largest_quotient() -> None:
    for model in ("iddmm1", "iddmm2"):
        flags = {flag for case in cases(Multiplier.resolve(model, "secp256k1", {}), 200, "edge") for flag in case.flags}
        assert flags == set(NOTES) - {"LazyOperand"}


def test_every_kind_draws_other_operands_and_other_seeds_too() -> None:
    multiplier = Multiplier.resolve("iddmm2", "p256", {})
    for kind in KINDS:
        first, second = ([(c.a, c.b) for c in cases(multiplier, 300, kind, seed)] for seed in (1, 2))
        assert (first == second) == (kind == "edge" and first == second)
        assert len(set(first)) > 150
    assert len({tuple(c.a for c in cases(multiplier, 300, kind)) for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", ["random", "runs"])
def test_random_operands_fill_the_range(kind: str) -> None:
    multiplier = Multiplier.resolve("iddmm2", 251, {"k": 4})
    seen = {value for case in cases(multiplier, 4000, kind) for value in (case.a, case.b)}
    assert len(seen) > (245 if kind == "random" else 60)
    assert {0, 250} <= seen or kind == "runs"


def test_runs_are_longer_than_chance() -> None:
    multiplier = Multiplier.resolve("iddmm2", "p256", {})

    def changes(kind: str) -> float:
        values = [case.a for case in cases(multiplier, 200, kind)]
        return sum((value ^ (value >> 1)).bit_count() for value in values) / len(values)

    assert 110 < changes("random") < 146
    assert changes("runs") < 40


NARROW = {"below", "final", "rounds", "n", "s", "r", "r2", "mb", "fused", "qcarry", "sign", "k", "w", "m", "K"}
NARROW |= {"alpha", "beta", "corrections", "width"}
"""Parameters to which the others may leave no choice."""


@given(multipliers(), st.data())
def test_ids_follow_from_the_content(multiplier: Multiplier, data: st.DataObject) -> None:
    drawn = cases(multiplier, 20, "mixed")
    maker = CaseMaker(Multiplier.resolve(multiplier.model.id, multiplier.prime, multiplier.settings))
    for case in data.draw(st.permutations(drawn)):
        assert maker.case_id(case.a, case.b) == case.id
    assert len({case.id for case in drawn}) == len({(case.a, case.b) for case in drawn})
    a, b = drawn[0].a, drawn[0].b
    assert maker.case_id(a, b) != maker.case_id(a + 1, b) != maker.case_id(a, b + 1)
    for name in multiplier.params.named:
        others = list(changed(multiplier, name))
        assert others or name in NARROW
        assert drawn[0].id not in {CaseMaker(other).case_id(a, b) for other in others}


CHOICES: dict[str, tuple[int | str, ...]] = {
    "sign": (-1, 1),
    "split": (6, 8),
    "window": WINDOWS,
    "variant": ("alg5", "alg7"),
    "final": ("reduced", "unreduced"),
    "below": ("p", "2*p", "2^N"),
}
"""Parameters with a few possible values."""


def changed(multiplier: Multiplier, name: str) -> Iterator[Multiplier]:
    """The multiplier with one parameter larger or smaller by one; nothing if that is rejected."""
    named = multiplier.params.named
    for value in CHOICES.get(name) or (named[name] + 1, named[name] - 1):
        if value == named[name]:
            continue
        follows = {"theta": int(value) + 1} if name == "s" and "theta" in named else {}
        settings = {**multiplier.settings, name: value, **follows}
        with suppress(ParameterError):
            yield Multiplier.resolve(multiplier.model.id, multiplier.prime, settings)


# SHA-256 of the response to a request. Bytes other than those stored by users need a new format version.
GOLDEN = {
    ("cios", "secp256k1", "mixed", "json"): "efdf53bb389033ffbd178372fc9a21fe2dba266c9ead31ad635dfd9f5ba73d7d",
    ("iddmm1", "curve25519.fr", "edge", "ndjson"): "a298f84dcafad51d6603709d4cd3631004ee5fb4313ba4360e2baad39f27ccdc",
    ("iddmm2", "2^127-1", "lazy", "csv"): "eff174681c4f9273f0fd01d699afe28a4df64fdc31906b540439dfda6c6dc9e2",
    ("iddmm2", "mlkem", "runs", "readmemh"): "4d60e2d132c672f2cc8a3b9566f37efd81901bda38cd2fcc18888285c4fd5418",
    ("cios", "p521", "random", "ndjson"): "f7a48e5108f95c70cf19edd27a7c936cd6d4d07c14fb8308c9c0370466f847ef",
}


@pytest.mark.parametrize("request_", GOLDEN, ids="-".join)
def test_golden_bytes(request_: tuple[str, str, str, str]) -> None:
    model, prime, kind, form = request_
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve(model, prime, {}), 700, 5, kind))
    assert hashlib.sha256(b"".join(render(vectors, form))).hexdigest() == GOLDEN[request_]


EVERYTHING: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("cios", "3", {"w": "2"}),
    ("iddmm1", "3", {}),
    ("iddmm2", "13", {"k": "1", "passes": "1"}),
    ("iddmm1", "mlkem", {"k": "4", "passes": "2"}),
    ("cios", "2^255-19", {"w": "65"}),
    ("iddmm2", "secp256k1", {"k": "16", "form": "printed"}),
    ("iddmm2", "2^521-1", {}),
    ("cios", "2^2048-1", {}),
)


OLDEST = ("json", "ndjson", "csv", "readmemh")
COLLECTIONS = ("wycheproof", "acvp", "rooterberg", "accumulated")
BYTES_OF = {
    OLDEST: "1459e913d99716406ed8eef58694b3cd16ea14f7a5029fdb7257876eb4c465b7",
    COLLECTIONS: "41928c5883f92e3eab73d1969ab7a91c56a87814bbda0accfee7a629bb5d6119",
    tuple(
        form for form in FORMATS if form not in (*OLDEST, *COLLECTIONS)
    ): "04717c4a3e0a1ffe707cf8f43b9b47fe27511bcae83ca162b659eadf37d54ce9",
}


@pytest.mark.parametrize("formats", BYTES_OF, ids="-".join)
def test_golden_bytes_of_every_kind_and_format(formats: tuple[str, ...]) -> None:
    content = hashlib.sha256()
    for model, prime, given_ in EVERYTHING:
        multiplier = Multiplier.resolve(model, prime, given_)
        for kind in KINDS:
            vectors = VectorSet(VectorRequest.resolve(multiplier, 70, 3, kind))
            for form in formats:
                for chunk in render(vectors, form):
                    content.update(chunk)
    assert content.hexdigest() == BYTES_OF[formats]


@given(multipliers(), st.sampled_from(list(KINDS)), st.integers(1, 600), SEEDS)
@settings(max_examples=30)
def test_batches_hold_the_cases_that_are_made_one_by_one(
    multiplier: Multiplier, kind: str, count: int, seed: int
) -> None:
    vectors = VectorSet(VectorRequest.resolve(multiplier, count, seed, kind))
    golden = [vectors.maker.case(int(a), int(b), comment) for a, b, comment in operands(vectors.request)]
    drawn = list(vectors.cases())
    assert drawn == golden
    assert {type(value) for case in drawn for value in case[1:5]} == {int}
    batches = list(vectors.batches())
    size = 1 if multiplier.model.chain else BATCH
    assert [len(batch.a) for batch in batches[:-1]] == [size] * (len(batches) - 1)
    line = case_line(vectors)
    lines = b"".join(line.of(CaseTexts(vectors.maker, batch)) for batch in batches)
    assert lines == "".join(f"{case.line()}\n" for case in golden).encode()
    for case, (a, b, comment) in zip(golden[:20], operands(vectors.request), strict=False):
        assert (
            line.of(CaseTexts(vectors.maker, vectors.maker.batch([a], [b], [comment]))) == f"{case.line()}\n".encode()
        )


def test_same_bytes_in_other_processes() -> None:
    program = (
        "import sys, hashlib\n"
        "from limbtrace.vectors.sets import FORMATS, render\n"
        "from limbtrace.vectors.request import Multiplier, VectorRequest\n"
        "from limbtrace.vectors.sets import VectorSet\n"
        "m = Multiplier.resolve('iddmm2', 'p256', {'k': '16'})\n"
        "for form in FORMATS:\n"
        "    for kind in ('mixed', 'lazy'):\n"
        "        v = VectorSet(VectorRequest.resolve(m, 100, 9, kind))\n"
        "        print(form, kind, v.request.id, hashlib.sha256(b''.join(render(v, form))).hexdigest())\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, locale, zone in (("0", "C", "UTC"), ("12345", "C.UTF-8", "Asia/Tokyo"))
    ]
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 2 * len(FORMATS)


def test_random_values_that_are_zero_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Case numbers, including the last one of a block."""

    class Ends:
        def __init__(self, _: bytes) -> None:
            pass

        def digest(self, size: int) -> bytes:
            return b"\1" * (size - 40) + bytes(40)

    monkeypatch.setattr("limbtrace.vectors.operands.hashlib.shake_128", Ends)
    request = VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 96, 1, "random")
    assert [k for k, (_, b, _) in enumerate(operands(request)) if b == 0] == [31, 63, 95]


def test_a_stream_without_end() -> None:
    """Cases are generated lazily: a huge count costs nothing until it is consumed."""
    request = VectorRequest.resolve(Multiplier.resolve("cios", "p521", {}), 10_000_000, 1, "mixed")
    assert len(list(islice(operands(request), 5))) == 5
