# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for multipliers and their operands, for property tests of one's own (extra `strategies`).

    from hypothesis import given
    from vectors.strategies import cases

    @given(cases(models=["iddmm2"]))
    def test_my_multiplier(case):
        multiplier, a, b = case
        assert my_multiply(multiplier.params, a, b) == multiplier.model.result(multiplier.params, a, b)

Everything is biased to corners: moduli that fill their digits, operands 0, 1, p - 1, p, 2p - 1, digits of all ones,
and the operands that the model itself names as corners.
"""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refmodels.primes import CATALOGUE
from refmodels.registry import MODELS
from refmodels.representations import Digits
from vectors.operands import fit
from vectors.request import Multiplier

Settings = dict[str, str | int]

MAX_BITS = 521
"""Widest modulus that is drawn unless the caller says otherwise."""
MAX_DIGITS = 8
"""Most digits of a modulus that are drawn unless the caller says otherwise: a trace grows with their square."""


def moduli(max_bits: int = MAX_BITS) -> SearchStrategy[int]:
    """Odd moduli of 2 to `max_bits` bits, prime or composite: any, full ones such as 2^N - 1, the catalogue's."""

    def of_width(bits: int) -> SearchStrategy[int]:
        top = 1 << (bits - 1)
        return st.one_of(
            st.integers(top, 2 * top - 1).map(lambda value: value | 1),
            st.sampled_from([2 * top - 1, top | 1, max(2 * top - 3, 3)]),
        )

    known = [entry.modulus for entry in CATALOGUE.values() if entry.bits <= max_bits]
    drawn = st.one_of(st.integers(2, min(12, max_bits)), st.integers(2, max_bits)).flatmap(of_width)
    return st.one_of(drawn, st.sampled_from(known)) if known else drawn


