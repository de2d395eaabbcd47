# SPDX-License-Identifier: Apache-2.0
"""Sentences on what proofs assume, rest on and leave out."""

from collections.abc import Sequence

from limbtrace.rtl_bridge.run.contract import not_proved
from limbtrace.rtl_bridge.run.spacing import STALL_PATTERNS
from limbtrace.rtl_bridge.shell.text import Shell

ONE_MODULUS = "the modulus is this one"
OPERANDS = "operands are in the range that the core takes"
SEQUENCE = (
    "products follow each other as the bench of simulations makes them: loaded, and started after any idle time, or "
    "right behind another product of the same operands or of their halves, in each gap that the bench has"
)
REGISTERS = "registers of the core hold 0 or 1 before the reset, any of both"
UNDISTURBED = "nothing disturbs the core: no stalls, no reset in the middle, no writes or starts while it works"
_HYPOTHESES = (
    f"{ONE_MODULUS}, and {OPERANDS}",
    SEQUENCE,
    "results are taken when the bench takes them",
    REGISTERS,
    f"{UNDISTURBED}; the simulations at the end do that, as far as its contract permits it",
)
_IN_FLIGHT = (
    "as many products are in flight as streams of {products} bring about, which stall in {patterns} ways of the bench: "
    "neither side, both at random, results until the core takes no more operands, and so on"
)
_STALLS = "other stalls than those in {patterns} streams, one of each pattern of the bench"
_LENGTHS = "streams of other than {products} products (limbtrace sim --stream)"
_DIGITS = (
    "operands have the digits that an integer is split into; other digits of the same integer, with overlap bits, are "
    "not covered"
)
_EVERY_ODD = (
    "the modulus is odd and of this many bits, and there is one proof for each; operands are in the range of the core"
)
ELABORATION = (
    "Yosys with its front end slang reads the RTL as simulators do: no macro of a tool is defined, full_case and "
    "parallel_case promise nothing, each x is 0 or 1 and anything in each cycle, writes beyond a vector or a memory do "
    "nothing, and assertions are left out"
)
SOLVER = "the answers of bitwuzla, of which no certificate is checked"
RULES = "the terms and rewriting rules of limbtrace; its tests compare them with values and with the solver"
TRUSTED = (ELABORATION, SOLVER, RULES, "the model, whose closed form is held by its own tests")
READING = (
    "the rules of limbtrace that read terms as polynomials over the integers, with ranges and residues modulo p; its "
    "tests compare them with values"
)
CONVERTED = "GHDL makes Verilog of VHDL as simulators read it; some products of both were compared"
REMEMBERED = "what this computer keeps of earlier proofs: the questions that the solver proved then, by their SHA-256"
SAMPLED_LATE = (
    "all of it holds with operands that stay on their ports until done, and fails with others after the start; if the "
    'core may look at them as long as they stay, say sampled = "done" in [protocol]'
)
SEVERAL_IN_FLIGHT = "several products in flight"
_OTHER_MODULI, _OTHER_SIZES = "other moduli", "other sizes"


def hypotheses(shell: Shell, *, all_odd: bool) -> list[str]:
    """The assumptions of the proof of a core in its last shell."""
    overlapping = [_DIGITS] if shell.result_digits else []
    in_flight = _IN_FLIGHT.format(products=shell.bound.products, patterns=STALL_PATTERNS)
    streams = [in_flight] if shell.bound.in_order else []
    return [_EVERY_ODD if all_odd else _HYPOTHESES[0], *overlapping, *_HYPOTHESES[1:], *streams]


def not_covered(shells: Sequence[Shell], *, all_odd: bool) -> str:
    """A sentence on the limits of a proof of a core in these shells."""
    bound = shells[0].bound
    in_order = next((each.bound for each in shells if each.bound.in_order), None)
    left = not_proved(in_order or bound)
    tried = [each.phrase for each in left if each.is_tried]
    untried = [f"{each.phrase} ({each.key})" if each.key else each.phrase for each in left if not each.is_tried]
    if all_odd:
        sizes = f"moduli of other sizes than {bound.multiplier.modulus.modulus.bit_length()} bits"
        (tried if _OTHER_SIZES in tried else untried).insert(0, sizes)
        tried = [phrase for phrase in tried if phrase not in (_OTHER_MODULI, _OTHER_SIZES)]
    elif _OTHER_MODULI not in tried:
        untried.insert(0, _OTHER_MODULI)
    if in_order is not None:
        tried.append(_STALLS.format(patterns=STALL_PATTERNS))
        untried.append(_LENGTHS.format(products=in_order.products))
    elif bound.takes_several:
        tried.append(SEVERAL_IN_FLIGHT)
    parts = [f"{', '.join(tried)}, which limbtrace sim --disturb all tries"] if tried else []
    parts += [f"{', '.join(untried)}, which it does not try" if tried else ", ".join(untried)] if untried else []
    if watched := [row.source for row in bound.core.file.row if row.match != "cycle"]:
        parts.append(f"{', '.join(watched)}, which limbtrace sim compares with steps")
    return "; ".join(parts)
