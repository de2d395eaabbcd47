# SPDX-License-Identifier: Apache-2.0
"""Progress of long work, on standard error: one line that is overwritten, or separate lines if not on a terminal."""

import sys
import time
from types import TracebackType


class Progress:
    """`with Progress("cases", total) as progress: progress.advance(n)`; work shorter than a second shows nothing."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.done = what, total, 0
        self._terminal = sys.stderr.isatty()
        self._start = time.monotonic()
        self._next = self._start + 1.0
        self._shown = False

    def __enter__(self) -> "Progress":
        return self

    def advance(self, count: int = 1) -> None:
        """`count` more are done."""
        self.done += count
        now = time.monotonic()
        if now >= self._next:
            self._next = now + (0.2 if self._terminal else 5.0)
            self._show(now)

    def _show(self, now: float) -> None:
        rate = self.done / max(now - self._start, 1e-9)
        line = f"{self.what}: {self.done} of {self.total} ({100 * self.done // max(self.total, 1)} %, {rate:.0f}/s)"
        sys.stderr.write(f"\r{line:<70}" if self._terminal else f"{line}\n")
        sys.stderr.flush()
        self._shown = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._shown and self._terminal:
            self._show(time.monotonic())
            sys.stderr.write("\n")
