# SPDX-License-Identifier: Apache-2.0
"""Waveforms for viewers: FST from VCD, and GTKWave save files that show the relevant signals."""

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from pylibfst import ffi, lib
from vcd.gtkw import GTKWSave
from vcd.reader import TokenKind, VarDecl, tokenize

from limbtrace.vectors.encoding import FORMAT

SCRATCH = Path("/tmp")
"""The folder of libfst's temporary files, which does not depend on TMPDIR."""
_SECONDS = {unit: Fraction(1, 1000**k) for k, unit in enumerate(("s", "ms", "us", "ns", "ps", "fs"))}
MARGIN = 1 << 16
"""Additional bytes of a waveform and of its temporary data, beyond its signals and values in VCD."""


class WaveSignal(NamedTuple):
    """A signal of a waveform: `path` with dots, top scope first; `width` in bits."""

    path: str
    width: int

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def ranged(self) -> str:
        """The path as GTKWave writes it, with the range of a vector."""
        return f"{self.path}[{self.width - 1}:0]" if self.width > 1 else self.path


def write_fst(vcd: Path, target: Path) -> None:
    """The waveform of a VCD file as FST; the same VCD gives the same bytes. Raises OSError."""
    _check_room(vcd.stat().st_size + MARGIN, target.parent, SCRATCH)
    writer = lib.fstWriterCreate(str(target).encode(), 1)
    if writer == ffi.NULL:
        raise OSError(None, "the waveform cannot be written", str(target))
    try:
        lib.fstWriterSetDate(writer, b"")
        lib.fstWriterSetVersion(writer, FORMAT.encode())
        _copy(vcd, writer)
    finally:
        lib.fstWriterClose(writer)


def _check_room(size: int, *folders: Path) -> None:
    """Raises OSError unless each folder has room for `size` bytes: libfst would fail silently or crash."""
    with ExitStack() as stack:
        for folder in folders:
            os.posix_fallocate(stack.enter_context(TemporaryFile(dir=folder)).fileno(), 0, size)


def _copy(vcd: Path, writer: Any) -> None:
    handles: dict[str, tuple[int, int]] = {}  # of an identifier code: handle and width
    time: int | None = None

    def go_to(now: int) -> None:
        nonlocal time
        if now != time:
            lib.fstWriterEmitTimeChange(writer, now)
            time = now

    def change(code: str, value: int | str) -> None:
        if time is None:  # Icarus Verilog 12 gives parameters their values before the first time
            go_to(0)
        handle, width = handles[code]
        lib.fstWriterEmitValueChange(writer, handle, _bits(value, width).encode())

    with vcd.open("rb") as stream:
        for token in tokenize(stream):
            if token.kind is TokenKind.TIMESCALE:
                lib.fstWriterSetTimescaleFromString(writer, str(token.timescale).encode())
            elif token.kind is TokenKind.SCOPE:
                lib.fstWriterSetScope(writer, lib.FST_ST_VCD_MODULE, token.scope.ident.encode(), ffi.NULL)
            elif token.kind is TokenKind.UPSCOPE:
                lib.fstWriterSetUpscope(writer)
            elif token.kind is TokenKind.VAR:
                _declare(writer, token.var, handles)
            elif token.kind is TokenKind.CHANGE_TIME:
                go_to(token.time_change)
            elif token.kind is TokenKind.CHANGE_SCALAR:
                change(token.scalar_change.id_code, token.scalar_change.value)
            elif token.kind is TokenKind.CHANGE_VECTOR:
                change(token.vector_change.id_code, token.vector_change.value)


def _declare(writer: Any, var: VarDecl, handles: dict[str, tuple[int, int]]) -> None:
    known, _ = handles.get(var.id_code, (0, 0))
    name = f"{var.reference} [{var.size - 1}:0]" if var.size > 1 else var.reference
    handle = lib.fstWriterCreateVar(writer, lib.FST_VT_VCD_WIRE, lib.FST_VD_IMPLICIT, var.size, name.encode(), known)
    handles[var.id_code] = (known or handle, var.size)


