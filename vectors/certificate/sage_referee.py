# SPDX-License-Identifier: Apache-2.0
"""SageMath as the referee of results. Nothing but this and `vectors.certificate.loops` imports it, and neither a model.

Everything here is recomputed from the contents of a vector file. The formulas of R and of the constants are repeated
here from the papers on purpose: taken from a model they would prove nothing. One file, so that Sage has one place.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import sage.libs.pari
from sage.libs.pari import pari
from sage.rings.finite_rings.finite_field_constructor import GF
from sage.rings.finite_rings.integer_mod_ring import Integers
from sage.rings.integer import Integer
from sage.rings.polynomial.polynomial_ring import polygen
from sage.version import version as sage_version

# This message after an interrupt is of no use to the user who interrupts.
warnings.filterwarnings("ignore", message="cypari2 leaked", category=RuntimeWarning)

MAX_PROVEN_BITS = 1024
"""Widest modulus whose primality is proved, in bits: one or two seconds; the time grows with the fifth power."""
MAX_FACTORED_BITS = 160
"""Widest cofactor that is factored after trial division, in bits: below a second; 30 more bits take 10 times that."""
TRIAL_LIMIT = 1 << 20

R_EXPONENTS: dict[str, Callable[["Head"], int]] = {
    "cios": lambda head: head.digit_bits * head.params["s"],
    "fpmm": lambda head: head.digit_bits * head.params["s"],
    "koc_sos": lambda head: head.digit_bits * head.params["s"],
    "koc_cios": lambda head: head.digit_bits * head.params["s"],
    "koc_fios": lambda head: head.digit_bits * head.params["s"],
    "koc_fips": lambda head: head.digit_bits * head.params["s"],
    "koc_cihs": lambda head: head.digit_bits * head.params["s"],
    "r2mm": lambda head: head.modulus.bit_length(),
    "mwr2mm": lambda head: head.modulus.bit_length(),
    "mwr2kmm": lambda head: head.digit_bits * head.params["D"],
    "imm": lambda head: head.digit_bits * head.params["passes"],
    "iddmm1": lambda head: head.digit_bits * head.params["passes"],
    "iddmm2": lambda head: head.digit_bits * head.params["passes"],
    "orup": lambda head: head.digit_bits * (head.params["m"] + 2),
    "redundant": lambda head: head.digit_bits * (head.params["ma"] + 2),
    "monpro": lambda head: head.params["n"],
    "montgomery": lambda head: head.params["r"],
    "redc": lambda head: head.params["r"],
    "redmonpro": lambda head: head.params["n"],
    "llmonpro": lambda head: head.digit_bits * head.params["k"],
    "vdf": lambda head: head.digit_bits * head.params["k"],
}
"""The logarithm of each model's R."""

WITHOUT_MODULUS = ("ozturk",)
"""Models that return the product itself, in ZZ."""

WHOLE_QUOTIENT = ("monpro", "redmonpro", "llmonpro", "vdf", "montgomery", "redc")
"""Models that compute the whole quotient at once, with an inverse modulo R instead of the radix."""

REDUNDANT = ("llmonpro",)
"""Models whose quotient has redundant digits, so that it may reach 2R - 2."""

CHAINS = ("vdf",)
"""Models that square a t times; their results are no longer in the Montgomery domain."""

KOC = ("koc_sos", "koc_cios", "koc_fios", "koc_fips", "koc_cihs")
"""The methods of one paper, with one R."""

SUBTRACTING = (*KOC, "r2mm", "mwr2kmm", "monpro", "redmonpro", "montgomery", "redc")
"""Models that subtract the modulus at the end if the sum is not below it, or until it is."""

UNARY = ("square", "reduce", "redc", "barrett_reduce", "modneg", "modhalve")
"""Models of one operand, that return a^2, a, a / R, -a or a / 2, in place of a product."""

SCALING = ("orup", "redundant")
"""Models that add multiples of M~ = M'*M, with M' = -M^-1 modulo the radix, in place of the modulus M."""

