# SPDX-License-Identifier: Apache-2.0
"""The shell: the only generated HDL, which gives every core the same interface to the static testbenches."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from limbtrace.rtl_bridge.description.signal_expression import is_expression, signals_in
from limbtrace.rtl_bridge.description.tables import Input
from limbtrace.rtl_bridge.interface.verilog_words import literal
from limbtrace.rtl_bridge.protocols.connection import Connection
from limbtrace.rtl_bridge.shell.layout import Layout
from limbtrace.rtl_bridge.shell.loader import LOAD_ENABLE, NO_LOADER, Loader
from limbtrace.rtl_bridge.shell.memories import fetch_lines, memory_rules
from limbtrace.rtl_bridge.shell.monitor import monitor_lines
from limbtrace.rtl_bridge.shell.port_nets import PortNets
from limbtrace.rtl_bridge.shell.result import port_value, residue_lines, result_inputs, result_lines
from limbtrace.rtl_bridge.shell.rows import row_lines
from limbtrace.rtl_bridge.shell.verilog import or_noise

STATIC = Path(__file__).resolve().parents[1] / "sv"
"""The testbenches, and the modules that the shell is made of."""
MODULES = tuple(path for path in sorted(STATIC.glob("*.sv")) if "_tb" not in path.stem)
"""Those that are no testbench."""


class Shell(Layout):
    """The layout of a shell and its text, which does not depend on the modulus."""

    @cached_property
    def text(self) -> str:
        """SystemVerilog of module lt_shell, and of the protocol's modules."""
        file = self.bound.core.file
        text = _TEMPLATE.format(
            name=file.name, body="\n".join(self._body()), **self._sequencer_parameters, **self.parameters
        )
        return text + "".join(f"\n{path.read_text(encoding='utf-8')}" for path in file.protocol.modules)

    def _body(self) -> Iterator[str]:
        """The lines between the ports of lt_shell and its sequencer."""
        drivers = self._drivers
        yield from self._declarations()
        yield from residue_lines(self)
        yield from self.connection.lines
        if self.bound.core.file.memory is None:
            yield "  assign last = 1'b0;"
        yield from self._reset_lines
        yield from self._noise_lines()
        yield from monitor_lines(self, self.connection.rules)
        yield from fetch_lines(self)
        yield from self._stable_lines
        yield from self._nets.input_lines(drivers)
        yield "  // verilator tracing_on"
        yield self._core_instance(self._nets.inputs(drivers) | self._nets.outputs)
        yield "  // verilator tracing_off"
        yield from row_lines(self)

    @cached_property
    def connection(self) -> Connection:
        """The text between the sequencer and the core, and the rules of the handshake."""
        return self.bound.protocol.connect(self)

    # What protocols use.

    def whole_result(self) -> str:
        """Expression of the result, or of its word, on the port; digits are added up unless each is compared."""
        port = self.bound.core.file.result.port
        assert port is not None
        return port_value(self, port)

    def or_noise(self, group: str, value: str, port: str) -> str:
        """The expression for a port: `value`, or noise if unknown inputs are enabled and the core must not sample it.

        `Connection.looked_at` gives the condition under which the core may sample a group of inputs.
        """
        return or_noise(group, value, self.width(port))

    def storage(self) -> Connection:
        """Writes operands into a memory, and takes the result from its port or reads it.

        Protocols that leave storage to the shell share this text.
        """
        memory = self.bound.core.file.memory
        loader = Loader(self, memory) if memory else None
        lines = [*(loader.lines if loader else NO_LOADER), *result_lines(self)]
        lines += ["  assign held_back = 1'b0;", "  assign early = 1'b0;"]
        inputs = (loader.inputs if loader else {}) | result_inputs(self)
        return Connection(inputs, lines, rules=tuple(memory_rules(self)), given=LOAD_ENABLE if loader else "")

    # Parts of the text.

    @cached_property
    def _nets(self) -> PortNets:
        """The nets at the ports of the core; outputs are those that the shell uses, each once."""
        file = self.bound.core.file
        names = [*file.protocol.outputs(self.bound.ports), file.result.port, file.result.data]
        names += [name for _, value in file.fetched for name in (value.address, value.enable)]
        if file.result.enable:
            names += [file.result.enable, file.result.address]
        names += [*(row.port for row in file.row), *(name for when in self.whens for name in self._watched(when))]
        names += [name for row in file.row if row.signal and is_expression(row.signal) for name in row.signals]
        return PortNets(self.bound.ports, dict.fromkeys(name for name in names if name and name in self.bound.ports))

    def _watched(self, when: str) -> tuple[str, ...]:
        """Outputs and signals that mark an event; a pin is one of them."""
        return (when,) if when in self.bound.ports else signals_in(when)

    @cached_property
    def _drivers(self) -> dict[str, str]:
        """The expression that drives each input pin of the core."""
        file = self.bound.core.file
        drivers = {file.clock.port: "clk_i"} if file.clock else {}
        if file.reset:
            drivers[file.reset.port] = "rst" if file.reset.active == "high" else "~rst"
        drivers |= {constant.port: self._constant(constant) for constant in file.input if constant.address is None}
        drivers |= {values[0][1].port: f"word_{k}" for k, values in enumerate(self.bound.memories)}
        return drivers | {
            port: f"`LT_STABLE(stable_{self.bound.ports[port].net}, {value})"
            for port, value in self.connection.inputs.items()
        }

    def _constant(self, constant: Input) -> str:
        """The expression for a port with a constant, which may come with the operands of its product."""
        pin = self.bound.ports[constant.port]
        name, number = f"input_{pin.net}", self.connection.number
        if constant.with_ in (None, "always"):
            return name
        if constant.with_ == "stream":
            return self.or_noise("constants", name, constant.port)
        if number and self.bound.products > 1:
            name = f"{name}[({number} == products ? 32'd0 : 32'({number})) * {pin.width} +: {pin.width}]"
        return self.or_noise("operands", name, constant.port) if "operands" in self.connection.looked_at else name

    @property
    def _stable_lines(self) -> Iterator[str]:
        """Drivers of input pins as from a register: an inertial delay leaves out pulses of no width."""
        yield from _STABLE
        for port, value in self.connection.inputs.items():
            pin = self.bound.ports[port]
            yield f"  wire [{pin.width - 1}:0] stable_{pin.net};"
            yield f"  assign #1 stable_{pin.net} = {value};"
        yield "`endif"

    @property
    def _sequencer_parameters(self) -> dict[str, int]:
        """Parameters of lt_sequencer, by their names in the template."""
        file, bound = self.bound.core.file, self.bound
        flags = {
            "pulses": file.protocol.pulses,
            "stalls": file.protocol.keeps,
            # Otherwise a result in a memory would be overwritten.
            "early": file.protocol.early and file.result.address is None,
            "again": file.again,
            "at_once": file.protocol.at_once,
            "ahead": file.ahead,
            "tries": file.protocol.tries_at_once,
            "loads_ahead": bound.loads_ahead,
            "reloads_first": bound.reloads_first,
            "with_start": bound.starts_with_write,
        }
        # In a stream that is told apart by its order, the stream's own module makes all offers.
        return {name: int(flag and not bound.in_order) for name, flag in flags.items()}

    @property
    def _reset_lines(self) -> Iterator[str]:
        """The reset of the core; disturbed, some resets last until the first cycle in which the core is given
        something."""
        reset, given = self.bound.core.file.reset, self.connection.given
        yield "  logic resetting;"
        if given and self.bound.starts_after_reset:
            yield from (
                "  logic lasts_q;",
                "  initial lasts_q = 1'b0;",
                f"  always @(posedge clk_i) lasts_q <= rst_i ? seed_i[7] : lasts_q & ~({given});",
                f"  assign resetting = rst_i | (lasts_q & ~({given}));",
            )
        else:
            yield "  assign resetting = rst_i;"
        if self.connection.lasting:
            lasts = "lasts_q" if given and self.bound.starts_after_reset else "1'b0"
            yield f"  assign {self.connection.lasting} = {lasts};"
        if reset is None or reset.synchronous:
            yield "  assign rst = resetting;"
        else:
            # Inactive at first: the beginning of an asynchronous reset is an event, at which registers are set.
            yield from ("  initial rst = 1'b0;", "  always @(negedge clk_i) rst <= resetting;")

    def _declarations(self) -> Iterator[str]:
        """The wires of the shell, the constants split into their fields, and a wire for every output of the core."""
        yield from _WIRES
        position = 0
        for field in self.constants:
            yield f"  wire [{field.width - 1}:0] {field.name} = constants_i[{position} +: {field.width}];"
            position += field.width
        yield from self._nets.output_lines

    def _noise_lines(self) -> list[str]:
        """The conditions under which groups of inputs carry noise, if unknown inputs are enabled."""
        file, groups = self.bound.core.file, dict(self.connection.looked_at)
        if any(constant.with_ == "stream" for constant in file.input):
            groups["constants"] = "offer | run"
        if file.memory:
            groups["write"] = f"{LOAD_ENABLE} | stray"
        if file.result.address and not file.result.enable:
            groups["read"] = "read"
        lines = [f"  wire noisy_{group} = unknown_i & ~({condition});" for group, condition in groups.items()]
        any_group = " | ".join(f"noisy_{group}" for group in groups) or "1'b0"
        return [*lines, f"  wire noisy = {any_group};"]

    def _core_instance(self, connections: dict[str, str]) -> str:
        ports = ",\n".join(f"    .{port}({signal})" for port, signal in connections.items())
        parameters = ",\n".join(f"    .{name}({literal(value)})" for name, value in self.bound.parameters.items())
        head = f"#(\n{parameters}\n  ) " if parameters else ""
        return f"  {self.bound.core.file.simulated_top} {head}u_core (\n{ports}\n  );"


