# SPDX-License-Identifier: Apache-2.0
"""The memories that the core addresses itself: instances, and the rules of the core's accesses."""

from collections.abc import Iterator, Sequence

from limbtrace.rtl_bridge.description.table import COUNT_BITS
from limbtrace.rtl_bridge.description.tables import InputValue, Operand, Result
from limbtrace.rtl_bridge.protocols.connection import HandshakeRule
from limbtrace.rtl_bridge.shell.layout import Layout, read_name
from limbtrace.rtl_bridge.shell.verilog import instance

_IDLE, _BUSY = "held == '0", "held != '0"
"""No product, and some product, is at work."""


def fetch_lines(layout: Layout) -> list[str]:
    """The memories that the core reads."""
    return [line for number, values in enumerate(layout.bound.memories) for line in _fetch(layout, number, values)]


def _fetch(layout: Layout, number: int, values: Sequence[tuple[str, InputValue]]) -> list[str]:
    """One memory; `values` are those in it with their keys."""
    first = values[0][1]
    width, address = layout.width(first.port), first.address or ""
    words = {place: word for key, value in values for place, word in _words(layout, key, value)}
    depth = max(words) + 1
    image = ", ".join(words.get(place, f"{{{width}{{1'b1}}}}") for place in reversed(range(depth)))
    parameters = {
        "Depth": depth,
        "DataW": width,
        "AddrW": layout.width(address),
        "Latency": 1 if first.latency is None else first.latency,
    }
    ports = {
        "clk_i": "clk_i",
        "image_i": f"{{{image}}}",
        "enable_i": layout.net(first.enable) if first.enable else "1'b1",
        "address_i": layout.net(address),
        "data_o": f"word_{number}",
    }
    return [
        *_operand_wires(layout, values),
        f"  wire [{width - 1}:0] word_{number};",
        *instance("lt_fetch", f"u_fetch_{number}", parameters, ports),
    ]


def _operand_wires(layout: Layout, values: Sequence[tuple[str, InputValue]]) -> Iterator[str]:
    """The images of operands, which are other ones while another product is offered."""
    for key, value in values:
        if isinstance(value, Operand):
            bits = layout.width(value.port) * layout.bound.read_words(key, value)
            image = f"(~other | (offer & ~extra)) ? {value.name}_i : {value.halved}"
            yield f"  wire [{bits - 1}:0] {read_name(key)} = {image};"


def _words(layout: Layout, key: str, value: InputValue) -> Iterator[tuple[int, str]]:
    """(address, word) of a value."""
    width, count, base = layout.width(value.port), layout.bound.read_words(key, value), layout.bound.base(key, value)
    for k in range(count):
        place = count - 1 - k if value.order == "high-first" else k
        yield base + k, f"{read_name(key)}[{width * place} +: {width}]"


def result_memory_lines(layout: Layout, result: Result) -> list[str]:
    """The memory that the core writes its result into."""
    width = layout.width(result.data or "")
    parameters = {
        "CountW": COUNT_BITS,
        "Depth": layout.product_width("result") // width,
        "DataW": width,
        "AddrW": layout.width(result.address or ""),
        "HighFirst": int(result.order == "high-first"),
    }
    ports = {
        "clk_i": "clk_i",
        "begin_i": "offer & accept",
        "run_i": "run",
        "words_i": "words_result",
        "enable_i": layout.net(result.enable or ""),
        "address_i": layout.net(result.address or ""),
        "data_i": layout.net(result.data or ""),
        "result_o": layout.result_net,
    }
    return [*instance("lt_writes", "u_writes", parameters, ports), "  assign read_done = 1'b1;"]


def memory_rules(layout: Layout) -> Iterator[HandshakeRule]:
    """Rules for memories that the core reads and writes."""
    for memory in layout.bound.memories:
        if enable := memory[0][1].enable:
            yield HandshakeRule(enable, None, _BUSY, "a product is at work")
    result = layout.bound.core.file.result
    if result.enable is not None:
        yield from _write_rules(layout, result, result.enable)


def _write_rules(layout: Layout, result: Result, enable: str) -> Iterator[HandshakeRule]:
    assert result.address is not None
    assert result.data is not None
    yield HandshakeRule(enable, 0, _IDLE, "no product is at work")
    yield HandshakeRule(enable, None, _BUSY, "a product is at work")
    address = layout.net(result.address)
    yield HandshakeRule(enable, 0, f"({_BUSY}) & ((^{address}) === 1'bx)", "the address is unknown")
    depth = layout.product_width("result") // layout.width(result.data)
    if depth >> layout.width(result.address) == 0:
        beyond = f"({_BUSY}) & (32'({address}) >= 32'd{depth})"
        yield HandshakeRule(enable, 0, beyond, f"the address is beyond the {depth} words of the memory")
