# SPDX-License-Identifier: Apache-2.0
"""A counterexample is a fault only where a simulation shows it."""

from collections.abc import Iterator, Mapping

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof.context import number_name
from limbtrace.rtl_bridge.proof.signed_terms import number_of
from limbtrace.rtl_bridge.proof.solver import Obligation
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.replays import confirmed
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.report.number_formulas import joined_numbers

DRAWN = 256
"""Products that are drawn where the values of the solver show nothing."""


def shown(asked: BindRequest, bound: Bound, failed: Obligation) -> Divergence | None:
    """The difference in a simulation of a failed obligation's operands, or else of drawn ones; None if there is none.

    The values may be those of a state that no products lead to. Raises ToolError.
    """
    for job in _jobs(asked, bound, failed):
        run = settle(job, like=bound)
        report = confirmed(run, simulate_run(run))
        if report.tally.divergence is not None:
            return report.tally.divergence
    return None


def _jobs(asked: BindRequest, bound: Bound, failed: Obligation) -> Iterator[Job]:
    """The operands of the obligation, after a product and after nothing; then some that are drawn."""
    core = asked.model_dump()
    if pairs := _pairs(bound, failed):
        largest = bound.operand_text(*bound.limits)
        stream = len(bound.starts)
        yield Job(**core, operands=(*pairs, *[largest] * stream, *pairs, *pairs), stream=1 if bound.single else None)
    yield Job(**core, count=DRAWN, stream=1 if bound.single else None)


def _pairs(bound: Bound, failed: Obligation) -> list[str]:
    """The operands of each product of the stream as the command line takes them; those that do not matter are 0."""
    if not any(name[0] in "ab" and name[1:].partition(".")[0].isdigit() for name in failed.values):
        return []
    pairs = []
    for number in range(len(bound.starts)):
        a, b = (_operand(bound, letter, _value(bound, letter, number, failed.values)) for letter in "ab")
        pairs.append(bound.operand_text(a, b))
    return pairs


def _value(bound: Bound, letter: str, number: int, values: Mapping[str, int]) -> int:
    """The value of the variable of an operand, or of the digits that its numbers are."""
    name, m = f"{letter}{number}", bound.multiplier
    if not m.model.packs(letter):
        return values.get(name, 0)
    each = [values.get(number_name(name, one), 0) for one in m.model.numbers_of(letter)]
    return joined_numbers(each, m.params.modulus)


def _operand(bound: Bound, letter: str, value: int) -> int:
    """The operand of a value of its variable."""
    if letter in bound.signed:
        signed = bound.signed[letter]
        return signed.integer(number_of(signed, value))
    return min(value, bound.limits["ab".index(letter)])
