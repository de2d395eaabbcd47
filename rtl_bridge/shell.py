# SPDX-License-Identifier: Apache-2.0
"""The shell: the one generated piece of HDL, which makes every core look the same to the static testbenches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from refmodels.columns import split
from rtl_bridge.bound import Bound, Watch
from rtl_bridge.corefile import (
    AXI4_LITE,
    AXI4_LITE_MORE,
    Axi4Lite,
    Memory,
    Result,
    Row,
    SetUp,
    StartDone,
    ValidReady,
    WordSerial,
)
from rtl_bridge.formula import literal
from rtl_bridge.layout import COUNT_BITS, CYCLE_BITS


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


def _side_by_side(digits: Sequence[int], width: int) -> int:
    """Digits as words of that width, the first in the low bits."""
    return sum(digit << (width * place) for place, digit in enumerate(digits))


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
                value = bound.value(f"memory.load[{k}].value", load.value)
                if load.weight is not None:
                    value = _side_by_side(split(value, self._weight(k), words), self._load_width)
                fields.append(Field(f"image_{k}", self.image_width, value))
            fields.append(Field(f"words_{k}", COUNT_BITS, words))
        if isinstance(file.protocol, WordSerial):
            fields += self._stream_constants(file.protocol)
        elif file.result.address is not None and file.result.words is not None:
            fields.append(Field("words_result", COUNT_BITS, bound.formula("result.words", file.result.words)))
        return fields or [Field("none", 1, 0)]

    def _stream_constants(self, protocol: WordSerial) -> list[Field]:
        """How many products a stream has and when they start; the words of the set-up, first one in the low bits."""
        bound = self.bound
        fields = [Field("products", COUNT_BITS, len(bound.starts))]
        starts = [Field("start", CYCLE_BITS, start) for start in bound.starts]
        fields.append(Field("starts", CYCLE_BITS * bound.products, pack(starts)))
        if protocol.setup:
            loads = self._setup_words(protocol.setup, protocol.order == "high-first")
            words = [word for row in zip(*loads, strict=True) for word in row]
            fields.append(Field("setup_image", sum(word.width for word in words), pack(words)))
        return fields

    def _setup_words(self, setup: SetUp, high_first: bool) -> list[list[Field]]:
        """The words of every load of the set-up."""
        bound, count = self.bound, self.bound.setup_words
        loads = []
        for k, load in enumerate(setup.load):
            key, width = f"protocol.setup.load[{k}]", self._width(load.port)
            words = count if load.words is None else bound.formula(f"{key}.words", load.words)
            value, mask = bound.value(f"{key}.value", load.value), (1 << width) - 1
            places = [min(place, words - 1) for place in range(count)]
            if high_first:
                places = [words - 1 - place for place in places]
            loads.append([Field(load.port, width, value >> (width * place) & mask) for place in places])
        return loads

    @cached_property
    def image_width(self) -> int:
        """Bits of the memory image of a load."""
        memory = self.bound.core.file.memory
        return self.bound.depth("memory.depth", memory.depth) * self._width(memory.data) if memory else 0

    @cached_property
    def _radices(self) -> dict[str, int]:
        """The radix of the operands that come as two digits."""
        operands = enumerate(self.bound.core.file.operand)
        return {o.name: self.bound.value(f"operand[{k}].radix", o.radix) for k, o in operands if o.radix is not None}

    def _whole(self, result: Result) -> str:
        """The result, or a word of it, that is on its port: an expression."""
        if result.port is None or (result.radix is None and result.digits is None):
            return f"out_{result.port}"
        width = self._width(result.port)
        if result.digits is not None:
            digits = self.bound.formula("result.digits", result.digits)
            weight, size = self.bound.formula("result.weight", result.weight or 0), width // digits
            terms = [f"({width}'(out_{result.port}[{j * size} +: {size}]) << {j * weight})" for j in range(digits)]
            return " + ".join(terms)
        radix = self.bound.value("result.radix", result.radix or 0)
        half = width // 2
        low, high = f"out_{result.port}[{half - 1}:0]", f"out_{result.port}[{width - 1}:{half}]"
        return f"{width}'({high}) * {width}'({literal(radix)}) + {width}'({low})"

    def _weight(self, load: int) -> int:
        """Bits by which a digit of that load counts more than the one before."""
        return self.bound.formula(f"memory.load[{load}].weight", self.bound.loads[load].weight or 0)

    @property
    def _load_width(self) -> int:
        """Bits of a word of a load."""
        memory = self.bound.core.file.memory
        return self._width(memory.data) if memory else 0

    @cached_property
    def _weights(self) -> dict[str, tuple[int, int]]:
        """The operands that come as digits: bits by which one counts more than the one before, bits that it has."""
        weights = {}
        for k, load in enumerate(self.bound.loads):
            if load.value in ("a", "b") and load.weight is not None:
                weights[str(load.value)] = self._weight(k), self._load_width
        for k, operand in enumerate(self.bound.core.file.operand):
            if operand.weight is not None and operand.digits is not None:
                digits = self.bound.formula(f"operand[{k}].digits", operand.digits)
                weight = self.bound.formula(f"operand[{k}].weight", operand.weight)
                weights[operand.name] = weight, self._width(operand.port) // digits
        return weights

    def _image(self, name: str, value: int) -> int:
        """a, b or result of one product as a testbench has it."""
        if name in self._radices:
            high, low = divmod(value, self._radices[name])
            return high << (self.product_width(name) // 2) | low
        if name not in self._weights:
            return value
        params = self.bound.multiplier.params
        digits = params.split(value, 0)[0] if name == "a" else params.split(0, value)[1]
        return _side_by_side(digits, self._weights[name][1])

    def product_width(self, name: str) -> int:
        """Bits that a, b or result of one product takes among those of its stream."""
        if name == "result":
            return self._product_result_width
        for operand in self.bound.core.file.operand:
            if operand.name == name:
                return self._width(operand.port) * self.bound.operand_words
        protocol = self.bound.core.file.protocol
        if isinstance(protocol, Axi4Lite):
            loads = zip(protocol.load, self.bound.bus_words, strict=True)
            return max(
                (words * self.bound.bus["wdata"].width for load, words in loads if load.value == name), default=1
            )
        return self.image_width

    @property
    def result_word_width(self) -> int:
        """Bits of the words in which a result comes; of all of it where they overlap."""
        result = self.bound.core.file.result
        port = result.port or result.data
        return self.product_width("result") if result.weight or port is None else self._width(port)

    def join(self, name: str, values: Iterable[int]) -> int:
        """a, b or result of the products of a stream as a testbench has it: side by side, the first in the low bits."""
        width = self.product_width(name)
        return sum(self._image(name, value) << (width * place) for place, value in enumerate(values))

    def streams(self, name: str, values: Sequence[int]) -> list[int]:
        """The same for the products of many streams."""
        size = len(self.bound.starts)
        if size == 1 and name not in self._weights and name not in self._radices:
            return list(values)
        return [self.join(name, values[at : at + size]) for at in range(0, len(values), size)]

    def part(self, name: str, joined: int, place: int) -> int:
        """The inverse, for one product."""
        width = self.product_width(name)
        image = joined >> (width * place) & ((1 << width) - 1)
        if name in self._radices:
            half = width // 2
            return (image >> half) * self._radices[name] + (image & ((1 << half) - 1))
        if name not in self._weights:
            return image
        weight, word = self._weights[name]
        digits = split(image, word, width // word)
        return sum(digit << (weight * j) for j, digit in enumerate(digits))

    def operand_width(self, name: str) -> int:
        """Bits of operand a or b as a testbench gives it."""
        return self.product_width(name) * self.bound.products

    @property
    def result_width(self) -> int:
        """Bits of the result as a testbench gets it: on top of those of a stream one that is 0."""
        serial = isinstance(self.bound.core.file.protocol, WordSerial)
        return self._product_result_width * self.bound.products + int(serial)

    @cached_property
    def _product_result_width(self) -> int:
        result = self.bound.core.file.result
        if result.port:
            return self._width(result.port) * self.bound.result_words
        if self.bound.bus:
            return self.bound.bus["rdata"].width * self.bound.result_words
        assert result.depth is not None
        assert result.data is not None
        return self.bound.depth("result.depth", result.depth) * self._width(result.data)

    @cached_property
    def whens(self) -> list[str]:
        """Outputs and signals inside that say that an event happens, each once."""
        return list(dict.fromkeys(row.when for row in self.bound.core.file.row if row.when))

    @cached_property
    def combinational(self) -> list[tuple[str, int]]:
        """(wire, width) of what is sampled during a cycle, the first in the low bits."""
        watched = [(self._wire(w.row), w.width) for w in self.bound.watches if w.kind == "combinational"]
        return watched + [(self._net(name), 1) for name in self.whens]

    @cached_property
    def registers(self) -> list[tuple[str, int]]:
        """(wire, width) of what is sampled after the edge that ends a cycle, the first in the low bits."""
        return [(self._wire(w.row), w.width) for w in self.bound.watches if w.kind == "register"]

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

    def when_offset(self, name: str) -> int:
        """Position of a `when` in a row: above what is watched during the cycle."""
        watched = sum(w.width for w in self.bound.watches if w.kind == "combinational")
        return CYCLE_BITS + watched + self.whens.index(name)

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
            "CycleW": CYCLE_BITS,
        }

    def _width(self, port: str) -> int:
        return self.bound.ports[port].width

    def _wire(self, row: Row) -> str:
        """What a row watches, by its name in the shell."""
        return self._inside(row.signal) if row.signal else f"out_{row.port}"

    def _net(self, name: str) -> str:
        """An output of the core, or else a signal inside, by its name in the shell."""
        return f"out_{name}" if name in self.bound.ports else self._inside(name)

    def _inside(self, signal: str) -> str:
        """A signal in the core: a hierarchical name, which every simulator takes and which costs no wire."""
        return f"u_core.{self.bound.inside}{signal}"

    def _or_noise(self, group: str, value: str, port: str) -> str:
        """What goes into a port: `value`, or noise while that group of inputs has it."""
        width = self._width(port)
        return f"noisy_{group} ? {width}'({{{-(-width // 16)}{{noise}}}}) : {value}"

    def _noise(self) -> list[str]:
        """When the groups of inputs that nobody may look at have noise, if unknown inputs are asked for."""
        file = self.bound.core.file
        needed = {channel: f"sent_{channel}valid" for channel in ("aw", "w", "ar") if self.bound.bus}
        if isinstance(file.protocol, WordSerial):
            needed["operands"] = "sends"
        elif file.operand:
            needed["operands"] = "offer | run" if isinstance(file.protocol, StartDone) else "offer"
        if file.memory:
            needed["write"] = "load_enable"
        if file.result.address:
            needed["read"] = "read"
        lines = [f"  wire noisy_{group} = unknown_i & ~({condition});" for group, condition in needed.items()]
        return [*lines, f"  wire noisy = {' | '.join(f'noisy_{group}' for group in needed)};"]

    @cached_property
    def text(self) -> str:
        """SystemVerilog of module lt_shell."""
        file = self.bound.core.file
        inputs = self._control_inputs()
        body = [*self._declarations(), *self._handshake(inputs)]
        if isinstance(file.protocol, WordSerial):
            body += self._stream(file.protocol, inputs) + self._setup(file.protocol.setup, inputs)
        elif isinstance(file.protocol, Axi4Lite):
            body += self._master(inputs)
        else:
            body += self._loader(file.memory, inputs) + self._result(file.result, inputs)
            body.append("  assign held_back = 1'b0;")
        body += self._noise()
        connections = inputs | {port: f"out_{port}" for port in self._outputs()}
        ports = ",\n".join(f"    .{port}({signal})" for port, signal in connections.items())
        parameters = ",\n".join(f"    .{name}({literal(value)})" for name, value in self.bound.parameters.items())
        head = f"#(\n{parameters}\n  ) " if parameters else ""
        body += ["  // verilator tracing_on", f"  {file.simulated_top} {head}u_core (\n{ports}\n  );"]
        body += ["  // verilator tracing_off", *self._watched()]
        pulses = isinstance(file.protocol, StartDone)
        # A result in a memory would be overwritten.
        early = isinstance(file.protocol, ValidReady) and file.result.port is not None
        widths = self.parameters
        return _TEMPLATE.format(name=file.name, body="\n".join(body), pulses=int(pulses), early=int(early), **widths)

    def _outputs(self) -> list[str]:
        """Outputs of the core that the shell uses, each once."""
        file = self.bound.core.file
        protocol, result = file.protocol, file.result
        if isinstance(protocol, StartDone):
            names = [protocol.done, protocol.busy]
        elif isinstance(protocol, WordSerial):
            names = [protocol.ready, protocol.taker, protocol.valid, protocol.tag]
        elif isinstance(protocol, Axi4Lite):
            outputs = [port.name for port in self.bound.bus.values() if port.direction == "output"]
            names = [protocol.starts, protocol.finishes, *outputs]
        else:
            names = [protocol.in_ready, protocol.out_valid]
        names += [result.port, result.data, *(row.port for row in file.row), *self.whens]
        return list(dict.fromkeys(name for name in names if name in self.bound.ports))

    def _control_inputs(self) -> dict[str, str]:
        """What goes into the core besides operands: clock, reset, constants, handshake."""
        file = self.bound.core.file
        protocol = file.protocol
        inputs = {file.clock.port: "clk_i", file.reset.port: "rst" if file.reset.active == "high" else "~rst"}
        inputs |= {constant.port: f"input_{constant.port}" for constant in file.input}
        if isinstance(protocol, StartDone):
            return {**inputs, protocol.start: "offer"}
        if isinstance(protocol, WordSerial):
            signals = {protocol.start: "send_start", protocol.load: "sends", protocol.tag_in: "number"}
            return inputs | {port: signal for port, signal in signals.items() if port}
        if isinstance(protocol, Axi4Lite):
            return inputs
        return {**inputs, protocol.in_valid: "offer", protocol.out_ready: "willing"}

    def _declarations(self) -> list[str]:
        """The constants taken apart, and a wire for every output of the core."""
        lines = [
            "  logic rst, load, loaded, read, read_done, run, offer, extra, accept, core_done, willing, take;",
            "  logic stalled, held_back;",
            "  wire waits = stalled | held_back;",
            "  logic [15:0] random, noise;",
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
        elif isinstance(protocol, WordSerial):
            return [*lines, *self._begin(protocol)]
        elif isinstance(protocol, Axi4Lite):
            return [
                *lines,
                "  logic bus_started, bus_finished;",
                f"  assign accept = {self._net(protocol.starts) if protocol.starts else 'bus_started'};",
                f"  assign core_done = {self._net(protocol.finishes) if protocol.finishes else 'bus_finished'};",
            ]
        else:
            for operand in file.operand:
                offered, other = f"(extra ? {operand.name}_i >> 1 : {operand.name}_i)", f"~{operand.name}_i"
                inputs[operand.port] = f"offer ? {offered} : {self._or_noise('operands', other, operand.port)}"
            accept, done = f"out_{protocol.in_ready}", protocol.out_valid
        return [*lines, f"  assign accept = {accept};", f"  assign core_done = out_{done};"]

    def _begin(self, protocol: WordSerial) -> list[str]:
        """A stream begins where unit 0 may start, so that units are numbered alike in all of them."""
        ready = f"out_{protocol.ready}" if protocol.ready else "1'b1"
        first = f" & (out_{protocol.taker} == '0)" if protocol.taker else ""
        return [f"  wire ready = {ready};", f"  assign accept = ready{first};"]

    def _stream(self, protocol: WordSerial, inputs: dict[str, str]) -> list[str]:
        """The words of operands and results; while none are sent, the ports have the opposite of the next ones."""
        bound, file = self.bound, self.bound.core.file
        tag_width = self._width(protocol.tag) if protocol.tag else 1
        taker = f"out_{protocol.taker}" if protocol.taker else f"{tag_width}'(number)"
        for operand in file.operand:
            word = f"sends ? word_{operand.name} : {self._or_noise('operands', f'~word_{operand.name}', operand.port)}"
            inputs[operand.port] = word
        assert file.result.port is not None
        return [
            "  logic send_start, sends;",
            f"  logic [{COUNT_BITS - 1}:0] number;",
            *(f"  logic [{self._width(o.port) - 1}:0] word_{o.name};" for o in file.operand),
            "  lt_stream #(",
            f"    .Products({bound.products}),",
            f"    .Words({bound.operand_words}),",
            f"    .CountW({COUNT_BITS}),",
            f"    .StartW({CYCLE_BITS}),",
            *(f"    .{o.name.upper()}W({self._width(o.port)})," for o in file.operand),
            f"    .TagW({tag_width}),",
            f"    .HighFirst({int(protocol.order == 'high-first')}),",
            f"    .ResultWords({bound.result_words}),",
            f"    .ResultW({self._width(file.result.port)}),",
            f"    .ResultHighFirst({int(file.result.order == 'high-first')})",
            "  ) u_stream (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .begin_i(started_o),",
            "    .run_i(run),",
            "    .products_i(products),",
            "    .starts_i(starts),",
            "    .a_i(a_i),",
            "    .b_i(b_i),",
            "    .done_o(core_done),",
            "    .wait_o(held_back),",
            "    .result_o(result_o),",
            "    .ready_i(ready),",
            f"    .taker_i({taker if protocol.tag else chr(39) + '0'}),",
            "    .number_o(number),",
            "    .start_o(send_start),",
            "    .load_o(sends),",
            *(f"    .{o.name}_o(word_{o.name})," for o in file.operand),
            f"    .valid_i(out_{protocol.valid}),",
            f"    .tag_i({f'out_{protocol.tag}' if protocol.tag else chr(39) + '0'}),",
            f"    .word_i({self._whole(file.result)})",
            "  );",
            "  assign read_done = 1'b1;",
        ]

    def _master(self, inputs: dict[str, str]) -> list[str]:
        """The bus, of which a master in cocotb has the other end."""
        bus, signals = self.bound.bus, []
        for signal, direction in {**AXI4_LITE, **AXI4_LITE_MORE}.items():
            if direction == "output":
                signals.append((f"{signal}_i", f"out_{bus[signal].name}" if signal in bus else "'0"))
                continue
            signals.append((f"{signal}_o", f"sent_{signal}"))
            if signal in bus:
                channel = "w" if signal in ("wdata", "wstrb") else signal[:2]
                payload = not signal.endswith(("valid", "ready"))
                port = bus[signal].name
                inputs[port] = self._or_noise(channel, f"sent_{signal}", port) if payload else f"sent_{signal}"
        widths = {"awprot": 3, "arprot": 3, "wstrb": bus["wdata"].width // 8}
        widths |= {signal: port.width for signal, port in bus.items()}
        sent = [signal for signal, direction in {**AXI4_LITE, **AXI4_LITE_MORE}.items() if direction == "input"]
        return [
            *(f"  logic [{widths[signal] - 1}:0] sent_{signal};" for signal in sent),
            "  lt_axil #(",
            f"    .AddrW({bus['awaddr'].width}),",
            f"    .DataW({bus['wdata'].width}),",
            f"    .Words({self.bound.result_words})",
            "  ) u_axil (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .load_i(load),",
            "    .loaded_o(loaded),",
            "    .offer_i(offer),",
            "    .started_o(bus_started),",
            "    .run_i(run),",
            "    .finished_o(bus_finished),",
            "    .read_i(read),",
            "    .read_done_o(read_done),",
            "    .result_o(result_o),",
            "    .wait_o(held_back),",
            ",\n".join(f"    .{port}({signal})" for port, signal in signals),
            "  );",
        ]

    def _setup(self, setup: SetUp | None, inputs: dict[str, str]) -> list[str]:
        """Constants through the ports of the operands, or through ports of their own."""
        if setup is None:
            return ["  assign loaded = 1'b1;"]
        inputs[setup.port] = "setting_up"
        position = 0
        for load in setup.load:
            width = self._width(load.port)
            word = f"setup_word[{position} +: {width}]"
            inputs[load.port] = f"setting_up ? {word} : ({inputs[load.port]})" if load.port in inputs else word
            position += width
        return [
            "  logic setting_up, no_select, no_address;",
            f"  logic [{position - 1}:0] setup_word;",
            "  lt_loader #(",
            "    .Loads(1),",
            f"    .Depth({self.bound.setup_words}),",
            f"    .CountW({COUNT_BITS}),",
            f"    .DataW({position}),",
            "    .Once(1'b1)",
            "  ) u_loader (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .load_i(load),",
            "    .renew_i(renew_i),",
            "    .loaded_o(loaded),",
            "    .images_i(setup_image),",
            f"    .words_i({COUNT_BITS}'d{self.bound.setup_words}),",
            "    .selects_i(1'b0),",
            "    .enable_o(setting_up),",
            "    .select_o(no_select),",
            "    .address_o(no_address),",
            "    .data_o(setup_word)",
            "  );",
        ]

    def _loader(self, memory: Memory | None, inputs: dict[str, str]) -> list[str]:
        if memory is None:
            return ["  assign loaded = 1'b1;"]
        loads = [
            (k, load, place)
            for k, load in enumerate(self.bound.loads)
            for place in range(self.bound.products if load.value in ("a", "b") else 1)
        ]
        select_width = self._width(memory.select) if memory.select else 1
        product_width = self._width(memory.product) if memory.product else 1
        size = self.image_width
        images = [f"{v.value}_i[{size * p} +: {size}]" if v.value in ("a", "b") else f"image_{k}" for k, v, p in loads]
        once = "".join("0" if load.value in ("a", "b") else "1" for _, load, _ in reversed(loads))
        selects = ", ".join(f"{product_width}'d{p}, {select_width}'d{load.select}" for _, load, p in reversed(loads))
        inputs[memory.enable] = "load_enable"
        for name in ("address", "data", "select", "product"):
            if port := getattr(memory, name):
                inputs[port] = self._or_noise("write", f"load_{name}", port)
        return [
            "  logic load_enable;",
            f"  logic [{select_width - 1}:0] load_select;",
            f"  logic [{product_width - 1}:0] load_product;",
            f"  logic [{self._width(memory.address) - 1}:0] load_address;",
            f"  logic [{self._width(memory.data) - 1}:0] load_data;",
            "  lt_loader #(",
            f"    .Loads({len(loads)}),",
            f"    .Depth({self.image_width // self._width(memory.data)}),",
            f"    .CountW({COUNT_BITS}),",
            f"    .DataW({self._width(memory.data)}),",
            f"    .AddrW({self._width(memory.address)}),",
            f"    .SelectW({product_width + select_width}),",
            f"    .Once({len(loads)}'b{once})",
            "  ) u_loader (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .load_i(load),",
            "    .renew_i(renew_i),",
            "    .loaded_o(loaded),",
            f"    .images_i({{{', '.join(reversed(images))}}}),",
            f"    .words_i({{{', '.join(f'words_{k}' for k, _, _ in reversed(loads))}}}),",
            f"    .selects_i({{{selects}}}),",
            "    .enable_o(load_enable),",
            "    .select_o({load_product, load_select}),",
            "    .address_o(load_address),",
            "    .data_o(load_data)",
            "  );",
        ]

    def _result(self, result: Result, inputs: dict[str, str]) -> list[str]:
        if result.port:
            return [
                f"  logic [{self.result_width - 1}:0] result_q;",
                f"  always_ff @(posedge clk_i) if (take) result_q <= {self._whole(result)};",
                "  assign result_o = result_q;",
                "  assign read_done = 1'b1;",
            ]
        assert result.address is not None
        assert result.data is not None
        inputs[result.address] = self._or_noise("read", "read_address", result.address)
        width = self._width(result.data)
        product_width = self._width(result.product) if result.product else 1
        if result.product:
            inputs[result.product] = self._or_noise("read", "read_product", result.product)
        weight = width if result.weight is None else self.bound.formula("result.weight", result.weight)
        return [
            f"  logic [{self._width(result.address) - 1}:0] read_address;",
            f"  logic [{product_width - 1}:0] read_product;",
            "  lt_reader #(",
            f"    .Products({self.bound.products}),",
            f"    .Depth({self._product_result_width // width}),",
            f"    .CountW({COUNT_BITS}),",
            f"    .DataW({width}),",
            f"    .Weight({weight}),",
            f"    .AddrW({self._width(result.address)}),",
            f"    .ProductW({product_width})",
            "  ) u_reader (",
            "    .clk_i(clk_i),",
            "    .read_i(read),",
            "    .done_o(read_done),",
            "    .words_i(words_result),",
            "    .product_o(read_product),",
            "    .address_o(read_address),",
            f"    .data_i(out_{result.data}),",
            "    .result_o(result_o)",
            "  );",
        ]

    def _watched(self) -> list[str]:
        rows = self.bound.core.file.row
        # The first word of a stream is in row 0, which nobody foresees: all that is watched is seen one clock later.
        serial = isinstance(self.bound.core.file.protocol, WordSerial)
        widths = dict([*self.combinational, *self.registers]) if serial else {}
        late = {wire: f"late_{k}" for k, wire in enumerate(widths)}
        comb = [late.get(wire, wire) for wire, _ in reversed(self.combinational)] or ["1'b0"]
        regs = [late.get(wire, wire) for wire, _ in reversed(self.registers)] or ["1'b0"]
        if any(row.match == "cycle" for row in rows):
            store = "1'b1"
        else:
            wanted = [late.get(self._net(name), self._net(name)) for name in self.whens]
            wanted += ["finished_o"] if any(row.match == "result" for row in rows) else []
            store = " | ".join(wanted) or "1'b0"
        return [
            *(f"  logic [{widths[wire] - 1}:0] {name};" for wire, name in late.items()),
            *(f"  always_ff @(posedge clk_i) {name} <= {wire};" for wire, name in late.items()),
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
module lt_shell (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire  [15:0]        stall_seed_i,
  // Disturbances of this product
  input  wire                disturb_i,  // offers while the core works
  input  wire                unknown_i,  // inputs that nobody may look at are unknown
  input  wire                renew_i,    // the constants are new
  input  wire  [15:0]        seed_i,     // of the random numbers; 0: they go on
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

  lt_sequencer #(
    .Pulses({pulses}),
    .Early({early})
  ) u_sequencer (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .stall_seed_i(stall_seed_i),
    .seed_i(seed_i),
    .disturb_i(disturb_i),
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
    .wait_o(stalled),
    .random_o(random)
  );

endmodule

`default_nettype wire
"""
