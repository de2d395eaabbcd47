# SPDX-License-Identifier: Apache-2.0
"""Random words of the checker, with their values by Python's integers."""

import random
from collections.abc import Mapping

from limbtrace.rtl_bridge.check_proof.logic import BitWord, Logic, constant


def value_of(logic: Logic, word: BitWord, values: Mapping[str, int]) -> int:
    """The value of a word, bit by bit from what its nodes say, for values of the variables."""
    known: dict[int, int] = {}

    def bit(literal: int) -> int:
        node = abs(literal)
        if node not in known:
            known[node] = made(*logic.nodes[node])
        return known[node] if literal > 0 else 1 - known[node]

    def whole(bits: BitWord) -> int:
        return sum(bit(each) << k for k, each in enumerate(bits))

    def made(kind: str, *rest: object) -> int:
        match kind, rest:
            case "true", _:
                return 1
            case "var", (str(name), int(k)):
                return values[name] >> k & 1
            case "and", (frozenset() as bits,):
                return int(all(map(bit, bits)))
            case "ite", (int(c), int(x), int(y)):
                return bit(x) if bit(c) else bit(y)
            case "sum", (int(k), int(plus), tuple(terms)):
                return plus + sum(int(factor) * bit(each) for each, factor in terms) >> k & 1
            case _, (int(k), tuple(one), tuple(other)):
                x, y = whole(one), whole(other)
                quotient, rest_of = (x // y, x % y) if y else (-1, x)
                return {"mul": x * y, "div": quotient, "rem": rest_of}[kind] >> k & 1
        raise AssertionError(kind)

    return whole(word)


def words(seed: int, count: int = 40, widest: int = 9) -> tuple[Logic, list[tuple[BitWord, int]], dict[str, int]]:
    """Words with their values, and the values of the variables, which may have bounds."""
    draw, logic = random.Random(seed), Logic()
    values: dict[str, int] = {}
    made: list[tuple[BitWord, int]] = []
    for name in "abcd":
        width = draw.randint(1, widest)
        most = draw.choice(((1 << width) - 1, draw.randint(1, (1 << width) - 1)))
        values[name] = draw.randint(0, most)
        made.append((logic.variable(name, width, most), values[name]))
    made += [(constant(number, 4), number) for number in (0, 5)]
    for _ in range(count):
        (x, a), (y, b) = draw.choice(made), draw.choice(made)
        width, plus = draw.randint(1, widest + 4), draw.randint(-20, 20)
        one, other = ((word + constant(0, width))[:width] for word in (x, y))
        full = (1 << width) - 1
        f, g = draw.randint(-9, 9), draw.randint(-9, 9)
        size = max(len(x), len(y))
        pair = (x + constant(0, size))[:size], (y + constant(0, size))[:size]
        word, value = draw.choice([
            (logic.sum_of([(x, 1), (y, 1)], 0, width), a + b),
            (logic.sum_of([(x, 1), (y, -1)], 0, width), a - b),
            (logic.sum_of([(x, f), (y, g)], plus, width), a * f + b * g + plus),
            (logic.product(x, y, width), a * b),
            (tuple(map(logic.both, one, other)), a & b),
            (tuple(map(logic.either, one, other)), (a | b) & full),
            (tuple(map(logic.unlike, one, other)), a ^ b),
            (logic.choices(x[0], one, other), a if a & 1 else b),
            ((logic.same(*pair),), int(a == b)),
            ((logic.less(x, y),), int(a < b)),
            (logic.division(*pair, rest=False), a // b if b else -1),
            (logic.division(*pair, rest=True), a % b if b else a),
            (tuple(-bit for bit in x), ~a),
            (x[len(x) // 2 :], a >> len(x) // 2),
            ((x + y)[:16], a | b << len(x)),
        ])  # fmt: skip
        made.append((word, value & (1 << len(word)) - 1))
    return logic, made, values
