# SPDX-License-Identifier: Apache-2.0
"""Descriptions in TOML: a file is an object of its type, or one sentence that names the key that is wrong."""

import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from limbtrace.rtl_bridge.description.table import SAID_OF_PATTERNS

MAX_BYTES = 1 << 20
"""Longest description, in bytes."""

T = TypeVar("T", bound=BaseModel)


def read(
    path: Path,
    shape: type[T],
    kind: str,
    check: Callable[[str], str | None] = lambda text: None,
    alternatives: Collection[str] = (),
) -> T | str:
    """The object that a file describes, or the error in it as a clause to follow its path.

    `kind` is what such a file is called. `check` may find fault with the text. `alternatives` are names that pydantic
    puts among keys, and that are none. The error is returned because pydantic's exceptions keep the frames of
    validators and callers alive.
    """
    try:
        with path.open("rb") as stream:
            text = stream.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            return f"is longer than {MAX_BYTES} bytes"
        document = tomllib.loads(text.decode())
        if (wrong := check(text.decode())) is not None:
            return wrong
        return shape.model_validate(document)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return f"is not TOML: {error}"
    except RecursionError:
        return "is nested too deeply"
    except ValidationError as error:
        return f"is wrong: {_sentence(error, kind, (*alternatives, 'constrained-str', 'int', '[key]'))}"


def _sentence(error: ValidationError, kind: str, alternatives: Collection[str]) -> str:
    """The first complaint: key, fault, and the value given."""
    first = error.errors()[0]
    key = ""
    for part in first["loc"]:
        if isinstance(part, int):
            key += f"[{part}]"
        elif part not in alternatives:
            key += f".{part}" if key else str(part)
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        return f"{key} is no key of {kind}"
    if first["type"] == "missing":
        return f"{key} is missing"
    if first["type"] == "literal_error":
        choices = first["ctx"]["expected"].replace("False", "false").replace("True", "true")
        return f"{key} is {str(first['input'])[:60]!r}, and should be {choices}"
    if first["type"] == "value_error":
        return f"{key} {message}".strip()
    if first["type"] == "string_pattern_mismatch" and (said := SAID_OF_PATTERNS.get(first["ctx"]["pattern"])):
        return f"{key} is {str(first['input'])[:60]!r}, and {said}"
    return f"{key}: {message[:1].lower()}{message[1:]}, not {str(first['input'])[:60]!r}"
