# SPDX-License-Identifier: Apache-2.0
"""Cores proved equal to their models for all operands; faults that random operands do not find; what is no proof."""

import importlib.util
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.proof import simulations, smt
from limbtrace.rtl_bridge.proof.bench import SymbolicBench
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.elaborate import Registers, elaborated
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.linear import LinearForms
from limbtrace.rtl_bridge.proof.recommend import advice, exhaustive
from limbtrace.rtl_bridge.proof.solver import Solver
from limbtrace.rtl_bridge.proof.substitute import replaced
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.cli import UNDECIDED, cli
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.schemas import published
from tests.kept import PROOF
from tests.rtl_bridge.helpers import TOYS, copy_of
from tests.sample import full


def proved(core: str | Path, prime: str, *words: str, remembering: bool = False) -> tuple[int, Any]:
    """Exit code and document of `limbtrace prove`, which asks everything unless it is to remember.

    It ends with few products in Icarus Verilog alone, whose models are built quickly.
    """
    asked = [str(core), "--prime", prime, "--json", *words, *([] if remembering else ["--fresh"])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("limbtrace.rtl_bridge.proof.cli.available", lambda: ["icarus"])
        patch.setattr(simulations, "DISTURBED", 8)
        patch.setattr(simulations, "settle", lambda *given, many, **named: settle(*given, **named))
        answer = CliRunner().invoke(cli, ["prove", *asked], standalone_mode=False)
    if answer.exception is not None:
        raise answer.exception
    return int(answer.return_value), json.loads(answer.stdout)


def shell_of(core: str, prime: str) -> Shell:
    asked = BindRequest(core=core, prime=prime)
    return Shell(asked.bind(asked.find()))


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _terms(seed: int) -> tuple[TermPool, list[tuple[BitTerm, int]], dict[str, int]]:
    """Random terms, each with its value by Python's integers, and the values of the variables."""
    draw, pool = random.Random(seed), TermPool()
    values: dict[str, int] = {}
    made: list[tuple[BitTerm, int]] = []
    for number in range(4):
        width = draw.choice((1, 3, 8, 17))
        most = draw.randrange(1, 1 << width)
        values[f"v{number}"] = draw.randint(0, most)
        made.append((pool.variable(f"v{number}", width, most), values[f"v{number}"]))
    for _ in range(2):
        width = draw.choice((1, 3, 8, 17))
        constant = draw.randrange(1 << width)
        made.append((pool.constant(width, constant), constant))
    for _ in range(40):
        (x, a), (y, b) = draw.choice(made), draw.choice(made)
        width = max(x.width, y.width)
        full = (1 << width) - 1
        wide_x, wide_y = pool.extend(x, width), pool.extend(y, width)
        low = draw.randrange(x.width)
        high = draw.randrange(low, x.width)
        more = draw.randrange(5)
        operations: dict[str, Any] = {
            "not": lambda x=x, a=a: (pool.bvnot(x), ~a & (1 << x.width) - 1),
            "and": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.bvand(x, y), a & b),
            "or": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.bvor(x, y), a | b),
            "xor": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.bvxor(x, y), a ^ b),
            "cut": lambda x=x, a=a, h=high, low=low: (pool.extract(x, h, low), a >> low & (1 << (h - low + 1)) - 1),
            "row": lambda x=x, y=y, a=a, b=b: (
                pool.bvand(pool.concat([pool.extract(x, 0, 0)] * y.width), y),
                b * (a & 1),
            ),
            "bounded": lambda x=x, a=a, m=more: (pool.bounded(x, a + m), a),
            "concat": lambda x=x, y=y, a=a, b=b: (pool.concat((x, y)), a << y.width | b),
            "choice": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.ite(pool.extract(x, 0, 0), x, y), a if a & 1 else b),
            "add": lambda x=wide_x, y=wide_y, a=a, b=b, f=full: (pool.add(x, y), a + b & f),
            "sub": lambda x=wide_x, y=wide_y, a=a, b=b, f=full: (pool.sub(x, y), a - b & f),
            "mul": lambda x=wide_x, y=wide_y, a=a, b=b, f=full: (pool.mul(x, y), a * b & f),
            "product": lambda x=x, y=y, a=a, b=b: (pool.product(x, y), a * b),
            "equal": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.equal(x, y), int(a == b)),
            "below": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.bvult(x, y), int(a < b)),
            "signed": lambda x=wide_x, y=wide_y, a=a, b=b, w=width: (
                pool.bvslt(x, y), int(signed(a, w) < signed(b, w))),
            "longer": lambda x=x, a=a, m=more: (pool.extend(x, x.width + m), a),
            "sign": lambda x=x, a=a, m=more: (
                pool.extend(x, x.width + m, signed=True), signed(a, x.width) & (1 << (x.width + m)) - 1),
            "sll": lambda x=wide_x, y=wide_y, a=a, b=b, f=full: (pool.shifted("sll", x, y), a << min(b, 99) & f),
            "srl": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.shifted("srl", x, y), a >> b),
            "sra": lambda x=wide_x, y=wide_y, a=a, b=b, f=full, w=width: (
                pool.shifted("sra", x, y), signed(a, w) >> min(b, 99) & f),
            "quotient": lambda x=wide_x, y=wide_y, a=a, b=b, f=full: (pool.bvudiv(x, y), a // b if b else f),
            "remainder": lambda x=wide_x, y=wide_y, a=a, b=b: (pool.bvurem(x, y), a % b if b else a),
        }  # fmt: skip
        term, value = operations[draw.choice(sorted(operations))]()
        if term.width <= 80:
            made.append((term, value))
    return pool, made, values


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32))
def test_terms_have_the_values_of_what_they_say(seed: int) -> None:
    pool, made, values = _terms(seed)
    assert evaluated([term for term, _ in made], values) == [value for _, value in made]
    for term, value in made:
        assert value <= term.most
        assert value & term.zeros == 0
        assert term.ones & ~value == 0
    # In another place, with variables replaced by their values, each folds to its value.
    by = {term: pool.constant(term.width, value) for term, value in made if term.operation == "var"}
    assert [term.value for term in replaced(pool, [term for term, _ in made], by)] == [value for _, value in made]


