# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog that not every tool takes: what rejections.toml lists is looked for in sources.

It examines files, syntax trees, the elaborated design and what slang says, with `SYNTHESIS` defined for hardware. It
knows the constructs of the table and is not a front end: a tool that was not run may still reject a source without
complaints.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyslang.ast import (
    AssignmentExpression,
    ConcatenationExpression,
    DefinitionSymbol,
    ElementSelectExpression,
    GenerateBlockSymbol,
    HierarchicalValueExpression,
    InstanceSymbol,
    MemberAccessExpression,
    NamedValueExpression,
    NetSymbol,
    NetType,
    ProceduralBlockKind,
    ProceduralBlockSymbol,
    RangeSelectExpression,
    VariableLifetime,
    VariableSymbol,
    VisitAction,
)
from pyslang.syntax import SyntaxKind

from limbtrace.rtl_bridge.elaboration import slang
from limbtrace.rtl_bridge.flow.constructs import DESIGN, SYNTAX, ports_without_kind
from limbtrace.rtl_bridge.flow.rejections import Rejection, applying

ELSEWHERE = ("port-kind", "nettype-leak", "initial-value", "two-processes")
"""Ids of the table for which this module looks itself."""

_PROCESSES_OF_ONE = (ProceduralBlockKind.AlwaysComb, ProceduralBlockKind.AlwaysFF, ProceduralBlockKind.AlwaysLatch)
"""Those whose variables no other process may drive."""


@dataclass(frozen=True)
class Complaint:
    """A place in a source that breaks a rule."""

    place: str
    """`file:line`, or the module if nothing can be read."""
    text: str
    rule: str = ""
    """The id in the table; "" where the source is simply wrong."""

    def __str__(self) -> str:
        return f"{self.place}: {self.text}{f' [{self.rule}]' if self.rule else ''}"


def complaints(
    sources: Sequence[Path], top: str | None, options: Sequence[str], parameters: Mapping[str, int], synthesised: bool
) -> list[Complaint]:
    """Constructs that a tool rejects, in the order of the sources; `options` as of `Sources`.

    Below one top module, or below every module that no other instantiates.
    """
    options = [*options, *(["-DSYNTHESIS"] if synthesised else [])]
    read = slang.read(sources, top, parameters, options)
    if read is None:
        return [Complaint(top or "sources", "the sources cannot be read")]
    rules = list(applying(synthesised))
    look = _Look(read, {rule.id: rule for rule in rules})
    said = {name: rule for rule in rules for name in rule.diagnostics}
    others = []
    for finding in slang.findings(sources, top, parameters, options):
        if (rule := said.get(finding.name)) is not None:
            look.note(finding.place, rule)
        elif finding.error:
            others.append(Complaint(finding.place, finding.text))
    return [*dict.fromkeys(others), *look.everything()]


