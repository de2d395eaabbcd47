# SPDX-License-Identifier: Apache-2.0
"""The waveform of a run in its place, and beside it a save file for GTKWave."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from limbtrace.rtl_bridge.binding.bound import Bound, Watch
from limbtrace.rtl_bridge.description.tables import Row
from limbtrace.rtl_bridge.interface.pins import ports_in
from limbtrace.rtl_bridge.run.log_parser import CYCLE
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.vectors.document import members
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.files import write_file
from limbtrace.vectors.report.document import RESULT, TESTBENCH_CLOCK, PortOfNumber, WatchedSignal, WaveNames

ACTIVITY = ".saif"
CORE = "u_core"
"""The instance of the core in the shell."""
_BEHIND_STREAM = 2
"""Cycles from the last word of a stream of results to the one in which a testbench sees that all are there."""


def keep(bound: Bound, vcd: Path, target: Path, tally: Tally) -> None:
    """Write the waveform to its place, as FST where the name ends so, and the save file; or its activity as SAIF.

    Raises OSError, also where the disk is so full that a simulator may have cut the waveform, and ToolError where the
    simulator wrote something else in its place.
    """
    _check_room(vcd)
    if target.suffix == ACTIVITY:
        from limbtrace.vectors.cycles.saif import activity  # with the library for VCD

        write_file(target, [activity(vcd, CORE)])
        return
    from limbtrace.vectors.cycles.waves import named, nanosecond, save_file, write_fst  # with the library for FST

    waves = vcd
    if target.suffix == ".fst":
        waves = vcd.parent.with_suffix(".fst")  # not where the simulation may have put a link of that name
        write_fst(vcd, waves)
    with waves.open("rb") as stream:
        write_file(target, iter(lambda: stream.read(1 << 20), b""))
    groups = [(title, named(vcd, names)) for title, names in _groups(bound)]
    found = tally.divergence
    marker = None
    if found is not None and found.cycle is not None and tally.began is not None:
        # At the edge that ends the cycle: what is combinational has its value before it, a register behind it.
        cycle = found.cycle - (behind_result(bound) if found.signal == RESULT else 0)
        marker = round((tally.began + CYCLE * (cycle + 1)) * nanosecond(vcd))
        marker = _given_before(bound, vcd, marker, found.seen) if bound.in_order and found.signal == RESULT else marker
    write_file(target.with_suffix(".gtkw"), [save_file(groups, target.name, marker)])


def _given_before(bound: Bound, vcd: Path, end: int, seen: str | None) -> int:
    """The last edge up to `end`, the end of a stream, at which the core shows a result that is `seen`; else `end`."""
    from limbtrace.vectors.report.waves import sampled

    file, clock = bound.core.file, wave_names(bound)["clock"]
    ports = [file.protocol.finished, str(file.result.port)]
    if any(ports_in(port) != [port] for port in ports):
        return end
    valid, results = (sampled(vcd, clock, f"{CORE}.{port}") for port in ports)
    shown = (
        time for (time, level), (_, result) in zip(valid, results, strict=True)
        if time <= end and level == 1 and result is not None and f"{result:#x}" == seen
    )  # fmt: skip
    return max(shown, default=end)


def behind_result(bound: Bound) -> int:
    """Cycles from the last result of a product or stream to the one in which a testbench sees that it is there."""
    return _BEHIND_STREAM if bound.protocol.timed or bound.in_order else 0


def _check_room(waves: Path) -> None:
    """Raises OSError, ToolError as `keep`: simulators do not tell that the disk is full."""
    if waves.is_symlink() or not waves.is_file():
        raise ToolError("the simulation put something else in the place of its waveform")
    with waves.open("r+b") as stream:
        size = stream.seek(0, os.SEEK_END)
        os.posix_fallocate(stream.fileno(), size, 1 << 20)
        stream.truncate(size)


def _groups(bound: Bound) -> Iterator[tuple[str, list[str]]]:
    """Signals under each title, by the names of the core; those that it does not have are left out later."""
    file = bound.core.file
    memory, result = file.memory, file.result
    loaded = [memory.enable, memory.address, memory.data, memory.select, memory.product] if memory else []
    fetched = [pin for value in file.operand for pin in (value.port, value.address, value.enable)]
    yield "clock and reset", _ports([table.port for table in (file.clock, file.reset) if table])
    yield "operands", _ports([*fetched, *loaded])
    yield "handshake", _ports([*file.protocol.ports, *file.protocol.meanings(bound.ports)])
    yield "result", _ports([result.port, result.address, result.data, result.product, result.enable])
    yield (
        "watched signals",
        [name for watch in bound.watches for name in (_in_waves(bound, watch.row), watch.row.when) if name],
    )


def _ports(pins: Iterable[str | None]) -> list[str]:
    """Names of these pins' ports in a waveform, each once; it has whole ports."""
    return list(dict.fromkeys(f"{CORE}.{port}" for pin in pins if pin for port in ports_in(pin)))


