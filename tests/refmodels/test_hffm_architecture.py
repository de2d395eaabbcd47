# SPDX-License-Identifier: Apache-2.0
"""The schedule of the interleaved multiplier: published totals, what waits for what, units with one job at a time."""

from collections import Counter
from itertools import pairwise
from itertools import product as pairs_of
from random import Random

import pytest

from refmodels.architecture import Job, Shape
from refmodels.architectures import hffm
from refmodels.architectures.hffm import ADDITIONS, CYCLES_OF_ADDER, CYCLES_OF_MULTIPLIER, MULTIPLICATIONS, PAIR, TOTAL
from refmodels.errors import ParameterError
from refmodels.primes import CATALOGUE
from refmodels.registry import ARCHITECTURES

ARCH = ARCHITECTURES["hffm"]
P434 = CATALOGUE["sike-p434"].modulus

# (bits of a word, small multipliers, DSP blocks of 17 x 17 bits) by prime and split.
UNITS = {
    ("sike-p434", 6): (222, 9, 81), ("sike-p503", 8): (256, 16, 64), ("sike-p610", 6): (306, 9, 81),
    ("sike-p751", 6): (384, 9, 144), ("p771", 6): (390, 9, 144),
}  # fmt: skip

# Layer -> first cycle, product, multiplication: four cycles a layer, but for 10 and 13.
LAYERS = {
    0: (0, 0, 0), 1: (4, 0, 1), 2: (8, 0, 2), 3: (12, 0, 3), 5: (20, 1, 0), 6: (24, 1, 1), 7: (28, 1, 2), 8: (32, 1, 3),
    9: (36, 0, 4), 11: (41, 1, 4), 12: (45, 0, 5), 14: (50, 1, 5),
}  # fmt: skip


def stream(shape: Shape, count: int) -> Shape:
    """So many products, each as early as it can."""
    return ARCH.loaded(shape, [start for _, start in ARCH.placed(shape, [Job(1, 1)] * count)])


@pytest.mark.parametrize(("prime", "split"), UNITS)
def test_published_cycles_and_units(prime: str, split: int) -> None:
    shape = ARCH.resolve(CATALOGUE[prime].modulus, {"split": split})
    costs = {cost.name: cost.value(shape) for cost in ARCH.costs}
    assert (costs["cycles"], costs["interval"]) == (66, 54)
    assert (shape.params.N, costs["multipliers"], costs["DSP"]) == UNITS[prime, split]


