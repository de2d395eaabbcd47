# SPDX-License-Identifier: Apache-2.0
"""Code coverage of a campaign: the counts of its shards, merged for each core."""

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from limbtrace.rtl_bridge.campaign.shards import SettledCell, Shards, check_contents
from limbtrace.rtl_bridge.campaign.state import CampaignState, CellCode
from limbtrace.rtl_bridge.code_coverage.counted import CountedCode, unpacked
from limbtrace.rtl_bridge.code_coverage.points import PointCounts, add_counts
from limbtrace.rtl_bridge.code_coverage.results import coverage_document, coverage_files
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.files import write_directory

COVERED = "campaign.txt"
"""The file that marks a folder of coverage as one of ours."""


def counted_code(shards: Shards, state: CampaignState) -> dict[str, CountedCode]:
    """Code coverage of every core, by a name for its folder. Raises ParameterError where a core has changed."""
    counted = [(shards.cells[each.cell], each) for each in state.code]
    folders: dict[str, CountedCode] = {}
    by_hardware = sorted(counted, key=lambda pair: (pair[0].job.core, pair[0].hardware, pair[1].cell))
    for _, of_core in groupby(by_hardware, key=lambda pair: pair[0].job.core):
        cells = list(of_core)
        code = CountedCode()
        for _, of_hardware in groupby(cells, key=lambda pair: pair[0].hardware):
            _add(code, list(of_hardware))
        if code.core is not None:
            folders[_name(cells[0][0].core, folders)] = code
    return folders


def _add(code: CountedCode, cells: list[tuple[SettledCell, CellCode]]) -> None:
    """Add cells of the same hardware."""
    counts: PointCounts = {}
    for _, each in cells:
        add_counts(counts, unpacked(each.rows))
    settled = cells[0][0]
    run = settle(settled.job.model_copy(update={"count": 1, "kind": "random"}))
    check_contents(run, settled.contents)
    code.add(run.bound, counts or None, sum(each.runs for _, each in cells))
    code.uncounted += sum(each.uncounted for _, each in cells)


def _name(core: str, taken: Mapping[str, object]) -> str:
    """The name of a core, with a number behind it if another core has it, too."""
    numbered = [core, *(f"{core}-{number}" for number in range(2, len(taken) + 2))]
    return next(name for name in numbered if name not in taken)


def write_code(folder: Path, campaign: str, code: Mapping[str, CountedCode]) -> None:
    """Write the files of every core into a folder of its own below `folder`. Raises OutputError."""
    files = [(COVERED, [f"{campaign}\n".encode()])]
    for name, each in code.items():
        files += coverage_files(each, coverage_document(each), f"{name}/")
    write_directory(folder, files, COVERED)
