# SPDX-License-Identifier: Apache-2.0
"""The core vdf_squarer behind a 32-bit AXI4-Lite port, with an unchanged number of cycles from start to done."""

from dataclasses import replace

from limbtrace.refmodels.architecture import Cost, Shape
from limbtrace.refmodels.papers.llmonpro import datapath, vdf_squarer
from limbtrace.refmodels.papers.llmonpro.vdf.algorithm import Vdf

WORD = 32
"""Bits of the data bus."""


def words(shape: Shape) -> int:
    """Number of words of an operand or of the result."""
    params: Vdf = shape.params
    return -(-params.radix_bits * params.k // WORD)


ARCHITECTURE = replace(
    vdf_squarer.ARCHITECTURE,
    id="vdf_squarer_axil",
    title="the same behind an AXI4-Lite port, as in the paper's accelerator",
    own_parameters=(datapath.CYCLES,),
    own=vdf_squarer.chain,
    costs=(
        *vdf_squarer.ARCHITECTURE.costs,
        Cost("writes", "words", "x, R^2 mod M, M, M', t and the start: 4*ceil(d*k/32) + 2",
             lambda shape: 4 * words(shape) + 2),
        Cost("reads", "words", "the result: ceil(d*k/32), and at least once whether it is there",
             lambda shape: words(shape) + 1),
    ),
)  # fmt: skip
