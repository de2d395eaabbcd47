# SPDX-License-Identifier: Apache-2.0
"""RTL without a description, looked at with slang: top module, files, ports, clock and reset. Nothing is run."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from pyslang.ast import EdgeKind, ExpressionKind, StatementKind, SymbolKind, TimingControlKind, UnaryOperator

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.core.core import CELLS
from limbtrace.rtl_bridge.core.file_list import NAME, VHDL
from limbtrace.rtl_bridge.elaboration.elaborate import direction, form_of
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import Entity, is_vhdl
from limbtrace.rtl_bridge.elaboration.slang import ReadSources, code
from limbtrace.rtl_bridge.elaboration.slang import read as read_with_slang
from limbtrace.rtl_bridge.init.vhdl_scan import VhdlFolder
from limbtrace.rtl_bridge.interface.module_ports import Sketch, SketchParameter, SketchPort, SketchReset, Term

SUFFIXES = (".v", ".sv", *VHDL)
HEADERS = (".vh", ".svh", ".h", ".inc", ".vinc")
"""How the names of files end that sources include."""
MOST_FILES = 1000
"""Most sources that a folder may have."""
MOST_BITS = 64
"""Most bits of a vector of which one may be the clock or the reset."""
MOST_PARAMETERS = 8
"""Most parameters of which widths are followed; the design is elaborated once for each pair of them."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_DEFINED = re.compile(r"^\s*(?:module|interface|package)\s+(?:automatic\s+|static\s+)?(\w+)", re.MULTILINE)
_RESET = re.compile(r"^(i_)?(a|s|ap|sys|async|sync)?_?(rst|reset|clr|clear|nrst|nreset|resetn|rstn)", re.IGNORECASE)
_LOW = re.compile(r"(_?n|_ni|_n_i|_b|_l)$|^n_?(rst|reset)", re.IGNORECASE)
_CLOCK = re.compile(r"(^|_)(clk|clock|ck|aclk)($|_)|^(clk|clock)", re.IGNORECASE)


def survey(folder: Path, top: str | None = None, *, includes: bool = True) -> Sketch:
    """The sources in a folder and below it, and their top module: `top`, or the one that no other instantiates.

    Without `includes` no other file is read, whatever the sources say: an `include of any kind is an error.
    Raises ParameterError("core") or ("top"), one sentence.
    """
    files = sources_below(folder)
    vhdl = [path for path in files if is_vhdl(path)]
    verilog = [path for path in files if not is_vhdl(path)]
    if vhdl and not includes:
        raise ParameterError("core", f"{vhdl[0].name} is VHDL, which GHDL reads with all that it names")
    vhdl_folder = VhdlFolder(folder, vhdl)
    entity = vhdl_folder.top(top, map(_text, verilog)) if vhdl else None
    if vhdl and entity is None and not verilog:
        raise ParameterError("top", f"{shown(top)} is no entity of the VHDL" if top else "no entity has any port")
    cells = _cells(verilog)
    read = _Reading(folder, (*cells, *verilog), includes, vhdl_folder, entity, header_folders(folder))
    design = _elaborated(read, top, {})
    body = design.body
    _check_names(body)
    used = _needed(read.given({}), Path(design.manager.getFullPath(body.definition.location.buffer)))
    order = vhdl_folder.needed(entity.name) if entity else []
    order += [path for path in ordered(verilog) if path.resolve() in used]
    used |= {path.resolve() for path in order}
    headers = {path.parent for path in design.front.files if path not in {p.resolve() for p in read.given({})}}
    open_ = [p for p in body.parameters if not p.isLocalParam]
    parameters = [p for p in open_ if p.isPortParam] or open_
    defaults = {p.name: _integer(p) for p in parameters}
    widths = _widths(read, design, defaults)
    clock, reset = _Edges(body).found()
    named = {name for name in (clock, reset and reset.port) if name}
    ports = tuple(
        SketchPort(
            part.name,
            part.direction,
            part.width,
            widths.get(part.name),
            _comment(design.manager, part.symbol),
            part.elements,
        )
        for port in body.portList
        for part in _split(_parts(port), named)
    )
    inputs = [port.name for port in ports if port.direction == "input" and port.width == 1]
    if entity:  # GHDL makes other names and questions of those in a process
        reset = vhdl_folder.reset(entity.name, inputs) or reset
    return Sketch(
        top=body.definition.name,
        files=tuple(str(path.relative_to(folder)) for path in order),
        cells=tuple(path.name for path in cells if path.resolve() in used),
        parameters=tuple(SketchParameter(p.name, defaults[p.name], _comment(design.manager, p)) for p in parameters),
        ports=ports,
        clock=clock or next((name for name in inputs if _CLOCK.search(name)), None),
        reset=reset or _reset_by_name(inputs),
        spare=tuple(str(path.relative_to(folder)) for path in files if path.resolve() not in used),
        include=tuple(str(path.relative_to(folder)) for path in read.headers if path.resolve() in headers),
        vhdl=vhdl_folder.standard if entity else "",
        simulated=vhdl_folder.simulated,
    )


