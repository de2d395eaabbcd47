# SPDX-License-Identifier: Apache-2.0
"""Recognition of the constructs of rejections.toml, one function for each.

A function returns whether a node breaks the rule, or a text that says how it does.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pyslang.ast import (
    AssignmentExpression,
    BinaryExpression,
    BinaryOperator,
    CallExpression,
    EvalContext,
    ForLoopStatement,
    HierarchicalValueExpression,
    NamedValueExpression,
    NetSymbol,
    ParameterSymbol,
    PortSymbol,
    RangeSelectExpression,
    SubroutineSymbol,
    UnaryExpression,
    VariableSymbol,
)
from pyslang.syntax import SyntaxKind

MOST_STEPS = 2000
"""Most steps of a loop that is unrolled."""
MOST_BITS = 1_000_000
"""Most bits of a variable."""
MOST_DECIMAL = (1 << 31) - 1
"""Largest decimal number without a size."""

_READERS = ("$readmemh", "$readmemb")
_QUERIES = ("$left", "$right", "$low", "$high", "$increment", "$size", "$dimensions", "$unpacked_dimensions")
_SIMULATED = (
    "$random", "$urandom", "$urandom_range", "$test$plusargs", "$value$plusargs", "$time", "$stime", "$realtime",
    "$fopen", "$fscanf", "$fgets", "$feof", "$sformatf",
)  # fmt: skip
_SWITCHES = ("tran", "tranif0", "tranif1", "rtran", "rtranif0", "rtranif1")
_GENERATE = (SyntaxKind.LoopGenerate, SyntaxKind.IfGenerate, SyntaxKind.CaseGenerate)
_PROCESSES = (
    SyntaxKind.AlwaysBlock, SyntaxKind.AlwaysCombBlock, SyntaxKind.AlwaysFFBlock, SyntaxKind.AlwaysLatchBlock,
    SyntaxKind.InitialBlock, SyntaxKind.FinalBlock,
)  # fmt: skip
_ONLY_SYSTEMVERILOG = (
    SyntaxKind.AlwaysCombBlock, SyntaxKind.AlwaysFFBlock, SyntaxKind.AlwaysLatchBlock, SyntaxKind.LogicType,
    SyntaxKind.BitType, SyntaxKind.ByteType, SyntaxKind.ShortIntType, SyntaxKind.IntType, SyntaxKind.LongIntType,
    SyntaxKind.EnumType, SyntaxKind.StructType, SyntaxKind.TypedefDeclaration, SyntaxKind.CastExpression,
    SyntaxKind.UnbasedUnsizedLiteralExpression, SyntaxKind.ForVariableDeclaration,
    SyntaxKind.PostincrementExpression, SyntaxKind.PostdecrementExpression, SyntaxKind.UnaryPreincrementExpression,
    SyntaxKind.UnaryPredecrementExpression,
)  # fmt: skip
_HEADERS = (SyntaxKind.VariablePortHeader, SyntaxKind.NetPortHeader)


# Ports of a module whose default net type is none


def ports_without_kind(module: Any) -> Iterator[tuple[Any, str]]:
    """(node, name) of ports that are nets of the default type."""
    ports = module.header.ports
    if ports is None:
        return
    direction = "inout"
    for port in ports.ports if ports.kind == SyntaxKind.AnsiPortList else ():
        header: Any = getattr(port, "header", None)
        if port.kind != SyntaxKind.ImplicitAnsiPort or header.kind not in _HEADERS:
            continue
        given = header.direction.valueText
        is_first = port == ports.ports[0]
        direction = given or direction
        if _is_default(header, direction) and (given or str(header.dataType).strip() or is_first):
            yield port, port.declarator.name.valueText
    if ports.kind == SyntaxKind.NonAnsiPortList:
        kinds = (SyntaxKind.DataDeclaration, SyntaxKind.NetDeclaration)
        declared = {d.name.valueText for m in module.members if m.kind in kinds for d in _declarators(m)}
        for member in module.members:
            if member.kind == SyntaxKind.PortDeclaration and member.header.kind in _HEADERS:
                for declarator in _declarators(member):
                    name = declarator.name.valueText
                    if _is_default(member.header, member.header.direction.valueText) and name not in declared:
                        yield member, name


def _is_default(header: Any, direction: str) -> bool:
    """True if the kind of a port is that of the default net type."""
    if header.kind != SyntaxKind.VariablePortHeader or header.varKeyword.valueText:
        return False
    if direction == "output":
        return bool(header.dataType.kind == SyntaxKind.ImplicitType)
    return direction in ("input", "inout")


def _declarators(node: Any) -> Iterator[Any]:
    return (d for d in node.declarators if getattr(d, "kind", None) == SyntaxKind.Declarator)


# Syntax


def _within(node: Any, kinds: Iterable[Any]) -> bool:
    """True if a node of one of the kinds is around it."""
    kinds = tuple(kinds)
    while (node := node.parent) is not None:
        if node.kind in kinds:
            return True
    return False


def _wire_of_type(node: Any) -> bool:
    return bool(node.dataType.kind == SyntaxKind.NamedType)


def _port_direction(node: Any) -> bool:
    header = node.header
    if header.kind not in _HEADERS or header.direction.valueText:
        return False
    typed = header.dataType.kind != SyntaxKind.ImplicitType or header.kind == SyntaxKind.NetPortHeader
    return bool(typed or str(header.dataType).strip())


def _output_initialiser(node: Any) -> bool:
    return node.declarator.initializer is not None and node.header.direction.valueText == "output"


def _port_attribute(node: Any) -> bool:
    return len(node.attributes) > 0


def _localparam_in_list(node: Any) -> bool | str:
    names = [
        d.name.valueText
        for entry in node.declarations
        if getattr(entry, "kind", None) == SyntaxKind.ParameterDeclaration and entry.keyword.valueText == "localparam"
        for d in _declarators(entry)
    ]
    return bool(names) and f"a localparam in the list of parameters, {', '.join(names)}"


def _body_parameter(node: Any) -> bool:
    module = node.parent
    while module is not None and module.kind != SyntaxKind.ModuleDeclaration:
        module = module.parent
    has_list = module is not None and module.header.parameters is not None
    return has_list and bool(node.parameter.keyword.valueText == "parameter")


def _parameter_default(node: Any) -> bool | str:
    names = [d.name.valueText for d in _declarators(node) if d.initializer is None]
    return bool(names) and f"parameter {', '.join(names)} without a default"


def _unsigned_parameter(node: Any) -> bool:
    return str(getattr(node.type, "signing", "")).strip() == "unsigned"


def _decimal(node: Any) -> bool:
    text = node.literal.rawText.replace("_", "")
    return text.isdecimal() and int(text) > MOST_DECIMAL


def _cast_to_call(node: Any) -> bool:
    return bool(_bare(node.left).kind == SyntaxKind.InvocationExpression)


def _cast_to_member(node: Any) -> bool:
    return _bare(node.left).kind in (SyntaxKind.MemberAccessExpression, SyntaxKind.ScopedName)


def _bare(node: Any) -> Any:
    while node.kind == SyntaxKind.ParenthesizedExpression:
        node = node.expression
    return node


def _enum_width(node: Any) -> bool:
    values = (d.initializer.expr for d in node.members if hasattr(d, "initializer") and d.initializer is not None)
    return node.baseType is not None and any(v.kind == SyntaxKind.IntegerLiteralExpression for v in values)


def _unpacked_structure(node: Any) -> bool:
    return not str(node.packed).strip()


def _automatic_in_process(node: Any) -> bool:
    modifiers = " ".join(token.valueText for token in node.modifiers)
    return "automatic" in modifiers and _within(node, _PROCESSES)


def _empty_item(node: Any) -> bool:
    return not len(node.attributes)


def _generate_region(node: Any) -> bool:
    return not _within(node, (SyntaxKind.GenerateRegion, *_GENERATE))


def _genvar_in_loop(node: Any) -> bool:
    return bool(node.genvar.valueText)


def _generate_name(node: Any) -> bool:
    """A block, or the lack of one, that a generate construct makes."""
    if node.kind == SyntaxKind.IfGenerate:
        blocks = [node.block, *([node.elseClause.clause] if node.elseClause is not None else [])]
    elif node.kind == SyntaxKind.CaseGenerate:
        blocks = [item.clause for item in node.items]
    else:
        blocks = [node.block]
    return any(b.kind not in _GENERATE and getattr(b, "beginName", None) is None for b in blocks)


def _while(node: Any) -> bool:
    if node.kind == SyntaxKind.LoopStatement and node.repeatOrWhile.valueText != "while":
        return False
    return _within(node, _PROCESSES)


def _inside(node: Any) -> bool:
    if node.kind == SyntaxKind.CaseStatement:
        return bool(node.matchesOrInside.valueText == "inside")
    return True


def _pattern_in_connection(node: Any) -> bool:
    found = []

    def look(inner: Any) -> None:
        if getattr(inner, "kind", None) == SyntaxKind.AssignmentPatternExpression:
            found.append(inner)

    if node.expr is not None:
        node.expr.visit(look)
    return bool(found)


def _called(node: Any) -> str:
    return str(node.left).strip()


def _simulation_call(node: Any) -> bool | str:
    name = node.systemIdentifier.valueText
    return name in _SIMULATED and f"the system function {name}, for simulations"


def _array_query(node: Any) -> bool | str:
    return _called(node) in _QUERIES and f"the array query {_called(node)}"


def _file_name(node: Any) -> bool:
    return _called(node) in _READERS and '"' in str(node.arguments)


def _tran(node: Any) -> bool:
    return str(node.type).strip() in _SWITCHES


SYNTAX: Mapping[str, tuple[tuple[Any, ...], Callable[[Any], object]]] = {
    "wire-of-type": ((SyntaxKind.NetPortHeader,), _wire_of_type),
    "port-direction": ((SyntaxKind.ImplicitAnsiPort,), _port_direction),
    "output-initialiser": ((SyntaxKind.ImplicitAnsiPort,), _output_initialiser),
    "port-attribute": ((SyntaxKind.ImplicitAnsiPort,), _port_attribute),
    "localparam-in-list": ((SyntaxKind.ParameterPortList,), _localparam_in_list),
    "body-parameter": ((SyntaxKind.ParameterDeclarationStatement,), _body_parameter),
    "parameter-default": ((SyntaxKind.ParameterDeclaration,), _parameter_default),
    "unsigned-parameter": ((SyntaxKind.ParameterDeclaration,), _unsigned_parameter),
    "decimal": ((SyntaxKind.IntegerLiteralExpression,), _decimal),
    "cast-to-call": ((SyntaxKind.CastExpression,), _cast_to_call),
    "cast-to-member": ((SyntaxKind.CastExpression,), _cast_to_member),
    "enum-width": ((SyntaxKind.EnumType,), _enum_width),
    "unpacked-structure": ((SyntaxKind.StructType,), _unpacked_structure),
    "automatic-in-process": ((SyntaxKind.DataDeclaration,), _automatic_in_process),
    "empty-item": ((SyntaxKind.EmptyMember,), _empty_item),
    "generate-region": (_GENERATE, _generate_region),
    "genvar-in-loop": ((SyntaxKind.LoopGenerate,), _genvar_in_loop),
    "generate-name": (_GENERATE, _generate_name),
    "while": ((SyntaxKind.LoopStatement, SyntaxKind.DoWhileStatement), _while),
    "inside": ((SyntaxKind.InsideExpression, SyntaxKind.CaseStatement), _inside),
    "pattern-in-connection": (
        (SyntaxKind.NamedPortConnection, SyntaxKind.OrderedPortConnection),
        _pattern_in_connection,
    ),
    "simulation-call": ((SyntaxKind.SystemName,), _simulation_call),
    "array-query": ((SyntaxKind.InvocationExpression,), _array_query),
    "file-name": ((SyntaxKind.InvocationExpression,), _file_name),
    "tran": ((SyntaxKind.PrimitiveInstantiation,), _tran),
    "systemverilog-in-v": (_ONLY_SYSTEMVERILOG, lambda _: True),
}
"""By id of the table: kinds of nodes, and the function that looks at each of them."""


# The elaborated design


def _port_type(node: Any) -> bool | str:
    if not isinstance(node, PortSymbol) or (node.type.isIntegral and not node.type.canonicalType.isStruct):
        return False
    return f"port {node.name} of type {node.type}"


def _hierarchical_name(node: Any) -> bool:
    return isinstance(node, HierarchicalValueExpression)


def _parameter_of_instance(node: Any) -> bool:
    return isinstance(node, HierarchicalValueExpression) and isinstance(node.symbol, ParameterSymbol)


def _negative_bound(node: Any) -> bool | str:
    if not isinstance(node, (VariableSymbol, NetSymbol)):
        return False
    type_ = node.type
    while type_.isArray:
        bounds = type_.fixedRange if type_.hasFixedRange else None
        if bounds is not None and min(bounds.left, bounds.right) < 0:
            return f"{node.name} has the range [{bounds.left}:{bounds.right}]"
        type_ = type_.arrayElementType
    return False


def _array_slice(node: Any) -> bool:
    return isinstance(node, RangeSelectExpression) and bool(node.value.type.isUnpackedArray)


def _variable_size(node: Any) -> bool | str:
    if not isinstance(node, (VariableSymbol, NetSymbol)) or node.type.bitstreamWidth <= MOST_BITS:
        return False
    return f"{node.name} has {node.type.bitstreamWidth} bits, more than {MOST_BITS}"


def _clog2_of_variable(node: Any) -> bool:
    if not isinstance(node, CallExpression) or node.subroutineName != "$clog2":
        return False
    names: list[Any] = []

    def look(inner: Any) -> None:
        if isinstance(inner, NamedValueExpression):
            names.append(inner.symbol)

    for argument in node.arguments:
        argument.visit(look)
    return any(isinstance(symbol, (VariableSymbol, NetSymbol)) for symbol in names)


def _function_before_declaration(node: Any) -> bool | str:
    if not isinstance(node, CallExpression) or not isinstance(node.subroutine, SubroutineSymbol):
        return False
    called, made = node.sourceRange.start, node.subroutine.location
    is_before = called.buffer == made.buffer and called.offset < made.offset
    return is_before and f"{node.subroutine.name}, a function called before its declaration"


def _loop_length(node: Any) -> bool | str:
    """A loop over one variable, between constants."""
    if not isinstance(node, ForLoopStatement) or len(node.loopVars) != 1 or len(node.steps) != 1:
        return False
    variable, stop = node.loopVars[0], node.stopExpr
    first = _constant(variable.initializer, variable)
    if first is None or not isinstance(stop, BinaryExpression) or (step := _step(node.steps[0], variable)) is None:
        return False
    last = _constant(stop.right, variable)
    if last is None or stop.op not in _COMPARED:
        return False
    last += _COMPARED[stop.op] * (1 if step > 0 else -1)
    count = max(0, (last - first) // step)
    return count > MOST_STEPS and f"a loop of {count} steps, more than {MOST_STEPS}"


_COMPARED = {
    BinaryOperator.LessThan: 0, BinaryOperator.GreaterThan: 0, BinaryOperator.Inequality: 0,
    BinaryOperator.LessThanEqual: 1, BinaryOperator.GreaterThanEqual: 1,
}  # fmt: skip
"""By the operator of the condition: 1 where the bound itself is taken too."""


def _constant(expression: Any, symbol: Any) -> int | None:
    """The value of a constant expression, in the scope of a symbol."""
    value: Any = expression.eval(EvalContext(symbol)) if expression is not None else None
    try:
        return int(value.value)
    except (AttributeError, TypeError, ValueError):
        return None


def _step(step: Any, variable: Any) -> int | None:
    """The increment of a loop's variable; None if it is unknown or 0."""
    if isinstance(step, UnaryExpression):
        return {"Postincrement": 1, "Preincrement": 1, "Postdecrement": -1, "Predecrement": -1}.get(step.op.name)
    if isinstance(step, AssignmentExpression):
        right = step.right
        while hasattr(right, "operand"):
            right = right.operand
        if isinstance(right, BinaryExpression) and right.op in (BinaryOperator.Add, BinaryOperator.Subtract):
            value = _constant(right.right, variable)
            return (value if right.op == BinaryOperator.Add else -value) if value else None
    return None


DESIGN: Mapping[str, Callable[[Any], object]] = {
    "port-type": _port_type,
    "hierarchical-name": _hierarchical_name,
    "parameter-of-instance": _parameter_of_instance,
    "negative-bound": _negative_bound,
    "array-slice": _array_slice,
    "variable-size": _variable_size,
    "clog2-of-variable": _clog2_of_variable,
    "function-before-declaration": _function_before_declaration,
    "loop-length": _loop_length,
}
"""By id of the table: the function that looks at each symbol, statement and expression."""