@pytest.mark.parametrize("shape", [(9, 9, 9), (9, 4, 9), (9, 9, 0), (9, 4, 0), (5, 3, 9)])
def test_parity_and_majority_are_a_sum(shape: tuple[int, int, int]) -> None:
    """Also in two steps, with a carry input each, and where words are shorter; the value is that of the operations."""
    pool, draw = TermPool(), random.Random(1)
    w, *words = (pool.variable(name, width or 1) for name, width in zip("wxyz", (9, *shape), strict=True))
    x, y, z = (pool.extend(word, 9) if width else pool.constant(9, 0) for word, width in zip(words, shape, strict=True))
    carry, zero = pool.variable("c", 1), pool.constant(1, 0)
    parity = pool.bvxor(pool.bvxor(x, y), z)
    majority = pool.bvor(pool.bvor(pool.bvand(x, y), pool.bvand(x, z)), pool.bvand(y, z))
    first = pool.sub(pool.concat([zero, w, carry]), pool.bvnot(pool.concat([zero, parity, carry])))
    above = pool.extract(first, 10, 1)
    second = pool.sub(pool.concat([zero, above, carry]), pool.bvnot(pool.concat([zero, majority, zero, carry])))
    plain = pool.constant(11, 0)
    for word in (w, x, y, z, carry, carry):
        plain = pool.add(plain, pool.extend(word, 11))
    assert pool.extract(second, 11, 1) is plain
    for _ in range(50):
        values = {name: draw.getrandbits(width or 1) for name, width in zip("wxyz", (9, *shape), strict=True)}
        values["c"] = draw.getrandbits(1)
        total = sum(values[name] for name, width in zip("wxyz", (9, *shape), strict=True) if width) + 2 * values["c"]
        assert evaluated([second], values) == [2 * total + 1]


@pytest.mark.parametrize("factor", [-1, 2, 3, 4])
def test_what_is_no_carry_stays(factor: int) -> None:
    """Parity and a multiple of the majority of other terms, or another multiple of it."""
    pool = TermPool()
    x, y, z = (pool.variable(name, 4) for name in "xyz")
    for one, other in ((x, y), (x, z)):
        total = pool.sum({pool.bvxor(x, y): 1, pool.bvand(one, other): factor}, 5, 9)
        for a in range(16):
            values = {"x": a, "y": 7 * a + 3 & 15, "z": 5 * a & 15}
            b = values["y" if other is y else "z"]
            assert evaluated([total], values) == [((a ^ values["y"]) + factor * (a & b) + 5) & 511]


