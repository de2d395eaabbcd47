# SPDX-License-Identifier: Apache-2.0
"""Unsound rules, each as a change of a few characters in the source of a rule, and what has to reject it."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from limbtrace.rtl_bridge.proof import bitvector, linear, substitute
from limbtrace.rtl_bridge.proof.integers import atoms, low_bits, polynomial, ranges, reading, residues, settle

RULES, SUMS, INTEGERS = "rules", "sums", "integers"
"""Proofs by solvers; equality of sums, and equality as integers, against values."""


@dataclass(frozen=True)
class Planted:
    """A function with a text in place of another one."""

    title: str
    module: ModuleType
    function: str
    """A function of the module, or CLASS.NAME."""
    old: str
    new: str
    trial: str = RULES

    def plant(self, patch: pytest.MonkeyPatch) -> None:
        """Put the changed function in place. Raises AssertionError if the text is not there, once."""
        owner: Any = self.module
        *outer, name = self.function.split(".")
        for each in outer:
            owner = getattr(owner, each)
        kept = vars(owner)[name]
        patch.setattr(owner, name, _wrapped(kept)(self._changed(_plain(kept))))

    def _changed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        source = textwrap.dedent(inspect.getsource(function))
        assert source.count(self.old) == 1, self.title
        made: dict[str, Any] = {}
        lines = source.replace(self.old, self.new).splitlines(keepends=True)
        text = "".join(line for line in lines if not line.startswith("@"))
        exec(compile(text, self.title, "exec"), vars(self.module), made)
        changed: Callable[..., Any] = made[function.__name__]
        return changed


def _plain(kept: Any) -> Callable[..., Any]:
    found: Any = kept.fget if isinstance(kept, property) else getattr(kept, "__func__", kept)
    plain: Callable[..., Any] = found
    return plain


def _wrapped(kept: Any) -> Callable[[Any], Any]:
    return type(kept) if isinstance(kept, property | staticmethod) else lambda function: function


def _pool(title: str, method: str, old: str, new: str) -> Planted:
    return Planted(title, bitvector, f"TermPool.{method}", old, new)


PLANTED = [
    _pool(
        "a slice of a slice, off by one",
        "extract",
        "high + below, low + below)",
        "high + below - (below > 0), low + below - (below > 0))",
    ),
    _pool("a bit of a sum as the one beside it", "bit_of", "(place, place)", "(place ^ 1, place ^ 1)"),
    _pool("the bound of a cut without its lower bits", "extract", "x.most >> low if", "x.most >> low + 1 if"),
    _pool("not a choice of sides but both as they are", "ite", "operands[0], other, one)", "operands[0], one, other)"),
    _pool("an inner choice by the same bit, other side", "ite", "one.operands[1], other)", "one.operands[2], other)"),
    _pool(
        "a choice of bits with or for and",
        "ite",
        "else self.bvand(self.bvnot(condition), other)",
        "else self.bvand(condition, other)",
    ),
    _pool("the bound of a choice is that of one side", "ite", "max(one.most, other.most)", "one.most"),
    _pool("a signed extension that looks at half of a range", "_signed_sum", "and most + plus < half", ""),
    _pool("a signed extension of other bits than the lowest", "_signed_sum", " and x.detail[1] == 0", ""),
    _pool("a signed extension in the range of all bits of a sum", "_signed_sum", "(x.width - 1)", "(total.width - 1)"),
    _pool("a signed extension with zeros", "extend", "-sign.value", "0"),
    _pool("an even number with a sign, extended with zeros", "extend", "low.width, signed=True)", "low.width)"),
    _pool("a sum beside others, at the lowest place", "_added", "self.concat(below)", "part"),
    _pool("a sum above others without its weight", "_added", "width - top.width", "0"),
    _pool("a sum without its carry", "sum", '"sum", most.bit_length()', '"sum", max(most.bit_length() - 1, 1)'),
    _pool(
        "a sum that may be -1, as one that never is",
        "sum",
        "below + plus >= 0 and most",
        "below + plus >= -1 and 0 < most",
    ),
    _pool(
        "zeros at the end of a sum in spite of its constant",
        "sum",
        "low = min(low, trailing_ones(~constant & full) if constant else low, width)",
        "low = min(low, width)",
    ),
    _pool("a sum in two parts in spite of a carry", "_apart", "< 1 << shift:", "<= 1 << shift:"),
    _pool(
        "a constant above a sum that reaches into it",
        "_apart",
        "end = most.bit_length()",
        "end = max(most.bit_length() - 1, 1)",
    ),
    _pool("bits of a sum without its constant", "_cut_sum", "needed, constant, size", "needed, 0, size"),
    _pool(
        "cuts side by side, whatever their factors",
        "_rejoined",
        "if factors[low] << low.width != factors[parts[-1]]:",
        "if False:",
    ),
    _pool(
        "-~y without its constant", "_without_adders", "factor * ((1 << term.width) - 1)", "factor * (1 << term.width)"
    ),
    _pool("a parity below the top bit, as a sum", "_without_adders", "not factor << 1 &", "not factor << 2 &"),
    _pool("a carry times anything", "added_up", "or times << low + 1 != factor", ""),
    Planted("two of three carries, as the majority", bitvector, "_carried", "((1, 2), (3, 3))", "((1, 2), (2, 3))"),
    _pool("a product with the bound of a sum", "_product", "x.most * y.most", "x.most + y.most"),
    _pool(
        "a product without its top bit",
        "product",
        " if shift else inner, width)",
        " if shift else self.extend(inner, width - 1), width)",
    ),
    _pool(
        "a product by a bit that is 0",
        "_product",
        "(bit, other, self.constant(other.width, 0))",
        "(bit, self.constant(other.width, 0), other)",
    ),
    _pool("a product whose zeros are counted once", "product", "shift += low", "shift = low"),
    _pool("a remainder by a constant that may be it", "bvurem", "y.value - 1) if", "y.value - 2) if"),
    _pool("a quotient by 0 that is 0", "bvudiv", "if y.value else -1)", "if y.value else 0)"),
    _pool("a shift with sign, without it", "shifted", 'signed=operation == "sra"', "signed=False"),
    _pool("a comparison that holds where both are equal", "bvult", "x.most < _least(y)", "x.most <= _least(y)"),
    _pool("a comparison with a sign, without it", "bvslt", "1 << (x.width - 1)", "0"),
    _pool("equal where known bits differ on one side", "equal", "x.ones & y.zeros or ", ""),
    _pool(
        "equal as what is not known is equal, in another order",
        "equal",
        "self.extract(y, high, low) for high, low in reversed(parts)",
        "self.extract(y, high, low) for high, low in parts",
    ),
    _pool("bits side by side of two terms", "_adjacent", "and low.operands[0] is high.operands[0]", ""),
    _pool("x and not x, as 1", "bvand", "self.constant(1, 0)", "self.constant(1, 1)"),
    _pool("or of bits of which the zeros are taken", "_interleaved", "self.extract(source", "self.extract(other"),
    _pool("the known bits of and", "bvand", "x.ones & y.ones, x.zeros | y.zeros", "x.ones | y.ones, x.zeros | y.zeros"),
    _pool("a bound that is not looked at", "exact", "detail, constant), 0", "detail, constant + 1), 0"),
    _pool("a bounded sum that may be negative", "bounded", "and most < half", ""),
    Planted("choices as sums where more bits count", linear, "_Form.ends_at", "term.width &", "term.width + 1 &", SUMS),
    Planted(
        "the only constant of a form, which is not alone", linear, "_Form.only", "None if self.atoms else", "", SUMS
    ),
    Planted(
        "a range without its negative terms",
        linear,
        "_Form.range",
        "if factor * sign > 0",
        "if factor * sign > 0 and factor > 0",
        SUMS,
    ),
    Planted("a sum without its constant", linear, "_Form.is_zero", "and not self._constant", "", SUMS),
    Planted(
        "-~y without its constant, as a form",
        linear,
        "_Form.add",
        "(1 << term.width) - 1) & self._full",
        "1 << term.width) & self._full",
        SUMS,
    ),
    Planted(
        "a slice that is not low bits, as all of them",
        linear,
        "_Form._of_slice",
        "counts = whole.most >> term.width and",
        "counts = 0 and",
        SUMS,
    ),
    Planted(
        "a slice in a sum that does not shift it far enough",
        linear,
        "_Form._of_slice",
        "if factor & ((1 << low) - 1):",
        "if False:",
        SUMS,
    ),
    Planted("tiles at wrong places", linear, "_Form.tile", "times << low + more", "times << low", SUMS),
    Planted(
        "a quotient with a remainder of a bit more",
        linear,
        "LinearForms._divided",
        "not most >> more",
        "not most >> more + 1",
        SUMS,
    ),
    Planted(
        "cuts of two sums of which the lower bits differ",
        linear,
        "LinearForms._paired",
        "and self._equal(*(self._whole(atom) for atom in (one, other)))",
        "",
        SUMS,
    ),
    Planted(
        "low bits of a product from too few bits",
        substitute,
        "_from_low_bits",
        "cut.operands[0], high + 1",
        "cut.operands[0], high",
        SUMS,
    ),
    Planted(
        "a residue modulo another number", residues, "Residues.of_slice", "self.modulus)", "self.modulus + 2)", INTEGERS
    ),
    Planted("a residue without the denominator", residues, "Residues.of", "factor * scale % p", "factor % p", INTEGERS),
    Planted("a fact with the wrong sign", ranges, "Ranges._bounded", "-ratio.numerator)", "ratio.numerator)", INTEGERS),
    Planted("a fact that is stricter by one", atoms, "Atom.fact", "least=limit)", "least=limit + 1)", INTEGERS),
    Planted(
        "a range of one case of a comparison",
        ranges,
        "Ranges._of",
        "for value in (0, 1):",
        "for value in (1,):",
        INTEGERS,
    ),
    Planted(
        "an interval of a negative monomial, ends not swapped",
        ranges,
        "Ranges._interval",
        "if factor < 0:",
        "if factor < -2:",
        INTEGERS,
    ),
    Planted(
        "a sum modulo 2^w that may be a multiple more",
        reading,
        "IntegerReader._fitted",
        "found[0] >> width == found[1] >> width",
        "found[0] >> width + 1 == found[1] >> width + 1",
        INTEGERS,
    ),
    Planted(
        "which of two ranges a sum is in, the other way",
        reading,
        "IntegerReader._of_two",
        "plus_constant(-border)",
        "plus_constant(border)",
        INTEGERS,
    ),
    Planted(
        "a quotient with a remainder as large as the divisor",
        reading,
        "IntegerReader._divided",
        "0, c - 1",
        "0, c - 2",
        INTEGERS,
    ),
    Planted(
        "a bit by the comparison of the other one",
        reading,
        "IntegerReader._bit",
        "if first & 1 else",
        "if last & 1 else",
        INTEGERS,
    ),
    Planted(
        "a choice whose sides are swapped", reading, "IntegerReader._choice", "second.plus(", "first.plus(", INTEGERS
    ),
    Planted(
        "zeros below a cut that nothing says",
        reading,
        "IntegerReader._slice",
        "if self._low.are_zero(whole, low):",
        "if low == 1 or self._low.are_zero(whole, low):",
        INTEGERS,
    ),
    Planted(
        "low bits of not, without the constant",
        low_bits,
        "_LowSum._read",
        "(1 << term.width) - 1)",
        "1 << term.width)",
        INTEGERS,
    ),
    Planted(
        "low bits of a sum that is narrower than they are",
        low_bits,
        "_LowSum._needed",
        'operation == "wrap" and term.width >= self._size',
        'operation == "wrap"',
        INTEGERS,
    ),
    Planted(
        "bits of a term that go together although bits above count",
        low_bits,
        "_LowSum._is_cut",
        "factor >> low << high + 1",
        "factor >> low << high + 2",
        INTEGERS,
    ),
    Planted(
        "an inverted lowest bit for an equal one",
        low_bits,
        "LowBits.inverted",
        "if not form.pop((), 0):",
        "if form.pop((), 0) is None:",
        INTEGERS,
    ),
    Planted(
        "a digit that is compared with other bits",
        low_bits,
        "_LowSum._read",
        "form if value else",
        "form if not value else",
        INTEGERS,
    ),
    Planted(
        "an exclusive or of bits as an or",
        reading,
        "IntegerReader._gate",
        '-1 if term.operation == "or" else -2',
        "-1",
        INTEGERS,
    ),
    Planted(
        "a remainder with a sign, of a range that is shorter",
        reading,
        "IntegerReader._from_least",
        "(0, found[1] - found[0])",
        "(0, found[1] - found[0] - 1)",
        INTEGERS,
    ),
    Planted(
        "a choice of a digit without its largest value",
        ranges,
        "Ranges.of_values",
        "max(ends)",
        "sorted(ends)[-2:][0]",
        INTEGERS,
    ),
    Planted(
        "a choice in the range of its first branch",
        reading,
        "IntegerReader._note_range",
        "max(high for _, high in known)",
        "known[0][1]",
        INTEGERS,
    ),
    Planted(
        "a choice modulo a power, its branches swapped",
        reading,
        "IntegerReader._congruent_parts",
        "return second.plus(",
        "return first.plus(",
        INTEGERS,
    ),
    Planted(
        "an unknown bit of a residue for any other one",
        residues,
        "Residues._of_atom",
        "(term, 0, 1)",
        "(term.operands[0], 0, 1)",
        INTEGERS,
    ),
    Planted(
        "a polynomial modulo another power",
        polynomial,
        "DyadicPolynomial.modulo_power",
        "1 << (bits + self.shift)",
        "1 << (bits - 1 + self.shift)",
        INTEGERS,
    ),
    Planted(
        "a comparison with a limit that was not moved",
        atoms,
        "AtomTable.comparison",
        "limit -= constant",
        "",
        INTEGERS,
    ),
    Planted("x < k as -x < -k", atoms, "AtomTable.comparison", "1 - limit", "-limit", INTEGERS),
    Planted(
        "reduced, as the range is less than 2p",
        settle,
        "IntegerProof._open",
        ">= self._modulus:",
        ">= 2 * self._modulus:",
        INTEGERS,
    ),
]
