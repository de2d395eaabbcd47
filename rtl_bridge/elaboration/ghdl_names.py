# SPDX-License-Identifier: Apache-2.0
"""One name for each net in the Verilog that GHDL 2.0 makes, in place of names that several of them share.

GHDL joins the parts of a name by an underscore: the port `sum` of the instance `add` and a signal `add_sum` are both
declared as `add_sum`, and so are signals inside of `generate`, elements of records, and names that it numbers itself.
The dump of the same netlist numbers the nets. Each mention of such a name is looked up there, by the gate that the line
of Verilog was written for; a mention for which the gate has two nets of that name is refused, unless their order is
known.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from limbtrace.rtl_bridge.elaboration.ghdl_dump import DumpError, Gate, Module, modules, written
from limbtrace.rtl_bridge.interface.verilog_words import RESERVED

_MODULE = re.compile(r"^module (\S+)\n(.*?)^endmodule$", re.MULTILINE | re.DOTALL)
_NAME = r"(?:[A-Za-z_][\w$]*|\\[^\\\s]+\\)+"
"""A name as GHDL writes it; extended identifiers of VHDL stand between backslashes, also as parts of a name."""
_TOKEN = re.compile(
    rf"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"|\d*'[sS]?[bodhBODH]\s*[0-9a-fA-FxXzZ_?]+|\$\w+|{_NAME}|\d+|\S", re.DOTALL
)
_DECLARED = re.compile(rf"^  (?:wire|reg)(?: signed)?(?: \[\d+:0\])? ({_NAME})(\[\d+:0\] )?;")
_IN_HEADER = re.compile(rf"\b(?:input|output|inout)\s+(?:wire |reg )?(?:\[\d+:0\] )?({_NAME})[,)]")
_INSTANCE = re.compile(rf"^  ({_NAME}) ({_NAME}) \(")
_CONNECTED = re.compile(rf"\.({_NAME})\(\s*({_NAME}|[^()]*)\s*\)")
_ASSIGNED = re.compile(rf"^ *(?:assign |(?:\d+'b[01xz]+|default): )?({_NAME})(\[[^\n]*?\])? <?= ", re.MULTILINE)
_IN_ORDER = re.compile(
    r"\$(add|sub|[su]mul|[su]div|[su]mod|srem|x?n?or|n?and|xnor|eq|ne|[su][lg][te]|lsl|lsr|asr|concat\w*|mux4)"
)
"""Gates whose operands are written in the order of their inputs."""
_CHAIN, _CHAINED = "$iport", "$oport"
"""The accesses to a memory are a chain, from its output to its input."""


class NamesError(ValueError):
    """Names that cannot be told apart; the message is a part of a sentence."""


@dataclass(frozen=True)
class _Named:
    """Something in a module that has a name, as the dump names it."""

    name: str
    kind: str
    """"port", "net", "instance" or "memory"."""
    number: int | None
    """Of its net."""

    @property
    def text(self) -> str:
        """The name in GHDL's Verilog."""
        return written(self.name)

    @property
    def rank(self) -> int:
        """Lower for a name that the VHDL has as it is, which keeps it."""
        plain = "." not in self.name
        if "\\\\" in self.name or self.name.startswith("%"):
            return 4
        if self.kind == "port":
            return 0 if plain else 2
        return 1 if plain else 3

    @property
    def said(self) -> str:
        """How a message names it."""
        parts = [part.removeprefix("\\") for part in self.name.split(".") if not part.startswith("$")]
        if self.kind in ("instance", "memory"):
            return f"the {self.kind} {'.'.join(parts)}"
        what = "the port" if self.kind == "port" else "the signal"
        return f"{what} {'.'.join(parts)}"