def _radix_bits(bits: int, smallest: int, max_digits: int) -> SearchStrategy[int]:
    """Logarithm of a radix with which `bits` bits take at most `max_digits` digits."""
    low = max(smallest, -(-bits // max_digits))
    divisors = [k for k in range(low, bits + 1) if bits % k == 0]  # the modulus fills its digits
    drawn = st.integers(low, max(low, bits) + 3)
    return st.one_of(drawn, st.sampled_from(divisors)) if divisors else drawn


@st.composite
def _cios_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    w = draw(_radix_bits(bits + 2, 2, max_digits))
    return {"w": w, "s": -(-(bits + 2) // w) + draw(st.integers(0, 1))}


@st.composite
def _fpmm_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    words = draw(_cios_settings(bits, max_digits))
    theta = int(words["s"]) + draw(st.integers(0, 1))
    return {**words, "sigma": draw(st.integers(1, 4)), "theta": theta}


@st.composite
def _iddmm_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    k = draw(_radix_bits(bits, 1, max_digits))
    n = -(-bits // k) + draw(st.integers(0, 1))
    passes = draw(st.one_of(st.just(n), st.just(n + 1), st.integers(1, n + 2)))
    return {"k": k, "n": n, "passes": passes}


def _word_bits(bits: int, smallest: int, max_digits: int) -> SearchStrategy[int]:
    """Bits of a word, that of today's machines among them."""
    return st.one_of(_radix_bits(bits, smallest, max_digits), st.just(max(smallest, 64)))


@st.composite
def _mwr2mm_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    w = draw(_word_bits(bits, 1, max_digits))
    return {"w": w, "e": -(-(bits + 1) // w) + draw(st.integers(0, 1))}


@st.composite
def _mwr2kmm_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    k = draw(_radix_bits(bits, 1, max_digits))
    w = draw(_word_bits(bits, k, max_digits))
    D = -(-(bits + 1) // k) + draw(st.integers(0, 1))
    return {
        "k": k,
        "w": w,
        "D": draw(st.one_of(st.just(D), st.integers(1, D))),
        "NW": -(-(bits + k + 2) // w) + draw(st.integers(0, 1)),
    }


@st.composite
def _orup_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    r = draw(_radix_bits(bits, 1, max_digits))
    return {"r": r, "m": -(-bits // r) + draw(st.integers(0, 1)), "tail": draw(st.integers(0, 1))}


@st.composite
def _redundant_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    r1 = draw(_radix_bits(bits, 4, max_digits))
    r2 = draw(st.integers((r1 + 5) // 2, r1))
    return {
        "r1": r1,
        "r2": r2,
        "ma": -(-bits // r1) + draw(st.integers(0, 1)),
        "mb": -(-bits // r2) + draw(st.integers(0, 1)),
        "tail": draw(st.integers(0, 1)),
        "fused": draw(st.integers(0, 1)) if r1 > r2 else 0,
        "overlap": draw(st.integers(0, 3)),
    }


@st.composite
def _barrett_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    return {"k": draw(st.one_of(st.just(2 * bits), st.integers(bits, 3 * bits)))}


@st.composite
def _hffm_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    window = draw(st.sampled_from(["window", "window", "hac", "half"]))
    return {"split": draw(st.sampled_from([6, 8])), "window": window}


@st.composite
def _special_moduli(draw: st.DrawFn, sign: int, max_bits: int) -> int:
    """f*2^a*l^b + sign of at most `max_bits` bits, for which f*l^b is at least 3; from 4 bits on."""
    prime = draw(st.sampled_from([3, 3, 5, 7, 11, 257]))
    factor = draw(st.sampled_from([1, 1, 1, 3, 5, 139, 2**61 - 1]))
    room = max_bits - factor.bit_length() - prime.bit_length()
    a = draw(st.integers(1, max(1, room - 1)))
    b = draw(st.integers(1, max(1, (room - a) // prime.bit_length() + 1)))
    value = factor * prime**b * 2**a + sign
    return value if value.bit_length() <= max_bits else 11 if sign < 0 else 13


@st.composite
def _square_moduli(draw: st.DrawFn, max_bits: int) -> int:
    """2*R^2 - 1 with an even R that has an odd factor, of at most `max_bits` bits; from 7 bits on."""
    half = (max_bits - 1) // 2
    prime = draw(st.sampled_from([3, 3, 5, 7, 15]))
    h = draw(st.integers(1, max(1, half - prime.bit_length())))
    b = draw(st.integers(1, max(1, (half - h) // prime.bit_length())))
    value = int(2 * (prime**b * 2**h) ** 2 - 1)
    return value if value.bit_length() <= max_bits else 71


def _moduli_for(model: str, max_bits: int) -> SearchStrategy[int]:
    """Moduli that a model takes."""
    known = [entry.modulus for entry in CATALOGUE.values() if entry.bits <= max_bits]
    minus = [p for p in known if p in _SPECIAL]
    if model in ("effm", "ffm1"):
        squares = [p for p in minus if p in _SQUARES]
        return st.one_of(_square_moduli(max_bits), st.sampled_from([71, 199, *squares]))
    if model == "hffm":
        return st.one_of(_special_moduli(-1, max_bits), st.sampled_from([11, 59, 107, *minus]))
    if model == "ffm2":
        both = st.sampled_from([-1, 1]).flatmap(lambda sign: _special_moduli(sign, max_bits))
        return st.one_of(both, st.sampled_from([7, 13, *minus]))
    return moduli(max_bits)


_SPECIAL = tuple(CATALOGUE[name].modulus for name in ("sike-p434", "sike-p503", "sike-p610", "sike-p751", "p771"))
"""Moduli of the catalogue that are f*2^a*l^b - 1."""
_SQUARES = tuple(CATALOGUE[name].modulus for name in ("sike-p610", "p771"))
"""Those of them that are 2*R^2 - 1."""


@st.composite
def _monpro_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    return {"n": bits + draw(st.sampled_from([0, 0, 1, 7]))}


@st.composite
def _llmonpro_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    """At least as many bits a digit as the sums of so many digits need."""
    d = draw(_radix_bits(bits, 2, max_digits).filter(lambda d: -(-bits // d) < 1 << (d - 1)))
    k = -(-bits // d)
    return {"d": d, "k": k + draw(st.integers(0, int(k + 1 < 1 << (d - 1)))), "variant": draw(_VARIANTS)}


@st.composite
def _vdf_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    d = draw(_radix_bits(bits + 3, 2, max_digits).filter(lambda d: -(-(bits + 3) // d) < 1 << (d - 1)))
    return {"d": d, "t": draw(st.integers(1, 5)), "variant": draw(_VARIANTS)}


_VARIANTS = st.sampled_from(["alg5", "alg7"])


@st.composite
def _ozturk_settings(draw: st.DrawFn, bits: int, max_digits: int) -> Settings:
    """So many bits in all."""
    d = draw(_radix_bits(bits, 2, max_digits))
    return {"d": d, "k": -(-bits // d)}


_SETTINGS: dict[str, Callable[[int, int], SearchStrategy[Settings]]] = {
    "cios": _cios_settings,
    "fpmm": _fpmm_settings,
    "r2mm": lambda bits, max_digits: st.just({}),
    "mwr2mm": _mwr2mm_settings,
    "mwr2kmm": _mwr2kmm_settings,
    "imm": _iddmm_settings,
    "iddmm1": _iddmm_settings,
    "iddmm2": _iddmm_settings,
    "orup": _orup_settings,
    "redundant": _redundant_settings,
    "barrett": _barrett_settings,
    "effm": lambda bits, max_digits: st.just({}),
    "ffm1": lambda bits, max_digits: st.just({}),
    "ffm2": lambda bits, max_digits: st.just({}),
    "hffm": _hffm_settings,
    "monpro": _monpro_settings,
    "redmonpro": _monpro_settings,
    "ozturk": _ozturk_settings,
    "llmonpro": _llmonpro_settings,
    "vdf": _vdf_settings,
}


@st.composite
def multipliers(
    draw: st.DrawFn,
    models: Sequence[str] = tuple(MODELS),
    max_bits: int = MAX_BITS,
    max_digits: int = MAX_DIGITS,
) -> Multiplier:
    """A model out of `models`, in its corrected form, with a modulus, radix, digit and pass count it accepts."""
    model = draw(st.sampled_from(list(models)))
    modulus = draw(_moduli_for(model, max_bits))
    settings = draw(_SETTINGS[model](modulus.bit_length(), max_digits))
    return Multiplier.resolve(model, modulus if MODELS[model].has_modulus else None, settings)


def products(multiplier: Multiplier) -> SearchStrategy[tuple[int, int]]:
    """Operands (a, b) that the multiplier accepts, up to its limits, which may lie beyond the modulus."""
    a_max, b_max = multiplier.params.limits
    pairs = st.tuples(_operands(multiplier, a_max), _operands(multiplier, b_max)).map(
        lambda pair: fit(multiplier, *pair)
    )
    forms = [form for form in multiplier.params.written or () if isinstance(form, Digits) and form.overlap]
    if forms and not multiplier.params.representations:
        pairs = st.one_of(pairs, st.tuples(_vectors(forms[0], a_max), _vectors(forms[1], b_max)))
    corners = [(corner.a, corner.b) for corner in multiplier.model.corners(multiplier.params)]
    return st.one_of(pairs, st.sampled_from(corners))


def _operands(multiplier: Multiplier, limit: int) -> SearchStrategy[int]:
    """One operand of at most `limit`."""
    p, width = multiplier.modulus.modulus, multiplier.params.radix_bits or 8
    ones = (1 << width) - 1
    digit = st.one_of(st.sampled_from([0, 1, ones - 1, ones]), st.integers(0, ones))
    count = -(-limit.bit_length() // width)
    patterns = st.lists(digit, min_size=count, max_size=count).map(
        lambda digits: sum(value << (width * position) for position, value in enumerate(digits)) % (limit + 1)
    )
    borders = [value for value in (0, 1, 2, p // 2, p - 2, p - 1, p, p + 1, 2 * p - 1, limit) if 0 <= value <= limit]
    return st.one_of(st.integers(0, limit), patterns, st.sampled_from(borders))


def _vectors(form: Digits, limit: int) -> SearchStrategy[int]:
    """One operand of redundant digits, of at most `limit`."""
    beta = 1 << form.bits

    def read(digits: list[int]) -> int:
        """The digits, from the top as far as the limit allows."""
        kept, rest = [], limit
        for j in range(form.count - 1, -1, -1):
            kept.append(min(digits[j], rest >> (form.bits * j)))
            rest -= kept[-1] << (form.bits * j)
        return form.read("digits", kept[::-1])

    digit = st.one_of(st.sampled_from([0, 1, beta - 1, beta, beta + 1, form.largest]), st.integers(0, form.largest))
    return st.lists(digit, min_size=form.count, max_size=form.count).map(read)


@st.composite
def cases(
    draw: st.DrawFn,
    models: Sequence[str] = tuple(MODELS),
    max_bits: int = MAX_BITS,
    max_digits: int = MAX_DIGITS,
) -> tuple[Multiplier, int, int]:
    """(multiplier, a, b): one product with everything around it."""
    multiplier = draw(multipliers(models, max_bits, max_digits))
    return (multiplier, *draw(products(multiplier)))
