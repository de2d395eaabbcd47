# SPDX-License-Identifier: Apache-2.0
"""A design as BTOR2, stepped clock cycle by clock cycle on terms.

Source of the format: A. Niemetz, M. Preiner, C. Wolf, A. Biere, "BtorMC, BTOR2 and Boolector 3.0", CAV 2018.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.proof_log import NO_LOG, ProofLog
from limbtrace.vectors.errors import ToolError

State = Mapping[int, BitTerm]
"""The values of registers, by their numbers."""

_CONSTANTS: dict[str, Callable[[str], int]] = {
    "const": lambda text: int(text, 2),
    "constd": int,
    "consth": lambda text: int(text, 16),
}
_FIXED = {"zero": 0, "one": 1, "ones": -1}
_DIVISIONS = ("udiv", "urem", "sdiv", "srem")
"""Operations whose value is unknown where the divisor is 0, in each cycle anew."""
_IGNORED = ("bad", "constraint", "fair", "justice")

_Operation = Callable[[TermPool, BitTerm, BitTerm], BitTerm]


def _by_zero(operation: _Operation) -> _Operation:
    """A division whose value is anything where the divisor is 0, as x of simulators, and not what SMT-LIB says."""

    def divided(pool: TermPool, x: BitTerm, y: BitTerm) -> BitTerm:
        zero = pool.equal(y, pool.constant(y.width, 0))
        if zero.is_constant and not zero.value:
            return operation(pool, x, y)
        return pool.ite(zero, pool.fresh("division by 0", x.width), operation(pool, x, y))

    return divided


def _signed(operation: _Operation, *, of_quotient: bool) -> _Operation:
    """A signed division by one of magnitudes: a quotient is cut towards 0, a remainder has the sign of the dividend."""

    def divided(pool: TermPool, x: BitTerm, y: BitTerm) -> BitTerm:
        signs = [pool.extract(each, each.width - 1, each.width - 1) for each in (x, y)]
        magnitudes = (pool.ite(sign, _negated(pool, each), each) for sign, each in zip(signs, (x, y), strict=True))
        value = operation(pool, *magnitudes)
        return pool.ite(pool.bvxor(*signs) if of_quotient else signs[0], _negated(pool, value), value)

    return divided


def _negated(pool: TermPool, x: BitTerm) -> BitTerm:
    return pool.sub(pool.constant(x.width, 0), x)


_UNARY: dict[str, Callable[[TermPool, BitTerm], BitTerm]] = {
    "not": lambda pool, x: pool.bvnot(x),
    "neg": lambda pool, x: _negated(pool, x),
    "inc": lambda pool, x: pool.add(x, pool.constant(x.width, 1)),
    "dec": lambda pool, x: pool.sub(x, pool.constant(x.width, 1)),
    "redor": lambda pool, x: pool.any_bit(x),
    "redand": lambda pool, x: pool.equal(x, pool.constant(x.width, -1)),
    "redxor": lambda pool, x: pool.parity(x),
}
_BINARY: dict[str, _Operation] = {
    "and": lambda pool, x, y: pool.bvand(x, y),
    "nand": lambda pool, x, y: pool.bvnot(pool.bvand(x, y)),
    "or": lambda pool, x, y: pool.bvor(x, y),
    "nor": lambda pool, x, y: pool.bvnot(pool.bvor(x, y)),
    "xor": lambda pool, x, y: pool.bvxor(x, y),
    "xnor": lambda pool, x, y: pool.bvnot(pool.bvxor(x, y)),
    "implies": lambda pool, x, y: pool.bvor(pool.bvnot(x), y),
    "iff": lambda pool, x, y: pool.equal(x, y),
    "eq": lambda pool, x, y: pool.equal(x, y),
    "neq": lambda pool, x, y: pool.bvnot(pool.equal(x, y)),
    "ult": lambda pool, x, y: pool.bvult(x, y),
    "ugt": lambda pool, x, y: pool.bvult(y, x),
    "ulte": lambda pool, x, y: pool.bvnot(pool.bvult(y, x)),
    "ugte": lambda pool, x, y: pool.bvnot(pool.bvult(x, y)),
    "slt": lambda pool, x, y: pool.bvslt(x, y),
    "sgt": lambda pool, x, y: pool.bvslt(y, x),
    "slte": lambda pool, x, y: pool.bvnot(pool.bvslt(y, x)),
    "sgte": lambda pool, x, y: pool.bvnot(pool.bvslt(x, y)),
    "add": lambda pool, x, y: pool.add(x, y),
    "sub": lambda pool, x, y: pool.sub(x, y),
    "mul": lambda pool, x, y: pool.mul(x, y),
    "udiv": _by_zero(lambda pool, x, y: pool.bvudiv(x, y)),
    "urem": _by_zero(lambda pool, x, y: pool.bvurem(x, y)),
    "sdiv": _by_zero(_signed(lambda pool, x, y: pool.bvudiv(x, y), of_quotient=True)),
    "srem": _by_zero(_signed(lambda pool, x, y: pool.bvurem(x, y), of_quotient=False)),
    "sll": lambda pool, x, y: pool.shifted("sll", x, y),
    "srl": lambda pool, x, y: pool.shifted("srl", x, y),
    "sra": lambda pool, x, y: pool.shifted("sra", x, y),
    "concat": lambda pool, x, y: pool.concat((x, y)),
}


@dataclass(frozen=True)
class DesignLine:
    """An operation of a design, after those whose values it takes."""

    number: int
    operation: str
    width: int
    operands: tuple[int, ...]
    """Numbers of lines, negative for an inverted one; of slice, uext and sext the further numbers too."""
    value: int = 0

    @property
    def inputs(self) -> tuple[int, ...]:
        """Numbers of lines alone."""
        return self.operands[:1] if self.operation in ("slice", "uext", "sext") else self.operands


@dataclass(frozen=True)
class DesignState:
    """A state of the design."""

    number: int
    name: str
    width: int


class SteppedDesign:
    """A design in BTOR2."""

    def __init__(self, text: str) -> None:
        """Reads what Yosys wrote. Raises ToolError for operations that are not known here."""
        self.text = text
        self.notes: tuple[str, ...] = ()
        """What of the core is not in it, or not as simulators read it."""
        self.lines: list[DesignLine] = []
        self.inputs: dict[int, tuple[str, int]] = {}
        """Number -> (name, width); the name is empty for what is unknown: x, and what has no driver."""
        self.registers: dict[int, DesignState] = {}
        self.outputs: dict[str, int] = {}
        self.nets: dict[str, int] = {}
        """Nets that Yosys kept, by their names."""
        self._last: State = {}
        """The values of the last cycle, for what depends on nothing that has changed since then."""
        self._last_pool: TermPool | None = None
        self.nexts: dict[int, int] = {}
        """Register -> the line with its value in the next cycle, negative for an inverted one."""
        self._initial: dict[int, int] = {}
        sorts: dict[int, int] = {}
        for line in text.splitlines():
            words = line.split(";")[0].split()
            if len(words) > 1:
                self._read(words, sorts)
        for number in [number for number in self.registers if number not in self.nexts]:
            self.inputs[number] = "", self.registers.pop(number).width
        self._register_numbers = {register.name: number for number, register in self.registers.items()}

    def _read(self, words: list[str], sorts: dict[int, int]) -> None:
        number, operation = int(words[0]), words[1]
        if operation == "sort":
            if words[2] != "bitvec":
                raise ToolError(f"Yosys left a memory of {' '.join(words[2:])} in the design, which has no proof")
            sorts[number] = int(words[3])
        elif operation == "input":
            self.inputs[number] = words[3] if len(words) > 3 else "", sorts[int(words[2])]
        elif operation == "state":
            name = words[3] if len(words) > 3 else f"state{number}"
            self.registers[number] = DesignState(number, name, sorts[int(words[2])])
        elif operation == "output":
            self.outputs[words[3] if len(words) > 3 else words[0]] = int(words[2])
        elif operation in ("next", "init"):
            (self.nexts if operation == "next" else self._initial)[int(words[3])] = int(words[4])
        elif operation in _CONSTANTS:
            value = _CONSTANTS[operation](words[3])
            self.lines.append(DesignLine(number, "const", sorts[int(words[2])], (), value))
        elif operation in _FIXED:
            self.lines.append(DesignLine(number, "const", sorts[int(words[2])], (), _FIXED[operation]))
        elif operation not in _IGNORED:
            known = operation in ("slice", "uext", "sext", "ite") or operation in _UNARY or operation in _BINARY
            if not known:
                raise ToolError(f"Yosys wrote the operation {operation}, for which there is no term")
            count = 3 if operation in ("slice", "ite") else 2 if operation in ("uext", "sext", *_BINARY) else 1
            operands = tuple(map(int, words[3 : 3 + count]))
            if len(words) > 3 + count:
                self.nets[words[3 + count]] = number
            self.lines.append(DesignLine(number, operation, sorts[int(words[2])], operands))

    def initial(self, pool: TermPool) -> dict[int, BitTerm]:
        """The values that initial blocks give to registers; those of the others are not in it."""
        constants = {
            line.number: pool.constant(line.width, line.value) for line in self.lines if line.operation == "const"
        }
        return {number: constants[value] for number, value in self._initial.items() if value in constants}

    def step(
        self,
        pool: TermPool,
        state: State,
        inputs: Mapping[str, BitTerm],
        *,
        alone: bool = False,
        log: ProofLog = NO_LOG,
    ) -> tuple[dict[str, BitTerm], dict[int, BitTerm]]:
        """The outputs of a cycle by name, and the registers after the edge that ends it.

        What has no driver, and inputs that are not given, are fresh variables; those of each cycle that is `alone` are
        the same, which is right where nothing of such a cycle is in the state of another one.
        """
        values: dict[int, BitTerm] = dict(state)
        for number, (name, width) in self.inputs.items():
            given = inputs.get(name)
            if given is None:
                given = pool.variable(f"open {number}", width) if alone else pool.fresh(name or "open", width)
            values[number] = given
        log.inputs({number: values[number] for number in self.inputs}, state)

        def of(number: int) -> BitTerm:
            return values[number] if number >= 0 else pool.bvnot(values[-number])

        last = self._last if self._last_pool is pool else {}
        for line in self.lines:
            number = line.number
            is_kept = number in last and line.operation not in _DIVISIONS
            same = is_kept and all(values[abs(x)] is last[abs(x)] for x in line.inputs)
            values[number] = last[number] if same else self._value(pool, line, of)
        self._last, self._last_pool = values, pool
        outputs = {name: of(number) for name, number in self.outputs.items()}
        following = {number: of(self.nexts[number]) for number in self.registers}
        log.cycle((line.number for line in self.lines), values, following)
        return outputs, following

    def seen(self, name: str) -> BitTerm | None:
        """The value of a net, a register or an output in the last cycle that was stepped; None for another name."""
        number = self.outputs.get(name, self.nets.get(name, self._register_numbers.get(name)))
        if number is None or self._last_pool is None:
            return None
        value = self._last[abs(number)]
        return value if number > 0 else self._last_pool.bvnot(value)

    def sliced(self, names: Iterable[str]) -> "SteppedDesign":
        """The part of the design that these nets, registers and outputs depend on, in any later cycle."""
        known = self._register_numbers | self.nets | self.outputs
        needed = {abs(known[name]) for name in names}
        size = 0
        while len(needed) > size:
            size = len(needed)
            needed |= {abs(self.nexts[number]) for number in needed & self.nexts.keys()}
            for line in reversed(self.lines):
                if line.number in needed:
                    needed |= {abs(number) for number in line.inputs}
        part = copy(self)
        part.lines = [line for line in self.lines if line.number in needed or line.operation == "const"]
        part.inputs = {number: each for number, each in self.inputs.items() if number in needed}
        part.registers = {number: each for number, each in self.registers.items() if number in needed}
        part._register_numbers = {each.name: number for number, each in part.registers.items()}
        part.nets = {name: number for name, number in self.nets.items() if abs(number) in needed}
        part.outputs = {name: number for name, number in self.outputs.items() if abs(number) in needed}
        part._last, part._last_pool = {}, None
        return part

    def has(self, name: str) -> bool:
        """True if there is a net, a register or an output of that name."""
        return name in self.outputs or name in self.nets or name in self._register_numbers

    @staticmethod
    def _value(pool: TermPool, line: DesignLine, of: Callable[[int], BitTerm]) -> BitTerm:
        operation = line.operation
        if operation == "const":
            return pool.constant(line.width, line.value)
        x = of(line.operands[0])
        if operation == "slice":
            return pool.extract(x, line.operands[1], line.operands[2])
        if operation in ("uext", "sext"):
            return pool.extend(x, line.width, signed=operation == "sext")
        if operation == "ite":
            return pool.ite(x, of(line.operands[1]), of(line.operands[2]))
        if operation in _UNARY:
            return _UNARY[operation](pool, x)
        return _BINARY[operation](pool, x, of(line.operands[1]))
