# SPDX-License-Identifier: Apache-2.0
"""Resolved requests: the model, the modulus, the parameters, and the requested operands."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Architecture, Shape
from limbtrace.refmodels.digits import chosen_digits
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.event_search import Occurrences
from limbtrace.refmodels.expressions import parse_integer, parse_power_of_two
from limbtrace.refmodels.expressions import within as within
from limbtrace.refmodels.model import Model, Parameters
from limbtrace.refmodels.primes import NO_MODULUS, Modulus, find
from limbtrace.refmodels.representations import Written
from limbtrace.refmodels.settings import Given, Parameter
from limbtrace.vectors.document import MultiplierShape, PrimeShape, members
from limbtrace.vectors.encoding import FORMAT, digest, dump, hexadecimal
from limbtrace.vectors.exhaustive import AllPairs
from limbtrace.vectors.kinds import CHAINED as CHAINED
from limbtrace.vectors.kinds import CHAINS as CHAINS
from limbtrace.vectors.kinds import DEFAULT_KIND as DEFAULT_KIND
from limbtrace.vectors.kinds import DIRECTED as DIRECTED
from limbtrace.vectors.kinds import EVENTS as EVENTS
from limbtrace.vectors.kinds import EVERY_KIND as EVERY_KIND
from limbtrace.vectors.kinds import EXHAUSTIVE as EXHAUSTIVE
from limbtrace.vectors.kinds import KINDS as KINDS
from limbtrace.vectors.kinds import OF_WHOLE_RANGE, OF_WORDS
from limbtrace.vectors.kinds import kind_with as kind_with
from limbtrace.vectors.kinds import of_words as of_words

MAX_COUNT = 10_000_000
"""Most cases that are made for a request."""
MAX_WHOLE = 1 << 48
"""Most cases of a set of which a part is made."""
MAX_SEED = (1 << 64) - 1
MAX_CHECKPOINTS = 10_000
DEFAULT_COUNT = 16
"""Of every kind but exhaustive, which has all its cases by default."""


def _kind_parameter(of_model: Mapping[str, str]) -> Parameter:
    """The parameter of the kind of operands, with what is another thing for a model."""
    kinds = {**EVERY_KIND, **of_model}
    return Parameter(
        "kind", "; ".join(f"{kind}: {what}" for kind, what in kinds.items()), DEFAULT_KIND, " or ".join(kinds)
    )


REQUEST_PARAMETERS = (
    Parameter(
        "count",
        f"number of cases; the first N do not depend on it; of kind {EXHAUSTIVE} all by default",
        str(DEFAULT_COUNT),
        f"1 to {MAX_COUNT}",
    ),
    Parameter("seed", "seed of the generator", "1", "0 to 2^64-1"),
    _kind_parameter({}),
)


CHECKPOINTS = Parameter(
    "checkpoints", "values on the way, evenly spread over the chain", "0", f"0 to t - 1, at most {MAX_CHECKPOINTS}"
)


def request_parameters(model: Model) -> tuple[Parameter, ...]:
    """The parameters of a vector request in addition to the model's own parameters."""
    found = (*REQUEST_PARAMETERS[:-1], _kind_parameter(OF_WHOLE_RANGE)) if model.whole_range else REQUEST_PARAMETERS
    return found if model.chain is None else (*found, CHECKPOINTS)


def prime_document(modulus: Modulus) -> Any:
    """A modulus on the wire; null if there is none."""
    if modulus == NO_MODULUS:
        return None
    return members(
        PrimeShape,
        name=modulus.name,
        modulus=hexadecimal(modulus.modulus),
        bits=modulus.bits,
        primality=modulus.primality,  # type: ignore[arg-type]
    )


