# SPDX-License-Identifier: Apache-2.0
"""The command line. Data alone on standard output; exit 0 good, 1 mismatch, 2 wrong request, 3 a tool failed."""

from typing import TYPE_CHECKING

from limbtrace.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from limbtrace.vectors.cli.app import cli, main
    from limbtrace.vectors.cli.options import (
        MISMATCH,
        UNDECIDED,
        emit,
        format_option,
        json_option,
        modulus_options,
        output_option,
        set_options,
    )

__all__ = [
    "MISMATCH",
    "UNDECIDED",
    "cli",
    "emit",
    "format_option",
    "json_option",
    "main",
    "modulus_options",
    "output_option",
    "set_options",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "app": "cli main",
        "options": "MISMATCH UNDECIDED emit format_option json_option modulus_options output_option set_options",
    },
)
