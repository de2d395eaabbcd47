# SPDX-License-Identifier: Apache-2.0
"""A shell whose products in front have operands of their own.

In simulations they are half of those of the product behind. Where control depends on operands, what half of them leave
behind is not what all of them do.
"""

import re
from functools import cached_property

from limbtrace.rtl_bridge.shell.text import Shell

IN_FRONT = "_front_i"
"""Behind the letter of an operand: the input with the one of a product in front of the one that is asked for."""
_PORT = re.compile(r"  input  wire  (\[\S+\]) ([ab])_i,\n")
_HALF = re.compile(r"\b([ab])_i >> 1\b|\$unsigned\(\$signed\(([ab])_i\) >>> 1\)")


class FreeFronts(Shell):
    """The shell of a bound core, with further inputs."""

    @cached_property
    def text(self) -> str:
        """As that of the shell, but for operands of products in front."""
        with_ports = _PORT.sub(rf"\g<0>  input  wire  \1 \2{IN_FRONT},\n", super().text)
        return _HALF.sub(rf"\1\2{IN_FRONT}", with_ports)


def free_letters(shell: Shell) -> set[str]:
    """The letters of operands that products in front have of their own in the shell with further inputs."""
    return {one or other for one, other in _HALF.findall(Shell(shell.bound).text)}
