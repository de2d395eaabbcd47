# SPDX-License-Identifier: Apache-2.0
"""Parts that GHDL 2.0 omits from its Verilog netlists, taken from its VHDL netlists.

Its Verilog has no `default` where the VHDL has a `when others` (ghdl issue 2041), and its constants of more than 32
bits inside of a `case` are strings in quotation marks, which Verilog takes for characters. The netlist in VHDL, of
the same call, has both, under the same net names.

Some of its operators are unsigned where those of the VHDL are signed, or VHDL in the midst of Verilog. A signal
with an initial value keeps that if its driver never changes.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

_MODULE = re.compile(r"^module (\\?\S+)\n.*?^endmodule$", re.MULTILINE | re.DOTALL)
_CASE = re.compile(
    r"^(?P<margin> *)case \((?P<selector>.+)\)\n(?P<arms>(?: *\d+'b[01]+: .+;\n)+)(?P<end> *endcase)$", re.MULTILINE
)
_ARM = re.compile(r"^ *\d+'b([01]+): (\S+) (<?=) .+;$", re.MULTILINE)
_ARCHITECTURE = re.compile(r"^architecture \S+ of (\S+) is$(.*?)^end \S+;$", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_SELECT = re.compile(
    r"^ *with (?P<selector>.+) select (?P<net>\S+) <=\n(?P<arms>(?: *.+ when .+,\n)*) *(?P<others>.+) when others;$",
    re.MULTILINE,
)
_LABEL = re.compile(r" when [\"']([01]+)[\"'],$", re.MULTILINE)
_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|\"([^\"\n]*)\"", re.DOTALL)
_BITS = str.maketrans("XZUWLH-", "xzxx01x")
"""Values of std_logic as values of Verilog."""
_SIGNED_SHIFT = re.compile(r"(= \$signed\(\S+\)) >> ")
_SIGNED_DIVISION = re.compile(
    r"= (?:\$signed\((\S+)\)|(\S+)) ([/%]) (?:\$signed\((\S+)\)|(\S+)); // (sdiv|srem|smod)$", re.MULTILINE
)
_ABSOLUTE = re.compile(r"^  (\S+) <= std_logic_vector\(abs \$signed\((\S+)\)\);$", re.MULTILINE)
_CHOICE = re.compile(r"^  (\S+) <= (\S+) when (.+) else (\S+);$", re.MULTILINE)
_INITIAL = re.compile(
    r"^  always @\*\n    (?P<net>\S+) = (?P<driver>\S+); // \(isignal\)\n  initial\n    (?P=net) <?= \S+;\n",
    re.MULTILINE,
)


class NetlistError(ValueError):
    """A netlist that cannot be completed; the message is a part of a sentence."""


class _Choice(NamedTuple):
    """A selected assignment of a netlist in VHDL."""

    selector: str
    labels: frozenset[str]
    others: str


def completed(verilog: str, netlist: Callable[[], str]) -> str:
    """A netlist in Verilog with a `default` in each `case`, constants as numbers, and operators as those of the VHDL.

    `netlist` makes the same netlist in VHDL, and is called where a `default` is missing. Raises NetlistError.
    """
    verilog = _MODULE.sub(_driven, _operators(_STRING.sub(_number, verilog)))
    if not any(_lacks_default(case) for case in _CASE.finditer(verilog)):
        return verilog
    choices = {name.lower(): dict(_choices(body)) for name, body in _ARCHITECTURE.findall(netlist())}
    return _MODULE.sub(lambda found: _module(found[0], choices.get(found[1].lower(), {})), verilog)


def _number(found: re.Match[str]) -> str:
    """A constant in quotation marks as a number, and anything else as it is."""
    if (bits := found[1]) is None:
        return found[0]
    if not bits or set(bits) - set("01XZUWLH-"):
        raise NetlistError(f'has the text "{bits[:40]}" in it')
    return _binary(bits)


def _operators(verilog: str) -> str:
    """The netlist with signed shifts, divisions and comparisons as Verilog writes them."""
    verilog = _SIGNED_SHIFT.sub(r"\1 >>> ", verilog)
    verilog = _SIGNED_DIVISION.sub(_division, verilog)
    verilog = _ABSOLUTE.sub(r"  assign \1 = $signed(\2) < 0 ? -\2 : \2;", verilog)
    return _CHOICE.sub(r"  assign \1 = (\3) ? \2 : \4;", verilog)


def _division(found: re.Match[str]) -> str:
    """A signed division or remainder; that of `mod` has the sign of the divisor, and Verilog's that of the dividend."""
    first, second = (f"$signed({found[k] or found[k + 1]})" for k in (1, 4))
    if found[6] != "smod":
        return f"= {first} {found[3]} {second}; // {found[6]}"
    rest = f"({first} % {second})"
    return f"= {rest} != 0 && ({first} < 0) != ({second} < 0) ? {rest} + {second} : {rest}; // smod"


