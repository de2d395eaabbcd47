# SPDX-License-Identifier: Apache-2.0
"""An obvious first cocotb test for core iddmm_arch2: signal by signal, with cocotb's clock.

Golden data are computed beforehand, in a file; only products are timed. NAIVE_REQUEST names a JSON file with

    check     "every-cycle": every watched signal in every cycle; "results": look at done in every cycle, then at the
              result; "results-asleep": the same, asleep until done rises
    k, n, passes, p, p_prime, cycles
    registers, sums   watched signals by their names below the core, with their golden columns: after the clock edge,
                      and before it
    products  a, b, result, table ([column][cycle], null for don't care)
    outcome   the file that gets {"seconds": ...}
"""

import json
import os
import time
from functools import reduce
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

SELECT_A, SELECT_B, SELECT_P = 0, 1, 2


@cocotb.test()
async def multiply(dut: Any) -> None:
    """Multiply all products of the request."""
    request = json.loads(Path(os.environ["NAIVE_REQUEST"]).read_text())
    k, n = request["k"], request["n"]
    Clock(dut.clk_i, 10, "ns", impl="py").start()
    dut.rst_ni.value = 0
    dut.start_i.value = 0
    dut.wr_en_i.value = 0
    dut.n_i.value = n
    dut.passes_i.value = request["passes"]
    dut.p_prime_i.value = request["p_prime"]
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await load(dut, SELECT_P, request["p"], n + 1, k)
    begin = time.perf_counter()
    for product in request["products"]:
        await load(dut, SELECT_A, product["a"], n + 1, k)
        await load(dut, SELECT_B, product["b"], request["passes"], k)
        dut.start_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.start_i.value = 0
        if request["check"] == "every-cycle":
            await compare_every_cycle(dut, request, product["table"])
        elif request["check"] == "results":
            await RisingEdge(dut.clk_i)
            while dut.done_o.value != 1:
                await RisingEdge(dut.clk_i)
        else:
            await RisingEdge(dut.done_o)
            await RisingEdge(dut.clk_i)
        assert await result(dut, n + 1, k) == product["result"]
    Path(request["outcome"]).write_text(json.dumps({"seconds": time.perf_counter() - begin}))


async def load(dut: Any, select: int, value: int, words: int, k: int) -> None:
    """Write a number through the write port, low word first."""
    dut.wr_en_i.value = 1
    dut.wr_sel_i.value = select
    for address in range(words):
        dut.wr_addr_i.value = address
        dut.wr_data_i.value = (value >> (k * address)) & ((1 << k) - 1)
        await RisingEdge(dut.clk_i)
    dut.wr_en_i.value = 0


async def compare_every_cycle(dut: Any, request: dict[str, Any], table: list[list[int | None]]) -> None:
    """Sums during cycle 0, 1, ..., and registers as loaded by the edge at the end of the cycle before."""
    cycles = request["cycles"]
    for cycle in range(cycles + 1):
        await ReadOnly()
        if cycle < cycles:
            for signal, column in request["sums"]:
                compare(dut, signal, table[column][cycle])
        if cycle > 0:
            for signal, column in request["registers"]:
                compare(dut, signal, table[column][cycle - 1])
        assert dut.done_o.value == (cycle == cycles)
        await RisingEdge(dut.clk_i)


def compare(dut: Any, signal: str, expected: int | None) -> None:
    if expected is not None:
        seen = reduce(getattr, signal.split("."), dut).value
        assert seen == expected, f"{signal} should be {expected:#x} and is {seen}"


async def result(dut: Any, words: int, k: int) -> int:
    """Read the result, low word first."""
    value = 0
    for address in range(words):
        dut.rd_addr_i.value = address
        await RisingEdge(dut.clk_i)
        value |= int(dut.rd_data_o.value) << (k * address)
    return value
