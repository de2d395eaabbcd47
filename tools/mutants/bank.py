# SPDX-License-Identifier: Apache-2.0
"""The banks as they stand in `bank/`: one file for each core, and one for each option with hardware of its own."""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from limbtrace.rtl_bridge.core.core import load
from limbtrace.vectors.proof import Method
from tools.mutants.copies import Place, chooser, copy_of, declare, give, spoil, without_assertions

FOLDER = Path(__file__).parent / "bank"


class Mutant(BaseModel):
    """A fault: an expression, what it is replaced with, and why a designer would write that."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    file: str
    before: str
    """Text directly in front of the expression; both together stand once in the file."""
    good: str
    bad: str
    defect: str = Field(alias="class")
    """Class of defects."""
    why: str
    kind: Literal["operand", "environment"] = "operand"
    """True if operands show it, or only what happens around and between products."""
    equivalent: str | None = None
    """Why it is none: the argument that no result and no watched signal can differ."""
    survives: str | None = None
    """Requirements for showing it in results, if `directed` does not; measured, and said in the page."""
    proof: str | None = None
    """Why a proof at a small size says something else than a simulation at the size of the bank."""

    @property
    def place(self) -> Place:
        return Place(self.file, self.before, self.good, self.bad)


class Declaration(BaseModel):
    """Text that mutants need in a module, put behind its ports."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    text: str


class SmallSize(BaseModel):
    """The modulus at which `limbtrace prove` is run for each mutant, in seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prime: str
    settings: dict[str, str | int] = {}
    build: dict[str, int] = {}
    method: Method = "steps"
    why: str | None = None
    """Why the core without a fault is not proved there; None if it is."""


class Bank(BaseModel):
    """The mutants of a core, and the modulus and parameters that they are measured with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """That of the file: the core, or the core and one of its options."""
    core: str
    prime: str
    settings: dict[str, str | int] = {}
    build: dict[str, int] = {}
    proof: SmallSize
    declare: tuple[Declaration, ...] = ()
    mutant: tuple[Mutant, ...]

    def spoilt(self, target: Path) -> Path:
        """A copy of the core below `target` with all of its mutants, and none of them chosen. Raises PlaceError."""
        folder = copy_of(self.core, target)
        spoil(folder, [mutant.place for mutant in self.mutant], chooser(load(folder)))
        self._finish(folder)
        give(folder, fault=0)
        return folder

    def only(self, fault: Mutant | None, target: Path) -> Path:
        """A copy of the core below `target` with one of its mutants, or none, and nothing to choose."""
        folder = copy_of(self.core, target)
        spoil(folder, [] if fault is None else [fault.place], "1")
        self._finish(folder)
        return folder

    def _finish(self, folder: Path) -> None:
        declare(folder, ((item.file, item.text) for item in self.declare))
        without_assertions(folder)


def names() -> list[str]:
    """Names of all banks, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def bank(name: str) -> Bank:
    """A bank by its name."""
    return Bank.model_validate({**tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")), "name": name})