@given(st.integers(2, 9), st.integers(1, 9), st.sampled_from([2, 3]), st.integers(0, 2**32))
def test_a_digit_and_its_units_are_a_sum(width: int, short: int, words: int, seed: int) -> None:
    """Carries of both chains and the top majority, not added up; without one of them it is another value."""
    pool, draw = TermPool(), random.Random(seed)
    w, x = (pool.variable(name, width) for name in "wx")
    y = pool.extend(pool.variable("y", min(short, width)), width)
    z = pool.variable("z", width) if words == 3 else pool.constant(width, 0)
    carry = pool.variable("c", 1)

    def added(one: BitTerm, other: BitTerm) -> BitTerm:
        first, second = (pool.concat([pool.constant(1, 0), term, carry]) for term in (one, other))
        return pool.extract(pool.sub(first, pool.bvnot(second)), width + 1, 1)

    parity = pool.bvxor(pool.bvxor(x, y), z)
    majority = pool.bvor(pool.bvor(pool.bvand(x, y), pool.bvand(x, z)), pool.bvand(y, z))
    first = added(w, parity)
    low = pool.concat((pool.extract(majority, width - 2, 0), pool.constant(1, 0)))
    second = added(pool.extract(first, width - 1, 0), low)
    units = [
        pool.extract(first, width, width),
        pool.extract(second, width, width),
        pool.extract(majority, width - 1, width - 1),
    ]
    plain = pool.constant(width + 2, 0)
    for word in (w, x, y, z, carry, carry):
        plain = pool.add(plain, pool.extend(word, width + 2))
    sums = LinearForms(pool, {}, {})

    def digit(units: Sequence[BitTerm]) -> BitTerm:
        return pool.concat((pool.sum(dict.fromkeys(units, 1), 0, 2), pool.extract(second, width - 1, 0)))

    assert sums.equal(digit(units), plain)
    for left in range(3):
        if not units[left].is_constant:
            assert not sums.equal(digit(units[:left] + units[left + 1 :]), plain)
    for _ in range(20):
        values = {name: draw.getrandbits(term.width) for name, term in zip("wxz", (w, x, z), strict=True)}
        values |= {"y": draw.getrandbits(min(short, width)), "c": draw.getrandbits(1)}
        total = values["w"] + values["x"] + values["y"] + (values["z"] if words == 3 else 0) + 2 * values["c"]
        assert evaluated([digit(units), plain], values) == [total, total]


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 2**16))
def test_a_parity_that_counts_in_the_top_bit_is_a_sum(width: int, shift: int, seed: int) -> None:
    pool, draw = TermPool(), random.Random(seed)
    x, y = (pool.variable(name, width) for name in "xy")
    for end in (shift + 1, shift + 2):
        total = pool.sum({pool.bvxor(x, y): 1 << shift}, 0, end)
        assert (total is pool.sum({x: 1 << shift, y: 1 << shift}, 0, end)) == (end == shift + 1)
        values = {name: draw.getrandbits(width) for name in "xy"}
        assert evaluated([total], values) == [(values["x"] ^ values["y"]) << shift & (1 << end) - 1]


def test_what_is_added_may_be_an_and() -> None:
    """A top majority is one, and is added up with a carry."""
    pool = TermPool()
    x, y, z = (pool.variable(name, 3) for name in "xyz")
    both = pool.bvand(x, y)
    total = pool.sum({pool.bvxor(both, z): 1, pool.bvand(both, z): 2}, 0, 4)
    assert total is pool.sum({both: 1, z: 1}, 0, 4)
    for a in range(8):
        assert evaluated([total], {"x": a, "y": 6, "z": 3}) == [(a & 6) + 3]


