# SPDX-License-Identifier: Apache-2.0
"""Streams of interleaved products, and Algorithm 3 of the FPMM paper."""

import shlex
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.batch_digits import integers
from limbtrace.refmodels.erratum import Erratum, FormulaErratum
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import PRINTED, Run
from limbtrace.refmodels.papers.fpmm import design as algorithm3
from limbtrace.refmodels.papers.fpmm.design import Design
from limbtrace.refmodels.papers.fpmm.figures import FIGURES
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import Fpmm, Visit, earliest, plan, run_stream, stream
from limbtrace.refmodels.registry import MODELS, errata
from limbtrace.vectors.catalogue import errata_document
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import multipliers, products
from tests.refmodels.conformance import Mutation, mutated

MODEL = MODELS["fpmm"]
PRIME_128 = 2**128 - 159
THIRTEEN = [(17, 11), (25, 25)]
FOUR = [(5, 7), (9, 9), (20, 21), (25, 25)]


def shape(modulus: int, **given_: str | int) -> Fpmm:
    params: Fpmm = MODEL.resolve(modulus, given_)
    return params


def exact(params: Fpmm, pairs: list[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(MODEL.closed_form(params, a, b) for a, b in pairs)


@st.composite
def streams(draw: st.DrawFn) -> tuple[Fpmm, list[tuple[int, int]], list[int]]:
    """A unit, products, and the visits in which they begin: in any LM, back to back or after a gap."""
    multiplier: Multiplier = draw(multipliers(["fpmm"], max_bits=150, max_digits=5))
    params = multiplier.params
    assert isinstance(params, Fpmm)
    pairs = draw(st.lists(products(multiplier), min_size=1, max_size=5))
    free = [0] * params.sigma
    starts = []
    for _ in pairs:
        lm, gap = draw(st.integers(0, params.sigma - 1)), draw(st.integers(0, 2))
        starts.append(lm + params.sigma * (free[lm] + gap))
        free[lm] += gap + params.digits
    return params, pairs, starts


Stream = tuple[Fpmm, list[tuple[int, int]], list[int]]


@given(streams())
def test_every_claim_holds_in_a_stream(drawn: Stream) -> None:
    run = run_stream(*drawn)
    assert [str(violation) for violation in MODEL.violations(run)] == []
    assert run.results == exact(drawn[0], drawn[1])
    assert run.result == run.results[0]


@given(streams())
def test_each_visit_is_a_pass_of_algorithm_1(drawn: Stream) -> None:
    """Equal word for word, except for the effect of the previous visit's carry on u and on the two carries."""
    params, pairs, starts = drawn
    run = run_stream(params, pairs, starts)
    assert all(run.at("lm", g) == g % params.sigma for g in range(len(plan(params, starts))))
    cios = MODELS["cios"]
    for job, ((a, b), start) in enumerate(zip(pairs, starts, strict=True)):
        alone = cios.run(cios.resolve(params.modulus, {"w": params.radix_bits, "s": params.digits}), a, b)
        for i in range(params.digits):
            g = start + params.sigma * i
            assert (run.at("job", g), run.at("it", g)) == (job, i)
            assert (run.at("q", g), run.at("T", g)) == (alone.at("q", i), alone.at("T", i))
            assert run.at("shared", g) == alone.at("ts", i)
            assert [run.at("v", g, j) for j in range(params.digits)] == [
                alone.at("v", i, j) for j in range(params.digits)
            ]
            moved = run.at("us", g) - alone.at("us", i)
            assert moved in (0, 1)
            assert alone.at("c", i, params.digits - 1) - run.at("cs", g) == moved
            if not params.flush:
                assert (moved, run.at("us_p", g), run.at("c_p", g), run.at("t_out", g, 0)) == (0, 0, 0, 0)


@given(streams(), st.lists(st.integers(0, 2**150), min_size=3, max_size=3))
def test_a_batch_of_streams_is_its_streams(drawn: Stream, more: list[int]) -> None:
    params, pairs, starts = drawn
    top = params.limits[0] + 1
    batch = [pairs, *([((a + seed) % top, (b * seed) % top) for a, b in pairs] for seed in more)]
    columns = [params.split_batch(*zip(*(stream[job] for stream in batch), strict=True)) for job in range(len(pairs))]
    seen = list(stream(params, plan(params, starts), [a for a, _ in columns], [b for _, b in columns]))
    runs = [run_stream(params, entry, starts) for entry in batch]
    for k, (name, index, value) in enumerate(seen):
        assert {run.steps[k][:2] for run in runs} == {(name, index)}
        assert integers(value, len(batch)) == [run.steps[k][2] for run in runs]
    assert {len(run.steps) for run in runs} == {len(seen)}


def test_the_worked_example() -> None:
    """The states of one product, cell by cell, computed by hand."""
    run = run_stream(shape(13, w=3, s=2, sigma=2), THIRTEEN)
    rows = [  # LM, i, us_p, c_p, t_in, v, q, u, t_out, us, c
        (0, 0, 0, 0, [0, 0], [3, 1], 1, [3, 1], [0, 3], 0, 0),
        (1, 0, 0, 0, [0, 0], [1, 3], 3, [1, 3], [0, 0], 0, 1),
        (0, 1, 0, 1, [3, 0], [9, 2], 3, [1, 3], [1, 0], 0, 1),
        (1, 1, 0, 1, [0, 1], [3, 10], 1, [3, 2], [1, 4], 1, 0),
        (0, -1, 1, 0, [0, 0], [0, 0], 0, [1, 0], [1, 0], 0, 0),
    ]
    for g, row in enumerate(rows):
        words = {name: [run.at(name, g, j) for j in (0, 1)] for name in ("t_in", "v", "u", "t_out")}
        one = {name: run.at(name, g) for name in ("lm", "it", "us_p", "c_p", "q", "us", "cs")}
        assert row == (
            one["lm"], one["it"], one["us_p"], one["c_p"], words["t_in"], words["v"], one["q"], words["u"],
            words["t_out"], one["us"], one["cs"],
        )  # fmt: skip
    assert [run.at("shared", g) for g in range(4)] == [0, 1, 1, 1]
    assert [run.at("T", g) for g in range(4)] == [3, 8, 8, 12]
    assert run.results == (8, 12)
    assert max(g for name, (g, *_), _ in run.steps if name == "lm") == 4


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("sigma", [1, 2, 3])
@pytest.mark.parametrize("w", [2, 3])
def test_all_neighbours_of_all_products(w: int, sigma: int, more: int) -> None:
    """Two products in successive visits, then one of them again: all operands of all moduli of two words."""
    for p in range(3, 4**w // 4, 2):
        params = shape(p, w=w, s=2, sigma=sigma, theta=2 + more)
        everything = np.arange((2 * p) ** 4)
        a, b, x, y = ((everything // (2 * p) ** place % (2 * p)).tolist() for place in range(4))
        first, second = params.split_batch(a, b), params.split_batch(x, y)
        starts = earliest(params, 3)
        A, B = zip(first, second, first, strict=True)
        T = {
            index[0]: sum(np.asarray(word, dtype=np.int64) << (w * k) for k, word in enumerate(value.digits))
            for name, index, value in stream(params, plan(params, starts), list(A), list(B))
            if name == "T" and not isinstance(value, int)
        }
        results = [T[params.last_visit(start)] for start in starts]
        for result, left, right in zip(results, (a, x, a), (b, y, b), strict=True):
            ab = np.array(left) * np.array(right)
            m = 1 << (2 * w)
            assert np.array_equal(result, (ab + ab * (-pow(p, -1, m) % m) % m * p) // m)


def test_operands_out_of_range_harm_their_neighbours() -> None:
    """Section 3.4: the shared word overflows into the next LM; Algorithm 1 has no such coupling."""
    params = shape(13, w=3, s=2, sigma=2)
    assert run_stream(params, [(31, 62), (1, 1)]).results[1] == 4
    assert run_stream(params, [(25, 25), (1, 1)]).results[1] == exact(params, [(1, 1)])[0] == 12
    assert run_stream(shape(13, w=3, s=2, sigma=2, theta=3), [(31, 62), (1, 1)]).results[1] == 12
    large = shape(PRIME_128, w=34, s=4, sigma=4)
    valid = (2 * PRIME_128 - 1, 12345)
    wild = run_stream(large, [(2**136 - 1, 2**136 - 1), valid])
    assert wild.results[1] != exact(large, [valid])[0]
    assert any(violation.claim.step == "shared" for violation in MODEL.violations(wild))


@given(streams(), st.data())
def test_neighbours_are_safe_while_b_and_p_fit_the_words(drawn: Stream, data: st.DataObject) -> None:
    """Section 3.4: B + P <= 2^m with any A < 2^m."""
    params, pairs, starts = drawn
    wild = data.draw(st.integers(0, len(pairs) - 1))
    m = params.domain
    a = data.draw(st.one_of(st.just(m - 1), st.integers(0, m - 1)))
    b = data.draw(st.one_of(st.just(m - params.modulus), st.integers(0, m - params.modulus)))
    mixed = [*pairs[:wild], (a, b), *pairs[wild + 1 :]]
    results = run_stream(params, mixed, starts).results
    assert [r for k, r in enumerate(results) if k != wild] == [
        r for k, r in enumerate(exact(params, pairs)) if k != wild
    ]
    if a * b <= params.modulus * m:
        assert results[wild] == exact(params, [(a, b)])[0] < 2 * params.modulus


@pytest.mark.parametrize(
    ("modulus", "w", "s"),
    [
        (PRIME_128, 34, 4),
        (2**256 - 189, 34, 8),
        (2**134 - 1, 34, 4),
        (2**270 - 5, 34, 8),
        (3, 34, 4),
        (2**34 - 1, 4, 9),
    ],
)
def test_the_largest_beside_the_smallest(modulus: int, w: int, s: int) -> None:
    largest = (2 * modulus - 1, 2 * modulus - 1)
    word = (1 << w) - 1
    ones = sum(word << (w * j) for j in range(s)) & ((1 << (2 * modulus).bit_length() - 1) - 1)
    pairs = [(0, 0), largest, (0, 0), (modulus, 1), largest, largest, (ones, ones), (word, ones), (1, word), largest]
    for sigma, more in product((1, 2, 3, 4, 5), (0, 1)):
        params = shape(modulus, w=w, s=s, sigma=sigma, theta=s + more)
        run = run_stream(params, pairs)
        assert run.results == exact(params, pairs)
        assert not list(MODEL.violations(run))
        gap = run_stream(params, pairs[:2], [sigma - 1, 3 * sigma * s - 1])  # the last LM alone, then after a gap
        assert gap.results == run.results[:2]
        assert not list(MODEL.violations(gap))


def test_back_to_back() -> None:
    params = shape(PRIME_128, sigma=3)
    assert earliest(params, 7) == [0, 1, 2, 12, 13, 14, 24]
    visits = plan(params, earliest(params, 7))
    assert len(visits) == 24 + 3 * 3 + 1 + 1
    assert visits[:5] == [Visit(0, 0), Visit(1, 0), Visit(2, 0), Visit(0, 1), Visit(1, 1)]
    assert visits[24:27] == [Visit(6, 0), Visit(), Visit()]
    assert visits[-1] == Visit() == Visit(-1, -1)
    assert len(plan(shape(PRIME_128, sigma=3, theta=5), [0])) == 3 * 3 + 1


@pytest.mark.parametrize(
    ("starts", "reason"),
    [([0, 0], "product 1 cannot begin in visit 0: visit 0 is not free"),
     ([0, 9], "product 1 cannot begin in visit 9: visit 9 is not free"),
     ([12, 9], "product 1 cannot begin in visit 9: visit 12 is not free"),
     ([-1], "product 0 cannot begin in visit -1")],
)  # fmt: skip
def test_a_visit_holds_one_product(starts: list[int], reason: str) -> None:
    with pytest.raises(ParameterError, match=f"^operands: {reason}"):
        plan(shape(PRIME_128, sigma=3), starts)


Text = Callable[[list[tuple[int, int]]], tuple[int, ...]]


def changed(pattern: str, replacement: str) -> Text:
    """The results for P = 13, w = 3, s = sigma = 2 from the text with one change."""
    text = mutated("fpmm", Mutation(pattern=pattern, replacement=replacement, first=""))
    return lambda pairs: text["run_stream"](shape(13, w=3, s=2, sigma=2), pairs).results


Q, CLEAR, LATE = "q := ((v & low) * P_) & low", "if params.literal and i == 0:", "if params.literal and k == s - 1"


@pytest.mark.parametrize(
    ("pattern", "replacement", "pairs", "results"),
    [
        pytest.param(Q, "q := (t_in[0] + a * b[0] * P_) & low", THIRTEEN, (11, 14), id="E10"),
        pytest.param(CLEAR, "if i == 0:", FOUR, (4, 2, 7, 12), id="E11"),
        pytest.param(LATE, "if k == s - 1", THIRTEEN, (8, 11), id="E12"),
        pytest.param(Q, "q := ((v + d & low) * P_) & low", THIRTEEN, (8, 4), id="E13"),
        pytest.param("t_in = t[lm] if i > 0 else none", "t_in = t[lm]", FOUR, None, id="T kept"),
        pytest.param(
            "t[h % sigma][k] = word\n", "t[g % sigma][k] = word\n", THIRTEEN, None, id="top word to the next LM"
        ),
    ],
)
def test_each_reading_that_is_wrong(
    pattern: str, replacement: str, pairs: list[tuple[int, int]], results: tuple[int, ...] | None
) -> None:
    """Errata E10 to E13, each with its counterexample, and other mistakes; None: any wrong results."""
    right = run_stream(shape(13, w=3, s=2, sigma=2), pairs).results
    assert right == exact(shape(13, w=3, s=2, sigma=2), pairs)
    seen = changed(pattern, replacement)(pairs)
    assert seen != right
    assert results in (None, seen)
    assert changed("\ndef steps(", "\ndef steps(")(pairs) == right


def test_as_printed() -> None:
    """Errata E11 and E12 at once. The last LM is the one that E12 harms."""
    params = shape(13, w=3, s=2, sigma=2, form=PRINTED)
    assert run_stream(params, THIRTEEN).results == (8, 11)
    assert run_stream(params, FOUR).results == (4, 2, 7, 11)
    for sigma in (2, 3, 4):  # a product alone in LM 0 is right
        params = shape(PRIME_128, sigma=sigma, form=PRINTED)
        assert MODEL.result(params, PRIME_128 + 5, 7) == exact(params, [(PRIME_128 + 5, 7)])[0]
    (erratum,) = (e for e in errata(Erratum) if e.id == "fpmm.E11")
    assert (erratum.results(MODEL), erratum.results(MODEL, PRINTED)) == ((4, 10, 9, 12), (4, 2, 7, 11))
    with pytest.raises(ParameterError, match=r"^theta: Algorithm 2 as printed has theta = s = 4, not 5"):
        shape(PRIME_128, theta=5, form=PRINTED)


def test_the_command_of_an_erratum_of_streams(capsys: pytest.CaptureFixture[str]) -> None:
    (entry,) = (entry for entry in errata_document()["errata"] if entry["id"] == "fpmm.E11")
    python, option, program = shlex.split(entry["command"])
    assert (python, option) == ("python", "-c")
    exec(program)
    assert capsys.readouterr().out == "(4, 2, 7, 11)\n"
    assert entry["example"]["printed_results"] == ["0x4", "0x2", "0x7", "0xb"]
    assert entry["example"]["results"] == ["0x4", "0xa", "0x9", "0xc"]


def test_the_carry_that_is_counted_twice() -> None:
    """Erratum E9, with numbers computed by hand."""
    run: Run = run_stream(shape(63, w=4, s=2, sigma=2), [(14, 121), (1, 51)])
    U = run.at("u", 1, 0) + (run.at("u", 1, 1) << 4)
    assert (U, run.at("us_p", 1), run.at("q", 1), run.at("c_p", 1), run.at("cs", 1)) == (57, 6, 3, 4, 0)
    assert (U + 6 + 3 * 63 + 4) >> 8 == 1


def test_the_default_unit_is_the_smallest_that_can_be_built() -> None:
    for bits, w, s, sigma in ((128, 34, 4, 4), (256, 34, 8, 2), (128, 17, 8, 1), (128, 51, 3, 10), (256, 68, 4, 12)):
        params = shape(2**bits - 1, w=w)
        assert (params.digits, params.sigma, params.theta) == (s, sigma, s)
    assert shape(2**128 - 1, theta=5).sigma == 3


TABLE_II = [  # bits, code, alpha, lambda, tau, time for 8; lambda and the times are those of the table
    (128, "F44", 16, 75, 64, 151), (128, "S44", 16, 74, 64, 150), (256, "F28", 16, 143, 128, 535),
    (256, "S28", 16, 142, 128, 534), (256, "F48", 32, 255, 256, 535), (256, "S48", 32, 254, 256, 534),
    (128, "F35", 15, 72, 60, 197), (128, "S35", 15, 71, 60, 196), (128, "F45", 20, 87, 80, 182),
    (128, "S45", 20, 86, 80, 181), (256, "F38", 24, 199, 192, 591), (256, "F29", 18, 157, 144, 598),
    (256, "F39", 27, 220, 216, 661), (256, "F49", 36, 283, 288, 598),
]  # fmt: skip


@pytest.mark.parametrize("storage", ["B", "D"])
@pytest.mark.parametrize(("bits", "code", "alpha", "latency", "interval", "eight"), TABLE_II)
def test_times_of_a_unit(
    bits: int, code: str, alpha: int, latency: int, interval: int, eight: int, storage: str
) -> None:
    unit = Design.parse(code + storage, bits)
    assert unit.code == code + storage
    assert (unit.alpha, unit.latency, unit.interval, unit.time(8)) == (alpha, latency, interval, eight)
    assert unit.time(1) == latency
    assert (unit.dsps, unit.padding, unit.r_bits) == (9, alpha - 15, {128: 136, 256: 272}[bits])


@pytest.mark.parametrize(
    ("bits", "w", "s", "least", "sigma", "alpha", "latency", "interval", "eight"),
    [(128, 17, 8, 5, 1, 8, 77, 64, 525), (128, 51, 3, 29, 10, 30, 100, 90, 121), (128, 68, 2, 47, 24, 48, 105, 96, 119),
     (256, 17, 16, 5, 1, 16, 269, 256, 2061), (256, 51, 6, 29, 5, 30, 193, 180, 385),
     (256, 68, 4, 47, 12, 48, 203, 192, 231)],
)  # fmt: skip
def test_units_with_other_words(
    bits: int, w: int, s: int, least: int, sigma: int, alpha: int, latency: int, interval: int, eight: int
) -> None:
    """No figure of the paper says so."""
    assert algorithm3.words(bits, w) == s
    assert algorithm3.sigma_min(w, s) == sigma
    unit = Design(s, sigma, s, w)
    assert unit.code is None
    assert (unit.alpha_min, unit.alpha, unit.latency, unit.interval, unit.time(8)) == (
        least, alpha, latency, interval, eight,
    )  # fmt: skip


BY_HAND = {  # (printed, corrected)
    "fpmm.E1": [(219, 75), (255, 143), (927, 255)], "fpmm.E2": [(1, 4), (1, 3), (1, 2)],
    "fpmm.E3": [(167, 151), (567, 535)], "fpmm.E6": [(1, 0), (1, 0)], "fpmm.E4": [(4, 2), (4, 2)],
    "fpmm.E5": [(3, 4), (3, 4)], "fpmm.E16": [(4, 4), (4, 8)],
    "fpmm.E19": [(16, 75), (20, 72), (64, 143), (72, 157)],
}  # fmt: skip


def test_printed_formulas_do_not_give_the_printed_figures() -> None:
    assert {erratum.id: [values[2:] for values in erratum.values] for erratum in errata(FormulaErratum)} == BY_HAND
    printed = {(f.design.split()[0], f.bits, f.metric): int(f.value) for f in FIGURES.rows if f.metric == "lambda"}
    for code, bits, _, ours in errata(FormulaErratum)[0].values:
        assert printed[code, bits, "lambda"] == ours
    assert all(erratum.kind == "formula" and MODEL in erratum.models for erratum in errata(FormulaErratum))


def test_figure_1_is_a_sketch() -> None:
    """Erratum E17: it shows lambda - tau = 2 for three LMs and two words."""
    unit = Design(2, 3, 2, 17)
    assert (unit.latency, unit.interval) == (21, 12)


def test_dsps() -> None:
    """Section 6.1, and task 2 with as many blocks as its rate needs."""
    assert [Design(s, 60, s, w).dsps for s, w in ((8, 17), (4, 34), (2, 34), (6, 51), (3, 51), (4, 68))] == [
        3, 9, 10, 19, 20, 35,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "bits", "parameter", "reason"),
    [("F34B", 128, "sigma", "3 times theta = 4 is less than the loop of 15 cycles; words of 34 bits need sigma >= 4"),
     ("F44B", 256, "theta", "4 is neither s = 8, with the latency reduction, nor s [+] 1, without it"),
     ("F43B", 128, "theta", "3 is neither s = 4"), ("X44B", 128, "code", "'X44B' is not F or S"),
     ("F44C", 128, "code", "is not"), ("F04B", 128, "code", "is not"), ("F44BB", 128, "code", "is not"),
     ("", 128, "code", "is not"), ("F91B", 8, "s", "a unit has at least 2 words, not 1")],
)  # fmt: skip
def test_units_that_cannot_be_built(code: str, bits: int, parameter: str, reason: str) -> None:
    with pytest.raises(ParameterError, match=f"^{parameter}: .*{reason}") as caught:
        Design.parse(code, bits)
    assert caught.value.parameter == parameter


@pytest.mark.parametrize(
    ("given_", "reason"),
    [({"w": 32}, "w: 32 is none of 17, 34, 51, 68"), ({"version": "Q"}, "version: 'Q' is none of F, S"),
     ({"storage": ""}, "storage: '' is none of B, D")],
)  # fmt: skip
def test_units_that_the_paper_does_not_have(given_: dict[str, Any], reason: str) -> None:
    with pytest.raises(ParameterError, match=f"^{reason}"):
        Design(4, 4, 4, **given_)


@given(st.integers(2, 40), st.integers(0, 1), st.integers(0, 4), st.sampled_from(algorithm3.WIDTHS), st.integers(1, 50))
def test_times_follow_from_the_starts(s: int, more: int, extra: int, w: int, count: int) -> None:
    """The last word of the last product, with products that start in the visits of a stream."""
    theta = s + more
    unit = Design(s, algorithm3.sigma_min(w, theta) + extra, theta, w)
    params = shape((1 << (w * s - 2)) - 1, w=w, s=s, sigma=unit.sigma, theta=theta)
    starts = [theta * visit for visit in earliest(params, count)]
    assert unit.time(count) == starts[-1] + unit.latency
    assert all(b - a >= theta for a, b in pairwise(starts))
    assert [b - a for a, b in zip(starts, starts[unit.sigma :], strict=False)] == [unit.interval] * (count - unit.sigma)
