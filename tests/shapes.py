# SPDX-License-Identifier: Apache-2.0
"""Facts about each model for tests over all models: how to set its width, and the step with its quotient digits."""

from limbtrace.refmodels.model import Model, Run
from limbtrace.refmodels.registry import MODELS

Settings = dict[str, str | int]

QUOTIENTS = {
    "mwr2mm": "par", "mwr2kmm": "qp", "monpro": "Q", "redmonpro": "Q", "llmonpro": "Q", "vdf": "z", "ozturk": "C",
    "montgomery": "m", "koc_sos": "m", "koc_cios": "m", "koc_fios": "m",
    "koc_fips": "m", "koc_cihs": "m",
}  # fmt: skip
"""The step with the quotient digits, if it is not q; z and C, on which all later steps depend, take its place."""

ONE_DIGIT = ("monpro", "redmonpro", "montgomery")
"""Models that compute the whole quotient at once: R has no radix."""
REDUNDANT = ("ozturk", "llmonpro", "vdf")
"""Models with redundant digits, which do not work with digits of 2 bits."""


BIT_BY_BIT = ("r2mm", "mwr2mm")
"""Models with one pass per bit of an operand, for which tests use narrower moduli."""


PLAIN = ("modmul", "square", "reduce", "redc")
"""Models that promise a result alone, without radix, and without R or with one operand."""
ESTIMATES = ("barrett_reduce", "barrett_mul")
"""Barrett's reductions for any alpha and beta, whose defaults are those of any modulus."""
BUTTERFLIES = ("butterfly_ct", "butterfly_gs", "modmac", "modadd", "modsub", "modneg", "modhalve")
"""Models whose result is that of a sum, or holds more than one number."""
WHOLE = ("blakley", "fold", "solinas", "barrett", *ESTIMATES, "effm", "ffm1", "ffm2", "hffm", *BUTTERFLIES, *PLAIN)
"""Models on whole integers, without radix and R; some of them take only moduli of one form."""
ANY_MODULUS = tuple(name for name in MODELS if name not in WHOLE)
"""All other models: they take any odd modulus, or none, and the settings of `of_width`."""


SCALED = ("orup", "redundant")
"""Models that add multiples of M~ = M'*M in place of the modulus, after a first iteration that only adds a_0*B."""


KOC = ("koc_sos", "koc_cios", "koc_fios", "koc_fips", "koc_cihs")
"""The methods of one paper, with the same parameters."""


def of_width(model: str, bits: int) -> Settings:
    """Settings for digits of that many bits, or words where the digits are bits."""
    if model == "mwr2kmm":
        return {"k": bits, "w": bits}
    if model in (*ONE_DIGIT, *ESTIMATES, "fold", "solinas"):
        return {}
    if model == "blakley":  # digits that its core takes
        return {"r": min(bits, 3)}
    if model in REDUNDANT:
        return {"d": max(bits, 3), **{"ozturk": {"k": 3}, "vdf": {"t": 3}}.get(model, {})}
    if model == "fpmm":  # the product alone among idle ones, or with nobody but itself before and after it
        return {"w": bits, "sigma": (bits + 1) % 3 + 1}
    if model == "redundant":  # with two radices, or one that is used for both
        r1 = max(bits, 4)
        return {"r1": r1, "r2": r1 if bits % 2 else (r1 + 5) // 2}
    if model == "orup":
        return {"r": bits}
    if model in KOC:
        return {"w": bits}
    return {"r2mm": {}, "mwr2mm": {"w": bits}, "cios": {"w": bits}}.get(model, {"k": bits})  # type: ignore[return-value]


def smallest(model: str) -> int:
    """The smallest width for `of_width`."""
    return {"cios": 2, "fpmm": 2, "redundant": 4}.get(model, 1)


def quotient(model: Model) -> str:
    """The name of the step with the quotient digits."""
    return QUOTIENTS.get(model.id, "q")


def quotient_digits(model: Model, run: Run) -> list[int]:
    """The quotient digits of a product, without those of idle visits and without one before the first division.

    None for models whose quotient has no digits.
    """
    if model.id in WHOLE:
        return []
    name = quotient(model)
    seen = [value for step, index, value in run.steps if step == name and run.values.get(("it", index), 0) >= 0]
    return seen[1:] if model.id in SCALED else seen
