# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: E501 - operands are not broken over lines
"""Faults of RTL, and of programs for big-number processors."""

from functools import partial

from limbtrace.refmodels.defects import estimates, subtractions
from limbtrace.refmodels.defects.defect import Defect, Kind, of_operand, of_product

DEFECTS: tuple[Defect, ...] = (
    Defect(
        id="opentitan-4549-barrett384",
        title="Barrett's reduction on OTBN: the quotient can have 385 bits",
        year=2020,
        identifier="issue 4549",
        source="OpenTitan, issue tracker",
        place="sw/otbn/code-snippets/barrett384.s",
        kind=Kind.WIDTH,
        statement="The quotient is multiplied as a number of 384 bits and can be one bit longer for operands that are not "
        "below the modulus.",
        rate="emulation: about 2^-240, for products of operands of 384 bits",
        model="modmul",
        prime="p384",
        settings={"below": "2^384"},
        compute=of_product(estimates.barrett_with_short_quotient, bits=384),
        killing=((1 << 384) - 1, (1 << 384) - 1),
    ),
    Defect(
        id="caliptra-173-adder",
        title="Modular adder of Caliptra: a sum from p on without a carry is not reduced",
        year=2023,
        identifier="issue 173",
        source="Caliptra RTL, issue tracker",
        place="ecc_add_sub_mod_alter.sv",
        kind=Kind.SUBTRACTION,
        statement="The modulus is subtracted only if the sum has a carry out of its 384 bits. Emulated as the reduction "
        "of a sum below 2p.",
        rate="emulation: about 2^-257",
        model="redc",
        prime="p384",
        settings={"r": 0, "below": "2*p"},
        compute=of_operand(subtractions.reduced_by_carry, bits=384),
        killing=(0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFFFF0000000000000000FFFFFFFF, 0),
        is_hardware=True,
    ),
    Defect(
        id="caliptra-183-montgomery",
        title="Montgomery multiplier of Caliptra: the sum overflows its register",
        year=2023,
        identifier="issue 183",
        source="Caliptra RTL, issue tracker",
        place="ecc_montgomerymultiplier.sv",
        kind=Kind.WIDTH,
        statement="The register of the sum overflows for a modulus that fills it. Emulated at the parameters of the "
        "counterexample, 16 bits with digits of 4 bits, as a sum that is cut to 16 bits.",
        rate="frequent: measured on the emulation",
        model="montgomery",
        prime="0xfff1",
        settings={"r": 20},
        compute=partial(subtractions.montgomery_cut, r=20, bits=16),
        killing=(0xF78F, 0xFFF0),
        is_hardware=True,
    ),
)
