# SPDX-License-Identifier: Apache-2.0
"""The request for a library: a model or a core at a modulus, or at every modulus of a size, as a program."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Plan, Shape, TimedPair
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.primes import Modulus
from limbtrace.refmodels.program import Program, apart, every_modulus, of_architecture, of_model
from limbtrace.refmodels.representations import CANONICAL
from limbtrace.refmodels.settings import MAX_WIDTH, Given
from limbtrace.vectors.encoding import identifier
from limbtrace.vectors.options import AnyPrimeQuery, SettingsQuery, option
from limbtrace.vectors.request import CoreRequest, Multiplier, within

MAX_WORK = 200_000
"""Most steps of a library's products; for a chain, digit products."""
MAX_TERMS = 300_000
"""Most operations of a program."""
MAX_PRODUCTS = 64
"""Most products of a stream."""
MIN_BITS = 3
"""Least bits of a modulus that is not known: with two there is only 3."""

T = TypeVar("T")


class LibraryQuery(SettingsQuery, AnyPrimeQuery):
    """The query for a library."""

    model: str = option("Id of a model or core; `limbtrace models` and `limbtrace cores` list them.", ["iddmm2"])
    bits: str | int | None = option(
        "Instead of a modulus: one library for every odd modulus of exactly that many bits.", ["256"], default=None,
        help="Instead of --prime: one library for every odd modulus of N bits.", metavar="N",
    )  # fmt: skip
    core: bool = option(
        "Whether the core is meant where a model has the same id.", [False], default=False,
        help="Take the core where a model has the same id.",
    )  # fmt: skip
    products: str | int = option(
        "For cores whose products overlap: the number of products of a stream.", ["1", "4"], default="1",
        help="Products of a stream, for cores whose products overlap.", metavar="N",
    )  # fmt: skip
    name: str | None = option(
        "Prefix of everything in the library.", ["golden"], default=None,
        help="Prefix of all names; default lt_MODEL.", metavar="NAME",
    )  # fmt: skip

    @property
    def request(self) -> "LibraryRequest":
        """Raises ParameterError."""
        products = within("products", self.products, 1, MAX_PRODUCTS)
        is_core = self.core or (self.model not in registry.MODELS and self.model in registry.ARCHITECTURES)
        name = self.name if self.name is not None else f"lt_{identifier(self.model)}"
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,63}", name, re.ASCII):
            raise ParameterError("name", f"{shown(name)} is no identifier of letters, digits and _, of up to 64")
        if not is_core and products != 1:
            raise ParameterError("products", f"{self.model} is a model, whose products do not overlap")
        if self.bits is not None and self.prime is not None:
            raise ParameterError("bits", "bits and prime exclude each other: a library takes every modulus, or one")
        bits = None if self.bits is None else within("bits", self.bits, MIN_BITS, MAX_WIDTH)
        if not is_core:
            if bits is not None:
                return LibraryRequest(name, _any_modulus(self.model, bits, self.settings))
            return LibraryRequest(name, Multiplier.resolve(self.model, self.prime, self.settings))
        if bits is not None:
            core = _core_of_any_modulus(self.model, bits, self.settings)
        elif self.prime is not None:
            core = CoreRequest.resolve(self.model, self.prime, self.settings)
        else:
            raise ParameterError("prime", f"the request does not give it, and {self.model} multiplies modulo it")
        if products != 1 and core.architecture.overlap is None:
            raise ParameterError("products", f"the products of {self.model} do not overlap, so a stream has one")
        return LibraryRequest(name, core.multiplier, core, products)


@dataclass(frozen=True)
class AnyModulus(Multiplier):
    """A model with parameters that hold for every odd modulus of a size; `modulus` is a term."""

    @property
    def prime(self) -> None:
        """None: no modulus is known."""
        return


def _resolved(id: str, resolve: Callable[[int, Given], T], bits: int, given: Given) -> tuple[Modulus, T]:
    """Every modulus of a size, and its resolved subject. Raises ParameterError if the size does not determine it."""
    modulus = Modulus(every_modulus(bits))
    try:
        return modulus, resolve(modulus.modulus, given)
    except TypeError:
        raise _by_value(id) from None


