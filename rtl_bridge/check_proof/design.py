# SPDX-License-Identifier: Apache-2.0
"""A design in BTOR2, whose lines are plain operations on words.

Source of the format: A. Niemetz, M. Preiner, C. Wolf, A. Biere, "BtorMC, BTOR2 and Boolector 3.0", CAV 2018. A division
by 0 has any value here, as in simulators: a variable that the caller gives.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from limbtrace.rtl_bridge.check_proof.logic import FALSE, BitWord, Logic, constant, inverse

_BASES = {"const": 2, "constd": 10, "consth": 16}
_FIXED = {"zero": 0, "one": 1, "ones": -1}
DIVISIONS = ("udiv", "urem", "sdiv", "srem")


@dataclass
class DesignLines:
    """The lines of a file."""

    inputs: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Number -> (name, width); without a name it is unknown in each cycle."""
    registers: dict[int, tuple[str, int]] = field(default_factory=dict)
    initial: dict[int, int] = field(default_factory=dict)
    """Register -> the line of its first value."""
    following: dict[int, int] = field(default_factory=dict)
    """Register -> the line of its value in the next cycle, negative for its inverse."""
    outputs: dict[str, int] = field(default_factory=dict)
    lines: dict[int, tuple[str, int, tuple[int, ...]]] = field(default_factory=dict)
    """Number -> (operation, width, operands), in the order of the file; a constant has its value as operand."""


def read(text: str) -> DesignLines:
    """The design of a file. Raises ValueError, LookupError for what is not known here."""
    design, widths = DesignLines(), dict[int, int]()
    for row in text.splitlines():
        words = row.split(";")[0].split()
        if len(words) < 2:
            continue
        number, operation, *rest = int(words[0]), *words[1:]
        name = rest[1] if len(rest) > 1 else ""
        if operation == "sort":
            if rest[0] != "bitvec":
                raise ValueError(f"line {number} of the design is a sort of {rest[0]}")
            widths[number] = int(rest[1])
        elif operation == "output":
            design.outputs[name or str(number)] = int(rest[0])
        elif operation in ("next", "init"):
            (design.following if operation == "next" else design.initial)[int(rest[1])] = int(rest[2])
        elif operation in ("input", "state"):
            (design.inputs if operation == "input" else design.registers)[number] = name, widths[int(rest[0])]
        elif operation in _BASES or operation in _FIXED:
            value = int(name, _BASES[operation]) if operation in _BASES else _FIXED[operation]
            design.lines[number] = "const", widths[int(rest[0])], (value,)
        else:
            count = {"slice": 3, "ite": 3}.get(operation, 1 if operation in _UNARY else 2)
            design.lines[number] = operation, widths[int(rest[0])], tuple(map(int, rest[1 : 1 + count]))
    for number in [number for number in design.registers if number not in design.following]:
        design.inputs[number] = "", design.registers.pop(number)[1]
    return design


def value(
    logic: Logic, line: tuple[str, int, tuple[int, ...]], known: Mapping[int, BitWord], unknown: BitWord
) -> BitWord:
    """The value of a line; `unknown` is that of a division by 0. Raises LookupError for an unknown operation."""
    operation, width, operands = line
    if operation == "const":
        return constant(operands[0], width)

    def of(number: int) -> BitWord:
        return known[number] if number > 0 else inverse(known[-number])

    x = of(operands[0])
    if operation == "slice":
        return x[operands[2] : operands[1] + 1]
    if operation in ("uext", "sext"):
        return x + (x[-1] if operation == "sext" else FALSE,) * operands[1]
    if operation in _UNARY:
        return _UNARY[operation](logic, x)
    y = of(operands[1])
    if operation == "ite":
        return logic.choices(x[0], y, of(operands[2]))
    if operation in DIVISIONS:
        return logic.choices(logic.same(y, constant(0, width)), unknown, _divided(logic, operation, x, y))
    return _BINARY[operation](logic, x, y)


def _negative(logic: Logic, x: BitWord) -> BitWord:
    return logic.sum_of([(x, -1)], 0, len(x))


def _divided(logic: Logic, operation: str, x: BitWord, y: BitWord) -> BitWord:
    """A quotient is cut towards 0, a remainder has the sign of the dividend."""
    rest = operation.endswith("rem")
    if operation[0] == "u":
        return logic.division(x, y, rest=rest)
    signs = x[-1], y[-1]
    x, y = (logic.choices(word[-1], _negative(logic, word), word) for word in (x, y))
    whole = logic.division(x, y, rest=rest)
    return logic.choices(signs[0] if rest else logic.unlike(*signs), _negative(logic, whole), whole)


def _shifted(logic: Logic, x: BitWord, by: BitWord, *, left: bool, fill: int) -> BitWord:
    for place, bit in enumerate(by):
        count = min(1 << place, len(x))
        filled = (fill,) * count
        x = logic.choices(bit, filled + x[: len(x) - count] if left else x[count:] + filled, x)
    return x