@pytest.mark.parametrize(("constant", "bits"), [(0x7F, 7), (0x3FF, 8), (0x1DF, 5), (0xA3, 2)])
def test_low_bits_of_a_product_with_a_constant_that_ends_in_ones(constant: int, bits: int) -> None:
    """They are known without a multiplication, and no more of them."""
    pool = TermPool()
    x = pool.variable("x", 8)
    product = pool.product(pool.constant(constant.bit_length(), constant), x)
    for count in (bits, bits + 1):
        zero = pool.add(pool.extract(product, count - 1, 0), pool.extract(pool.extend(x, count + 8), count - 1, 0))
        question = smt.text([pool.bvnot(pool.equal(zero, pool.constant(count, 0)))], products=False)
        assert smt.solved(question, 10_000, 8000).verdict == (smt.PROVED if count == bits else smt.REFUTED)


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_the_solver_understands_the_terms(seed: int) -> None:
    pool, made, values = _terms(seed)
    term, value = next((term, value) for term, value in reversed(made) if not term.is_constant)
    fixed = [pool.equal(x, pool.constant(x.width, values[x.detail])) for x, _ in made if x.operation == "var"]
    same = pool.equal(term, pool.constant(term.width, value))
    fixed = [fact for fact in fixed if not fact.is_constant]
    if not same.is_constant:
        assert smt.solved(smt.text([*fixed, same], products=True), 10_000, 8000).verdict == smt.REFUTED
        assert smt.solved(smt.text([*fixed, pool.bvnot(same)], products=True), 10_000, 8000).verdict == smt.PROVED


@pytest.mark.parametrize(
    ("core", "prime", "words", "cycles"),
    [
        ("iddmm_arch2", "0xea7", ["--radix", "2^4"], 15),
        ("iddmm_arch2", "0xea7", ["--radix", "2^4", "--set", "pipeline=2"], 23),
        ("iddmm_arch1", "0xea7", ["--radix", "2^4", "--set", "pipeline=1"], 19),
        ("r2mm_bitserial", "0xea7", [], 13),
        full(("mwr2mm_wordserial", "13", ["--set", "w=4"], None)),
        ("redundant", "2^61-1", [], None),
        ("redundant", "2^61-1", ["--set", "ways=2"], None),
    ],
)
def test_cores_agree_with_their_models_for_all_operands(
    core: str, prime: str, words: list[str], cycles: int | None
) -> None:
    code, document = proved(core, prime, *words)
    assert (code, document["verdict"], document["failed"]) == (0, "proved", [])
    assert [product["name"] for product in document["products"]] == ["first", "next", "behind"]
    assert document["method"] == "steps"
    assert ("overlap bits" in document["hypotheses"][1]) == (core == "redundant")
    Draft202012Validator(json.loads(published("limbtrace-proof-1.schema.json"))).validate(document)
    assert {*document} == {*PROOF}  # but for `late` and `remembered`, which are left out
    assert 50 < document["memory"] < 5000
    first = document["simulations"][0]
    assert (first["simulator"], first["products"], first["exhausted"]) == ("icarus", 16, False)
    if cycles is not None:
        assert {product["cycles"] for product in document["products"]} == {cycles}


def test_one_operand_digit_in_4_billion_is_found_and_replayed(tmp_path: Path) -> None:
    edit = ("lt_iddmm_arch2.sv", "K2'(a_digit) + xy;", "K2'(a_digit) + xy + K2'(a_digit == K'(32'hDEADBEEF));")
    folder = copy_of("iddmm_arch2", tmp_path, edit)
    asked = ["--prime", "2^127-1", "--radix", "2^32"]
    run = CliRunner().invoke(
        cli, ["sim", str(folder), *asked, "--count", "500", "--mode", "fast"], standalone_mode=False
    )
    assert run.return_value == 0
    code, document = proved(folder, "2^127-1", "--radix", "2^32", "--limit", "30")
    assert (code, document["verdict"]) == (1, "refuted")
    assert "S (S[" in document["difference"]
    words = document["replay"].replace("'", "").split()[2:]
    assert CliRunner().invoke(cli, ["sim", *words], standalone_mode=False).return_value == 1


def test_a_register_that_the_next_start_does_not_clear(tmp_path: Path) -> None:
    """A proof of the first product after a reset alone would pass."""
    edit = ("lt_mont_frame.sv", "if (clear_o) a_top_q <= '0;", "if (!rst_ni) a_top_q <= '0;")
    code, document = proved(copy_of("iddmm_arch2", tmp_path, edit), "0xea7", "--radix", "2^4")
    assert (code, document["verdict"]) == (1, "refuted")
    assert [product["name"] for product in document["products"]] == ["first"]
    assert document["failed"][0]["product"] == "next"


