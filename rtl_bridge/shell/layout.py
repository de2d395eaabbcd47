# SPDX-License-Identifier: Apache-2.0
"""Layout of the vectors that a testbench exchanges with the shell: widths, positions, images."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from limbtrace.refmodels.batch_digits import integers, split
from limbtrace.refmodels.representations import Written
from limbtrace.rtl_bridge.description.signal_expression import SignalExpression, is_expression
from limbtrace.rtl_bridge.description.table import COUNT_BITS
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS, Field, pack

if TYPE_CHECKING:
    from limbtrace.refmodels.model import Index
    from limbtrace.rtl_bridge.binding.bound import Bound, Watch
    from limbtrace.rtl_bridge.description.tables import Row

FEW = 4
"""Products up to which each is run on its own for its digits."""


def read_name(key: str) -> str:
    """Name in the shell of a constant that the core reads, by its key."""
    return "read_" + "".join(character for character in key if character.isalnum())


def _side_by_side(digits: Sequence[int], width: int) -> int:
    """Digits as words of that width, first digit in the low bits."""
    return sum(digit << (width * place) for place, digit in enumerate(digits))


@dataclass(frozen=True)
class Layout:
    """Widths and positions in the shell of a bound core, as Python needs them."""

    bound: "Bound"

    def width(self, port: str) -> int:
        """Bits of a port of the core."""
        return self.bound.ports[port].width

    @cached_property
    def constants(self) -> list[Field]:
        """The fields that a testbench holds stable: input values, images of constant loads, word counts."""
        bound = self.bound
        file = bound.core.file
        fields = [
            self._of_each_product(field) if constant.with_ == "product" else field
            for k, constant in enumerate(file.input)
            for port in [bound.ports[constant.port]]
            if constant.address is None
            for field in [Field(f"input_{port.net}", port.width, bound.value(f"input[{k}].value", constant.value))]
        ]
        for k, constant in enumerate(file.input):
            if constant.address is not None:
                key = f"input[{k}]"
                width = self.width(constant.port) * bound.read_words(key, constant)
                fields.append(Field(read_name(key), width, bound.value(f"{key}.value", constant.value)))
        for k, (load, words) in enumerate(zip(bound.loads, bound.words, strict=True)):
            if load.value not in ("a", "b"):
                value = bound.value(f"memory.load[{k}].value", load.value)
                if load.weight is not None:
                    value = _side_by_side(split(value, self._weight(k), words), self._load_width)
                fields.append(Field(f"image_{k}", self.image_width, value))
            fields.append(Field(f"words_{k}", COUNT_BITS, words))
        fields += file.protocol.constants(self)
        if file.compare == "congruent":
            width = self.product_width("result") + 1
            fields.append(Field("residue_modulus", width, bound.multiplier.modulus.modulus))
            fields.append(Field("residue_below", width - bool(file.result.signed), bound.result_below))
            if (exact := bound.signed_result) is not None:
                fields.append(Field("residue_offset", width - 1, -exact.least))
                fields.append(Field("residue_count", width - 1, exact.count))
        if file.result.address is not None and file.result.words is not None:
            fields.append(Field("words_result", COUNT_BITS, bound.formula("result.words", file.result.words)))
        return fields or [Field("none", 1, 0)]

    def _of_each_product(self, field: Field) -> Field:
        """A constant that comes with a product, as often as the products of a stream are."""
        return Field(field.name, field.width * self.bound.products, pack([field] * len(self.bound.starts)))

    @cached_property
    def image_width(self) -> int:
        """Bits of the memory image of a load."""
        memory = self.bound.core.file.memory
        return self.bound.depth("memory.depth", memory.depth) * self.width(memory.data) if memory else 0

    @cached_property
    def _radices(self) -> dict[str, int]:
        """The radix of operands that are split into two digits."""
        operands = enumerate(self.bound.core.file.operand)
        return {o.name: self.bound.value(f"operand[{k}].radix", o.radix) for k, o in operands if o.radix is not None}

    def _weight(self, load: int) -> int:
        """Distance of the weights of two digits of that load, in bits."""
        return self.bound.formula(f"memory.load[{load}].weight", self.bound.loads[load].weight or 0)

    @property
    def _load_width(self) -> int:
        """Bits of a word of a load."""
        memory = self.bound.core.file.memory
        return self.width(memory.data) if memory else 0

    @cached_property
    def _weights(self) -> dict[str, tuple[int, int]]:
        """For operands that come as digits: distance of the digits' weights, and width of a digit, in bits."""
        weights = {}
        for k, load in enumerate(self.bound.loads):
            if load.value in ("a", "b") and load.weight is not None:
                weights[str(load.value)] = self._weight(k), self._load_width
        for k, operand in enumerate(self.bound.core.file.operand):
            if operand.weight is not None and operand.digits is not None:
                digits = self.bound.formula(f"operand[{k}].digits", operand.digits)
                weight = self.bound.formula(f"operand[{k}].weight", operand.weight)
                weights[operand.name] = weight, self.width(operand.port) // digits
        return weights

    @cached_property
    def result_digits(self) -> "list[tuple[str, Index]]":
        """The steps of the model that are the digits of the result, low digit first, if the core shows these.

        Empty where the result is compared as one integer: digits that are not those of the model's result are added up,
        and numbers of a result without a radix are compared as the port has them.
        """
        file, m = self.bound.core.file, self.bound.multiplier
        if m.model.several and file.result.radix is not None:
            return [(name, ()) for name in m.model.numbers["result"]]
        if file.result.weight is None or file.compare != "result":
            return []
        weight = self.bound.formula("result.weight", file.result.weight)
        parts = m.model.result_parts(m.params)
        shifts = [shift for _, _, shift in parts]
        fits = len(parts) * self.digit_width <= self.product_width("result")
        if not fits or len(parts) < 2 or shifts != [weight * place for place in range(len(parts))]:
            return []
        return [(name, index) for name, index, _ in parts]

    @property
    def digit_width(self) -> int:
        """Bits of a digit of the result."""
        result = self.bound.core.file.result
        if self.bound.multiplier.model.several:
            return self.product_width("result") // 2
        if result.digits is None:
            return self.width(result.data or result.port or "")
        return self.product_width("result") // self.bound.formula("result.digits", result.digits)

    def result_value(self, image: int) -> int:
        """The integer that the digits of a result stand for."""
        count = self.product_width("result") // self.digit_width
        digits = split(image, self.digit_width, count)
        return sum(digit << (self.result_weight * place) for place, digit in enumerate(digits))

    def results(self, a: Sequence[int], b: Sequence[int], results: Sequence[int]) -> list[int]:
        """The values that the core returns for these products, with their digits if it shows digits."""
        if not self.result_digits:
            return [self.bound.expected(result) for result in results]
        m, count = self.bound.multiplier, len(a)
        if count <= FEW:
            return [self._written(m.params.split(*pair), 1)[0] for pair in zip(a, b, strict=True)]
        return self._written(m.params.split_batch(a, b), count)

    def _written(self, operands: tuple[Any, Any], count: int) -> list[int]:
        m, wanted = self.bound.multiplier, set(self.result_digits)
        found = {(name, index): value for name, index, value in m.model.steps(m.params, *operands)
                 if (name, index) in wanted}  # fmt: skip
        digits = zip(*(integers(found[step], count) for step in self.result_digits), strict=True)
        return [Written(vector, self.result_weight) for vector in digits]

    @property
    def result_weight(self) -> int:
        """Distance of the weights of two digits of the result, in bits; several numbers do not overlap."""
        if self.bound.multiplier.model.several:
            return self.digit_width
        return self.bound.formula("result.weight", self.bound.core.file.result.weight or 0)

    def shown_digits(self, name: str, digits: Sequence[Any]) -> tuple[int, Sequence[Any]] | None:
        """(bits of a digit, digits from the low one on) of an operand as `split` gives them; None for an integer."""
        if name in self._weights:
            return self._weights[name][1], digits
        return (self.product_width(name) // 2, digits[::-1]) if name in self._radices else None

    def _image(self, name: str, value: int) -> int:
        """a, b or result of one product in the form used by a testbench."""
        if name == "result" and self.result_digits:
            assert isinstance(value, Written)
            return _side_by_side(value.digits, self.digit_width)
        if name in self._radices:
            high, low = divmod(value, self._radices[name])
            return high << (self.product_width(name) // 2) | low
        if name in self.bound.signed:
            return self.bound.signed[name].image(value, self.product_width(name))
        if name not in self._weights:
            return value
        params = self.bound.multiplier.params
        digits = params.split(value, 0)[0] if name == "a" else params.split(0, value)[1]
        return _side_by_side(digits, self._weights[name][1])

    def product_width(self, name: str) -> int:
        """Width of a, b or result of one product within its stream, in bits."""
        if name == "result":
            return self._product_result_width
        for operand in self.bound.core.file.operand:
            if operand.name == name:
                return self.width(operand.port) * self.bound.words_of(operand)
        return self.bound.protocol.operand_width(self, name)

    @property
    def result_word_width(self) -> int:
        """Width of the words of a result; of the whole result if digits overlap."""
        result = self.bound.core.file.result
        port = result.port or result.data
        return self.product_width("result") if result.weight or port is None else self.width(port)

    def join(self, name: str, values: Iterable[int]) -> int:
        """a, b or result of the products of a stream in the form used by a testbench: side by side, first one low."""
        width = self.product_width(name)
        return sum(self._image(name, value) << (width * place) for place, value in enumerate(values))

    def is_plain(self, name: str) -> bool:
        """True if a, b or result of a stream is the integer itself in the form used by a testbench."""
        in_digits = name in self._weights or name in self._radices or (name == "result" and bool(self.result_digits))
        return len(self.bound.starts) == 1 and not in_digits and name not in self.bound.signed

    def streams(self, name: str, values: Sequence[int]) -> list[int]:
        """a, b or result of the products of many streams, joined stream by stream."""
        if self.is_plain(name):
            return list(values)
        size = len(self.bound.starts)
        return [self.join(name, values[at : at + size]) for at in range(0, len(values), size)]

    def part(self, name: str, joined: int, place: int) -> int:
        """The inverse of `join`, for one product."""
        width = self.product_width(name)
        image = joined >> (width * place) & ((1 << width) - 1)
        if name in self._radices:
            half = width // 2
            return (image >> half) * self._radices[name] + (image & ((1 << half) - 1))
        if name in self.bound.signed:
            return self.bound.signed[name].from_image(image, width)
        if name not in self._weights:
            return image
        weight, word = self._weights[name]
        digits = split(image, word, width // word)
        return sum(digit << (weight * j) for j, digit in enumerate(digits))

    def operand_width(self, name: str) -> int:
        """Width of operand a or b as driven by a testbench, in bits."""
        return self.product_width(name) * self.bound.products

    @property
    def result_width(self) -> int:
        """Width of the result as seen by a testbench, in bits."""
        return self.product_width("result") * self.bound.products + self.bound.guard_bits

    @property
    def result_net(self) -> str:
        """Signal with the results of a protocol; those that are compared as residues are reduced behind it."""
        return "results" if self.bound.core.file.compare == "congruent" else "result_o"

    @cached_property
    def _product_result_width(self) -> int:
        return self.bound.protocol.result_width(self)

    @cached_property
    def whens(self) -> list[str]:
        """Outputs and internal signals that mark an event, each once."""
        return list(dict.fromkeys(row.when for row in self.bound.core.file.row if row.when))

    @cached_property
    def combinational(self) -> list[tuple[str, int]]:
        """(wire, width) of signals sampled during a cycle, first one in the low bits."""
        watched = [(self.wire(w.row), w.width) for w in self.bound.watches if w.kind == "combinational"]
        return watched + [(self.net(name), 1) for name in self.whens]

    @cached_property
    def registers(self) -> list[tuple[str, int]]:
        """(wire, width) of signals sampled after the edge that ends a cycle, first one in the low bits."""
        return [(self.wire(w.row), w.width) for w in self.bound.watches if w.kind == "register"]

    @property
    def combinational_width(self) -> int:
        return max(sum(width for _, width in self.combinational), 1)

    @property
    def registers_width(self) -> int:
        return max(sum(width for _, width in self.registers), 1)

    def offset(self, watch: "Watch") -> int:
        """Position of a watched port in a row {registers, combinational, cycle number}."""
        group = [w for w in self.bound.watches if w.kind == watch.kind]
        start = CYCLE_BITS + (self.combinational_width if watch.kind == "register" else 0)
        return start + sum(w.width for w in group[: group.index(watch)])

    @cached_property
    def cycle_watches(self) -> list[tuple["Watch", int]]:
        """Watched ports that follow the schedule, with their positions in a row."""
        return [(watch, self.offset(watch)) for watch in self.bound.watches if watch.row.match == "cycle"]

    def wire(self, row: "Row") -> str:
        """The signal that a row watches, by its name in the shell."""
        if row.signal and not is_expression(row.signal):
            return self._inside(row.signal)
        return self.net(row.source)

    def net(self, name: str) -> str:
        """An output of the core or an internal signal, by its name in the shell."""
        if is_expression(name) and name not in self.bound.ports:
            return SignalExpression.parse(name, compared=True).verilog(self.bound.widths_in(name), self.net)
        return f"out_{self.bound.ports[name].net}" if name in self.bound.ports else self._inside(name)

    def _inside(self, signal: str) -> str:
        """An internal signal of the core as a hierarchical name, which every simulator accepts without a wire."""
        return f"u_core.{self.bound.inside}{signal}"

    def when_offset(self, name: str) -> int:
        """Position of a `when` in a row: above the signals sampled during the cycle."""
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
