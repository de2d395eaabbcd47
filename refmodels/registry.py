# SPDX-License-Identifier: Apache-2.0
"""All papers, and by id all their models, architectures, design spaces and errata."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

from refmodels.errors import ParameterError, shown
from refmodels.paper import Catalogue, Paper
from refmodels.papers import fpmm, iddmm, llmonpro, redundant, sidh

if TYPE_CHECKING:
    from refmodels.architecture import Architecture
    from refmodels.erratum import AnyErratum
    from refmodels.model import Model
    from refmodels.space import Space

PAPERS: Mapping[str, Paper] = {
    paper.id: paper for paper in (iddmm.PAPER, fpmm.PAPER, redundant.PAPER, sidh.PAPER, llmonpro.PAPER)
}
# CIOS, which most people know, comes first where models are listed.
_CIOS_FIRST = sorted(PAPERS.values(), key=lambda paper: paper is not fpmm.PAPER)

MODELS: Catalogue["Model"] = reduce(or_, (paper.models for paper in _CIOS_FIRST))
ARCHITECTURES: Catalogue["Architecture"] = reduce(or_, (paper.architectures for paper in PAPERS.values()))
SPACES: Catalogue["Space[Any]"] = reduce(or_, (paper.spaces for paper in PAPERS.values()))
"""Cores with a choice of designs."""
RIGHT: Mapping[str, str] = {number: why for paper in PAPERS.values() for number, why in paper.right.items()}
"""Withdrawn numbers in the lists of errata: on these points a paper turned out to be right as printed."""

_Entry = TypeVar("_Entry")
_Kind = TypeVar("_Kind", bound="AnyErratum")


def paper(name: str) -> Paper:
    """The paper called `name`; raises ParameterError("paper")."""
    return _look_up(PAPERS, "paper", name)


def errata(kind: type[_Kind]) -> tuple[_Kind, ...]:
    """Every erratum of a kind, by papers."""
    return tuple(erratum for paper in PAPERS.values() for erratum in paper.errata if isinstance(erratum, kind))


def model(name: str) -> "Model":
    """The model called `name`; raises ParameterError("model")."""
    return _look_up(MODELS, "model", name)


def architecture(name: str) -> "Architecture":
    """The architecture called `name`; raises ParameterError("core")."""
    return _look_up(ARCHITECTURES, "core", name)


def space(core: str) -> "Space[Any]":
    """The design space of the core called `core`; raises ParameterError("core")."""
    if core not in SPACES:
        raise ParameterError(
            "core", f"there are no designs of {shown(core)} to choose from; there are of {', '.join(SPACES)}"
        )
    return SPACES[core]


def _look_up(entries: Mapping[str, _Entry], kind: str, name: str) -> _Entry:
    if name not in entries:
        raise ParameterError(kind, f"there is no {kind} {shown(name)}; there is {', '.join(entries)}")
    return entries[name]
