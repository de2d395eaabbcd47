# SPDX-License-Identifier: Apache-2.0
"""The numbers that the sources of a design fix: parameters anywhere in it, and literals."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pyslang.ast import SymbolKind

LEAST = 5
"""Smaller numbers are not listed."""

_LITERAL = re.compile(
    r"(?<![\w'\"])(?:\d*\s*'[sS]?(?:[hH](?P<hex>[0-9a-fA-F_]+)|[dD](?P<dec>[\d_]+)|[bB](?P<bin>[01_]+))"
    r"|16#(?P<hex2>[0-9a-fA-F_]+)#|[xX]\"(?P<hex3>[0-9a-fA-F_]+)\"|(?P<plain>\d[\d_]*))(?!\w)"
)
_BASES = {"hex": 16, "hex2": 16, "hex3": 16, "dec": 10, "bin": 2, "plain": 10}


def parameters_below(body: Any, packages: Iterable[Any]) -> Iterator[tuple[str, int]]:
    """(name, value) of the parameters of integers in packages and in the modules below `body`, those first."""
    pending, seen = [body], set()
    while pending:
        scope = pending.pop(0)
        for member in scope:
            if member.kind == SymbolKind.Parameter:
                yield from _integers(member)
            elif member.kind == SymbolKind.Instance and member.body.definition.name not in seen:
                seen.add(member.body.definition.name)
                pending.append(member.body)
            elif member.kind in (SymbolKind.GenerateBlock, SymbolKind.GenerateBlockArray):
                pending.append(member)
    for package in packages:
        if package.name != "std":
            for member in package:
                if member.kind == SymbolKind.Parameter:
                    yield from _integers(member)


def _integers(parameter: Any) -> Iterator[tuple[str, int]]:
    value = integer(parameter)
    if value is not None and value >= LEAST:
        yield str(parameter.name), value


def integer(parameter: Any) -> int | None:
    """The value of a parameter; None if it is not an integer."""
    try:
        return int(parameter.value.value)
    except (AttributeError, TypeError, ValueError):
        return None


def literals_in(texts: Iterable[str]) -> frozenset[int]:
    """The integers that are written in sources, in Verilog or VHDL."""
    return frozenset(value for text in texts for value in _literals(text) if value >= LEAST)


def _literals(text: str) -> Iterator[int]:
    for found in _LITERAL.finditer(text):
        kind = found.lastgroup or "plain"
        digits = found[kind].replace("_", "")
        if digits and len(digits) <= 4300:
            yield int(digits, _BASES[kind])


def parameters_derived(parameters: Mapping[str, Any]) -> set[str]:
    """Names of parameters whose default depends on others of the same module; `parameters` are all of its symbols."""
    uses = {name: _names_in(symbol.initializer) & parameters.keys() for name, symbol in parameters.items()}

    def settable(name: str, above: tuple[str, ...]) -> bool:
        """True if a parameter that a build may set stands behind a name."""
        deeper = (other for other in uses[name] if other not in above)
        return not parameters[name].isLocalParam or any(settable(other, (*above, other)) for other in deeper)

    return {name for name, used in uses.items() if any(settable(other, (name, other)) for other in used - {name})}


def _names_in(expression: Any) -> set[str]:
    names: set[str] = set()

    def collect(node: Any) -> None:
        symbol = getattr(node, "symbol", None)
        if symbol is not None and symbol.kind == SymbolKind.Parameter:
            names.add(str(symbol.name))

    if expression is not None:
        expression.visit(collect)
    return names
