# SPDX-License-Identifier: Apache-2.0
"""`limbtrace doctor --rtl`: sources of anybody, and which of their constructs tools were reported to reject."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.binding.bind import bind, example
from limbtrace.rtl_bridge.core.core import Core, find
from limbtrace.rtl_bridge.core.source_files import header_folders, in_package_order, sources_below
from limbtrace.rtl_bridge.elaboration import slang
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import is_vhdl
from limbtrace.rtl_bridge.flow.rejections import applying, rejections
from limbtrace.rtl_bridge.flow.subset import Complaint, complaints

_FOREIGN = ("--ignore-unknown-modules",)
"""Modules of a vendor are not there."""


@dataclass(frozen=True)
class Examination:
    """The examined sources, and the findings."""

    hardware: tuple[Path, ...]
    benches: tuple[Path, ...]
    """Sources that are only simulated."""
    vhdl: tuple[Path, ...]
    """Sources that were not examined."""
    found: tuple[Complaint, ...]

    @property
    def document(self) -> dict[str, Any]:
        """The examination as JSON."""
        names = {"hardware": self.hardware, "simulated": self.benches, "vhdl": self.vhdl}
        rules = {complaint.rule for complaint in self.found}
        return {
            **{name: [str(slang.shown_path(path)) for path in paths] for name, paths in names.items()},
            "complaints": [
                {"place": complaint.place, "text": complaint.text, "rule": complaint.rule or None}
                for complaint in self.found
            ],
            "rules": [rule.document for rule in rejections().values() if rule.id in rules],
        }


def examine_rtl(folder: Path) -> Examination:
    """The sources of a core, which may be a built-in name, of a folder, or one file. Raises ParameterError("rtl").

    A core is examined with the parameters of an example, if one can be bound, and otherwise with their defaults. In a
    folder without a description the files of top modules without ports are testbenches, and all others are hardware.
    """
    try:
        if (folder / "core.toml").is_file() or not folder.exists():
            return _core(find(str(folder)))
        return _files([folder], folder.parent) if folder.is_file() else _files(sources_below(folder), folder)
    except ParameterError as error:
        raise ParameterError("rtl", error.reason) from None


def _core(core: Core) -> Examination:
    try:
        bound = bind(core, example(core), {}, {})
    except ParameterError:
        parameters: Mapping[str, int] = {}
    else:
        parameters = bound.parameters
    vhdl = tuple(path for path in core.sources if is_vhdl(path))
    if vhdl:
        return Examination((), (), vhdl, ())
    options = [*_FOREIGN, *(f"-I{folder.absolute()}" for folder in core.listing.include)]
    options += [f"-D{name}{value and f'={value}'}" for name, value in core.listing.defines.items()]
    found = complaints(core.rtl, core.file.top, options, parameters, synthesised=True)
    probe = tuple(path for path in core.sources if path not in core.rtl)
    if probe:
        simulated = complaints(core.sources, core.file.simulated_top, options, parameters, synthesised=False)
        found += [complaint for complaint in simulated if complaint.place.startswith(_prefixes(probe))]
    return Examination(tuple(core.rtl), probe, (), tuple(dict.fromkeys(found)))


def _files(files: Sequence[Path], folder: Path) -> Examination:
    vhdl = tuple(path for path in files if is_vhdl(path))
    read = in_package_order(path for path in files if not is_vhdl(path))
    if not read:
        return Examination((), (), vhdl, ())
    options = [*_FOREIGN, *(f"-I{place.absolute()}" for place in (folder, *header_folders(folder)))]
    benches = tuple(path for path in read if path.resolve() in _benches(read, options))
    hardware = tuple(path for path in read if path not in benches)
    found = complaints(hardware, None, options, {}, synthesised=True) if hardware else []
    if benches:
        simulated = complaints(read, None, options, {}, synthesised=False)
        found += [complaint for complaint in simulated if complaint.place.startswith(_prefixes(benches))]
    return Examination(hardware, benches, vhdl, tuple(dict.fromkeys(found)))


def _prefixes(files: Iterable[Path]) -> tuple[str, ...]:
    """Prefixes of places in the files."""
    return tuple(f"{slang.shown_path(path.resolve())}:" for path in files)


def _benches(files: Sequence[Path], options: Sequence[str]) -> set[Path]:
    """The files of top modules without ports."""
    read = slang.read(files, None, {}, options)
    if read is None:
        raise ParameterError("rtl", f"{shown(str(files[0]))} and what is beside it cannot be read")
    found = set()
    for top in read.compilation.getRoot().topInstances:
        if not len(top.body.portList):
            found.add(Path(read.manager.getFullPath(top.body.definition.location.buffer)))
    return found


def rtl_text(examination: Examination) -> str:
    """The examination for people: a line for each place, then what the rules are about."""
    lines = [str(complaint) for complaint in examination.found]
    broken = {complaint.rule for complaint in examination.found}
    for rule in rejections().values():
        if rule.id in broken:
            lines += ["", f"[{rule.id}] instead: {rule.instead}"]
            lines += [f"  {' '.join(filter(None, (r.tool, r.version)))}: {r.source}" for r in rule.reports]
    rules = sum(1 for rule in applying(synthesised=True) if not rule.unchecked)
    lines += [""] if lines else []
    found = _counted(len(examination.found), "complaint")
    hardware, benches = (
        _counted(len(examination.hardware), "source"),
        _counted(len(examination.benches), "testbench", "es"),
    )
    lines.append(f"{found} by {rules} rules, in {hardware} of hardware and {benches}")
    if examination.vhdl:
        lines.append(f"not examined, because they are VHDL: {', '.join(path.name for path in examination.vhdl)}")
    return "\n".join(lines) + "\n"


def _counted(number: int, what: str, plural: str = "s") -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else plural}"
