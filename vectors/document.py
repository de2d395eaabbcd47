# SPDX-License-Identifier: Apache-2.0
"""The building blocks of the types of JSON documents, and the parts that several documents share.

A document's type is beside its writer, in `vectors/<document>/document.py`, and is the only definition of its
shape. Writers pass its `members`, which mypy compares with the type; readers check their input with
`vectors.validation.shaped`; the published schemas, OpenAPI and the typed client are derived from it. The types are
dataclasses, so that nothing here loads pydantic, which takes as long to load as all the models.

Integers are hexadecimal text. A document may carry more members than are named here; none is ever renamed.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Annotated, Any, Literal, ParamSpec, Self, dataclass_transform

P = ParamSpec("P")


def member(description: str | None = None, *, default: Any = MISSING, **limits: Any) -> Any:
    """A member of a type: its description in the schemas, and its limits by pydantic's names (`ge`, `min_length` ...).

    A member with a default is left out of a document if it has that value.
    """
    told = {} if description is None else {"description": description}
    return field(default=default, metadata={**told, **limits})


@dataclass_transform(kw_only_default=True, field_specifiers=(member,))
class Shape:
    """Base of the types; `name` is the published name of a type in schemas, if it differs from the class name."""

    def __init_subclass__(cls, name: str | None = None) -> None:
        cls.__name__ = cls.__qualname__ = name or cls.__name__
        dataclass(kw_only=True)(cls)

    @classmethod
    def model_validate(cls, document: Any) -> Self:
        """The document as an object. Raises pydantic.ValidationError."""
        found: Self = adapter(cls).validate_python(document)
        return found

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        """Like `model_validate`, from JSON."""
        found: Self = adapter(cls).validate_json(text)
        return found

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Every member."""
        return tuple(cls.__dataclass_fields__)  # type: ignore[attr-defined]

    def model_dump(self, *, exclude_unset: bool = False, **_: Any) -> dict[str, Any]:
        """The document with all members; with `exclude_unset` without those at their default."""
        document: dict[str, Any] = adapter(type(self)).dump_python(self, exclude_defaults=exclude_unset)
        return document


def adapter(shape: Any) -> Any:
    """pydantic's view of a type, computed once."""
    return _adapter(shape)


