# SPDX-License-Identifier: Apache-2.0
"""Every claim of every model on drawn cases, the levels against each other, the models against each other."""

import importlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from limbtrace.refmodels.papers.iddmm.mwr2kmm.claims import whole
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.certificate.sage_referee import SUBTRACTING
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import cases, multipliers, products
from tests.refmodels.conformance import Conformance
from tests.refmodels.test_pseudocode import called
from tests.shapes import BUTTERFLIES, SCALED, quotient

Case = tuple[Multiplier, int, int]

IDDMM = ("iddmm1", "iddmm2")
SECP256K1 = 2**256 - 2**32 - 977


def result(model: str, modulus: int, a: int, b: int, **given: int) -> int:
    """The result of a model, step by step."""
    entry = MODELS[model]
    return entry.run(entry.resolve(modulus, given), a, b).result


def exact(a: int, b: int, p: int, r: int) -> int:
    """The closed form in plain ints."""
    quotient = -a * b * pow(p, -1, r) % r
    return (a * b + quotient * p) // r


def scaled(a: int, b: int, params: Any) -> int:
    """Order of the steps in Algorithm 1 of the redundant paper."""
    p, radix, r = params.modulus, params.radix, params.domain
    inverse = -pow(p, -1, radix) % radix
    if not params.tail:
        return exact(a, b, inverse * p, r)
    S = exact(a, b, inverse * p, r // radix)
    return (S + S % radix * inverse % radix * p) // radix  # type: ignore[no-any-return]


@pytest.mark.parametrize("model", MODELS)
def test_every_model_has_its_own_tests(model: str) -> None:
    """In tests/refmodels/papers/<paper>/test_<model>.py, with mutations and shapes."""
    (file,) = Path(__file__).parent.glob(f"papers/*/test_{model}.py")
    module = importlib.import_module(f"tests.refmodels.papers.{file.parent.name}.{file.stem}")
    tests = [kind for name, kind in vars(module).items() if name.startswith("Test") and issubclass(kind, Conformance)]
    assert [kind.model for kind in tests] == [MODELS[model]]
    assert all(kind.mutations and kind.shapes for kind in tests)


@given(cases())
def test_every_claim_holds(case: Case) -> None:
    multiplier, a, b = case
    model, params = multiplier.model, multiplier.params
    assert [str(v) for v in model.violations(model.run(params, a, b))] == []


@given(cases())
def test_levels_agree(case: Case) -> None:
    multiplier, a, b = case
    model, params, p = multiplier.model, multiplier.params, multiplier.modulus.modulus
    result, r = model.run(params, a, b).result, params.domain
    if model.id == "vdf":
        golden = pow(a, 1 << params.named["t"], p)
    elif model.id in BUTTERFLIES:
        golden = called(multiplier, a, b)
    elif model.id == "square":
        golden = a * a % p
    elif model.id in ("reduce", "barrett_reduce"):
        golden = a % p
    elif model.id == "redc":
        golden = exact(a, 1, p, r or 0)
        golden = golden % p if params.named["final"] == "reduced" else golden
    elif r is None:
        golden = a * b % p if model.has_modulus else a * b
    else:
        golden = scaled(a, b, params) if model.id in SCALED else exact(a, b, p, r)
        if model.id in SUBTRACTING and params.named.get("final") != "unreduced":
            golden = golden % p if model.id == "montgomery" else golden - p * (golden >= p)
        assert golden * r % p == a * b % p
    assert model.closed_form(params, a, b) == golden
    assert result in ((golden, golden + p) if model.by_digits else (golden,))
    assert model.result(params, a, b) == result < params.result_limit


@given(multipliers())
def test_the_largest_operands_are_refused_one_further(multiplier: Multiplier) -> None:
    a_max, b_max = multiplier.params.limits
    check = multiplier.model.check_operands
    check(multiplier.params, 0, b_max)
    largest_b = multiplier.model.largest_b
    if largest_b is None:
        check(multiplier.params, a_max, b_max)
    else:
        for a in (1, 2, 3, multiplier.modulus.modulus, a_max):
            check(multiplier.params, a, largest_b(multiplier.params, a))
            with pytest.raises(ValueError, match=r"^b: "):
                check(multiplier.params, a, largest_b(multiplier.params, a) + 1)
    beyond = [(a_max + 1, 0), (-1, 0)]
    beyond += [] if multiplier.model.unary else [(0, b_max + 1), (0, -1)]
    for wrong in beyond:
        with pytest.raises(ValueError, match="is outside"):
            check(multiplier.params, *wrong)


@given(multipliers())
def test_corners_are_accepted(multiplier: Multiplier) -> None:
    corners = list(multiplier.model.corners(multiplier.params))
    assert corners
    for corner in corners:
        multiplier.model.check_operands(multiplier.params, corner.a, corner.b)


@given(cases())
def test_operands_may_be_swapped(case: Case) -> None:
    multiplier, a, b = case
    model, params = multiplier.model, multiplier.params
    assume(not model.unary and not (model.numbers or model.id == "modsub"))
    assume(a <= params.limits[1] and b <= params.limits[0])
    one, other = model.run(params, a, b), model.run(params, b, a)
    assert one.result == other.result
    name = quotient(model)
    if model.id == "blakley":  # its quotients follow one operand, and not the product
        return
    assert [s for s in one.steps if s[0] == name] == [s for s in other.steps if s[0] == name]


@given(multipliers(["iddmm1"]), st.data())
def test_both_iddmm_algorithms_digit_by_digit(multiplier: Multiplier, data: st.DataObject) -> None:
    a, b = data.draw(products(multiplier))
    params = multiplier.params
    one, two = (MODELS[name].run(params, a, b) for name in IDDMM)
    for name in ("q", "U", "A"):
        assert [s for s in one.steps if s[0] == name] == [s for s in two.steps if s[0] == name]
    for (name, index), value in two.values.items():
        if name == "C":
            assert value == sum(one.at(carry, *index) for carry in ("CS", "CR", "CU"))


@given(cases(["cios"]))
def test_cios_and_iddmm_return_the_same_integer(case: Case) -> None:
    multiplier, a, b = case
    w, s = multiplier.params.radix_bits, multiplier.params.named["s"]
    p, m = multiplier.modulus.modulus, multiplier.params.named["s"] * (w or 0)
    seen = multiplier.model.run(multiplier.params, a, b).result
    for name in IDDMM:
        assert result(name, p, a, b, k=w or 0, n=s) == seen
    for k in (k for k in range(1, m + 1) if m % k == 0 and m // k <= 40):  # the same R with other radices
        assert result("iddmm2", p, a, b, k=k, n=m // k) == seen


@given(cases(["r2mm", "mwr2mm", "mwr2kmm", "imm"]))
def test_all_six_algorithms_return_the_same_integer(case: Case) -> None:
    """Section 2, F1: the sum depends only on R. iddmm2 computes it with any radix that gives the same R."""
    multiplier, a, b = case
    model, p, r = multiplier.model, multiplier.modulus.modulus, multiplier.params.domain or 0
    bits = r.bit_length() - 1
    seen = model.run(multiplier.params, a, b)
    total = seen.result + p * seen.values.get(("sub", ()), 0)
    k = next(k for k in range(-(-bits // 8), bits + 1) if bits % k == 0)
    x, y = (a, b) if model.id == "imm" else (b, a)  # y is the operand that is scanned, and below R
    assert total == result("iddmm2", p, x, y, k=k, passes=bits // k)
    assert total == result("imm", p, x, y, k=k, passes=bits // k)


@given(cases(["mwr2kmm"]))
def test_booth_digits_are_those_of_the_definition(case: Case) -> None:
    multiplier, a, b = case
    k = multiplier.params.radix_bits or 0
    bits = [0, *(a >> at & 1 for at in range(k * multiplier.params.named["D"]))]  # x_-1 first
    for name, (i, *_), value in multiplier.model.run(multiplier.params, a, b).steps[:-3]:
        if name == "qY":
            group = bits[k * i :]
            golden = -(group[k] << (k - 1)) + sum(group[at + 1] << at for at in range(k - 1)) + group[0]
            assert value == golden


@given(cases(["mwr2mm"], max_bits=130))
def test_the_printed_number_of_words_matters_only_where_w_divides_n(case: Case) -> None:
    """Erratum E8."""
    multiplier, a, b = case
    p, w = multiplier.modulus.modulus, multiplier.params.named["w"]
    model = multiplier.model
    printed = model.run(model.resolve(p, {"w": w, "form": "printed"}), a, b).result
    bits, total = p.bit_length(), 0
    for i in range(bits):
        total += (a >> i & 1) * b
        total = (total + total % 2 * p) // 2
        if bits % w == 0:
            total %= 1 << bits
    assert printed == total


@pytest.mark.parametrize("given_", [{"k": 2, "w": 2}, {"k": 3, "w": 4}, {"k": 1, "w": 1}, {"k": 4, "w": 16}])
def test_claims_about_figure_3_as_printed_break_and_can_be_looked_at(given_: dict[str, int]) -> None:
    """The printed text leaves one word of S unshifted; that word has no step of its own."""
    model = MODELS["mwr2kmm"]
    broken = set()
    for p in (5, 13, 251):
        params = model.resolve(p, {**given_, "form": "printed"})
        for a, b in ((1, 1), (params.limits[0], params.limits[1])):
            broken |= {violation.claim.name for violation in model.violations(model.run(params, a, b))}
    assert {"sum", "state"} <= broken


@pytest.mark.parametrize("given_", [{"k": 2, "w": 2}, {"k": 3, "w": 4}, {"k": 1, "w": 1}, {"k": 4, "w": 16}])
def test_figure_3_as_printed(given_: dict[str, int]) -> None:
    """The printed text implemented again on lists of bits and words, with its rules for sign, words and recoding."""
    model, k, w = MODELS["mwr2kmm"], given_["k"], given_["w"]
    for p in (3, 5, 13, 127, 129, 251):
        params = model.resolve(p, {**given_, "form": "printed"})
        n = p.bit_length()
        words = -(-n // w)
        for a, b in ((a, b) for a in range(0, 1 << n, max(1, n - 3)) for b in range(0, p, max(1, p // 9))):
            S = [0] * (words + 1)
            for j in range(0, n, k):
                x = [a << 1 >> (j + at) & 1 for at in range(k + 2)]  # x[at] is x_(j+at-1)
                qY = -(x[k + 1] << k) + sum(x[at + 1] << at for at in range(k)) + x[0]
                Ca, S[0] = divmod(S[0] + qY * b % 2**w, 2**w)
                qp = S[0] % 2**k * (2**k - pow(p, -1, 2**k)) % 2**k
                Cb, S[0] = divmod(S[0] + qp * p % 2**w, 2**w)
                for i in range(1, words):
                    Ca, S[i] = divmod(Ca + S[i] + (qY * b >> (w * i)) % 2**w, 2**w)
                    Cb, S[i] = divmod(Cb + S[i] + (qp * p >> (w * i)) % 2**w, 2**w)
                    S[i - 1] = S[i] % 2**k * 2 ** (w - k) + S[i - 1] // 2**k
                ones = (2**k - 1) * 2 ** (w - k) if Ca or Cb else 0
                S[words] = ones + S[words - 1] // 2**k
            total = sum(word << (w * i) for i, word in enumerate(S))
            assert model.result(params, a, b) == (total - p if total >= p else total)


@given(cases(IDDMM))
def test_properties_of_the_sheet(case: Case) -> None:
    """Section 11, number 4."""
    multiplier, a, b = case
    p, r = multiplier.modulus.modulus, multiplier.params.domain or 0

    def mm(x: int, y: int) -> int:
        return multiplier.model.run(multiplier.params, x, y).result

    assert mm(0, b) == mm(a, 0) == 0
    assert b == 0 or mm(p, b) == p
    assert r < p or mm(a, 1) <= p
    if r % p < r:
        assert mm(a, r % p) in (a % p, a % p + p)
    if a < p:
        assert (mm(a + p, b) - mm(a, b)) % p == 0


@given(cases(IDDMM))
def test_literal_text_is_the_accumulator_cut_to_n_digits(case: Case) -> None:
    multiplier, a, b = case
    corrected = multiplier.params
    model, p = multiplier.model, multiplier.modulus.modulus
    params = model.resolve(p, {**multiplier.settings, "form": "printed"})
    beta, n = params.radix, params.digits
    state = 0
    for i in range(params.passes):
        total = state + a % beta**n * (b >> (params.radix_bits * i) & beta - 1)
        q = -total * pow(p, -1, beta) % beta
        state = (total + q * p) // beta % beta**n
    literal = model.run(params, a, b).result
    assert literal == state == model.result(params, a, b)
    if a + p <= beta**n:  # section 11, number 5
        assert literal == model.result(corrected, a, b)


@pytest.mark.parametrize("k", [2, 3, 4, 8, 13, 16, 32, 64])
def test_families_reach_every_maximum(k: int) -> None:
    """The limits in the claims are not only safe, they are reached."""
    beta = 1 << k

    def word(*digits: int) -> int:
        """Digits, the most significant first."""
        value = 0
        for digit in digits:
            value = value * beta + digit
        return value

    def largest(model: str, n: int, p: int, x: int, y: int, below: int) -> dict[str, int]:
        entry = MODELS[model]
        run = entry.run(entry.resolve(p, {"k": k, "n": n}), x, y)
        peak: dict[str, int] = {}
        for name, index, value in run.steps:
            if index[-1] < below or name in ("C", "CS", "CR", "CU"):
                peak[name] = max(value, peak.get(name, 0))
        return peak

    f, p = beta - 1, word(beta - 1, beta - 1, 1)
    two, one = (largest(name, 3, p, word(f, f, 0), word(f, f, 0), 3) for name in ("iddmm2", "iddmm1"))
    assert (two["C"], two["S"], two["R"]) == (2 * beta - 2, beta**2 - beta, (beta - 1) ** 2)
    assert (one["CS"], one["CR"], one["CU"]) == (beta - 1, beta - 2, 1)
    entry = MODELS["iddmm2"]
    run = entry.run(entry.resolve(beta**4 - 1, {"k": k}), word(f, f, 0, 0), word(f, f, 0, f))
    sums = [run.at("S", i, j) + run.at("R", i, j) + run.at("C", i, j) for i in range(4) for j in range(4)]
    assert max(sums) == 2 * beta**2 - beta - 1
    entry = MODELS["iddmm1"]
    for n, p, x, y, carry, digit, limit in (
        (3, word(f, f, 1), word(1, f, f), word(f, 0, f), "CS", "S", beta**2 - 1),
        (2, word(f, f), 1, f, "CR", "R", beta**2 - beta - 1),
        (2, word(f, 1), f, word(1, f), "CU", "U", 2 * beta - 1),
    ):
        run = entry.run(entry.resolve(p, {"k": k, "n": n}), x, y)
        adder = [run.at(carry, i, j + 1) * beta + run.at(digit, i, j) for i in range(n) for j in range(n)]
        assert max(adder) == limit


@pytest.mark.parametrize("k", [1, 2, 3, 4, 8, 13])
def test_extremes_of_the_booth_digits_are_reached(k: int) -> None:
    """Extreme digits, S of both signs, with and without the final subtraction."""
    model, p = MODELS["mwr2kmm"], (1 << (6 * k)) - 1
    params = model.resolve(p, {"k": k, "w": max(k, 7)})
    digits: set[int] = set()
    signs: set[bool] = set()
    subtractions: set[int] = set()
    for corner in model.corners(params):
        run = model.run(params, corner.a, corner.b)
        digits |= {run.at("qY", i) for i in range(params.digits)}
        signs |= {run.at("S", i, params.NW - 1) >> (params.w - 1) == 1 for i in range(params.digits)}
        subtractions.add(run.at("sub"))
    assert {-(1 << (k - 1)), 1 << (k - 1)} <= digits
    assert (signs, subtractions) == ({False, True}, {0, 1})


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_widest_sum_needs_every_bit(k: int) -> None:
    """S + qY*Y + qp*p exceeds 1.32 * 2^(N+k), section 3.3, and therefore needs the full width of the words."""
    model, p, digits = MODELS["mwr2kmm"], (1 << (6 * k)) - 1, 5
    params = model.resolve(p, {"k": k, "w": max(k, 7)})
    widest = 0
    for b in range(p - 1 | 1, max(0, p - (16 << k)), -2):
        run = model.run(params, p * pow(b, -1, 1 << (k * digits)) % (1 << (k * digits)), b % p)
        widest = max(widest, *(whole(run, "Sb", i) for i in range(params.digits)))
    assert 1.32 * 2 ** (p.bit_length() + k) < widest < 1.5 * 2 ** (p.bit_length() + k)


@pytest.mark.parametrize("mode", [{"n": 5, "passes": 5}, {"n": 4, "passes": 5}], ids=["W", "I"])
def test_closed_modes_stay_below_2p(mode: dict[str, int]) -> None:
    model = MODELS["iddmm2"]
    params = model.resolve(SECP256K1, {"k": 64, **mode})
    x = y = 2 * SECP256K1 - 1
    for step in range(1000):
        x, y = model.closed_form(params, x, x if step % 3 else y), x
        assert x < 2 * SECP256K1


def test_mode_p_leaves_2p_without_a_subtraction() -> None:
    model = MODELS["iddmm2"]
    params = model.resolve(SECP256K1, {"k": 64})
    x = model.closed_form(params, SECP256K1 - 1, SECP256K1 - 1)
    assert SECP256K1 < x < 2 * SECP256K1
    x = exact(x, x, SECP256K1, params.domain)
    assert x > 2 * SECP256K1
    with pytest.raises(ValueError, match=r"^a: .* is outside"):
        model.check_operands(params, x, 0)


def test_cios_results_are_operands() -> None:
    model = MODELS["cios"]
    params = model.resolve(SECP256K1, {})
    x = y = 2 * SECP256K1 - 1
    for _ in range(1000):
        x, y = model.closed_form(params, x, y), x
        model.check_operands(params, x, y)


@given(cases(["cios"]))
def test_consequences_of_the_closed_form_of_cios(case: Case) -> None:
    multiplier, a, b = case
    model, params, p = multiplier.model, multiplier.params, multiplier.modulus.modulus
    m = params.radix_bits * params.named["s"] if params.radix_bits else 0
    word = (1 << (params.radix_bits or 0)) - 1
    assert model.run(params, a, 1).result <= p
    unit = model.run(params, p, 1)
    assert unit.result == p
    assert all(value == word for name, _, value in unit.steps if name == "q")
    run = model.run(params, a, b)
    t = 0
    for i in range(params.named["s"]):
        digit = a >> (i * (params.radix_bits or 0)) & word
        total = t + digit * b
        assert run.at("us", i) == total >> m
        assert run.at("c", i, params.named["s"] - 1) == (total % (1 << m) + run.at("q", i) * p) >> m
        t = total + run.at("q", i) * p >> (params.radix_bits or 0)
        assert run.at("T", i) == t < b + p
    assert (-a * b * pow(p, -1, 1 << m)) % (1 << m) == sum(
        run.at("q", i) << (i * (params.radix_bits or 0)) for i in range(params.named["s"])
    )