def _driven(found: re.Match[str]) -> str:
    """A module in which signals with an initial value follow what drives them from the beginning.

    A register has the initial value of its signal; where GHDL gives it none, the signal keeps it.
    """
    text = found[0]

    def signal(found: re.Match[str]) -> str:
        net, driver = found["net"], found["driver"]
        if driver.endswith("_q") and not re.search(rf"^  initial\n    {re.escape(driver)} <?= ", text, re.MULTILINE):
            return found[0]
        nets.append(net)
        return f"  assign {net} = {driver}; // (isignal)\n"

    nets: list[str] = []
    changed = _INITIAL.sub(signal, text)
    for net in nets:
        changed = re.sub(rf"^  reg( [^;\n]*)? {re.escape(net)};$", rf"  wire\1 {net};", changed, flags=re.MULTILINE)
    return changed


def _binary(bits: str) -> str:
    return f"{len(bits)}'b{bits.translate(_BITS)}"


def _lacks_default(case: re.Match[str]) -> bool:
    """True if some value of its selector has no label; the arms that the pattern takes have none for all others."""
    labels = {label for label, _, _ in _ARM.findall(case["arms"])}
    return len(labels) < 1 << len(next(iter(labels)))


def _choices(body: str) -> Iterator[tuple[str, _Choice]]:
    """The selected assignments of an architecture by the nets that they drive."""
    for found in _SELECT.finditer(body):
        yield found["net"], _Choice(found["selector"], frozenset(_LABEL.findall(found["arms"])), found["others"])


def _module(text: str, choices: Mapping[str, _Choice]) -> str:
    def case(found: re.Match[str]) -> str:
        if not _lacks_default(found):
            return found[0]
        arms = _ARM.findall(found["arms"])
        (net, assigned), *more = {(net, assigned) for _, net, assigned in arms}
        choice = choices.get(net)
        if more or choice is None or choice.labels != {label for label, _, _ in arms}:
            raise NetlistError(f"has no default for {net}")
        margin = found["arms"][: len(found["arms"]) - len(found["arms"].lstrip())]
        default = f"{margin}default: {net} {assigned} {_value(choice.others, text)};\n"
        return f"{found['margin']}case ({found['selector']})\n{found['arms']}{default}{found['end']}"

    return _CASE.sub(case, text)


def _value(text: str, module: str) -> str:
    """A constant or a net of a netlist in VHDL as Verilog writes it, in a module that has that net."""
    if found := re.fullmatch(r"[\"']([01XZUWLH-]+)[\"']", text):
        return _binary(found[1])
    if found := re.fullmatch(r"\((\d+) downto 0 => '([01XZUWLH-])'\)", text):
        return _binary(found[2] * (int(found[1]) + 1))
    if re.search(rf"^ *\(?(?:wire|reg|input|output)\b[^;\n]*\b{re.escape(text)}[;,)]", module, re.MULTILINE):
        return text
    raise NetlistError(f"has a default of another form: {text[:60]}")
