# SPDX-License-Identifier: Apache-2.0
"""Inputs that a core must not sample hold anything in a proof: a shell with a free value in place of the noise."""

import re

from limbtrace.rtl_bridge.shell.verilog import NOISE_BITS

_DECLARED = f"  logic [{NOISE_BITS - 1}:0] random, noise;\n"
_NOISE = re.compile(r"(\d+)'\(\{\d+\{noise\}\}\)")


def with_free_inputs(text: str) -> str:
    """The text of a shell in which nets without a driver, of any value in every cycle, take the place of noise."""
    nets: list[str] = []

    def free(noise: re.Match[str]) -> str:
        nets.append(f"  wire [{int(noise[1]) - 1}:0] free_{len(nets)};\n")
        return f"free_{len(nets) - 1}"

    freed = _NOISE.sub(free, text)
    if _DECLARED not in freed:
        raise ValueError("the shell declares its noise in another way")
    return freed.replace(_DECLARED, _DECLARED + "".join(nets))
