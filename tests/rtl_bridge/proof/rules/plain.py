# SPDX-License-Identifier: Apache-2.0
"""Plain operations on terms as SMT-LIB text, which no rewriting rule has simplified.

A term is written as it is made: from its operation and its operands. Of a call of a rule only the arguments and the
result are such terms; in between stands the operation that the rule is to compute, as the standard defines it. Sums are
written once more without a power of two to wrap at, in as many bits as any of their values takes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from limbtrace.rtl_bridge.proof.bitvector import BitTerm

Equality = tuple[str, str]
"""Two texts of one width, or of truth values, that are to be equal in every valuation."""
Parts = Sequence[tuple[BitTerm, int]]
"""Terms with factors."""


def name(term: BitTerm) -> str:
    """What a term is called in the text."""
    return number(term.width, term.detail) if term.operation == "const" else f"t{term.number}"


def number(width: int, value: int) -> str:
    """The low bits of a value."""
    return f"(_ bv{value % (1 << width)} {width})"


def fitted(text: str, own: int, width: int, *, signed: bool = False) -> str:
    """A text of `own` bits in another width: its low bits, or with copies of its sign or zeros above it."""
    if width <= own:
        return f"((_ extract {width - 1} 0) {text})"
    return f"((_ {'sign' if signed else 'zero'}_extend {width - own}) {text})"


def bit(condition: str) -> str:
    """A truth value as one bit."""
    return f"(ite {condition} #b1 #b0)"


def linear(parts: Parts, constant: int, width: int) -> str:
    """A sum of terms times factors and a constant, modulo 2^width."""
    whole = number(width, constant)
    for term, factor in parts:
        whole = f"(bvadd {whole} (bvmul {number(width, factor)} {fitted(name(term), term.width, width)}))"
    return whole


def room(*sums: tuple[Parts, int]) -> int:
    """A width in which none of some sums wraps, as numbers with a sign."""
    largest = max(abs(constant) + sum(abs(f) << term.width for term, f in parts) for parts, constant in sums)
    return largest.bit_length() + 1


def same_integers(one: tuple[Parts, int], other: tuple[Parts, int]) -> Equality:
    """Two sums as integers."""
    width = room(one, other)
    return linear(*one, width), linear(*other, width)


def definition(term: BitTerm) -> str:
    """A term as its operation on its operands."""
    x = [name(operand) for operand in term.operands]
    match term.operation:
        case "concat":
            return f"(concat {' '.join(x)})"
        case "slice":
            return f"((_ extract {term.detail[0]} {term.detail[1]}) {x[0]})"
        case "ite":
            return f"(ite (= {x[0]} #b1) {x[1]} {x[2]})"
        case "eq":
            return bit(f"(= {x[0]} {x[1]})")
        case "ult":
            return bit(f"(bvult {x[0]} {x[1]})")
        case "sum" | "wrap":
            return linear(own_parts(term), term.detail[1], term.width)
        case "product":
            return f"(bvmul {' '.join(fitted(name(y), y.width, term.width) for y in term.operands)})"
        case plain:
            return f"(bv{plain} {' '.join(x)})"


def own_parts(term: BitTerm) -> Parts:
    """The terms of a sum with their factors."""
    return list(zip(term.operands, term.detail[0], strict=True))


def declaration(term: BitTerm) -> Iterator[str]:
    """The commands that declare a variable with its bound, or define a term; none for a constant."""
    sort = f"(_ BitVec {term.width})"
    if term.operation == "var":
        yield f"(declare-const {name(term)} {sort})"
        yield f"(assert (bvule {name(term)} {number(term.width, term.most)}))"
    elif term.operation != "const":
        yield f"(define-fun {name(term)} () {sort} {definition(term)})"


def known(term: BitTerm) -> Iterator[Equality]:
    """What a term says of its own value: known bits, its bound, and of a sum that it never wraps."""
    itself, width = name(term), term.width
    if term.operation != "var" and term.most < (1 << width) - 1:
        yield f"(bvule {itself} {number(width, term.most)})", "true"
    if term.ones | term.zeros:
        yield f"(bvand {itself} {number(width, term.ones | term.zeros)})", number(width, term.ones)
    if term.operation == "sum":
        yield same_integers((own_parts(term), term.detail[1]), ([(term, 1)], 0))


def two(operation: str) -> Callable[[BitTerm, BitTerm], str]:
    """An operation of the standard on two terms."""
    return lambda x, y: f"({operation} {name(x)} {name(y)})"


def cut(x: BitTerm, high: int, low: int) -> str:
    return f"((_ extract {high} {low}) {name(x)})"


def concat(parts: Iterable[BitTerm]) -> str:
    texts = list(map(name, parts))
    return texts[0] if len(texts) == 1 else f"(concat {' '.join(texts)})"


def extend(x: BitTerm, width: int, *, signed: bool = False) -> str:
    return fitted(name(x), x.width, width, signed=signed)


def total(terms: Mapping[BitTerm, int], constant: int, width: int) -> str:
    return linear(list(terms.items()), constant, width)


def exact(terms: Mapping[BitTerm, int], constant: int, most: int) -> str:
    return total(terms, constant, max(most.bit_length(), 1))


def product(x: BitTerm, y: BitTerm) -> str:
    width = x.width + y.width
    return f"(bvmul {extend(x, width)} {extend(y, width)})"


def shifted(operation: str, x: BitTerm, by: BitTerm) -> str:
    width = max(x.width, by.width)
    named = {"sll": "bvshl", "srl": "bvlshr", "sra": "bvashr"}[operation]
    moved = f"({named} {extend(x, width, signed=operation == 'sra')} {extend(by, width)})"
    return fitted(moved, width, x.width)


def parity(x: BitTerm) -> str:
    bits = [cut(x, place, place) for place in range(x.width)]
    return bits[0] if len(bits) == 1 else f"(bvxor {' '.join(bits)})"


OPERATIONS: dict[str, Callable[..., str]] = {
    "constant": number,
    "bvnot": lambda x: f"(bvnot {name(x)})",
    "bvand": two("bvand"), "bvor": two("bvor"), "bvxor": two("bvxor"), "_interleaved": two("bvor"),
    "_masked": lambda x, mask: f"(bvand {name(x)} {number(x.width, mask)})",
    "extract": cut, "_cut_sum": cut, "bit_of": lambda x, place: cut(x, place, place),
    "concat": concat, "_adjacent": lambda high, low: concat((high, low)),
    "extend": extend, "_signed_sum": lambda x, width: extend(x, width, signed=True),
    "ite": lambda condition, one, other: f"(ite (= {name(condition)} #b1) {name(one)} {name(other)})",
    "add": two("bvadd"), "sub": two("bvsub"),
    "_added": lambda parts, width: linear(parts, 0, width),
    "sum": total, "_apart": total, "exact": exact, "bounded": lambda x, most: name(x),
    "mul": two("bvmul"), "product": product, "_product": product,
    "bvudiv": two("bvudiv"), "bvurem": two("bvurem"), "shifted": shifted,
    "equal": lambda x, y: bit(f"(= {name(x)} {name(y)})"),
    "bvult": lambda x, y: bit(f"(bvult {name(x)} {name(y)})"),
    "bvslt": lambda x, y: bit(f"(bvslt {name(x)} {name(y)})"),
    "any_bit": lambda x: bit(f"(distinct {name(x)} {number(x.width, 0)})"),
    "parity": parity,
}  # fmt: skip
"""Methods of a TermPool whose result is one term, or None where a rule does not apply, and the operation that it is."""


def rest_and_constant(factors: dict[BitTerm, int], width: int, *, result: tuple[dict[BitTerm, int], int]) -> Equality:
    """Of `_without_adders`: the same sum modulo 2^width."""
    return total(factors, 0, width), total(*result, width)


def added_up(
    parity: BitTerm, times: int, carry: BitTerm, factor: int, *, result: list[tuple[BitTerm, int]]
) -> Equality:
    """Of `added_up`: the same integer."""
    parts = [(part, times << low) for part, low in result]
    return same_integers(([(parity, times), (carry, factor)], 0), (parts, 0))


def rejoined(factors: dict[BitTerm, int], *, result: dict[BitTerm, int]) -> Equality:
    """Of `_rejoined`: the same integer."""
    return same_integers((list(factors.items()), 0), (list(result.items()), 0))


SUMS: dict[str, Callable[..., Equality]] = {
    "_without_adders": rest_and_constant, "added_up": added_up, "_rejoined": rejoined,
}  # fmt: skip
"""Methods whose result is a sum in parts, and nothing where a rule does not apply."""


def equality(method: str, arguments: Sequence[Any], named: Mapping[str, Any], result: Any) -> Equality | None:
    """What a call of a method is to say; None if it says that a rule does not apply."""
    if method in SUMS:
        return SUMS[method](*arguments, **named, result=result) if result else None
    return None if result is None else (OPERATIONS[method](*arguments, **named), name(result))


def in_range(terms: Mapping[BitTerm, int], constant: int, most: int) -> str:
    """True where a sum, as an integer, is from 0 to `most`."""
    parts = list(terms.items())
    width = max(room((parts, constant)), most.bit_length() + 1)
    whole = linear(parts, constant, width)
    return f"(and (bvsle {number(width, 0)} {whole}) (bvsle {whole} {number(width, most)}))"