STATEMENTS = {
    "primality": "the head calls the modulus prime exactly if it is",
    "R": "R is the power of the radix that the parameters give",
    "constants": "every constant in the head has its value",
    "range": "a, b and result are in the ranges that the head states",
    "product": "result * R = a * b in the ring (without R where the model has none)",
    "residue": "residue is the ring's own value of a * b / R, lifted to 0 ... modulus - 1",
    "reduction": "residue = result modulo the modulus",
    "quotient": "(result * R - a * b) / modulus is an integer from 0 to R - 1, which leaves one result alone; "
    "R less where the model subtracted the modulus, and result is below it then; up to 2R - 2 where its digits are "
    "redundant; of models that add multiples of M~, it is the one quotient that their digits make",
    "element": "of a case in GF(p^2), result = a * b / R in the ring of x0 + x1*i with i^2 = -1",
    "sequence": "of its operations, each takes the operands or values that it names; c0 and c1 are the result",
    "sum": "the value of a sum or difference is the ring's own, lifted to 0 ... modulus - 1",
    "integers": "of a model without a modulus, result = a * b in ZZ",
    "numbers": "of a butterfly, a sum, a difference, a negative or a half, each number that the result holds is the "
    "ring's own value",
    "chain": "result and every checkpoint are the ring's own value of a squared so many times",
}
"""The statements that are checked: the first three once, the others in every case."""


