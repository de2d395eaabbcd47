# SPDX-License-Identifier: Apache-2.0
"""All papers, and by id all their models, architectures, design spaces and errata."""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.paper import Catalogue, Paper
from limbtrace.refmodels.papers import (
    barrett,
    blakley,
    butterfly,
    fold,
    fpmm,
    iddmm,
    koc,
    llmonpro,
    redundant,
    sidh,
    textbook,
)

if TYPE_CHECKING:
    from limbtrace.refmodels.architecture import Architecture
    from limbtrace.refmodels.erratum import AnyErratum
    from limbtrace.refmodels.model import Model
    from limbtrace.refmodels.space import Space

PAPERS: Mapping[str, Paper] = {
    paper.id: paper for paper in (iddmm.PAPER, fpmm.PAPER, redundant.PAPER, sidh.PAPER, llmonpro.PAPER)
}
# CIOS, which most people know, comes first where models are listed.
_CIOS_FIRST = sorted(PAPERS.values(), key=lambda paper: paper is not fpmm.PAPER)
NAMED, LONGEST = 8, 64
"""Names that an error lists of a longer list, those most like the wrong one; so many characters of it are read."""
FAMILIES = (koc.PAPER, barrett.PAPER, blakley.PAPER, fold.PAPER, textbook.PAPER, butterfly.PAPER)
"""Models of a paper whose text we do not have, of an algorithm of many papers, and of what a multiplier promises: they
have no figures and no errata here."""

GROUP = "limbtrace.papers"
"""Entry point group of installed packages that provide a Paper, with models and architectures of their own."""


@cache
def installed() -> tuple[Paper, ...]:
    """Papers of other packages, sorted by their entry points.

    Raises ParameterError("paper") if one cannot be loaded, or has an id that is already taken.
    """
    from importlib.metadata import entry_points  # slow, and what is built in does not need it

    found: list[Paper] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            paper = entry.load()
            if not isinstance(paper, Paper):
                raise TypeError("it is no Paper")
            for known in (*PAPERS.values(), *FAMILIES, *found):
                own = {*paper.algorithms, *paper.schedules, paper.id}
                taken = own & {*known.algorithms, *known.schedules, known.id}
                if taken:
                    raise ValueError(f"paper {known.id} has {min(taken)} already")
        except Exception as error:  # from another package's code
            said = f"the paper {entry.name}, installed as {entry.value}, cannot be used: {error}"
            raise ParameterError("paper", said) from error
        found.append(paper)
    return tuple(found)


def _all(own: Iterable[Catalogue[Any]], kind: str) -> Catalogue[Any]:
    """Our entries of a kind, and those of other packages."""
    return reduce(or_, own).with_more(
        lambda: reduce(or_, (getattr(paper, kind) for paper in installed()), Catalogue({}))
    )


MODELS: Catalogue["Model"] = _all((paper.models for paper in (*_CIOS_FIRST, *FAMILIES)), "models")
ARCHITECTURES: Catalogue["Architecture"] = _all(
    (paper.architectures for paper in (*PAPERS.values(), *FAMILIES)), "architectures"
)
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
        known, more = [*entries], ""
        if len(known) > NAMED:
            known.sort(key=lambda entry: -SequenceMatcher(None, str(name)[:LONGEST], entry).ratio())
            more = f" and {len(known) - NAMED} more, which limbtrace {kind}s lists"
        raise ParameterError(kind, f"there is no {kind} {shown(name)}; there is {', '.join(known[:NAMED])}{more}")
    return entries[name]
