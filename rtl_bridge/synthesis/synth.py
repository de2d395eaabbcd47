# SPDX-License-Identifier: Apache-2.0
"""`limbtrace synth`: areas of a core from Yosys; or frequencies after place and route, or its slowest path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, get_args

import click
from pydantic import BaseModel, ConfigDict

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.rtl_bridge.binding.bind import bind, check_build
from limbtrace.rtl_bridge.core.core import Core, find
from limbtrace.rtl_bridge.description.tables import Family
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.options import job_options, option, options
from limbtrace.rtl_bridge.synthesis import areas, critical_path, route
from limbtrace.rtl_bridge.synthesis.areas import FAMILIES, Point
from limbtrace.rtl_bridge.synthesis.result_rows import Measured, table
from limbtrace.rtl_bridge.synthesis.route import DEVICES
from limbtrace.rtl_bridge.synthesis.source_map import By
from limbtrace.vectors.cli import emit, json_option, output_option
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.request import merge_settings

_set_option = click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A model parameter; repeatable.")


class SynthesisRequest(BaseModel):
    """The options of `limbtrace synth`, as they were given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    core: Annotated[str, option("core", declare=click.argument("core"))]
    prime: Annotated[
        str | None,
        option(
            "core", metavar="P", help="Parameters as for this modulus; without it, the points that core.toml lists."
        ),
    ] = None
    radix: Annotated[str | None, option("core", metavar="2^K", help="Radix of the digits that the model scans.")] = None
    pairs: Annotated[tuple[str, ...], option("core", declare=_set_option)] = ()
    build: Annotated[
        tuple[str, ...], option("core", multiple=True, metavar="NAME=VALUE", help="An RTL parameter; repeatable.")
    ] = ()
    family: Annotated[
        Family | None,
        option(
            "core",
            type=click.Choice(FAMILIES),
            help=f"{FAMILIES[0]} with --prime; without it, all that core.toml lists.",
        ),
    ] = None
    route: Annotated[
        str | None,
        option(
            "core",
            type=click.Choice(list(DEVICES)),
            help="Place and route on the largest device of this family instead.",
        ),
    ] = None
    by: Annotated[
        By | None,
        option(
            "core", type=click.Choice(get_args(By)), help="A row for each source file or line, for where cells are."
        ),
    ] = None
    depth: Annotated[
        bool,
        option(
            "core",
            is_flag=True,
            help=f"The slowest path by the times of cells alone instead, {critical_path.FAMILY}.",
        ),
    ] = False
    allow_outside: Annotated[bool, options(Job)["allow_outside"]] = False

    @property
    def build_values(self) -> dict[str, int]:
        """Values of RTL parameters. Raises ParameterError."""
        return {name: parse_integer(value, name) for name, value in merge_settings(None, self.build).items()}

    @property
    def measured_family(self) -> Family | None:
        """The family to measure in, None for all. Raises ParameterError for options that exclude each other."""
        if self.route is not None and self.family is not None:
            raise ParameterError("family", "is that of areas for Xilinx, and --route has its own device")
        if self.route is not None and self.by is not None:
            raise ParameterError("by", "is about areas for Xilinx, and goes without --route")
        if not self.depth:
            return self.family
        if self.route is not None or self.by is not None or self.family not in (None, critical_path.FAMILY):
            text = f"is about cells of {critical_path.FAMILY}, without --route, --by and other families"
            raise ParameterError("depth", text)
        return critical_path.FAMILY


def _points(request: SynthesisRequest, core: Core, build: Mapping[str, int], family: Family | None) -> list[Point]:
    """The core for a modulus, or the points that core.toml lists for the task, for all families or for one."""
    if request.prime is not None:
        settings = merge_settings(request.radix, request.pairs)
        device = request.route or family or FAMILIES[0]
        return [(device, bind(core, request.prime, settings, build).parameters)]
    if request.radix is not None or request.pairs:
        raise ParameterError("prime", "is needed where --radix or --set is given")
    check_build(core, build)
    return _listed_points(request.route, core, build, family)


def _listed_points(device: str | None, core: Core, build: Mapping[str, int], family: Family | None) -> list[Point]:
    """The points of core.toml, each once, to be routed for `device` or to be synthesised; `build` takes precedence."""
    key = "synth" if device is None else "route"
    listed: Sequence[Point] = core.file.points
    if device is not None:
        listed = [(device, parameters) for parameters in core.file.routed_points]
    points: list[Point] = []
    for kind, parameters in listed:
        point = (kind, {**parameters, **build})
        if family in (None, kind) and point not in points:
            points.append(point)
    if not points:
        for_it = f" for {family}" if family and listed else ""
        raise ParameterError("prime", f"is needed, since {core.place} lists no points{for_it} under {key}")
    return points


def _rows(request: SynthesisRequest, core: Core, points: Sequence[Point]) -> tuple[Sequence[str], Iterable[Measured]]:
    """Head and rows of the table. Raises ParameterError, ToolError."""
    if request.route is not None:
        return route.HEAD, route.measure(core, points)
    if request.depth:
        return critical_path.HEAD, (
            critical_path.depth(core.file.name, parameters, areas.netlist(core, parameters, device))
            for device, parameters in areas.announced(points)
        )
    if request.by is not None:
        by = request.by
        return areas.PARTS, (
            part
            for device, parameters in areas.announced(points)
            for part in areas.synthesise_parts(core, parameters, device, by)
        )
    return areas.HEAD, areas.measure(core, points)


@click.command()
@job_options(SynthesisRequest, "core")
@json_option
@output_option
def synth(request: SynthesisRequest, as_json: bool, output: Path | None) -> None:
    """Report LUT, FF, DSP and carry cells of a core, out of context, from Yosys for Xilinx; CSV unless --json.

    SITES are the six-input LUTs of the device that the LUT cells need, since one holds two cells of at most five
    inputs altogether; THRU those that only pass a signal on to a carry chain; LUTRAM those of memories.

    CORE is a built-in core or a folder with RTL and a core.toml. The first call takes half a minute to prepare Yosys.

    With --route: MHz, the slowest path, and cells of a Lattice ECP5 after place and route by nextpnr (extra `route`).
    That takes a minute for a core of 500 LUTs, and far longer for large ones.
    """
    core = find(request.core, allow_outside=request.allow_outside)
    build = request.build_values
    points = _points(request, core, build, request.measured_family)
    head, measured = _rows(request, core, points)
    rows = list(measured)
    document = {"format": FORMAT, "rows": [row.document for row in rows]}
    emit([(dump(document) + "\n" if as_json else table(head, rows)).encode()], output)
