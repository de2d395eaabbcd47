# SPDX-License-Identifier: Apache-2.0
"""The master of an AXI4-Lite port in a lock-step run, inside the simulator: controls cocotbext-axi."""

import logging
import random
from collections.abc import Collection, Iterator
from typing import Any

import cocotb
from cocotb.triggers import Event, First, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from rtl_bridge.core.bound import Bound
from rtl_bridge.core.table import SLACK
from rtl_bridge.protocols.axi4_lite import Axi4Lite
from rtl_bridge.protocols.base import Complaint, Master

CYCLE = 10
"""Clock period of the testbench, in nanoseconds."""
INTRUSION = 24
"""Least number of remaining cycles of a product at the begin of an access that must reach a busy core."""


class Axi4LiteMaster(Master):
    """Loads, starts, polls and reads one product after the other; `port` is the instance of `lt_axil`."""

    def __init__(self, protocol: Axi4Lite, port: Any, seed: int, disturb: Collection[str]) -> None:
        self._protocol, self._seed, self._disturb = protocol, seed, disturb
        self._port = port
        logging.getLogger(f"cocotb.{port._name}").setLevel(logging.ERROR)
        self._master = AxiLiteMaster(AxiLiteBus.from_prefix(port, "axil"), port.clk, port.rst)
        write, read = self._master.write_if, self._master.read_if
        self._channels = [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]
        self._octets = read.byte_lanes
        self._bound: Bound | None = None
        self._loaded: Bound | None = None
        """The bound core whose constants are in the registers."""
        self._work: Any = None

    def begin(self, bound: Bound, case: int, a: int, b: int) -> None:
        if bound is not self._bound:
            self._signals = {signal: port.name for signal, port in self._protocol.bus(bound.ports).items()}
            self._words = self._protocol.words(bound)
        self._bound, self._case, self._operands = bound, case, {"a": a, "b": b}
        self._complaint: Complaint | None = None
        self._waiting: tuple[str, float] | None = None
        """The signal that an access waits for, and the time since which it waits."""
        self._work = cocotb.start_soon(self._product(bound))

    def end(self) -> Complaint | None:
        if not self._work.done():
            self._work.cancel()
            self._find_what_is_missing()
        for number, channel in enumerate("br"):
            if int(self._port.withdrawn.value) >> number & 1:
                self._complain(self._signals[f"{channel}valid"], 1, 0)
        return self._complaint

    def _find_what_is_missing(self) -> None:
        """After the time limit, records the access without a response, or the missing done."""
        if self._waiting is not None and _cycle() - self._waiting[1] > SLACK:
            self._complain(self._waiting[0], 1, 0)
        elif int(self._port.read.value):
            self._complain(self._name(self._protocol.done.offset), self._protocol.done.mask, 0)

    @staticmethod
    def _name(register: int) -> str:
        return f"register {register:#x}"

    def _complain(self, signal: str, expected: int, seen: int) -> None:
        """Records a fault; only the first one is reported."""
        self._complaint = self._complaint or Complaint(signal, f"{expected:#x}", f"{seen:#x}", "on the bus")

    async def _product(self, bound: Bound) -> None:
        """One product, which begins again after a reset."""
        while True:
            attempt = cocotb.start_soon(self._attempt(bound))
            await First(attempt, RisingEdge(self._port.rst))
            if attempt.done():
                return
            attempt.cancel()
            self._loaded = None
            self._say(loaded=0, started=0, finished=0, collect=0, read_done=0)
            while self._port.rst.value:
                await RisingEdge(self._port.clk)

    async def _attempt(self, bound: Bound) -> None:
        protocol, port = self._protocol, self._port
        self._random = random.Random(f"{self._seed}|{bound.multiplier.modulus.modulus}|{self._case}")
        if "stalls" in self._disturb:
            self._stall()
        await self._until("load")
        await self._load(bound)
        for k, check in enumerate(protocol.check):
            wanted = bound.value(f"protocol.check[{k}].value", check.value)
            seen = await self._read(check.offset)
            if seen != wanted:
                self._complain(self._name(check.offset), wanted, seen)
        self._say(loaded=1)
        await self._until("offer")
        self._say(loaded=0)
        start = bound.formula("protocol.start.value", protocol.start.value)
        await self._write(protocol.start.offset, start)
        self._say(started=1)
        await self._work_of_the_core(bound)
        self._say(started=0, finished=1)
        await self._until("read")
        self._say(finished=0, collect=1)
        await self._access(self._master.read, bound.core.file.result.offset or 0, self._octets * bound.result_words)
        self._say(collect=0, read_done=1)
        while port.read.value:
            await RisingEdge(port.clk)
        self._say(read_done=0)

    async def _load(self, bound: Bound) -> None:
        """Loads operands, and constants if they are new."""
        for k, (load, words) in enumerate(zip(self._protocol.load, self._words, strict=True)):
            if load.value in self._operands:
                await self._write(load.offset, self._operands[str(load.value)], words)
            elif self._loaded is not bound:
                await self._write(load.offset, bound.value(f"protocol.load[{k}].value", load.value), words)
        self._loaded = bound

    async def _work_of_the_core(self, bound: Bound) -> None:
        """Poll until the core is done, and disturb it if requested."""
        protocol, began = self._protocol, _cycle()
        while True:
            left = bound.plan.cycles - (_cycle() - began) if bound.plan else 0
            if "start" in self._disturb and left > INTRUSION and self._random.random() < 0.5:
                await self._intrude(bound)
            elif await self._read(protocol.done.offset) & protocol.done.mask:
                break
        if protocol.finishes and self._port.run.value:
            self._complain(self._name(protocol.done.offset), 0, protocol.done.mask)
            while self._port.run.value:
                await RisingEdge(self._port.clk)

    async def _intrude(self, bound: Bound) -> None:
        """Write another start, or a word of another operand; a busy core ignores both."""
        protocol = self._protocol
        self.intrusions += 1
        for channel in self._channels:
            channel.clear_pause_generator()
            channel.pause = False
        if self._random.random() < 0.5:
            start = bound.formula("protocol.start.value", protocol.start.value)
            await self._write(protocol.start.offset, start)
        else:
            load = self._random.choice(protocol.load)
            await self._write(load.offset, self._random.getrandbits(8 * self._octets))
        if "stalls" in self._disturb:
            self._stall()

    def _stall(self) -> None:
        """Every channel pauses in about every other cycle, independently."""
        for channel in self._channels:
            channel.set_pause_generator(_coins(self._random.getrandbits(32)))

    async def _write(self, register: int, value: int, words: int = 1) -> None:
        await self._access(self._master.write, register, value.to_bytes(self._octets * words, "little"))

    async def _read(self, register: int) -> int:
        return int.from_bytes((await self._access(self._master.read, register, self._octets)).data, "little")

    async def _access(self, access: Any, register: int, what: Any) -> Any:
        """The response to an access, which may have several words."""
        channel = "b" if access == self._master.write else "r"
        self._waiting = (self._signals[f"{channel}valid"], _cycle())
        answer = await access(register, what)
        self._waiting = None
        if answer is None:
            await Event().wait()  # there was a reset, and who waits for this ends it
        if answer.resp != AxiResp.OKAY:
            self._complain(self._signals[f"{channel}resp"], 0, int(answer.resp))
        return answer

    async def _until(self, state: str) -> None:
        """Wait for a state of the sequencer."""
        while not getattr(self._port, state).value:
            await RisingEdge(self._port.clk)

    def _say(self, **signals: int) -> None:
        for name, value in signals.items():
            getattr(self._port, name).value = value


def _cycle() -> float:
    return get_sim_time("ns") / CYCLE


def _coins(seed: int) -> Iterator[bool]:
    coin = random.Random(seed)
    while True:
        yield coin.random() < 0.5
