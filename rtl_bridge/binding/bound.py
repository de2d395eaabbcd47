# SPDX-License-Identifier: Apache-2.0
"""A core bound to a modulus (`binding.bind`): every formula of its `core.toml` has a value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Architecture, Plan, Shape
from limbtrace.refmodels.settings import Given
from limbtrace.rtl_bridge.binding.formulas import Formulas
from limbtrace.rtl_bridge.binding.signed_range import SignedRange, signed_ranges
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.description.signal_expression import SignalExpression, is_expression, signals_in
from limbtrace.rtl_bridge.description.table import SLACK
from limbtrace.rtl_bridge.description.tables import InputValue, Load, Operand, Row
from limbtrace.rtl_bridge.elaboration.design import ElaboratedDesign, Sources
from limbtrace.rtl_bridge.interface.pins import Pins, original
from limbtrace.rtl_bridge.protocols.base import Protocol
from limbtrace.vectors.kinds import LEAST_WORD, WIDEST_WORD
from limbtrace.vectors.request import Multiplier

WORDS = ("form", "below", "final")
"""Settings that are texts and have no value as formulas."""
LITERAL_SETTINGS = ("radix", *WORDS)
"""Settings that are not formulas."""
MAX_CYCLES = (1 << 31) - 1
"""Upper limit of the watchdog, in cycles."""
MAX_TAIL = 1024
"""Upper limit of the idle cycles after the last product."""


@dataclass(frozen=True)
class Watch:
    """A watched row; `schedule_column` is the position of its column in the schedule, -1 if it has none."""

    row: Row
    kind: str
    width: int
    schedule_column: int


@dataclass(frozen=True)
class Bound:
    """A core for one modulus and one set of parameters."""

    core: Core
    multiplier: Multiplier
    shape: Shape | None
    """The parameters of the schedule; None without a schedule."""
    plan: Plan | None
    names: dict[str, int]
    parameters: dict[str, int]
    """RTL parameters of the build."""
    design: ElaboratedDesign
    """The RTL with these parameters."""
    starts: tuple[int, ...] = (0,)
    """Row in which each product of a stream starts; without a schedule, the earliest row."""
    single: bool = False
    """True if the next product waits for the result, although the core may take several."""

    @cached_property
    def ports(self) -> Pins:
        """Every port of the design, and what a pin may name."""
        return Pins({port.name: port for port in self.design.ports})

    @property
    def inside(self) -> str:
        """Prefix of the names of internal signals, below the simulated top."""
        return self.design.inside

    @property
    def signals(self) -> Mapping[str, int]:
        """Widths of the internal signals that the description names, in bits."""
        return self.design.signals

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file of the core that a simulator reads, including included files."""
        return self.design.files

    @property
    def sources(self) -> Sources:
        """The sources, as tools are told."""
        return self.design.sources

    @property
    def protocol(self) -> Protocol:
        """The protocol of operands and results."""
        return self.core.file.protocol

    @property
    def takes_several(self) -> bool:
        """True if the core takes the next product before the result of the last one, and shows no rows."""
        return self.plan is None and self.protocol.in_order_formula(self.core.file) is not None

    @cached_property
    def in_order(self) -> bool:
        """True if the products of a stream are told apart by their order alone."""
        return self.takes_several and not self.single

    @property
    def streams(self) -> bool:
        """True if a stream may have more than one product."""
        return self.in_order or self.protocol.products_formula is not None

    @cached_property
    def products(self) -> int:
        """Largest number of products in a stream."""
        protocol = self.protocol
        products = protocol.in_order_formula(self.core.file) if self.in_order else protocol.products_formula
        return 1 if products is None else self.span("protocol.products", products)

    @property
    def guard_bits(self) -> int:
        """Bits above the results of a stream, which are 0 unless the core returned surplus data."""
        return int(self.in_order) or self.protocol.guard_bits

    @cached_property
    def groups(self) -> int:
        """Number of starts that the products of a stream take, equally many each."""
        groups = self.protocol.groups_formula
        return 1 if groups is None else self.span("protocol.groups", groups)

    @cached_property
    def operand_words(self) -> int:
        """Number of words in which an operand passes its port."""
        return self.protocol.operand_words(self)

    def words_of(self, operand: Operand) -> int:
        """Number of words in which that operand is given."""
        if operand.address is None:
            return self.operand_words
        return self.read_words(f"operand[{self.core.file.operand.index(operand)}]", operand)

    def read_words(self, key: str, value: InputValue) -> int:
        """Number of words of a value that the core reads."""
        return 1 if value.words is None else self._rtl_formulas.count(f"{key}.words", value.words)

    @cached_property
    def memories(self) -> list[list[tuple[str, InputValue]]]:
        """The values that the core reads, with their keys, by the memory that they are in."""
        found: dict[tuple[str, str | None], list[tuple[str, InputValue]]] = {}
        for key, value in self.core.file.fetched:
            found.setdefault((value.port, value.address), []).append((key, value))
        return list(found.values())

    def base(self, key: str, value: InputValue) -> int:
        """Address of the first word of a value that the core reads."""
        return self._rtl_formulas.size(f"{key}.base", value.base or 0)

    @cached_property
    def result_words(self) -> int:
        """Number of words in which the result passes its port or the bus."""
        return self.protocol.result_words(self)

    def stream(self, gaps: Sequence[int]) -> "Bound":
        """The core for streams of len(gaps) products, each delayed by that many cycles beyond its earliest start."""
        starts: tuple[int, ...] = ()
        for gap in gaps:
            wanted = (starts[-1] if starts else 0) + gap
            if self.architecture and self.shape:
                wanted = self.architecture.next_start(replace(self.shape, starts=starts), wanted)
            starts = (*starts, wanted)
        if not (self.architecture and self.shape):
            return replace(self, starts=starts)
        shape = replace(self.shape, starts=starts)
        return replace(self, starts=starts, shape=shape, plan=self.architecture.plan(shape))

    @property
    def architecture(self) -> Architecture | None:
        """The architecture whose schedule the core follows."""
        return registry.ARCHITECTURES[self.core.file.schedule] if self.core.file.schedule else None

    @cached_property
    def _formulas(self) -> Formulas:
        return Formulas(self.core, self.multiplier, self.names)

    @cached_property
    def _rtl_formulas(self) -> Formulas:
        return Formulas(self.core, self.multiplier, self.parameters)

    def value(self, key: str, text: str | int) -> int:
        """Value of a constant of the model by its name, of the modulus as p, or of a formula."""
        return self._formulas.value(key, text)

    def formula(self, key: str, text: str | int) -> int:
        """Value of a formula over the model's parameters, not negative."""
        return self._formulas.size(key, text)

    def span(self, key: str, text: str | int) -> int:
        """Value of a formula of cycles or products, over the model's parameters and those of the RTL, not negative."""
        return Formulas(self.core, self.multiplier, {**self.parameters, **self.names}).size(key, text)

    @property
    def named_result_words(self) -> int:
        """Number of words of a result by [result], 1 by default."""
        words = self.core.file.result.words
        return 1 if words is None else self._formulas.count("result.words", words)

    def depth(self, key: str, text: str | int) -> int:
        """Value of a formula over the RTL parameters, at least 1."""
        return max(self._rtl_formulas.size(key, text), 1)

    @property
    def own(self) -> Given:
        """Parameters of the hardware that the model does not have, by name."""
        return self.architecture.own_settings(self.shape) if self.architecture and self.shape else {}

    @property
    def settings(self) -> Given:
        """Complete settings that resolve to this core again."""
        return {**self.multiplier.settings, **self.own}

    @property
    def head(self) -> dict[str, Any]:
        """The multiplier as in documents, with the parameters of the hardware."""
        head = self.multiplier.head
        return {**head, "params": {**head["params"], **self.own}}

    @property
    def loads(self) -> tuple[Load, ...]:
        memory = self.core.file.memory
        return memory.load if memory else ()

    @property
    def keeps_operands(self) -> bool:
        """True if both operands of a product are loaded into a memory and stay there."""
        memory, loaded = self.core.file.memory, {load.value for load in self.loads}
        return memory is not None and not memory.consumed and self.groups == 1 and {"a", "b"} <= loaded

    @property
    def loads_ahead(self) -> bool:
        """True if operands may be loaded while the core works on others, and have the same form; for any modulus."""
        memory = self.core.file.memory
        return memory is not None and memory.locked == "next" and self.core.file.again and self.swaps_operands

    @property
    def starts_after_reset(self) -> bool:
        """True if a product may start in the first cycle after a reset."""
        reset = self.core.file.reset
        return reset is not None and reset.registers == 0

    @property
    def reloads_first(self) -> bool:
        """True if operands may be written before a result is read or looked at again."""
        return self.core.file.result.stays == "start" and self.core.file.memory is not None

    @property
    def starts_with_write(self) -> bool:
        """True if a start may come with the last word of the operands."""
        memory = self.core.file.memory
        return memory is not None and memory.with_start is True and self.groups == 1

    @property
    def swaps_operands(self) -> bool:
        """True if both operands stay in a memory, and have the same form there; for any modulus."""
        loads = [load for load in self.loads if load.value in ("a", "b")]
        forms = {(load.words, load.weight, *((load.above, load.below) if load.signed else ())) for load in loads}
        return self.keeps_operands and len(forms) == 1

    @cached_property
    def words(self) -> list[int]:
        """Number of words of every load."""
        return [self.formula(f"memory.load[{k}].words", load.words) for k, load in enumerate(self.loads)]

    @cached_property
    def limbs(self) -> list[int]:
        """Widths of the limbs that the core computes with, in bits, as far as operands are directed at them."""
        widths = [self.formula(f"limbs[{k}]", text) for k, text in enumerate(self.core.file.limbs)]
        return [width for width in widths if LEAST_WORD <= width <= WIDEST_WORD]

    @cached_property
    def watches(self) -> list[Watch]:
        """The rows, in the order of the file."""
        columns = {c.name: k for k, c in enumerate(self.plan.columns)} if self.plan else {}
        watches = []
        for row in self.core.file.row:
            at = columns.get(row.column or "", -1)
            kind = row.kind or "combinational" if self.plan is None or at < 0 else self.plan.columns[at].kind
            watches.append(Watch(row, kind, self.bits(row), at))
        return watches

    def bits(self, row: Row) -> int:
        """Width of a watched row."""
        return self.width(row.signal) if row.signal else self.ports[row.source].width

    def width(self, name: str) -> int:
        """Width of a port, of an internal signal or of an expression over them, in bits."""
        if is_expression(name) and name not in self.ports:
            return SignalExpression.parse(name, compared=True).width(self.widths_in(name))
        return self.ports[name].width if name in self.ports else self.signals[name]

    def widths_in(self, text: str) -> dict[str, int]:
        """Widths of the signals in an expression, in bits."""
        return {name: self.width(name) for name in signals_in(text)}

    @property
    def limit(self) -> int:
        """Number of cycles after which the watchdog ends a product that is not done."""
        in_front = self.longest if self.core.file.again else 0
        return in_front + self.longest + sum(self.words) + self.protocol.cycles(self) + SLACK

    @property
    def longest(self) -> int:
        """Cycles from start to done that a stream takes, or without a schedule the most that `timeout` allows."""
        if self.plan:
            return self.plan.cycles
        timeout, latency = self.core.file.timeout, self.protocol.latency_formula
        most = self.span("timeout", timeout or 0)
        if timeout is None and latency is not None:
            most = self.span("protocol.latency", latency)
            most += self.result_words if self.protocol.timed else 0  # to the first word, and to the end of the last
        return self.starts[-1] + len(self.starts) * most

    @property
    def most(self) -> int:
        """Cycles from start to the one in which it is seen that the core is done, at most."""
        return self.longest + self.protocol.delay(self)

    @property
    def tail(self) -> int:
        """Idle cycles after the last product, in which the handshake is still checked."""
        return min(self.longest + SLACK, MAX_TAIL)

    def bound_of(self, key: str, text: str | int) -> int:
        """A bound of operands or results, as a number over p, N, R and the parameters."""
        return self._formulas.bound(key, text)

    @cached_property
    def signed(self) -> dict[str, SignedRange]:
        """The ranges of operands in two's complement, by name."""
        return signed_ranges(self._formulas)

    @cached_property
    def limits(self) -> tuple[int, int]:
        """Largest a and b that the core is given: those of the model, or less where core.toml says so.

        Of signed operands these are the integers that stand for them. Beside one, an operand without a bound is below
        p, although the model takes larger ones then.
        """
        below = {name: self.bound_of(*given) for name, given in self.core.file.below.items()}
        widened = "below" not in self.core.file.settings and "below" in self.multiplier.params.named
        if self.signed and widened:
            below = dict.fromkeys("ab", self.multiplier.modulus.modulus) | below
        below |= {name: signed.added for name, signed in self.signed.items()}
        a, b = (min(limit, below.get(name, limit + 1) - 1)
                for name, limit in zip("ab", self.multiplier.params.limits, strict=True))  # fmt: skip
        return a, b

    def operand_text(self, a: int, b: int) -> str:
        """The operands of a product as `--operands` takes them: both, or the only one; of signed ones the numbers."""
        texts = [self.number_text(name, value) for name, value in (("a", a), ("b", b))]
        return texts[0] if self.core.file.unary else ",".join(texts)

    @property
    def numbers_of_all(self) -> tuple[int, int]:
        """Largest a and b where all pairs are counted: of a signed operand one less than it has numbers."""
        a, b = (self.signed[name].count - 1 if name in self.signed else limit
                for name, limit in zip("ab", self.limits, strict=True))  # fmt: skip
        return a, b

    def number_text(self, name: str, operand: int) -> str:
        """An operand as `--operands` takes it: the number that it stands for, if it is signed."""
        return f"{self.signed[name].number(operand) if name in self.signed else operand:#x}"

    def signed_texts(self, a: int, b: int) -> dict[str, str]:
        """The numbers that signed operands stand for, by name."""
        return {name: self.number_text(name, value) for name, value in (("a", a), ("b", b)) if name in self.signed}

    @property
    def narrowed(self) -> bool:
        """True if the core is given other operands than the model takes: fewer, or signed ones."""
        return bool(self.signed) or self.limits != self.multiplier.params.limits

    @cached_property
    def signed_result(self) -> SignedRange | None:
        """The exact range of a result in two's complement; None without both limits."""
        result = self.core.file.result
        if result.above is None or result.below is None:
            return None
        least = self._formulas.exclusive_least("result.above", result.above) + 1
        return SignedRange(least, self.bound_of("result.below", result.below) - 1, self.multiplier.modulus.modulus)

    @cached_property
    def result_below(self) -> int:
        """Exclusive bound of what the core returns; of signed results after a multiple of p was added to negative ones.

        That multiple is the least one that makes all of them positive, and the bound.
        """
        result, modulus = self.core.file.result, self.multiplier.modulus.modulus
        if (exact := self.signed_result) is not None:
            return -(-max(exact.most + 1, -exact.least) // modulus) * modulus
        if result.below is not None:
            below = self.bound_of("result.below", result.below)
            return -(-below // modulus) * modulus if result.signed else below
        return self.multiplier.params.result_limit if self.core.file.compare == "result" else modulus

    @property
    def signed_width(self) -> int:
        """Bits of the result in two's complement."""
        return self.ports[original(self.core.file.result.port or "")].width

    def expected(self, result: int) -> int:
        """The value that is compared if the model returns `result`."""
        return result if self.core.file.compare == "result" else result % self.multiplier.modulus.modulus
