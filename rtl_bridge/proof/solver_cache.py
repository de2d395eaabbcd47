# SPDX-License-Identifier: Apache-2.0
"""Questions that a solver answered with "proved" before, so that a proof that was interrupted asks only what is new."""

import hashlib
import importlib.metadata
import os
import re
from contextlib import suppress

from limbtrace.vectors import cache

SOLVER = "bitwuzla"
MOST_BYTES = 1 << 27
"""Size of the file from which on nothing more is remembered, of about a million questions."""
_DEFINED = re.compile(r"\bt\d+\b")
"""Names of terms: their numbers depend on which answers came first."""


class Remembered:
    """Digests of questions, in a file for each version of the solver; no other answers are kept.

    A digest is over the whole text of a question, so that whatever else stands in the file is the digest of no
    question: of a line that was cut off, or that two processes wrote into each other, nothing follows.
    """

    def __init__(self, *, fresh: bool = False) -> None:
        """`fresh`: know nothing, and yet keep what is proved."""
        self._version = f"{SOLVER} {importlib.metadata.version(SOLVER)}"
        self._path = cache.folder() / "proved" / f"{self._version.replace(' ', '-')}.txt"
        self._known: set[bytes] = set()
        self._full = False
        with suppress(OSError):
            self._full = self._path.stat().st_size > MOST_BYTES
            if not fresh:
                self._known = set(self._path.read_bytes().split(b"\n"))

    def digest(self, question: str) -> bytes:
        """SHA-256 over the solver's version and the text of the question, in hexadecimal.

        Terms have other names there, by the order in which they are defined. Names of variables, in bars, stay.
        """
        names: dict[str, str] = {}
        parts = question.split("|")
        parts[::2] = [_DEFINED.sub(lambda found: names.setdefault(found[0], f"t{len(names)}"), x) for x in parts[::2]]
        return hashlib.sha256(f"{self._version}\0{'|'.join(parts)}".encode()).hexdigest().encode()

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._known

    def add(self, digest: bytes) -> None:
        """Keep the digest of a question that the solver proved, at once, so that an interruption loses nothing."""
        if self._full:
            return
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # One write for each line; it begins with an end of line, as the line before may have been cut off.
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(file, b"\n" + digest + b"\n")
            finally:
                os.close(file)
