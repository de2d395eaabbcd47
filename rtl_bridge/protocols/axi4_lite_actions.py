# SPDX-License-Identifier: Apache-2.0
"""The freedoms of a master of AXI4-Lite, which disturbed products make use of (`lt_axil.sv`)."""

from typing import NamedTuple


class Action(NamedTuple):
    """Something that a master may do, and does to products that are disturbed."""

    name: str
    what: str
    when: str
    """The products or accesses, and what the description has to say; empty if it is always permitted."""
    key: str = ""
    """The key of [protocol] that permits or denies it."""


ACTIONS = (
    Action("address first", "the address of a write comes up to 15 cycles before the data", ""),
    Action("data first", "the data of a write come up to 15 cycles before the address", ""),
    Action("both at once", "address and data of a write come in the same cycle", ""),
    Action("next write", "address and data of the next write come while the response to the last one waits", ""),
    Action("next read", "the address of the next read comes while the data of the last one wait", ""),
    Action("late responses", "responses and data wait for up to 31 cycles", ""),
    Action("both ways", "reads while registers are written, of the same register and of others", ""),
    Action("partial writes", "a word is written in parts, with garbage in bytes without a strobe",
           "if bytes have strobes", 'strobes = "bytes"'),
    Action("empty writes", "writes of anything without a strobe, also to the start register",
           "unless strobes are ignored", 'strobes = "bytes" or "whole"'),
    Action("writes that are refused", "writes of anything with some of their strobes, in loads",
           "if none but whole words are written", 'strobes = "whole"'),
    Action("free bits", "the start is written with any value in bits that do not matter",
           "in the bits that are named", "start.free"),
    Action("no start", "a value that does nothing is written to the start register, at any time",
           "if such a value is named", "start.idle"),
    Action("unmapped", "reads and writes of addresses that have no register",
           "if they have no effect", "unmapped = true"),
    Action("patterns", "zeros, ones, alternating bits and other values are written to a load and read back, and so is "
           "its value", "if it can be read", "load.readable"),
    Action("any order", "words of all loads are written low to high, high to low, in turn, or at random",
           "unless an order is demanded", "any_order = false"),
    Action("results again", "words of the result are read in any order and again, and while the core works",
           "unless reading changes something", "reread = false"),
    Action("one operand", "in front of a product another one with half of one operand, which alone is written then",
           "if operands survive a product", "retained"),
    Action("start when done", "in front of a product the same one, and the start comes about when that is done",
           "if operands survive a product, and with schedule, starts and finishes", "retained"),
    Action("polls", "the register that says done is read at distances of up to 31 cycles", ""),
)  # fmt: skip
"""Everything that disturbed products are subject to beyond the pauses of every run."""
