# SPDX-License-Identifier: Apache-2.0
"""Options of requests, each declared once for the command line, for HTTP with OpenAPI, and for the client.

A query is a dataclass of unparsed texts. `vectors.cli.options.asks` turns it into options of a command,
`service.http.queries.asking` into query parameters of a route, and `vectors.client` sends it. The methods of a query
parse its texts, so all three share one parser.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, dataclass_transform

from limbtrace.refmodels import registry
from limbtrace.refmodels.settings import Given
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.request import (
    DEFAULT_KIND,
    EVERY_KIND,
    KINDS,
    CoreRequest,
    Multiplier,
    kind_with,
    merge_settings,
)

PRIME = "Catalogue name, integer, or expression of + - * ^ ( ); a + is written %2B."
PRIME_HELP = "Name, integer or expression like 2^255-19."
_PRIMES = ("secp256k1.fp", "2^255-19", "0xd01")


@dataclass(frozen=True)
class Option:
    """The description of an option: `help` on the command line, `description` and `examples` in OpenAPI.

    An option without a `metavar` is a flag, or an argument if it has no `help` either.
    """

    description: str
    examples: Sequence[Any]
    help: str
    metavar: str | None
    flag: str | None
    """The public name, if it differs from that of the field."""
    choices: Callable[[], Iterable[str]] | None = None
    """All values, of an option that has few."""
    least: int | None = None
    """The least value, of an option that is an integer; expressions are taken, too."""


def option(
    description: str,
    examples: Sequence[Any],
    *,
    help: str = "",
    metavar: str | None = None,
    flag: str | None = None,
    default: Any = MISSING,
    choices: Callable[[], Iterable[str]] | None = None,
    least: int | None = None,
) -> Any:
    """A field of a query; required without a default, repeatable if the default is ()."""
    told = Option(description, examples, help, metavar, flag, choices, least)
    return field(default=default, metadata={"option": told})


@dataclass_transform(kw_only_default=True, field_specifiers=(option,))
class Query:
    """Base of the queries."""

    def __init_subclass__(cls) -> None:
        dataclass(kw_only=True)(cls)

    @classmethod
    def options(cls) -> Iterator[tuple[Field[Any], Option]]:
        """Every field with its description, in the order of the command line."""
        return ((entry, entry.metadata["option"]) for entry in fields(cls))  # type: ignore[arg-type]

    def parameters(self, settings: Given | None = None) -> dict[str, str | list[str]]:
        """The query string: everything that is not at its default, and the settings of a model or core."""
        given = {option.flag or entry.name: getattr(self, entry.name) for entry, option in self.options()
                 if getattr(self, entry.name) != entry.default}  # fmt: skip
        return {name: _written(value) for name, value in {**given, **(settings or {})}.items()}


def _written(value: Any) -> Any:
    """Large integers in hexadecimal; small ones in decimal, since they may be the name of a choice."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if value.bit_length() < 32 else hexadecimal(value)
    return value


class SettingsQuery(Query):
    """A radix and the settings of a model or core."""

    radix: str | None = option(
        "Power of two: weight of the digits that the model scans.", ["2^34", "4294967296"], default=None,
        help="Radix of the digits that the model scans.", metavar="2^K",
    )  # fmt: skip
    pairs: Sequence[str] = option(
        "A model parameter as NAME=VALUE; repeatable.", [["form=printed"]], flag="set", default=(),
        help="A model parameter; repeatable.", metavar="NAME=VALUE",
    )  # fmt: skip

    @property
    def settings(self) -> dict[str, str]:
        """Settings from `radix` and `pairs`. Raises ParameterError."""
        return merge_settings(self.radix, self.pairs)


class PrimeQuery(Query):
    """A required modulus."""

    prime: str | int = option(PRIME, _PRIMES, help=PRIME_HELP, metavar="P")


class AnyPrimeQuery(Query):
    """An optional modulus."""

    prime: str | int | None = option(
        f"{PRIME} Not of a model without modulus.", _PRIMES, default=None, help=PRIME_HELP, metavar="P"
    )


