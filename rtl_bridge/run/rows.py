# SPDX-License-Identifier: Apache-2.0
"""Rows of watched signals as simulators write them, and the comparison of bits that may be unknown with integers."""

import numpy as np
from numpy.typing import NDArray

from limbtrace.rtl_bridge.run.event_rows import PackedWords

_KNOWN = str.maketrans("xXzZuUwW-", "000000000")
_UNKNOWN = str.maketrans("01xXzZuUwW-", "00111111111")
_PACKED = {("0", "0"): "0", ("1", "0"): "1", ("1", "1"): "x", ("0", "1"): "z"}


class PackedRows:
    """Rows as $fwrite writes them with %z; the text of a row is made on first use.

    For every 32 bits of a row, low ones first, there is a word of values and a word that says which of them are none.
    """

    def __init__(self, data: bytes, row_width: int) -> None:
        self._words = np.frombuffer(data, dtype="<u4").reshape(-1, -(-row_width // 32), 2)
        self._octets = row_width // 8

    def __len__(self) -> int:
        """Rows."""
        return len(self._words)

    @property
    def planes(self) -> tuple[int, int]:
        """All rows as one integer, the first in the low bits: the values, and which of them are none."""
        return self._plane(0), self._plane(1) if self._words[:, :, 1].any() else 0

    @property
    def words(self) -> "tuple[PackedWords, PackedWords | None]":
        """The planes in words of 32 bits, None for the second one where all bits are known."""
        none = self._words[:, :, 1]
        return self._words[:, :, 0], none if none.any() else None

    def _plane(self, number: int) -> int:
        octets = np.ascontiguousarray(self._words[:, :, number]).view(np.uint8)
        return int.from_bytes(octets[:, : self._octets].tobytes(), "little")

    def __str__(self) -> str:
        width = 8 * self._octets * len(self)
        values, none = (f"{plane:0{width}b}"[:width] for plane in self.planes)
        return "".join(map(_PACKED.__getitem__, zip(values, none, strict=True)))


class KnownRows:
    """Rows whose bits are all known: one integer each, and its text on first use.

    `words` has shape (rows, 64-bit words of a row), low word first.
    """

    def __init__(self, words: NDArray[np.uint64], row_width: int) -> None:
        self._words, self._octets = words, row_width // 8

    def __len__(self) -> int:
        """Rows."""
        return len(self._words)

    @property
    def planes(self) -> tuple[int, int]:
        """As those of PackedRows."""
        octets = np.ascontiguousarray(self._words, dtype="<u8").view(np.uint8)[:, : self._octets]
        return int.from_bytes(octets.tobytes(), "little"), 0

    @property
    def words(self) -> "tuple[PackedWords, PackedWords | None]":
        """As those of PackedRows."""
        return np.ascontiguousarray(self._words, dtype="<u8").view("<u4")[:, : -(-8 * self._octets // 32)], None

    def __str__(self) -> str:
        width = 8 * self._octets * len(self)
        return f"{self.planes[0]:0{width}b}" if width else ""


def known_bits(bits: str) -> str:
    """A text with 0 in place of unknown bits."""
    return bits.translate(_KNOWN)


def _planes(bits: str) -> tuple[int, int]:
    """The values of a text, and which of them are none."""
    try:
        return int(bits, 2), 0
    except ValueError:
        return int(known_bits(bits), 2), int(bits.translate(_UNKNOWN), 2)


def matches(bits: str | PackedRows | KnownRows, value: int, mask: int | None = None) -> bool:
    """True if all bits under the mask are known and those of `value`; False without bits."""
    if not bits:
        return False
    known, unknown = _planes(bits) if isinstance(bits, str) else bits.planes
    if mask is not None:
        known, unknown = known & mask, unknown & mask
    return known == value and unknown == 0


def lowest_difference(bits: str, value: int) -> int:
    """Number of the lowest bit that is unknown or not that of `value`; 0 if there are none."""
    return next((k for k, bit in enumerate(reversed(bits)) if bit != str(value >> k & 1)), 0)
