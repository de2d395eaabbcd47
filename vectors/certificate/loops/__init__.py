# SPDX-License-Identifier: Apache-2.0
"""A second reading of each loop, in Sage's ZZ and ZZ[x].

Each function yields the steps of a product as (name, subscripts, value), from the papers and the trace vocabularies,
and shares no code with the models: modules here import SageMath and the standard library alone. Where it can be, a
value is read off a whole number: a carry into digit j is what the sum of the digits below j has above them.
"""

from collections.abc import Callable, Mapping

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops import (
    barrett,
    blakley,
    butterfly,
    fold,
    fpmm,
    iddmm,
    koc,
    llmonpro,
    redundant,
    sidh,
)
from limbtrace.vectors.certificate.loops.llmonpro import link
from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps

LOOPS: Mapping[str, Callable[[LoopInput], LoopSteps]] = {
    "cios": fpmm.cios,
    "fpmm": fpmm.fpmm,
    "koc_sos": koc.sos,
    "koc_cios": koc.cios,
    "koc_fios": koc.fios,
    "koc_fips": koc.fips,
    "koc_cihs": koc.cihs,
    "blakley": blakley.blakley,
    "fold": fold.fold,
    "solinas": fold.solinas,
    "r2mm": iddmm.r2mm,
    "mwr2mm": iddmm.mwr2mm,
    "mwr2kmm": iddmm.mwr2kmm,
    "imm": iddmm.imm,
    "iddmm1": iddmm.iddmm1,
    "iddmm2": iddmm.iddmm2,
    "orup": redundant.orup,
    "redundant": redundant.redundant,
    "monpro": llmonpro.monpro,
    "redmonpro": llmonpro.redmonpro,
    "llmonpro": llmonpro.llmonpro,
    "vdf": llmonpro.vdf,
    "ozturk": llmonpro.ozturk,
    "barrett": sidh.barrett,
    "barrett_reduce": barrett.barrett_reduce,
    "barrett_mul": barrett.barrett_mul,
    "effm": sidh.effm,
    "ffm1": sidh.ffm1,
    "ffm2": sidh.ffm2,
    "hffm": sidh.hffm,
    "modmul": sidh.modmul,
    "square": sidh.square,
    "reduce": sidh.reduce,
    "montgomery": sidh.montgomery,
    "redc": sidh.redc,
    "butterfly_ct": butterfly.butterfly_ct,
    "butterfly_gs": butterfly.butterfly_gs,
    "modmac": butterfly.modmac,
    "modadd": butterfly.modadd,
    "modsub": butterfly.modsub,
    "modneg": butterfly.modneg,
    "modhalve": butterfly.modhalve,
}
"""By model, the loop of its corrected form."""


STREAMS: Mapping[str, Callable[[LoopInput], LoopSteps]] = {**LOOPS, "vdf": llmonpro.squarings}
"""By model, the steps that the cycle tables of its cores show."""

PARTIAL: Mapping[str, tuple[str, ...]] = {
    "r2mm_bitserial": ("T",),  # and the subtraction at the end
    "mwr2mm_wordserial": ("kept",),  # the bits of a word that stay in it
    "fpmm": ("u_late", "t"),  # words on their way through the pipeline
}
"""By core, columns that show part of a step, or more than the step."""

COMPLETE: Mapping[str, tuple[str, ...]] = {
    "iddmm_arch1": ("q", "CS", "CR", "CU"),
    "iddmm_arch2": ("q", "C", "S", "R"),
    "r2mm_bitserial": ("S", "x", "q", "sub"),
    "mwr2mm_wordserial": ("Ca", "Cb", "par", "x", "S"),
    "redundant": ("a", "q"),
    "koc_cios": ("C1", "m", "B", "D", "sub"),
    "llmonpro": ("carry",),
    "vdf_squarer": ("carry",),
    "hffm": ("a1", "a2", "b1", "b2", "suma", "sumb", "p1", "p2", "qhat", "top", "c1"),
}
"""By core, columns that show all values of their step, one after another."""

DIGITS_BELOW = ("iddmm_arch1", "iddmm_arch2")
"""Cores whose columns with two parts have a digit of the radix below, and a carry above it."""


def unread(model: str, form: str, params: Mapping[str, object]) -> str:
    """The reason why the steps of a model are not read at these parameters; empty if they are."""
    if form != "corrected":
        return "the loop of a printed form is not read"
    if model not in LOOPS:
        return f"there is no second reading of {model}"
    if model == "redundant" and (params.get("fused") or params.get("qcarry")):
        return "of redundant, neither the fused form nor a q with its carry is read"
    if model in ("llmonpro", "vdf") and params.get("variant", "alg5") != "alg5":
        return f"of {model}, Algorithm 5 is read and not Algorithm 7"
    return ""


__all__ = [
    "COMPLETE",
    "DIGITS_BELOW",
    "LOOPS",
    "PARTIAL",
    "STREAMS",
    "Integer",
    "LoopInput",
    "LoopSteps",
    "link",
    "unread",
]
