# SPDX-License-Identifier: Apache-2.0
"""A design in BTOR2 as code of Python: its cycles on values of which bits may be unknown, as in Verilog."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, cast

from limbtrace.rtl_bridge.proof.btor2 import DesignLine, SteppedDesign
from limbtrace.vectors.errors import ToolError


class KnownBits(NamedTuple):
    """A value with 0 in each bit that is unknown, and a mask of those bits."""

    value: int
    unknown: int

    def differs(self, other: "KnownBits") -> bool:
        """True if a bit that is known in both differs."""
        return bool((self.value ^ other.value) & ~(self.unknown | other.unknown))


def unknown(width: int) -> KnownBits:
    """A vector of which nothing is known."""
    return KnownBits(0, (1 << width) - 1)


_Cycle = Callable[[Mapping[int, KnownBits]], tuple[dict[str, KnownBits], dict[int, KnownBits]]]

_NONE = "{v}, {u} = 0, {full}\n"
_INVERTED = "\n{v} ^= {u} ^ {full}"
_AND = "{v}, {u} = {x} & {y}, ({ux} | {uy}) & ({x} | {ux}) & ({y} | {uy})"
_OR = "{v} = {x} | {y}\n{u} = ({ux} | {uy}) & ~{v}"
_XOR = "{u} = {ux} | {uy}\n{v} = ({x} ^ {y}) & ~{u}"
_CODE = {
    "const": "{v}, {u} = {value} & {full}, 0",
    "not": "{v}, {u} = {x} ^ {ux} ^ {full}, {ux}",
    "and": _AND,
    "nand": _AND + _INVERTED,
    "or": _OR,
    "nor": _OR + _INVERTED,
    "xor": _XOR,
    "xnor": _XOR + _INVERTED,
    "implies": "{v} = {x} ^ {ux} ^ 1 | {y}\n{u} = ({ux} | {uy}) & ~{v}",
    "slice": "{v}, {u} = {x} >> {low} & {full}, {ux} >> {low} & {full}",
    "uext": "{v}, {u} = {x}, {ux}",
    "sext": "{v}, {u} = {sx} & {full}, {sux} & {full}",
    "concat": "{v}, {u} = {x} << {low_width} | {y}, {ux} << {low_width} | {uy}",
    "ite": f"if {{ux}}: {_NONE}elif {{x}}: {{v}}, {{u}} = {{y}}, {{uy}}\nelse: {{v}}, {{u}} = {{z}}, {{uz}}",
    "sll": f"if {{uy}}: {_NONE}elif {{y}} >= {{width}}: {{v}}, {{u}} = 0, 0\n"
    "else: {v}, {u} = {x} << {y} & {full}, {ux} << {y} & {full}",
    "srl": f"if {{uy}}: {_NONE}else: {{v}}, {{u}} = {{x}} >> {{y}}, {{ux}} >> {{y}}",
    "sra": f"if {{uy}}: {_NONE}else: {{v}}, {{u}} = {{sx}} >> {{y}} & {{full}}, {{sux}} >> {{y}} & {{full}}",
    "redor": "{v} = int({x} != 0)\n{u} = int(not {v} and {ux} != 0)",
    "redand": "{v} = int({x} == {full_x})\n{u} = int({ux} != 0 and {x} | {ux} == {full_x})",
}
"""Operations of which bits may be known although some of the operands' are not."""
_STRICT = {
    "neg": "-{x}", "inc": "{x} + 1", "dec": "{x} - 1", "redxor": "({x}).bit_count()",
    "add": "{x} + {y}", "sub": "{x} - {y}", "mul": "{x} * {y}",
    "iff": "{x} == {y}", "eq": "{x} == {y}", "neq": "{x} != {y}",
    "ult": "{x} < {y}", "ugt": "{x} > {y}", "ulte": "{x} <= {y}", "ugte": "{x} >= {y}",
    "slt": "{sx} < {sy}", "sgt": "{sx} > {sy}", "slte": "{sx} <= {sy}", "sgte": "{sx} >= {sy}",
    "udiv": "{x} // {y}", "urem": "{x} % {y}",
    "sdiv": "abs({sx}) // abs({sy}) * (1 if ({sx} < 0) == ({sy} < 0) else -1)",
    "srem": "abs({sx}) % abs({sy}) * (-1 if {sx} < 0 else 1)",
}  # fmt: skip
"""Operations of which nothing is known unless all bits of the operands are."""
_BY_ZERO = ("udiv", "urem", "sdiv", "srem")


class CompiledDesign:
    """A design whose cycles are computed by compiled code, for many of them in a row."""

    def __init__(self, design: SteppedDesign, nets: Iterable[str]) -> None:
        """`nets`: names of those with values of interest. Raises ToolError for operations that are not known here."""
        self._widths = {number: width for number, (_, width) in design.inputs.items()}
        self._widths |= {number: register.width for number, register in design.registers.items()}
        source = [f"v{number}, u{number} = given[{number}]" for number in self._widths]
        for line in design.lines:
            self._widths[line.number] = line.width
            source += self._code(line).split("\n")
        shown = ", ".join(f"{name!r}: {self._pair(design.nets[name])}" for name in nets)
        after = ", ".join(f"{number}: {self._pair(design.nexts[number])}" for number in design.registers)
        source.append(f"return {{{shown}}}, {{{after}}}")
        names: dict[str, object] = {"KnownBits": KnownBits}
        exec(compile("\n ".join(["def cycle(given):", *source]), "design", "exec"), names)
        self.cycle = cast(_Cycle, names["cycle"])
        """The values of inputs and registers by number -> those of nets by name, and of registers after the cycle."""

    def _pair(self, number: int) -> str:
        return f"KnownBits({self._value(number)}, u{abs(number)})"

    def _value(self, number: int) -> str:
        return f"v{number}" if number > 0 else f"(v{-number} ^ u{-number} ^ {self._full(number)})"

    def _full(self, number: int) -> int:
        return (1 << self._widths[abs(number)]) - 1

    def _code(self, line: DesignLine) -> str:
        """The statements that compute a line."""
        text = _CODE.get(line.operation)
        if text is None:
            if line.operation not in _STRICT:
                raise ToolError(f"Yosys wrote the operation {line.operation}, which has no code here")
            by_zero = " or not {y}" if line.operation in _BY_ZERO else ""
            strict = f"else: {{v}}, {{u}} = ({_STRICT[line.operation]}) & {{full}}, 0"
            text = f"if {{ux}} or {{uy}}{by_zero}: {_NONE}{strict}"
        names = {"v": f"v{line.number}", "u": f"u{line.number}", "value": str(line.value), "uy": "0"}
        for name, number in zip("xyz", line.inputs, strict=False):
            sign = 1 << (self._widths[abs(number)] - 1)
            names |= {name: self._value(number), f"u{name}": f"u{abs(number)}"}
            names |= {f"s{each}": f"(({names[each]} ^ {sign}) - {sign})" for each in (name, f"u{name}")}
        first, last = (line.inputs[0], line.inputs[-1]) if line.inputs else (line.number, line.number)
        return text.format(
            **names,
            width=line.width,
            full=self._full(line.number),
            full_x=self._full(first),
            low_width=self._widths[abs(last)],
            low=line.operands[2] if line.operation == "slice" else 0,
        )