def test_pairs_take_66_cycles_and_then_54() -> None:
    """From the edge that takes the first product to the one after which the last result is there."""
    shape = ARCH.resolve(P434, {})
    for count in range(1, 5):
        loaded = stream(shape, 2 * count)
        assert loaded.starts == tuple(54 * (k // 2) + 20 * (k % 2) for k in range(2 * count))
        assert ARCH.plan(loaded).cycles - 2 == TOTAL + PAIR * (count - 1)


def test_layers() -> None:
    """Those of Fig. 3, counted from 0; 9 cycles from a multiplication to one that needs its product."""
    begins = {(second, j): 20 * second + m.begins[second] for second in (0, 1) for j, m in enumerate(MULTIPLICATIONS)}
    assert {(second, j): cycle for cycle, second, j in LAYERS.values()} == begins
    assert [cycle for cycle, *_ in LAYERS.values()] == [
        4 * layer - 3 * (layer > 10) - 3 * (layer > 13) for layer in LAYERS
    ]
    for second in (0, 1):
        for needed, by in ((0, 3), (1, 4), (2, 4), (3, 4), (4, 5)):
            assert begins[second, by] >= begins[second, needed] + 9
    assert begins[1, 4] == begins[1, 3] + 9  # layer 10 waits for it
    assert begins[1, 5] == begins[1, 4] + 9  # and layer 13
    assert len(CYCLES_OF_MULTIPLIER) == 2 * 6 * 4


def test_the_adder_has_one_job_at_a_time() -> None:
    assert len(CYCLES_OF_ADDER) == 2 * len(ADDITIONS) == 38
    assert set(CYCLES_OF_ADDER) >= set(range(12))


def test_occupation() -> None:
    """48 of 54 cycles in the multiplier, 38 in the second adder; every stage a cycle after the one before."""
    shape = stream(ARCH.resolve(P434, {}), 6)
    units = hffm.occupation(shape)
    middle = {name: cells[1 + PAIR : 1 + 2 * PAIR] for name, cells in units.items()}
    assert {name: sum(map(bool, cells)) for name, cells in middle.items()} == {
        **dict.fromkeys(list(units)[:5], 48), "second adder": 38,
    }  # fmt: skip
    stages = list(units.values())[:5]
    for before, after in pairwise(stages):
        assert after[1:] == before[:-1]
    assert middle["small multipliers"][:5] == ["2 a1 * b1"] * 4 + ["2 a2 * b2"]
    assert middle["second adder"][:12:11] == ["0 c1@8", "1 c1"]


def test_an_addition_comes_when_its_operands_are_there() -> None:
    """A product has its low word in cycle 7 of the multiplication and its high word in cycle 8."""
    add = hffm.ADD
    for second in (0, 1):
        at = {m.x: m.begins[second] for m in MULTIPLICATIONS}
        assert max(at["a1"], at["a2"]) + 8 < add["a1b1+a2b2 low"][second] < add["a1b1+a2b2 high"][second]
        assert at["a1+a2"] > max(add["a1+a2"][second], add["b1+b2"][second])
        assert add["a1b2+a2b1 low"][second] == at["a1+a2"] + 7 > add["a1b1+a2b2 low"][second]
        assert add["a1b2+a2b1 high"][second] == at["a1+a2"] + 8 > add["a1b1+a2b2 high"][second]
        assert add["c2@5"][second] == at["r1"] + 8 < at["barrett.hi"]
        assert add["c1@7"][second] > add["c1@6"][second] > add["a1b2+a2b1 low"][second]
        assert add["c1@7+qhat"][second] > at["barrett.hi"] + 8
        assert add["rhat"][second] == at["barrett.qhat"] + 7
        names = [name for name, _ in ADDITIONS]
        order = [add[name][second] for name in names]
        assert order == sorted(order)


@pytest.mark.parametrize(("prime", "split"), UNITS)
def test_what_a_multiplication_does_in_eight_cycles(prime: str, split: int) -> None:
    """Its registers add up to the product; the bits that sheet and paper give them are enough."""
    shape = ARCH.resolve(CATALOGUE[prime].modulus, {"split": split})
    N, w, random = shape.params.N, shape.params.N // split, Random(split)
    full = (1 << N) - 1
    for x, y in [(full, full), (full, 1 << (N // 2)), *((random.getrandbits(N), random.getrandbits(N)) for _ in "12")]:
        steps = {(name, index): value for name, index, value in hffm._multiply(shape.params, x, y)}
        assert steps["low word", ()] == x * y & full
        assert steps["sum", (3,)] == x * y >> N
        for q in range(4):
            both = steps["even columns", (q,)] + steps["odd columns", (q,)]
            assert (both << 2 * w) + steps["bottom", (q,)] == steps["xy", (q,)]
            assert steps["bottom carry", (q,)] < 1 << (w + 1)
            assert steps["sum", (q,)] >> (N + (q == 2)) == 0
    assert {name for name, _ in steps} <= {name for name, _, _ in hffm.steps(shape, [[0, 0]], [[0, 0]])}


@pytest.mark.parametrize("form", ["corrected", "printed"])
@pytest.mark.parametrize("modulus", [11, 17, 35])
def test_every_product_of_a_small_modulus(modulus: int, form: str) -> None:
    """Registers hold what they hold in a machine that ends with the digits of the result."""
    shape = stream(ARCH.resolve(modulus, {"form": form}), 2)
    plan, D = ARCH.plan(shape), shape.params.D
    names = [column.name for column in plan.columns]
    operands = [Job(a, b) for a, b in pairs_of(range(modulus + 1), repeat=2)]
    seen: Counter[bool] = Counter()
    for a, b in zip(operands, reversed(operands), strict=True):
        for number, product in enumerate(ARCH.products(shape, [a, b], plan)):
            exact = product.a * product.b % modulus
            assert product.result % modulus == exact
            seen[product.result == exact] += 1
            row = hffm.places(shape)[number].start + hffm.RESULT[number]
            digits = product.table[names.index("r")][row]
            c1, c2 = (
                product.table[names.index(f"c1{number}")][row - 1],
                product.table[names.index(f"r{number}")][row - 1],
            )
            assert None not in (digits, c1, c2)
            assert digits == c1 << shape.params.N | c2
            assert c1 * D + c2 == product.result
    assert seen[True]
    assert bool(seen[False]) == (form == "printed")


def test_starts_that_are_possible() -> None:
    shape = ARCH.resolve(11, {})
    pair = Job(1, 1)

    def starts(*asked: int | None) -> list[int]:
        return [start for _, start in ARCH.placed(shape, [Job(1, 1, start) for start in asked])]

    assert starts(None, 54, None, 108) == [0, 54, 74, 108]
    assert starts(7, 27, 61) == [7, 27, 61]
    assert starts(0, 66, 86, 132) == [0, 66, 86, 132]
    for refused, possible in (((0, 19), 20), ((0, 21), 54), ((0, 20, 53), 54), ((0, 20, 60), 66), ((0, 55), 66)):
        with pytest.raises(ParameterError, match=f"takes one is {possible}$"):
            starts(*refused)
    assert [start for _, start in ARCH.placed(shape, [pair, Job(1, 1, 70), pair])] == [0, 70, 90]


def test_a_stream_with_gaps() -> None:
    """A product has the same registers whether its neighbours are there or not."""
    shape = ARCH.resolve(P434, {})
    jobs = [Job(P434 - 1, P434 - 1), Job(3, 5), Job(P434, P434 - 2)]
    alone = next(iter(ARCH.products(shape, jobs[:1], ARCH.plan(shape))))
    together = ARCH.loaded(shape, (0, 66, 86))
    plan = ARCH.plan(together)
    first, *others = ARCH.products(together, jobs, plan)
    assert [product.result for product in (first, *others)] == [1, 15, 0]
    for column, cells in zip(plan.columns, alone.table, strict=True):
        if column.name == "ready":
            continue  # says whether the second product of the pair has come
        known = [(row, cell) for row, cell in enumerate(cells) if cell is not None]
        assert bool(known) == (column.name not in ("c2l1", "c11", "r1"))
        assert [(row, first.table[plan.columns.index(column)][row]) for row, _ in known] == known


def test_batches_are_the_same() -> None:
    for modulus in (11, P434):
        shape = stream(ARCH.resolve(modulus, {}), 4)
        plan, random = ARCH.plan(shape), Random(modulus)
        jobs = [Job(random.randrange(modulus), random.randrange(modulus)) for _ in range(8)]
        products = list(ARCH.products(shape, jobs, plan))
        (batch,) = ARCH.batches(shape, jobs, plan)
        assert batch.results == [product.result for product in products]
        for at in range(2):
            assert [batch.column(k, at) for k in range(len(plan.columns))] == products[4 * at].table


@pytest.mark.parametrize(
    ("modulus", "settings", "sentence"),
    [(107, {}, "n \\+ 2 = 7 bits are enough"), (11, {"N": 8}, "no multiple of split = 6"),
     (191, {"N": 6}, "need at least 7 bits here"), (11, {"window": "half"}, "has window, and half"),
     (11, {"normalise": 0}, "0 does not go with form=corrected, which has 1"),
     (11, {"normalise": 1, "form": "printed"}, "1 does not go with form=printed, which has 0"),
     (11, {"normalise": 2}, "normalise")],
)  # fmt: skip
def test_what_the_multiplier_cannot_be(modulus: int, settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        ARCH.resolve(modulus, settings)
