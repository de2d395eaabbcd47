# SPDX-License-Identifier: Apache-2.0
"""The cocotb test that runs in GHDL: VHDL follows the module that stands for it (`cosim.launcher`)."""

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.handle import LogicArrayObject, LogicObject
from cocotb.triggers import Timer
from cocotb.types import LogicArray
from cocotb.utils import get_sim_time

from limbtrace.rtl_bridge.programs.cosim.launcher import PIPES, TOLD
from limbtrace.rtl_bridge.programs.process import whole_lines

_SHOWN = str.maketrans("UW-LH", "xxx01")


@cocotb.test()
async def follow(dut: Any) -> None:
    """Do what the other side says until it has ended."""
    whole_lines()
    told = json.loads(os.environ[TOLD])
    if "shown" in told:
        _show(dut, told["shown"], told["place"])
        return
    reading, writing = map(int, os.environ[PIPES].split())
    inputs = list(_placed(dut, told["inputs"]))
    outputs = [(_below(dut, name), bits) for name, bits in told["outputs"]]
    # One value for each bit that is unknown, whenever it is, or what depends on it would never settle.
    chosen = "".join(random.Random(1).choices("01", k=sum(bits for _, bits in outputs)))
    before = ""
    with os.fdopen(reading) as lines:
        for line in lines:
            time, values, *binary = line.split()
            # VHDL is a few femtoseconds late: a change takes one, in which everything settles.
            if (behind := int(time) * 1_000_000 - int(get_sim_time("fs"))) > 0:
                await Timer(behind, "fs")
            for signal, first, last in inputs:
                if (value := values[first:last]) != before[first:last]:
                    _put(signal, value)
            before = values
            await Timer(1, "fs")
            answer = "".join(_get(signal, bits) for signal, bits in outputs)
            if binary and answer.strip("01"):
                answer = "".join(bit if bit in "01" else one for bit, one in zip(answer, chosen, strict=True))
            os.write(writing, f"{answer}\n".encode())


def _placed(dut: Any, inputs: list[tuple[str, int]]) -> Iterator[tuple[Any, int, int]]:
    """The inputs with the places of their bits in a line."""
    place = 0
    for name, bits in inputs:
        yield _below(dut, name), place, place + bits
        place += bits


def _below(dut: Any, name: str) -> Any:
    """A port, or a signal below instances. Raises AttributeError."""
    for part in name.split("."):
        dut = getattr(dut, part)
    return dut


def _put(signal: Any, value: str) -> None:
    if len(signal) == len(value):
        signal.value = LogicArray(value) if len(value) > 1 else value
    else:  # a number
        signal.value = int(value.translate(str.maketrans("xz", "00")), 2)


def _get(signal: Any, bits: int) -> str:
    """The low bits, high ones first: a number has as many as its type, whatever its range is."""
    return str(signal.value)[-bits:].translate(_SHOWN)


def _show(dut: Any, names: list[str], place: str) -> None:
    """Write a line `name bits` for each signal that is there."""
    with open(place, "w", encoding="utf-8") as stream:
        for name in names:
            try:
                signal = _below(dut, name)
            except AttributeError:
                continue
            if isinstance(signal, LogicObject | LogicArrayObject):  # GHDL 2.0 does not survive a look into an array
                stream.write(f"{name} {len(signal)}\n")
