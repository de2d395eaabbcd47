# SPDX-License-Identifier: Apache-2.0
"""The least and the most cycles from start to done among the products of a run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Latencies:
    """Both numbers of cycles, each with the first case that took as many."""

    least: int
    most: int
    least_case: int
    most_case: int

    @property
    def differ(self) -> bool:
        """True if two products took different numbers of cycles."""
        return self.least != self.most

    @property
    def text(self) -> str:
        return f"{self.least} (case {self.least_case}) to {self.most} (case {self.most_case})"


def of_product(case: int, cycles: int) -> Latencies:
    """Those of one product."""
    return Latencies(cycles, cycles, case, case)


def joined(one: Latencies | None, other: Latencies | None) -> Latencies | None:
    """Those of two parts of a run, the earlier part first; None without a product in either."""
    if one is None or other is None:
        return one or other
    least = one if one.least <= other.least else other
    most = one if one.most >= other.most else other
    return Latencies(least.least, most.most, least.least_case, most.most_case)
