# SPDX-License-Identifier: Apache-2.0
"""Mismatches between a description and the elaborated design."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from limbtrace.rtl_bridge.description.formula import FormulaError
from limbtrace.rtl_bridge.description.signal_expression import SignalExpression, is_expression, signals_in
from limbtrace.rtl_bridge.description.table import COUNT_BITS
from limbtrace.rtl_bridge.interface.port_types import PortBits
from limbtrace.rtl_bridge.protocols.base import WATCHED, Wire, fits

MOST_MULTIPLES = 64
"""Multiples of the modulus that a congruent result may have above its residue."""

if TYPE_CHECKING:
    from limbtrace.rtl_bridge.binding.bound import Bound
    from limbtrace.rtl_bridge.binding.signed_range import SignedRange
    from limbtrace.rtl_bridge.description.tables import Operand, Result


def problems(bound: "Bound") -> Iterator[str]:
    """Mismatches between `core.toml` and the elaborated design, one sentence each; the first is to be fixed first.

    A name that the design does not have ends the list, as the further checks would look it up.
    """
    yield from _operand_problems(bound)
    drivers = _Drivers()
    for wire in _wires(bound):
        if problem := _port_problem(bound, wire):
            yield problem
            return
        if wire.direction == "input":
            yield from drivers.add(wire, bound.ports[wire.port].taken)
    if problem := next(_signal_problems(bound), None):
        yield problem
        return
    yield from _width_problems(bound)
    yield from _undriven_inputs(bound, drivers)


def _operand_problems(bound: "Bound") -> Iterator[str]:
    """Checks that the core has as many operands as the model."""
    model = bound.multiplier.model
    if model.unary and not bound.core.file.unary:
        yield f"{model.id} has no b"
    elif bound.core.file.unary and not model.unary:
        yield "operand b is missing: add [[operand]], [[memory.load]] or [[protocol.load]]"


def _port_problem(bound: "Bound", wire: Wire) -> str | None:
    """A port that does not exist or has the other direction. What is watched may also be a signal in the design."""
    top, is_watched = bound.core.file.simulated_top, wire.direction == WATCHED
    port = bound.ports.get(wire.port)
    if port is None:
        if is_watched and wire.port in bound.signals:
            return None
        why = bound.ports.why(wire.port) or f"and {top} has no such {WATCHED if is_watched else 'port'}"
        return f"{wire.key} is {wire.port!r}, {why}"
    direction = "output" if is_watched else wire.direction
    if port.direction != direction:
        return f"{wire.key} is {wire.port}, which is an {port.direction} of {top} and should be an {direction}"
    return None


def _signal_problems(bound: "Bound") -> Iterator[str]:
    """Checks that the design has the signals that rows compare."""
    for k, row in enumerate(bound.core.file.row):
        yield from _expression_problems(bound, f"row[{k}].signal", row.signal, None)
        yield from _expression_problems(bound, f"row[{k}].when", row.when, 1)
        if row.signal and not is_expression(row.signal) and row.signal not in bound.signals:
            converted = "".join(f" in what GHDL made of it, {path}" for path in bound.sources.converted[:1])
            yield f"row[{k}].signal is {row.signal!r}, and {bound.core.file.top} has no such signal{converted}"


def _expression_problems(bound: "Bound", key: str, text: str | None, bits: int | None) -> Iterator[str]:
    """Checks that the design has the signals in an expression, and that it has a value, of so many bits."""
    if text is None or not is_expression(text) or text in bound.ports:
        return
    top = bound.core.file.top
    for name in signals_in(text):
        port = bound.ports.get(name)
        if port is not None and port.direction != "output":
            yield f"{key} is {text!r}, and {name} is an {port.direction} of {top}; it takes outputs and signals inside"
            return
        if port is None and name not in bound.signals:
            yield f"{key} is {text!r}, and {top} has no output and no signal {name!r}"
            return
    try:
        expression, widths = SignalExpression.parse(text, compared=True), bound.widths_in(text)
        expression.check(widths)
        if bits is not None and expression.width(widths) != bits:
            yield f"{key} is {text!r}, which has {expression.width(widths)} bits; compare it, as in 'state == 3'"
    except FormulaError as error:
        yield f"{key} {error}"


class _Drivers:
    """The bits of input ports that the description drives."""

    def __init__(self) -> None:
        self._masks: dict[tuple[str, str], int] = {}
        """By port and element."""

    def add(self, wire: Wire, driven: Iterable[PortBits]) -> Iterator[str]:
        """Take the bits as driven by the wire; a problem for those that are driven already."""
        for bits in driven:
            element, mask = (bits.port, bits.element), ((1 << bits.width) - 1) << bits.low
            if self._masks.get(element, 0) & mask:
                yield f"{wire.key} is {wire.port}, which something else drives already"
            self._masks[element] = self._masks.get(element, 0) | mask

    def reach(self, port: str) -> bool:
        """True if some bits of the port are driven."""
        return any(name == port for name, _ in self._masks)

    def cover(self, bits: PortBits) -> bool:
        """True if all of the bits are driven."""
        return self._masks.get((bits.port, bits.element), 0) >> bits.low == (1 << bits.width) - 1


def _undriven_inputs(bound: "Bound", drivers: _Drivers) -> Iterator[str]:
    """Checks that every input of the design is driven, with all of its bits."""
    for port in bound.ports.values():
        if port.direction != "output" and not all(map(drivers.cover, bound.ports[port.name].taken)):
            part = "a part of " if drivers.reach(port.name) else ""
            yield f"{part}the {port.direction} {port.name} of {bound.core.file.simulated_top} is driven by nothing"


def _bits(bound: "Bound") -> Iterator[Wire]:
    """Every one-bit port that the description names."""
    file = bound.core.file
    if file.clock:
        yield Wire("clock.port", file.clock.port, "input")
    if file.reset:
        yield Wire("reset.port", file.reset.port, "input")
    yield from file.protocol.bits()
    for key, value in file.fetched:
        if value.enable:
            yield Wire(f"{key}.enable", value.enable, "output")
    if file.memory:
        yield Wire("memory.enable", file.memory.enable, "input")
    if file.result.enable:
        yield Wire("result.enable", file.result.enable, "output")
    for k, row in enumerate(file.row):
        if row.when and (row.when in bound.ports or not is_expression(row.when)):
            yield Wire(f"row[{k}].when", row.when, WATCHED)


def _wires(bound: "Bound") -> Iterator[Wire]:
    """Every port that the description names."""
    file = bound.core.file
    yield from _bits(bound)
    for k, constant in enumerate(file.input):
        if constant.address is None:
            yield Wire(f"input[{k}].port", constant.port, "input")
    for k, operand in enumerate(file.operand):
        if operand.address is None:
            yield Wire(f"operand[{k}].port", operand.port, "input")
    for values in bound.memories:
        key, first = values[0]
        yield Wire(f"{key}.port", first.port, "input")
        for key, value in values:
            yield Wire(f"{key}.address", value.address or "", "output")
    yield from file.protocol.wires(bound)
    if file.memory:
        yield Wire("memory.address", file.memory.address, "input")
        yield Wire("memory.data", file.memory.data, "input")
        for name in ("select", "product"):
            if port := getattr(file.memory, name):
                yield Wire(f"memory.{name}", port, "input")
    if file.result.address and file.result.data:
        yield Wire("result.address", file.result.address, "output" if file.result.enable else "input")
        yield Wire("result.data", file.result.data, "output")
        if file.result.product:
            yield Wire("result.product", file.result.product, "input")
    if file.result.port:
        yield Wire("result.port", file.result.port, "output")
    for k, row in enumerate(file.row):
        if row.port:
            yield Wire(f"row[{k}].port", row.port, "output")


def _width_problems(bound: "Bound") -> Iterator[str]:
    """Checks that every port is as wide as what it carries."""
    file = bound.core.file
    yield from _bit_problems(bound)
    yield from _constant_problems(bound)
    yield from _range_problems(bound)
    limits = dict(zip("ab", bound.limits, strict=True))
    limits |= {name: (1 << signed.bits) - 1 for name, signed in bound.signed.items()}
    yield from _operand_width_problems(bound, limits)
    yield from _read_problems(bound)
    largest = (bound.multiplier.params.result_limit if file.compare == "result" else bound.result_below) - 1
    if bound.signed_result is not None:
        largest = (1 << bound.signed_result.bits) - 1
    yield from _result_port_problems(bound, largest.bit_length())
    yield from file.protocol.problems(bound, {**limits, "result": largest})
    yield from _memory_problems(bound, limits)
    yield from _result_memory_problems(bound, largest.bit_length())
    yield from _row_problems(bound)


def _bit_problems(bound: "Bound") -> Iterator[str]:
    for key, port, _ in _bits(bound):
        if bound.width(port) != 1:
            yield f"{key} is {port}, which has {bound.width(port)} bits and should have 1"


def _constant_problems(bound: "Bound") -> Iterator[str]:
    for k, constant in enumerate(bound.core.file.input):
        bits = bound.value(f"input[{k}].value", constant.value).bit_length()
        words = 1 if constant.address is None else bound.read_words(f"input[{k}]", constant)
        yield from fits(bound, f"input[{k}].port", constant.port, bits, f"the value {constant.value}", words)


def _operand_width_problems(bound: "Bound", limits: Mapping[str, int]) -> Iterator[str]:
    for k, operand in enumerate(bound.core.file.operand):
        bits, words = limits[operand.name].bit_length(), bound.words_of(operand)
        what = f"the operand {operand.name}, which {_taken(bound, operand.name)}"
        yield from fits(bound, f"operand[{k}].port", operand.port, bits, what, words)
        yield from _digit_problems(bound, f"operand[{k}]", operand, bits)


def _taken(bound: "Bound", name: str) -> str:
    """The range of an operand, as a sentence about the model or the description."""
    model, given = bound.multiplier.model, bound.core.file.below.get(name)
    if given is not None:
        return f"{given[0]} = {given[1]!r} bounds"
    narrower = '; below = "p" gives the core less' if model.has_modulus else ""
    return f"{model.id} takes {model.operands[name]}{narrower}"


def _result_port_problems(bound: "Bound", bits: int) -> Iterator[str]:
    result = bound.core.file.result
    if result.port:
        model = bound.multiplier.model
        exact = bound.core.file.compare == "result"
        what = f"the result, which {model.id} returns {model.operands['result']}" if exact else "the result"
        yield from fits(bound, "result.port", result.port, bits, what, bound.result_words)
        yield from _digit_problems(bound, "result", result, bits)


def _result_memory_problems(bound: "Bound", bits: int) -> Iterator[str]:
    result = bound.core.file.result
    if result.address and result.data and result.words and result.depth:
        words, depth = bound.formula("result.words", result.words), bound.depth("result.depth", result.depth)
        yield from _words_problem(bound, "result", words, depth, result.address, result.data, bits)
    if result.product:
        yield from _product_problem(bound, "result.product", result.product)


def _range_problems(bound: "Bound") -> Iterator[str]:
    """Ranges that are stated of operands and of the result, against those of the model."""
    file, multiplier = bound.core.file, bound.multiplier
    model, params, modulus = multiplier.model, multiplier.params, multiplier.modulus.modulus
    yield from _signed_problems(bound)
    for name, (key, text) in file.below.items():
        limit = params.limits["ab".index(name)]
        if name not in bound.signed and bound.bound_of(key, text) > limit + 1:
            yield f"{key} is {text!r}, and the model {model.id} takes {name} {model.operands[name]}, up to {limit:#x}"
    bound_text, below = file.result.below, bound.result_below
    if model.numbers:
        yield from _number_problems(bound)
    if model.several and file.compare != "result":
        return
    if file.compare == "congruent":
        if not modulus:
            yield f'compare is "congruent", and {model.id} has no modulus'
        elif bound.signed_result is not None:
            yield from _signed_result_problems(bound, bound.signed_result)
        elif below < modulus:
            yield f"result.below is {bound_text!r}, which is less than p, so that some residues have no result"
        elif below > MOST_MULTIPLES * modulus:
            yield f"result.below is {bound_text!r}, and a congruent result is at most {MOST_MULTIPLES} times p"
    elif bound_text is not None and file.compare == "result" and below < params.result_limit:
        most = f"{params.result_limit - 1:#x}"
        yield (f"result.below is {bound_text!r}, and the model {model.id} returns up to {most}; "
               'compare = "residue" or "congruent" is for a core that reduces more')  # fmt: skip
    elif bound_text is not None and file.compare == "residue" and below < modulus:
        yield f"result.below is {bound_text!r}, and a residue is up to p - 1"


def _number_problems(bound: "Bound") -> Iterator[str]:
    """Checks that operands and a result of several numbers have two halves of their port, each as wide as p."""
    file, model, modulus = bound.core.file, bound.multiplier.model, bound.multiplier.modulus
    if model.several and file.compare != "result":
        returned = " and ".join(model.numbers["result"])
        yield f'compare is "{file.compare}", and {model.id} returns several numbers, {returned}; it goes with "result"'
        return
    places: dict[str, tuple[str, Operand | Result]] = {"result": ("result", file.result)}
    places |= {str(operand.name): (f"operand[{k}]", operand) for k, operand in enumerate(file.operand)}
    for name, names in model.numbers.items():
        if len(names) < 2:
            continue
        low, high = names
        key, place = places.get(name, (name, file.result))  # not on a port
        if name not in places or place.port is None or place.radix is None:
            yield f'{key} needs a port with {low} and above it {high}, the numbers of {model.id}, and radix = "p"'
        elif bound.value(f"{key}.radix", place.radix) != modulus.modulus:
            yield f'{key}.radix is {place.radix!r}, and {low} and {high} of {model.id} go with radix = "p"'
        elif (width := bound.ports[place.port].width) % 2 or width // 2 < modulus.bits:
            yield f"{key}.port is {place.port}, whose {width} bits are not two halves of {modulus.bits} bits or more"


def _signed_problems(bound: "Bound") -> Iterator[str]:
    """Ranges of signed operands against the model, and whether its result says what the core returns for them."""
    file, model, params = bound.core.file, bound.multiplier.model, bound.multiplier.params
    for name, (key, _) in file.signed.items():
        signed = bound.signed[name]
        if not signed.is_complete:
            yield f"{key} has {signed.count} numbers from {signed.least:#x} to {signed.most:#x}, fewer than residues"
        elif signed.added - 1 > (limit := params.limits["ab".index(name)]):
            yield (f"{key} has numbers from {signed.least:#x} to {signed.most:#x}, for which the model {model.id} has "
                   f"to take {name} up to {signed.added - 1:#x}, and it takes up to {limit:#x}")  # fmt: skip
        elif model.largest_b is not None:
            yield f"{key} is signed, and the b that {model.id} takes depends on a"
    if file.signed and file.compare == "result" and params.result_limit > bound.multiplier.modulus.modulus:
        yield f'signed operands go with compare = "residue" or "congruent" where {model.id} does not return residues'


def _signed_result_problems(bound: "Bound", signed: "SignedRange") -> Iterator[str]:
    """An exact range of results against the modulus and the port."""
    named = f"result has numbers from {signed.least:#x} to {signed.most:#x}"
    if not signed.is_complete:
        yield f"{named}, fewer than residues"
    elif max(signed.most, -signed.least) > MOST_MULTIPLES * signed.modulus:
        yield f"{named}, and a congruent result is at most {MOST_MULTIPLES} times p"
    elif signed.bits > bound.signed_width:
        yield f"result.port is {bound.core.file.result.port}, which has {bound.signed_width} bits, and {named}"


def _digit_problems(bound: "Bound", key: str, place: "Operand | Result", bits: int) -> Iterator[str]:
    """Checks that the digits on the port have equal widths and hold the bits."""
    if place.digits is None or place.port is None:
        return
    weight = bound.formula(f"{key}.weight", place.weight or 0)
    digits, width = bound.formula(f"{key}.digits", place.digits), bound.ports[place.port].width
    if not digits or width % digits:
        yield f"{key}.port is {place.port}, whose {width} bits are not {digits} digits of one width"
        return
    size = width // digits
    # Digits of a result are added up as they are, so they may overlap as a sum and its carries do.
    least, most = (0, weight * (digits - 1) + size) if key == "result" else (1, weight * digits)
    if not least <= weight <= size or most < bits:
        yield f"{key} has {digits} digits of {size} bits and weight {weight}, and may have {bits} bits"


def _read_problems(bound: "Bound") -> Iterator[str]:
    """Checks that values in one memory that the core reads are apart, and that the address reaches them."""
    for values in bound.memories:
        (first, one), taken = values[0], dict[int, str]()
        for key, value in values:
            if (value.enable, value.latency) != (one.enable, one.latency):
                yield f"{key} and {first} are in one memory, by port and address, and differ in enable or latency"
            base, words = bound.base(key, value), bound.read_words(key, value)
            if words >= 1 << COUNT_BITS:
                yield f"{key}.words is {words}, and the limit is {(1 << COUNT_BITS) - 1}"
                return
            places = range(base, base + words)
            if met := [taken[place] for place in places if place in taken]:
                yield f"{key}.base is {base}, where words of {met[0]} are too"
            taken |= dict.fromkeys(places, key)
            last = f"the address {places[-1]}"
            yield from fits(bound, f"{key}.address", value.address or "", places[-1].bit_length(), last)


def _product_problem(bound: "Bound", key: str, port: str) -> Iterator[str]:
    """Checks that the port can hold the number of every product."""
    yield from fits(bound, key, port, (bound.products - 1).bit_length(), f"{bound.products} products")


def _memory_problems(bound: "Bound", limits: Mapping[str, int]) -> Iterator[str]:
    memory = bound.core.file.memory
    if memory is None:
        return
    depth = bound.depth("memory.depth", memory.depth)
    if memory.select is None and len(memory.load) > 1:
        yield f"memory.select is missing, and memory.load has {len(memory.load)} values for the same addresses"
    for k, (load, words) in enumerate(zip(memory.load, bound.words, strict=True)):
        key = f"memory.load[{k}]"
        text = str(load.value)
        value = limits[text] if text in limits else bound.value(f"{key}.value", load.value)
        yield from _words_problem(bound, key, words, depth, memory.address, memory.data, value.bit_length())
        if memory.select:
            yield from fits(bound, f"{key}.select", memory.select, load.select.bit_length(), str(load.select))
    if memory.product:
        yield from _product_problem(bound, "memory.product", memory.product)


def _words_problem(
    bound: "Bound", key: str, words: int, depth: int, address: str, data: str, bits: int
) -> Iterator[str]:
    """Checks that `words` words hold the bits, the depth holds the words, and the address reaches them."""
    width = bound.ports[data].width
    if not 1 <= words <= min(depth, (1 << COUNT_BITS) - 1):
        yield f"{key} has {words} words, and the depth is {depth}"
    elif words * width < bits:
        yield f"{key} has {words} words of {width} bits on {data}, and its value may have {bits} bits"
    else:
        yield from fits(bound, f"{key}.address", address, (words - 1).bit_length(), f"{words} words")


def _row_problems(bound: "Bound") -> Iterator[str]:
    columns = {c.name: c for c in bound.plan.columns} if bound.plan else {}
    steps = [symbol.name for symbol in bound.multiplier.model.vocabulary]
    for k, row in enumerate(bound.core.file.row):
        if row.match != "cycle":
            if row.step not in steps:
                yield f"row[{k}].step is {row.step!r}, which is none of {', '.join(steps)}"
        elif row.column not in columns:
            yield f"row[{k}].column is {row.column!r}, and the schedule has {', '.join(columns)}"
        else:
            bits, wanted, key = bound.bits(row), columns[row.column].width, "port" if row.port else "signal"
            if bits < wanted:
                column = f"the column {row.column}"
                yield f"row[{k}].{key} is {row.source}, which has {bits} bits and should have {wanted} for {column}"
