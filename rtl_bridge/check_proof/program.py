# SPDX-License-Identifier: Apache-2.0
"""The program of the model that a core is compared with: values of the operands, as numbers and as words."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from limbtrace.rtl_bridge.check_proof.logic import FALSE, BitWord, Logic, constant

RUNS = 64
"""Random operands with which the program is compared with the closed form."""
ValueRange = tuple[int, int]


@dataclass
class ProgramValue:
    """How a value is computed from earlier ones; `range` is what it is said to be in."""

    operation: str
    operands: list[str]
    range: ValueRange

    @property
    def width(self) -> int:
        """Bits of the value, in two's complement if it may be negative."""
        least, most = self.range
        return max(most.bit_length(), (~least).bit_length()) + 1 if least < 0 else max(most.bit_length(), 1)


@dataclass
class GoldenProgram:
    """Values by their numbers; an operand of a value is such a number, or # and a constant."""

    operands: Mapping[str, int]
    """Largest values."""
    values: list[ProgramValue] = field(default_factory=list)
    narrower: int = 0
    """Values whose ranges are said to be narrower than those of their operands make them."""

    def add(self, words: list[str]) -> None:
        """Take the next value. Raises ValueError, LookupError."""
        least, most, operation, *operands = words
        value = ProgramValue(operation, operands, (int(least), int(most)))
        found = self._interval(value)
        self.narrower += found[0] < value.range[0] or found[1] > value.range[1]
        self.values.append(value)

    def range_of(self, name: str) -> ValueRange:
        """The range of an operand of a value."""
        return (int(name[1:]), int(name[1:])) if name[0] == "#" else self.values[int(name)].range

    def _interval(self, value: ProgramValue) -> ValueRange:
        """The range that follows from those of the operands."""
        operation, operands = value.operation, value.operands
        if operation == "field":
            return 0, min(self.operands[operands[0]] >> int(operands[1]), (1 << int(operands[2])) - 1)
        if operation == "join":
            parts = [part.split(":") for part in operands]
            ends = [(self.range_of(name), int(shift)) for name, shift in parts]
            return sum(low << shift for (low, _), shift in ends), sum(high << shift for (_, high), shift in ends)
        least, most = self.range_of(operands[0])
        if operation in ("<<", ">>"):
            count = int(operands[1])
            return (least << count, most << count) if operation == "<<" else (least >> count, most >> count)
        low, high = self.range_of(operands[1])
        if operation in "+-":
            return (least + low, most + high) if operation == "+" else (least - high, most - low)
        if operation == "*":
            corners = [x * y for x in (least, most) for y in (low, high)]
            return min(corners), max(corners)
        if operation == "&" and min(least, low) >= 0:
            return 0, min(most, high)
        if operation == "&" and low == high >= 0:
            return 0, high
        size = max(end.bit_length() for end in (most, ~least, high, ~low))
        return (0 if min(least, low) >= 0 else -(1 << size)), (1 << size) - 1

    def word(self, logic: Logic, number: int, operands: Mapping[str, BitWord], known: Mapping[int, BitWord]) -> BitWord:
        """The bits of a value, made of those of earlier ones by the plain operation."""
        value = self.values[number]
        width, operation, names = value.width, value.operation, value.operands

        def of(name: str, size: int) -> BitWord:
            if name[0] == "#":
                return constant(int(name[1:]), size)
            bits = known[int(name)]
            return (bits + (bits[-1] if self.range_of(name)[0] < 0 else FALSE,) * size)[:size]

        if operation == "field":
            low = int(names[1])
            return (operands[names[0]][low : low + int(names[2])] + constant(0, width))[:width]
        if operation == "join":
            parts = [part.split(":") for part in names]
            return logic.sum_of([(of(name, width), 1 << int(shift)) for name, shift in parts], 0, width)
        if operation in ("<<", ">>"):
            count = int(names[1])
            if operation == "<<":
                return (constant(0, count) + of(names[0], width))[:width]
            return of(names[0], count + width)[count:]
        x, y = of(names[0], width), of(names[1], width)
        if operation == "*":
            return logic.product(x, y, width)
        if operation in "+-":
            return logic.sum_of([(x, 1), (y, 1 if operation == "+" else -1)], 0, width)
        gates = {"&": logic.both, "|": logic.either, "^": logic.unlike}
        return tuple(map(gates[operation], x, y))

    def shown(self, name: str, low: int, width: int, known: Mapping[int, BitWord]) -> BitWord:
        """Bits of a value from bit `low` on, extended by its sign."""
        if name[0] == "#":
            return constant(int(name[1:]) >> low, width)
        bits = known[int(name)]
        return (bits + (bits[-1] if self.range_of(name)[0] < 0 else FALSE,) * (low + width))[low : low + width]

    def needed(self, name: str, known: Mapping[int, BitWord]) -> list[int]:
        """The values that one depends on and that are not known, in order, with itself."""
        found, waiting = set[int](), [] if name[0] == "#" else [int(name)]
        while waiting:
            number = waiting.pop()
            if number not in found and number not in known:
                found.add(number)
                waiting += [int(each) for each in self._inputs(self.values[number]) if each[0] != "#"]
        return sorted(found)

    @staticmethod
    def _inputs(value: ProgramValue) -> list[str]:
        if value.operation == "field":
            return []
        return [each.split(":")[0] for each in value.operands[: 1 if value.operation in ("<<", ">>") else None]]

    def run(self, operands: Mapping[str, int]) -> list[int]:
        """All values for these operands. Raises ValueError where one is not in its range."""
        made: list[int] = []

        def of(name: str) -> int:
            return int(name[1:]) if name[0] == "#" else made[int(name)]

        for number, value in enumerate(self.values):
            operation, names = value.operation, value.operands
            if operation == "field":
                result = operands[names[0]] >> int(names[1]) & (1 << int(names[2])) - 1
            elif operation == "join":
                result = sum(of(name) << int(shift) for name, shift in (part.split(":") for part in names))
            elif operation in ("<<", ">>"):
                result = of(names[0]) << int(names[1]) if operation == "<<" else of(names[0]) >> int(names[1])
            else:
                x, y = map(of, names)
                plain = {"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y}
                result = plain[operation]
            if not value.range[0] <= result <= value.range[1]:
                raise ValueError(f"value {number} of the program leaves its range with operands {dict(operands)}")
            made.append(result)
        return made

    def drawn(self) -> list[dict[str, int]]:
        """Operands to run it with: the largest ones, and random ones that are the same each time."""
        draw = random.Random(0)
        return [dict(self.operands)] + [
            {name: draw.randint(0, most) for name, most in self.operands.items()} for _ in range(RUNS - 1)
        ]
