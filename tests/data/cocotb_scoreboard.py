# SPDX-License-Identifier: Apache-2.0
"""A cocotb test of core iddmm_arch2 with a scoreboard: operands drawn here, results and registers compared."""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

import limbtrace as lt

K, N = 32, 8
mul = lt.multiplier("iddmm2", "p256", f"2^{K}")
PRODUCTS = 20


@cocotb.test()
async def multiply(dut: Any) -> None:
    """Random products, back to back."""
    board = lt.scoreboard(mul, lt.core("iddmm_arch2"))
    drawn = random.Random(int(os.environ.get("SEED", "1")))
    await begin(dut)
    for _ in range(PRODUCTS):
        a, b = (drawn.randrange(mul.modulus) for _ in range(2))
        board.expect(a, b)
        await load(dut, 0, a)
        await load(dut, 1, b)
        dut.start_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.start_i.value = 0
        await watch(dut, board)
        board.result(await result(dut))
    assert board.finish() == PRODUCTS


async def watch(dut: Any, board: lt.Scoreboard) -> None:
    """A row for each busy cycle: sums as they are during it, registers as its last edge loads them."""
    await ReadOnly()
    while dut.done_o.value != 1:
        row = {"S": dut.s_sum.value, "U": dut.u_sum.value}
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        board.row({**row, "C": dut.c_q.value, "q": dut.u_products.quot_q.value})
    await RisingEdge(dut.clk_i)


async def begin(dut: Any) -> None:
    Clock(dut.clk_i, 10, "ns").start()
    dut.rst_ni.value = dut.start_i.value = dut.wr_en_i.value = dut.rd_addr_i.value = 0
    dut.n_i.value, dut.passes_i.value, dut.p_prime_i.value = N, N, mul.constants["p'"]
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await load(dut, 2, mul.modulus)


async def load(dut: Any, select: int, value: int) -> None:
    """Write a number through the write port, low word first."""
    dut.wr_en_i.value, dut.wr_sel_i.value = 1, select
    for address in range(N + 1 if select != 1 else N):
        dut.wr_addr_i.value = address
        dut.wr_data_i.value = value >> K * address & (1 << K) - 1
        await RisingEdge(dut.clk_i)
    dut.wr_en_i.value = 0


async def result(dut: Any) -> int:
    """Read the result, low word first."""
    value = 0
    for address in range(N + 1):
        dut.rd_addr_i.value = address
        await RisingEdge(dut.clk_i)
        value |= int(dut.rd_data_o.value) << K * address
    return value
