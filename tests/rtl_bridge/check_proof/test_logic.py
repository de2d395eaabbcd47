# SPDX-License-Identifier: Apache-2.0
"""Words of the checker have the values of what they were made of, and equal sums are one word."""

import random

import pytest

from limbtrace.rtl_bridge.check_proof.logic import FALSE, Logic
from tests.rtl_bridge.check_proof.values import value_of, words


@pytest.mark.parametrize("seed", range(40))
def test_words_have_the_values_of_what_they_say(seed: int) -> None:
    logic, made, values = words(seed)
    for word, value in made:
        assert value_of(logic, word, values) == value


@pytest.mark.parametrize("seed", range(10))
def test_a_node_that_is_made_again_is_the_same(seed: int) -> None:
    logic, made, values = words(seed)
    draw = random.Random(seed)
    other = {node: draw.choice((node, -node)) for node, (kind, *_) in enumerate(logic.nodes[2:], 2) if kind == "var"}
    turned = {name: values[name] ^ sum(
        1 << rest[1] for node, sign in other.items() if sign < 0 and (rest := logic.nodes[node][1:])[0] == name
    ) for name in values}  # fmt: skip
    other[1] = 1
    for node in range(2, len(logic.nodes)):
        if node not in other:
            other[node] = logic.again(node, lambda bit: other[bit] if bit > 0 else -other[-bit])
    for word, _ in made:
        again = tuple(other[bit] if bit > 0 else -other[-bit] for bit in word)
        bounded = any(most < (1 << len(bits)) - 1 for bits, most in logic.groups.values())
        assert bounded or value_of(logic, again, turned) == value_of(logic, word, values)


def test_sums_are_one_word_however_they_were_made() -> None:
    logic = Logic()
    x, y, z = (logic.variable(name, 12, 4095) for name in "xyz")
    one = logic.sum_of([(logic.sum_of([(x, 1), (y, 1)], 0, 12), 1), (z, 1)], 0, 12)
    other = logic.sum_of([(x, 1), (logic.sum_of([(z, 1), (y, 1)], 0, 20)[:12], 1)], 0, 12)
    assert one == other
    assert logic.sum_of([(one, 1), (z, -1)], 0, 9) == logic.sum_of([(x, 1), (y, 1)], 0, 9)
    assert logic.product(x, y, 24)[:9] == logic.product(y[:9], x[:9], 9)


def test_a_product_and_what_is_added_do_not_carry_out() -> None:
    logic = Logic()
    x, y, z, t = (logic.variable(name, 8, 255) for name in "xyzt")
    whole = logic.sum_of([(logic.product(x, y, 16), 1), (z, 1), (t, 1)], 0, 17)
    assert whole[16] == FALSE
    more = logic.sum_of([(logic.product(x, y, 16), 1), (z, 2), (t, 1)], 0, 17)
    assert more[16] != FALSE


def test_a_bound_is_what_makes_a_bit_0() -> None:
    logic = Logic()
    x, y = logic.variable("x", 4, 9), logic.variable("y", 4, 10)
    assert logic.sum_of([(x, 1), (x, 1)], 0, 5)[4] != FALSE
    assert logic.sum_of([(x, 1)], 6, 5)[4] == FALSE
    assert logic.sum_of([(y, 1)], 6, 5)[4] != FALSE