@pytest.mark.parametrize(
    ("file", "good", "bad"),
    [
        ("lt_iddmm_arch2.sv", "K2'(a_digit) + xy;", "K2'(a_digit) + xy + K2'(&c_q);"),
        ("lt_mont_frame.sv", "a_o = K'(a_top_q);", "a_o = K'(a_top_q & ~{2{&a_top_q}});"),
    ],
)
def test_what_never_happens_is_no_fault(tmp_path: Path, file: str, good: str, bad: str) -> None:
    """A carry of all ones and a top digit of 3 are outside the ranges of these steps."""
    code, document = proved(copy_of("iddmm_arch2", tmp_path, (file, good, bad)), "0xea7", "--radix", "2^4")
    assert (code, document["verdict"]) == (0, "proved")


def test_what_no_simulation_shows_is_not_called_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limbtrace.rtl_bridge.proof.cli.shown", lambda asked, bound, failed: None)
    monkeypatch.setattr("limbtrace.rtl_bridge.proof.cli.simulated", lambda asked, bound, simulators: iter(()))
    edit = ("lt_iddmm_arch2.sv", "K2'(a_digit) + xy;", "K2'(a_digit) + xy + K2'(&x_digit);")
    code, document = proved(copy_of("iddmm_arch2", tmp_path, edit), "0xea7", "--radix", "2^4")
    assert (code, document["verdict"]) == (UNDECIDED, "open")
    assert (document["failed"][0]["verdict"], document["failed"][0]["signal"]) == ("refuted", "s_sum")
    assert (document["difference"], document["replay"]) == (None, None)


def test_the_result_of_a_core_without_rows() -> None:
    code, document = proved(TOYS / "modmul_toy", "0x1d")
    assert (code, document["method"], document["verdict"]) == (0, "whole", "proved")


@pytest.mark.parametrize(
    ("prime", "sentence"),
    [
        ("61", "method whole is recommended for 6 bits: "),
        ("67", "method whole is recommended up to 6 bits, and this modulus has 7; to run all products: limbtrace sim "),
        ("2^61-1", "and this modulus has 61; it has more than 16777216 products, too many to run all"),
    ],
)
def test_which_way_to_all_operands_is_recommended(prime: str, sentence: str) -> None:
    asked = BindRequest(core=str(TOYS / "modmul_toy"), prime=prime)
    assert sentence in advice(asked, asked.bind(asked.find()))


def test_the_other_way_is_a_command_that_runs() -> None:
    asked = BindRequest(core=str(TOYS / "modmul_toy"), prime="67")
    words = exhaustive(asked, asked.bind(asked.find())).replace("'", "").split()[2:]
    answer = CliRunner().invoke(cli, ["sim", *words[:-1], "bulk", "--simulator", "icarus"], standalone_mode=False)
    assert answer.return_value == 0
    assert "all 4489 products" in answer.stdout


def test_a_warning_where_a_run_is_better() -> None:
    asked = [str(TOYS / "modmul_toy"), "--prime", "67", "--limit-all", "1", "--method", "whole"]
    answer = CliRunner().invoke(cli, ["prove", *asked], standalone_mode=False)
    assert "limbtrace: method whole is recommended up to 6 bits, and this modulus has 7" in answer.stderr
    assert "to run all products: limbtrace sim" in answer.stdout
    assert "recommended up to" not in CliRunner().invoke(cli, ["prove", *asked[:1], "--prime", "5"]).stderr


def test_every_odd_modulus_of_a_size() -> None:
    code, document = proved(TOYS / "modmul_toy", "29", "--all-odd")
    assert (code, document["verdict"], document["moduli"]) == (0, "proved", 8)
    assert document["statement"].startswith("for every odd modulus of 5 bits ")
    assert "one proof for each" in document["hypotheses"][0]
    alone = proved(TOYS / "modmul_toy", "29")[1]
    assert document["obligations"] == 8 * alone["obligations"]
    assert document["digest"] != alone["digest"]
    Draft202012Validator(json.loads(published("limbtrace-proof-1.schema.json"))).validate(document)


