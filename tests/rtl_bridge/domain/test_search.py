# SPDX-License-Identifier: Apache-2.0
"""The search, on functions in place of cores: the condition, its border and the smallest wrong modulus come out."""

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.domain.result import Domain
from limbtrace.rtl_bridge.domain.search import HARDER, Search

Shows = Callable[[int, int], bool]
"""(modulus, how hard it is tried) -> a product is wrong."""


class Functions:
    """In place of Trials: a function says at which moduli a product is wrong."""

    def __init__(
        self, shows: Shows, bits: int, builds: int = 0, *, permitted: Callable[[int], bool] | None = None
    ) -> None:
        self.outcomes: dict[int, Any] = {}
        self.built, self.builds, self.simulated = 0, builds, 0
        self.carries = True
        self.permitted = permitted or (lambda p: True)
        self._shows, self._bits, self._hard = shows, bits, dict[int, int]()
        modulus = SimpleNamespace(modulus=(1 << bits) - 1, bits=bits)
        multiplier = SimpleNamespace(modulus=modulus, params=SimpleNamespace(radix_bits=None))
        file = SimpleNamespace(name="function", modulus=())
        bound = SimpleNamespace(multiplier=multiplier, limbs=[], core=SimpleNamespace(file=file))
        self.first = SimpleNamespace(bound=bound, job=SimpleNamespace(simulator="verilator"))

    def takes(self, p: int) -> bool:
        return 2 <= p < 1 << self._bits and (not self.builds or p in self.outcomes or self.built < self.builds)

    def shares_build(self, p: int) -> bool:
        return self.takes(p) and not self.builds

    def has(self, p: int) -> bool:
        return 2 <= p < 1 << self._bits and self.permitted(p)

    def pairs(self, p: int) -> int:
        return p * p

    @property
    def right(self) -> list[int]:
        return sorted(p for p, outcome in self.outcomes.items() if outcome.right)

    @property
    def wrong(self) -> list[int]:
        return sorted(p for p, outcome in self.outcomes.items() if not outcome.right)

    def try_all(self, some: Iterable[int], *, harder: int = 1, every: bool = False) -> None:
        for p in dict.fromkeys(some):
            assert self.permitted(p)
            if not self.takes(p):
                continue
            self.built += bool(self.builds) and p not in self.outcomes
            self._hard[p] = max(self._hard.get(p, 0), 1 << 20 if every else harder)
            right = not self._shows(p, self._hard[p])
            self.outcomes[p] = SimpleNamespace(modulus=p, right=right, products=32 * self._hard[p], exhausted=every)


def searched(faulty: Callable[[int], bool] | Shows, bits: int, builds: int = 0, **others: Any) -> Search:
    """A search where each wrong modulus shows at once, or as a function of two arguments says."""
    given: Any = faulty
    shows = given if given.__code__.co_argcount == 2 else lambda p, _: given(p)
    trials: Any = Functions(shows, bits, builds, **others)
    search = Search(trials, 400, 1)
    search.run()
    return search


