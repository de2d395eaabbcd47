# SPDX-License-Identifier: Apache-2.0
"""The lines of a description that is guessed: values and formulas for a sketch, each with the reason."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from limbtrace.refmodels.settings import Given
from limbtrace.rtl_bridge.description.writer import FILL_IN, Draft, DraftLine, port_line
from limbtrace.rtl_bridge.flow.identify_numbers import side_by_side
from limbtrace.rtl_bridge.init.comment_values import INVERSE, POSITIVE_INVERSE
from limbtrace.rtl_bridge.init.memory_reads import Reached
from limbtrace.rtl_bridge.init.model_choice import fixed_modulus
from limbtrace.rtl_bridge.init.parameter_formulas import Subject, formula_of
from limbtrace.rtl_bridge.init.port_roles import Roles, terms_of
from limbtrace.rtl_bridge.init.trial_binding import Tried
from limbtrace.rtl_bridge.interface.module_ports import Sketch, SketchParameter, SketchPort
from limbtrace.rtl_bridge.interface.port_pool import ENABLE, plain
from limbtrace.rtl_bridge.protocols import kinds

_OFF = re.compile(r"(test|scan|fault|inject|debug|dbg|dft|spoil|flush|clear|abort|stall|hold)|^(s?clr|err|error)$")
_ON = re.compile(rf"{ENABLE.pattern}|^cen$")
_VALUES = {"x": "a", "y": "b", "m": "p", "n": "p", "modulus": "p", "mod": "p"}


class Guess:
    """The description of a sketch for a model, or for none; `settings` are those that were asked for.

    `kind` is that of the protocol; "" is the one that shows best. Raises ParameterError where the model does not take
    the modulus or the settings, and LookupError where no port shows such a protocol.
    """

    def __init__(
        self, sketch: Sketch, name: str, model: str | None, prime: str | None, settings: Given, kind: str = ""
    ) -> None:
        self.sketch, self.name, self.model, self.given = sketch, name, model, settings
        self.why_model = ""
        """The reason of the model, if it was not asked for."""
        self.is_chosen = False
        """True if its settings were chosen with it."""
        self.tried = Tried(model, prime, settings)
        self.roles = Roles(sketch, self.tried, kind)
        self._fixed = fixed_modulus(sketch, self.roles, self.tried.modulus)

    @property
    def fixes_widths(self) -> bool:
        """True if the ports of numbers have the same width for every modulus."""
        return self._is_fixed(self.roles.full_width_port)

    @property
    def fixes_modulus(self) -> bool:
        """True if the RTL has the modulus as a number."""
        return self._fixed is not None

    @property
    def modulus(self) -> int | None:
        """The modulus that was asked for, or that the RTL fixes."""
        return self.tried.modulus or (self._fixed.value if self._fixed else None)

    @property
    def draft(self) -> Draft:
        """The description."""
        tables: list[tuple[str, Iterable[DraftLine]]] = [("", self._top_lines())]
        tables += [("settings", self._setting_lines()), ("ranges", self._range_lines()), ("build", self._build_lines())]
        tables += [("clock", self._clock_lines()), ("reset", self._reset_lines())]
        tables += [("protocol", self._protocol_lines())]
        tables += [("[input]", lines) for lines in self._input_lines()]
        tables += [("[operand]", lines) for lines in self._operand_lines()]
        tables += [("memory", self._memory_lines()), ("result", self._result_lines())]
        kept = tuple((name, tuple(lines)) for name, lines in tables)
        return Draft(tuple((name, lines) for name, lines in kept if lines), tuple(self._remarks()))

    @cached_property
    def _digit_parameters(self) -> set[str]:
        """Parameters of the RTL that are the bits of a digit."""
        return {p.name for p in self.sketch.parameters if self.roles.purpose_of(p.name) == "digit"}

    def _parameter_line(self, parameter: SketchParameter) -> DraftLine:
        """The value of an RTL parameter."""
        asked = self.sketch.build.get(parameter.name)
        if self._fixed is not None and asked is None and parameter.default is not None:
            reason = "its default, which goes with the modulus inside"
            return DraftLine(parameter.name, parameter.default, guess=reason, note=parameter.comment)
        purpose = self.roles.purpose_of(parameter.name)
        factor, more = self._share_of(parameter.name)
        subject = Subject(parameter, purpose, self.tried, bool(self._digit_parameters), factor, more, asked)
        formula = formula_of(subject)
        if formula is None:
            open_ = "a formula over the parameters of the model"
            return DraftLine(parameter.name, FILL_IN, open=open_, note=parameter.comment)
        return DraftLine(parameter.name, formula.value, guess=formula.reason, note=parameter.comment)

    def _share_of(self, name: str) -> tuple[int, int]:
        """Bits of the port of the modulus for each 1 of a parameter, and those beside them."""
        terms = terms_of(self.roles.full_width_port)
        if (name,) in terms:
            return terms[name,], terms.get((), 0)
        defaults = {parameter.name: parameter.default for parameter in self.sketch.parameters}
        for term, factor in terms.items():
            if len(term) == 2 and name in term and not self.tried.digit:
                (other,) = [text for text in term if text != name]
                return factor * (defaults.get(other) or 1), 0
        return 1, 0

    @cached_property
    def _values(self) -> dict[str, str | int]:
        """The values of the parameters of the RTL in the draft."""
        lines = map(self._parameter_line, self.sketch.parameters)
        return {line.key: str(line.value) if isinstance(line.value, str) else int(str(line.value)) for line in lines}

    def _is_fixed(self, port: SketchPort | None) -> bool:
        """True if the width of a port does not follow the modulus."""
        if port is None:
            return False
        if port.terms is None:
            return not any(isinstance(value, str) for value in self._values.values())
        return all(isinstance(self._values.get(name), int) for term in port.terms for name in term)

    def _width(self, port: SketchPort) -> str:
        """The width of a port as a formula over the parameters of the model."""
        if self._is_fixed(port) or port.terms is None:
            return str(port.width)
        products = []
        for term, factor in port.terms.items():
            values = [str(self._values[name]) for name in term]
            factors = [str(factor)] * (factor != 1 or not term) + [v if v.isalnum() else f"({v})" for v in values]
            products.append(" * ".join(factors))
        return " + ".join(products).replace("+ -", "- ")

    # The tables.

    def _top_lines(self) -> Iterator[DraftLine]:
        sketch = self.sketch
        yield DraftLine("format", "limbtrace-core/1")
        yield DraftLine("name", self.name)
        if self.model:
            yield DraftLine("model", self.model, guess=self.why_model)
        else:
            yield DraftLine("model", FILL_IN, open="the algorithm, one of `limbtrace models`")
        yield from self._compare_line()
        yield from self._modulus_line()
        if sketch.cells:
            yield DraftLine("cells", sketch.cells)
        spare = f"not needed by {sketch.top}: {', '.join(sketch.spare[:8])}" if sketch.spare else ""
        yield DraftLine("files", sketch.files, note=spare)
        if sketch.include:
            yield DraftLine("include", sketch.include)
        if sketch.vhdl not in ("", "08"):
            yield DraftLine("vhdl", sketch.vhdl, guess="GHDL takes the sources by this standard")
        if sketch.libraries:
            yield DraftLine("vhdl_libraries", sketch.libraries, note="as the sources name their units")
        if sketch.simulated:
            yield DraftLine("ghdl", "simulate", note="GHDL cannot synthesise the sources")
        others = f"by its name; other modules that no other instantiates: {', '.join(sketch.other_tops[:8])}"
        yield DraftLine("top", sketch.top, guess=others if sketch.other_tops else "")
        full = self.roles.full_width_port
        fixed = self._is_fixed(full)
        limit = full.width**2 + 256 if fixed and full else "N * N + 256"
        yield DraftLine("timeout", limit, guess="most clock cycles of a product, far more than it needs")

    def _compare_line(self) -> Iterator[DraftLine]:
        modulus, result = self.roles.modulus, self.roles.result
        if result is not None and result.signed and self.tried.unary:
            yield DraftLine("compare", "congruent", guess=f"{result.name} is signed")
            return
        if self.tried.reduced or self.tried.numbers or modulus is None or result is None:
            return
        if (result.terms, result.width) == (modulus.terms, modulus.width):
            yield DraftLine("compare", "residue", guess="the result is no wider than the modulus, so it is below it")

    @property
    def _counted(self) -> int | None:
        """Words of the modulus that was asked for, where an input says how many words a value in a memory has."""
        data = self.roles.words_data
        if not self.roles.counts_words or data is None or self.tried.modulus is None or self.roles.memory.data:
            return None
        return -(-self.tried.modulus.bit_length() // data.width)

    def _modulus_line(self) -> Iterator[DraftLine]:
        if (words := self._counted) and (data := self.roles.words_data):
            limits = [f"N > {(words - 1) * data.width}", f"N <= {words * data.width}"]
            yield DraftLine("modulus", limits, guess=f"those of {words} words, of which the memories are described")
            return
        if self._fixed is None or not self._fixed.condition:
            return
        yield DraftLine("modulus", [self._fixed.condition], guess=self._fixed.reason)

    def _setting_lines(self) -> Iterator[DraftLine]:
        given = dict(self.given)
        why = "what the ports take and the name says" if self.is_chosen else ""
        yield from (DraftLine(name, value, guess=why) for name, value in given.items())
        port, full = self.roles.digit_port, self.roles.full_width_port
        fixed = self._is_fixed(port)
        if self.tried.radix_names and "radix" not in given and fixed and port and self.roles.protocol.has_data:
            yield DraftLine("radix", f"2^{port.width}", guess=f"{port.name} has {port.width} bits")
        if "passes" not in self.tried.names or "passes" in given:
            return
        for operand in (found.port for found in self.roles.operands):
            more = {t: c - terms_of(full).get(t, 0) for t, c in terms_of(operand).items()}
            single = {term[0]: count for term, count in more.items() if len(term) == 1 and count > 0}
            if extra := [count for name, count in single.items() if name in self._digit_parameters]:
                yield DraftLine(
                    "passes", f"n + {extra[0]}", guess=f"{operand.name} has {extra[0]} digit more than the modulus"
                )

    def _range_lines(self) -> Iterator[DraftLine]:
        full, memory = self.roles.full_width_port, self.roles.read.get("p")
        if self._fixed is not None or self._counted:
            return
        if memory and memory.words and memory.data.terms is not None and set(memory.data.terms) == {()}:
            bits = memory.words * memory.data.width
            yield DraftLine("N", [2, bits], guess=f"bits of the modulus; there is room for {bits}")
        elif full and self._is_fixed(full) and self.roles.digit_port is not full:
            yield DraftLine("N", [2, full.width], guess=f"bits of the modulus; {full.name} has {full.width}")

    def _build_lines(self) -> Iterator[DraftLine]:
        """Those of the parameters that a build may set: [build] takes no negative numbers."""
        kept = (p for p in self.sketch.parameters if (p.default or 0) >= 0 or p.name in self.sketch.build)
        yield from map(self._parameter_line, kept)

    def _clock_lines(self) -> Iterator[DraftLine]:
        if self.roles.clock or (self._bits and self.sketch.clocked):
            yield port_line("port", self.roles.clock, "the clock")

    @cached_property
    def _bits(self) -> list[str]:
        """Inputs of one bit without a purpose, of which one may be a clock or a reset."""
        return [port.name for port in self.roles.left if port.direction != "output" and port.has_one_bit]

    def _reset_lines(self) -> Iterator[DraftLine]:
        reset = self.sketch.reset
        if reset is None and not (self._bits and self.sketch.clocked):
            return
        if reset is None:
            yield DraftLine("port", FILL_IN, open="the port that is the reset")
            yield DraftLine("active", "low", guess="high or low")
            yield DraftLine("synchronous", True, guess="false if it works without a clock edge")
            return
        why = "" if reset.from_code else "by its name"
        yield DraftLine("port", reset.port, guess=why, note=self.roles.reset.comment if self.roles.reset else "")
        yield DraftLine("active", reset.active, guess=why)
        yield DraftLine(
            "synchronous", reset.synchronous, guess="" if reset.from_code else "false if it works without a clock edge"
        )

    def _protocol_lines(self) -> Iterator[DraftLine]:
        *others, last = kinds()
        yield DraftLine("kind", self.roles.protocol.kind, guess=f"{', '.join(others)} or {last}")
        yield from self.roles.protocol.lines(self.roles)

    def _input_lines(self) -> Iterator[list[DraftLine]]:
        for value, memory in self.roles.read.items():
            if value not in ("a", "b"):
                lines = self._read_lines(value, memory)
                yield [*lines, DraftLine("value", value, guess="by the name of the address")]
        for port, value, why in self.roles.constants:
            text = self.constant(port, value)
            yield [DraftLine("port", port.name, note=port.comment), DraftLine("value", text, guess=why)]
        for port in [p for p in self.roles.left if p.direction != "output"]:
            name = plain(port.name)
            tie = (0, "held at 0") if _OFF.search(name) else (1, "held at 1") if _ON.search(name) else None
            known = DraftLine("value", tie[0], guess=tie[1]) if tie else None
            what = "its constant value, or give the port its place elsewhere"
            yield [DraftLine("port", port.name, note=port.comment), known or DraftLine("value", FILL_IN, open=what)]

    def constant(self, port: SketchPort, value: str) -> str:
        """The value of a constant; of an inverse that the model does not name, modulo what the port holds."""
        full = self.roles.full_width_port
        whole = full is not None and (port.width, port.terms) == (full.width, full.terms)
        if value == POSITIVE_INVERSE:
            return f"{value} mod 2^({self._width(port)})".replace(f"({port.width})", str(port.width))
        if value == INVERSE and self.tried.multipliers and not whole and not self.tried.digit:
            return f"-p^-1 mod 2^({self._width(port)})".replace(f"({port.width})", str(port.width))
        return value

    def _operand_lines(self) -> Iterator[list[DraftLine]]:
        if self.roles.memory.data is not None or not self.roles.protocol.has_data:
            return
        found = {operand.name: operand for operand in self.roles.operands}
        for name in "a" if self.tried.unary else "ab":
            if name in self.roles.read:
                yield [DraftLine("name", name), *self._read_lines(name, self.roles.read[name])]
                continue
            operand = found.get(name)
            if operand is not None and operand.above:
                yield [DraftLine("name", name), *_number_lines((operand.port, *operand.above), operand.why)]
                continue
            port = operand.port if operand else None
            line = port_line("port", port, f"operand {name}", operand.why + _side_by_side(port) if operand else "")
            yield [DraftLine("name", name), line, *self._overlapping(port)]

    def _read_lines(self, value: str, memory: Reached) -> Iterator[DraftLine]:
        """Keys of a value that the core reads out of a memory."""
        yield DraftLine("port", memory.data.name, guess="by its name", note=memory.data.comment)
        yield DraftLine("address", memory.address.name, guess="by its name", note=memory.address.comment)
        if memory.enable:
            yield port_line("enable", memory.enable, "", "by its name")
        yield DraftLine("latency", 1, guess="the word comes in the cycle after its address; 0: in the same cycle")
        yield from self._places(memory, [name for name, other in self.roles.read.items() if other is memory], value)

    def _places(self, memory: Reached, values: Sequence[str], value: str) -> Iterator[DraftLine]:
        """Place of a value in a memory that it may share with others."""
        each = memory.words and memory.words // len(values)
        if self._counted:
            each = self._counted
            yield DraftLine("words", each, guess="those of the modulus, which an input counts")
        elif each:
            yield DraftLine("words", each, guess="by the width of the address")
        else:
            yield DraftLine("words", FILL_IN, open="words of it, a formula over the parameters of the RTL")
        if at := values.index(value):
            if each:
                yield DraftLine("base", at * each, guess=f"it comes behind {values[at - 1]}")
            else:
                yield DraftLine("base", FILL_IN, open="address of its first word")
        yield DraftLine("order", "low-first", guess="or high-first")

    def _overlapping(self, port: SketchPort | None) -> Iterator[DraftLine]:
        """Keys of a port whose digits have more bits than their weight: (D + x) * (K + y) bits with x > 0."""
        terms = terms_of(port)
        pair = next((term for term in terms if len(term) == 2), None)
        if pair is None or not (self.tried.digit and self.tried.count):
            return
        digit, count = pair if self.roles.purpose_of(pair[0]) == "digit" else pair[::-1]
        overlap, more = terms.get((count,), 0), terms.get((digit,), 0)
        if overlap and terms[pair] == 1 and terms.get((), 0) == overlap * more:
            digits = f"{self.tried.count} + {more}" if more else self.tried.count
            yield DraftLine("weight", self.tried.digit, guess=f"digits of {digit} bits and {overlap} that overlap")
            yield DraftLine("digits", digits, guess="by the width")

    def _memory_lines(self) -> Iterator[DraftLine]:
        memory = self.roles.memory
        if memory.data is None:
            return
        if self.roles.protocol.locks:
            yield DraftLine("locked", True, guess="writes are ignored while the core is busy")
        yield port_line("enable", memory.enable, "high in a write", "by its name")
        for key, port in (("select", memory.select), ("product", memory.product), ("address", memory.address)):
            if port:
                yield port_line(key, port, "", "by its name")
        yield port_line("data", memory.data, "", "by its name")
        yield self._depth()
        loads = list(self._loads())
        if loads:
            yield DraftLine("load", loads, guess="by the comment at the select, or in the usual order")

    def _depth(self) -> DraftLine:
        most = next((p.name for p in self.sketch.parameters if "max" in p.name.lower()), None)
        if most:
            return DraftLine("depth", f"{most} + 1", guess="most words of a value")
        return DraftLine("depth", FILL_IN, open="most words of a value, over the parameters of the RTL")

    def _loads(self) -> Iterator[Mapping[str, str | int]]:
        select = self.roles.memory.select
        said = dict(re.findall(r"(\d+)\s*=\s*([^,;]+?)\s*(?:,|;|$)", select.comment)) if select else {}
        constants = self.tried.constants
        chosen = {int(number): text for number, text in said.items()} or {0: "a", 1: "b", 2: "p"}
        for number, text in chosen.items():
            value = text if text in constants else _VALUES.get(text.lower(), text.lower())
            yield {"value": value, "select": number, "words": self._words(value)}

    def _words(self, value: str) -> str:
        """Words of a value that is loaded."""
        data = self.roles.memory.data
        width = data.width if data else 1
        fixed = data is None or not self._digit_parameters
        if fixed or not self.tried.digit or not self.tried.count:
            return f"(N + {width - 1}) // {width}"
        if value == "b" and "passes" in self.tried.names:
            return "passes"
        return f"{self.tried.count} + 1" if "passes" in self.tried.names else self.tried.count

    def _result_lines(self) -> Iterator[DraftLine]:
        roles = self.roles
        if roles.memory.read_data is not None:
            for key in ("product", "address", "data"):
                if port := getattr(roles.memory, f"read_{key}"):
                    yield port_line(key, port, "", "by its name")
            yield DraftLine("words", self._words("a"), guess="words of the result")
            yield self._depth()
            return
        if (memory := roles.written) is not None:
            for key, port in (("enable", memory.enable), ("address", memory.address), ("data", memory.data)):
                yield port_line(key, port, key, "by its name")
            yield from self._places(memory, ["result"], "result")
            if memory.words:
                yield DraftLine("depth", memory.words, guess="by the width of the address")
            else:
                yield DraftLine("depth", FILL_IN, open="most words of it, over the parameters of the RTL")
            return
        if roles.result is not None and roles.result_above:
            yield from _number_lines((roles.result, *roles.result_above), roles.result_why)
        elif roles.protocol.has_data:
            yield port_line("port", roles.result, "the result", roles.result_why + _side_by_side(roles.result))
            if roles.result and roles.result.signed and self.tried.unary:
                yield DraftLine("signed", value=True, guess=f"{roles.result.name} is signed")
                yield DraftLine("below", "p", guess="or 2 * p")
        yield from roles.protocol.result_lines(roles)
        yield from self._overlapping(roles.result)

    def _remarks(self) -> Iterator[str]:
        spare = [p.name for p in self.roles.left if p.direction == "output"] + [p.name for p in self.roles.debug]
        if spare:
            yield f"Outputs that nothing above names: {', '.join(spare)}."
        if self.sketch.reset is None and not self._bits:
            yield "No input is a reset, so the core starts as it is after power-up."
        yield "To compare signals inside of the core with steps of the model, add rows such as:"
        yield '  [[row]]  signal = "q_reg", match = "event", step = "q", when = "q_valid"'


def _side_by_side(port: SketchPort | None) -> str:
    """Further guesses about a port that is an unpacked array."""
    return "; of its elements the one with the lowest index is the low one" if port and port.elements else ""


def _number_lines(ports: Sequence[SketchPort], why: str) -> Iterator[DraftLine]:
    """Keys of numbers below p on ports side by side, the low one first."""
    yield DraftLine("port", side_by_side([port.name for port in ports]), guess=why)
    yield DraftLine("radix", "p", guess=f"{len(ports)} numbers below p, the last one low")
