# SPDX-License-Identifier: Apache-2.0
"""The part of JSON documents about code coverage: how much of a core's own RTL its simulations reached."""

from limbtrace.vectors.document import Shape, member


class CodePoints(Shape):
    """Points of one kind."""

    hit: int = member("points that some simulation reached", ge=0)
    total: int = member("all of them", ge=0)
    unreachable: int = member("those not hit that no simulation with these parameters can reach", ge=0)


class CodeKinds(Shape):
    """Points by kind; a kind that this Verilator does not count, or that is not there, is left out."""

    line: CodePoints | None = member("lines with statements", default=None)
    branch: CodePoints | None = member("ways of if, case and ?:", default=None)
    expression: CodePoints | None = member("values of the operands of conditions", default=None)
    toggle: CodePoints | None = member("bits that change, by edge where this Verilator tells them apart", default=None)


class CodeFile(CodeKinds):
    """Points of a source."""

    file: str = member("path from the folder of the core; cells/NAME for modules of limbtrace")


class CodeCoverage(Shape):
    """Code coverage of a core, merged over simulations."""

    core: str = member("name of the core")
    runs: int = member("simulations whose counts are in it", ge=0)
    uncounted: int = member("simulations that ended before Verilator wrote their counts", ge=0)
    total: CodeKinds
    files: list[CodeFile]
    notes: list[str] = member("what is not told apart, and why", default=())
