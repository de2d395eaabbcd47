# SPDX-License-Identifier: Apache-2.0
"""`limbtrace reports`: timing and utilisation from the reports of vivado/build.tcl, as rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.cli import json_option
from limbtrace.vectors.encoding import FORMAT, dump

STAGES = ("synth", "route")
"""Stages in the order of the flow; a report of a stage is called STAGE.KIND.rpt."""

_SITES = {
    "LUT": ("Slice LUTs", "CLB LUTs"),
    "LUTRAM": ("LUT as Memory",),
    "FF": ("Slice Registers", "CLB Registers"),
    "DSP": ("DSPs", "DSP Slices"),
    "MUX": ("F7 Muxes", "F8 Muxes", "F9 Muxes"),
    "BRAM18": ("RAMB18",),
    "BRAM36": ("RAMB36/FIFO",),
    "URAM": ("URAM",),
}
"""Our names, and the rows of the report that add up to them; families name them differently."""

_INSTANCES = {
    "LUT": ("Total LUTs",),
    "LUTRAM": ("LUTRAMs",),
    "FF": ("FFs",),
    "DSP": ("DSP Blocks", "DSP48 Blocks"),
    "BRAM18": ("RAMB18",),
    "BRAM36": ("RAMB36",),
    "URAM": ("URAM",),
}
"""Our names, and the columns of the report by instance."""


@dataclass(frozen=True)
class Timing:
    """Slacks in ns, negative if timing is not met; None if the design has no such path."""

    wns_ns: float | None
    tns_ns: float | None
    failing_endpoints: int | None
    whs_ns: float | None
    period_ns: float | None
    """Period of the clock in ns, if there is exactly one."""

    @property
    def fmax_mhz(self) -> float | None:
        """Frequency in MHz at which the worst slack is 0."""
        if self.wns_ns is None or self.period_ns is None or self.wns_ns >= self.period_ns:
            return None
        return round(float(1000 / (Decimal(str(self.period_ns)) - Decimal(str(self.wns_ns)))), 2)


@dataclass(frozen=True)
class Instance:
    """An instance by its path, with the area of its contents."""

    path: str
    module: str
    area: Mapping[str, int]


@dataclass(frozen=True)
class VivadoRow:
    """A design after one stage of the flow."""

    stage: str
    design: str
    part: str
    tool: str
    timing: Timing | None = None
    area: Mapping[str, int] = field(default_factory=dict)
    instances: Sequence[Instance] = ()

    @property
    def document(self) -> dict[str, Any]:
        timing = {} if self.timing is None else {**asdict(self.timing), "fmax_mhz": self.timing.fmax_mhz}
        return {
            "stage": self.stage,
            "design": self.design,
            "part": self.part,
            "tool": self.tool,
            **timing,
            "area": dict(self.area),
            "instances": [asdict(instance) for instance in self.instances],
        }

    def text(self) -> str:
        """The stage as one line of text."""
        timing = self.timing
        clock = "no timing"
        if timing is not None:
            clock = f"WNS {_number(timing.wns_ns)} ns at {_number(timing.period_ns)} ns, {_number(timing.fmax_mhz)} MHz"
        area = ", ".join(f"{count} {name}" for name, count in self.area.items() if count) or "no utilisation"
        return f"{self.stage}  {self.design} in {self.part} ({self.tool}): {clock}; {area}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


class ReportError(ParameterError):
    """A report whose contents do not match its name."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__("reports", f"{path} {sentence}")


def rows(folder: Path) -> list[VivadoRow]:
    """The stages that have reports in a folder. Raises ParameterError("reports")."""
    found = [row for stage in STAGES if (row := _row(folder, stage)) is not None]
    if not found:
        raise ParameterError("reports", f"{folder} holds no report of {' or '.join(STAGES)}, such as route.timing.rpt")
    return found


def _row(folder: Path, stage: str) -> VivadoRow | None:
    texts: dict[str, str] = {}
    for kind in ("timing", "utilization", "hierarchy"):
        path = folder / f"{stage}.{kind}.rpt"
        if path.is_file():
            texts[kind] = path.read_text(encoding="utf-8", errors="replace")
    if not texts:
        return None
    heads = [_head(folder / f"{stage}.{kind}.rpt", text) for kind, text in texts.items()]
    if len({head["Design"] for head in heads}) > 1:
        raise ParameterError("reports", f"the reports of {stage} in {folder} are of several designs")
    head = heads[-1]
    return VivadoRow(
        stage,
        head["Design"],
        _part(head),
        re.sub(r" \(.*", "", head.get("Tool Version", "")),
        _timing(folder / f"{stage}.timing.rpt", texts["timing"]) if "timing" in texts else None,
        _area(folder / f"{stage}.utilization.rpt", texts["utilization"]) if "utilization" in texts else {},
        list(_instances(texts.get("hierarchy", ""))),
    )


