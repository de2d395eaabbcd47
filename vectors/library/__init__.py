# SPDX-License-Identifier: Apache-2.0
"""A golden model as C, SystemVerilog and VHDL sources, for anybody's simulator and for firmware."""

from limbtrace.vectors.library.files import MARK as MARK
from limbtrace.vectors.library.files import files as files
from limbtrace.vectors.library.request import LibraryQuery as LibraryQuery
from limbtrace.vectors.library.request import LibraryRequest as LibraryRequest
