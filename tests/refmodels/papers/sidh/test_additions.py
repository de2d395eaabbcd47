# SPDX-License-Identifier: Apache-2.0
"""The list of additions of HFFM: their number, and widths that no product exceeds and some product needs."""

from collections.abc import Callable, Mapping

import pytest

from limbtrace.refmodels.model import Run
from limbtrace.refmodels.papers.sidh.additions import ADDITIONS, COSTS, bits
from limbtrace.refmodels.papers.sidh.hffm import MODEL
from limbtrace.refmodels.papers.sidh.units import ARCHITECTURE
from limbtrace.refmodels.primes import CATALOGUE

# Bits of the largest values, from their bounds, for the primes of Table I in its order.
WIDTHS = {
    "a1 + a2": (218, 253, 306, 379, 388), "(a1+a2)(b1+b2) - a1b1": (436, 505, 612, 758, 775),
    "c2 + u": (435, 505, 609, 758, 768), "c1 + v": (218, 252, 307, 374, 389), "c1 + q": (219, 253, 307, 379, 389),
    "rhat = c2 - qhat*D": (219, 254, 306, 380, 385),
}  # fmt: skip
TABLE = (("sike-p434", 6), ("sike-p503", 8), ("sike-p610", 6), ("sike-p751", 6), ("p771", 6))

VALUES: Mapping[str, Callable[[Run], tuple[int, ...]]] = {
    "a1 + a2": lambda run: (run.at("a1+a2"),),
    "b1 + b2": lambda run: (run.at("b1+b2"),),
    "(a1+a2)(b1+b2) - a1b1": lambda run: (run.at("(a1+a2)(b1+b2)"),),
    "that - a2b2 = a1b2+a2b1": lambda run: (run.at("(a1+a2)(b1+b2)") - run.at("a1b1"), run.at("a1b2+a2b1")),
    "c2 = a2b2 + m1": lambda run: (run.at("c2@4"),),
    "c2 + u": lambda run: (run.at("c2@5"),),
    "c1 = q1 + m2": lambda run: (run.at("c1@6"),),
    "c1 + v": lambda run: (run.at("c1@7"),),
    "rhat = c2 - qhat*D": lambda run: (run.at("barrett.rhat"),),
    "rhat - D": lambda run: (run.at("barrett.rhat"), run.at("r")),
    "c1 + q": lambda run: (run.at("c1@8"),),
    "c2 + carry": lambda run: (run.at("c2@9"),),
    "c2 - D": lambda run: (run.at("c2@9"), run.at("c2")),
    "c1 + 1": lambda run: (run.at("c1@9") + run.at("fix"),),
}


def test_number_and_widths() -> None:
    """2 sums, 2 for Karatsuba's product, 2 for c2, 2 for c1, 4 in lines 8 and 9, and 2 of the last steps."""
    count, *widths = COSTS
    assert list(VALUES) == [entry.operation for entry in ADDITIONS]
    for form, number in (("corrected", 14), ("printed", 12)):
        shape = ARCHITECTURE.resolve(CATALOGUE["sike-p434"].modulus, {"form": form})
        assert count.value(shape) == number == sum(bool(cost.value(shape)) for cost in widths)
    shapes = [ARCHITECTURE.resolve(CATALOGUE[prime].modulus, {"split": split}) for prime, split in TABLE]
    found = {cost.name.removeprefix("adder of "): tuple(cost.value(shape) for shape in shapes) for cost in widths}
    assert {name: found[name] for name in WIDTHS} == WIDTHS
    assert set(COSTS) <= set(ARCHITECTURE.costs)


@pytest.mark.parametrize("modulus", [11, 107, 191])
def test_every_product_fits_and_some_product_needs_the_bits(modulus: int) -> None:
    """All pairs of operands of small moduli; a bound is at most one bit more than what occurs."""
    params = ARCHITECTURE.resolve(modulus, {}).params
    most = dict.fromkeys(VALUES, 0)
    for a in range(modulus + 1):
        for b in range(a, modulus + 1):
            run = MODEL.run(params, a, b)
            for name, values in VALUES.items():
                most[name] = max(most[name], *values(run))
    for entry in ADDITIONS:
        needed = most[entry.operation].bit_length()
        assert needed <= bits(entry, params) <= needed + 1, entry.operation
