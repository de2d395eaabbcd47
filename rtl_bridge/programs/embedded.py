# SPDX-License-Identifier: Apache-2.0
"""Python in a simulator, by cocotb."""

import sys
from pathlib import Path

from cocotb_tools import config
from find_libpython import find_libpython

from limbtrace.vectors.errors import ToolError


def surroundings(top: str, module: str, results: Path) -> dict[str, str]:
    """Environment variables of cocotb: the top of the design, the module with the test, the file it writes.

    Raises ToolError.
    """
    library = find_libpython()
    if library is None:
        raise ToolError("cocotb needs the shared library of Python: apt-get install libpython3-dev")
    return {
        "COCOTB_TOPLEVEL": top,
        "COCOTB_TEST_MODULES": module,
        "COCOTB_RESULTS_FILE": str(results),
        "COCOTB_RANDOM_SEED": "1",
        "COCOTB_REWRITE_ASSERTION_FILES": "",
        "GPI_USERS": f"{library};{config.pygpi_entry_point()}",
        "PYGPI_PYTHON_BIN": sys.executable,
    }
