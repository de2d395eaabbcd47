# SPDX-License-Identifier: Apache-2.0
"""Questions about terms for bitwuzla, as SMT-LIB 2 text, answered by processes of their own.

Source of the format: C. Barrett, P. Fontaine, C. Tinelli, "The SMT-LIB Standard: Version 2.6", logic QF_UFBV.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, cone, trailing_ones
from limbtrace.vectors.proof import Verdict

_NAMES = {"not": "bvnot", "and": "bvand", "or": "bvor", "xor": "bvxor",
          "udiv": "bvudiv", "urem": "bvurem"}  # fmt: skip

PROVED: Verdict = "proved"
REFUTED: Verdict = "refuted"
OPEN: Verdict = "open"


@dataclass(frozen=True)
class SolverAnswer:
    """A solver's answer to a query: that nothing fulfils it (PROVED), values that do (REFUTED), or nothing."""

    verdict: Verdict
    values: dict[str, int] = field(default_factory=dict)
    """Values of the variables."""


def text(wanted: Sequence[BitTerm], *, products: bool) -> str:
    """The question whether all of these bits can be 1 together.

    `products`: multiply; else a product is any function of its factors with at most the value that their bounds allow,
    and with the low bits that are stated of it, so that an answer "no" holds for products too.
    """
    order = list(cone(wanted))
    names = {term: _name(term) for term in order}
    lines = [f"(set-logic {'QF_BV' if products else 'QF_UFBV'})", "(set-option :produce-models true)"]
    shapes = sorted({_shape(term) for term in order if term.operation == "product"})
    if not products:
        lines += [
            f"(declare-fun {_function(*shape)} ({_sort(shape[0])} {_sort(shape[1])}) {_sort(sum(shape))})"
            for shape in shapes
        ]
    bounds = []
    for term in order:
        if term.operation == "var":
            lines.append(f"(declare-const {names[term]} {_sort(term.width)})")
        elif term.operation != "const":
            lines.append(f"(define-fun {names[term]} () {_sort(term.width)} {_expression(term, names, products)})")
        is_value = term.operation == "var" or (term.operation == "product" and not products)
        if is_value and term.most < (1 << term.width) - 1:
            bounds.append(f"(assert (bvule {names[term]} {_constant(term.width, term.most)}))")
    lines += bounds
    if not products:
        all_products = [term for term in order if term.operation == "product"]
        lines += _low_parts(all_products, names)
        lines += _negated_parts(all_products, names)
    lines += [f"(assert (= {names[term]} #b1))" for term in wanted]
    return "\n".join([*lines, "(check-sat)\n"])


def _low_parts(products: Sequence[BitTerm], names: dict[BitTerm, str]) -> Iterator[str]:
    """The constraint on two products if the factors of one are low bits of the other's: their low bits agree."""
    for one, other in permutations(products, 2):
        widths = [low.width for low, whole in zip(one.operands, other.operands, strict=True) if low is not whole]
        if widths and all(_is_low(low, whole) for low, whole in zip(one.operands, other.operands, strict=True)):
            last = min(widths) - 1
            low, whole = (f"((_ extract {last} 0) {names[term]})" for term in (one, other))
            yield f"(assert (= {low} {whole}))"


def _negated_parts(products: Sequence[BitTerm], names: dict[BitTerm, str]) -> Iterator[str]:
    """A product of x and a constant that ends in n ones has the low n bits of -x."""
    for term in products:
        for constant, other in permutations(term.operands):
            count = min(trailing_ones(constant.value), other.width) if constant.is_constant else 0
            if count > 1:
                low, factor = (f"((_ extract {count - 1} 0) {names[x]})" for x in (term, other))
                yield f"(assert (= {low} (bvneg {factor})))"


def _is_low(low: BitTerm, whole: BitTerm) -> bool:
    if low is whole:
        return True
    return low.operation == "slice" and low.operands[0] is whole and low.detail[1] == 0


def _name(term: BitTerm) -> str:
    if term.operation == "const":
        return _constant(term.width, term.value)
    return f"|{term.detail}|" if term.operation == "var" else f"t{term.number}"


def _constant(width: int, value: int) -> str:
    return f"(_ bv{value} {width})"


def _sort(width: int) -> str:
    return f"(_ BitVec {width})"


def _shape(term: BitTerm) -> tuple[int, int]:
    one, other = sorted(operand.width for operand in term.operands)
    return one, other


def _function(one: int, other: int) -> str:
    return f"product_{one}_{other}"


def _expression(term: BitTerm, names: dict[BitTerm, str], products: bool) -> str:
    x = [names[operand] for operand in term.operands]
    if term.operation == "concat":
        return f"(concat {' '.join(x)})"
    if term.operation in ("sum", "wrap"):
        return _sum(term, x)
    if term.operation == "slice":
        return f"((_ extract {term.detail[0]} {term.detail[1]}) {x[0]})"
    if term.operation == "ite":
        return f"(ite (= {x[0]} #b1) {x[1]} {x[2]})"
    if term.operation == "eq":
        return f"(ite (= {x[0]} {x[1]}) #b1 #b0)"
    if term.operation == "ult":
        return f"(ite (bvult {x[0]} {x[1]}) #b1 #b0)"
    if term.operation == "product":
        # The narrow factor first; of two equally wide ones the older term.
        factors = sorted(zip(term.operands, x, strict=True), key=lambda pair: (pair[0].width, pair[0].number))
        if not products:
            return f"({_function(*_shape(term))} {' '.join(name for _, name in factors)})"
        wide = [f"((_ zero_extend {term.width - operand.width}) {name})" for operand, name in factors]
        return f"(bvmul {' '.join(wide)})"
    return f"({_NAMES[term.operation]} {' '.join(x)})"


def _sum(term: BitTerm, names: Sequence[str]) -> str:
    """Terms times factors, one after the other: equal sums begin alike."""
    factors, constant = term.detail
    whole = _constant(term.width, constant % (1 << term.width))
    for operand, name, factor in zip(term.operands, names, factors, strict=True):
        more = term.width - operand.width
        wide = f"((_ zero_extend {more}) {name})" if more > 0 else f"((_ extract {term.width - 1} 0) {name})"
        size = abs(factor) % (1 << term.width)
        if not size:
            continue  # above all bits of an exact sum
        if size & (size - 1):
            wide = f"(bvmul {wide} {_constant(term.width, size)})"
        elif size > 1:
            wide = f"(bvshl {wide} {_constant(term.width, size.bit_length() - 1)})"
        whole = f"({'bvadd' if factor > 0 else 'bvsub'} {whole} {wide})"
    return whole


def solved(question: str, milliseconds: int, megabytes: int) -> SolverAnswer:
    """The answer of bitwuzla to a query within a limit of time and memory; runs in a worker process."""
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, milliseconds)
    options.set(bitwuzla.Option.MEMORY_LIMIT, megabytes)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(question, True, False)
    solver = parser.bitwuzla()
    result = solver.check_sat()
    if result == bitwuzla.Result.UNSAT:
        return SolverAnswer(PROVED)
    if result != bitwuzla.Result.SAT:
        return SolverAnswer(OPEN)
    values = {}
    for term in parser.get_declared_funs():
        if term.sort().is_bv():
            values[term.symbol().strip("|")] = int(solver.get_value(term).value(2), 2)
    return SolverAnswer(REFUTED, values)


def variables(wanted: Iterable[BitTerm]) -> list[BitTerm]:
    """The variables that terms depend on."""
    return [term for term in cone(wanted) if term.operation == "var"]