@cache
def _adapter(shape: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(shape)


def members(shape: Callable[P, object], *_: P.args, **given: P.kwargs) -> Any:
    """The members of a document of this type as written: in the order given, without those at their default.

    mypy compares names and types with those of `shape`; no object of it is created.
    """
    defaults: dict[str, Any] = _defaults(shape)
    return {name: value for name, value in given.items() if name not in defaults or value != defaults[name]}


@cache
def _defaults(shape: Any) -> dict[str, Any]:
    return {f.name: [] if f.default == () else f.default for f in fields(shape) if f.default is not MISSING}


class Told:
    """Description and limits (by pydantic-core's names) of a part of a type that is not a member, for the schemas."""

    def __init__(self, description: str | None = None, **limits: Any) -> None:
        self._description, self._limits = description, limits

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return {**handler(source), **self._limits}

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        found = handler(schema)
        return found if self._description is None else {**found, "description": self._description}


class Otherwise:
    """The sentence about a value that is not of this type, in which {} stands for the value.

    `named`: the sentence names its member; otherwise the place of the value is given. A fault inside of the value has
    its own sentence, if its type has one.
    """

    def __init__(self, sentence: str, *, damage: bool = True, named: bool = False) -> None:
        """`damage`: the value can only come from an edited document; otherwise it may be a user's mistake."""
        self._sentence, self._kind = sentence, "named" if named else "damage" if damage else "value"

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        schema = handler(source)
        if schema["type"] in ("list", "tuple", "dict", "dataclass", "definition-ref"):
            return core_schema.no_info_wrap_validator_function(self._judge, schema)
        return core_schema.custom_error_schema(schema, self._kind, custom_error_message=self._sentence)

    def _judge(self, value: Any, validate: Callable[[Any], Any]) -> Any:
        from pydantic_core import PydanticCustomError, ValidationError

        try:
            return validate(value)
        except ValidationError as error:
            if all(found["type"] in SENTENCES for found in error.errors(include_url=False)):
                raise
            raise PydanticCustomError(self._kind, self._sentence) from None


SENTENCES = ("named", "damage", "value")
"""Pydantic's type of errors that carry our own sentence."""


class _Cleaned:
    """Text without lone surrogates, which JSON may contain but which cannot be output."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(
            lambda value: value.encode(errors="replace").decode() if isinstance(value, str) else value, handler(source)
        )


Hex = Annotated[
    str,
    Told("integer in hexadecimal, such as 0x1f or -0x1", pattern=r"^-?0x[0-9a-fA-F]+$"),
    Otherwise("{} is not a hexadecimal integer such as 0x1f", damage=False),
]
Int = Annotated[int, Told(strict=True)]
Text = Annotated[str, _Cleaned(), Otherwise("{} is no text")]
DigitVectors = Annotated[dict[str, list[Hex]], Told("by representation, low digit first")]
DigitsOfCase = Annotated[
    dict[Literal["a", "b", "result"], DigitVectors] | None,
    Told("a, b and result as digits, of models with several ways to hold them"),
]
Form = Literal["corrected", "printed"]
Settings = dict[str, int | str]
"""Parameters by name: integers, or strings for parameters whose values have names."""
StepName = tuple[Annotated[str, Told("the paper's symbol")], list[int]]
Step = tuple[Annotated[str, Told("the paper's symbol")], list[int], Hex]


class Document(Shape):
    """The first members of every document."""

    format: Literal["limbtrace/1"]


class PrimeShape(Shape, name="Prime"):
    """A modulus: at least 2, and odd but for models of plain products."""

    name: str | None = member("name in the catalogue, null for any other modulus")
    modulus: Hex
    bits: int = member(ge=2)
    primality: Literal["prime", "composite"]


class MultiplierShape(Shape):
    """A model with a modulus and resolved parameters."""

    model: str = member("id of the model")
    form: Form = member("corrected, or printed: bit-exact to the paper, its errors included")
    prime: PrimeShape | None = member("null for a model without modulus")
    radix: str | None = member(
        "radix of the digits scanned, null for an algorithm without digits", pattern=r"^2\^[0-9]+$"
    )
    params: Settings = member("digit counts and other parameters")
    constants: dict[str, Hex] = member("derived constants by the paper's names")
    mended: list[str] = member("errata mended in a printed form that could not run at all", default=())


class PrimeReference(Shape):
    """A modulus as documents name it."""

    modulus: Hex


class MultiplierReference(Shape):
    """The multiplier of a user's document."""

    format: Literal["limbtrace/1"] = member(default="limbtrace/1")
    model: str
    prime: str | int | PrimeReference | None = member(
        "catalogue name, integer, expression, or {modulus}; null for a model without modulus"
    )
    radix: str | None = member("power of two; the model's default if it is missing", default=None)
    params: Settings = field(
        default_factory=dict,
        metadata={"description": "parameters of the model", "json_schema_extra": {"default": {}}},
    )
    form: Form = member(default="corrected")


class Choice(Shape):
    """A model or core that a request could name."""

    id: str
    url: str = member("the request with it, without the address of the service")


class Problem(Shape):
    """Why a request was not served (RFC 9457)."""

    type: str = member("kind of problem, a URN")
    title: str
    status: int = member(ge=400, le=599)
    detail: str = member("one sentence with the limit and the value that exceeded it")
    instance: str = member("path of the request")
    parameter: str | None = member("the parameter that cannot be served", default=None)
    models: list[Choice] = member("where none is named: those that take this modulus and radix", default=())
    cores: list[Choice] = member("where none is named: those that take this modulus and radix", default=())


class Health(Document):
    """The service answers."""

    status: Literal["ok"]
    version: str
