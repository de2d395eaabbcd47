# SPDX-License-Identifier: Apache-2.0
"""Integers, expressions, names and parameters: accepted inputs, and the sentences for rejected ones."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import MAX_BITS, parse_integer, parse_power_of_two
from limbtrace.refmodels.primes import CATALOGUE, find
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import MAX_BITS as WIDEST
from limbtrace.vectors.strategies import moduli, multipliers
from tests.shapes import ANY_MODULUS

SMALL = st.one_of(st.integers(0, 9), st.integers(0, 2**70))
LITERALS = st.one_of(SMALL.map(str), SMALL.map(hex), SMALL.map(lambda value: f"{value:#X}"), SMALL.map("{:_}".format))
EXPRESSIONS = st.recursive(
    LITERALS,
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from(["+", "-", "*", " * ", " - "]), part).map("".join),
        part.map("({})".format),
        part.map("-({})".format),
        st.tuples(part, st.integers(0, 4)).map(lambda pair: f"({pair[0]})^{pair[1]}"),
        st.tuples(part, st.sampled_from(["//", " % "]), st.integers(1, 2**40)).map(lambda t: "".join(map(str, t))),
        st.tuples(part, st.sampled_from([">>", " << "]), st.integers(0, 90)).map(lambda t: "".join(map(str, t))),
        st.tuples(st.sampled_from(["max", "min"]), part, part).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_expressions_mean_what_python_means(text: str) -> None:
    assert parse_integer(text) == eval(text.replace("^", "**"))


@given(st.integers(3, 2**64), st.integers(-5, 5), st.integers(1, 2**64), st.integers(0, 2**64))
def test_modulo_holds_for_every_part(m: int, e: int, x: int, y: int) -> None:
    """A mod B computes A in the ring of integers modulo B, inverses too; so does A % B for a power."""
    names = {"x": x, "y": y, "m": m}
    try:
        inverse = pow(x, e, m)
    except ValueError:
        for text in (f"x^{e} * y - 3 mod m", f"x^{e} % m"):
            with pytest.raises(ParameterError, match="no inverse"):
                parse_integer(text, "prime", names)
    else:
        assert parse_integer(f"x^{e} * y - 3 mod m", "prime", names) == (inverse * y - 3) % m
        assert parse_integer(f"x^{e} % m", "prime", names) == inverse


@pytest.mark.parametrize(
    ("text", "value"),
    [("2^3^2", 512), ("-2^2", -4), ("2^255-19", 2**255 - 19), ("2^216*3^137-1", 2**216 * 3**137 - 1), ("--1", 1),
     (" ( 1 + 2 ) * 3 ", 9), ("0^0", 1), ("1^99999999999999999999", 1), ("0xFf_00", 0xFF00), ("(-1)^3", -1),
     ("-7 // 2", -4), ("20 - 1 mod 2^4 mod 7", 3), ("7 // 2 * 3 % 5", 4), ("max(1, 2, 3)", 3), ("-3^-1 mod 2^8", 85),
     ("100 >> 3 + 1", 6)],
)  # fmt: skip
def test_precedence(text: str, value: int) -> None:
    assert parse_integer(text) == value


BAD_EXPRESSIONS = [
    ("9^9^9^9", "would be wider than the limit of 131072 bits"),
    ("2^" * 60 + "2", "would be wider"),
    ("(2^131000)*(2^131000)", "would be wider"),
    (f"2^{MAX_BITS}", "would be wider"),
    ("0x" + "f" * (MAX_BITS // 4 + 1), "would be wider"),
    ("9" * 50_000, "would be wider"),
    ("1" * 70_000, "the text has 70000 characters and the limit is 65536"),
    ("(" * 200 + "1" + ")" * 200, "nested deeper than 64 levels"),
    ("-" * 5000 + "1", "nested deeper than 64 levels"),
    ("2^-1", "negative exponent"),
    ("2^-1 mod 4", "a value has no inverse"),
    ("3^(2^50000) mod (2^50000-1)", "a power would take too long"),
    ("1 // 0", "a value is divided by 0"),
    ("1 % -3", "a value is divided by a negative number"),
    ("1 mod", "ends too early"),
    ("mod 3", "'mod' stands where an integer should be"),
    ("max()", "stands where an integer should be"),
    ("max(1, 2", "a parenthesis is not closed"),
    ("(1, 2)", "a parenthesis is not closed"),
    ("sin(3)", "character 's' is not part"),
    ("", "the integer is missing"),
    ("   ", "the integer is missing"),
    ("1+", "ends too early"),
    ("(1", "a parenthesis is not closed"),
    ("1)", "')' cannot follow '1'"),
    ("2^255 20", "write %2B"),
    ("1 2", "cannot follow"),
    ("*3", "'*' stands where an integer should be"),
    ("1.5", "character '.' is not part of an integer expression"),
    ("__import__('os')", "character '_' is not part"),
    ("1e9", "character 'e' is not part"),
    ("0x", "character 'x' is not part"),
    (f"3^{MAX_BITS - 1}", "would be wider"),
    (f"2^{MAX_BITS // 2}*2^{MAX_BITS // 2}", "would be wider"),
    ("1\0", "is not part"),
    ("²", "is not part"),
    ("٣", "is not part"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_EXPRESSIONS, ids=range(len(BAD_EXPRESSIONS)))
def test_bad_expressions(text: str, reason: str) -> None:
    begin = time.process_time()
    with pytest.raises(ParameterError) as caught:
        parse_integer(text, "prime")
    assert time.process_time() - begin < 1  # nothing large is computed, and no other process counts
    assert caught.value.parameter == "prime"
    assert reason in caught.value.reason
    assert len(str(caught.value)) < 250


@given(st.text(alphabet="0123456789abcdefxX+-*^()_ .<>%/,mod", max_size=30))
def test_any_text_is_an_integer_or_one_sentence(text: str) -> None:
    try:
        value = parse_integer(text)
    except ParameterError as error:
        sentence = str(error)
        assert len(sentence) < 200
    else:
        assert value.bit_length() <= MAX_BITS


@given(st.integers(1, 4096))
def test_powers_of_two(k: int) -> None:
    assert parse_power_of_two(f"2^{k}") == parse_power_of_two(1 << k) == k
    for wrong in ((1 << k) + 1, -(1 << k)):
        with pytest.raises(ParameterError, match="must be a power of two"):
            parse_power_of_two(wrong)


@given(st.integers(1, 300), st.integers(-(2**70), 2**70))
def test_powers_and_shifts_of_programs(k: int, value: int) -> None:
    """`**` is `^`, and `<<` has the place that it has in Python."""
    assert parse_power_of_two(f"2**{k}") == parse_power_of_two(f"1<<{k}") == parse_power_of_two(f"1 << {k}") == k
    assert parse_integer(f"{value}<<{k}+1") == value << k + 1
    assert parse_integer(f"3*({value} << {k}) - 2**{k}") == 3 * (value << k) - 2**k
    assert parse_integer(f"1<<2<<{k}") == 1 << 2 << k


@pytest.mark.parametrize(
    "text", ["1<<-1", "1<<", "<<3", "2***3", "2*<3", "1<<2^40", "(1<<100000)<<100000", "1<3", "1>>-3"]
)
def test_shifts_that_are_none(text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_integer(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", [m.id for m in MODELS.values() if any(p.name == "radix" for p in m.parameters)])
def test_w_means_the_radix_where_it_means_nothing_else(name: str) -> None:
    """In `mwr2mm` and `mwr2kmm` it is the size of a word, and `r2mm` scans bits."""
    modulus = 251 if MODELS[name].has_modulus else 0
    if name in ("mwr2mm", "mwr2kmm"):
        assert MODELS[name].resolve(modulus, {"w": "8"}).named["w"] == 8
    elif name != "r2mm":
        for how in ({"radix": "2^8"}, {"radix": "2**8"}, {"radix": "1<<8"}, {"radix": "256"}, {"w": "8"}):
            assert MODELS[name].resolve(modulus, how).radix_bits == 8
        with pytest.raises(ParameterError, match="mean the same parameter and differ"):
            MODELS[name].resolve(modulus, {"radix": "2^8", "w": "9"})


def test_catalogue_names() -> None:
    for name, entry in CATALOGUE.items():
        assert find(name) is entry
        assert find(str(entry.modulus)).modulus == find(f"{entry.modulus:#x}").modulus == entry.modulus
        assert entry.modulus % 2
        assert entry.source
        assert name == name.lower()
    for curve in ("secp256k1", "p256", "p384", "p521", "curve25519", "curve448", "bn254", "bls12-381"):
        assert find(curve) is CATALOGUE[f"{curve}.fp"]
    assert find("2^255-19").name == "curve25519.fp"
    assert find("2^255-21").name is None
    assert find(3329).name == "mlkem"


@pytest.mark.parametrize(
    "name",
    ["secp256k1.fp", "secp256k1.fr", "p256.fp", "curve25519.fp", "curve448.fp", "bn254.fp", "bls12-381.fr",
     "goldilocks64", "sike-p434", "p771", "mlkem", "mldsa", "generic128", "iddmm-a256", "iddmm-a512", "iddmm-a1024"],
)  # fmt: skip
def test_names_that_others_rely_on(name: str) -> None:
    assert find(name).name == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [("secp256k2", "other moduli with a name near it: secp256k1"), ("zzz", "lists the names"),
     ("4", "the modulus must be odd"), ("1", "at least 3"), ("-7", "at least 3"), ("0", "at least 3"),
     ("2^16385+1", "the modulus has 16386 bits and the limit is 16384 bits"), ("2^16384+1", "16385 bits")],
)  # fmt: skip
def test_bad_moduli(text: str, reason: str) -> None:
    with pytest.raises(ParameterError, match=r"^prime: ") as caught:
        find(text)
    assert reason in caught.value.reason


def test_the_widest_modulus() -> None:
    assert find("2^16384-1").bits == 16384


BAD_SETTINGS = [
    ("iddmm2", 251, {"radix": "3"}, "radix", "must be a power of two of at least 2, and 3 is none"),
    ("iddmm2", 251, {"radix": "1"}, "radix", "must be a power of two"),
    ("iddmm2", 251, {"radix": "2^9999"}, "radix", "2^9999 is outside 2^1 to 2^4096"),
    ("iddmm2", 251, {"k": "0"}, "k", "2^0 is outside 2^1 to 2^4096"),
    ("cios", 251, {"w": "1"}, "w", "2^1 is outside 2^2 to 2^4096"),
    ("iddmm2", 251, {"radix": "2^4", "k": "5"}, "radix", "radix = 2^4 and k = 5 mean the same parameter and differ"),
    ("iddmm1", 251, {"passes": "3", "T": "4"}, "passes", "passes = 3 and T = 4 mean the same parameter and differ"),
    ("iddmm2", 251, {"k": "4", "n": "1"}, "n", "1 digits of 4 bits do not hold a modulus of 8 bits"),
    ("iddmm2", 251, {"passes": "0"}, "passes", "0 is outside 1 to"),
    ("iddmm2", 251, {"T": "9^99"}, "T", "an integer of"),
    ("iddmm2", 251, {"k": "4096", "n": "9"}, "n", "9 digits of 4096 bits are wider than the limit of 32768 bits"),
    ("iddmm2", 251, {"s": "4"}, "s", "iddmm2 has no such parameter; it has radix, k, w, n, passes, T, form"),
    ("cios", 251, {"k": "4"}, "k", "for digits of K bits write radix=2^K or w=K"),
    ("r2mm", 251, {"radix": "2^34"}, "radix", "2^34 is outside 2^1 to 2^1"),
    ("cios", 251, {"radix": "34"}, "radix", "34 is none; for digits of 34 bits it is 2^34"),
    ("cios", 251, {"radix": "2^16+1", "w": "16"}, "radix", "65537 is none"),
    ("cios", 251, {"k": "4"}, "k", "cios has no such parameter; it has radix, w, s, form"),
    ("cios", 251, {"form": "printed"}, "form", "cios takes corrected, not 'printed'"),
    ("iddmm2", 251, {"form": "x"}, "form", "iddmm2 takes corrected or printed, not 'x'"),
    ("r2mm", 251, {"radix": "4"}, "radix", "2^2 is outside 2^1 to 2^1"),
    ("r2mm", 251, {"k": "1"}, "k", "r2mm has no such parameter; it has radix, form"),
    ("r2mm", 251, {"form": "printed"}, "form", "r2mm takes corrected, not 'printed'"),
    ("mwr2mm", 251, {"radix": "2^8"}, "radix", "2^8 is outside 2^1 to 2^1"),
    ("mwr2mm", 251, {"w": "0"}, "w", "0 is outside 1 to 4096"),
    ("mwr2mm", 251, {"w": "8", "e": "1"}, "e", "1 is outside 2 to 4097 (2p < 2^(w*e))"),
    ("mwr2mm", 251, {"w": "4", "e": "1", "form": "printed"}, "e", "1 is outside 2 to 8193 (p < 2^(w*e))"),
    ("mwr2mm", 251, {"w": "4096", "e": "9"}, "e", "9 digits of 4096 bits are wider than the limit of 32768 bits"),
    ("mwr2kmm", 251, {"k": "9", "w": "8"}, "w", "a word of 8 bits does not hold a digit of 9 bits, which needs w >= 9"),
    ("mwr2kmm", 251, {"k": "3", "w": "4", "NW": "3"}, "NW", "3 is outside 4 to 8193 (w*NW >= N+k+2)"),
    ("mwr2kmm", 251, {"D": "0"}, "D", "0 is outside 1 to"),
    ("mwr2kmm", 251, {"k": "4096", "D": "9"}, "D", "9 digits of 4096 bits are wider than the limit of 32768 bits"),
    ("mwr2kmm", 251, {"e": "3"}, "e", "mwr2kmm has no such parameter; it has radix, k, w, D, NW, form"),
    ("imm", 251, {"form": "printed"}, "form", "imm takes corrected, not 'printed'"),
    ("imm", 251, {"k": "4", "n": "1"}, "n", "1 digits of 4 bits do not hold a modulus of 8 bits"),
    ("imm", 251, {"passes": "3", "T": "4"}, "passes", "passes = 3 and T = 4 mean the same parameter and differ"),
    ("cios", 2**256 - 189, {"w": "64", "s": "4"}, "s",
     "needs s >= 5; iddmm2 with radix 2^64 and n = 4 computes with R = 2^256"),
    ("cios", 2**256 - 189, {"w": "64", "s": "3"}, "s", "this modulus of 256 bits needs s >= 5"),
    ("fpmm", 2**256 - 189, {"s": "7"}, "s", "7 words of 34 bits do not hold 4P, which fpmm needs"),
    ("fpmm", 251, {"theta": "3"}, "theta", "3 is outside 1 to 2 (one slot a word, and one more at most)"),
    ("fpmm", 251, {"sigma": "0"}, "sigma", "0 is outside 1 to 131072"),
    ("fpmm", 251, {"w": "4", "theta": "4", "form": "printed"}, "theta", "as printed has theta = s = 3, not 4"),
    ("monpro", 251, {"n": "7"}, "n", "7 is outside 8 to 16384 (R is not below the modulus)"),
    ("monpro", 251, {"radix": "2^4"}, "radix", "monpro has no such parameter; it has n, form"),
    ("redmonpro", 251, {"form": "printed"}, "form", "redmonpro takes corrected, not 'printed'"),
    ("ozturk", 0, {"d": "1"}, "d", "2^1 is outside 2^2 to 2^4096"),
    ("ozturk", 0, {"d": "4096", "k": "9"}, "k", "9 is outside 1 to 8"),
    ("llmonpro", 251, {"d": "4", "k": "1"}, "k", "1 is outside 2 to 8193 (d*k >= 8, the bits of the modulus)"),
    ("llmonpro", 251, {"d": "3", "k": "4"}, "k", "4 digits of 3 bits are more than the 3 whose sums fit 2d bits"),
    ("llmonpro", 251, {"variant": "alg6"}, "variant", "llmonpro takes alg5 or alg7, not 'alg6'"),
    ("vdf", 2**128 - 159, {"k": "8"}, "k", "a chain does not stay in range with R = 2^128, which must be at least"),
    ("vdf", 2**128 - 159, {"k": "7"}, "k", "7 is outside 8 to"),
    ("vdf", 251, {"t": "0"}, "t", "0 is outside 1 to 100000000"),
    ("fpmm", 251, {"k": "4"}, "k", "fpmm has no such parameter; it has radix, w, s, sigma, theta, form"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "modulus", "given", "parameter", "reason"), BAD_SETTINGS)
def test_bad_settings(model: str, modulus: int, given: dict[str, str | int], parameter: str, reason: str) -> None:
    with pytest.raises(ParameterError) as caught:
        MODELS[model].resolve(modulus, given)
    assert caught.value.parameter == parameter
    assert reason in caught.value.reason


DEFAULTS: list[tuple[str, int, dict[str, str | int], int | None, dict[str, int | str], int, tuple[int, int]]] = [
    # model, modulus, given, log2 of the radix, named parameters, log2 of R, largest operands
    ("r2mm", 251, {}, 1, {}, 8, (255, 251)),
    ("mwr2mm", 251, {}, 1, {"w": 16, "e": 1}, 8, (255, 250)),
    ("mwr2mm", 251, {"w": 8}, 1, {"w": 8, "e": 2}, 8, (255, 250)),
    ("mwr2mm", 251, {"w": 8, "form": "printed"}, 1, {"w": 8, "e": 1}, 8, (255, 250)),
    ("mwr2kmm", 251, {}, 3, {"w": 16, "D": 3, "NW": 1}, 9, (255, 250)),
    ("mwr2kmm", 251, {"k": 17}, 17, {"w": 17, "D": 1, "NW": 2}, 17, (255, 250)),
    ("mwr2kmm", 251, {"k": 4, "w": 7}, 4, {"w": 7, "D": 3, "NW": 2}, 12, (255, 250)),
    ("mwr2kmm", 251, {"k": 4, "w": 6, "D": 2}, 4, {"w": 6, "D": 2, "NW": 3}, 8, (127, 250)),
    ("mwr2kmm", 251, {"k": 4, "w": 4, "form": "printed"}, 4, {"w": 4, "D": 2, "NW": 2}, 8, (255, 250)),
    ("imm", 251, {}, 32, {"n": 1, "passes": 2}, 64, (501, 2**64 - 1)),
    ("imm", 251, {"k": 3}, 3, {"n": 3, "passes": 4}, 12, (501, 4095)),
    ("imm", 251, {"k": 3, "T": 1}, 3, {"n": 3, "passes": 1}, 3, (501, 7)),
    ("fpmm", 251, {}, 34, {"s": 1, "sigma": 15, "theta": 1}, 34, (501, 501)),
    ("monpro", 251, {}, None, {"n": 8}, 8, (250, 250)),
    ("redmonpro", 251, {"n": 11}, None, {"n": 11}, 11, (250, 250)),
    ("llmonpro", 251, {"d": 3}, 3, {"k": 3, "variant": "alg5"}, 9, (1023, 1023)),
    ("llmonpro", 2**128 - 159, {}, 16, {"k": 8, "variant": "alg5"}, 128, (2**129 - 1, 2**129 - 1)),
    ("llmonpro", 3, {"d": 2}, 2, {"k": 1, "variant": "alg5"}, 2, (3, 3)),
    ("vdf", 2**128 - 159, {}, 16, {"k": 9, "t": 16, "entry": 0, "variant": "alg5"}, 144, (2**128 - 160, 0)),
    (
        "vdf",
        2**128 - 159,
        {"form": "printed", "d": 64},
        64,
        {"k": 2, "t": 16, "entry": 0, "variant": "alg5"},
        128,
        (2**128 - 160, 0),
    ),
    (
        "vdf",
        2**126 - 2**119 + 1,
        {"k": 8},
        16,
        {"k": 8, "t": 16, "entry": 0, "variant": "alg5"},
        128,
        (2**126 - 2**119, 0),
    ),
    ("fpmm", 251, {"w": 4}, 4, {"s": 3, "sigma": 2, "theta": 3}, 12, (501, 501)),
    ("fpmm", 251, {"w": 5, "s": 3, "theta": 4, "sigma": 7}, 5, {"s": 3, "sigma": 7, "theta": 4}, 15, (501, 501)),
]


@pytest.mark.parametrize(("model", "modulus", "given", "radix", "named", "r_bits", "limits"), DEFAULTS)
def test_defaults_and_ranges(
    model: str,
    modulus: int,
    given: dict[str, str | int],
    radix: int | None,
    named: dict[str, int | str],
    r_bits: int,
    limits: tuple[int, int],
) -> None:
    params = MODELS[model].resolve(modulus, given)
    assert (params.radix_bits, params.named, params.domain, params.limits) == (radix, named, 1 << r_bits, limits)


def test_the_model_that_an_error_names_does_serve() -> None:
    params = MODELS["iddmm2"].resolve(2**256 - 189, {"radix": "2^64", "n": 4})
    assert params.domain == 2**256


@pytest.mark.parametrize(("look_up", "kind"), [(registry.model, "model"), (registry.architecture, "core")])
def test_unknown_models_and_cores(look_up: Callable[[str], object], kind: str) -> None:
    with pytest.raises(ParameterError, match=rf"^{kind}: there is no {kind} 'nonesuch'; there is ") as caught:
        look_up("nonesuch")
    assert caught.value.parameter == kind


@pytest.mark.parametrize(
    ("model", "prime", "reason"),
    [("ozturk", "251", "ozturk has no modulus: it returns the whole product"),
     ("cios", None, "the request does not give it, and cios multiplies modulo a name, integer or expression")],
)  # fmt: skip
def test_a_modulus_where_there_is_none_and_none_where_there_is(model: str, prime: str | None, reason: str) -> None:
    with pytest.raises(ParameterError, match=f"^prime: {reason}"):
        Multiplier.resolve(model, prime, {})


@given(multipliers())
def test_settings_written_out_resolve_to_the_same(multiplier: Multiplier) -> None:
    again = Multiplier.resolve(multiplier.model.id, multiplier.prime, multiplier.settings)
    assert again == multiplier
    assert again.identity == multiplier.identity
    assert again.params.constants == multiplier.params.constants


@given(moduli())
def test_strategies_draw_moduli_that_models_take(modulus: int) -> None:
    assert modulus % 2
    assert 3 <= modulus < 1 << WIDEST


@given(multipliers(ANY_MODULUS))
def test_constants_are_what_they_are_called(multiplier: Multiplier) -> None:
    p, constants = multiplier.modulus.modulus, dict(multiplier.params.constants)
    if multiplier.params.domain is None:
        assert constants == {}
        return
    radix, r = 1 << (multiplier.params.radix_bits or 0), constants.pop("R")
    letter, inverses = {
        "cios": ("P", ["P'", "P''"]),
        "fpmm": ("P", ["P'", "P''"]),
        "orup": ("M", ["M'", "M~"]),
        "redundant": ("M", ["M'", "M~"]),
        "r2mm": ("p", []),  # the inverse is 1, for every modulus
        "mwr2mm": ("p", []),
        **dict.fromkeys(("monpro", "redmonpro", "llmonpro", "vdf"), ("M", ["M'"])),
    }.get(multiplier.model.id, ("p", ["p'"]))
    if multiplier.model.id in ("monpro", "redmonpro", "llmonpro", "vdf"):
        radix = r  # these find the quotient as a whole
    assert r == multiplier.params.domain
    assert constants.pop(f"R mod {letter}") == r % p
    assert constants.pop(f"R^2 mod {letter}") == r * r % p
    assert list(constants) == inverses
    if "M~" in constants:
        assert constants.pop("M~") == constants["M'"] * p
    for name, value in constants.items():
        assert (value * p + 1) % (r if name == "P''" else radix) == 0