_WIRES = """\
  logic rst, load, loaded, read, read_done, run, offer, extra, accept, core_done, willing, take;
  logic other, stray, early, swap, reload, refill, last;
  logic [1:0] held;
  logic stalled, held_back;
  wire waits = stalled | held_back;
  logic [15:0] random, noise;
  // In some products the inverse, in others random bits, in most x: a branch takes x for 0.
  wire inverted = seed_i[5] & seed_i[4];
`ifdef VERILATOR
  assign noise = random;  // it knows no x
`else
  assign noise = seed_i[6] ? random : 'x;
`endif
`ifdef SYNTHESIS
`define LT_WORD(value) value
`else
  // In half of the products whose words are loaded in another order, some cycles have no word.
  wire paused = (|load_order_i) & seed_i[9] & random[2];
`define LT_WORD(value) (value & ~paused)
`endif""".splitlines()
"""Declarations of every shell."""

_STABLE = """\
`ifdef SYNTHESIS
`define LT_STABLE(net, value) value
`elsif VERILATOR  // it evaluates every expression once
`define LT_STABLE(net, value) value
`else
`define LT_STABLE(net, value) net""".splitlines()
"""Start of the lines for input pins; a core may have an edge of one, or a latch."""

_TEMPLATE = """// SPDX-License-Identifier: Apache-2.0
// Generated from the core.toml of {name}.

`default_nettype none

// verilator lint_off UNUSEDSIGNAL
// Not every core uses every wire of the shell.
// verilator tracing_off
// Waveforms show the core alone.
module lt_shell (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire  [15:0]        stall_seed_i,
  // Disturbances of this product
  input  wire                disturb_i,  // offers while the core works
  input  wire  [1:0]         prefix_count_i,   // other products right in front of it
  input  wire  [3:0]         in_done_cycle_i,  // by the number of those left: the next start in the done cycle
  input  wire  [6:0]         gap_i,            // else cycles in front of it
  input  wire  [7:0]         result_stall_i,   // cycles that its result is stalled
  input  wire                read_early_i,     // it is read from the done cycle on
  input  wire                reload_first_i,   // operands are written before it is read
  input  wire                read_backwards_i, // it is read from the last word on
  input  wire  [3:0]         load_order_i,     // of words and operands, as in lt_loader
  input  wire  [1:0]         load_skip_i,      // {{b, a}} is there since the product before it
  input  wire                load_ahead_i,     // operands are loaded while the core works
  input  wire                write_i,    // writes to the memory while the core works
  input  wire                unknown_i,  // don't-care inputs are unknown
  input  wire                renew_i,    // the constants are new
  input  wire  [15:0]        seed_i,     // of the random numbers; 0: they go on, and nothing is disturbed
  input  wire  [31:0]        turn_i,     // number of the product
  input  wire  [{ConstW}-1:0] constants_i,
  input  wire  [{AW}-1:0] a_i,
  input  wire  [{BW}-1:0] b_i,
  input  wire                valid_i,
  output logic               ready_o,
  output logic               started_o,
  output logic               prefix_started_o,
  output logic               finished_o,
  output logic               done_o,
  output logic [{ResultW}-1:0] result_o,
  output logic               store_o,
  output logic [7:0]         rule_o,        // of lt_monitor
  output logic [63:0]        rule_level_o,
  output logic [1:0]         rule_since_o,
  output logic [31:0]        rule_cycle_o,
  output logic [31:0]        early_o,
  input  wire                sample_i,
  output logic [{RegW}+{CombW}-1:0] row_o  // two edges later: {{registers, combinational}}
);

{body}

  lt_sequencer #(
    .PulseOffer(1'b{pulses}),
    .StallResult(1'b{stalls}),
    .BackToBack(1'b{again}),
    .InDoneCycle(1'b{at_once}),
    .Overlap(1'b{ahead}),
    .EarlyOffer(1'b{early}),
    .TryInDoneCycle(1'b{tries}),
    .LoadAhead(1'b{loads_ahead}),
    .ReloadFirst(1'b{reloads_first}),
    .StartWithWrite(1'b{with_start})
  ) u_sequencer (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .stall_seed_i(stall_seed_i),
    .seed_i(seed_i),
    .turn_i(turn_i),
    .disturb_i(disturb_i),
    .prefix_count_i(prefix_count_i),
    .in_done_cycle_i(in_done_cycle_i),
    .gap_i(gap_i),
    .result_stall_i(result_stall_i),
    .read_early_i(read_early_i),
    .reload_first_i(reload_first_i),
    .load_ahead_i(load_ahead_i),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .started_o(started_o),
    .prefix_started_o(prefix_started_o),
    .finished_o(finished_o),
    .done_o(done_o),
    .load_o(load),
    .loaded_i(loaded),
    .last_i(`LT_WORD(last)),
    .swap_o(swap),
    .reload_o(reload),
    .refill_o(refill),
    .read_o(read),
    .read_done_i(read_done),
    .run_o(run),
    .held_o(held),
    .offer_o(offer),
    .extra_o(extra),
    .other_o(other),
    .accept_i(accept),
    .result_valid_i(core_done),
    .result_ready_o(willing),
    .take_o(take),
    .wait_o(stalled),
    .random_o(random)
  );

endmodule

`undef LT_STABLE
`undef LT_WORD
`default_nettype wire
"""
