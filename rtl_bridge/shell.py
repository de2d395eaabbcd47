# SPDX-License-Identifier: Apache-2.0
"""The shell: the one generated piece of HDL, which makes every core look the same to the static testbenches."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rtl_bridge.bound import COUNT_BITS, Bound, Watch
from rtl_bridge.corefile import Memory, Result, StartDone

CYCLE_BITS = 32
"""Width of the cycle number in a row."""


@dataclass(frozen=True)
class Field:
    """Some bits of the constants that a testbench holds stable."""

    name: str
    width: int
    value: int


def pack(fields: Sequence[Field]) -> int:
    """The fields as one integer, the first in the low bits."""
    word = shift = 0
    for field in fields:
        word |= field.value << shift
        shift += field.width
    return word


@dataclass(frozen=True)
class Shell:
    """Widths, positions and text of the shell of a bound core. The text does not depend on the modulus."""

    bound: Bound

    @cached_property
    def constants(self) -> list[Field]:
        """What a testbench holds stable: input values, images of constant loads, word counts."""
        bound = self.bound
        file = bound.core.file
        fields = [Field(f"input_{i.port}", bound.ports[i.port].width, bound.value(i.port, i.value)) for i in file.input]
        for k, (load, words) in enumerate(zip(bound.loads, bound.words, strict=True)):
            if load.value not in ("a", "b"):
                fields.append(Field(f"image_{k}", self.image_width, bound.value(f"memory.load[{k}].value", load.value)))
            fields.append(Field(f"words_{k}", COUNT_BITS, words))
        if file.result.words is not None:
            fields.append(Field("words_result", COUNT_BITS, bound.formula("result.words", file.result.words)))
        return fields or [Field("none", 1, 0)]

    @cached_property
    def image_width(self) -> int:
        """Bits of the memory image of a load."""
        memory = self.bound.core.file.memory
        return self.bound.depth("memory.depth", memory.depth) * self._width(memory.data) if memory else 0

    def operand_width(self, name: str) -> int:
        """Bits of operand a or b as a testbench gives it."""
        for operand in self.bound.core.file.operand:
            if operand.name == name:
                return self._width(operand.port)
        return self.image_width

    @cached_property
    def result_width(self) -> int:
        result = self.bound.core.file.result
        if result.port:
            return self._width(result.port)
        assert result.depth is not None
        assert result.data is not None
        return self.bound.depth("result.depth", result.depth) * self._width(result.data)

    @cached_property
    def whens(self) -> list[str]:
        """Ports that say that an event happens, each once."""
        return list(dict.fromkeys(row.when for row in self.bound.core.file.row if row.when))

    @cached_property
    def combinational(self) -> list[tuple[str, int]]:
        """(port, width) of what is sampled during a cycle, the first in the low bits."""
        watched = [(w.row.port, w.width) for w in self.bound.watches if w.kind == "combinational"]
        return watched + [(port, 1) for port in self.whens]

    @cached_property
    def registers(self) -> list[tuple[str, int]]:
        """(port, width) of what is sampled after the edge that ends a cycle, the first in the low bits."""
        return [(w.row.port, w.width) for w in self.bound.watches if w.kind == "register"]

    @property
    def combinational_width(self) -> int:
        return max(sum(width for _, width in self.combinational), 1)

    @property
    def registers_width(self) -> int:
        return max(sum(width for _, width in self.registers), 1)

    def offset(self, watch: Watch) -> int:
        """Position of a watched port in a row {registers, combinational, cycle number}."""
        group = [w for w in self.bound.watches if w.kind == watch.kind]
        start = CYCLE_BITS + (self.combinational_width if watch.kind == "register" else 0)
        return start + sum(w.width for w in group[: group.index(watch)])

    def when_offset(self, port: str) -> int:
        """Position of a `when` port in a row: above the watched combinational ports."""
        watched = sum(w.width for w in self.bound.watches if w.kind == "combinational")
        return CYCLE_BITS + watched + self.whens.index(port)

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of the static testbenches."""
        return {
            "ConstW": sum(field.width for field in self.constants),
            "AW": self.operand_width("a"),
            "BW": self.operand_width("b"),
            "ResultW": self.result_width,
            "CombW": self.combinational_width,
            "RegW": self.registers_width,
        }

    def _width(self, port: str) -> int:
        return self.bound.ports[port].width

    def _or_noise(self, group: str, value: str, port: str) -> str:
        """What goes into a port: `value`, or noise while that group of inputs has it."""
        width = self._width(port)
        return f"noisy_{group} ? {width}'({{{-(-width // 16)}{{noise}}}}) : {value}"

    def _noise(self) -> list[str]:
        """When the groups of inputs that nobody may look at have noise, if unknown inputs are asked for."""
        file = self.bound.core.file
        needed = {}
        if file.operand:
            needed["operands"] = "offer | run" if isinstance(file.protocol, StartDone) else "offer"
        if file.memory:
            needed["write"] = "load_enable"
        if file.result.address:
            needed["read"] = "read"
        lines = [f"  wire noisy_{group} = unknown & ~({condition});" for group, condition in needed.items()]
        return [*lines, f"  wire noisy = {' | '.join(f'noisy_{group}' for group in needed)};"]

    @cached_property
    def text(self) -> str:
        """SystemVerilog of module limbtrace_shell."""
        file = self.bound.core.file
        inputs = self._control_inputs()
        body = [*self._declarations(), *self._handshake(inputs)]
        body += self._loader(file.memory, inputs) + self._result(file.result, inputs)
        body += self._noise() + self._watched()
        connections = inputs | {port: f"out_{port}" for port in self._outputs()}
        ports = ",\n".join(f"    .{port}({signal})" for port, signal in connections.items())
        parameters = ",\n".join(f"    .{name}({value})" for name, value in self.bound.parameters.items())
        head = f"#(\n{parameters}\n  ) " if parameters else ""
        body += ["  // verilator tracing_on", f"  {file.simulated_top} {head}u_core (\n{ports}\n  );"]
        body += ["  // verilator tracing_off"]
        pulses = isinstance(file.protocol, StartDone)
        early = not pulses and file.result.port is not None  # a result in a memory would be overwritten
        widths = self.parameters
        return _TEMPLATE.format(name=file.name, body="\n".join(body), pulses=int(pulses), early=int(early), **widths)

    def _outputs(self) -> list[str]:
        """Outputs of the core that the shell uses, each once."""
        file = self.bound.core.file
        protocol, result = file.protocol, file.result
        if isinstance(protocol, StartDone):
            names = [protocol.done, protocol.busy]
        else:
            names = [protocol.in_ready, protocol.out_valid]
        names += [result.port, result.data, *(row.port for row in file.row), *self.whens]
        return list(dict.fromkeys(name for name in names if name))

    def _control_inputs(self) -> dict[str, str]:
        """What goes into the core besides operands: clock, reset, constants, handshake."""
        file = self.bound.core.file
        protocol = file.protocol
        inputs = {file.clock.port: "clk_i", file.reset.port: "rst" if file.reset.active == "high" else "~rst"}
        inputs |= {constant.port: f"input_{constant.port}" for constant in file.input}
        if isinstance(protocol, StartDone):
            return {**inputs, protocol.start: "offer"}
        return {**inputs, protocol.in_valid: "offer", protocol.out_ready: "willing"}

    def _declarations(self) -> list[str]:
        """The constants taken apart, and a wire for every output of the core."""
        lines = [
            "  logic rst, load, loaded, read, read_done, run, offer, extra, accept, core_done, willing, take;",
            "  logic waits;",
            "  logic [15:0] random, noise;",
            "  wire disturb = disturb_i[0];",
            "  wire unknown = disturb_i[1];",
            "  wire renew = disturb_i[2];",
            "  wire [15:0] seed = disturb_i[3 +: 16];",
            *_NOISE,
        ]
        position = 0
        for field in self.constants:
            lines.append(f"  wire [{field.width - 1}:0] {field.name} = constants_i[{position} +: {field.width}];")
            position += field.width
        return lines + [f"  wire [{self._width(port) - 1}:0] out_{port};" for port in self._outputs()]

    def _handshake(self, inputs: dict[str, str]) -> list[str]:
        """Start and done look like valid and ready; where operands may change after their edge, they do.

        An early offer is one of half the operands, which no range excludes.
        """
        file = self.bound.core.file
        protocol = file.protocol
        lines = ["  assign rst = rst_i;" if file.reset.synchronous else "  always_ff @(negedge clk_i) rst <= rst_i;"]
        if isinstance(protocol, StartDone):
            for operand in file.operand:
                inputs[operand.port] = self._or_noise("operands", f"{operand.name}_i", operand.port)
            accept, done = f"~out_{protocol.busy}" if protocol.busy else "~run", protocol.done
        else:
            for operand in file.operand:
                offered, other = f"(extra ? {operand.name}_i >> 1 : {operand.name}_i)", f"~{operand.name}_i"
                inputs[operand.port] = f"offer ? {offered} : {self._or_noise('operands', other, operand.port)}"
            accept, done = f"out_{protocol.in_ready}", protocol.out_valid
        return [*lines, f"  assign accept = {accept};", f"  assign core_done = out_{done};"]

    def _loader(self, memory: Memory | None, inputs: dict[str, str]) -> list[str]:
        if memory is None:
            return ["  assign loaded = 1'b1;"]
        loads = list(enumerate(self.bound.loads))
        select_width = self._width(memory.select) if memory.select else 1
        images = [f"{self.image_width}'({v.value}_i)" if v.value in ("a", "b") else f"image_{k}" for k, v in loads]
        once = "".join("0" if load.value in ("a", "b") else "1" for _, load in reversed(loads))
        selects = ", ".join(f"{select_width}'d{load.select}" for _, load in reversed(loads))
        inputs[memory.enable] = "load_enable"
        for name, port in (("address", memory.address), ("data", memory.data), ("select", memory.select)):
            if port:
                inputs[port] = self._or_noise("write", f"load_{name}", port)
        return [
            "  logic load_enable;",
            f"  logic [{select_width - 1}:0] load_select;",
            f"  logic [{self._width(memory.address) - 1}:0] load_address;",
            f"  logic [{self._width(memory.data) - 1}:0] load_data;",
            "  limbtrace_loader #(",
            f"    .Loads({len(loads)}),",
            f"    .Depth({self.image_width // self._width(memory.data)}),",
            f"    .DataW({self._width(memory.data)}),",
            f"    .AddrW({self._width(memory.address)}),",
            f"    .SelectW({select_width}),",
            f"    .Once({len(loads)}'b{once})",
            "  ) u_loader (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .load_i(load),",
            "    .renew_i(renew),",
            "    .loaded_o(loaded),",
            f"    .images_i({{{', '.join(reversed(images))}}}),",
            f"    .words_i({{{', '.join(f'words_{k}' for k, _ in reversed(loads))}}}),",
            f"    .selects_i({{{selects}}}),",
            "    .enable_o(load_enable),",
            "    .select_o(load_select),",
            "    .address_o(load_address),",
            "    .data_o(load_data)",
            "  );",
        ]

    def _result(self, result: Result, inputs: dict[str, str]) -> list[str]:
        if result.port:
            return [
                f"  logic [{self.result_width - 1}:0] result_q;",
                f"  always_ff @(posedge clk_i) if (take) result_q <= out_{result.port};",
                "  assign result_o = result_q;",
                "  assign read_done = 1'b1;",
            ]
        assert result.address is not None
        assert result.data is not None
        inputs[result.address] = self._or_noise("read", "read_address", result.address)
        width = self._width(result.data)
        return [
            f"  logic [{self._width(result.address) - 1}:0] read_address;",
            "  limbtrace_reader #(",
            f"    .Depth({self.result_width // width}),",
            f"    .DataW({width}),",
            f"    .AddrW({self._width(result.address)})",
            "  ) u_reader (",
            "    .clk_i(clk_i),",
            "    .read_i(read),",
            "    .done_o(read_done),",
            "    .words_i(words_result),",
            "    .address_o(read_address),",
            f"    .data_i(out_{result.data}),",
            "    .result_o(result_o)",
            "  );",
        ]

    def _watched(self) -> list[str]:
        rows = self.bound.core.file.row
        comb = [f"out_{port}" for port, _ in reversed(self.combinational)] or ["1'b0"]
        regs = [f"out_{port}" for port, _ in reversed(self.registers)] or ["1'b0"]
        if any(row.match == "cycle" for row in rows):
            store = "1'b1"
        else:
            wanted = [f"out_{port}" for port in self.whens]
            wanted += ["finished_o"] if any(row.match == "result" for row in rows) else []
            store = " | ".join(wanted) or "1'b0"
        return [
            # Sampled, not wired: a wire this wide would be made anew whenever one of its signals moves.
            f"  logic [{self.combinational_width - 1}:0] comb_q;",
            f"  logic [{self.registers_width + self.combinational_width - 1}:0] row_q;",
            "  always_ff @(posedge clk_i) if (sample_i) begin",
            f"    comb_q <= {{{', '.join(comb)}}};",
            f"    row_q <= {{{', '.join(regs)}, comb_q}};",
            "  end",
            "  assign row_o = row_q;",
            f"  assign store_o = {store};",
        ]


