# SPDX-License-Identifier: Apache-2.0
"""The files of a certificate, written: the same bytes on every machine."""

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from limbtrace.refmodels.program import Program
from limbtrace.rtl_bridge.check_proof import files
from limbtrace.rtl_bridge.check_proof.check import Checked, check
from limbtrace.rtl_bridge.check_proof.clauses import Question
from limbtrace.rtl_bridge.check_proof.records import WrongError
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.elaborate import Registers
from limbtrace.rtl_bridge.proof.proof_log import WrittenLog
from limbtrace.rtl_bridge.proof.refutations import lines, refutation
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.errors import ToolError

DEPTHS = (0, 1, 2, 4)
"""How far definitions of cut values are followed, until there is a refutation."""


@dataclass(frozen=True)
class LoggedProof:
    """A proof of a core in its shell, and what it rests on."""

    shell: Shell
    design: SteppedDesign
    program: Program
    operands: dict[str, int]
    log: WrittenLog


class _Refuted:
    """Answers by the solver, as lines of a file."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[bytes, int] = {}

    def answer(self, line: int, ask: Callable[[int], Question]) -> bool:
        for depth in DEPTHS:
            clauses = ask(depth).clauses
            digest = hashlib.sha256(repr(clauses).encode()).digest()
            if digest in self._known:
                self.lines.append(f"Q {line} {depth} {self._known[digest]} 0")
                return True
            steps = refutation(clauses)
            if isinstance(steps, list):
                self._known[digest] = len(self._known)
                self.lines += [f"Q {line} {depth} {self._known[digest]} {len(steps)}", *lines(steps)]
                return True
            if not steps:
                break
        self.lines.append(f"X {line}")
        return False


def write(folder: Path, proof: LoggedProof) -> Checked:
    """Write the certificate of a proof, with refutations of what its lines leave open, and check it.

    Raises ToolError for a line that does not hold, which is an error of limbtrace.
    """
    shell = proof.shell
    registers = Registers(shell)
    digits, products = _digits(shell, len(proof.program.results)), _products(proof)
    head: dict[str, Any] = {
        "format": files.FORMAT,
        "core": shell.bound.core.file.name,
        "modulus": f"{shell.bound.multiplier.modulus.modulus:#x}",
        "operands": {name: f"{most:#x}" for name, most in proof.operands.items()},
        "registers": [n for n, each in proof.design.registers.items() if registers.in_core(each.name)],
        "digits": digits,
        "products": [] if products is None else products[0],
        "factor": None if products is None else f"{products[1]:#x}",
    }
    folder.mkdir(parents=True, exist_ok=True)
    design, log = proof.design.text, "\n".join(proof.log.lines)
    found = _Refuted()
    try:
        checked = check(files.certificate(head, design, log, ""), found.answer)
    except WrongError as error:
        raise ToolError(f"the certificate does not hold, which is an error of limbtrace: {error}") from None
    texts = design, log, "\n".join(found.lines)
    for name, text in zip((files.DESIGN, files.LOG, files.REFUTATIONS), texts, strict=True):
        (folder / name).write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / files.HEAD).write_text(json.dumps(head, indent=1) + "\n")
    return checked


def _digits(shell: Shell, results: int) -> list[list[list[int]]]:
    """(lowest bit, bits, weight) of the digits of each result in the output of the shell."""
    width = shell.product_width("result")
    if not shell.result_digits:
        return [[[number * width, width, 0]] for number in range(results)]
    size, weight = shell.digit_width, shell.result_weight
    return [
        [[number * width + place * size, size, place * weight] for place in range(len(shell.result_digits))]
        for number in range(results)
    ]


def _products(proof: LoggedProof) -> tuple[list[list[str]], int] | None:
    """The operands whose product each result is, and its factor modulo p; None if they are other values."""
    p = proof.shell.bound.multiplier.modulus.modulus
    ones = dict.fromkeys(proof.operands, 1)
    factor = proof.program.run(ones)[1][0] % p
    draws: list[dict[str, int]] = [dict(proof.operands), {name: most // 3 for name, most in proof.operands.items()}]
    for letters in ("ab", "aa", "a"):
        names = [[f"{letter}{number}" for letter in letters] for number in range(len(proof.program.results))]
        if all(name in proof.operands for each in names for name in each) and all(
            (result - factor * prod(operands[name] for name in each)) % p == 0
            for operands in draws
            for each, result in zip(names, proof.program.run(operands)[1], strict=True)
        ):
            return names, factor
    return None


def sentence(checked: Checked) -> str:
    """A line on what was written, for people."""
    counts = checked.counts
    left = f", {counts.open.total()} left open" if counts.open else ""
    return f"{counts.lines} lines, {counts.claims} claims, {counts.refuted} equalities by clauses{left}"
