# SPDX-License-Identifier: Apache-2.0
"""Barrett's reduction with the parameters of all of its forms: x mod p by two products and a few subtractions.

The quotient of x by p, which has N bits, is estimated from the high bits of x and mu = floor(2^(N+alpha) / p):

    q^ = floor(floor(x / 2^(N+beta)) * mu / 2^(alpha-beta)),    x - q^*p is reduced by `corrections` subtractions

Dhem's alpha and beta name every member of the family. Barrett's own form, which is Algorithm 14.42 of the Handbook of
Applied Cryptography, has k words of w bits, alpha = 2*w*k - N and beta = w*(k-1) - N; that of the SIDH paper reads all
of x, so that beta = -N. x - q^*p is less than a few p: hardware computes `width` low bits of it, and of q^*p, alone.

How far q^ may be off: with s = N+beta, t = alpha-beta, x = x1*2^s + x0 and 2^(N+alpha) = mu*p + m0, x/p - x1*mu/2^t is
E = (x0 + x1*m0/2^t) / p, as N + alpha - t = s, and not negative. So q^ <= floor(x/p), and it is k or more below it
where the remainder r has r/p + k - 1 < E, and only there. The fraction that q^ lacks is at most 1 - 2^-t, so that k is
at most E + 1 - 2^-t, with E at x0 = 2^s - 1 and the largest x1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels import bounds
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expr import Term, ends, whole
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.integer_models import FORM, Whole
from limbtrace.refmodels.model import CORRECTED, Source, Step, check_modulus
from limbtrace.refmodels.montgomery import subtract
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

MOST_CORRECTIONS = 8
"""Most conditional subtractions of p."""

SOURCE = Source(
    "P. Barrett; A. J. Menezes, P. C. van Oorschot, S. A. Vanstone; J.-F. Dhem",
    "Implementing the RSA public key encryption algorithm on a standard digital signal processor (CRYPTO '86); "
    "Handbook of Applied Cryptography (1996); Design of an efficient public-key cryptographic library for RISC-based "
    "smart cards (UCL, 1998)",
    "Algorithm 14.42 of the handbook, alpha and beta of Dhem",
)
REFERENCE = "Barrett 1986; HAC 14.42; Dhem 1998"


def parameters(below: Parameter) -> tuple[Parameter, ...]:
    """The parameters of a model, with that of the bound of its operands."""
    return (
        Parameter("alpha", "bits of mu beyond those of p, as 2^(N+alpha) is divided by p; an expression over N",
                  "N + 3, and one more for every bit of x beyond 2N", f"beta to {4 * MAX_WIDTH}, at least 0"),
        Parameter("beta", "q^ is made of x without its N + beta low bits; an expression over N", "-2", "-N to N"),
        below,
        Parameter("corrections", "conditional subtractions of p", "as many as q^ may be too small",
                  f"that to {MOST_CORRECTIONS}"),
        Parameter("width", "low bits in which x - q^*p is computed; an expression over N",
                  "N + 1, or N + 2 from 2 corrections on, and so on",
                  f"those of the largest x - q^*p to {4 * MAX_WIDTH}"),
        FORM,
    )  # fmt: skip


def most_short(modulus: Any, alpha: int, beta: int, most: Any) -> int:
    """The most by which q^ may be below floor(x/p), for x up to `most`: never too small, and often attained.

    Of a modulus that is a term, the most over all of its values; the docstring of the module has the derivation.
    """
    bits = modulus.bit_length()
    s, t = bits + beta, alpha - beta
    x = bounds.most(most)
    x0, x1 = min((1 << s) - 1, x), x >> s
    p = ends(modulus)[0]
    m0 = p if isinstance(modulus, Term) else (1 << bits + alpha) % modulus
    return int((x0 << t) + x1 * m0 + p * ((1 << t) - 1)) // (p << t)


@dataclass(frozen=True)
class Estimate(Whole):
    """p >= 2 of N bits, of any kind; the integer that is reduced is at most `largest_dividend`."""

    alpha: int = 0
    beta: int = 0
    below: str = ""
    bound: Any = 0
    corrections: int = 0
    width: int = 0

    @property
    def named(self) -> dict[str, int | str]:
        names = ("alpha", "beta", "below", "corrections", "width")
        return {name: getattr(self, name) for name in names}

    @property
    def constants(self) -> dict[str, int]:
        return {"mu": self.mu}

    @property
    def largest_dividend(self) -> Any:
        """Limit of x."""
        raise NotImplementedError

    @cached_property
    def mu(self) -> Any:
        return whole((1 << self.bits + self.alpha) // self.modulus)

    @cached_property
    def dropped(self) -> int:
        """Bits of x that q^ is made without: N + beta."""
        return self.bits + self.beta

    @property
    def shift(self) -> int:
        """Bits of the product with mu that are cut off: alpha - beta."""
        return self.alpha - self.beta

    @cached_property
    def short(self) -> int:
        """The most by which q^ is too small, in p."""
        return most_short(self.modulus, self.alpha, self.beta, self.largest_dividend)

    @cached_property
    def widest_bits(self) -> int:
        bits = bounds.most(self.largest_dividend).bit_length()
        return max(bits, max(bits - self.dropped, 0) + self.alpha + 2, self.width + 1) + 2

    def loss(self, x: int) -> int:
        """x0*2^t + x1*m0 of an x: E in units of p*2^t."""
        m0 = (1 << self.bits + self.alpha) % self.modulus
        return ((x & (1 << self.dropped) - 1) << self.shift) + (x >> self.dropped) * m0

    @cached_property
    def largest_loss(self) -> int:
        """Limit of `loss`."""
        x, m0 = int(self.largest_dividend), (1 << self.bits + self.alpha) % self.modulus
        return (min((1 << self.dropped) - 1, x) << self.shift) + (x >> self.dropped) * m0


def resolved(
    owner: str,
    known: tuple[Parameter, ...],
    modulus: int,
    given: Given,
    default: str,
    dividend: Callable[[Any], Any],
) -> tuple[str, int, int, str, Any, int, int]:
    """Form, alpha, beta, text of the bound and bound, corrections and width; `owner` is the id of the model.

    The bound of operands is `default` if none is given; x is at most `dividend` of the largest one.
    Raises ParameterError.
    """
    N = check_modulus(modulus, 2, even=True).bit_length()
    over_N = {name: parse_integer(given[name], name, {"N": N}) for name in ("alpha", "beta", "width") if name in given}
    settings = Settings(owner, known, {**given, **over_N})
    text, bound = bounds.bound(settings.given.get("below", default), modulus, {"N": N})
    most = dividend(bound - 1)
    bits = bounds.most(most).bit_length()
    beta = settings.integer("beta", -2, -N, N, "q^ is made of bits N + beta and above")
    default_alpha = max(N, bits - N) + 3
    alpha = settings.integer("alpha", default_alpha, max(beta, 0), 4 * MAX_WIDTH, "alpha >= beta")
    short = most_short(modulus, alpha, beta, most)
    enough = f"alpha of {bits - N + 1} or more with beta of -2 or less takes one subtraction"
    said = f"with alpha = {alpha}, beta = {beta} and x of up to {bits} bits, q^ may be too small by {shown(short)}"
    if short > MOST_CORRECTIONS:
        raise ParameterError("alpha", f"{said}, and at most {MOST_CORRECTIONS} subtractions are made; {enough}")
    corrections = settings.integer(
        "corrections", short, short, MOST_CORRECTIONS, f"{said}; {enough}" if short > 1 else said
    )
    least = N + short.bit_length() if isinstance(modulus, Term) else ((short + 1) * modulus - 1).bit_length()
    width = settings.integer(
        "width", max(least, N + short.bit_length()), least, 4 * MAX_WIDTH, f"x - q^*p may be up to {short + 1}*p - 1"
    )
    form = settings.choice("form", (CORRECTED,), CORRECTED)
    return form, alpha, beta, text, bound, corrections, width


def steps_of_reduction(params: Estimate, x: Digit) -> Iterator[Step]:
    """The estimate, the difference in its low bits, and the corrections; then the quotient and the remainder."""
    p, mask = params.modulus, (1 << params.width) - 1
    yield "x1", (), (x1 := x >> params.dropped)
    yield "y", (), (y := x1 * params.mu)
    yield "qhat", (), (qhat := y >> params.shift)
    yield "xlow", (), (xlow := x & mask)
    yield "qplow", (), (qplow := qhat * p & mask)
    yield "rhat", (), (rhat := xlow + (mask + 1) - qplow & mask)
    q, rest = qhat, rhat
    for number in range(1, params.corrections + 1):
        yield "corr", (number,), (corr := subtract(rest, p, max(params.width, params.bits) + 1)[0])
        yield "R", (number,), (rest := rest - corr * p)
        q = q + corr
    yield "q", (), q
    yield "r", (), rest


def step_count(params: Estimate) -> int:
    """Steps of a reduction."""
    return 8 + 2 * params.corrections


def estimate_shape(choice: Choice, bits: int, dividend_bits: int) -> dict[str, str | int]:
    """alpha and beta of the forms that hardware has, for x of that many bits: as few corrections as they need."""
    beta = choice.one_of((-2, -2, -2, -1, 0, 1, -bits, -min(bits, 7)))
    extra = max(dividend_bits - bits, 0)
    alpha = choice.one_of((extra + 3, extra + 3, extra + 1, extra, extra + 9))
    return {"alpha": max(alpha, beta), "beta": beta}
