# SPDX-License-Identifier: Apache-2.0
"""Common parts of the five methods of Koç, Acar and Kaliski: parameters, the final subtraction, claims and events.

The paper calls the modulus n, and n'[0] what is p' here: -p^-1 modulo one word. Each method forms the same sum
t = (a*b + Q*p)/R, of s words and one more bit, and the methods differ in the order of the products of words.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels import bounds
from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event
from limbtrace.refmodels.model import CORRECTED, Claim, Model, Source, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import (
    REDUCED,
    UNREDUCED,
    DigitSerial,
    exact_product,
    exact_products,
    reduced_product,
    reduced_products,
    serial_corners,
)
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings


def paper(method: str) -> Source:
    """A method of the paper."""
    return Source(
        "Ç. K. Koç, T. Acar, B. S. Kaliski Jr.",
        "Analyzing and Comparing Montgomery Multiplication Algorithms",
        f"IEEE Micro 16(3), 1996, {method}",
    )


PARAMETERS = (
    Parameter("radix", "weight W = 2^w of a word; w is its logarithm", "2^32", "2^1 to 2^4096", ("w",)),
    Parameter("s", "words of an operand, R = W^s", "ceil(N/w)", "W^s > p"),
    bounds.below("p", "p, N, its bits, and R"),
    Parameter(
        "final",
        "whether p is subtracted at the end where t is not below p",
        REDUCED,
        f"{REDUCED}, if t is below 2p for all operands, or {UNREDUCED}",
    ),
    Parameter("form", "the only form", CORRECTED, CORRECTED),
)


@dataclass(frozen=True)
class Koc(DigitSerial):
    """p odd, p < R = W^s; a and b in [0, bound), bound <= R; t < 2p where p is subtracted at the end."""

    below: str = "p"
    bound: Any = None
    final: str = REDUCED

    @property
    def named(self) -> dict[str, int | str]:
        return {"s": self.digits, "below": self.below, "final": self.final}

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"s": (self.digits, self.radix_bits)}

    @cached_property
    def constants(self) -> dict[str, int]:
        return self.symmetric_constants("p", "p'")

    @property
    def subtracts(self) -> bool:
        return self.final == REDUCED

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, self.bound - 1

    @cached_property
    def largest_sum(self) -> Any:
        """Limit of t, before any subtraction."""
        return (self.limits[0] * self.limits[1] + (self.domain - 1) * self.modulus) >> self.r_bits

    @property
    def result_limit(self) -> int:
        return self.modulus if self.subtracts else int(self.largest_sum) + 1

    @cached_property
    def widest_bits(self) -> int:
        return 2 * self.radix_bits


def resolve(owner: str, modulus: int, given: Given) -> Koc:
    """Parameters for a modulus; `owner` is the id of the model. Raises ParameterError."""
    N = check_modulus(modulus).bit_length()
    settings = Settings(owner, PARAMETERS, given)
    w = settings.radix_bits(32, 1, 4096)
    least = -(-N // w)
    s = settings.integer("s", least, least, 2 * MAX_WIDTH // w + 1, f"{N} bits in words of {w} bits")
    R = 1 << w * s
    text, bound = bounds.bound(given.get("below", "p"), modulus, {"N": N, "R": R})
    final = settings.choice("final", (REDUCED, UNREDUCED), REDUCED)
    form = settings.choice("form", (CORRECTED,), CORRECTED)
    if bounds.most(bound) > R:
        raise ParameterError("below", f"{text} is more than R, and {s} words of {w} bits hold what is below R")
    if final == REDUCED and text != "p" and not (bound - 1) ** 2 < (R + 1) * modulus:
        raise ParameterError(
            "below",
            f"t may be 2p or more for operands below {text}, and {owner} subtracts p once; "
            f"(below - 1)^2 < (R + 1)p takes a smaller bound or more words, and final={UNREDUCED} any bound up to R",
        )
    return Koc(modulus, w, s, s, form, text, bound, final)


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many words as a modulus of that many bits needs, or one more, and a bound with which one subtraction does."""
    w = radix_bits(choice, bits, 1, max_digits)
    s = digits_for(choice, bits, w)
    wide = ("2*p",) if w * s >= bits + 2 else ()
    final = choice.one_of((REDUCED, REDUCED, UNREDUCED))
    below = choice.one_of(("p", "p", *wide, *(("R", "2^N") if final == UNREDUCED else ())))
    return {"w": w, "s": s, "below": below, "final": final}


def subtraction(params: Koc, t: list[Digit]) -> Iterator[Step]:
    """The end of every method: u - p word by word with a borrow B, and u itself if that is below 0; u is t."""
    w, s, p, low = params.radix_bits, params.digits, params.modulus_digits, params.radix - 1
    B: Digit = 0
    D: list[Digit] = [0] * s
    for j in range(s):
        d = t[j] + (params.radix - p[j]) - B
        B, D[j] = 1 - (d >> w), d & low
        yield "B", (j + 1,), B
        yield "D", (j,), D[j]
    yield "sub", (), (sub := 1 - (1 - t[s]) * B)
    yield "Z", (), join([D[j] * sub + t[j] * (1 - sub) for j in range(s)], w)


def closed_form(params: Koc, a: int, b: int) -> int:
    """t, minus p if that is subtracted and t is not below p."""
    return (reduced_product if params.subtracts else exact_product)(params, a, b)


def closed_forms(params: Koc, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The closed form for a batch of operands."""
    return (reduced_products if params.subtracts else exact_products)(params, a, b)


def model(
    method: str,
    title: str,
    *,
    steps: Callable[[Koc, Any, Any], Iterator[Step]],
    pseudocode: Callable[..., int],
    step_count: Callable[[Koc], int],
    vocabulary: tuple[Symbol[Koc], ...],
    claims: tuple[Claim[Koc], ...],
    events: tuple[Event[Koc], ...],
) -> Model[Koc]:
    """The model of a method, whose steps end with `T`, the sum t, and with `subtraction` if p is subtracted.

    method: its abbreviation in the paper.
    step_count: (parameters) -> steps without those of the subtraction.
    """
    id = f"koc_{method.lower()}"
    return Model(
        id=id,
        title=title,
        source=paper(method),
        parameters=PARAMETERS,
        operands={"a": "< below", "b": "< below", "result": "< p, or t if it is not reduced"},
        reference=method,
        vocabulary=vocabulary,
        forms=(CORRECTED,),
        resolve=lambda modulus, given: resolve(id, modulus, given),
        shape=shape,
        closed_form=closed_form,
        closed_forms=closed_forms,
        steps=steps,
        pseudocode=pseudocode,
        result_parts=lambda params: [("Z", (), 0) if params.subtracts else ("T", (params.digits - 1,), 0)],
        step_count=lambda params: step_count(params) + (2 * params.digits + 2 if params.subtracts else 0),
        further_claims=claims,
        corners=serial_corners,
        events=events,
    )
