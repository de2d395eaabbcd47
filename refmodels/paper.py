# SPDX-License-Identifier: Apache-2.0
"""The contents of a paper: models, hardware, figures and errata. Each is loaded when it is first used."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from limbtrace.refmodels.architecture import Architecture
    from limbtrace.refmodels.erratum import AnyErratum
    from limbtrace.refmodels.figures import Figures
    from limbtrace.refmodels.model import Model
    from limbtrace.refmodels.space import Space

_Entry = TypeVar("_Entry")


class Catalogue(MutableMapping[str, _Entry]):
    """Entries by id, each made by its loader when it is first asked for; ids are known before that."""

    def __init__(self, loaders: Mapping[str, Callable[[], _Entry]]) -> None:
        self._loaders = dict(loaders)
        self._loaded: dict[str, _Entry] = {}
        self._more: Callable[[], Catalogue[_Entry]] | None = None

    def with_more(self, more: "Callable[[], Catalogue[_Entry]]") -> "Catalogue[_Entry]":
        """This catalogue; `more` gives further entries once an id is not here, or when all are listed."""
        self._more = more
        return self

    def _complete(self) -> None:
        """Adds the further entries. Raises what their source raises, and then they are looked for again next time."""
        if self._more is not None:
            found = self._more()
            self._more = None
            self._loaders |= {name: partial(found.__getitem__, name) for name in found if name not in self._loaders}

    def __getitem__(self, name: str) -> _Entry:
        if name not in self._loaded:
            if name not in self._loaders:
                self._complete()
            self._loaded[name] = self._loaders[name]()
        return self._loaded[name]

    def __setitem__(self, name: str, entry: _Entry) -> None:
        self._loaded.pop(name, None)
        self._loaders[name] = lambda: entry

    def __delitem__(self, name: str) -> None:
        self._loaded.pop(name, None)
        del self._loaders[name]

    def __contains__(self, name: object) -> bool:
        if name not in self._loaders:
            self._complete()
        return name in self._loaders

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return iter(self._loaders)

    def __len__(self) -> int:
        self._complete()
        return len(self._loaders)

    def __or__(self, others: "Catalogue[_Entry]") -> "Catalogue[_Entry]":
        """The entries of both, those of this one first; nothing is loaded."""
        return Catalogue({name: partial(own.__getitem__, name) for own in (self, others) for name in own})


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper: its algorithms, the hardware it describes, its figures, and its errata.

    Modules are named without their package. Module `errata` has ERRATA, module `figures` has FIGURES.
    """

    id: str
    """Its name in requests, and the first part of the ids of its errata."""
    package: str
    """The folder of the paper."""
    algorithms: tuple[str, ...]
    """Modules with a MODEL, each called by the id of the model."""
    schedules: Mapping[str, str]
    """Modules with an ARCHITECTURE, by its id."""
    designs: Mapping[str, str] = field(default_factory=dict)
    """Modules with a SPACE, a choice of designs, by the core that can be built in many ways."""
    right: Mapping[str, str] = field(default_factory=dict)
    """Withdrawn numbers in its list of errata, with the reason why the paper is right as printed."""

    @cached_property
    def models(self) -> Catalogue["Model"]:
        return self._catalogue("MODEL", {name: name for name in self.algorithms})

    @cached_property
    def architectures(self) -> Catalogue["Architecture"]:
        return self._catalogue("ARCHITECTURE", self.schedules)

    @cached_property
    def spaces(self) -> Catalogue["Space[Any]"]:
        return self._catalogue("SPACE", self.designs)

    @cached_property
    def errata(self) -> tuple["AnyErratum", ...]:
        found: tuple[AnyErratum, ...] = self._load("errata", "ERRATA")
        return found

    @cached_property
    def figures(self) -> "Figures":
        found: Figures = self._load("figures", "FIGURES")
        return found

    def _catalogue(self, name: str, modules: Mapping[str, str]) -> Catalogue[Any]:
        return Catalogue({entry: partial(self._load, module, name) for entry, module in modules.items()})

    def _load(self, module: str, name: str) -> Any:
        return getattr(import_module(f"{self.package}.{module}"), name)