@pytest.mark.parametrize(
    ("faulty", "bits", "texts", "smallest"),
    [
        (lambda p: p >= (1 << 32) - 977, 32, ["p < 2^32 - 977"], (1 << 32) - 977),
        (lambda p: 3 * p > 2 << 64, 64, ["p < 0xaaaaaaaaaaaaaaab"], (2 << 64) // 3 + 1),
        (lambda p: p >> 52 > 0, 64, ["N <= 52"], 1 << 52),
        (lambda p: p % 2 == 0, 64, ["odd"], 2),
        (lambda p: p < 1 << 24, 64, ["N > 24"], 2),
        (lambda p: p >> 64 & (1 << 64) - 1 == 0, 256, ["(p >> 64) % 2^64 != 0"], 2),
        (lambda p: p >> 64 & 1 == 0, 255, ["(p >> 64) % 2 == 1"], 2),
        (lambda p: p >> 200 & 1 == 1, 255, ["(p >> 200) % 2 == 0"], 1 << 200),
        (lambda p: p >= (1 << 255) - 19, 255, ["p < 2^255 - 19"], (1 << 255) - 19),
        (lambda p: p % (1 << 32) == (1 << 32) - 1, 64, ["p % 2^32 != 2^32 - 1"], (1 << 32) - 1),
        (lambda p: p % 2 == 0 or p >> 60 > 0, 64, ["N <= 60", "odd"], 2),
    ],
)
def test_conditions_come_out(faulty: Callable[[int], bool], bits: int, texts: list[str], smallest: int) -> None:
    search = searched(faulty, bits)
    assert search.condition is not None
    assert sorted(search.condition.texts) == texts
    assert search.left_out == []
    assert search.trials.wrong[0] == smallest
    fulfilling, others, wrong = search.refuting
    assert fulfilling > 5
    assert others == wrong > 5
    assert all(border.adjacent for _, border in search.bounds)


def test_a_border_is_between_two_neighbours() -> None:
    search = searched(lambda p: p > 0xF123456789ABCDEF, 64)
    (_, border), *_ = search.bounds
    assert (border.right, border.wrong, border.adjacent) == (0xF123456789ABCDEF, 0xF123456789ABCDF0, True)
    odd = searched(lambda p: p > 0xF123456789ABCDEF, 64, permitted=lambda p: p % 2 == 1)
    (_, border), *_ = odd.bounds
    assert (border.right, border.wrong, border.adjacent) == (0xF123456789ABCDEF, 0xF123456789ABCDF1, True)


def test_a_border_between_moduli_of_which_few_were_looked_at() -> None:
    """Of moduli that are far apart, one in between may be missed, so nothing is said of these."""
    sparse = searched(lambda p: p >= 3 << 61, 64, permitted=lambda p: p >> 20 == 0 or (p + 1) % (1 << 40) == 0)
    (_, border), *_ = sparse.bounds
    assert border.right < 3 << 61 <= border.wrong
    assert not border.adjacent


def rare(p: int, harder: int) -> bool:
    """Wrong from 2^63 on, where a quarter of the moduli shows it at once, and others if they are tried harder."""
    return p >> 63 > 0 and (p * 0x9E3779B97F4A7C15 >> 60) % 16 < 4 * min(harder, 3)


def test_wrong_products_that_are_rare_near_the_border() -> None:
    """Moduli above the border that show no wrong product do not count against the bound."""
    search = searched(rare, 64)
    assert search.condition is not None
    assert search.condition.texts == ["N <= 63"]
    assert search.trials.wrong[0] >> 63 == 1
    assert len(search.left_out) > 10
    assert all(p >> 63 for p in search.left_out)
    assert Domain(search).suggested == 'modulus = ["N <= 63"]'
    assert Domain(search).verdict == "sufficient"


def test_a_margin_where_a_bound_leaves_right_moduli_out() -> None:
    search = searched(lambda p, harder: p >= 5 << 61 and rare(p, harder), 64)
    assert search.condition is not None
    assert search.left_out
    assert Domain(search).margin == ["N <= 63"]
    assert Domain(search).suggested == 'modulus = ["N <= 63"]'


def test_two_conditions_of_which_each_is_enough() -> None:
    search = searched(lambda p: p >> 63 > 0 and p % 2 == 0, 64)
    assert search.condition is not None
    assert {search.condition.text, *(other.text for other in search.others)} == {"odd", "N <= 63"}
    assert search.left_out == []


def test_no_condition_is_said_where_there_is_none() -> None:
    search = searched(lambda p: p.bit_count() % 2 == 1, 24)
    assert search.condition is None
    assert search.others == []
    assert Domain(search).verdict == "no condition"
    assert Domain(search).suggested == ""


def test_a_core_that_is_right() -> None:
    search = searched(lambda p: False, 64)
    assert search.trials.wrong == []
    assert len(search.trials.right) > 150
    assert search.condition is None
    assert Domain(search).verdict == "right"


def test_every_modulus_of_a_small_core_is_tried_with_all_operands() -> None:
    search = searched(lambda p, harder: p > 35 and harder > 1000, 6)
    assert search.every
    assert {*search.trials.outcomes} == {*range(2, 64)}
    assert search.condition is not None
    assert search.condition.text == "p < 36"
    assert search.smallest_is_known
    assert Domain(search).verdict == "separated"


def test_where_each_modulus_takes_a_build_few_are_tried() -> None:
    search = searched(lambda p: p >= 3_000_000, 31, builds=24)
    assert search.trials.built == 24
    (_, border), *_ = search.bounds
    assert border.right < 3_000_000 <= border.wrong < 2 * border.right
    assert not border.adjacent


def test_the_smallest_one_is_known_if_all_below_were_tried_with_all_operands() -> None:
    search = searched(lambda p, harder: p >= 100 or (p >= 37 and harder > 1000), 64)
    assert search.trials.wrong[0] == 37
    assert search.smallest_is_known
    assert not searched(lambda p: p > 1 << 40, 64).smallest_is_known


def test_the_smallest_one_is_not_known_if_builds_are_missing() -> None:
    search = searched(lambda p: p >= 100, 31, builds=24)
    assert search.trials.wrong[0] < 256
    assert not search.smallest_is_known


def test_a_core_without_a_modulus_is_refused() -> None:
    trials: Any = Functions(lambda *_: False, 8)
    trials.carries = False
    with pytest.raises(ParameterError, match="no modulus was found"):
        Search(trials, 100, 1).run()


def test_the_last_right_modulus_before_a_border_is_tried_harder() -> None:
    """Ten moduli below the bound show a wrong product after many others alone."""
    bound = 0xF123456789
    search = searched(lambda p, harder: p >= bound or (p >= bound - 10 and harder >= 2 * HARDER), 40)
    (_, border), *_ = search.bounds
    assert (border.right, border.wrong) == (bound - 11, bound - 10)
