# SPDX-License-Identifier: Apache-2.0
"""A pipeline for the FPMM paper: its registers, its columns and what it costs."""

from limbtrace.refmodels.architecture import Architecture, Cost, Overlap, Shape
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.fpmm import MODEL
from limbtrace.refmodels.papers.fpmm.pipeline.registers import micro_steps, results
from limbtrace.refmodels.papers.fpmm.pipeline.table import columns
from limbtrace.refmodels.papers.fpmm.pipeline.timing import (
    OWN_PARAMETERS,
    alpha,
    cycles,
    defaults,
    digits,
    latency,
    next_start,
    own,
    owner,
    turn,
)


def _data_bits(shape: Shape) -> int:
    """Bits of the data registers outside of the DSP blocks, including delays and padding, without memories."""
    w: int = shape.params.radix_bits
    if digits(w) == 1:
        return (alpha(shape) + 14) * w + 4
    return (alpha(shape) + 7) * w + (23 + 4 * shape.own["version"]) * (w // 2) + 6


ARCHITECTURE = Architecture(
    id="fpmm",
    title="FPMM, interleaved multipliers in nine DSP blocks, or three for words of an odd number of bits",
    source=fpmm.paper("Algorithms 2 and 3"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    first_cycle=1,
    steps=micro_steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: int(shape.params.theta),
    costs=(
        Cost("cycles", "clock cycles", "lambda = alpha(s - 1) + 15 + s + epsilon, alpha = sigma*theta; 13 in place of "
             "15 for an odd w", latency),
        Cost("interval", "clock cycles", "tau = alpha*s, for sigma products", turn),
        Cost("DSP", "DSP48", "4 for a_i*b_j, 1 for q, 4 for q*p_j; 1 for each for an odd w",
             lambda shape: 2 * digits(shape.params.radix_bits) ** 2 + 1),
        Cost("registers", "bits", "words of w bits: alpha + 7, digits of w/2: 23, 27 in the fast version, 6 carries; "
             "for an odd w alpha + 14 words and 4 carries; outside the DSP blocks and memories", _data_bits),
    ),
    published={
        "cycles": {"128 bits, F44 and S44": [75, 74], "256 bits, F28, S28, F48, S48": [143, 142, 255, 254]},
        "DSP": {"w = 34": 9},
        "area": {"F44D, Virtex-7": {"LUT": 600, "FF": 758}, "F44B, Virtex-7": {"LUT": 545, "FF": 725, "BRAM": 2}},
    },
    overlap=Overlap(next_start, results, owner),
    defaults=defaults,
)  # fmt: skip