_NOISE = """`ifdef VERILATOR
  assign noise = random;  // it knows no x
`else
  assign noise = 'x;
`endif""".splitlines()

_TEMPLATE = """// SPDX-License-Identifier: Apache-2.0
// Generated from the core.toml of {name}.

`default_nettype none

// verilator lint_off UNUSEDSIGNAL
// Not every core uses every wire of the shell.
// verilator tracing_off
// Waveforms show the core alone.
module limbtrace_shell (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire  [15:0]        stall_seed_i,
  input  wire  [18:0]        disturb_i,  // of this product: {{seed, renew, unknown, disturb}}
  input  wire  [{ConstW}-1:0] constants_i,
  input  wire  [{AW}-1:0] a_i,
  input  wire  [{BW}-1:0] b_i,
  input  wire                valid_i,
  output logic               ready_o,
  output logic               started_o,
  output logic               finished_o,
  output logic               done_o,
  output logic [{ResultW}-1:0] result_o,
  output logic               store_o,
  input  wire                sample_i,
  output logic [{RegW}+{CombW}-1:0] row_o  // two edges later: {{registers, combinational}}
);

{body}

  limbtrace_sequencer #(
    .Pulses({pulses}),
    .Early({early})
  ) u_sequencer (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .stall_seed_i(stall_seed_i),
    .seed_i(seed),
    .disturb_i(disturb),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .started_o(started_o),
    .finished_o(finished_o),
    .done_o(done_o),
    .load_o(load),
    .loaded_i(loaded),
    .read_o(read),
    .read_done_i(read_done),
    .run_o(run),
    .offer_o(offer),
    .extra_o(extra),
    .accept_i(accept),
    .result_valid_i(core_done),
    .willing_o(willing),
    .take_o(take),
    .wait_o(waits),
    .random_o(random)
  );

endmodule

`default_nettype wire
"""