@dataclass(frozen=True)
class Multiplier:
    """A model with a modulus and resolved parameters."""

    model: Model
    modulus: Modulus
    params: Parameters

    @classmethod
    def resolve(cls, model: str, prime: str | int | None, settings: Given) -> "Multiplier":
        """Raises ParameterError, naming the parameter that cannot be served."""
        entry = registry.model(model)
        if entry.has_modulus and prime is None:
            missing = "multiplies modulo a name, integer or expression"
            raise ParameterError("prime", f"the request does not give it, and {entry.id} {missing}")
        if not entry.has_modulus and prime is not None:
            raise ParameterError("prime", f"{entry.id} has no modulus: it returns the whole product")
        modulus = NO_MODULUS if prime is None else find(prime, entry.even_moduli)
        return cls(entry, modulus, _resolved(entry, modulus, settings))

    @property
    def unnamed(self) -> "Multiplier":
        """This multiplier without the name of its modulus: as in documents that are older than the name."""
        return replace(self, modulus=Modulus(self.modulus.modulus))

    def residue(self, value: int) -> int:
        """The value modulo the modulus; the value itself if there is none, or if the result holds several numbers."""
        p = 0 if self.model.several else self.modulus.modulus
        return value % p if p else value

    @property
    def chained(self) -> "Multiplier":
        """The multiplier for products whose operands are results."""
        change = self.model.chained_params
        return self if change is None else replace(self, params=change(self.params))

    @property
    def bits(self) -> int:
        """Bits of the modulus, or of the largest operand if there is none."""
        return self.modulus.bits or max(self.params.limits).bit_length()

    @staticmethod
    def written(operand: int) -> str:
        """An operand as given on the command line: a number, or digits that do not follow from the number."""
        digits = chosen_digits(operand)
        return hexadecimal(operand) if digits is None else f"[{','.join(map(str, digits))}]"

    def arguments(self, a: int, b: int) -> str:
        """Operands as options of the command line."""
        return f"--a {self.written(a)}" + ("" if self.model.unary else f" --b {self.written(b)}")

    @property
    def prime(self) -> str | None:
        """The modulus as a request names it."""
        return (self.modulus.name or hexadecimal(self.modulus.modulus)) if self.model.has_modulus else None

    @property
    def radix(self) -> str | None:
        bits = self.params.radix_bits
        return None if bits is None else f"2^{bits}"

    @property
    def document(self) -> dict[str, Any]:
        """The multiplier in a normalised request."""
        prime = {"name": self.modulus.name, "modulus": hexadecimal(self.modulus.modulus)} if self.prime else None
        return {"model": self.model.id, "prime": prime, "settings": self.settings}

    @cached_property
    def head(self) -> dict[str, Any]:
        """The first members of every document about this multiplier."""
        head: dict[str, Any] = members(
            MultiplierShape,
            model=self.model.id,
            form=self.params.form,  # type: ignore[arg-type]
            prime=prime_document(self.modulus),
            radix=self.radix,
            params=dict(self.params.named),
            constants={name: hexadecimal(value) for name, value in self.params.constants.items()},
            mended=list(self.model.mended.get(self.params.form, ())),
        )
        return head

    @property
    def title(self) -> str:
        """Model, form, modulus and parameters in one line for readers."""
        modulus = f", modulus {self.prime}" if self.prime else ""
        radix = f", radix {self.radix}" if self.radix else ""
        named = "".join(f", {name} = {value}" for name, value in self.params.named.items())
        return f"{self.model.id} ({self.params.form}){modulus}{radix}{named}"

    @cached_property
    def identity(self) -> str:
        """The identity of a multiplier as one line of text: equal multipliers have equal lines."""
        named = ",".join(f"{name}={value}" for name, value in sorted(self.params.named.items()))
        return f"{FORMAT}|{self.model.id}|{self.params.form}|{self.modulus.modulus:x}|{self.radix}|{named}"

    @property
    def settings(self) -> dict[str, str | int]:
        """Complete settings that resolve to this multiplier again."""
        settings: dict[str, str | int] = {**self.params.named, "form": self.params.form}
        return {"radix": self.radix, **settings} if self.radix else settings

    @property
    def options(self) -> str:
        """Modulus and settings as options of the command line."""
        prime = f"--prime {self.prime} " if self.prime else ""
        radix = f"--radix {self.radix} " if self.radix else ""
        named = [f"--set {name}={value}" for name, value in self.settings.items() if name != "radix"]
        return f"{prime}{radix}{' '.join(named)}"

    def operand(self, name: str, text: str | int, which: int = 0) -> int:
        """An operand from an integer expression or from [d0,d1,...], low digit first. Raises ParameterError(name).

        `which` is 0 for a and 1 for b, whose digits may differ.
        """
        if isinstance(text, Written):
            return text
        if isinstance(text, str) and text.strip().startswith("["):
            return self._digits(name, text.strip(), which)
        return parse_integer(text, name)

    def _digits(self, name: str, text: str, which: int) -> int:
        written = self.params.written
        if written is None or not text.endswith("]"):
            raise ParameterError(name, "a digit vector is written [d0,d1,...], for a model that scans digits")
        return written[which].read(name, [parse_integer(digit, name) for digit in text[1:-1].split(",")])


