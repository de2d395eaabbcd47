# SPDX-License-Identifier: Apache-2.0
"""The files of a certificate, read."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.check_proof.clauses import Question, refuted

FORMAT = "limbtrace-proof-certificate/1"
HEAD, DESIGN, LOG, REFUTATIONS = "certificate.json", "design.btor2.gz", "log.gz", "refutations.gz"


class NoCertificateError(Exception):
    """A folder without a certificate."""


@dataclass(frozen=True)
class Certificate:
    """The contents of a folder."""

    core: str
    modulus: int
    operands: dict[str, int]
    """Largest values."""
    registers: list[int]
    """Those of the core, by their numbers in the design; others are those of its bench."""
    products: list[list[str]]
    """The operands whose product each result is, up to a factor."""
    digits: list[list[list[int]]]
    """(lowest bit, bits, weight in bits) of the digits of each result."""
    factor: int | None
    """Of all results, modulo p; None if they are other values."""
    design: str
    log: list[str]
    refutations: list[str]

    @property
    def digest(self) -> str:
        """SHA-256 of the text of the design."""
        return hashlib.sha256(self.design.encode()).hexdigest()


def certificate(head: Any, design: str, log: str, refutations: str) -> Certificate:
    """The certificate of these texts. Raises ValueError, LookupError, TypeError, AttributeError for a wrong head."""
    if head["format"] != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    return Certificate(
        core=str(head["core"]),
        modulus=int(head["modulus"], 16),
        operands={name: int(most, 16) for name, most in head["operands"].items()},
        registers=[int(number) for number in head["registers"]],
        products=[[str(name) for name in names] for names in head["products"]],
        digits=[[[int(part) for part in digit] for digit in result] for result in head["digits"]],
        factor=None if head["factor"] is None else int(head["factor"], 16),
        design=design,
        log=log.splitlines(),
        refutations=refutations.splitlines(),
    )


def read(folder: Path) -> Certificate:
    """The certificate of a folder. Raises NoCertificateError."""
    try:
        head: Any = json.loads((folder / HEAD).read_text())
        texts = [gzip.decompress((folder / name).read_bytes()).decode() for name in (DESIGN, LOG, REFUTATIONS)]
        return certificate(head, *texts)
    except (OSError, EOFError, zlib.error) as error:
        raise NoCertificateError(f"{folder} holds no certificate: {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise NoCertificateError(f"{folder / HEAD} is damaged: {error}") from None


class Refutations:
    """Answers to questions, one after the other.

    `Q line depth number` is an answer to a question of that line; the steps of a refutation follow where its number is
    new. `X line` leaves the question open.
    """

    def __init__(self, lines: list[str]) -> None:
        self._lines: Iterator[tuple[int, str]] = iter(enumerate(lines, start=1))
        self._refuted: list[bytes] = []
        """Digest of the clauses of each refutation."""

    def answer(self, line: int, ask: Callable[[int], Question]) -> bool:
        """True if a refutation of the question holds, False if there is none. Raises ValueError for a wrong one."""
        place, text = next(self._lines, (0, ""))
        letter, *words = text.split() or [""]
        if letter not in ("Q", "X") or int(words[0]) != line:
            raise ValueError("it is another value, as far as it is known, and no refutation says otherwise")
        if letter == "X":
            return False
        depth, number = int(words[1]), int(words[2])
        clauses = ask(depth).clauses
        digest = hashlib.sha256(repr(clauses).encode()).digest()
        if number < len(self._refuted):
            if self._refuted[number] != digest:
                raise ValueError(f"line {place} of the refutations is about another question")
            return True
        steps = [self._step() for _ in range(int(words[3]))]
        if not refuted(clauses, steps):
            raise ValueError(f"the refutation in line {place} of the refutations does not hold")
        self._refuted.append(digest)
        return True

    def _step(self) -> tuple[list[int], list[int]]:
        numbers = [int(word) for word in next(self._lines, (0, ""))[1].split()]
        end = numbers.index(0)
        return numbers[:end], numbers[end + 1 :]