def wave_names(bound: Bound) -> dict[str, Any]:
    """Names of the rows' signals in a waveform, and of those that belong to them, as a WaveNames.

    Of a core without rows also those of the ports that have operands and result as they are.
    """
    file = bound.core.file
    clock = file.clock.port if file.clock else None
    found: dict[str, Any] = members(
        WaveNames,
        clock=f"{CORE}.{clock}" if clock is not None and ports_in(clock) == [clock] else TESTBENCH_CLOCK,
        handshake=_ports([*([file.reset.port] if file.reset else []), *file.protocol.ports]),
        signals=[
            members(WatchedSignal, name=_in_waves(bound, watch.row), width=watch.width, kind=_kind(watch))
            for watch in bound.watches
        ],
        **({} if bound.watches else _numbers(bound)),
    )
    return found


def _numbers(bound: Bound) -> dict[str, Any]:
    """Members of WaveNames about operands and result of a core without rows."""
    file = bound.core.file
    operands = [(value.name, value.port, value) for value in file.ported if bound.words_of(value) == 1]
    whole = [_port(bound, name, port) for name, port, value in operands if value.radix is None and value.weight is None]
    is_plain = file.result.radix is None and file.result.weight is None and bound.result_words == 1
    result = _port(bound, "result", file.result.port) if is_plain and file.result.port is not None else None
    return {
        "operands": [port for port in whole if port is not None],
        "result": result,
        **_end(bound, whole),
        "behind": behind_result(bound),
    }


def _end(bound: Bound, operands: Sequence[Any]) -> dict[str, Any]:
    """Members of WaveNames about when a result is there; none where only the testbench can tell."""
    protocol = bound.protocol
    if protocol.latency_formula is None:
        # Of several products at work a valid result may be that of another one.
        known = None if protocol.timed and bound.products > 1 else _bit(bound, protocol.finished)
        return {} if known is None else {"finished": known}
    if bound.core.file.clock is None:
        return {"latency": 0}
    start = protocol.taken[0]
    started = _bit(bound, start)
    # Operands may be there before the start, so it has to be known.
    is_shown = start not in bound.ports or (started is not None and bound.ports[start].direction == "input")
    if not operands or None in operands or not is_shown:
        return {}
    return {"latency": bound.span("protocol.latency", protocol.latency_formula), "started": started}


def _bit(bound: Bound, port: str | None) -> str | None:
    """Name in a waveform of a port that is a bit as it is; None for another one."""
    return f"{CORE}.{port}" if port in bound.ports and port is not None and ports_in(port) == [port] else None


def _port(bound: Bound, number: str, port: str) -> Any:
    """A port that has a number as it is, as a PortOfNumber; None for a part of one."""
    if ports_in(port) != [port]:
        return None
    modulo = number == "result" and bound.core.file.compare == "congruent"
    width = bound.ports[port].width
    return members(PortOfNumber, number=cast(Any, number), name=f"{CORE}.{port}", width=width, modulo=modulo)


def _in_waves(bound: Bound, row: Row) -> str:
    """Name of a watched row in a waveform; part of a port is not there by itself."""
    return f"{CORE}.{row.source}" if row.signal is None else f"{CORE}.{bound.inside}{row.signal}"


def _kind(watch: Watch) -> Literal["register", "combinational"]:
    return "register" if watch.kind == "register" else "combinational"