@dataclass(frozen=True)
class SetShard:
    """One of several parts of a set, of nearly equal size: number `part` of `parts`, counted from 1."""

    part: int
    parts: int
    whole: int
    """Cases of the set."""

    @classmethod
    def parse(cls, text: str, whole: int) -> "SetShard":
        """A shard as it is written, `i/n`. Raises ParameterError("shard")."""
        found = re.fullmatch(r"([0-9]{1,15})/([0-9]{1,15})", text) if isinstance(text, str) else None
        if found is None:
            raise ParameterError("shard", f"{shown(text)} is not of the form i/n, such as 3/10")
        part, parts = map(int, found.groups())
        if not 1 <= part <= parts:
            raise ParameterError("shard", f"{shown(text)} is none of 1/n to n/n")
        if parts > whole:
            raise ParameterError("shard", f"{shown(text)} is one of more shards than the set has cases, {whole}")
        return cls(part, parts, whole)

    @property
    def first(self) -> int:
        """The first case."""
        return self.whole * (self.part - 1) // self.parts

    @property
    def count(self) -> int:
        """Number of cases."""
        return self.whole * self.part // self.parts - self.first

    def __str__(self) -> str:
        return f"{self.part}/{self.parts}"


def _kind(multiplier: Multiplier, kind: str, seed: str | int) -> tuple[str, str]:
    """Name of a kind, and the kind with its widths of limbs, or with the events that were chosen as the model spells
    them. Raises ParameterError.
    """
    name, _, chosen = kind.partition(":") if isinstance(kind, str) else ("", "", "")
    detailed = bool(chosen) if name == EVENTS else name == DIRECTED and chosen.startswith(OF_WORDS)
    if name not in EVERY_KIND or (name != kind and not detailed):
        raise ParameterError("kind", f"{shown(kind)} is none of {', '.join(EVERY_KIND)}")
    if not chosen:
        return name, kind
    if chosen.startswith(OF_WORDS):
        return name, of_words(name, chosen.removeprefix(OF_WORDS).split(","))
    known = Occurrences(multiplier.model, multiplier.params, parse_integer(seed, "seed"))
    return name, f"{EVENTS}:{';'.join(known.required(label).place.label for label in chosen.split(';'))}"


def _checkpoints(multiplier: Multiplier, checkpoints: str | int) -> int:
    """Number of values on the way of a chain of products. Raises ParameterError."""
    chain = multiplier.model.chain
    if chain is None and parse_integer(checkpoints, "checkpoints"):
        raise ParameterError("checkpoints", f"{multiplier.model.id} is one product, with no values on the way")
    between = 0 if chain is None else chain.length(multiplier.params) - 1
    return within("checkpoints", checkpoints, 0, min(between, MAX_CHECKPOINTS))