def _by_value(id: str) -> ParameterError:
    return ParameterError(
        "bits", f"{id} depends on the value of the modulus and not on its size alone: a library of it needs prime"
    )


def _any_modulus(model: str, bits: int, settings: Given) -> AnyModulus:
    entry = registry.model(model)
    if not entry.has_modulus:
        raise ParameterError("bits", f"{entry.id} has no modulus: it returns the whole product")
    return AnyModulus(entry, *_resolved(entry.id, entry.resolve, bits, settings))


def _core_of_any_modulus(core: str, bits: int, settings: Given) -> CoreRequest:
    entry = registry.architecture(core)
    modulus, shape = _resolved(entry.id, entry.resolve, bits, settings)
    return CoreRequest(entry, AnyModulus(entry.model, modulus, shape.params), shape)


@dataclass(frozen=True)
class LibraryRequest:
    """The checked request."""

    name: str
    multiplier: Multiplier
    core: CoreRequest | None = None
    products: int = 1

    def __post_init__(self) -> None:
        m = self.multiplier
        work = m.model.work(m.params) * self.products
        if work > MAX_WORK:
            raise ParameterError(
                "model", f"a library of {shown(work)} steps is asked for and the limit is {MAX_WORK}; "
                "larger digits take fewer steps",
            )  # fmt: skip

    @cached_property
    def shape(self) -> Shape:
        """The shape of a core with the starts of its stream, each as early as possible."""
        assert self.core is not None
        architecture, shape = self.core.architecture, self.core.shape
        jobs = [TimedPair(0, 0)] * self.products
        return architecture.loaded(shape, [start for _, start in architecture.placed(shape, jobs)])

    @cached_property
    def plan(self) -> Plan:
        """The schedule of a core."""
        assert self.core is not None
        return self.core.architecture.plan(self.shape)

    @property
    def bits(self) -> int | None:
        """Bits of the modulus, where a library takes every odd one of that size; else None."""
        return self.multiplier.modulus.bits if isinstance(self.multiplier, AnyModulus) else None

    @cached_property
    def _programs(self) -> tuple[Program | None, Program]:
        m = self.multiplier
        try:
            if self.core is None:
                program = of_model(m.model, m.params)
            else:
                program = of_architecture(self.core.architecture, self.shape)
        except TypeError:
            if self.bits is not None and m.params.filling == CANONICAL:
                raise _by_value(m.model.id) from None
            raise ParameterError(
                "overlap", "the digits of operands are chosen by branches, except canonical ones"
            ) from None
        if len(program.terms) > MAX_TERMS:
            raise ParameterError(
                "model", f"its program has {len(program.terms)} operations and the limit is {MAX_TERMS}; "
                "larger digits take fewer",
            )  # fmt: skip
        return (None, program) if self.bits is None else apart(program)

    @property
    def setup(self) -> Program | None:
        """The program that computes constants of a modulus operand. Raises ParameterError as `program` does."""
        return self._programs[0]

    @property
    def program(self) -> Program:
        """Raises ParameterError if it has too many operations, or the digits of operands are chosen by branches."""
        return self._programs[1]

    @property
    def title(self) -> str:
        """A description in one line."""
        core = "" if self.core is None else f", core {self.core.architecture.id}"
        stream = f", {self.products} products" if self.products > 1 else ""
        modulus = "" if self.bits is None else f", every odd modulus of {self.bits} bits"
        return f"{self.multiplier.title}{modulus}{core}{stream}"

    @property
    def options(self) -> str:
        """Arguments of the command line that make this library again."""
        m = self.multiplier
        what = m.model.id if self.core is None else f"{self.core.architecture.id} --core"
        settings = m.options if self.core is None else self.core.options
        stream = f" --products {self.products}" if self.products > 1 else ""
        size = "" if self.bits is None else f"--bits {self.bits} "
        return f"{what} {size}{settings}{stream} --name {self.name}"
