# SPDX-License-Identifier: Apache-2.0
"""The shell: the only generated HDL, which gives every core the same interface to the static testbenches."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from limbtrace.rtl_bridge.description.table import COUNT_BITS
from limbtrace.rtl_bridge.description.tables import Memory, Operand, Result
from limbtrace.rtl_bridge.interface.port_types import PortBits
from limbtrace.rtl_bridge.interface.verilog_words import literal
from limbtrace.rtl_bridge.protocols.connection import Connection, HandshakeRule
from limbtrace.rtl_bridge.shell.layout import Layout, read_name

STATIC = Path(__file__).resolve().parents[1] / "sv"
"""The testbenches, and the modules that the shell is made of."""
MODULES = tuple(path for path in sorted(STATIC.glob("*.sv")) if "_tb" not in path.stem)
"""Those that are no testbench."""


_MIXED = (
    "  wire [15:0] mixed = 16'(random * 16'h9e37) >> 6;",
    "  wire [15:0] times = random * 16'h6a5d;",
    "  wire [15:0] turned = {times[10:0], times[15:11]};",
)
"""More random numbers of the same cycle."""


class Shell(Layout):
    """The layout of a shell and its text, which does not depend on the modulus."""

    @cached_property
    def text(self) -> str:
        """SystemVerilog of module lt_shell, and of the protocol's modules."""
        file = self.bound.core.file
        protocol = file.protocol
        connection = self.connection
        synchronous = file.reset is None or file.reset.synchronous
        reset = "  assign rst = rst_i;" if synchronous else "  always_ff @(negedge clk_i) rst <= rst_i;"
        body = [
            *self._declarations(),
            *self._residues(),
            reset,
            *connection.lines,
            *self._noise(connection.looked_at),
            *self._monitor(),
        ]
        drivers = {file.clock.port: "clk_i"} if file.clock else {}
        if file.reset:
            drivers[file.reset.port] = "rst" if file.reset.active == "high" else "~rst"
        whole = [constant.port for constant in file.input if constant.address is None]
        drivers |= {port: f"input_{self.bound.ports[port].net}" for port in whole}
        drivers |= {values[0][1].port: f"word_{k}" for k, values in enumerate(self.bound.memories)}
        drivers |= connection.inputs
        body += [*self._fetches(), *self._driven(drivers)]
        connections = self._inputs(drivers) | self._read
        ports = ",\n".join(f"    .{port}({signal})" for port, signal in connections.items())
        parameters = ",\n".join(f"    .{name}({literal(value)})" for name, value in self.bound.parameters.items())
        head = f"#(\n{parameters}\n  ) " if parameters else ""
        body += ["  // verilator tracing_on", f"  {file.simulated_top} {head}u_core (\n{ports}\n  );"]
        body += ["  // verilator tracing_off", *self._watched()]
        # Otherwise a result in a memory would be overwritten.
        early = protocol.early and file.result.address is None
        counts = {
            "pulses": int(protocol.pulses),
            "stalls": int(protocol.keeps),
            "early": int(early),
            "again": int(file.again),
            "at_once": int(file.protocol.at_once),
            "ahead": int(file.ahead),
        }
        text = _TEMPLATE.format(name=file.name, body="\n".join(body), **counts, **self.parameters)
        return text + "".join(f"\n{path.read_text(encoding='utf-8')}" for path in protocol.modules)

    @cached_property
    def connection(self) -> Connection:
        """The text between the sequencer and the core, and the rules of the handshake."""
        return self.bound.protocol.connect(self)

    def _outputs(self) -> list[str]:
        """Outputs of the core that the shell uses, each once."""
        file = self.bound.core.file
        names = [*file.protocol.outputs(self.bound.ports), file.result.port, file.result.data]
        names += [name for _, value in file.fetched for name in (value.address, value.enable)]
        if file.result.enable:
            names += [file.result.enable, file.result.address]
        names += [*(row.port for row in file.row), *self.whens]
        return list(dict.fromkeys(name for name in names if name and name in self.bound.ports))

    def whole_result(self) -> str:
        """Expression of the result, or of its word on the port; digits are added up unless each of them is compared."""
        result = self.bound.core.file.result
        assert result.port is not None
        net = self.net(result.port)
        if self.result_digits or (result.radix is None and result.digits is None):
            return net
        width = self.width(result.port)
        if result.digits is not None:
            digits = self.bound.formula("result.digits", result.digits)
            weight, size = self.bound.formula("result.weight", result.weight or 0), width // digits
            terms = [f"({width}'({net}[{j * size} +: {size}]) << {j * weight})" for j in range(digits)]
            return " + ".join(terms)
        radix = self.bound.value("result.radix", result.radix or 0)
        half = width // 2
        low, high = f"{net}[{half - 1}:0]", f"{net}[{width - 1}:{half}]"
        return f"{width}'({high}) * {width}'({literal(radix)}) + {width}'({low})"

    def or_noise(self, group: str, value: str, port: str) -> str:
        """The expression for a port: `value`, or noise if unknown inputs are enabled and the core must not sample it.

        `Connection.looked_at` gives the condition under which the core may sample a group of inputs.
        """
        width = self.width(port)
        return f"noisy_{group} ? {width}'({{{-(-width // 16)}{{noise}}}}) : {value}"

    def storage(self) -> Connection:
        """Writes operands into a memory, and takes the result from its port or reads it.

        Protocols that leave storage to the shell share this text.
        """
        file = self.bound.core.file
        inputs: dict[str, str] = {}
        lines = self._loader(file.memory, inputs) + self._result(file.result, inputs)
        lines += ["  assign held_back = 1'b0;", "  assign early = 1'b0;"]
        return Connection(inputs, lines, rules=tuple(self._memory_rules(file.result)))

    def _memory_rules(self, result: Result) -> Iterator[HandshakeRule]:
        """Rules for memories that the core reads and writes."""
        busy = "held != '0"
        for memory in self.bound.memories:
            if enable := memory[0][1].enable:
                yield HandshakeRule(enable, None, busy, "a product is at work")
        if result.enable is None:
            return
        yield HandshakeRule(result.enable, 0, "held == '0", "no product is at work")
        yield HandshakeRule(result.enable, None, busy, "a product is at work")
        assert result.address is not None
        assert result.data is not None
        unknown = f"({busy}) & ((^{self.net(result.address)}) === 1'bx)"
        yield HandshakeRule(result.enable, 0, unknown, "the address is unknown")
        depth = self.product_width("result") // self.width(result.data)
        if depth >> self.width(result.address) == 0:
            beyond = f"({busy}) & (32'({self.net(result.address)}) >= 32'd{depth})"
            yield HandshakeRule(result.enable, 0, beyond, f"the address is beyond the {depth} words of the memory")

    def _declarations(self) -> list[str]:
        """The constants split into their fields, and a wire for every output of the core."""
        lines = [
            "  logic rst, load, loaded, read, read_done, run, offer, extra, accept, core_done, willing, take;",
            "  logic other, stray, early;",
            "  logic [1:0] held;",
            "  logic stalled, held_back;",
            "  wire waits = stalled | held_back;",
            "  logic [15:0] random, noise;",
            *_NOISE,
        ]
        position = 0
        for field in self.constants:
            lines.append(f"  wire [{field.width - 1}:0] {field.name} = constants_i[{position} +: {field.width}];")
            position += field.width
        return lines + self._shown()

    @cached_property
    def _read(self) -> dict[str, str]:
        """Net of each output port of the core that the shell uses; elements of an array have none of their own."""
        used = dict.fromkeys(bits.port for pin in self._outputs() for bits in self.bound.ports[pin].taken)
        return {port: self._whole("out", port) for port in used}

    def _whole(self, side: str, port: str) -> str:
        """Net of a port of the core."""
        return f"{'each' if self.bound.ports.port(port).form.is_unpacked else side}_{port}"

    def _net_of(self, port: str, net: str) -> str:
        """Declaration of the net of a port of the core."""
        form, ranges = self.bound.ports.port(port).form, ""
        while form.is_unpacked and form.range:
            ranges += f" [{form.range[0]}:{form.range[1]}]"
            form = form.inner
        return f"  wire [{form.width - 1}:0] {net}{ranges};"

    def _shown(self) -> list[str]:
        """A wire for every output of the core, and for every part of one that is named."""
        lines = [self._net_of(port, net) for port, net in self._read.items()]
        for pin in (self.bound.ports[name] for name in self._outputs()):
            if pin.bits:
                parts = [f"{'~' * bits.inverted}{self._select('out', bits)}" for bits in reversed(pin.bits)]
                lines.append(f"  wire [{pin.width - 1}:0] out_{pin.net} = {{{', '.join(parts)}}};")
        return lines

    def _select(self, side: str, bits: PortBits) -> str:
        """The bits of a port by the net of the port."""
        return f"{self._whole(side, bits.port)}{bits.element}[{bits.low + bits.width - 1}:{bits.low}]"

    def _inputs(self, drivers: Mapping[str, str]) -> dict[str, str]:
        """The driver of each input port of the core."""
        found: dict[str, str] = {}
        for name, signal in drivers.items():
            pin = self.bound.ports[name]
            found |= {bits.port: self._whole("in", bits.port) for bits in pin.bits} if pin.bits else {name: signal}
        return found

    def _driven(self, drivers: Mapping[str, str]) -> list[str]:
        """The nets of input ports that are driven in parts, and what drives the parts."""
        parts = {name: pin for name in drivers if (pin := self.bound.ports[name]).bits}
        ports = dict.fromkeys(bits.port for pin in parts.values() for bits in pin.bits)
        lines = [self._net_of(port, self._whole("in", port)) for port in ports]
        for name, pin in parts.items():
            lines.append(f"  wire [{pin.width - 1}:0] to_{pin.net} = {drivers[name]};")
            low = 0
            for bits in pin.bits:
                value = f"to_{pin.net}[{low + bits.width - 1}:{low}]"
                lines.append(f"  assign {self._select('in', bits)} = {'~' * bits.inverted}{value};")
                low += bits.width
        return lines

    def _loader(self, memory: Memory | None, inputs: dict[str, str]) -> list[str]:
        if memory is None:
            return ["  assign loaded = 1'b1;", "  assign stray = 1'b0;"]
        loads = [
            (k, load, place)
            for k, load in enumerate(self.bound.loads)
            for place in range(self.bound.products if load.value in ("a", "b") else 1)
        ]
        select_width = self.width(memory.select) if memory.select else 1
        product_width = self.width(memory.product) if memory.product else 1
        size = self.image_width
        images = [f"{v.value}_i[{size * p} +: {size}]" if v.value in ("a", "b") else f"image_{k}" for k, v, p in loads]
        once = "".join("0" if load.value in ("a", "b") else "1" for _, load, _ in reversed(loads))
        selects = [f"{product_width}'d{p}, {select_width}'d{load.select}" for _, load, p in reversed(loads)]
        inputs[memory.enable] = "load_enable | stray"
        grouped = self.bound.groups > 1
        strays = self._strays(memory)
        stray = strays.pop("stray")
        for name in ("address", "data", "select", "product"):
            if port := getattr(memory, name):
                drawn = self._drawn(memory, name)
                inputs[port] = self.or_noise("write", f"(stray ? {drawn} : load_{name})", port)
        # The last image of several groups is written while the core works.
        last = f"  assign loaded = filled | (load_enable & ({{load_product, load_select}} == {{{selects[0]}}}));"
        return [
            *([f"  wire {', '.join(strays)};"] if strays else []),
            f"  assign stray = {stray};",
            *(_MIXED if memory.locked else []),
            "  logic load_enable;",
            f"  logic [{select_width - 1}:0] load_select;",
            f"  logic [{product_width - 1}:0] load_product;",
            *([last] if grouped else []),
            f"  logic [{self.width(memory.address) - 1}:0] load_address;",
            f"  logic [{self.width(memory.data) - 1}:0] load_data;",
            *(f"  assign {name} = {value};" for name, value in strays.items()),
            "  lt_loader #(",
            f"    .CountW({COUNT_BITS}),",
            f"    .Loads({len(loads)}),",
            f"    .Depth({self.image_width // self.width(memory.data)}),",
            f"    .DataW({self.width(memory.data)}),",
            f"    .AddrW({self.width(memory.address)}),",
            f"    .SelectW({product_width + select_width}),",
            *(["    .HighFirst(1),"] if memory.order == "high-first" else []),
            f"    .Once({len(loads)}'b{once})",
            "  ) u_loader (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            f"    .load_i({'fill' if grouped else 'load'}),",
            "    .renew_i(renew_i),",
            "    .ready_i(1'b1),",
            f"    .loaded_o({'filled' if grouped else 'loaded'}),",
            f"    .images_i({{{', '.join(reversed(images))}}}),",
            f"    .words_i({{{', '.join(f'words_{k}' for k, _, _ in reversed(loads))}}}),",
            f"    .selects_i({{{', '.join(selects)}}}),",
            "    .enable_o(load_enable),",
            "    .select_o({load_product, load_select}),",
            "    .address_o(load_address),",
            "    .data_o(load_data)",
            "  );",
        ]

    def _strays(self, memory: Memory) -> dict[str, str]:
        """Wires of writes that the core has to ignore, {name: expression}.

        `works`: while the last group is at work; `late`: of a constant after the core would take another start;
        `starting`: in the cycle of a start; `stray`: any of them.
        """
        if not memory.locked:
            return {"stray": "1'b0"}
        # Never in the last cycle: the core is done then.
        works, starts = "write_i & run & (held != '0) & (core_done === 1'b0) & random[9]", "offer"
        found, terms = {}, [works]
        if self.bound.groups > 1:
            # Operands of the group at work are locked while it keeps the core busy, and constants until the end.
            starts = "(offer | next_start)"
            found["works"] = f"{works} & last_group & ~load_enable"
            terms = ["(works & ~accept)"]
            if self._constant_selects(memory):
                found["late"] = "works & accept"
                terms.append("late")
        if memory.locked == "start":
            found["starting"] = f"write_i & {starts} & accept & ~load_enable & random[9]"
            terms.append("starting")
        return {**found, "stray": " | ".join(terms)}

    def _constant_selects(self, memory: Memory) -> list[int]:
        """The `select` of each constant, once; empty without `select`."""
        constants = [load for load in self.bound.loads if load.value not in ("a", "b")] if memory.select else []
        return list(dict.fromkeys(load.select for load in constants))

    def _drawn(self, memory: Memory, name: str) -> str:
        """The value on an input of the memory during a write that the core has to ignore.

        Address, data and the rest are made differently of `random`, or each address would get the same few data.
        """
        width, grouped = self.width(getattr(memory, name)), memory.locked and self.bound.groups > 1
        source = {"address": "random", "data": "turned"}.get(name, "mixed") if memory.locked else "random"
        drawn = f"{width}'({{{-(-width // 16)}{{{source}}}}})"
        if name == "product" and grouped:
            each = self.bound.products // self.bound.groups
            group = f"other ? 16'd0 : 16'd{self.bound.groups - 1}"
            group = f"starting ? 16'(next_group) : {group}" if memory.locked == "start" else group
            return f"{width}'(({group}) * 16'd{each} + mixed % 16'd{each})"
        if name == "select" and grouped and (selects := self._constant_selects(memory)):
            whole = ", ".join(f"{width}'d{select}" for select in reversed(selects))
            return f"(late ? {width}'({{{whole}}} >> (16'd{width} * (mixed % 16'd{len(selects)}))) : {drawn})"
        return drawn

    def _fetches(self) -> list[str]:
        """The memories that the core reads."""
        lines: list[str] = []
        for number, values in enumerate(self.bound.memories):
            first, words = values[0][1], dict[int, str]()
            width, enable = self.width(first.port), self.net(first.enable) if first.enable else "1'b1"
            for key, value in values:
                count, base = self.bound.read_words(key, value), self.bound.base(key, value)
                name = read_name(key)
                if isinstance(value, Operand):
                    image = f"(~other | (offer & ~extra)) ? {value.name}_i : {value.halved}"
                    lines.append(f"  wire [{width * count - 1}:0] {name} = {image};")
                for k in range(count):
                    place = count - 1 - k if value.order == "high-first" else k
                    words[base + k] = f"{name}[{width * place} +: {width}]"
            depth = max(words) + 1
            image = ", ".join(words.get(k, f"{{{width}{{1'b1}}}}") for k in reversed(range(depth)))
            lines += [
                f"  wire [{width - 1}:0] word_{number};",
                "  lt_fetch #(",
                f"    .Depth({depth}),",
                f"    .DataW({width}),",
                f"    .AddrW({self.width(first.address or '')}),",
                f"    .Latency({1 if first.latency is None else first.latency})",
                f"  ) u_fetch_{number} (",
                "    .clk_i(clk_i),",
                f"    .image_i({{{image}}}),",
                f"    .enable_i({enable}),",
                f"    .address_i({self.net(first.address or '')}),",
                f"    .data_o(word_{number})",
                "  );",
            ]
        return lines

    def _writes(self, result: Result) -> list[str]:
        """The memory that the core writes its result into."""
        width = self.width(result.data or "")
        return [
            "  lt_writes #(",
            f"    .CountW({COUNT_BITS}),",
            f"    .Depth({self.product_width('result') // width}),",
            f"    .DataW({width}),",
            f"    .AddrW({self.width(result.address or '')}),",
            f"    .HighFirst({int(result.order == 'high-first')})",
            "  ) u_writes (",
            "    .clk_i(clk_i),",
            "    .begin_i(offer & accept),",
            "    .run_i(run),",
            "    .words_i(words_result),",
            f"    .enable_i({self.net(result.enable or '')}),",
            f"    .address_i({self.net(result.address or '')}),",
            f"    .data_i({self.net(result.data or '')}),",
            f"    .result_o({self.result_net})",
            "  );",
            "  assign read_done = 1'b1;",
        ]

    def _result(self, result: Result, inputs: dict[str, str]) -> list[str]:
        if result.port:
            return [
                f"  logic [{self.result_width - 1}:0] result_q;",
                f"  always_ff @(posedge clk_i) if (take) result_q <= {self.whole_result()};",
                f"  assign {self.result_net} = result_q;",
                "  assign read_done = 1'b1;",
            ]
        assert result.address is not None
        assert result.data is not None
        if result.enable:
            return self._writes(result)
        inputs[result.address] = self.or_noise("read", "read_address", result.address)
        width = self.width(result.data)
        product_width = self.width(result.product) if result.product else 1
        if result.product:
            inputs[result.product] = self.or_noise("read", "read_product", result.product)
        apart = result.weight is None or self.result_digits
        weight = width if apart else self.bound.formula("result.weight", result.weight or 0)
        return [
            f"  logic [{self.width(result.address) - 1}:0] read_address;",
            f"  logic [{product_width - 1}:0] read_product;",
            "  lt_reader #(",
            f"    .CountW({COUNT_BITS}),",
            f"    .Products({self.bound.products}),",
            f"    .Depth({self.product_width('result') // width}),",
            f"    .DataW({width}),",
            f"    .Weight({weight}),",
            f"    .AddrW({self.width(result.address)}),",
            *(["    .HighFirst(1),"] if result.order == "high-first" else []),
            *([f"    .Latency({result.latency}),"] if result.latency else []),
            f"    .ProductW({product_width})",
            "  ) u_reader (",
            "    .clk_i(clk_i),",
            "    .read_i(read),",
            "    .ready_i(1'b1),",
            "    .done_o(read_done),",
            "    .words_i(words_result),",
            "    .product_o(read_product),",
            "    .address_o(read_address),",
            f"    .data_i({self.net(result.data)}),",
            f"    .result_o({self.result_net})",
            "  );",
        ]

    def _residues(self) -> list[str]:
        """Results that need only be congruent: below their bound they are reduced, and others are as they are."""
        if self.bound.core.file.compare != "congruent":
            return []
        width, total = self.product_width("result"), self.result_width
        # As many as any modulus of these bits needs: moduli may change while a model runs.
        times = max((self.bound.result_below - 1).bit_length() - self.bound.multiplier.modulus.bits + 1, 0)
        lines = [f"  wire [{total - 1}:0] results;"]
        shown = []
        for product in range(self.bound.products):
            name = f"residue_{product}"
            lines.append(f"  wire [{width}:0] {name}_0 = {{1'b0, results[{width * product} +: {width}]}};")
            for k in range(times):
                part = f"(residue_modulus << {times - 1 - k})"
                lines.append(
                    f"  wire [{width}:0] {name}_{k + 1} = {name}_{k} >= {part} ? {name}_{k} - {part} : {name}_{k};"
                )
            shown.append(f"({name}_0 < residue_below ? {name}_{times}[{width - 1}:0] : {name}_0[{width - 1}:0])")
        if (rest := total - width * self.bound.products) > 0:
            shown.append(f"results[{total - 1} -: {rest}]")
        return [*lines, f"  assign result_o = {{{', '.join(reversed(shown))}}};"]

    def _noise(self, looked_at: Mapping[str, str]) -> list[str]:
        """The conditions under which groups of inputs carry noise, if unknown inputs are enabled."""
        file, groups = self.bound.core.file, dict(looked_at)
        if file.memory:
            groups["write"] = "load_enable | stray"
        if file.result.address and not file.result.enable:
            groups["read"] = "read"
        lines = [f"  wire noisy_{group} = unknown_i & ~({condition});" for group, condition in groups.items()]
        some = " | ".join(f"noisy_{group}" for group in groups) or "1'b0"
        return [*lines, f"  wire noisy = {some};"]

    def _monitor(self) -> list[str]:
        """The rules of the handshake, and what looks after them."""
        rules, lines = self.connection.rules, []
        for k, rule in enumerate(rules):
            if rule.value:
                lines.append(f"  wire broken_{k} = {rule.when};")
                continue
            net = self.net(rule.name)
            unknown = f"(({net} ^ {net}) !== 1'b0)"
            wrong = unknown if rule.level is None else f"({net} !== 1'b{rule.level})"
            when = f"({rule.when})"
            if rule.moves:
                was = wrong if rule.from_reset else f"(reset_over & {wrong})"
                lines += [
                    f"  logic was_{k};",
                    f"  always_ff @(posedge clk_i) if (was_{k} !== {was}) was_{k} <= {was};",
                ]
                when += f" & (~was_{k} | {unknown})"
            lines.append(f"  wire broken_{k} = {when} & {wrong};")
        broken = ", ".join(f"broken_{k}" for k in reversed(range(len(rules)))) or "1'b0"
        width = max((rule.width for rule in rules), default=1)
        shown = [rule.value or self.net(rule.name) for rule in reversed(rules)]
        levels = ", ".join(shown if width == 1 else [f"{width}'({value})" for value in shown]) or "1'b0"
        reset = self.bound.core.file.reset
        settle = reset.registers if reset else 2
        return [
            "  logic reset_over;",
            *lines,
            f"  lt_monitor #(.Rules({max(len(rules), 1)}), .LevelW({width}), .Settle({settle})) u_monitor (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .begin_i(valid_i & ready_o),",
            "    .started_i(started_o),",
            f"    .broken_i({{{broken}}}),",
            f"    .level_i({{{levels}}}),",
            "    .ready_o(reset_over),",
            "    .rule_o(rule_o),",
            "    .level_o(rule_level_o),",
            "    .since_o(rule_since_o),",
            "    .cycle_o(rule_cycle_o)",
            "  );",
        ]

    def _watched(self) -> list[str]:
        rows = self.bound.core.file.row
        # The cycle of row 0 of a stream is not known in advance, so all watched signals are delayed by one clock.
        is_late = self.bound.protocol.late
        widths = dict([*self.combinational, *self.registers]) if is_late else {}
        late = {wire: f"late_{k}" for k, wire in enumerate(widths)}
        comb = [late.get(wire, wire) for wire, _ in reversed(self.combinational)] or ["1'b0"]
        regs = [late.get(wire, wire) for wire, _ in reversed(self.registers)] or ["1'b0"]
        if any(row.match == "cycle" for row in rows):
            store = "1'b1"
        else:
            wanted = [late.get(self.net(name), self.net(name)) for name in self.whens]
            wanted += ["finished_o"] if any(row.match == "result" for row in rows) else []
            store = " | ".join(wanted) or "1'b0"
        return [
            *(f"  logic [{widths[wire] - 1}:0] {name};" for wire, name in late.items()),
            *(f"  always_ff @(posedge clk_i) {name} <= {wire};" for wire, name in late.items()),
            # Sampled, not wired: a wire this wide would be evaluated whenever one of its signals changes.
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
module lt_shell (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire  [15:0]        stall_seed_i,
  // Disturbances of this product
  input  wire                disturb_i,  // offers while the core works
  input  wire  [1:0]         again_i,    // other products at once in front of it
  input  wire  [7:0]         hold_i,     // cycles that its result waits
  input  wire                write_i,    // writes to the memory while the core works
  input  wire                unknown_i,  // inputs that nobody may look at are unknown
  input  wire                renew_i,    // the constants are new
  input  wire  [15:0]        seed_i,     // of the random numbers; 0: they go on, and nothing is disturbed
  input  wire  [31:0]        turn_i,     // number of the product
  input  wire  [{ConstW}-1:0] constants_i,
  input  wire  [{AW}-1:0] a_i,
  input  wire  [{BW}-1:0] b_i,
  input  wire                valid_i,
  output logic               ready_o,
  output logic               started_o,
  output logic               front_o,
  output logic               finished_o,
  output logic               done_o,
  output logic [{ResultW}-1:0] result_o,
  output logic               store_o,
  output logic [7:0]         rule_o,        // of lt_monitor
  output logic [63:0]        rule_level_o,
  output logic [1:0]         rule_since_o,
  output logic [31:0]        rule_cycle_o,
  input  wire                sample_i,
  output logic [{RegW}+{CombW}-1:0] row_o  // two edges later: {{registers, combinational}}
);

{body}

  lt_sequencer #(
    .Pulses({pulses}),
    .Stalls({stalls}),
    .Again({again}),
    .AtOnce({at_once}),
    .Ahead({ahead}),
    .Early({early})
  ) u_sequencer (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .stall_seed_i(stall_seed_i),
    .seed_i(seed_i),
    .turn_i(turn_i),
    .disturb_i(disturb_i),
    .again_i(again_i),
    .hold_i(hold_i),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .started_o(started_o),
    .front_o(front_o),
    .finished_o(finished_o),
    .done_o(done_o),
    .load_o(load),
    .loaded_i(loaded),
    .read_o(read),
    .read_done_i(read_done),
    .run_o(run),
    .held_o(held),
    .offer_o(offer),
    .extra_o(extra),
    .other_o(other),
    .accept_i(accept),
    .result_valid_i(core_done),
    .willing_o(willing),
    .take_o(take),
    .wait_o(stalled),
    .random_o(random)
  );

endmodule

`default_nettype wire
"""
