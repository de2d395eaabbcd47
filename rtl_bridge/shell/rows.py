# SPDX-License-Identifier: Apache-2.0
"""The rows of watched signals: what is sampled in a cycle, and in which cycles a row is stored."""

from collections.abc import Mapping

from limbtrace.rtl_bridge.shell.layout import Layout


def row_lines(layout: Layout) -> list[str]:
    """The registers of a row, `row_o` and `store_o`."""
    delayed = _delayed(layout)
    widths = dict([*layout.combinational, *layout.registers])
    comb = [delayed.get(wire, wire) for wire, _ in reversed(layout.combinational)] or ["1'b0"]
    regs = [delayed.get(wire, wire) for wire, _ in reversed(layout.registers)] or ["1'b0"]
    return [
        *(f"  logic [{widths[wire] - 1}:0] {name};" for wire, name in delayed.items()),
        *(f"  always_ff @(posedge clk_i) {name} <= {wire};" for wire, name in delayed.items()),
        # Sampled, not wired: a wire this wide would be evaluated whenever one of its signals changes.
        f"  logic [{layout.combinational_width - 1}:0] comb_q;",
        f"  logic [{layout.registers_width + layout.combinational_width - 1}:0] row_q;",
        "  always_ff @(posedge clk_i) if (sample_i) begin",
        f"    comb_q <= {{{', '.join(comb)}}};",
        f"    row_q <= {{{', '.join(regs)}, comb_q}};",
        "  end",
        "  assign row_o = row_q;",
        f"  assign store_o = {_store(layout, delayed)};",
    ]


def _delayed(layout: Layout) -> dict[str, str]:
    """Registers that delay watched signals by one clock, {wire: register}.

    They are needed where the cycle of row 0 of a stream is not known in advance.
    """
    wires = dict.fromkeys(wire for wire, _ in (*layout.combinational, *layout.registers))
    return {wire: f"late_{k}" for k, wire in enumerate(wires)} if layout.bound.protocol.late else {}


def _store(layout: Layout, delayed: Mapping[str, str]) -> str:
    """The condition under which a row is stored: each cycle, or an event and the end of a product."""
    matches = {row.match for row in layout.bound.core.file.row}
    if "cycle" in matches:
        return "1'b1"
    conditions = [delayed.get(layout.net(name), layout.net(name)) for name in layout.whens]
    conditions += ["finished_o"] if "result" in matches else []
    return " | ".join(conditions) or "1'b0"