def _check_names(body: Any) -> None:
    """Raises ParameterError where the top module has a name that a description cannot hold."""
    if not _PLAIN.fullmatch(str(body.definition.name)):
        raise ParameterError("top", f"the module {shown(str(body.definition.name))} has {_ODD}")
    for kind, symbols in (("port", body.portList), ("parameter", body.parameters)):
        for symbol in symbols:
            if not _PLAIN.fullmatch(str(symbol.name)):
                raise ParameterError("core", f"the {kind} {shown(str(symbol.name))} has {_ODD}")


_ODD = "a name that core.toml does not take: letters, digits, _ and $, of which a digit or $ is not the first"


def sources_below(folder: Path) -> list[Path]:
    """Sources of a folder, sorted. Raises ParameterError("core")."""
    if not folder.is_dir():
        raise ParameterError("core", f"there is no folder {shown(str(folder))}")
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    found = [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not found:
        raise ParameterError("core", f"{folder} has no file that ends in {' or '.join(SUFFIXES)}")
    if len(found) > MOST_FILES:
        raise ParameterError("core", f"{folder} has {len(found)} sources, and the limit is {MOST_FILES}")
    for path in found:
        if not NAME.fullmatch(name := str(path.relative_to(folder))):
            raise ParameterError("core", f"the file name {shown(name)} has characters that not every tool takes")
    return found


def header_folders(folder: Path) -> tuple[Path, ...]:
    """Folders below the folder that hold files to be included."""
    found = {path.parent for path in folder.rglob("*") if path.suffix.lower() in HEADERS and path.is_file()}
    return tuple(path for path in sorted(found - {folder}) if NAME.fullmatch(str(path.relative_to(folder))))


def _cells(files: Iterable[Path]) -> list[Path]:
    """Shared cells that the sources mention and do not define, those that others need first."""
    known = {path.stem: path for path in sorted(CELLS.iterdir())}
    met = {path.stem for path in files}
    found: list[Path] = []

    def add(text: str) -> None:
        for name, path in known.items():
            if name not in met and re.search(rf"\b{name}\b", re.sub(r"//.*", "", text)):
                met.add(name)
                add(_text(path))
                found.append(path)

    for path in files:
        add(_text(path))
    return found


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def ordered(files: Iterable[Path]) -> list[Path]:
    """Files that define packages before those that import them; otherwise by name."""
    texts = {path: _text(path) for path in files}
    packages = {name: path for path in texts for name in re.findall(r"^\s*package\s+(\w+)", texts[path], re.MULTILINE)}
    found: list[Path] = []

    def add(path: Path, above: tuple[Path, ...]) -> None:
        for name, source in packages.items():
            if source not in (path, *above) and re.search(rf"\b{name}\s*::", texts[path]):
                add(source, (*above, path))
        if path not in found:
            found.append(path)

    for path in texts:
        add(path, ())
    return found


@dataclass(frozen=True)
class _Reading:
    """Sources that are elaborated again and again."""

    folder: Path
    files: tuple[Path, ...]
    """Verilog."""
    includes: bool
    vhdl: VhdlFolder
    entity: Entity | None
    """The top, where it is in VHDL."""
    headers: tuple[Path, ...]
    """Folders with files that sources may include."""

    def given(self, parameters: Mapping[str, int]) -> tuple[Path, ...]:
        """All Verilog, that of the entity with these generics first. Raises ParameterError."""
        return (*([self.vhdl.converted(self.entity, parameters)] if self.entity else []), *self.files)


@dataclass(frozen=True)
class _Elaborated:
    """A design below one top module; slang's objects live as long as `front` does."""

    front: ReadSources
    body: Any

    @property
    def manager(self) -> Any:
        return self.front.manager


def _elaborated(read: _Reading, top: str | None, parameters: Mapping[str, int]) -> _Elaborated:
    """The design below one top module. Raises ParameterError."""
    folder, files = read.folder, read.given(parameters)
    if top and not _PLAIN.fullmatch(top):
        raise ParameterError("top", f"{shown(top)} is no name of a module")
    top = read.entity.name if read.entity else top
    options = [f"-I{path}" for path in (folder, *read.headers)]
    if not read.includes:  # slang looks at the depth before it looks for the file
        options += ["--max-include-depth", "0"]
    front = read_with_slang(files, top, parameters, options)
    if front is None:
        raise ParameterError("core", f"the RTL in {folder} cannot be read")
    instances = list(front.compilation.getRoot().topInstances)
    if front.errors:
        first = front.errors[0]
        if not read.includes and "MaxIncludeDepth" in code(first):
            raise ParameterError("core", "a source includes another file; put the text of that file in its place")
        text = f"the RTL in {folder} has an error: {front.text(first)}"
        raise ParameterError("top" if top and not instances else "core", text)
    cells = {path.stem for path in files if path.parent == CELLS}
    candidates = {i.body.definition.name: i.body for i in instances if i.body.definition.name not in cells}
    if not top and candidates and not any(len(body.portList) for body in candidates.values()):
        below = [child for body in candidates.values() for child in _children(body)]  # of testbenches
        names_below = sorted({child.body.definition.name for child in below if len(child.body.portList)})
        if len(names_below) == 1:
            return _elaborated(read, names_below[0], parameters)
        candidates = dict.fromkeys(names_below)
    else:
        candidates = {name: body for name, body in candidates.items() if len(body.portList)}
    if len(candidates) != 1:
        found = f"are candidates: {', '.join(sorted(candidates))}" if candidates else "could be found with any port"
        raise ParameterError("top", f"{'several modules' if candidates else 'no module'} {found}; --top names one")
    ((_, body),) = candidates.items()
    return _Elaborated(front, body)


def _children(body: Any) -> Iterator[Any]:
    """Instances of modules at or below a scope, not those inside of other instances."""
    for member in body:
        if member.kind == SymbolKind.Instance:
            yield member
        elif member.kind in (SymbolKind.GenerateBlock, SymbolKind.GenerateBlockArray, SymbolKind.InstanceArray):
            yield from _children(member)


def _needed(files: Iterable[Path], first: Path) -> set[Path]:
    """The file of the top module, and those whose modules, interfaces and packages it names, in any depth.

    By name and not by elaboration, which leaves out what other values of parameters need.
    """
    texts = {path.resolve(): re.sub(r"//.*", "", _text(path)) for path in files}
    homes = {name: path for path, text in texts.items() for name in _DEFINED.findall(text)}
    found = {first.resolve()}
    ahead = list(found)
    while ahead:
        words = set(re.findall(r"\w+", texts[ahead.pop()]))
        new = {path for name, path in homes.items() if name in words} - found
        found |= new
        ahead += sorted(new)
    return found


def _integer(parameter: Any) -> int | None:
    try:
        return int(parameter.value.value)
    except (AttributeError, TypeError, ValueError):
        return None


@dataclass(frozen=True)
class _PortPart:
    """A port, or a member of a packed struct at any depth, as a description names it."""

    name: str
    direction: str
    width: int
    symbol: Any
    """Its symbol in slang."""
    elements: int = 0
    """Those of an unpacked array; else 0."""


def _parts(port: Any) -> list[_PortPart]:
    """A port as it is, or the members of a packed struct, the high one first."""
    parts = list(_members(str(port.name), port, direction(port)))
    plain = all(_PLAIN.fullmatch(name) for part in parts for name in part.name.split("."))
    return parts if plain else [_part(str(port.name), port, direction(port))]


def _members(name: str, symbol: Any, side: str) -> Iterator[_PortPart]:
    kind = symbol.type.canonicalType
    if kind.isIntegral and kind.isStruct:
        for member in kind:
            yield from _members(f"{name}.{member.name}", member, side)
    else:
        yield _part(name, symbol, side)


def _part(name: str, symbol: Any, side: str) -> _PortPart:
    form = form_of(symbol.type)
    ends = form.range if form.is_unpacked else None
    return _PortPart(name, side, form.width, symbol, abs(ends[0] - ends[1]) + 1 if ends else 0)


def _split(parts: Iterable[_PortPart], named: Iterable[str]) -> Iterator[_PortPart]:
    """The parts, and in place of a vector of which a bit is the clock or the reset its bits, the high one first."""
    for part in parts:
        if any(name.startswith(f"{part.name}[") for name in named):
            for bit in sorted(_indices(part.symbol), reverse=True):
                yield replace(part, name=f"{part.name}[{bit}]", width=1)
        else:
            yield part


def _indices(symbol: Any) -> range:
    """The indices of a vector of bits of moderate width; none for anything else."""
    form = form_of(symbol.type)
    if form.range is None or form.element is not None or form.is_unpacked or form.width > MOST_BITS:
        return range(0)
    return range(min(form.range), max(form.range) + 1)


def _widths(
    read: _Reading, design: _Elaborated, defaults: Mapping[str, int | None]
) -> dict[str, Mapping[Term, int] | None]:
    """The width of every port as a sum of products of parameters, found by elaborating with other values."""
    top = design.body.definition.name
    base = {name: value for name, value in defaults.items() if value is not None}
    followed = list(base)[:MOST_PARAMETERS]

    def at(*larger: str, by: int = 1) -> dict[str, int] | None:
        values = {name: base[name] + by for name in larger}
        try:
            other = _elaborated(read, top, values)
        except ParameterError:  # the RTL forbids the value
            return None
        return {part.name: part.width for port in other.body.portList for part in _parts(port)}

    here = {part.name: part.width for port in design.body.portList for part in _parts(port)}
    one = {name: at(name) for name in followed}
    moving = [name for name in followed if (seen := one[name]) is not None and seen != here]
    two = {pair: at(*pair) for pair in combinations(moving, 2)}
    check = at(*moving, by=3) if moving else here
    found: dict[str, Mapping[Term, int] | None] = {}
    for port, width in here.items():
        slopes = {name: seen.get(port, width) - width for name in moving if (seen := one[name]) is not None}
        mixed: dict[Term, int] = {
            (x, y): more
            for (x, y), seen in two.items()
            if seen is not None and (more := seen.get(port, width) - width - slopes[x] - slopes[y])
        }
        terms: dict[Term, int] = {**mixed}
        for name, slope in slopes.items():
            factors = (factor * base[y if x == name else x] for (x, y), factor in mixed.items() if name in (x, y))
            if rest := slope - sum(factors):
                terms[(name,)] = rest
        if constant := width - _sum(terms, base):
            terms[()] = constant
        larger = {name: base[name] + 3 * (name in moving) for name in base}
        found[port] = terms if check is None or check.get(port) == _sum(terms, larger) else None
    return found


def _sum(terms: Mapping[Term, int], values: Mapping[str, int]) -> int:
    """Value of a sum of products."""
    total = 0
    for names, factor in terms.items():
        for name in names:
            factor *= values[name]
        total += factor
    return total


def _comment(manager: Any, symbol: Any) -> str:
    """The comment behind a declaration, on its line."""
    text = str(manager.getSourceText(symbol.location.buffer))
    line = text[symbol.location.offset :].partition("\n")[0]
    found = re.search(r"//\s*(.*?)\s*$", line) or re.search(r"/\*\s*(.*?)\s*\*/", line)
    return re.sub(r"[^\x20-\x7e]", "?", found[1])[:120] if found and found[1].isprintable() else ""


def _reset_by_name(inputs: Iterable[str]) -> SketchReset | None:
    for name in inputs:
        if _RESET.search(name):
            return SketchReset(name, "low" if _LOW.search(name) else "high", synchronous=True, seen=False)
    return None


class _Edges:
    """Clock and reset of a module from the edges and the first questions of its always blocks, in any depth."""

    def __init__(self, body: Any) -> None:
        parts = [part for port in body.portList for part in _parts(port)]
        self._inputs = {part.name for part in parts if part.width == 1}
        self._inputs |= {f"{part.name}[{bit}]" for part in parts if part.width > 1 for bit in _indices(part.symbol)}
        self._clocks: Counter[str] = Counter()
        self._resets: Counter[tuple[str, str, bool]] = Counter()
        self._look(body, {name: name for name in self._inputs})

    def found(self) -> tuple[str | None, SketchReset | None]:
        """(clock, reset), each None where no always block shows it."""
        clock = max(sorted(self._clocks), key=self._clocks.__getitem__) if self._clocks else None
        resets = {key: count for key, count in self._resets.items() if key[0] != clock}
        if not resets:
            return clock, None
        port, active, synchronous = max(sorted(resets), key=lambda key: (not key[2], resets[key]))
        return clock, SketchReset(port, active, synchronous, seen=True)

    def _look(self, body: Any, outside: Mapping[str, str]) -> None:
        """`outside`: ports of the top module by the names that they have in this module."""
        for member in body:
            if member.kind == SymbolKind.ProceduralBlock and member.body.kind == StatementKind.Timed:
                self._block(member.body, outside)
            elif member.kind == SymbolKind.GenerateBlock or member.kind == SymbolKind.GenerateBlockArray:
                self._look(member, outside)
            elif member.kind == SymbolKind.Instance:
                inner = {}
                for connection in member.portConnections:
                    name = _named(connection.expression) if connection.expression else None
                    if name in outside:
                        inner[connection.port.name] = outside[str(name)]
                if inner:
                    self._look(member.body, inner)

    def _block(self, block: Any, outside: Mapping[str, str]) -> None:
        timing = block.timing
        events = timing.events if timing.kind == TimingControlKind.EventList else [timing]
        edges = {}
        for event in events:
            name = _named(event.expr) if event.kind == TimingControlKind.SignalEvent else None
            if name in outside and event.edge in (EdgeKind.PosEdge, EdgeKind.NegEdge):
                edges[outside[str(name)]] = event.edge
        asked = _question(block.stmt)
        first = outside.get(asked[0]) if asked else None
        if len(edges) > 1 and first in edges and asked:
            self._clocks.update(name for name in edges if name != first)
            self._resets[first, "high" if edges[first] == EdgeKind.PosEdge else "low", False] += 1
        else:
            self._clocks.update(name for name in edges if not _RESET.search(name))
            if first and asked and first not in edges and _RESET.search(first):
                self._resets[first, asked[1], True] += 1


def _named(expression: Any) -> str | None:
    """The target of an expression, through conversions: a signal, a bit of one, or a member of a struct."""
    while expression.kind == ExpressionKind.Conversion:
        expression = expression.operand
    if expression.kind == ExpressionKind.MemberAccess:
        whole = _named(expression.value)
        return whole and f"{whole}.{expression.member.name}"
    if expression.kind == ExpressionKind.ElementSelect:
        whole, index = _named(expression.value), _constant(expression.selector)
        return whole and index and f"{whole}[{index}]"
    return str(expression.symbol.name) if expression.kind == ExpressionKind.NamedValue else None


def _constant(expression: Any) -> str | None:
    """An index that never changes, as a text."""
    value = expression.constant
    try:
        return None if value is None else str(int(value.value))
    except (AttributeError, TypeError, ValueError):
        return None


def _question(statement: Any) -> tuple[str, str] | None:
    """(signal, its level) of the first `if` in a block that asks about one signal alone."""
    if statement.kind == StatementKind.Block:
        return _question(statement.body)
    if statement.kind == StatementKind.List:
        return next((asked for part in statement.list if (asked := _question(part))), None)
    if statement.kind == StatementKind.Conditional and len(statement.conditions) == 1:
        if not _assigns(statement.ifTrue):  # an assertion that holds outside of a reset
            return None
        return _level(statement.conditions[0].expr)
    if statement.kind == StatementKind.ExpressionStatement and statement.expr.kind == ExpressionKind.Assignment:
        right = statement.expr.right
        while right.kind == ExpressionKind.Conversion:
            right = right.operand
        if right.kind == ExpressionKind.ConditionalOp and len(right.conditions) == 1:
            return _level(right.conditions[0].expr)
    return None


def _assigns(statement: Any) -> bool:
    """True if a statement has an assignment in it, at any depth."""
    found = []

    def look(node: Any) -> None:
        if node.kind == ExpressionKind.Assignment:
            found.append(node)

    statement.visit(look)
    return bool(found)


def _level(expression: Any) -> tuple[str, str] | None:
    """(signal, "high" or "low") where an expression is a signal or its inverse."""
    level = "high"
    while expression.kind in (ExpressionKind.Conversion, ExpressionKind.UnaryOp):
        if expression.kind == ExpressionKind.UnaryOp:
            if expression.op not in (UnaryOperator.LogicalNot, UnaryOperator.BitwiseNot):
                return None
            level = "low" if level == "high" else "high"
        expression = expression.operand
    if expression.kind == ExpressionKind.BinaryOp:  # rst_n == 1'b0, or the reset or something else
        return _level(expression.left) if level == "high" and _is_or(expression) else _compared(expression)
    name = _named(expression)
    return (name, level) if name else None


def _is_or(expression: Any) -> bool:
    return str(expression.op).rpartition(".")[2] in ("LogicalOr", "BinaryOr")


def _compared(expression: Any) -> tuple[str, str] | None:
    name, constant = _named(expression.left), expression.right.constant
    if name is None or constant is None or str(expression.op).rpartition(".")[2] != "Equality":
        return None
    return name, "low" if int(constant.value) == 0 else "high"
