# SPDX-License-Identifier: Apache-2.0
"""Inputs that a core must not sample hold anything in a proof: a shell with free values in place of noise."""

import re

PREFIX = "free_"
"""Names of inputs of the shell that begin so hold another value in every cycle."""
_HEAD = "module lt_shell (\n"
_NOISE = re.compile(r"(\d+)'\(\{\d+\{noise\}\}\)")


def with_free_inputs(text: str) -> str:
    """The text of a shell in which inputs of its own take the place of noise."""
    widths: list[int] = []

    def free(noise: re.Match[str]) -> str:
        widths.append(int(noise[1]))
        return f"{PREFIX}{len(widths) - 1}"

    head, found, body = _NOISE.sub(free, text).partition(_HEAD)
    if not found:
        raise ValueError("the shell begins in another way")
    inputs = "".join(f"  input  wire  [{width - 1}:0] {PREFIX}{k},\n" for k, width in enumerate(widths))
    return head + _HEAD + inputs + body