class _Look:
    """Findings in sources that were read."""

    def __init__(self, read: slang.ReadSources, rules: Mapping[str, Rejection]) -> None:
        self._read, self._rules = read, rules
        self._found: list[Complaint] = []
        kinds: dict[Any, list[tuple[str, Callable[[Any], object] | None]]] = defaultdict(list)
        for rule in rules.values():
            for node in rule.nodes:
                kinds[getattr(SyntaxKind, node)].append((rule.id, None))
        for id_, (nodes, function) in SYNTAX.items():
            for kind in nodes if id_ in rules else ():
                kinds[kind].append((id_, function))
        self._kinds = dict(kinds)
        self._design = [(rules[id_], function) for id_, function in DESIGN.items() if id_ in rules]
        self._processes: dict[str, _Variable] = {}
        self._bodies: list[Any] = []
        """Modules that are still to be looked at, and the one that is."""
        self._body: Any = None

    def note(self, place: str, rule: Rejection, what: object = None) -> None:
        """A place that breaks a rule; `what` is a more exact text than that of the table."""
        text = what if isinstance(what, str) else rule.what
        self._found.append(Complaint(place, f"{text}; {rule.why}", rule.id))

    def everything(self) -> list[Complaint]:
        """Looks for every rule; each complaint once."""
        compilation = self._read.compilation
        for path in self._read.files:
            for line in _none_at_end(path) if "nettype-leak" in self._rules else ():
                self.note(f"{slang.shown_path(path)}:{line}", self._rules["nettype-leak"])
        for definition in compilation.getDefinitions():
            if isinstance(definition, DefinitionSymbol) and definition.defaultNetType.netKind == NetType.Unknown:
                for node, name in ports_without_kind(definition.syntax):
                    rule = self._rules["port-kind"]
                    self.note(self._at(node.sourceRange.start), rule, f"port {name}: {rule.what}")
        for tree in compilation.getSyntaxTrees():
            tree.root.visit(self._syntax)
        self._bodies = [compilation.getRoot()]
        while self._bodies:
            self._body = self._bodies.pop()
            self._body.visit(self._symbol)
        for variable in self._processes.values():
            for id_ in variable.broken:
                rule = self._rules[id_]
                self.note(self._at(variable.symbol.location), rule, f"{variable.symbol.name}: {rule.what}")
        return list(dict.fromkeys(self._found))

    def _at(self, location: Any) -> str:
        return slang.place(self._read.manager, location)

    def _syntax(self, node: Any) -> None:
        for id_, function in self._kinds.get(getattr(node, "kind", None), ()):
            what = True if function is None else function(node)
            if what:
                place = self._at(node.sourceRange.start)
                if id_ != "systemverilog-in-v" or place.rpartition(":")[0].endswith(".v"):
                    self.note(place, self._rules[id_], what)

    def _symbol(self, node: Any) -> Any:
        if isinstance(node, GenerateBlockSymbol) and node.isUninstantiated:
            return VisitAction.Skip
        if isinstance(node, InstanceSymbol):
            for connection in node.portConnections:
                if connection.expression is not None:
                    connection.expression.visit(self._symbol)
            self._bodies.append(node.body)
            return VisitAction.Skip
        if isinstance(node, HierarchicalValueExpression) and self._is_inside(node.symbol):
            return VisitAction.Advance
        for rule, function in self._design:
            if what := function(node):
                place = node.sourceRange.start if hasattr(node, "sourceRange") else node.location
                self.note(self._at(place), rule, what)
        if isinstance(node, ProceduralBlockSymbol):
            for symbol, whole in _assigned(node.body):
                variable = self._processes.setdefault(symbol.hierarchicalPath, _Variable(symbol))
                variable.drivers.append((node.procedureKind, whole))
        return VisitAction.Advance

    def _is_inside(self, symbol: Any) -> bool:
        """True if a symbol is in the module that is looked at, such as in one of its generate blocks."""
        scope = symbol.parentScope
        instance = getattr(scope, "containingInstance", None)
        return instance is not None and instance.hierarchicalPath == self._body.hierarchicalPath


class _Variable:
    """A variable, and the processes that assign it."""

    def __init__(self, symbol: Any) -> None:
        self.symbol = symbol
        self.drivers: list[tuple[Any, bool]] = []
        """(kind of process, whether all of it is assigned)"""

    @property
    def broken(self) -> Iterator[str]:
        """The rules that it breaks."""
        alone = [whole for kind, whole in self.drivers if kind in _PROCESSES_OF_ONE]
        if not alone:
            return
        initial = any(kind == ProceduralBlockKind.Initial for kind, _ in self.drivers)
        if initial or (isinstance(self.symbol, VariableSymbol) and self.symbol.initializer is not None):
            yield "initial-value"
        if len(self.drivers) - initial > 1 and any(alone):
            yield "two-processes"


def _assigned(body: Any) -> Iterator[tuple[Any, bool]]:
    """(variable, whether as a whole) of each that a process assigns, each once."""
    found: dict[str, tuple[Any, bool]] = {}

    def look(node: Any) -> None:
        if isinstance(node, AssignmentExpression):
            for target in _targets(node.left):
                whole, base = isinstance(target, NamedValueExpression), target
                while isinstance(base, (ElementSelectExpression, RangeSelectExpression, MemberAccessExpression)):
                    base = base.value
                if isinstance(base, NamedValueExpression) and not isinstance(base.symbol, NetSymbol):
                    path = base.symbol.hierarchicalPath
                    found[path] = (base.symbol, whole or found.get(path, (None, False))[1])

    body.visit(look)
    # Those of the process itself, such as those of its loops, are left out.
    yield from (value for value in found.values() if value[0].lifetime == VariableLifetime.Static)


def _targets(left: Any) -> Iterable[Any]:
    return left.operands if isinstance(left, ConcatenationExpression) else (left,)


def _none_at_end(path: Path) -> Iterator[int]:
    """The line of a `default_nettype none that holds beyond the end of a source."""
    if path.suffix not in (".v", ".sv"):
        return
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), _text(path), flags=re.DOTALL)
    at = [(text.count("\n", 0, m.start()) + 1, m[1]) for m in re.finditer(r"`default_nettype\s+(\w+)", text)]
    if at and at[-1][1] == "none":
        yield at[-1][0]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