def _shard(text: str, whole: int, kind: str, max_count: int) -> SetShard:
    """A part of a set of that many cases. Raises ParameterError."""
    part = SetShard.parse(text, whole)
    if kind == CHAINED:
        raise ParameterError("shard", f"kind {CHAINED} has none: each of its cases needs those before it")
    if part.count > max_count:
        shards = -(-whole // max_count)
        raise ParameterError(
            "shard",
            f"{part} has {part.count} cases of {whole}, and at most {max_count} are made at once: ask for one of "
            f"{shards} or more",
        )
    return part


@dataclass(frozen=True)
class VectorRequest:
    """A request for cases of a multiplier: `count` cases of a set from case `first` on."""

    multiplier: Multiplier
    count: int
    seed: int
    kind: str
    checkpoints: int = 0
    limits: tuple[int, int] | None = None
    """Largest a and b of kind exhaustive, if less than those of the model."""
    first: int = 0
    shard: SetShard | None = None
    """The part of a set that these cases are, if they were asked for as one."""

    @classmethod
    def resolve(
        cls,
        multiplier: Multiplier,
        count: str | int | None = None,
        seed: str | int = 1,
        kind: str = DEFAULT_KIND,
        max_count: int = MAX_COUNT,
        checkpoints: str | int = 0,
        limits: tuple[int, int] | None = None,
        shard: str | None = None,
    ) -> "VectorRequest":
        """Raises ParameterError, naming the parameter.

        `count` None is all of kind exhaustive, whose operands go up to `limits` or else to those of the model, and
        DEFAULT_COUNT of every other kind. Of a `shard`, `count` is that of the whole set, up to MAX_WHOLE, and
        `max_count` limits the cases of the shard.
        """
        name, kind = _kind(multiplier, kind, seed)
        if name == CHAINED:
            multiplier = multiplier.chained
            multiplier.model.check_closure(multiplier.params)
        kept = _checkpoints(multiplier, checkpoints)
        limit = max_count if shard is None else MAX_WHOLE
        if name == EXHAUSTIVE:
            every = AllPairs(multiplier.model, multiplier.params, limits or multiplier.params.limits)
            every.check()
            if count is None and every.count > limit:
                less = f"ask for as many, or for one of {-(-every.count // limit)} shards"
                raise ParameterError(
                    "count", f"there are {every.count} cases, and at most {limit} are made at once: {less}"
                )
            count, limit = every.count if count is None else count, min(limit, every.count)
        whole = within("count", DEFAULT_COUNT if count is None else count, 1, limit)
        part = None if shard is None else _shard(shard, whole, name, max_count)
        return cls(
            multiplier,
            whole if part is None else part.count,
            within("seed", seed, 0, MAX_SEED),
            kind,
            kept,
            limits if name == EXHAUSTIVE else None,
            0 if part is None else part.first,
            part,
        )

    def range(self, first: int, count: int) -> "VectorRequest":
        """`count` cases of the same set from its case `first` on."""
        return replace(self, first=first, count=count, shard=None)

    @cached_property
    def every(self) -> AllPairs | None:
        """All pairs of operands, of which the cases are the first; None for drawn cases."""
        if self.kind != EXHAUSTIVE:
            return None
        m = self.multiplier
        return AllPairs(m.model, m.params, self.limits or m.params.limits)

    @property
    def kind_name(self) -> str:
        """The kind without the events that were chosen."""
        return self.kind.partition(":")[0]

    @property
    def chosen_events(self) -> list[str]:
        """The events that were chosen, as they are written; none where all are meant, or the kind has none."""
        chosen = self.kind.partition(":")[2]
        return [] if chosen.startswith(OF_WORDS) else [label for label in chosen.split(";") if label]

    @property
    def words(self) -> tuple[int, ...]:
        """Widths of the limbs of mechanisms of hardware, in bits; none where they were not given."""
        _, given, words = self.kind.partition(f":{OF_WORDS}")
        return tuple(map(int, words.split(","))) if given else ()

    @property
    def checkpoint_indices(self) -> list[int]:
        """The numbers of links of a chain after which there is a checkpoint."""
        m = self.multiplier
        if m.model.chain is None:
            return []
        t, count = m.model.chain.length(m.params), self.checkpoints
        return [t * j // (count + 1) for j in range(1, count + 1)]

    @property
    def document(self) -> dict[str, Any]:
        """The normalised request, with every default written out."""
        document: dict[str, Any] = {
            "format": FORMAT,
            **self.multiplier.document,
            "count": self.count if self.shard is None else self.shard.whole,
            "seed": self.seed,
            "kind": self.kind,
        }
        if self.checkpoints:
            document["checkpoints"] = self.checkpoints
        if self.shard is not None:
            document["shard"] = str(self.shard)
        elif self.first:
            document["first"] = self.first
        return document

    @cached_property
    def id(self) -> str:
        """Id of the set: the hash of the normalised request."""
        return digest(dump(self.document))[:32]


@dataclass(frozen=True)
class CoreRequest:
    """An architecture with its shape, and the multiplier it computes."""

    architecture: Architecture
    multiplier: Multiplier
    shape: Shape

    @classmethod
    def resolve(cls, core: str, prime: str | int, settings: Given) -> "CoreRequest":
        """Raises ParameterError, naming the parameter that cannot be served."""
        entry = registry.architecture(core)
        modulus = find(prime, even=entry.model.even_moduli)
        shape = _resolved(entry, modulus, settings)
        return cls(entry, Multiplier(entry.model, modulus, shape.params), shape)

    @property
    def head(self) -> dict[str, Any]:
        """The first members of every document about this core."""
        head = self.multiplier.head
        params = {**head["params"], **self.architecture.own_settings(self.shape)}
        return {"format": FORMAT, "core": self.architecture.id, **head, "params": params}

    @property
    def options(self) -> str:
        """Modulus and settings as options of the command line."""
        own = self.architecture.own_settings(self.shape).items()
        return " ".join([self.multiplier.options, *(f"--set {name}={value}" for name, value in own)])


def _resolved(entry: Model | Architecture, modulus: Modulus, settings: Given) -> Any:
    """The parameters of a model, or the shape of an architecture.

    Algorithms on whole integers have no radix. One that is given all the same changes nothing, unless its digits are
    no whole part of R, so that other hardware with this radix would return another residue. Raises ParameterError.
    """
    if "radix" not in settings or any(parameter.name == "radix" for parameter in entry.parameters):
        return entry.resolve(modulus.modulus, settings)
    k = parse_power_of_two(settings["radix"])
    found = entry.resolve(modulus.modulus, {name: value for name, value in settings.items() if name != "radix"})
    domain = (found.params if isinstance(found, Shape) else found).domain
    if domain is not None and (domain.bit_length() - 1) % k:
        written = f"2^{domain.bit_length() - 1}"
        raise ParameterError("radix", f"{entry.id} works on whole integers, and its R = {written} is no power of 2^{k}")
    return found


def merge_settings(
    radix: str | None, pairs: Iterable[str], named: Mapping[str, str] | None = None, option: str = "set"
) -> dict[str, str]:
    """Settings from a radix, NAME=VALUE texts of an option, and name-value pairs; a repeated name is rejected."""
    settings: dict[str, str] = {}
    given = [("radix", radix)] if radix is not None else []
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name:
            raise ParameterError(option, f"{shown(pair)} is not of the form NAME=VALUE")
        given.append((name.strip(), value.strip()))
    given += (named or {}).items()
    for name, value in given:
        if settings.setdefault(name, value) != value:
            raise ParameterError(name, f"given twice, as {shown(settings[name])} and as {shown(value)}")
    return settings


def drawn_by(operands: Any, name: str = "operands", **asked: Any) -> dict[str, Any]:
    """The settings of drawn operands: count, seed and kind, as far as they are not None.

    Raises ParameterError(name) if one of them is given together with `operands`.
    """
    wanted = {key: value for key, value in asked.items() if value is not None}
    if operands and wanted:
        raise ParameterError(name, f"{name} and {next(iter(wanted))} exclude each other: nothing is drawn")
    return wanted
