# SPDX-License-Identifier: Apache-2.0
"""A plan: a TOML file with matrices of simulations, and when it is enough.

Every axis of a matrix is a value or a list of values; each combination is a cell.
"""

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Discriminator, Field, Tag, ValidationError, field_validator, model_validator

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer, parse_power_of_two
from limbtrace.refmodels.settings import MAX_WIDTH
from limbtrace.rtl_bridge.core.core import supplied
from limbtrace.rtl_bridge.description.table import Table
from limbtrace.rtl_bridge.description.toml_file import read
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.directed import permitted
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.job import MODES, Job
from limbtrace.rtl_bridge.run.simulators import SIMULATORS
from limbtrace.vectors.catalogue.moduli import DEFAULT_COUNT, DEFAULT_RADIX
from limbtrace.vectors.catalogue.moduli import MOST as MOST_MODULI
from limbtrace.vectors.request import DEFAULT_KIND, MAX_SEED

MOST_CELLS = 100_000
"""Most combinations of a plan."""
MOST_BITS = 16
"""Widest moduli of a size all of which may be asked for."""
MOST_HOURS = 1_000_000
"""Longest campaign."""
NONE = "none"
"""The disturbance that is none."""


def _several(value: Any) -> Any:
    """A value, or a list of them."""
    return value if isinstance(value, list) else [value]


def _integer(value: Any) -> int:
    """An integer or an expression such as 10^6. Raises ValueError."""
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise ValueError(f"is {shown(value)}, and is written as an integer or an expression such as '10^6'")
    try:
        return parse_integer(value)
    except ParameterError as error:
        raise ValueError(f"is {shown(value)}: {error.reason}") from None


def _one_of(*names: str) -> BeforeValidator:
    def check(value: Any) -> Any:
        if value not in names:
            raise ValueError(f"is {shown(value)}, and takes {', '.join(names)}")
        return value

    return BeforeValidator(check)


class Moduli(Table):
    """Every odd modulus of a size."""

    odd_bits: Annotated[int, Field(ge=2, le=MOST_BITS)]

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        """All of them, as a request names them."""
        half = 1 << (self.odd_bits - 1)
        return (f"{modulus:#x}" for modulus in range(half | 1, 2 * half, 2))


class DirectedModuliAxis(Table):
    """Moduli of a size at which hardware is likely to be wrong, of those that the description of a core permits."""

    directed_bits: Annotated[int, Field(ge=2, le=MAX_WIDTH)]
    radix: str = DEFAULT_RADIX
    """Of the words that the reasons are about."""
    count: Annotated[int, Field(ge=1, le=MOST_MODULI)] = DEFAULT_COUNT
    """The most moduli of a core."""

    @field_validator("radix")
    @classmethod
    def _power_of_two(cls, radix: str) -> str:
        try:
            parse_power_of_two(radix)
        except ParameterError as error:
            raise ValueError(f"is {shown(radix)}: {error.reason}") from None
        return radix

    def of(self, conditions: Sequence[str]) -> Iterator[str]:
        """Those for which all conditions of a description hold, as a request names them. Raises ParameterError."""
        found = permitted(conditions, self.directed_bits, parse_power_of_two(self.radix))
        return (f"{entry.modulus:#x}" for entry in itertools.islice(found, self.count))


@dataclass(frozen=True)
class Seeds:
    """Seeds from `first` on: up to `last`, or without end where that is None."""

    first: int
    last: int | None

    @classmethod
    def parse(cls, value: Any) -> "Seeds":
        """A seed, or a range 1..1000 or 1.. as text. Raises ValueError."""
        if isinstance(value, str) and (found := re.fullmatch(r"(\d{1,20})\.\.(\d{1,20})?", value.strip())):
            first, last = int(found[1]), None if found[2] is None else int(found[2])
            if last is not None and last < first:
                raise ValueError(f"is {shown(value)}, which ends before it begins")
        elif isinstance(value, str) and ".." in value:
            raise ValueError(f"is {shown(value)}, and a range is written as '1..1000', or '1..' without end")
        else:
            first = last = _integer(value)
        if not 0 <= first <= (first if last is None else last) <= MAX_SEED:
            raise ValueError(f"is {shown(value)}, and seeds go from 0 to 2^64-1")
        return cls(first, last)

    def __iter__(self) -> Iterator[int]:
        return itertools.count(self.first) if self.last is None else iter(range(self.first, self.last + 1))


