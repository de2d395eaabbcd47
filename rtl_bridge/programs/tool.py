# SPDX-License-Identifier: Apache-2.0
"""A program that is installed, and what it calls itself."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from limbtrace.rtl_bridge.programs.process import environment


@dataclass(frozen=True)
class Tool:
    """A program and what it calls itself."""

    path: str
    version: str


def version(command: Sequence[str]) -> str:
    """The first line that a program says, which is its version for a command that asks for it."""
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).partition("\n")[0].strip()
