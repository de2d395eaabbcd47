# SPDX-License-Identifier: Apache-2.0
"""The rules of the handshake as wires, and lt_monitor, which checks them."""

from collections.abc import Sequence

from limbtrace.rtl_bridge.protocols.connection import HandshakeRule
from limbtrace.rtl_bridge.shell.layout import Layout


def monitor_lines(layout: Layout, rules: Sequence[HandshakeRule]) -> list[str]:
    """Wires `broken_K`, one for each rule, and the instance of lt_monitor."""
    reset = layout.bound.core.file.reset
    width = max((rule.width for rule in rules), default=1)
    settle = reset.registers if reset else 2
    count = max(len(rules), 1)
    lenient = sum(rule.lenient << k for k, rule in enumerate(rules))
    broken = ", ".join(f"broken_{k}" for k in reversed(range(len(rules)))) or "1'b0"
    return [
        "  logic reset_over;",
        *(line for k, rule in enumerate(rules) for line in _rule_lines(layout, k, rule)),
        "  lt_monitor #(",
        f"    .Rules({count}), .LevelW({width}), .Settle({settle}), .Lenient({count}'d{lenient})",
        "  ) u_monitor (",
        "    .clk_i(clk_i),",
        "    .rst_i(resetting),",
        "    .begin_i(valid_i & ready_o),",
        "    .started_i(started_o),",
        f"    .broken_i({{{broken}}}),",
        f"    .level_i({{{_levels(layout, rules, width)}}}),",
        "    .ready_o(reset_over),",
        "    .rule_o(rule_o),",
        "    .level_o(rule_level_o),",
        "    .since_o(rule_since_o),",
        "    .cycle_o(rule_cycle_o),",
        "    .early_o(early_o)",
        "  );",
    ]


def _levels(layout: Layout, rules: Sequence[HandshakeRule], width: int) -> str:
    """The levels that are reported with a broken rule, the last one first."""
    levels = [rule.value or layout.net(rule.name) for rule in reversed(rules)]
    return ", ".join(levels if width == 1 else [f"{width}'({value})" for value in levels]) or "1'b0"


def _rule_lines(layout: Layout, number: int, rule: HandshakeRule) -> list[str]:
    """The wire of a rule; for a rule about a change of the signal, with a register of the violation before."""
    if rule.value:
        return [f"  wire broken_{number} = {rule.when};"]
    net = layout.net(rule.name)
    unknown = f"(({net} ^ {net}) !== 1'b0)"
    wrong = unknown if rule.level is None else f"({net} !== 1'b{rule.level})"
    if not rule.moves:
        return [f"  wire broken_{number} = ({rule.when}) & {wrong};"]
    was = wrong if rule.from_reset else f"(reset_over & {wrong})"
    return [
        f"  logic was_{number};",
        f"  always_ff @(posedge clk_i) if (was_{number} !== {was}) was_{number} <= {was};",
        f"  wire broken_{number} = ({rule.when}) & (~was_{number} | {unknown}) & {wrong};",
    ]