def _disturbances(value: Any) -> tuple[str, ...]:
    """The kinds of one run. Raises ValueError."""
    kinds = [value] if isinstance(value, str) else value
    if not isinstance(kinds, list | tuple):
        raise ValueError(f"is {shown(value)}, and takes names of disturbances")
    for kind in kinds:
        if kind not in (*DISTURBANCES, "all", NONE):
            raise ValueError(f"has {shown(kind)}, and takes {', '.join((NONE, *DISTURBANCES, 'all'))}")
    return tuple(kind for kind in DISTURBANCES if kind in kinds or "all" in kinds)


_ALTERNATIVES = ("text", "moduli", "directed")
"""Pydantic's tags of the ways to write a modulus."""


def _alternative(value: Any) -> str:
    if isinstance(value, DirectedModuliAxis) or (isinstance(value, dict) and "directed_bits" in value):
        return _ALTERNATIVES[2]
    return _ALTERNATIVES[isinstance(value, dict | Moduli)]


_Prime = Annotated[
    Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value), Tag(_ALTERNATIVES[0])]
    | Annotated[Moduli, Tag(_ALTERNATIVES[1])]
    | Annotated[DirectedModuliAxis, Tag(_ALTERNATIVES[2])],
    Discriminator(_alternative),
]
_Setting = Annotated[dict[str, str | int], Field(strict=True)]
_Settings = Annotated[tuple[_Setting, ...], BeforeValidator(_several), Field(min_length=1)]
_Texts = Annotated[tuple[str, ...], BeforeValidator(_several), Field(min_length=1)]
_Count = Annotated[int, BeforeValidator(_integer), Field(ge=1)]


class ChainPieces(Table):
    """A long chain of one operation as pieces, each of which begins with what the one before it ends with."""

    pieces: Annotated[int, BeforeValidator(_integer), Field(ge=1, le=1 << 32)]
    start: Annotated[int, BeforeValidator(_integer), Field(ge=0)] = 3


