# SPDX-License-Identifier: Apache-2.0
"""The command line. Data alone on standard output; exit 0 good, 1 mismatch, 2 wrong request, 3 a tool failed."""

from typing import TYPE_CHECKING

from vectors.lazily import lazily

if TYPE_CHECKING:
    from vectors.cli.app import cli, main
    from vectors.cli.options import (
        MISMATCH,
        emit,
        format_option,
        json_option,
        modulus_options,
        output_option,
        set_options,
    )

__all__ = [
    "MISMATCH",
    "cli",
    "emit",
    "format_option",
    "json_option",
    "main",
    "modulus_options",
    "output_option",
    "set_options",
]

__getattr__ = lazily(
    __name__,
    app="cli main",
    options="MISMATCH emit format_option json_option modulus_options output_option set_options",
)
