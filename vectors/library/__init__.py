# SPDX-License-Identifier: Apache-2.0
"""A golden model as C, SystemVerilog and VHDL sources, for anybody's simulator and for firmware."""

from vectors.library.files import MARK as MARK
from vectors.library.files import files as files
from vectors.library.request import LibraryQuery as LibraryQuery
from vectors.library.request import LibraryRequest as LibraryRequest