class Matrix(Table):
    """All combinations of the values of the axes."""

    core: _Texts
    """Names of built-in cores, or paths of folders, relative to that of the plan."""
    prime: Annotated[tuple[_Prime, ...], BeforeValidator(_several), Field(min_length=1)]
    settings: _Settings = ({},)
    """Parameters of the model and of the hardware, the radix among them."""
    build: Annotated[tuple[dict[str, int], ...], BeforeValidator(_several), Field(min_length=1)] = ({},)
    kind: _Texts = (DEFAULT_KIND,)
    disturb: Annotated[
        tuple[Annotated[tuple[str, ...], BeforeValidator(_disturbances)], ...],
        BeforeValidator(_several),
        Field(min_length=1),
    ] = ((),)
    """Of each run none, one, or a list of disturbances."""
    mode: Annotated[tuple[Annotated[str, _one_of(*MODES)], ...], BeforeValidator(_several), Field(min_length=1)] = (
        MODES[0],
    )
    simulator: Annotated[
        tuple[Annotated[str, _one_of(*SIMULATORS)], ...], BeforeValidator(_several), Field(min_length=1)
    ] = (SIMULATORS[0],)
    every_cycle: bool = False
    count: Annotated[tuple[_Count, ...], BeforeValidator(_several), Field(min_length=1)] | None = None
    """Products of a seed; without it 1,000, and all of kind exhaustive."""
    seed: Annotated[
        tuple[Annotated[Seeds, BeforeValidator(Seeds.parse)], ...], BeforeValidator(_several), Field(min_length=1)
    ] = (Seeds(1, 1),)
    chain: ChainPieces | None = None
    """For models that repeat one operation: a chain of the length that settings say, in pieces; no count and seeds."""
    exclude: Annotated[tuple[dict[str, Any], ...], BeforeValidator(_several)] = ()
    """Cells that are left out: each is axes with values, all of which have to be those of the cell."""
    weight: Annotated[int, Field(ge=1, le=1000)] = 1
    """Relative weight of this cell: how often its shards come, compared with those of other cells."""
    shard: _Count | None = None
    """Products of a shard; without it as many as take some seconds."""
    coverage: bool = True
    """True if events of the model, if any, are counted."""

    @field_validator("exclude")
    @classmethod
    def _known(cls, excluded: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
        for axis in (axis for entry in excluded for axis in entry):
            if axis not in AXES:
                raise ValueError(f"names {shown(axis)}, which is none of {', '.join(AXES)}")
        return tuple({axis: _values(axis, value) for axis, value in entry.items()} for entry in excluded)

    @model_validator(mode="after")
    def _one_or_the_other(self) -> "Matrix":
        given = {"count", "seed", "kind"} & self.model_fields_set
        if self.chain is not None and given:
            raise ValueError(f"has chain, whose products follow from each other, and so it takes no {min(given)}")
        return self

    @property
    def seeds(self) -> Iterator[int]:
        """One after the other."""
        return itertools.chain.from_iterable(self.seed)

    @property
    def is_endless(self) -> bool:
        """True if there are always more seeds."""
        return any(seeds.last is None for seeds in self.seed)


def _values(axis: str, value: Any) -> tuple[Any, ...]:
    """The values of an axis in a condition, as a combination has them. Raises ValueError."""
    return tuple(_disturbances(entry) if axis == "disturb" else entry for entry in _several(value))


def _alike(own: Any, wanted: Any) -> bool:
    if isinstance(own, Mapping):
        return isinstance(wanted, Mapping) and wanted.items() <= own.items()
    return own == wanted if isinstance(own, tuple) else str(own) == str(wanted)


@dataclass(frozen=True)
class Axes:
    """A combination of the values of a matrix."""

    core: str
    prime: str
    settings: Mapping[str, str | int]
    build: Mapping[str, int]
    kind: str
    disturb: tuple[str, ...]
    mode: str
    simulator: str
    count: int | None

    def matches(self, excluded: Mapping[str, Sequence[Any]]) -> bool:
        """True if each of these axes has one of these values; of settings it is enough that some are as said."""
        return all(any(_alike(getattr(self, axis), value) for value in values) for axis, values in excluded.items())

    @property
    def title(self) -> str:
        """The combination in one line."""
        said = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Mapping):
                said += [f"{name} = {entry}" for name, entry in value.items()]
            elif field.name == "disturb":
                said += [f"disturb = {' '.join(value)}"] if value else []
            elif value is not None:
                said.append(f"{field.name} = {value}")
        return ", ".join(said)


NOTHING: Mapping[str, str] = {}
AXES = tuple(field.name for field in fields(Axes))


class Until(Table):
    """When it is enough: as soon as one of these is reached."""

    products: _Count | None = None
    hours: Annotated[float, Field(gt=0, le=MOST_HOURS)] | None = None
    seconds: Annotated[float, Field(gt=0, le=3600 * MOST_HOURS)] | None = None
    differences: Annotated[int, Field(ge=1)] | None = None

    @property
    def time(self) -> float | None:
        """Seconds that simulations may take, on the clock of the wall."""
        limits = [None if self.hours is None else 3600 * self.hours, self.seconds]
        return min((limit for limit in limits if limit is not None), default=None)


def _changed(until: Until, given: Mapping[str, str]) -> Until:
    """With the limits that are given instead. Raises ParameterError("until")."""
    try:
        return Until.model_validate({**until.model_dump(), **given})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "until"
        if first["type"] == "extra_forbidden":
            raise ParameterError("until", f"has no {shown(name)}, but {', '.join(Until.model_fields)}") from None
        sentence = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        seen = f", not {shown(given[name])}" if first["type"] != "value_error" and name in given else ""
        raise ParameterError("until", f"{name} {sentence}{seen}") from None


