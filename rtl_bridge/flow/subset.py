# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog that not every tool supports: documented as unsupported by Vivado, or rejected by a free tool.

It examines the syntax tree and the elaborated design, with `SYNTHESIS` defined for hardware. It is a list of
constructs and not a front end: a tool that was not run may still reject a source without complaints.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyslang.ast import HierarchicalValueExpression, PortSymbol
from pyslang.syntax import SyntaxKind

from rtl_bridge.core import front

_UG901 = "Vivado synthesis does not take it (UG901)"
_IGNORED = "Vivado synthesis ignores it (UG901)"
_ICARUS = "Icarus Verilog 11 does not take it"
_YOSYS = "Yosys' own front end does not take it"
_SOFTWARE = "there is no hardware for it"
_FLAT = "ports are plain vectors, for netlists and other languages"

_READERS = ("$readmemh", "$readmemb")
_QUERIES = ("$left", "$right", "$low", "$high", "$increment", "$size", "$dimensions", "$unpacked_dimensions")


@dataclass(frozen=True)
class Rule:
    """A construct by the names of its syntax nodes, and why it must not be used."""

    nodes: tuple[str, ...]
    what: str
    why: str


ANYWHERE = (
    Rule(("PackageDeclaration", "PackageImportDeclaration"), "a package", _YOSYS),
    Rule(("InterfaceDeclaration", "InterfacePortHeader", "VirtualInterfaceType"), "an interface", _ICARUS),
    Rule(("AssertPropertyStatement", "AssumePropertyStatement", "CoverPropertyStatement"), "a property", _ICARUS),
    Rule(("ClockingDeclaration", "CheckerDeclaration", "CovergroupDeclaration"), "verification", _ICARUS),
    Rule(("LetDeclaration", "BindDirective"), "let or bind", _ICARUS),
    Rule(("NetAlias", "NetTypeDeclaration"), "a net alias or net type", _ICARUS),
    Rule(("DPIImport", "DPIExport"), "a foreign function", "a simulator would need a C compiler"),
)
"""Not allowed in any source, simulated ones included."""

SYNTHESISED = (
    Rule(("StringType", "CHandleType", "EventType"), "a string, handle or event", _UG901),
    Rule(("RealType", "RealTimeType", "ShortRealType"), "a real variable", _UG901),
    Rule(("ForeverStatement", "WaitStatement", "WaitForkStatement", "WaitOrderStatement"), "waiting", _UG901),
    Rule(("ParallelBlockStatement", "DisableForkStatement"), "a fork", _UG901),
    Rule(("ProceduralForceStatement", "ProceduralReleaseStatement"), "force or release", _UG901),
    Rule(("BlockingEventTriggerStatement", "NonblockingEventTriggerStatement"), "a named event", _UG901),
    Rule(("IffEventClause",), "an event with a condition", _UG901),
    Rule(("DelayControl", "Delay3", "SpecifyBlock"), "a delay", _IGNORED),
    Rule(("ClassDeclaration", "ProgramDeclaration", "FinalBlock"), "a class, program or final block", _SOFTWARE),
    Rule(("QueueDimensionSpecifier", "WildcardDimensionSpecifier"), "a queue or associative array", _SOFTWARE),
    Rule(("ReturnStatement",), "return", _YOSYS),
)
"""Not allowed in hardware, in addition to ANYWHERE."""


def complaints(
    sources: Sequence[Path], top: str, options: Sequence[str], parameters: Mapping[str, int], synthesised: bool
) -> list[str]:
    """Unsupported constructs as "file:line: what; why", in the order of the sources; `options` as of `Sources`."""
    read = front.read(sources, top, parameters, [*options, *(["-DSYNTHESIS"] if synthesised else [])])
    if read is None:
        return [f"{top}: the sources cannot be read"]
    if read.errors or read.warnings:
        return [read.text(error) for error in read.errors[:1]] or list(read.warnings)
    compilation, manager = read.compilation, read.manager
    found: list[str] = []
    rules = {getattr(SyntaxKind, node): rule for rule in ANYWHERE for node in rule.nodes}
    if synthesised:
        rules |= {getattr(SyntaxKind, node): rule for rule in SYNTHESISED for node in rule.nodes}

    def note(place: Any, what: str, why: str) -> None:
        at = manager.getFullyExpandedLoc(place)
        found.append(f"{manager.getFileName(at)}:{manager.getLineNumber(at)}: {what}; {why}")

    def look_at_syntax(node: Any) -> None:
        if (rule := rules.get(getattr(node, "kind", None))) is not None:
            note(node.sourceRange.start, rule.what, rule.why)
        for what, why in _special(node, synthesised):
            note(node.sourceRange.start, what, why)

    def look_at_design(node: Any) -> None:
        if isinstance(node, HierarchicalValueExpression):
            note(node.sourceRange.start, "a name that reaches into another module", "a netlist has no such name")
        elif isinstance(node, PortSymbol) and (not node.type.isIntegral or node.type.canonicalType.isStruct):
            note(node.location, f"port {node.name} of type {node.type}", _FLAT)

    for tree in compilation.getSyntaxTrees():
        tree.root.visit(look_at_syntax)
    if synthesised:
        compilation.getRoot().visit(look_at_design)
    return list(dict.fromkeys(found))


def _special(node: Any, synthesised: bool) -> Iterator[tuple[str, str]]:
    """(what, why) of constructs that are not determined by their kind alone."""
    kind = getattr(node, "kind", None)
    if kind == SyntaxKind.ParameterDeclaration and str(getattr(node.type, "signing", "")).strip() == "unsigned":
        yield "an unsigned parameter", _ICARUS
    elif kind == SyntaxKind.StructType and not str(node.packed).strip():
        yield "an unpacked structure", _ICARUS
    elif kind == SyntaxKind.InvocationExpression and synthesised:
        called = str(node.left).strip()
        if called in _QUERIES:
            yield f"the array query {called}", _UG901
        elif called in _READERS and '"' in str(node.arguments):
            yield "the name of a file in the text", "every tool runs in a folder of its own"
