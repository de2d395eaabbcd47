# SPDX-License-Identifier: Apache-2.0
"""Operands that make each rule of a TermPool apply.

A rule is a branch of a method that returns: it is named by the method and by the beginning of the condition above its
`return`, which is empty for the last one of the method. `shapes` calls methods of the pool of its operands.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tests.rtl_bridge.proof.rules import bits, numbers
from tests.rtl_bridge.proof.rules.operands import Operands

WIDEST = 6


@dataclass(frozen=True)
class Rule:
    """A branch, and operands of a width that it is for."""

    method: str
    branch: str
    shapes: Callable[[Operands], object]
    least: int = 1
    """The least width at which there are such operands."""

    def __str__(self) -> str:
        return f"{self.method}: {self.branch or 'else'}"

    @property
    def widths(self) -> range:
        return range(self.least, WIDEST + 1)


RULES = [
    Rule("bvnot", "x.operation == 'not'", bits.negations),
    Rule("bvnot", "x.operation == 'concat'", bits.negations),
    Rule("bvnot", "", bits.negations),
    Rule("bvand", "x is y", bits.ands),
    Rule("bvand", "one.is_constant", bits.ands),
    Rule("bvand", "one.operation == 'concat'", bits.and_all_bits, 2),
    Rule("bvand", "x.width == 1", bits.and_not),
    Rule("bvand", "", bits.ands),
    Rule("_masked", "", bits.ands),
    Rule("bvor", "x is y", bits.ors),
    Rule("bvor", "one.is_constant and one.value == 0", bits.ors),
    Rule("bvor", "one.is_constant and one.value == (1", bits.ors),
    Rule("bvor", "x.zeros | y.zeros", bits.apart_bits, 2),
    Rule("bvor", "", bits.ors),
    Rule("_interleaved", "", bits.apart_bits, 2),
    Rule("bvxor", "x is y", bits.xors),
    Rule("bvxor", "one.is_constant and one.value == 0", bits.xors),
    Rule("bvxor", "one.is_constant and one.value == (1", bits.xors),
    Rule("bvxor", "", bits.xors),
    Rule("extract", "width == x.width", bits.cuts(lambda o: o.x)),
    Rule("extract", "x.is_constant", bits.cut_constants, 2),
    Rule("extract", "x.operation == 'slice'", bits.cuts(lambda o: o.pool.extract(o.wide, o.w, 1)), 2),
    Rule("extract", "x.operation == 'concat'", bits.cuts(lambda o: o.pool.concat((o.x, o.b, o.y)))),
    Rule("extract", "x.operation in ('sum', 'wrap')", numbers.cut_sums),
    Rule("extract", "x.operation == 'ite'", bits.cuts(
        lambda o: o.pool.ite(o.b, o.x, o.n(o.full >> 1)),
        lambda o: o.pool.ite(o.b, o.pool.concat((o.x, o.c)), o.pool.extract(o.wide, o.w, 0)),
    )),
    Rule("extract", "x.operation == 'not'", bits.cuts(lambda o: o.pool.bvnot(o.x)), 2),
    Rule("extract", "x.operation in ('and', 'or', 'xor')", bits.cuts(
        lambda o: o.pool.bvand(o.x, o.y), lambda o: o.pool.bvor(o.x, o.y), lambda o: o.pool.bvxor(o.x, o.y)
    ), 2),
    Rule("extract", "0 < size < width", bits.cut_bounded, 2),
    Rule("extract", "", bits.cut_bounded),
    Rule("_cut_sum", "size == x.width", numbers.cut_sums),
    Rule("_cut_sum", "", numbers.cut_sums),
    Rule("bit_of", "x.operation not in", numbers.single_bits),
    Rule("bit_of", "", numbers.single_bits, 2),
    Rule("concat", "len(flat) == 1", bits.concatenations),
    Rule("concat", "", bits.concatenations),
    Rule("_adjacent", "high.is_constant", bits.concatenations),
    Rule("_adjacent", "both_cut", bits.concatenations, 2),
    Rule("_adjacent", "self.extract", numbers.cut_above_a_sum),
    Rule("_adjacent", "", numbers.cut_above_a_sum),
    Rule("extend", "width <= x.width", bits.extensions),
    Rule("extend", "signed and (wider", numbers.extend_sum),
    Rule("extend", "signed and (low", numbers.extend_even),
    Rule("extend", "", bits.extensions),
    Rule("_signed_sum", "total.operation", numbers.extend_cut_sum),
    Rule("_signed_sum", "least + plus", numbers.extend_cut_sum),
    Rule("_signed_sum", "least + plus", numbers.extend_sum),
    Rule("_signed_sum", "", numbers.extend_sum),
    Rule("ite", "condition.is_constant", bits.choices),
    Rule("ite", "one is other", bits.choices),
    Rule("ite", "condition.operation", bits.choices),
    Rule("ite", "one.is_constant and other.is_constant", bits.choices_of_bits),
    Rule("ite", "one.is_constant", bits.choices_of_bits),
    Rule("ite", "other.is_constant", bits.choices_of_bits),
    Rule("ite", "one.operation", bits.choices),
    Rule("ite", "other.operation", bits.choices),
    Rule("ite", "", bits.choices),
    Rule("add", "", numbers.additions),
    Rule("sub", "", numbers.additions),
    Rule("_added", "", numbers.additions),
    Rule("collect", "", numbers.additions),
    Rule("sum", "not factors", numbers.sums),
    Rule("sum", "(plain :=", numbers.adders),
    Rule("sum", "constant == 0", numbers.sums),
    Rule("sum", "(side_by_side :=", numbers.apart),
    Rule("sum", "below + plus", numbers.sum_exact),
    Rule("sum", "", numbers.sums),
    Rule("_without_adders", "summed", numbers.adders),
    Rule("_without_adders", "summed", numbers.minus_not),
    Rule("_without_adders", "summed", numbers.top_parity),
    Rule("_without_adders", "", numbers.adders),
    Rule("added_up", "low < 0", numbers.adders),
    Rule("added_up", "not (len(leaves)", numbers.adders),
    Rule("added_up", "", numbers.adders),
    Rule("_rejoined", "", numbers.side_by_side),
    Rule("bounded", "whole.operation", numbers.bounded(numbers.sum_of_two, lambda o: o.full)),
    Rule("bounded", "least + plus", numbers.bounded(numbers.difference, lambda o: o.full)),
    Rule("bounded", "least + plus", numbers.bounded(numbers.negative, lambda o: o.full >> 1)),
    Rule("bounded", "least + plus", numbers.bounded(numbers.negative, lambda o: o.full)),
    Rule("bounded", "", numbers.bounded(lambda o: o.x, lambda o: o.full >> 1)),
    Rule("bounded", "", numbers.bounded(numbers.as_low_as_can_be, lambda o: o.full + 1)),
    Rule("bounded", "", numbers.bounded(lambda o: o.pool.sub(o.x, o.y), lambda o: o.full >> 1)),
    Rule("exact", "plain.operation", numbers.exact(lambda o: {o.x: 1}, 0, lambda o: o.full)),
    Rule("exact", "", numbers.exact(lambda o: {o.x: 1, o.y: -1}, 0, lambda o: o.full >> 1)),
    Rule("exact", "", numbers.exact(lambda o: {o.x: 3, o.y: -2}, -1, lambda o: o.full)),
    Rule("exact", "", numbers.exact(lambda o: {o.x: -1, o.y: 1 << o.w}, 3, lambda o: o.full + 1)),
    Rule("_apart", "shift and most", numbers.apart),
    Rule("_apart", "factor < 0", numbers.apart),
    Rule("_apart", "end < width", numbers.apart),
    Rule("_apart", "", numbers.apart),
    Rule("mul", "", numbers.products),
    Rule("product", "operand.most == 0", numbers.products),
    Rule("product", "", numbers.products),
    Rule("_product", "x.is_constant and y.is_constant", numbers.products),
    Rule("_product", "x.width == 1", numbers.products),
    Rule("_product", "", numbers.products, 2),
    Rule("bvudiv", "y.is_constant and y.value", numbers.divisions),
    Rule("bvudiv", "x.is_constant and y.is_constant", numbers.divisions),
    Rule("bvudiv", "", numbers.divisions),
    Rule("bvurem", "y.is_constant and y.value", numbers.divisions),
    Rule("bvurem", "x.is_constant and y.is_constant", numbers.divisions),
    Rule("bvurem", "", numbers.divisions),
    Rule("shifted", "count == 0", bits.shifts),
    Rule("shifted", "operation == 'sll'", bits.shifts),
    Rule("shifted", "count == x.width", bits.shifts),
    Rule("shifted", "by.is_constant", bits.shifts),
    Rule("shifted", "", bits.shifts),
    Rule("equal", "x is y", bits.equalities),
    Rule("equal", "x.ones & y.zeros", bits.equalities),
    Rule("equal", "one.is_constant", bits.equalities),
    Rule("equal", "known", bits.known_bits),
    Rule("equal", "", bits.equalities),
    Rule("bvult", "x.most <", bits.comparisons),
    Rule("bvult", "_least(x)", bits.comparisons),
    Rule("bvult", "", bits.comparisons),
    Rule("bvslt", "", bits.comparisons),
    Rule("any_bit", "", bits.any_and_parity),
    Rule("parity", "", bits.any_and_parity),
]  # fmt: skip