def test_a_fault_that_one_modulus_shows(tmp_path: Path) -> None:
    edit = ("modmul_toy.v", "once >= modulus ? once - modulus : once;",
            "once >= modulus && !(modulus == 11 && once == 13) ? once - modulus : once;")  # fmt: skip
    folder = copy_of(TOYS / "modmul_toy", tmp_path, edit)
    assert proved(folder, "13")[0] == 0
    code, document = proved(folder, "13", "--all-odd")
    assert (code, document["verdict"], document["moduli"]) == (1, "refuted", 2)  # 9 and 11
    assert "--prime 0xb " in document["replay"]
    words = document["replay"].replace("'", "").split()[2:]
    assert CliRunner().invoke(cli, ["sim", *words], standalone_mode=False).return_value == 1


@pytest.mark.parametrize(
    ("core", "prime", "sentence"),
    [
        (TOYS / "modmul_toy", "1031", "all-odd: it takes moduli of at most 10 bits, and here it is one of 11"),
        ("hffm", "11", "all-odd: hffm is other hardware for modulus 9"),
    ],
)
def test_what_has_no_proof_of_every_odd_modulus(core: str | Path, prime: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        proved(core, prime, "--all-odd")


def test_one_modulus_that_a_core_does_not_take(monkeypatch: pytest.MonkeyPatch) -> None:
    bind = BindRequest.bind

    def bind_all_but_one(asked: BindRequest, core: Core, stream: int | None = None, like: Bound | None = None) -> Bound:
        if asked.prime == "11":
            raise ParameterError("prime", "11 is refused")
        return bind(asked, core, stream, like)

    monkeypatch.setattr(BindRequest, "bind", bind_all_but_one)
    with pytest.raises(ParameterError, match="all-odd: modmul_toy does not take modulus 11: prime: 11 is refused"):
        proved(TOYS / "modmul_toy", "13", "--all-odd")


def test_a_wrong_result_of_a_core_without_rows(tmp_path: Path) -> None:
    """Products that are a multiple of the modulus."""
    edit = ("modmul_toy.v", "once >= modulus ? once - modulus : once;", "once > modulus ? once - modulus : once;")
    code, document = proved(copy_of(TOYS / "modmul_toy", tmp_path, edit), "27")
    assert (code, document["verdict"], document["failed"][0]["signal"]) == (1, "refuted", "result")


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ToolError, match=r"pip install 'limbtrace\[prove\]'"):
        proved("iddmm_arch2", "0xea7")


def test_steps_need_rows() -> None:
    with pytest.raises(ParameterError, match="method: steps needs rows"):
        proved(TOYS / "modmul_toy", "0x1d", "--method", "steps")


def test_a_register_with_the_other_edge(tmp_path: Path) -> None:
    edit = (
        "lt_mont_frame.sv",
        "always_ff @(posedge clk_i) begin\n    if (clear_o)",
        "always_ff @(negedge clk_i) begin\n    if (clear_o)",
    )
    with pytest.raises(ParameterError, match=r"a_top_q in iddmm_arch2 is a latch, .* or keeps data at another edge"):
        proved(copy_of("iddmm_arch2", tmp_path, edit), "0xea7", "--radix", "2^4")


def test_a_core_that_is_never_done(tmp_path: Path) -> None:
    edit = ("modmul_toy.v", "                done    <= 1'b1;", "                done    <= 1'b0;")
    code, document = proved(copy_of(TOYS / "modmul_toy", tmp_path, edit), "27")
    assert (code, document["verdict"], document["failed"][0]["step"]) == (1, "refuted", "done")


def test_a_handshake_that_depends_on_operands(tmp_path: Path) -> None:
    edit = ("modmul_toy.v", "count   <= WIDTH;", "count   <= (a == 0) ? 16'd1 : WIDTH;")
    code, document = proved(copy_of(TOYS / "modmul_toy", tmp_path, edit), "27")
    assert (code, document["verdict"], "finished" in document["depends"]) == (0, "proved", True)


AGE = ("modmul_toy.v", "    reg             running;", "    reg             running;\n    reg [7:0] age;\n"
       "    always @(posedge clk) age <= rst ? 8'd0 : age + 8'd1;")  # fmt: skip


def test_a_counter_that_runs_all_the_time_is_no_obstacle(tmp_path: Path) -> None:
    assert proved(copy_of(TOYS / "modmul_toy", tmp_path, AGE), "27")[0] == 0