def _less(logic: Logic, x: BitWord, y: BitWord, *, signed: bool) -> int:
    if signed:
        x, y = ((*word[:-1], -word[-1]) for word in (x, y))
    return logic.less(x, y)


_Unary = Callable[[Logic, BitWord], BitWord]
_Binary = Callable[[Logic, BitWord, BitWord], BitWord]
_UNARY: dict[str, _Unary] = {
    "not": lambda logic, x: inverse(x),
    "neg": _negative,
    "inc": lambda logic, x: logic.sum_of([(x, 1)], 1, len(x)),
    "dec": lambda logic, x: logic.sum_of([(x, 1)], -1, len(x)),
    "redor": lambda logic, x: (-logic.all_of(inverse(x)),),
    "redand": lambda logic, x: (logic.all_of(x),),
    "redxor": lambda logic, x: logic.sum_of([((bit,), 1) for bit in x], 0, 1),
}
_BINARY: dict[str, _Binary] = {
    "and": lambda logic, x, y: tuple(map(logic.both, x, y)),
    "nand": lambda logic, x, y: inverse(tuple(map(logic.both, x, y))),
    "or": lambda logic, x, y: tuple(map(logic.either, x, y)),
    "nor": lambda logic, x, y: inverse(tuple(map(logic.either, x, y))),
    "xor": lambda logic, x, y: tuple(map(logic.unlike, x, y)),
    "xnor": lambda logic, x, y: inverse(tuple(map(logic.unlike, x, y))),
    "implies": lambda logic, x, y: (logic.either(-x[0], y[0]),),
    "iff": lambda logic, x, y: (logic.same(x, y),),
    "eq": lambda logic, x, y: (logic.same(x, y),),
    "neq": lambda logic, x, y: (-logic.same(x, y),),
    "ult": lambda logic, x, y: (_less(logic, x, y, signed=False),),
    "ugt": lambda logic, x, y: (_less(logic, y, x, signed=False),),
    "ulte": lambda logic, x, y: (-_less(logic, y, x, signed=False),),
    "ugte": lambda logic, x, y: (-_less(logic, x, y, signed=False),),
    "slt": lambda logic, x, y: (_less(logic, x, y, signed=True),),
    "sgt": lambda logic, x, y: (_less(logic, y, x, signed=True),),
    "slte": lambda logic, x, y: (-_less(logic, y, x, signed=True),),
    "sgte": lambda logic, x, y: (-_less(logic, x, y, signed=True),),
    "add": lambda logic, x, y: logic.sum_of([(x, 1), (y, 1)], 0, len(x)),
    "sub": lambda logic, x, y: logic.sum_of([(x, 1), (y, -1)], 0, len(x)),
    "mul": lambda logic, x, y: logic.product(x, y, len(x)),
    "sll": lambda logic, x, y: _shifted(logic, x, y, left=True, fill=FALSE),
    "srl": lambda logic, x, y: _shifted(logic, x, y, left=False, fill=FALSE),
    "sra": lambda logic, x, y: _shifted(logic, x, y, left=False, fill=x[-1]),
    "concat": lambda logic, x, y: y + x,
}
IGNORED = ("bad", "constraint", "fair", "justice")


def parts_of(operation: str, words: list[str]) -> tuple[list[int], list[int]]:
    """The terms that one is made of, as the words of its line say, and its numbers. Raises ValueError, LookupError."""
    if operation == "var":
        return [], []
    if operation == "const":
        return [], [int(words[0], 16)]
    if operation == "slice":
        return [int(words[0])], [int(words[1]), int(words[2])]
    if operation in ("sum", "wrap"):
        pairs = [word.split(":") for word in words[1:]]
        return [int(term) for term, _ in pairs], [int(words[0]), *(int(factor) for _, factor in pairs)]
    return [int(word) for word in words], []


def term(logic: Logic, operation: str, width: int, operands: list[BitWord], numbers: list[int]) -> BitWord:
    """A term of a proof as the plain operation that it stands for; `numbers` are (high, low) of a slice, the number and
    the factors of a sum. Raises LookupError, ValueError for anything else."""
    if operation == "const":
        made = constant(numbers[0], width)
    elif operation == "slice":
        made = operands[0][numbers[1] : numbers[0] + 1]
    elif operation == "concat":
        made = tuple(bit for part in reversed(operands) for bit in part)
    elif operation in ("sum", "wrap"):
        made = logic.sum_of(list(zip(operands, numbers[1:], strict=True)), numbers[0], width)
    elif operation == "product":
        one, other = operands
        made = logic.product(one, other, width)
    elif operation in ("udiv", "urem"):
        made = logic.division(*operands, rest=operation == "urem")
    elif operation == "ite":
        made = logic.choices(operands[0][0], *operands[1:])
    elif operation in _UNARY:
        made = _UNARY[operation](logic, *operands)
    else:
        made = _BINARY[operation](logic, *operands)
    if len(made) != width:
        raise ValueError(f"{operation} of {width} bits has {len(made)}")
    return made