def _bits(value: int | str, width: int) -> str:
    """A VCD value in full width: missing digits are 0, or x or z if the highest digit is x or z."""
    if isinstance(value, int):
        return f"{value:0{width}b}"
    return value.rjust(width, value[0] if value[0] in "xz" else "0")


def signals(vcd: Path) -> Iterator[WaveSignal]:
    """Every signal that a VCD file declares, in the order of the file."""
    scopes: list[str] = []
    with vcd.open("rb") as stream:
        for token in tokenize(stream):
            if token.kind is TokenKind.SCOPE:
                scopes.append(token.scope.ident)
            elif token.kind is TokenKind.UPSCOPE:
                scopes.pop()
            elif token.kind is TokenKind.VAR:
                yield WaveSignal(".".join([*scopes, token.var.reference]), token.var.size)
            elif token.kind is TokenKind.ENDDEFINITIONS:
                return


def named(vcd: Path, names: Sequence[str]) -> list[WaveSignal]:
    """The signals with these names, in this order, each once; unknown names are left out."""
    declared = list(signals(vcd))
    shown = {path: declared[at] for path, at in resolved([signal.path for signal in declared], names).values()}
    return list(shown.values())


def resolved(paths: Iterable[str], names: Iterable[str]) -> dict[str, tuple[str, int]]:
    """(path, its number) of each signal that is named, by name in the order of `names`; unknown names are left out.

    A name may be preceded by scopes, as in `u_core.u_mul.acc_q`. If it occurs more than once, the signal nearest to the
    top is taken. An element of an array, such as `acc_q[3]`, may be there as part of the whole.
    """
    names = list(names)
    ends: dict[str, list[str]] = {}
    for end in dict.fromkeys(known for name in names for known in (name, whole(name))):
        ends.setdefault(end.rpartition(".")[2], []).append(end)
    found: dict[str, tuple[int, int, str]] = {}
    for at, path in enumerate(paths):
        for end in ends.get(path.rpartition(".")[2], ()):
            if path == end or path.endswith(f".{end}"):
                place = (path.count("."), at, path)
                found[end] = min(found.get(end, place), place)
    hits = {name: found.get(name) or found.get(whole(name)) for name in names}
    return {name: (hit[2], hit[1]) for name, hit in hits.items() if hit is not None}


def whole(name: str) -> str:
    """The name of the array for one of its elements, and any other name as it is."""
    return re.sub(r"\[[0-9]+\]$", "", name)


def nanosecond(vcd: Path) -> Fraction:
    """Units of time of a VCD file in a nanosecond."""
    with vcd.open("rb") as stream:
        for token in tokenize(stream):
            if token.kind is TokenKind.TIMESCALE:
                scale = token.timescale
                return Fraction(_SECONDS["ns"], int(scale.magnitude) * _SECONDS[scale.unit.value])
    return Fraction(1)


Groups = Sequence[tuple[str, Sequence[WaveSignal]]]
"""Signals under titles; an empty title is not shown."""


def save_file(groups: Groups, dump: str | None = None, marker: int | None = None) -> bytes:
    """A GTKWave save file that shows each signal once, in hexadecimal, with a marker at that time.

    `dump` is the waveform's file, if known. Times are in units of the waveform.
    """
    shown = {signal.path: signal for _, signals in groups for signal in signals}
    left = dict(shown)
    text = io.StringIO()
    save = GTKWSave(text)
    save.comment(FORMAT)
    if dump is not None:
        save.dumpfile(dump, abspath=False)
    if marker is not None:
        save.zoom_markers(marker=marker, a=marker)
    for scope in sorted({signal.path.rpartition(".")[0] for signal in shown.values()}):
        save.treeopen(scope)
    for title, signals in groups:
        own = [left.pop(signal.path) for signal in signals if signal.path in left]
        if own and title:
            save.blank(title)
        for signal in own:
            save.trace(signal.ranged, datafmt="hex" if signal.width > 1 else "bin")
    return text.getvalue().encode()