class _File(Table):
    """The file."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "campaign"
    until: Until = Until()
    patience: Annotated[float, Field(ge=0)] = 120.0
    """Seconds without progress after which a simulator is stopped; 0: never."""
    matrix: Annotated[tuple[Matrix, ...], Field(min_length=1)]


@dataclass(frozen=True)
class PlanCell:
    """A combination that is run, with its place in the plan."""

    number: int
    place: str
    axes: Axes
    matrix: Matrix
    job: Job
    """The job of a shard, without seed and products."""


@dataclass(frozen=True)
class CampaignPlan:
    """A plan that was read."""

    path: Path
    file: _File

    @classmethod
    def load(cls, path: Path, until: Mapping[str, str] = NOTHING) -> "CampaignPlan":
        """The plan in a file, with some limits of its `until` replaced.

        Raises ParameterError("plan"), one sentence with file and key; ParameterError("until").
        """
        file = read(path, _File, "a plan", alternatives=_ALTERNATIVES)
        if isinstance(file, str):
            raise ParameterError("plan", f"{path} {file}")
        plan = cls(path, file.model_copy(update={"until": _changed(file.until, until)}))
        file = plan.file
        if file.until.products is None and file.until.time is None and file.until.differences is None:
            for number, matrix in enumerate(file.matrix):
                if matrix.is_endless:
                    raise plan.error(f"matrix[{number}].seed goes on without end, and until says no limit")
        if not plan.cells:
            raise plan.error("every combination is left out by exclude")
        return plan

    @classmethod
    def of(cls, name: str, matrices: Sequence[Matrix]) -> "CampaignPlan":
        """The plan that a program makes; paths of cores are relative to the current folder."""
        return cls(Path(name), _File(name=name, matrix=tuple(matrices)))

    def error(self, sentence: str) -> ParameterError:
        """A complaint about the plan."""
        return ParameterError("plan", f"{self.path}: {sentence}")

    @cached_property
    def cells(self) -> list[PlanCell]:
        """Every combination, in order. Raises ParameterError("plan") if there are too many."""
        found: list[PlanCell] = []
        for number, matrix in enumerate(self.file.matrix):
            for axes in self._combinations(matrix):
                if len(found) == MOST_CELLS:
                    raise self.error(f"matrix[{number}] makes it more than {MOST_CELLS} combinations")
                found.append(PlanCell(len(found), f"matrix[{number}]", axes, matrix, self._job(matrix, axes)))
        return found

    def _combinations(self, matrix: Matrix) -> Iterator[Axes]:
        for core in matrix.core:
            axes = (
                [core], list(self._primes(matrix, core)), matrix.settings, matrix.build, matrix.kind, matrix.disturb,
                matrix.mode, matrix.simulator, matrix.count or (None,),
            )  # fmt: skip
            for values in itertools.product(*axes):
                combination = Axes(*values)
                if not any(combination.matches(excluded) for excluded in matrix.exclude):
                    yield combination

    def _primes(self, matrix: Matrix, core: str) -> Iterator[str]:
        """Every modulus of a core. Raises ParameterError for directed ones of which the core takes none."""
        for entry in matrix.prime:
            if isinstance(entry, DirectedModuliAxis):
                file = BindRequest(core=self._folder(core), prime="").find().file
                found = [*entry.of(file.modulus)]
                if not found:
                    raise self.error(f"prime: {file.name} takes no directed modulus of {entry.directed_bits} bits")
                yield from found
            elif isinstance(entry, Moduli):
                yield from entry
            else:
                yield entry

    def _job(self, matrix: Matrix, axes: Axes) -> Job:
        return Job(
            core=self._folder(axes.core),
            prime=axes.prime,
            settings=axes.settings,
            build=axes.build,
            kind=axes.kind,
            disturb=axes.disturb,
            mode=axes.mode,
            simulator=axes.simulator,
            every_cycle=matrix.every_cycle,
            count=axes.count,
            patience=self.file.patience,
        )

    def _folder(self, name: str) -> str:
        """A built-in core by its name, a folder by its path from that of the plan."""
        return name if supplied(name) else str((self.path.parent / name).absolute())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the plan says of its shards, in hexadecimal: `until` may change when it is resumed."""
        said = self.file.model_dump_json(include={"matrix"}, exclude_defaults=True)
        return hashlib.sha256(said.encode()).hexdigest()
