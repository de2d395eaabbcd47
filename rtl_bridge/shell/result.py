# SPDX-License-Identifier: Apache-2.0
"""The result of the core: on a port, behind a read port, or in a memory of its own; and its reduction."""

from limbtrace.rtl_bridge.description.table import COUNT_BITS
from limbtrace.rtl_bridge.description.tables import Result
from limbtrace.rtl_bridge.interface.verilog_words import literal
from limbtrace.rtl_bridge.shell.layout import Layout
from limbtrace.rtl_bridge.shell.memories import result_memory_lines
from limbtrace.rtl_bridge.shell.verilog import instance, or_noise


def result_lines(layout: Layout) -> list[str]:
    """Assigns `Layout.result_net` and `read_done`."""
    result = layout.bound.core.file.result
    if result.port:
        return _port_lines(layout, result.port)
    return result_memory_lines(layout, result) if result.enable else _reader_lines(layout, result)


def result_inputs(layout: Layout) -> dict[str, str]:
    """Drivers of the inputs of a read port; none without one."""
    result = layout.bound.core.file.result
    if result.port or result.enable:
        return {}
    ports = {result.address: "read_address", result.product: "read_product"}
    return {port: or_noise("read", value, layout.width(port)) for port, value in ports.items() if port}


def _port_lines(layout: Layout, port: str) -> list[str]:
    stays = layout.bound.core.file.result.stays in ("load", "start")
    when = "take | (read & seed_i[8])" if stays else "take"  # disturbed, in half of the products it is sampled later
    return [
        f"  logic [{layout.result_width - 1}:0] result_q;",
        f"  always_ff @(posedge clk_i) if ({when}) result_q <= {port_value(layout, port)};",
        f"  assign {layout.result_net} = result_q;",
        "  assign read_done = 1'b1;",
    ]


def port_value(layout: Layout, port: str) -> str:
    """Expression of the result, or of its word, on a port; digits are added up unless each of them is compared."""
    result, net = layout.bound.core.file.result, layout.net(port)
    if layout.result_digits or (result.radix is None and result.digits is None):
        return net
    width = layout.width(port)
    if result.digits is not None:
        digits = layout.bound.formula("result.digits", result.digits)
        weight, size = layout.bound.formula("result.weight", result.weight or 0), width // digits
        terms = [f"({width}'({net}[{j * size} +: {size}]) << {j * weight})" for j in range(digits)]
        return " + ".join(terms)
    radix = layout.bound.value("result.radix", result.radix or 0)
    half = width // 2
    low, high = f"{net}[{half - 1}:0]", f"{net}[{width - 1}:{half}]"
    return f"{width}'({high}) * {width}'({literal(radix)}) + {width}'({low})"


def _reader_lines(layout: Layout, result: Result) -> list[str]:
    """lt_reader at a read port."""
    assert result.address is not None
    assert result.data is not None
    width, address_width = layout.width(result.data), layout.width(result.address)
    product_width = layout.width(result.product) if result.product else 1
    overlaps = result.weight is not None and not layout.result_digits
    parameters = {
        "CountW": COUNT_BITS,
        "Products": layout.bound.products,
        "Depth": layout.product_width("result") // width,
        "DataW": width,
        "Weight": layout.bound.formula("result.weight", result.weight or 0) if overlaps else width,
        "AddrW": address_width,
        **({"HighFirst": 1} if result.order == "high-first" else {}),
        **({"Latency": result.latency} if result.latency else {}),
        "ProductW": product_width,
    }
    ports = {
        "clk_i": "clk_i",
        "read_i": "read",
        "backwards_i": "read_backwards_i",
        "ready_i": "1'b1",
        "done_o": "read_done",
        "words_i": "words_result",
        "product_o": "read_product",
        "address_o": "read_address",
        "data_i": layout.net(result.data),
        "result_o": layout.result_net,
    }
    return [
        f"  logic [{address_width - 1}:0] read_address;",
        f"  logic [{product_width - 1}:0] read_product;",
        *instance("lt_reader", "u_reader", parameters, ports),
    ]


def residue_lines(layout: Layout) -> list[str]:
    """Results that need only be congruent: below their bound they are reduced, and others are as they are.

    A result in two's complement comes extended by its sign, and gets the multiple of the modulus here. Out of an exact
    range it has its top bit set, so that it differs from every residue.
    """
    if layout.bound.core.file.compare != "congruent":
        return []
    width, total, products = layout.product_width("result"), layout.result_width, layout.bound.products
    signed, exact = layout.bound.core.file.result.signed, layout.bound.signed_result is not None
    steps = _subtractions(layout)
    lines = [f"  wire [{total - 1}:0] results;"]
    shown = []
    for product in range(products):
        name, result = f"residue_{product}", f"results[{width * product} +: {width}]"
        if signed:
            lines += _positive_lines(name, result, width)
            result = f"{name}_positive"
        lines += _reduction(name, result, width, steps)
        if exact:
            lines += _range_lines(name, width)
        shown.append(_residue_in_range(name, width, steps) if exact else _residue(name, width, steps))
    if (guard := total - width * products) > 0:
        shown.append(f"results[{total - 1} -: {guard}]")
    return [*lines, f"  assign result_o = {{{', '.join(reversed(shown))}}};"]


def _subtractions(layout: Layout) -> int:
    """Number of subtractions that any modulus of these bits needs: moduli may change while a model runs."""
    return max((layout.bound.result_below - 1).bit_length() - layout.bound.multiplier.modulus.bits + 1, 0)


def _reduction(name: str, result: str, width: int, steps: int) -> list[str]:
    """Subtractions of multiples of the modulus by powers of two, the largest first."""
    lines = [f"  wire [{width}:0] {name}_0 = {{1'b0, {result}}};"]
    for k in range(steps):
        multiple = f"(residue_modulus << {steps - 1 - k})"
        reduced = f"{name}_{k} >= {multiple} ? {name}_{k} - {multiple} : {name}_{k}"
        lines.append(f"  wire [{width}:0] {name}_{k + 1} = {reduced};")
    return lines


def _residue(name: str, width: int, steps: int) -> str:
    return f"({name}_0 < residue_below ? {name}_{steps}[{width - 1}:0] : {name}_0[{width - 1}:0])"


def _positive_lines(name: str, result: str, width: int) -> list[str]:
    """A number in two's complement, and itself with the multiple that makes it positive."""
    return [
        f"  wire [{width - 1}:0] {name}_signed = {result};",
        f"  wire [{width - 1}:0] {name}_positive = {name}_signed + ({name}_signed[{width - 1}] ? residue_below : '0);",
    ]


def _range_lines(name: str, width: int) -> list[str]:
    """The comparison of a number in two's complement with its exact range."""
    return [
        f"  wire [{width - 1}:0] {name}_place = {name}_signed + residue_offset;",
        f"  wire {name}_fits = {name}_place < residue_count;",
    ]


def _residue_in_range(name: str, width: int, steps: int) -> str:
    """The residue of a number in two's complement, or the number with its top bit set."""
    return f"({name}_fits ? {name}_{steps}[{width - 1}:0] : {{1'b1, {name}_signed[{width - 2}:0]}})"
