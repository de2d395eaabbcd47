# SPDX-License-Identifier: Apache-2.0
"""Waveforms of Icarus Verilog: the signals in the shell of a core, clock cycle by clock cycle."""

from collections.abc import Iterator
from pathlib import Path

from limbtrace.rtl_bridge.proof.known_bits import KnownBits, unknown
from limbtrace.vectors.errors import ToolError

_CLOCK = "clk_i"
_VALUES, _UNKNOWN = str.maketrans("xz", "00"), str.maketrans("1xz", "011")


class ShellWave:
    """The signals of a shell by their names below it.

    A reader of any VCD file takes several times as long as this one, which relies on a line for each change.
    """

    def __init__(self, vcd: Path, shell: str) -> None:
        """`shell`: its path in the waveform. Raises ToolError without a waveform."""
        if not vcd.is_file():
            raise ToolError("the simulation wrote no waveform")
        self._vcd, self._prefix = vcd, f"{shell}."
        self._codes: dict[str, str] = {}
        self._widths: dict[str, int] = {}
        self._values: dict[str, KnownBits] = {}

    def has(self, name: str, width: int) -> bool:
        """True if there is a signal of that name and width; known in the first cycle."""
        return self._widths.get(self._codes.get(name, "")) == width

    def value(self, name: str) -> KnownBits:
        """The value of a signal in the cycle at hand."""
        code = self._codes[name]
        return self._values.get(code) or unknown(self._widths[code])

    def cycles(self) -> Iterator[None]:
        """All cycles, each as it is right before the edge that ends it, up to where the file ends or was cut off."""
        changes: dict[str, KnownBits] = {}
        scopes: list[str] = []
        with self._vcd.open(encoding="utf-8", errors="replace") as stream:
            for line in stream:
                words = line.split()
                if not words or not line.endswith("\n"):
                    continue
                if line[0] == "#":
                    clock = self._codes.get(_CLOCK, "")
                    if self._values.get(clock) == (0, 0) and changes.get(clock) == (1, 0):
                        yield
                    self._values |= changes
                    changes = {}
                elif line[0] == "b":
                    changes[words[1]] = self._read(words[0][1:], words[1])
                elif line[0] in "01xz":
                    changes[line[1:-1]] = self._read(line[0], line[1:-1])
                elif words[0] == "$scope":
                    scopes.append(words[2])
                elif words[0] == "$upscope":
                    scopes.pop()
                elif words[0] == "$var":
                    self._declare(".".join([*scopes, words[4]]), words[3], int(words[2]))

    def _declare(self, path: str, code: str, width: int) -> None:
        self._widths[code] = width
        if path.startswith(self._prefix):
            self._codes[path.removeprefix(self._prefix)] = code

    def _read(self, text: str, code: str) -> KnownBits:
        """A value, most significant bit first; missing bits in front are 0, or x and z as the first one is."""
        if text.isdecimal():
            return KnownBits(int(text, 2), 0)
        text = text.rjust(self._widths[code], "0" if text[0] == "1" else text[0])
        return KnownBits(int(text.translate(_VALUES), 2), int(text.translate(_UNKNOWN), 2))
