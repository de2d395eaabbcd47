# SPDX-License-Identifier: Apache-2.0
"""Models, cores and moduli that fit a modulus and a radix, with the values that parameters have there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

from limbtrace.refmodels.architecture import Architecture
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_power_of_two
from limbtrace.refmodels.model import Model
from limbtrace.refmodels.primes import CATALOGUE, Modulus, find
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, RangeError
from limbtrace.vectors.catalogue.document import Fitting, ParameterShape
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.options import FilterQuery
from limbtrace.vectors.request import CoreRequest, Multiplier, prime_document, within

USUAL = ("secp256k1.fp", "sike-p434")
"""Moduli that are tried first where none is given."""
MOST_NAMED = 12
"""Names in a sentence."""


@dataclass(frozen=True)
class Filter:
    """A modulus, a radix and a width, as far as they were given."""

    modulus: Modulus | None = None
    radix: str | None = None
    bits: int | None = None

    @classmethod
    def of(cls, query: FilterQuery) -> "Filter":
        """Raises ParameterError."""
        modulus = None if query.prime is None else find(query.prime, even=True)
        radix = None if query.radix is None else f"2^{parse_power_of_two(query.radix)}"
        bits = None if query.bits is None else within("bits", query.bits, 2, MAX_WIDTH)
        if modulus is not None and bits not in (None, modulus.bits):
            raise ParameterError("bits", f"the modulus has {modulus.bits} bits, and {shown(query.bits)} are asked for")
        return cls(modulus, radix, bits)

    @property
    def settings(self) -> Given:
        """The settings to request of a multiplier."""
        return {} if self.radix is None else {"radix": self.radix}

    @cached_property
    def candidates(self) -> list[Modulus]:
        """Moduli of which a model has to take one."""
        if self.modulus is not None:
            return [self.modulus]
        if self.bits is None:
            return [*(CATALOGUE[name] for name in USUAL), *CATALOGUE.values()]
        return [*(entry for entry in CATALOGUE.values() if entry.bits == self.bits), Modulus((1 << self.bits) - 1)]

    def multiplier(self, model: Model) -> Multiplier | None:
        """The model at the modulus or at one that it takes, None if it takes none."""
        if not model.has_modulus:
            return (
                None if self.modulus or self.bits else _tried(lambda: Multiplier.resolve(model.id, None, self.settings))
            )
        found = (
            _tried(lambda entry=entry: Multiplier.resolve(model.id, entry.name or entry.modulus, self.settings))
            for entry in self.candidates
        )
        return next((one for one in found if one is not None), None)

    def core(self, core: Architecture) -> CoreRequest | None:
        """The core at the modulus or at one that it takes, None if it takes none."""
        if not core.model.has_modulus:
            return None
        found = (
            _tried(lambda entry=entry: CoreRequest.resolve(core.id, entry.name or entry.modulus, self.settings))
            for entry in self.candidates
        )
        return next((one for one in found if one is not None), None)

    def takes(self, entry: Modulus) -> bool:
        """True if this is the modulus, or one of the width that a model takes with the radix."""
        if self.modulus is not None and entry.modulus != self.modulus.modulus:
            return False
        if self.bits not in (None, entry.bits):
            return False
        return any(Filter(entry, self.radix).multiplier(model) is not None for model in MODELS.values())


def _tried(resolve: Any) -> Any:
    """The result of `resolve`; None if it rejects a parameter."""
    try:
        return resolve()
    except ParameterError:
        return None


def models(query: FilterQuery) -> Iterator[tuple[Model, Fitting]]:
    """The models that take what was asked for, with their parameters there. Raises ParameterError."""
    asked = Filter.of(query)
    for model in MODELS.values():
        if (multiplier := asked.multiplier(model)) is not None:
            yield model, _fitting(multiplier, model.parameters, "vectors", asked)


def cores(query: FilterQuery) -> Iterator[tuple[Architecture, Fitting]]:
    """The cores that take what was asked for, with their parameters there. Raises ParameterError."""
    asked = Filter.of(query)
    for core in ARCHITECTURES.values():
        if (request := asked.core(core)) is not None:
            own = core.own_settings(request.shape)
            yield core, _fitting(request.multiplier, core.parameters, "cycles", asked, core, own)


def primes(query: FilterQuery) -> Iterator[Modulus]:
    """The moduli of the catalogue that are asked for. Raises ParameterError."""
    asked = Filter.of(query)
    return filter(asked.takes, CATALOGUE.values())


def _fitting(
    multiplier: Multiplier,
    parameters: tuple[Parameter, ...],
    route: str,
    asked: Filter,
    core: Architecture | None = None,
    own: Given | None = None,
) -> Fitting:
    """The values of a model or core at this modulus and radix."""
    m = multiplier
    name, subject = (m.model.id, "model") if core is None else (core.id, "core")
    given = {subject: name, **({"prime": m.prime} if m.prime else {}), **asked.settings}
    query = "&".join(f"{key}={quote(str(value))}" for key, value in given.items())
    count = "&count=4" if core is not None else ""
    domain = m.params.domain
    values = {**m.settings, **(own or {})}
    found: Fitting = members(
        Fitting,
        prime=prime_document(m.modulus),
        radix=m.radix,
        R=None if domain is None else hexadecimal(domain),
        constants=list(m.params.constants),
        parameters=[_parameter(p, values, m, core, asked.settings) for p in parameters],
        url=f"/v1/{route}?{query}{count}",
    )
    return found


def _parameter(parameter: Parameter, values: Given, m: Multiplier, core: Architecture | None, asked: Given) -> Any:
    """A parameter with its value at this modulus and radix, and the range that it has there."""
    return members(
        ParameterShape,
        name=parameter.name,
        aliases=list(parameter.aliases),
        meaning=parameter.meaning,
        default=str(values.get(parameter.name, parameter.default)),
        range=_range(parameter, m, core, asked),
    )


def _range(parameter: Parameter, m: Multiplier, core: Architecture | None, asked: Given) -> str:
    """The range here, found by asking; of parameters that are no numbers, as it is listed."""
    others = {name: value for name, value in asked.items() if name != parameter.name}
    power = "2^" if parameter.name == "radix" else ""

    def refusal(value: int | str) -> ParameterError | None:
        given = {**others, parameter.name: f"{power}{value}"}
        try:
            if core is not None and m.prime is not None:
                CoreRequest.resolve(core.id, m.prime, given)
            else:
                Multiplier.resolve(m.model.id, m.prime, given)
        except ParameterError as error:
            return error
        return None

    said = refusal(MAX_WIDTH + 1 if power else -1)
    if not isinstance(said, RangeError) or said.parameter not in (parameter.name, *parameter.aliases):
        return parameter.range
    low, high = said.low, said.high
    own = {} if core is None else core.own_settings(_shape(core, m, asked))
    default = str({**m.settings, **own}.get(parameter.name, parameter.default)).removeprefix(power)
    if default.isdecimal() and low <= int(default) <= high:
        low = _edge(lambda value: refusal(value) is None, int(default), low)
        high = _edge(lambda value: refusal(value) is None, int(default), high)
    return f"{power}{low} to {power}{high}"


def _shape(core: Architecture, m: Multiplier, asked: Given) -> Any:
    return CoreRequest.resolve(core.id, m.prime or 0, asked).shape


def _edge(is_taken: Callable[[int], bool], inside: int, outside: int) -> int:
    """The last value that is taken on the way from one that is to a limit that may not be."""
    if is_taken(outside):
        return outside
    while abs(inside - outside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if is_taken(middle) else (inside, middle)
    return inside


def not_named(subject: str, prime: str | int | None, radix: str | None) -> tuple[ParameterError, list[dict[str, str]]]:
    """The error of a request without a model or core, and those that take its modulus and radix, each with its query.

    Raises ParameterError if modulus or radix are wrong themselves.
    """
    query = FilterQuery(prime=prime, radix=radix)
    found: Any = models(query) if subject == "model" else cores(query)
    entries = [{"id": str(entry.id), "url": str(fitting["url"])} for entry, fitting in found]
    names = [entry["id"] for entry in entries]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    listed = f"{', '.join(names[:MOST_NAMED])}{more}" if names else f"no {subject}"
    given = " with ".join(f"{name} {shown(value)}" for name, value in (("prime", prime), ("radix", radix)) if value)
    said = f"{given} is taken by {listed}" if given else f"there is {listed}"
    return ParameterError(subject, f"the request does not give it; {said}"), entries