def _special(head: "Head", sign: int) -> dict[str, Any]:
    """f, a, l and b of modulus = f*2^a*l^b + sign, l being the prime below 2^16 with the largest power."""
    number = Integer(head.modulus) - sign
    a = number.valuation(2)
    odd = number >> a
    powers = [(base, odd.valuation(base)) for base in map(Integer, pari(odd).factor(SMALL_PRIMES)[0])
              if base < SMALL_PRIMES]  # fmt: skip
    prime, b = max(powers, key=lambda power: power[0] ** power[1], default=(Integer(3), 0))
    return {"f": odd // prime**b, "a": a, "l": prime, "b": b, "f*l^b": odd}


def _square_constants(head: "Head") -> dict[str, Any]:
    root = ((Integer(head.modulus) + 1) // 2).isqrt()
    h = root.valuation(2)
    k = head.modulus.bit_length() - h
    odd = root >> h
    return {"R": root, "a/2": h, "l^(b/2)": odd, "k": k, "x": Integer(2) ** k // odd}


def _whole_product_constants(head: "Head") -> dict[str, Any]:
    form = _special(head, head.params["sign"])
    k = 2 * head.modulus.bit_length() - form["a"]
    return {**form, "k": k, "x": Integer(2) ** k // form["f*l^b"]}


def _half_barrett_constants(head: "Head") -> dict[str, Any]:
    form, N = _special(head, -1), head.params["N"]
    n = form["f*l^b"].nbits()
    s, k = {
        "window": (max(0, 2 * n - N), n + N - 1),
        "hac": (n - 1, 2 * n),
        "half": (n, 2 * n),
        "register": (N, n + N - 1),
    }[head.params["window"]]
    return {**form, "n": n, "s": s, "k": k, "t": k - s, "x": Integer(2) ** k // form["f*l^b"]}


def _barrett_constants(head: "Head") -> dict[str, Any]:
    modulus = Integer(head.modulus)
    return {"mu": Integer(2) ** (modulus.nbits() + head.params["alpha"]) // modulus}


def _word_sum_constants(head: "Head") -> dict[str, Any]:
    """The words of each 2^(w*i) modulo x^n - f, of which M has four bits each, word 0 of the first high word lowest."""
    modulus, w = Integer(head.modulus), head.params["w"]
    n, rest, f = modulus.nbits() // w, Integer(2) ** modulus.nbits() - modulus, []
    for _ in range(n):
        f.append(rest - (rest + Integer(2) ** (w - 1) - 1) // Integer(2) ** w * Integer(2) ** w)
        rest = (rest - f[-1]) >> w
    x, whole = pari("x"), pari("x") ** n - pari(f).Polrev()
    high = [x ** (n + i) % whole for i in range(n)]
    rows = [[Integer(power.polcoef(j)) for power in high] for j in range(n)]
    packed = sum(number % 16 << 4 * (n * j + i) for j, row in enumerate(rows) for i, number in enumerate(row))
    return {"M": packed}


SMALL_PRIMES = 1 << 16
"""Limit of the l in a modulus f*2^a*l^b + 1 or - 1."""

WHOLE_CONSTANTS: dict[str, Callable[["Head"], dict[str, Any]]] = {
    "barrett": lambda head: {"x": Integer(2) ** head.params["k"] // head.modulus},
    "blakley": lambda head: {},
    "solinas": _word_sum_constants,
    "fold": lambda head: {"c": Integer(2) ** head.params["k"] % head.modulus},
    "barrett_reduce": _barrett_constants,
    "barrett_mul": _barrett_constants,
    "modmul": lambda head: {},
    "square": lambda head: {},
    "reduce": lambda head: {},
    "effm": _square_constants,
    "ffm1": _square_constants,
    "ffm2": _whole_product_constants,
    "hffm": _half_barrett_constants,
    "butterfly_ct": lambda head: _butterfly_constants(head),
    "butterfly_gs": lambda head: _butterfly_constants(head),
    "modmac": lambda head: {},
    "modadd": lambda head: {},
    "modsub": lambda head: {},
    "modneg": lambda head: {},
    "modhalve": lambda head: {},
}
"""The constants of models that have no R."""

BUTTERFLIES: dict[str, Callable[["Head", Any, Any], list[Any]]] = {
    "butterfly_ct": lambda head, a, w: _both(a % head.modulus, a // head.modulus * w, _scale(head)),
    "butterfly_gs": lambda head, a, w: [
        x / Integers(head.modulus)(2) ** head.params["halve"]
        for x in _of_difference(a % head.modulus, a // head.modulus, w, _scale(head))
    ],
    "modmac": lambda head, a, y: [Integers(head.modulus)(a % head.modulus * y + a // head.modulus)],
    "modadd": lambda head, a, b: [Integers(head.modulus)(a + b)],
    "modsub": lambda head, a, b: [Integers(head.modulus)(a - b)],
    "modneg": lambda head, a, b: [-Integers(head.modulus)(a)],
    "modhalve": lambda head, a, b: [Integers(head.modulus)(a) / 2],
}
"""The elements of the ring that a result holds, low first, by a and b, where it is not the residue of a product."""


def _scale(head: "Head") -> Any:
    """1/R in the ring."""
    return Integers(head.modulus)(2) ** -head.params["r"]


def _both(u: Any, product: Any, scale: Any) -> list[Any]:
    """u + product and u - product."""
    return [scale.parent()(u) + product * scale, scale.parent()(u) - product * scale]


def _of_difference(u: Any, v: Any, w: Any, scale: Any) -> list[Any]:
    """u + v and (u - v)*w."""
    return [scale.parent()(u + v), (u - v) * w * scale]


def _butterfly_constants(head: "Head") -> dict[str, Any]:
    return {"R": Integer(2) ** head.params["r"], "R^-1 mod p": _scale(head).lift()}


Finding = tuple[str, str, str]
"""(key of STATEMENTS, expected, found)"""


def versions() -> dict[str, str]:
    """Versions of SageMath, of the package that brought it, and of PARI inside it."""
    return {
        "sage": sage_version,
        "package": package(),
        "pari": ".".join(str(part) for part in pari.version()),
    }


@cache
def package() -> str:
    """The distribution that provides `sage`, with its version; SageMath's own version where none does."""
    source = Path(sage.libs.pari.__file__).resolve()
    for name in metadata.packages_distributions().get("sage", []):
        distribution = metadata.distribution(name)
        if Path(str(distribution.locate_file("sage/libs/pari/__init__.py"))).resolve() == source:
            owned = {str(file) for file in distribution.files or ()}
            if not owned or "sage/libs/pari/__init__.py" in owned:
                return f"{name} {distribution.version}"
    return f"SageMath {sage_version}, from no Python package"


def proves(modulus: int, proof: str) -> bool:
    """True if a proof from `examine` shows that `modulus` is prime, for a reader of a certificate."""
    if not re.fullmatch(r"[0-9\[][-0-9, \[\]]*", proof):  # anything else could be a program
        return False
    try:
        vector = pari(proof)
        stated = vector if vector.type() == "t_INT" else vector[0][0]
        return bool(stated == modulus and vector.primecertisvalid() == 1)
    except (RuntimeError, TypeError, IndexError):  # of PARI, for what it cannot read
        return False


def is_prime(value: int) -> bool:
    """True if `value` is prime, proved."""
    return bool(Integer(value).is_prime(proof=True))


def examine(modulus: int) -> dict[str, Any]:
    """Properties of a modulus found with bounded work: members of `vectors.certificate.document.CertifiedModulus`."""
    number = Integer(modulus)
    found: dict[str, Any] = {
        "modulus": hex(modulus),
        "bits": modulus.bit_length(),
        "finding": "composite",
        "proof": None,
        "factors": [],
        "cofactor": None,
        "reason": "",
    }
    if not number.is_prime(proof=False):
        return {**found, **_factored(number)}
    if number.nbits() > MAX_PROVEN_BITS:
        reason = f"not proven: it has {number.nbits()} bits, and the limit of a proof is {MAX_PROVEN_BITS} bits"
        return {**found, "finding": "probable prime", "reason": reason}
    return {**found, "finding": "prime", "proof": str(pari(number).primecert())}


def _factored(number: Any) -> dict[str, Any]:
    """Prime factors below TRIAL_LIMIT, and the others if the cofactor is prime or narrow."""
    factors, rest = [], Integer(1)
    for base, exponent in zip(*pari(number).factor(TRIAL_LIMIT), strict=True):
        base = Integer(base)
        if base.nbits() <= MAX_FACTORED_BITS:
            factors += [(int(prime), int(power * exponent)) for prime, power in base.factor(proof=True)]
        elif base.nbits() <= MAX_PROVEN_BITS and is_prime(base):
            factors.append((int(base), int(exponent)))
        else:
            rest *= base ** Integer(exponent)
    limit = f"the limit after trial division is {MAX_FACTORED_BITS} bits"
    return {
        "factors": [{"prime": hex(prime), "exponent": power} for prime, power in sorted(factors)],
        "cofactor": None if rest == 1 else hex(rest),
        "reason": "" if rest == 1 else f"not factored: a rest of {rest.nbits()} bits, and {limit}",
    }


class Head(NamedTuple):
    """The statements in the head of a vector set; R is None if the model has none."""

    model: str
    modulus: int
    primality: str
    radix_bits: int | None
    params: dict[str, Any]
    r: int | None
    constants: dict[str, int]

    @property
    def digit_bits(self) -> int:
        """Logarithm of the radix; 0 without a radix."""
        return self.radix_bits or 0

    @property
    def scaling(self) -> "Scaling | None":
        """The factor by which the model scales the modulus, if it does."""
        if self.model not in SCALING:
            return None
        return Scaling(1 << self.digit_bits, bool(self.params["tail"]), bool(self.params.get("qcarry", 0)))

    @property
    def subtracts(self) -> bool:
        """True if the modulus is subtracted at the end."""
        return self.model in SUBTRACTING and self.params.get("final") != "unreduced"

    def factors(self, a: int, b: int) -> tuple[int, int]:
        """The factors of the product that a case has, of which some models are given one operand alone."""
        return (a, a if self.model == "square" else 1) if self.model in UNARY else (a, b)

    def check(self, finding: str) -> Iterator[Finding]:
        """Statements that are not true; `finding` is the result of `examine` for the modulus."""
        if finding not in ("probable prime", "") and self.primality != finding:
            yield "primality", finding, self.primality
        expected = self.golden
        r = None if self.model in WHOLE_CONSTANTS else expected.get("R")
        if self.r != r:
            yield "R", _text(r), _text(self.r)
        for name, value in self.constants.items():
            if value != expected.get(name):
                yield "constants", f"{name} = {_text(expected.get(name))}", f"{name} = {_text(value)}"

    @property
    def golden(self) -> dict[str, int]:
        """R and everything that follows from it, by the papers' names; papers call the modulus p, P or M."""
        if self.model in WHOLE_CONSTANTS:
            return {name: int(value) for name, value in WHOLE_CONSTANTS[self.model](self).items()}
        if self.model not in R_EXPONENTS:
            return {}
        r = Integer(2) ** R_EXPONENTS[self.model](self)
        ring = Integers(self.modulus)
        weight = r if self.model in WHOLE_QUOTIENT else Integer(2) ** self.digit_bits
        values = {"R": r}
        for p in "pPM":
            values[f"R mod {p}"] = ring(r).lift()
            values[f"R^2 mod {p}"] = (ring(r) ** 2).lift()
            values[f"{p}'"] = (-(Integers(weight)(self.modulus) ** -1)).lift()
            values[f"{p}''"] = (-(Integers(r)(self.modulus) ** -1)).lift()
            values[f"{p}~"] = values[f"{p}'"] * self.modulus
        return {name: int(value) for name, value in values.items()}


class Scaling(NamedTuple):
    """The scaling of the modulus by a model."""

    radix: int
    tail: bool
    """True if the last quotient digit is multiplied with M itself, and scaled instead."""
    keeps_carry: bool
    """True if quotient digits may exceed the radix, so that the quotient may be larger by R."""


class Referee:
    """Cases of one modulus, recomputed in GF(p) if it is proven `prime`, otherwise in Z/mZ.

    `r` is the stated R, or None; `limits` are the largest a, b and result stated (the smallest are 0). `subtracts` says
    whether the modulus is subtracted at the end, `redundant` whether the quotient has redundant digits. Raises
    ZeroDivisionError for an R without an inverse.
    """

    def __init__(
        self,
        modulus: int,
        prime: bool,
        r: int | None,
        limits: Mapping[str, int],
        subtracts: bool = False,
        scaling: Scaling | None = None,
        redundant: bool = False,
    ) -> None:
        self._modulus = Integer(modulus)
        self._ring = GF(self._modulus, proof=False) if prime else Integers(self._modulus)
        self._r = None if r is None else Integer(r)
        self._factor = self._ring(1 if r is None else r)
        self._inverse = self._factor**-1
        self._limits = limits
        self._subtracts = subtracts
        self._scaling = scaling
        self._quotients = Integer(2 * (r or 0) - 1 if redundant else r or 0)

    def check_chain(
        self, a: int, t: int, result: int, residue: int, checkpoints: Iterable[tuple[int, int]]
    ) -> Iterator[Finding]:
        """Statements about a chain of t squarings that are not true."""
        for name, value in (("a", a), ("result", result)):
            if not 0 <= value <= self._limits[name]:
                yield "range", f"{name} from 0x0 to {self._limits[name]:#x}", f"{name} = {value:#x}"
        if residue != result:
            yield "reduction", _text(result), _text(residue)
        value, done = self._ring(a), 0
        for squarings, stated in (*checkpoints, (t, result)):
            value, done = value ** (Integer(2) ** (squarings - done)), squarings
            if value.lift() != stated:
                yield "chain", f"{_text(value.lift())} after {squarings} squarings", _text(stated)

    def check(self, a: int, b: int, result: int, residue: int) -> Iterator[Finding]:
        """Statements about one case that are not true."""
        for name, value in (("a", a), ("b", b), ("result", result)):
            if not 0 <= value <= self._limits[name]:
                yield "range", f"{name} from 0x0 to {self._limits[name]:#x}", f"{name} = {value:#x}"
        x, y, z = Integer(a), Integer(b), Integer(result)
        product, returned = self._ring(x) * self._ring(y), self._ring(z)
        if returned * self._factor != product:
            yield "product", _text(product), _text(returned * self._factor)
        value = (product * self._inverse).lift()
        if value != residue:
            yield "residue", _text(value), _text(residue)
        if returned.lift() != residue:
            yield "reduction", _text(returned.lift()), _text(residue)
        if self._r is not None:
            quotient, remainder = (z * self._r - x * y).quo_rem(self._modulus)
            if self._scaling is not None:
                golden = self._scaled_quotients(x * y, self._r, self._scaling)
                if remainder or quotient not in golden:
                    yield "quotient", _text(golden[0]), _text(quotient) if not remainder else "no integer"
                return
            # For each time that the modulus was subtracted from the sum, the quotient was larger by R.
            if self._subtracts and quotient < 0 <= z < self._modulus:
                quotient %= self._r
            if remainder or not 0 <= quotient < self._quotients or (self._subtracts and z >= self._modulus):
                yield (
                    "quotient",
                    f"0x0 to {_text(self._quotients - 1)}",
                    _text(quotient) if not remainder else "no integer",
                )

    def _scaled_quotients(self, product: Any, r: Any, scaling: Scaling) -> list[Any]:
        """Possible quotients with a scaled modulus: the smallest, and that plus R of M~ if possible."""
        radix = Integer(scaling.radix)
        inverse = (-(Integers(radix)(self._modulus) ** -1)).lift()
        weight = r // radix if scaling.tail else r
        digits = (Integers(weight)(-product) / Integers(weight)(inverse * self._modulus)).lift()
        quotient = digits * inverse
        if scaling.tail:
            total = (product + quotient * self._modulus) // weight
            quotient += total * inverse % radix * weight
        return [quotient, quotient + inverse * r] if scaling.keeps_carry else [quotient]


class IntegerReferee:
    """Products without a modulus, recomputed in ZZ; `limits` as for `Referee`."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        self._limits = limits

    def check(self, a: int, b: int, result: int, residue: int) -> Iterator[Finding]:
        """Statements about one case that are not true."""
        for name, value in (("a", a), ("b", b), ("result", result)):
            if not 0 <= value <= self._limits[name]:
                yield "range", f"{name} from 0x0 to {self._limits[name]:#x}", f"{name} = {value:#x}"
        product = Integer(a) * Integer(b)
        if product != result:
            yield "integers", _text(product), _text(result)
        if residue != result:
            yield "reduction", _text(result), _text(residue)


class ButterflyReferee:
    """Sums, differences and butterflies, each number of the result recomputed in Z/mZ; `limits` as for `Referee`."""

    def __init__(self, head: Head, limits: Mapping[str, int]) -> None:
        self._head, self._limits = head, limits

    def check(self, a: int, b: int, result: int, residue: int) -> Iterator[Finding]:
        """Statements about one case that are not true."""
        for name, value in (("a", a), ("b", b), ("result", result)):
            if not 0 <= value <= self._limits[name]:
                yield "range", f"{name} from 0x0 to {self._limits[name]:#x}", f"{name} = {value:#x}"
        found = BUTTERFLIES[self._head.model](self._head, Integer(a), Integer(b))
        expected = sum(x.lift() * Integer(self._head.modulus) ** place for place, x in enumerate(found))
        if expected != result:
            yield "numbers", _text(expected), _text(result)
        if residue != result:
            yield "reduction", _text(result), _text(residue)


class Operation(NamedTuple):
    """An operation of the base field as stated in a file: `x` and `y` are the names of its operands."""

    name: str
    kind: str
    x: str
    y: str
    x_value: int
    y_value: int
    result: int
    value: int


Element = tuple[int, int]


class ExtensionReferee:
    """Products of a0 + a1*i with i^2 = -1, each with its base-field operations, which the referee `base` checks.

    In GF(modulus^2) if the modulus is proven `prime` (and 3 modulo 4), else modulo i^2 + 1. `r` as for `Referee`.
    """

    def __init__(self, base: Referee, modulus: int, prime: bool, r: int | None) -> None:
        self._base, self._modulus = base, Integer(modulus)
        self._ring = Integers(self._modulus)
        self._factor = self._ring(1 if r is None else r) ** -1
        i = polygen(GF(self._modulus, proof=False) if prime else self._ring, "i")
        self._polynomial = i**2 + 1
        self._field = GF((self._modulus, 2), "i", modulus=self._polynomial, proof=False) if prime else None
        self._i = i if self._field is None else self._field.gen()

    def product(self, a: Element, b: Element) -> Element:
        """a * b / R."""
        found = (a[0] + a[1] * self._i) * (b[0] + b[1] * self._i)
        found = found % self._polynomial if self._field is None else found.polynomial()
        low, high = (int((self._ring(int(found[k])) * self._factor).lift()) for k in (0, 1))
        return low, high

    def check(self, a: Element, b: Element, result: Element, operations: Iterable[Operation]) -> Iterator[Finding]:
        """Statements about one case that are not true."""
        for name, element in (("a", a), ("b", b), ("result", result)):
            if not all(0 <= x < self._modulus for x in element):
                yield "range", f"{name} from 0x0 to {_text(self._modulus - 1)}", f"{name} = {_pair(element)}"
        expected = self.product(a, b)
        if result != expected:
            yield "element", _pair(expected), _pair(result)
        values = {"a0": a[0], "a1": a[1], "b0": b[0], "b1": b[1]}
        for done in operations:
            for name, seen in ((done.x, done.x_value), (done.y, done.y_value)):
                if values.get(name) != seen:
                    yield "sequence", f"{done.name} takes {name} = {_text(values.get(name))}", _text(seen)
            values[done.name] = done.value
            yield from self._check_operation(done)
        if (values.get("c0"), values.get("c1")) != result:
            yield "sequence", f"c0 and c1 are {_pair(result)}", f"{_text(values.get('c0'))}, {_text(values.get('c1'))}"

    def _check_operation(self, done: Operation) -> Iterator[Finding]:
        if done.kind == "mul":
            yield from self._base.check(done.x_value, done.y_value, done.result, done.value)
            return
        x, y = self._ring(done.x_value), self._ring(done.y_value)
        value = (x + y if done.kind == "add" else x - y).lift()
        if not value == done.result == done.value:
            yield "sum", f"{done.name} = {_text(value)}", f"{_text(done.result)}, {_text(done.value)}"


def _pair(element: Element) -> str:
    return ", ".join(map(_text, element))


def _text(value: Any) -> str:
    return "none" if value is None else hex(int(value))
