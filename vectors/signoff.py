# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a sign-off: what is covered, what is not, and why."""

from typing import Literal

from limbtrace.vectors.code_coverage import CodeCoverage
from limbtrace.vectors.document import Document, MultiplierShape, Shape, member

Status = Literal[
    "passed",
    "differs",
    "tool failed",
    "timed out",
    "open",
    "denied by contract",
    "does not apply",
    "tool missing",
    "left out",
]


class SignoffEntry(Shape):
    """Something that the core was tried with, or was not."""

    group: str = member("simulator, operands, mode, disturbance, modulus, size, netlist, proof or code coverage")
    name: str
    status: Status = member("passed, or why it does not count as covered")
    reason: str = member("a sentence about it; empty if it passed", default="")
    products: int = member("products that agree", ge=0)
    detail: str = member("more of its result", default="")


class SignoffDocument(Document):
    """A sign-off of a core at one modulus."""

    core: str = member("name of the core")
    multiplier: MultiplierShape
    parameters: dict[str, int] = member("RTL parameters")
    verdict: Literal["agrees", "differs", "failed"] = member("agrees: nothing that ran differs, and no tool failed")
    covered: int = member("entries that passed", ge=0)
    items: list[SignoffEntry]
    not_tried: list[str] = member("what no simulation at this modulus tried")
    differences: list[str] = member("a sentence and a replay for each kind of difference")
    code_coverage: CodeCoverage | None = member(default=None)