def clear(verilog: str, dump: Callable[[], str], taken: Mapping[str, Collection[str]]) -> str:
    """The Verilog with a name of its own for each net, port and instance of a module.

    `dump` makes the dump of the same netlist, and is called where names clash. `taken`: names that modules have besides
    those of the netlist, by the name of the module. Raises NamesError.
    """
    found = list(_MODULE.finditer(verilog))
    names = [matched[1] for matched in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise NamesError(
            f"has {names.count(twice)} modules {twice}, of entities, architectures or libraries that are not the same"
        )
    if not any(_clashes(matched[0], taken.get(matched[1], ())) for matched in found):
        return verilog
    try:
        known = {module.name: _Renaming(module, taken.get(module.name, ())) for module in modules(dump())}
    except DumpError as error:
        raise NamesError(f"declares names twice, and a line of GHDL's dump is of another form: {error}") from None
    text = _MODULE.sub(lambda matched: _module(matched[0], matched[1], known), verilog)
    for matched in _MODULE.finditer(text):
        if _clashes(matched[0], taken.get(matched[1], ())):
            raise NamesError(f"declares names of {matched[1]} twice, of which GHDL's dump does not tell")
    return text


def _same(name: str) -> str:
    """A name as descriptions and other tools compare it, without regard to upper and lower case."""
    lower = name.lower()
    return f"{lower}_" if lower in RESERVED else lower


def _clashes(text: str, taken: Collection[str]) -> bool:
    header, body = _parted(text)
    declared = [*_IN_HEADER.findall(header), *taken]
    for line in body.splitlines():
        if matched := _DECLARED.match(line):
            declared.append(matched[1])
        elif matched := _INSTANCE.match(line):
            declared.append(matched[2])
    return len({_same(name) for name in declared}) < len(declared) or any("\\" in name for name in declared)


def _parted(text: str) -> tuple[str, str]:
    """(header, body) of a module."""
    header, end, body = text.partition(");\n")
    return (header + end, body) if "(" in header else text.split("\n", 1)  # type: ignore[return-value]


@dataclass
class _Renaming:
    """The names of a module, and those that some of them get."""

    module: Module
    taken: Collection[str]
    named: list[_Named] = field(default_factory=list)
    fresh: dict[_Named, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.named = list(_all_named(self.module))
        used = {_same(name) for name in self.taken}
        every = {_same(named.text) for named in self.named}
        for named in sorted(self.named, key=lambda named: named.rank):
            text = named.text
            if _same(text) in used or "\\" in text:
                text = _free(named, used | every)
                self.fresh[named] = text
            used.add(_same(text))

    def of(self, text: str) -> list[_Named]:
        """Everything that GHDL writes like that."""
        return [named for named in self.named if named.text == text]

    def is_changed(self, text: str) -> bool:
        """True if something that GHDL writes like that gets another name."""
        return any(named in self.fresh for named in self.of(text))

    def name(self, named: _Named) -> str:
        """The name that it has now."""
        return self.fresh.get(named, named.text)

    def net(self, number: int) -> _Named | None:
        """The net of that number."""
        return next((named for named in self.named if named.number == number), None)


def _all_named(module: Module) -> Iterator[_Named]:
    """Ports, nets and instances in the order in which GHDL declares them."""
    inputs = dict(module.own.outputs) if module.own else {}
    for port in module.ports:
        yield _Named(port, "port", inputs.get(port))
    for gate in module.inner():
        if gate.is_instance:
            yield _Named(gate.name, "instance", None)
        for port, number in gate.outputs:
            if gate.kind.startswith("$memory"):
                yield _Named(gate.net(port), "memory", number)
            elif not (gate.is_inlined or port == _CHAINED):
                yield _Named(gate.net(port), "net", number)


def _free(named: _Named, used: Collection[str]) -> str:
    """A name that VHDL's own names do not have, for their underscores stand alone."""
    parts = [re.sub(r"\W", "", written(part)) for part in named.name.split(".")]
    base = "__".join(part for part in parts if part)
    base = base if base[:1].isalpha() else f"x{base}"
    names = (base, *(f"{base}__{k}" for k in range(2, 10_000)))
    return next(name for name in names if _same(name) not in used)


def _module(text: str, name: str, known: Mapping[str, _Renaming]) -> str:
    renaming = known.get(name)
    if renaming is None:
        raise NamesError(f"declares names twice, and GHDL's dump has no module {name}")
    if not renaming.fresh and not any(other.fresh for other in known.values()):
        return text
    return _ModuleText(name, text, renaming, known).changed()


def _statements(body: str) -> Iterator[str]:
    """The declarations and statements of a module, each with the lines that belong to it; comments are alone."""
    lines: list[str] = []
    for line in body.splitlines(keepends=True):
        if lines and not re.match(r" {3}|\s*$", line):
            yield "".join(lines)
            lines = []
        lines.append(line)
    if lines:
        yield "".join(lines)


class _ModuleText:
    """A module of Verilog whose names are replaced."""

    def __init__(self, name: str, text: str, renaming: _Renaming, known: Mapping[str, _Renaming]) -> None:
        self._name, self._renaming, self._known = name, renaming, known
        self._module = renaming.module
        self._header, self._body = _parted(text)
        self._declared: dict[tuple[str, bool], int] = {}
        """How many declarations of each name were seen, of a memory or of something else."""
        self._driven: dict[str, int] = {}
        """How many statements were seen that drive a net of each name."""
        self._gates = self._by_name()
        self._place = ""
        """FILE:LINE:COLUMN that a comment says of the next statement."""

    def _by_name(self) -> dict[str, list[tuple[_Named, Gate]]]:
        """The nets of each name with the gates that drive them by a statement, in their order."""
        found: dict[str, list[tuple[_Named, Gate]]] = {}
        own = self._module.own
        for port, number in own.inputs if own else ():
            driver = Gate(port, "$port", None, [("$i", number)])
            named = next(named for named in self._renaming.named if named.kind == "port" and named.name == port)
            found.setdefault(named.text, []).append((named, driver))
        for gate in self._module.inner():
            if gate.is_instance:
                continue
            for _, number in gate.outputs:
                if (named_ := self._renaming.net(number)) and named_.kind == "net":
                    found.setdefault(named_.text, []).append((named_, gate))
        return found

    def changed(self) -> str:
        """The text with its names replaced. Raises NamesError."""
        header = _IN_HEADER.sub(lambda found: _within(found, 1, self._declaration(found[1])), self._header)
        body = "".join(map(self._statement, _statements(self._body)))
        for (text, memory), count in self._declared.items():
            wanted = [named for named in self._renaming.of(text) if named.kind != "instance"]
            wanted = [named for named in wanted if (named.kind == "memory") == memory]
            if self._renaming.is_changed(text) and len(wanted) != count:
                raise self._refused(text)
        for text, seen in self._driven.items():
            if self._renaming.is_changed(text) and len(self._gates.get(text, ())) != seen:
                raise self._refused(text)
        return header + body

    def _declaration(self, text: str, *, memory: bool = False) -> str:
        """The name of what is declared now, by its order among those that are written alike."""
        kinds = ("memory",) if memory else ("port", "net")
        candidates = [named for named in self._renaming.of(text) if named.kind in kinds]
        place = self._declared.get((text, memory), 0)
        self._declared[text, memory] = place + 1
        if not self._renaming.is_changed(text):
            return text
        if place >= len(candidates):
            raise self._refused(text)
        return self._renaming.name(candidates[place])

    def _statement(self, text: str) -> str:
        if re.match(r"  (/\*|//)|\s*$", text):
            self._place = text.strip(" /*\n")
            return text
        changed = self._code(text)
        self._place = ""
        return changed

    def _code(self, text: str) -> str:
        if declared := _DECLARED.match(text):
            name = self._declaration(declared[1], memory=declared[2] is not None)
            return _within(declared, 1, name) + text[declared.end() :]
        if instance := _INSTANCE.match(text):
            return self._instance(text, instance)
        targets = {found[1] if found[2] is None else "" for found in _ASSIGNED.finditer(text)}
        if not targets and not re.search(_NAME, text):
            return text
        if len(targets) != 1:
            return self._without_target(text)
        (target,) = targets
        again = text.startswith("  initial")
        if not self._gates.get(target):
            return self._without_target(text)
        place = self._driven.get(target, 0) - again
        self._driven[target] = place + 1
        if not 0 <= place < len(self._gates[target]):
            if self._renaming.is_changed(target):
                raise self._refused(target)
            place = 0
        named, gate = self._gates[target][place]
        if self._place and gate.place and self._place != gate.place and self._renaming.is_changed(target):
            raise self._refused(target)
        return self._assignment(text, named, gate)

    def _without_target(self, text: str) -> str:
        """A statement without a single net that it drives, as those of memories; its names must not be in doubt."""
        gates = [gate for gate in self._module.inner() if gate.kind.startswith("$mem")]
        numbers = {number for gate in gates for number in self._read(gate)}
        numbers |= {number for gate in gates if gate.kind == "$memory" for _, number in gate.outputs}
        return self._replaced(text, lambda token: self._only(token, numbers))

    def _assignment(self, text: str, target: _Named, gate: Gate) -> str:
        spans = {found.span(1) for found in _ASSIGNED.finditer(text)}
        numbers = self._read(gate)
        order = iter(self._in_order(text, spans, gate))

        def name(found: re.Match[str]) -> str:
            token = found[0]
            if found.span() in spans:
                return self._renaming.name(target)
            ordered = next(order, None)
            if not self._renaming.is_changed(token):
                return token
            if ordered is not None:
                return self._renaming.name(ordered)
            return self._only(token, set(numbers))

        return _TOKEN.sub(lambda found: name(found) if self._is_name(found[0]) else found[0], text)

    def _in_order(self, text: str, spans: Collection[tuple[int, int]], gate: Gate) -> Sequence[_Named]:
        """The nets that a statement names, one after the other, if the order is known."""
        inputs = gate.inputs
        if gate.kind in ("$mux2", "$pmux"):  # s ? i1 : i0; a `case` with its labels from the last to the first
            inputs = [*inputs[:1], *inputs[:1:-1], *inputs[1:2]]
        elif not _IN_ORDER.fullmatch(gate.kind):
            return ()
        nets = [self._renaming.net(number) for _, first in inputs for number in self._inlined(first)]
        tokens = [found for found in _TOKEN.finditer(text) if found.span() not in spans and self._is_name(found[0])]
        named = [net for net in nets if net is not None]
        return named if [net.text for net in named] == [token[0] for token in tokens] else ()

    def _only(self, token: str, numbers: Collection[int]) -> str:
        """The name now of the one net among some that is written like that. Raises NamesError."""
        if not self._renaming.is_changed(token):
            return token
        meant = {named for named in map(self._renaming.net, numbers) if named is not None and named.text == token}
        if len(meant) != 1:
            raise self._refused(token)
        return self._renaming.name(meant.pop())

    def _instance(self, text: str, found: re.Match[str]) -> str:
        module, name = found[1], found[2]
        below = self._known.get(module)
        gates = [gate for gate in self._module.inner() if gate.is_instance and written(gate.name) == name]
        if len(gates) != 1:
            raise self._refused(name)
        (gate,) = gates
        ports = [*gate.inputs, *gate.outputs]
        named = next(entry for entry in self._renaming.named if entry.name == gate.name and entry.kind == "instance")
        connected = list(_CONNECTED.finditer(text))
        if [written(port) for port, _ in ports] != [entry[1] for entry in connected]:
            raise self._refused(name)
        parts, at = [text[: found.start(2)], self._renaming.name(named)], found.end(2)
        for entry, (port, number) in zip(connected, ports, strict=True):
            inner = next((p for p in below.named if p.kind == "port" and p.name == port), None) if below else None
            numbers = set(self._inlined(number))
            actual = self._replaced(entry[2], partial(self._only, numbers=numbers))
            parts += [text[at : entry.start(1)], below.name(inner) if below and inner else entry[1]]
            parts += [text[entry.end(1) : entry.start(2)], actual]
            at = entry.end(2)
        return "".join([*parts, text[at:]])

    def _read(self, gate: Gate) -> list[int]:
        return [number for _, first in gate.inputs for number in self._inlined(first)]

    def _inlined(self, number: int) -> Iterator[int]:
        """The nets that are written for one: that itself, those behind an edge, or a memory; constants have none."""
        gate, output = self._module.drivers.get(number, (None, ""))
        through = gate is not None and gate.kind.startswith("$mem_") and output == _CHAINED
        if gate is None or not (gate.is_inlined or through):
            yield number
            return
        for port, behind in gate.inputs:
            if gate.is_inlined or port == _CHAIN:
                yield from self._inlined(behind)

    def _replaced(self, text: str, name: Callable[[str], str]) -> str:
        return _TOKEN.sub(lambda found: name(found[0]) if self._is_name(found[0]) else found[0], text)

    def _is_name(self, token: str) -> bool:
        """True for a name of the module; words of Verilog that begin a line are no names of nets."""
        return re.fullmatch(_NAME, token) is not None and bool(self._renaming.of(token))

    def _refused(self, text: str) -> NamesError:
        alike = " and ".join(dict.fromkeys(named.said for named in self._renaming.of(text)))
        return NamesError(
            f"has {text} for {alike} of {self._name} alike, and cannot be told apart there: give one another name in "
            "the VHDL"
        )


def _within(found: re.Match[str], group: int, text: str) -> str:
    """A match with one of its groups replaced."""
    begin, end = found.start(group) - found.start(), found.end(group) - found.start()
    return found[0][:begin] + text + found[0][end:]
