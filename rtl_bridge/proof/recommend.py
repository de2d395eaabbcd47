# SPDX-License-Identifier: Apache-2.0
"""Which way to all operands is recommended for a core without rows: a proof of the result, or a run of all products.

The method `integers` needs no advice before it is tried; after it, a run of all products may still end.
"""

import shlex

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.options import options
from limbtrace.vectors.exhaustive import MOST, AllPairs

WHOLE_BITS = 6
"""Moduli of up to so many bits are for the method `whole`.

Measured, see docs/explanation/proofs.md: of two small cores, one was proved in 5 s at 6 bits and not in 100 s at 8
bits, where a run of all products takes seconds.
"""


def advice(asked: BindRequest, bound: Bound) -> str:
    """The sentence on a proof of the whole result, with the command of the other way if the core has one."""
    bits = bits_of(bound)
    if bits <= WHOLE_BITS:
        return (
            f"method whole is recommended for {bits} bits: it covers whatever an earlier product left in the core, too"
        )
    beyond = f"method whole is recommended up to {WHOLE_BITS} bits, and this modulus has {bits}"
    if not has_few_products(bound):
        steps = "a core whose rows follow a schedule is proved step by step"
        return f"{beyond}; it has more than {MOST} products, too many to run all; {steps}"
    return f"{beyond}; to run all products: {exhaustive(asked, bound)}"


def has_few_products(bound: Bound) -> bool:
    """True if all products can be run."""
    return AllPairs(bound.multiplier.model, bound.multiplier.params, bound.numbers_of_all).count <= MOST


def bits_of(bound: Bound) -> int:
    """Bits of the modulus."""
    return bound.multiplier.modulus.modulus.bit_length()


def exhaustive(asked: BindRequest, bound: Bound) -> str:
    """The command that simulates all products."""
    core = [
        word
        for name, option in options(type(asked)).items()
        if option.part == "core"
        for word in option.words(name, asked, bound, 0)
    ]
    return shlex.join(["limbtrace", "sim", *core, "--exhaustive", "--mode", "fast"])
