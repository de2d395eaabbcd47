# SPDX-License-Identifier: Apache-2.0
"""The values of terms, by plain integer arithmetic that shares nothing with the rules by which terms are made."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import and_, eq, floordiv, lt, mod, mul, or_, xor

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, cone

Values = list[int]
"""The values of a term, one for each valuation."""
_BINARY = {"and": and_, "or": or_, "xor": xor, "product": mul, "eq": eq, "ult": lt}


def evaluated(roots: Iterable[BitTerm], values: Mapping[str, int]) -> list[int]:
    """The values of terms, given those of their variables by name; a variable without one is 0."""
    wanted = list(roots)
    known: dict[BitTerm, Values] = {}
    for term in cone(wanted):
        known[term] = [values.get(term.detail, 0)] if term.operation == "var" else column(term, known, 1)
    return [known[root][0] for root in wanted]


def column(term: BitTerm, known: Mapping[BitTerm, Values], count: int) -> Values:
    """The values of a term other than a variable, from those of its operands."""
    operation, full = term.operation, (1 << term.width) - 1
    x = [known[operand] for operand in term.operands]
    if operation == "const":
        return [term.value] * count
    if operation == "not":
        return [~value & full for value in x[0]]
    if operation == "slice":
        low = term.detail[1]
        return [value >> low & full for value in x[0]]
    if operation == "ite":
        return [one if condition else other for condition, one, other in zip(*x, strict=True)]
    if operation == "concat":
        return [_joined(term.operands, values) for values in zip(*x, strict=True)]
    if operation in ("sum", "wrap"):
        factors, constant = term.detail
        return [(constant + sum(map(mul, factors, values))) & full for values in zip(*x, strict=True)]
    return [int(value) & full for value in _of_two(operation, x[0], x[1], full)]


def _of_two(operation: str, x: Values, y: Values, full: int) -> Iterator[int]:
    """Of an operation with two operands; what SMT-LIB says of a division by 0."""
    if operation == "udiv":
        return (floordiv(one, other) if other else full for one, other in zip(x, y, strict=True))
    if operation == "urem":
        return (mod(one, other) if other else one for one, other in zip(x, y, strict=True))
    return map(_BINARY[operation], x, y)


def _joined(parts: Sequence[BitTerm], values: Sequence[int]) -> int:
    whole = 0
    for part, value in zip(parts, values, strict=True):
        whole = whole << part.width | value
    return whole
