# SPDX-License-Identifier: Apache-2.0
"""Bits of signals in words: neighbours of one signal are a range."""

import re
from collections.abc import Iterator, Sequence

_BIT = re.compile(r"(.*)\[(-?\d+)\]((?::.*)?)")


def joined(bits: Sequence[str]) -> Iterator[str]:
    """Names such as a[3] and a[4], perhaps with an edge behind them, as a[4:3]; the others as they are."""
    indices: dict[tuple[str, str], list[int]] = {}
    for name in dict.fromkeys(bits):
        found = _BIT.fullmatch(name)
        if found is None:
            yield name.replace(":", " ", 1)
        else:
            indices.setdefault((found[1], found[3]), []).append(int(found[2]))
    for (signal, edge), own in indices.items():
        for first, last in _ranges(sorted(own)):
            index = f"{first}" if first == last else f"{last}:{first}"
            yield f"{signal}[{index}]{edge.replace(':', ' ', 1)}"


def _ranges(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(first, last) of each run of successive numbers."""
    first = last = numbers[0]
    for number in numbers[1:]:
        if number != last + 1:
            yield first, last
            first = number
        last = number
    yield first, last