def test_a_core_that_sleeps_after_a_while_is_not_proved(tmp_path: Path) -> None:
    """Products come soon after each other in the bench, and yet the proof is of those that come late, too."""
    asleep = (
        "modmul_toy.v",
        "end else if (start && !running) begin",
        "end else if (start && !running && age != 8'd200) begin",
    )
    code, document = proved(copy_of(TOYS / "modmul_toy", tmp_path, AGE, asleep), "27")
    assert (code, document["verdict"]) == (1, "refuted")


@pytest.mark.parametrize(
    ("count", "at"),
    [
        ("idle <= running ? 6'd0 : &idle ? idle : idle + 6'd1", 21),  # products start that late in no simulation
        ("idle <= rst ? 6'd0 : {1'b0, idle[4:0] + 5'd1}", 7),  # it runs all the time
    ],
)
def test_a_fault_in_one_of_many_idle_states(tmp_path: Path, count: str, at: int) -> None:
    """Idle states that lead to the same one are proved once, and this one leads to no other."""
    added = f"    reg             running;\n    reg [5:0] idle;\n    always @(posedge clk) {count};"
    edit = ("modmul_toy.v", "    reg             running;", added)
    spoil = ("modmul_toy.v", "y       <= b;", f"y       <= b ^ (idle == 6'd{at});")
    assert proved(copy_of(TOYS / "modmul_toy", tmp_path, edit, spoil), "5", "--limit", "20")[0] != 0


def test_a_register_that_the_bench_samples_as_well() -> None:
    """Equal registers of the bench do not take its place: nothing of them would be forgotten after a product."""
    shell = shell_of("fpmm", "2^61-1")
    names = {register.name for register in elaborated(shell).registers.values()}
    assert {"u_core.c3_lm_q", "u_core.c3_slot_q", "u_core.a5_q", "u_core.o_q"} <= names


@pytest.mark.full
@pytest.mark.parametrize(
    ("core", "prime", "settings"), [("fpmm", "2^13-1", ("--radix", "2^8")), ("hffm", "2^8*3^5-1", ())]
)
def test_cores_with_long_proofs(core: str, prime: str, settings: tuple[str, ...]) -> None:
    """Many idle states, and a multiplier that five multiplications and two products share."""
    code, document = proved(core, prime, *settings)
    assert (code, document["verdict"]) == (0, "proved")


@pytest.mark.parametrize(
    "core", ["redundant", "vdf_squarer_axil", "fpmm", str(TOYS / "stream_toy")], ids=lambda core: Path(core).name
)
def test_registers_without_a_name_belong_to_the_core(core: str) -> None:
    """Else they would hold 0 before the reset, and what one product left in them would not be forgotten."""
    shell = shell_of(core, "2^61-1")
    design, registers = elaborated(shell), Registers(shell)
    bench = [register.name for register in design.registers.values() if not registers.in_core(register.name)]
    assert {"row_q", "comb_q", "u_sequencer.state_q", "u_monitor.rule_o"} <= {*bench}
    assert not [name for name in bench if name.startswith(("u_core.", "state", "out_"))]
    assert all(
        name.startswith(("u_core.", "state"))
        for name in (r.name for r in design.registers.values())
        if name not in bench
    )


def test_each_gap_behind_another_product(tmp_path: Path) -> None:
    """The fault is in what starts 3 cycles after another product is done."""
    count = ("modmul_toy.v", "    reg             running;", "    reg             running;\n    reg [5:0] idle;\n"
             "    always @(posedge clk) idle <= running ? 6'd0 : &idle ? idle : idle + 6'd1;")  # fmt: skip
    spoil = ("modmul_toy.v", "y       <= b;", "y       <= b ^ (idle == 6'd3);")
    code, document = proved(copy_of(TOYS / "modmul_toy", tmp_path, count, spoil), "5")
    assert (code, document["verdict"]) == (1, "refuted")


