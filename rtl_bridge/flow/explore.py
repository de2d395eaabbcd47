# SPDX-License-Identifier: Apache-2.0
"""`limbtrace explore`: the design space of a core, optionally measured, and export of single designs."""

import shlex
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.primes import find as find_modulus
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.run.options import again
from limbtrace.vectors.catalogue.routes import kept_routes
from limbtrace.vectors.catalogue.tables import kept_areas
from limbtrace.vectors.cli import emit, format_option
from limbtrace.vectors.designs import FAMILY, FORMATS, Exploration, render, routing, synthesis
from limbtrace.vectors.designs import designs_document as document
from limbtrace.vectors.errors import ToolError


@click.command()
@click.argument("core")
@click.option("--bits", required=True, metavar="N", help="Width of the moduli.")
@click.option("--point", "points", multiple=True, metavar="NAME", help="Only this design; repeatable.")
@click.option("--device", metavar="NAME", help="Nanoseconds where the paper has a clock for a design on this device.")
@click.option("--frequency", metavar="MHZ", help="Nanoseconds at this clock.")
@click.option("--synth", "measured", is_flag=True, help="Measure every design with Yosys, unless its row is kept.")
@click.option("--family", metavar="NAME", help=f"Xilinx family to measure in; default {FAMILY}.")
@click.option("--route", metavar="NAME", help="Place and route every design on a device of this family: ecp5.")
@click.option("--prime", metavar="P", help="Write the one design of --point for this modulus into the folder of -o.")
@format_option(FORMATS)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File instead of standard output; with --prime the folder to write, as `export` does.",
)
@click.pass_context
def explore(
    context: click.Context,
    core: str,
    bits: str,
    points: tuple[str, ...],
    device: str | None,
    frequency: str | None,
    measured: bool,
    family: str | None,
    route: str | None,
    prime: str | None,
    form: str,
    output: Path | None,
) -> None:
    """List the designs of CORE for moduli of N bits: times, area, and which are on the Pareto front.

    A plot is SVG and needs the extra `plot`; --synth needs the extra `synth` and about ten seconds per design, --route
    the extra `route` and a minute or more: name designs with --point. Times are then those of the routed clocks.
    """
    request = Exploration.resolve(core, bits, points, device, frequency)
    if prime is not None:
        if measured or family is not None or route is not None or device is not None or frequency is not None:
            raise ParameterError("prime", "writes a folder; --synth, --family, --route, --device, --frequency do not")
        _export(context, request, prime, output)
        return
    if route is not None and (measured or family is not None or device is not None or frequency is not None):
        raise ParameterError("route", "has areas and clocks of its own, and goes beside no other ones")
    if family is not None and not measured:
        raise ParameterError("family", "is that of the syntheses, so it needs --synth")
    areas = measure(request, family or FAMILY) if measured else None
    routes = None if route is None else routed(request, route)
    emit([render(document(request, areas, family, routes), form)], output)


def measure(request: Exploration, family: str) -> list[dict[str, Any]]:
    """The syntheses of the designs that the core supports: stored rows, and Yosys for the others.

    Raises ParameterError, ToolError.
    """
    areas = _load("limbtrace.rtl_bridge.synthesis.areas", "--synth", "sim,synth")
    if family not in areas.FAMILIES:
        raise ParameterError("family", f"{family[:40]!r} is none of {', '.join(areas.FAMILIES)}")
    kept = kept_areas()
    wanted = [design for design in request.designs if request.built(design)]
    missing = [
        (family, request.space.rtl(design)) for design in wanted if synthesis(request, design, kept, family) is None
    ]
    if not missing:
        return kept
    return [*kept, *(row.document for row in areas.measure(find(request.space.core), missing))]


def routed(request: Exploration, family: str) -> list[dict[str, Any]]:
    """The places and routes of the designs that the core supports: stored rows, and nextpnr for the others.

    Raises ParameterError, ToolError.
    """
    route = _load("limbtrace.rtl_bridge.synthesis.route", "--route", "sim,route")
    if family not in route.DEVICES:
        raise ParameterError("route", f"{family[:40]!r} is none of {', '.join(route.DEVICES)}")
    kept = [row for row in kept_routes() if row["device"] == route.DEVICES[family].name]
    wanted = [design for design in request.designs if request.built(design)]
    missing = [(family, request.space.rtl(design)) for design in wanted if routing(request, design, kept) is None]
    if not missing:
        return kept
    return [*kept, *(row.document for row in route.measure(find(request.space.core), missing))]


def _export(context: click.Context, request: Exploration, prime: str, output: Path | None) -> None:
    """The export of the one design by `limbtrace export`. Raises ParameterError, ToolError."""
    if len(request.designs) != 1:
        raise ParameterError("point", f"--prime takes one design, and there are {len(request.designs)}: name it")
    if output is None:
        raise ParameterError("output", "--prime writes a folder: give it with -o")
    (design,) = request.designs
    shape = request.shape(design)
    if isinstance(shape, ParameterError):
        raise ParameterError("point", f"{request.space.name(design)} cannot be built: {shape}")
    bits = find_modulus(prime).bits
    if bits > request.bits:
        raise ParameterError("prime", f"the modulus has {bits} bits and the design is for {request.bits}")
    _load("limbtrace.rtl_bridge.binding.bind", "--prime", "sim")
    export = _load("limbtrace.rtl_bridge.flow.export", "--prime", "sim").export
    settings = _pairs(request.space.settings(design))
    build = _pairs(request.space.rtl(design))
    words = ["limbtrace", "export", request.space.core, "--prime", prime]
    words += [*again("set", settings), *again("build", build)]
    context.invoke(export, core=request.space.core, prime=prime, radix=None, pairs=settings, build=build, output=output)
    print("limbtrace: as", shlex.join([*words, "-o", str(output)]), file=sys.stderr)


def _load(module: str, option: str, extras: str) -> Any:
    """A module with dependencies beyond the base. Raises ToolError if these are not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ToolError(
            f"{option} needs {error.name}, which is not installed: pip install 'limbtrace[{extras}]'"
        ) from None


def _pairs(values: Mapping[str, str | int]) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in values.items())