class ModelQuery(SettingsQuery, AnyPrimeQuery):
    """A multiplier."""

    model: str = option("Id of a model; /v1/models lists them.", ["cios", "iddmm2"], choices=lambda: registry.MODELS)

    @property
    def multiplier(self) -> Multiplier:
        """Raises ParameterError."""
        return Multiplier.resolve(self.model, self.prime, self.settings)


class EventsQuery(ModelQuery):
    """A model, or a multiplier: with a modulus, it is said where its events happen."""

    prime: str | int | None = option(
        f"{PRIME} Without it, events are only named.", _PRIMES, default=None,
        help=f"{PRIME_HELP} Without it, events are only named.", metavar="P",
    )  # fmt: skip

    @property
    def names_only(self) -> bool:
        """True without a modulus, so that events are only named. Raises ParameterError("model")."""
        return self.prime is None and registry.model(self.model).has_modulus


class CoreQuery(SettingsQuery, PrimeQuery):
    """A core."""

    core: str = option("Id of a core; /v1/cores lists them.", ["iddmm_arch2"], choices=lambda: registry.ARCHITECTURES)

    @property
    def core_request(self) -> CoreRequest:
        """Raises ParameterError."""
        return CoreRequest.resolve(self.core, self.prime, self.settings)


class FilterQuery(Query):
    """What is taken: lists of the catalogue with all that a modulus, a radix or a width leaves."""

    prime: str | int | None = option(
        f"{PRIME} Only what takes this modulus.", _PRIMES, default=None,
        help=f"Only what takes this modulus: {PRIME_HELP[0].lower()}{PRIME_HELP[1:]}", metavar="P",
    )  # fmt: skip
    radix: str | None = option(
        "Only what takes this radix.", ["2^34"], default=None, help="Only what takes this radix.", metavar="2^K"
    )
    bits: str | int | None = option(
        "Only what takes moduli of this width.", ["256"], default=None, help="Only what takes moduli of this width.",
        metavar="N", least=2,
    )  # fmt: skip


COUNT_HELP = (
    "Number of products; default 16, in `sim` as many as about two seconds hold, of kind exhaustive all; `cycles`: "
    "those of --operands."
)


def kind_option(kinds: Callable[[], Iterable[str]] = lambda: EVERY_KIND) -> Any:
    """The kind of drawn operands, of those that something takes."""
    return option(
        "; ".join(f"{kind}: {what}" for kind, what in EVERY_KIND.items())
        + f"; {DEFAULT_KIND} by default, mixed for elements of Fp2.", list(KINDS), default=None,
        help=f"{', '.join(EVERY_KIND)}; default {DEFAULT_KIND}; of Fp2: mixed.", metavar="KIND",
        choices=kinds,
    )  # fmt: skip


class DrawnQuery(Query):
    """Optional settings of drawn operands."""

    count: str | int | None = option(
        "Number of drawn cases; 16 by default, and all of kind exhaustive.",
        ["16", "1000"],
        default=None,
        help=COUNT_HELP,
        metavar="N",
        least=1,
    )
    seed: str | int | None = option(
        "Seed of the operands, 0 to 2^64-1; 1 by default.", ["1", "0xfeed"], default=None,
        help="Seed of the operands; default 1.", metavar="S", least=0,
    )  # fmt: skip
    kind: str | None = kind_option()
    event: Sequence[str] = option(
        "An event of the model, such as q[3]=max, of kind events; repeatable. /v1/events lists them.", [["q[0]=max"]],
        default=(), help="An event of the model, such as q[3]=max, of kind events; repeatable.", metavar="EVENT",
    )  # fmt: skip
    words: Sequence[str] = option(
        "Width of the limbs in which kinds directed and events show what hardware does, in bits; repeatable. By "
        "default that of a digit of the model, or common ones for a model without digits.", [["17"]],
        default=(), help="Width of the limbs of kinds directed and events, in bits; repeatable.", metavar="W",
    )  # fmt: skip

    @property
    def drawn_kind(self) -> str | None:
        """The kind with the events that were chosen, or with widths of limbs. Raises ParameterError."""
        return kind_with(self.kind, self.event, self.words)

    @property
    def drawn(self) -> dict[str, Any]:
        """Count, seed and kind, as far as they were given. Raises ParameterError."""
        asked = {"count": self.count, "seed": self.seed, "kind": self.drawn_kind}
        return {name: value for name, value in asked.items() if value is not None}
