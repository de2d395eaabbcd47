# SPDX-License-Identifier: Apache-2.0
"""Digest of the subject of a proof, and the check that a kept proof is up to date."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from limbtrace.refmodels.expr import Term
from limbtrace.rtl_bridge.proof.context import program_of
from limbtrace.rtl_bridge.run.fingerprint import synthesized_contents
from limbtrace.rtl_bridge.shell.text import Shell


def digest(shell: Shell, *others: Shell) -> str:
    """SHA-256, in hexadecimal, of all that a proof is about: the sources, their description, the bench and the model.

    `others` are of the same build, for other moduli. It depends neither on places, nor on comments in core.toml and in
    the bench, nor on what the bench has for simulators only, nor on modules of other benches. Raises ParameterError
    where the model has branches.
    """
    key = _of_hardware(shell)
    for each in (shell, *others):
        key.update(_constants(each))
        for line in _model(each):
            key.update(line.encode())
    return key.hexdigest()


def hardware_digest(shell: Shell) -> str:
    """SHA-256, in hexadecimal, of the same without the model."""
    key = _of_hardware(shell)
    key.update(_constants(shell))
    return key.hexdigest()


def _of_hardware(shell: Shell) -> "hashlib._Hash":
    key = hashlib.sha256()
    for name, content in synthesized_contents(shell):
        key.update(f"{name}\0{len(content)}\0".encode() + content)
    return key


def _constants(shell: Shell) -> bytes:
    return repr(sorted((field.name, field.value) for field in shell.constants)).encode()


def is_current(shell: Shell, proof: Mapping[str, Any]) -> bool:
    """True if a document is of this core, as it is now, and of its modulus and settings."""
    bound = shell.bound
    about = {"digest": digest(shell), "multiplier": bound.head, "parameters": dict(bound.parameters)}
    return all(proof[name] == json.loads(json.dumps(value)) for name, value in about.items())


def _model(shell: Shell) -> Iterator[str]:
    """The steps of the model as terms, and which of them each watched signal shows in which cycle."""
    program = program_of(shell.bound)
    numbers: dict[int, str] = {}
    for term in program.terms:
        numbers[id(term)] = f"t{len(numbers)}"
        yield f"{term.operation} {_said(term.operands, numbers)} {term.least} {term.most}\n"
    yield from (f"{name}{index} {_said(value, numbers)}\n" for name, index, value in program.steps)
    yield f"{_said(program.results, numbers)} {program.operands}\n"
    for name, signed in shell.bound.signed.items():
        yield f"{name} signed {signed.least} {signed.most}\n"
    if (plan := shell.bound.plan) is not None:
        for watch, _ in shell.cycle_watches:
            column = watch.schedule_column
            yield f"{column} {[plan.cell(column, cycle) for cycle in range(plan.cycles)]}\n"


def _said(value: Any, numbers: Mapping[int, str]) -> str:
    """Operands of a term, in which terms are their numbers."""
    if isinstance(value, Term):
        return numbers[id(value)]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"({' '.join(_said(part, numbers) for part in value)})"
    return str(value)