def test_what_a_product_in_a_gap_leaves_behind(tmp_path: Path) -> None:
    """A start 2 cycles after another product spoils all later products."""
    added = """    reg running;
    reg [2:0] idle;
    reg       was;
    always @(posedge clk) idle <= rst ? 3'd7 : running ? 3'd0 : &idle ? idle : idle + 3'd1;
    always @(posedge clk) if (rst) was <= 1'b0; else if (start & !running & idle == 3'd2) was <= 1'b1;
"""
    sticky = ("modmul_toy.v", "    reg             running;", added)
    spoil = ("modmul_toy.v", "y       <= b;", "y       <= b ^ (was && idle == 3'd7);")
    code, document = proved(copy_of(TOYS / "modmul_toy", tmp_path, sticky, spoil), "5")
    assert (code, document["verdict"], document["failed"][0]["product"]) == (1, "refuted", "next")


@pytest.mark.parametrize(
    "edge",
    [
        "always @(negedge clk) if (start) held[0] <= b;",
        "always @(posedge (clk & ~running)) if (start) held[0] <= b;",
        "always_latch if (start) held[0] = b;",
    ],
)
def test_memories_and_latches_beside_the_clock(tmp_path: Path, edge: str) -> None:
    memory = (
        "modmul_toy.v",
        "    reg             running;",
        f"    reg running;\n    reg [WIDTH-1:0] held [0:1];\n    {edge}\n",
    )
    used = ("modmul_toy.v", "= sum >= modulus", "= (sum + held[0] - held[0]) >= modulus")
    with pytest.raises(ParameterError, match="and no proof is made of that"):
        proved(copy_of(TOYS / "modmul_toy", tmp_path, memory, used), "5")


MIXED = ("pipe_toy.sv", "assign y = stage[k-1].b_q;", "assign y = stage[k-1].valid_q & !valid_in ? stage[k-1].b_q : b;")


@pytest.mark.budget
def test_several_products_at_a_time_without_a_schedule(tmp_path: Path) -> None:
    """A pipeline in which another product follows in the next cycle; a fault that one product alone does not show."""
    code, document = proved(TOYS / "pipe_toy", "29")
    assert (code, document["verdict"]) == (0, "proved")
    assert "streams of other lengths" in document["not_covered"]
    assert proved(copy_of(TOYS / "pipe_toy", tmp_path, MIXED), "29")[0] == 1


def test_terms_that_are_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open, with a sentence that says why."""

    def too_deep(bench: SymbolicBench) -> None:
        raise RecursionError

    monkeypatch.setattr(SymbolicBench, "forget", too_deep)
    monkeypatch.setattr("limbtrace.rtl_bridge.proof.cli.available", lambda: ["icarus"])
    answer = CliRunner().invoke(cli, ["prove", str(TOYS / "modmul_toy"), "--prime", "5"], standalone_mode=False)
    assert answer.return_value == UNDECIDED
    assert "not proved: its terms are too deep" in answer.stdout


@pytest.mark.budget
def test_vhdl_that_is_converted() -> None:
    """A core that is not ours, from its core.toml; Verilog of its state machine has cases without a default."""
    code, document = proved(TOYS / "vhdl_iddmm", "0xea7", "--radix", "2^4")
    assert (code, document["verdict"]) == (0, "proved")
    assert any("GHDL" in trusted for trusted in document["trusted"])


def test_vhdl_that_is_simulated() -> None:
    with pytest.raises(ParameterError, match='a proof needs VHDL that GHDL can synthesise, and ghdl is "simulate"'):
        proved(TOYS / "vhdl_behave", "2^61-1")


@pytest.mark.parametrize("bits", [8, 4])
def test_what_an_obligation_says_is_a_fact_for_later_ones_alone(bits: int) -> None:
    """Neither for itself, with 8 bits, nor for one before it, on which it may rest."""
    pool = TermPool()
    x, y = pool.variable("x", 8), pool.variable("y", 8)
    with Solver(pool, 1, 10) as solver:
        solver.equal(pool.extract(x, bits - 1, 0), pool.extract(y, bits - 1, 0), "first", "s", 0, "asked")
        if bits < 8:
            solver.equal(pool.extract(x, 7, 0), pool.extract(y, 7, 0), "first", "s", 0, "noted")
        solver.note(x, y)
        solver.finish()
        assert "asked" in [failed.step for failed in solver.failed]
        solver.failed.clear()
        solver.equal(pool.extract(x, 7, 4), pool.extract(y, 7, 4), "first", "s", 1, "later")
        solver.finish()
    assert "later" not in [failed.step for failed in solver.failed]
