# SPDX-License-Identifier: Apache-2.0
"""The purpose of each port of a core without a description, by name, width and comment."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from limbtrace.rtl_bridge.init.comment_values import INVERSE, POSITIVE_INVERSE, value_in
from limbtrace.rtl_bridge.init.memory_ports import MemoryPorts
from limbtrace.rtl_bridge.init.memory_reads import Reached, reached
from limbtrace.rtl_bridge.init.trial_binding import Tried
from limbtrace.rtl_bridge.interface.module_ports import ConstantPort, OperandPort, SizeTerm, Sketch, SketchPort
from limbtrace.rtl_bridge.interface.port_pool import Ports, plain
from limbtrace.rtl_bridge.protocols import PROTOCOLS, recognised
from limbtrace.rtl_bridge.protocols.recognition import Recognition

_PAIRS = (
    ("a", "b"), ("x", "y"), ("lhs", "rhs"), ("op_a", "op_b"), ("opa", "opb"), ("operand_a", "operand_b"),
    ("in_a", "in_b"), ("in1", "in2"), ("in0", "in1"), ("x1", "x2"), ("op1", "op2"),
    ("data0", "data1"), ("multiplicand", "multiplier"), ("multiplier", "multiplicand"),
    ("din_x", "din_y"), ("data_a", "data_b"), ("a_data", "b_data"),
    ("mul_a", "mul_b"), ("a_in", "b_in"), ("din_a", "din_b"), ("src_a", "src_b"), ("num1", "num2"), ("u", "v"),
)  # fmt: skip
_MODULUS = re.compile(
    r"^(p|m|q|mod|modulus|modul|modulo|md|(op_|in_)?prime|op_?[mnpq]|(op|in|din)_?mod(ulus)?|mod_[pmnq]|field|n"
    r"|(in|din|data)_[mpnq]|[mpnq]_(data|word))$"
)
_INVERSE = re.compile(
    r"((^|_)[pmnq]0?_?(prime|dash)|minus_inv|neg_inv|ninv|n0_?inv|pinv|minv|qinv|inverse"
    r"|^(mp|pp|np|n0|mu|inv|[pmnq]_inv|(prime|mod|modulus)_inv|inv_[pmnq]|p1)$)"
)
_SQUARE = re.compile(r"^(r2|rr|r_2|rsq|r_sq|r_squared|r2_?mod_?[pmnq]|rr_?mod_?[pmnq])$")
_ONE = re.compile(r"^(r|mont_?one|r_?mod_?[pmnq])$")
_RESULT = re.compile(r"^(z|r|res|result|product|prod|out|dout|rsp|s|c|q|y|o|data|ret|res_data|out_data|mont|monpro)$")
_COUNTS = dict.fromkeys(("bits", "nbits", "n_bits", "num_bits", "bit_len", "bit_length", "len", "length"), "N")
_DIGITS = re.compile(
    r"^((n|num|nr|no)_?(of_?)?)?(words?|digits?|limbs?|elements?)(_?(n|num|count|cnt|len|length|minus_?1))?$"
)
UNCLOCKED = "start-done"
"""The protocol of cores without a clock."""
BY_NAME = "by its name"
"""The reason of a guess by a name."""
_DEBUG = re.compile(r"^(dbg|debug|probe|mon|trace)_")


class Roles:
    """The ports of a sketch with their purposes; `left` have none. The protocols recognise their own."""

    def __init__(self, sketch: Sketch, tried: Tried, kind: str = "") -> None:
        """Raises LookupError where a protocol of that kind does not show; "" is the one that shows best."""
        self.tried = tried
        self._sketch = sketch
        self._ports = ports = Ports(sketch.ports, clocked=sketch.clocked)
        self.clock = ports.take_named(sketch.clock)
        self.reset = ports.take_named(sketch.reset.port) if sketch.reset else None
        self.debug = [ports.take(p) for p in ports.left if p.direction == "output" and _DEBUG.search(p.name)]
        memory = MemoryPorts.among(ports)
        ports.set_aside(memory.ports)
        others = list(reached(ports))
        ports.set_aside([*memory.ports, *(port for one in others for port in one.ports)])
        self.protocol = _recognised(ports, kind)
        ports.set_aside()
        self.memory = memory if self.protocol.has_data else MemoryPorts()
        for port in self.memory.ports:
            ports.take(port)
        self.read: dict[str, Reached] = {}
        """By value, which may be "a" or "b", the memory that the core reads it out of."""
        self.written: Reached | None = None
        """The memory that the core writes its result into."""
        if self.protocol.stays:
            self._read_memories(others)
        self.constants: list[ConstantPort] = []
        self.operands: list[OperandPort] = []
        self.result: SketchPort | None = None
        """Of a result that holds several numbers, the port of the low one."""
        self.result_above: tuple[SketchPort, ...] = ()
        """The ports of the other numbers of the result, low ones first."""
        self.result_why = ""
        self._read_inputs()
        if self.memory.read_data is None and self.written is None and self.protocol.has_data:
            self._read_result()

    @property
    def left(self) -> list[SketchPort]:
        """Ports without a purpose."""
        return self._ports.left

    def _read_memories(self, memories: Sequence[Reached]) -> None:
        """Assign values to the memories that the core addresses; unknown memories are left."""
        letters = "a" if self.tried.unary else "ab"
        named = {name: letter for pair in _PAIRS for name, letter in zip(pair, letters, strict=False)}
        for memory in memories:
            if memory.data.direction == "output":
                values = [] if self.written or self.memory.read_data else ["result"]
            elif (letter := named.get(memory.stem)) is not None:
                values = [letter]
            elif memory.stem and (constant := self._constant(memory.stem, memory.data, 0)) is not None:
                values = [constant.value]
            else:
                values = [] if memory.stem else [*letters]
            values = [value for value in values if value not in self.read]
            if not values or (self.memory.data is not None and {*values} & {*letters}):
                continue
            for port in memory.ports:
                self._ports.take_named(port.name)
            if values == ["result"]:
                self.written = memory
            else:
                self.read |= dict.fromkeys(values, memory)

    def _read_inputs(self) -> None:
        """Constants first, then operands among the wide inputs that are left; a pair of names is not a constant."""
        inputs = self._wide_inputs()
        pair = next(((x, y) for x, y in _PAIRS if x in inputs and y in inputs), ())
        self._take_constants(inputs, pair)
        in_memory = self.memory.data is not None or bool({"a", "b"} & {*self.read})
        if self.tried.numbers:
            if self.protocol.has_data and not in_memory:
                self._read_numbers(list(inputs.values()))
        elif self.protocol.has_data and not in_memory:
            chosen, reason = ([inputs[name] for name in pair], BY_NAME) if pair else self._by_width(inputs)
            operands = [OperandPort(to, self._ports.take(port), reason) for to, port in zip("ab", chosen, strict=False)]
            self.operands = operands[:1] if self.tried.unary else operands

    def _read_numbers(self, inputs: Sequence[SketchPort]) -> None:
        """Operands of several numbers, each of which has a port: ports of one width in their order."""
        counts = self.tried.numbers
        ports = _of_one_width([port for port in inputs if port in self._ports.left], counts["a"] + counts["b"])
        why = "one of the inputs of one width that are nothing else, in their order"
        for name in "ab":
            low, *above = (self._ports.take(port) for port in ports[: counts[name]])
            ports = ports[counts[name] :]
            self.operands.append(OperandPort(name, low, why, tuple(above)))

    def _wide_inputs(self) -> dict[str, SketchPort]:
        """Inputs that may hold a number, by their plain names where these are unique."""
        wide = self._ports.wide("input")
        times = Counter(plain(port.name) for port in wide)
        return {plain(p.name) if times[plain(p.name)] == 1 else p.name.lower(): p for p in wide}

    def _take_constants(self, inputs: Mapping[str, SketchPort], pair: Sequence[str]) -> None:
        """Inputs that are constants, but for those of the pair of operands."""
        widest = max((port.width for port in inputs.values()), default=0)
        for name, port in inputs.items():
            constant = self._constant(name, port, widest)
            if constant and name not in pair:
                self.constants.append(constant)
                self._ports.take(port)

    def _by_width(self, inputs: Mapping[str, SketchPort]) -> tuple[list[SketchPort], str]:
        """Operands whose names say nothing, and the reason why these."""
        unnamed = [port for port in inputs.values() if port in self._ports.left]
        if self.tried.unary:
            return sorted(unnamed, key=lambda p: -p.width)[:1], "the widest input that is nothing else"
        widest = sorted(unnamed, key=lambda port: -port.width)[:2] if len(unnamed) >= 2 else []
        chosen = [port for port in self._sketch.ports if port in widest]
        return chosen, "one of the two widest inputs that are nothing else, in their order"

    def _read_result(self) -> None:
        outputs = self._ports.wide("output")
        if self.tried.numbers.get("result", 1) > 1:
            width = self.operands[0].port.width if self.operands else 0
            same = [port for port in outputs if port.width == width]
            ports = _of_one_width(same or outputs, self.tried.numbers["result"])
            self.result, *above = (self._ports.take(port) for port in ports)
            self.result_above, self.result_why = tuple(above), "outputs of one width, in their order"
            return
        named = [p for p in outputs if _RESULT.search(plain(p.name))]
        if named or outputs:
            self.result = self._ports.take((named or outputs)[0])
            self.result_why = (
                "by its name" if named else "the wide output" if len(outputs) == 1 else "the first wide output"
            )

    def _constant(self, name: str, port: SketchPort, widest: int) -> ConstantPort | None:
        """An input as a constant, by its name or comment."""
        tried, constants = self.tried, self.tried.constants
        said = port.comment.split(",")[0].split(";")[0].strip()
        if said in constants:
            return ConstantPort(port, said, "by its comment")
        if (value := value_in(port.comment)) is not None and self.protocol.has_data:
            return ConstantPort(port, (tried.inverse or value) if value == INVERSE else value, "by its comment")
        if _INVERSE.search(name):
            return ConstantPort(port, tried.inverse or "p'", "by its name")
        if _SQUARE.search(name):
            value = next((c for c in constants if c.startswith("R^2")), "R^2 mod p")
            return ConstantPort(port, value, "by its name")
        if _ONE.search(name) and self.modulus_shows:
            return ConstantPort(port, "R mod p", "by its name")
        in_memory = self.memory.data is not None
        if _MODULUS.search(name) and not in_memory and (name != "n" or port.width * 2 > widest):
            return ConstantPort(port, "p", "by its name")
        for text, why in ((said, "by its comment"), (port.name, "by its name"), (name, "by its name")):
            if text and text in tried.names:
                return ConstantPort(port, text, why)
        counted = _DIGITS.search(name) or (name in _COUNTS and (self.words_data or 2**port.width <= widest))
        if counted and tried.count:
            return ConstantPort(port, tried.count, "by its name")
        if counted and (data := self.words_data):
            return ConstantPort(port, f"(N + {data.width - 1}) // {data.width}", f"words of {data.width} bits")
        if name in _COUNTS and not counted:
            return ConstantPort(port, _COUNTS[name], "by its name")
        return None

    @cached_property
    def words_data(self) -> SketchPort | None:
        """The port of a word of a memory; None if operands pass as a whole."""
        if self.memory.data is not None:
            return self.memory.data
        return next((memory.data for memory in self.read.values()), None)

    @property
    def counts_words(self) -> bool:
        """True if an input says how many words a value has."""
        return self.words_data is not None and any("//" in constant.value for constant in self.constants)

    @property
    def modulus_shows(self) -> bool:
        """True if an input or a memory is the modulus."""
        return self.modulus is not None or "p" in self.read

    @property
    def no_further_numbers(self) -> bool:
        """True if no port that is left may have a number as wide as those of the operands."""
        widths = {operand.port.width for operand in self.operands}
        results = {port.width for port in (self.result, *self.result_above) if port is not None}
        return widths == results and not any(port.width in widths and not port.has_one_bit for port in self.left)

    # What widths say.

    @property
    def modulus(self) -> SketchPort | None:
        """The port of the modulus."""
        return next((port for port, value, _ in self.constants if value == "p"), None)

    @cached_property
    def full_width_port(self) -> SketchPort | None:
        """A port as wide as the modulus."""
        return self.modulus or self.result or next((operand.port for operand in self.operands), None)

    @cached_property
    def digit_port(self) -> SketchPort | None:
        """A port of one digit."""
        inverse = next((port for port, value, _ in self.constants if value.endswith(("'", POSITIVE_INVERSE))), None)
        full = self.full_width_port
        if inverse and (full is None or inverse.width < full.width):
            return inverse
        return self.memory.data or (self.operands[0].port if self.protocol.digits and self.operands else None)

    def purpose_of(self, name: str) -> str:
        """The quantity that an RTL parameter counts: digit, count, modulus, steps; "" where no width shows it."""
        digit = [term for term in terms_of(self.digit_port) if name in term]
        if digit and digit[0] == (name,):
            return "digit"
        full = terms_of(self.full_width_port)
        if (name,) in full:
            return "modulus"
        if pairs := [term for term in full if name in term and len(term) == 2]:
            (x, y) = pairs[0]
            known = {*self.tried.radix_names, "w", "word", "width"}
            lower = {text: text.lower() in known for text in (x, y)}
            if lower[x] != lower[y]:
                return "digit" if lower[name] else "count"
            return "digit" if name == x else "count"
        if any((name,) in terms_of(operand.port) for operand in self.operands):
            return "steps"
        return ""


def _of_one_width(ports: Sequence[SketchPort], count: int) -> list[SketchPort]:
    """So many ports of one width, the widest ones, in the order of the module. Raises LookupError without them."""
    widths = sorted(Counter(port.width for port in ports if not port.elements).items(), reverse=True)
    width = next((width for width, times in widths if times >= count), None)
    if width is None:
        raise LookupError(f"{count} ports of one width")
    return [port for port in ports if port.width == width and not port.elements][:count]


def _recognised(ports: Ports, kind: str) -> Recognition:
    """The protocol that shows best, or the one of that kind. Raises LookupError.

    Where nothing waits for an edge, results follow their operands, whatever names say of a handshake.
    """
    if not ports.clocked:
        kind = kind or UNCLOCKED
        if kind != UNCLOCKED:
            raise LookupError(kind)
    found = PROTOCOLS[kind].recognised(ports) if kind else recognised(ports)
    if found is None:
        raise LookupError(kind)
    return found


def terms_of(port: SketchPort | None) -> Mapping[SizeTerm, int]:
    """The width of a port as a sum of products of parameters."""
    return (port.terms or {}) if port else {}