def _head(path: Path, text: str) -> dict[str, str]:
    """The lines `| Name : value` at the head of a report."""
    head: dict[str, str] = dict(re.findall(r"^\| ([A-Z][A-Za-z ]*?) *: (.*?) *$", text, re.MULTILINE))
    if "Design" not in head or "Device" not in head:
        raise ReportError(path, "is no report of Vivado: it names no design and device")
    return head


def _part(head: Mapping[str, str]) -> str:
    """The part in one spelling: some reports leave out the xc, some have the speed grade in a separate line."""
    device = head["Device"]
    device = device if device.startswith("xc") else f"xc{device}"
    speed = head.get("Speed File", "").partition(" ")[0]
    return device if not speed or re.search(r"-\d\w*(-\w+)?$", device) else f"{device}{speed}"


def _timing(path: Path, text: str) -> Timing:
    """The Design Timing Summary and the period in the Clock Summary."""
    match = re.search(r"^ *(WNS\(ns\) .*)\n[- ]+\n(.*)$", text, re.MULTILINE)
    if match is None:
        raise ReportError(path, "has no Design Timing Summary")
    names = re.split(r"  +", match[1].strip())
    values = dict(zip(names, match[2].split(), strict=False))
    clocks = re.findall(r"^\S+ +\{[\d. ]+\} +([\d.]+) +[\d.]+ *$", text, re.MULTILINE)
    failing = _float(values.get("TNS Failing Endpoints"))
    return Timing(
        _float(values.get("WNS(ns)")),
        _float(values.get("TNS(ns)")),
        None if failing is None else int(failing),
        _float(values.get("WHS(ns)")),
        float(clocks[0]) if len(clocks) == 1 else None,
    )


def _float(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"-?\d+(\.\d+)?", text) else None


def _tables(text: str) -> Iterator[list[dict[str, str]]]:
    """Tables of a report as records; cells keep their indentation, which shows the hierarchy."""
    for block in re.findall(r"(?:^[|+].*\n)+", text, re.MULTILINE):
        lines = [line for line in block.splitlines() if line.startswith("|") and line.endswith("|")]
        cells = [[cell[1:].rstrip() for cell in line.split("|")[1:-1]] for line in lines]
        if cells:
            head = [name.strip() for name in cells[0]]
            yield [dict(zip(head, row, strict=False)) for row in cells[1:]]


def _area(path: Path, text: str) -> dict[str, int]:
    """Sites used, and the carry chains among the primitives."""
    used: dict[str, int] = {}
    for table in _tables(text):
        for record in table:
            name = record.get("Site Type", record.get("Ref Name", "")).strip().rstrip("*")
            if name and record.get("Used", "").strip().isdigit():
                used.setdefault(name, int(record["Used"]))
    if not any(name in used for name in _SITES["LUT"]):
        raise ReportError(path, "has no table with LUTs")
    area = {name: sum(used.get(site, 0) for site in sites) for name, sites in _SITES.items()}
    return {**area, "CARRY": used.get("CARRY8", used.get("CARRY4", 0))}


def _instances(text: str) -> Iterator[Instance]:
    """The report by instance: two more spaces are one level deeper, a name in parentheses is the rest of its level."""
    above: list[str] = []
    for record in (record for table in _tables(text) for record in table if "Instance" in record):
        name = record["Instance"].strip()
        if name.startswith("("):
            continue
        depth = (len(record["Instance"]) - len(record["Instance"].lstrip())) // 2
        above = [*above[:depth], name]
        area = {
            ours: sum(int(record[column]) for column in columns if record.get(column, "").strip().isdigit())
            for ours, columns in _INSTANCES.items()
        }
        yield Instance("/".join(above), record["Module"].strip(), area)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
def reports(folder: Path, as_json: bool) -> None:
    """Print timing and utilisation from the Vivado reports in FOLDER (vivado/reports of an export)."""
    found = rows(folder)
    document = {"format": FORMAT, "rows": [row.document for row in found]}
    click.echo(dump(document) if as_json else "".join(f"{row.text()}\n" for row in found), nl=as_json)
