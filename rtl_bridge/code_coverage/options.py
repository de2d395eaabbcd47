# SPDX-License-Identifier: Apache-2.0
"""Options with which Verilator makes models that count, as far as its version knows them."""

import re

from limbtrace.rtl_bridge.programs.tool import Tool

_SINCE_EXPRESSIONS = (5, 34)
"""The first version that counts values of expressions."""
WIDEST = 4096
"""Bits of the widest signal or memory of which bits are counted; Verilator's default is 256."""
_OPTIONS = ("--coverage-line", "--coverage-toggle", "--coverage-underscore", "--coverage-max-width", str(WIDEST))


def counting_options(tool: Tool) -> tuple[str, ...]:
    """The options. A version that does not say its number is a build of a later one, as in the Python package."""
    number = re.match(r"Verilator (\d+)\.(\d+)", tool.version)
    known = number is None or tuple(map(int, number.groups())) >= _SINCE_EXPRESSIONS
    return (*_OPTIONS, "--coverage-expr") if known else _OPTIONS
