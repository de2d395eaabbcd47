# SPDX-License-Identifier: Apache-2.0
"""Bits that the hardware ties to 0 or 1 in every instance, as Yosys reads it: constants that logic passes on.

Registers do not count: one that never changes may have begun with another value.
"""

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.elaboration.yosys import copied, reading_top, run_yosys, top_module
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

TiedBit = tuple[str, int, str]
"""File name without folders, line of the declaration, and name with index."""
_SCRIPT = "hierarchy\nproc\nflatten\nopt_expr\nsetattr -set keep 1 w:*\nopt_clean\nwrite_json design.json\n"
"""Nets are kept, since one that an instance does not use is not constant there."""
_OTHERWISE = re.compile(r"SYNTHESIS|VERILATOR|YOSYS|SLANG|translate_(?:on|off)", re.IGNORECASE)
"""Words of sources that simulators may read in another way than Yosys does."""
_SOURCE = re.compile(r"([^|]*):(\d+)\.\d+")


def tied_bits(bound: Bound) -> set[TiedBit]:
    """The bits. Raises ToolError where Yosys is missing or does not read the core as simulators do."""
    sources = bound.sources
    for path in dict.fromkeys((*bound.files, *sources.rtl)):
        if found := _OTHERWISE.search(path.read_text(errors="replace")):
            raise ToolError(f"{path.name} has {found[0]}, so simulators and Yosys may read it differently")
    log = cache.folder() / f"{bound.core.file.name}-tied.log"
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        copied(bound.core, sources, bound.files, work)
        run_yosys(reading_top(bound.core, sources, bound.parameters) + _SCRIPT, work, log)
        return tied(top_module(json.loads((work / "design.json").read_text()))["netnames"])


def tied(nets: Mapping[str, Any]) -> set[TiedBit]:
    """The bits with one constant value in all nets of a flat design that come from the same declaration."""
    values: dict[TiedBit, set[Any]] = {}
    for name, net in nets.items():
        source = _SOURCE.match(net["attributes"].get("src", ""))
        if source is None or net.get("upto"):
            continue
        file, own, first = Path(source[1]).name, name.rpartition(".")[2], net.get("offset", 0)
        for at, bit in enumerate(net["bits"]):
            indexed = own if len(net["bits"]) == 1 and not first else f"{own}[{first + at}]"
            values.setdefault((file, int(source[2]), indexed), set()).add(bit)
    return {place for place, bits in values.items() if bits in ({"0"}, {"1"})}
