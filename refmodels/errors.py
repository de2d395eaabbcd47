# SPDX-License-Identifier: Apache-2.0
"""The one exception that means "the request was wrong"."""

import json
from typing import Any


def shown(value: object) -> str:
    """An input value as an error message quotes it: shortened if long; None, booleans, lists and dicts as in JSON."""
    if isinstance(value, int) and abs(value) >= 1 << 64:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value) if isinstance(value, str) else str(value)
    if value is None or isinstance(value, bool | list | dict):
        text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def printable(text: str) -> str:
    """Text from elsewhere with U+FFFD for characters that a terminal acts upon or XML does not take; lines stay."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


class ParameterError(ValueError):
    """A parameter that cannot be served.

    `parameter` is its name on the wire, `reason` one clear sentence that gives the limit and the number that broke it.
    """

    def __init__(self, parameter: str, reason: str) -> None:
        # Quoted input may hold characters that cannot be encoded for output.
        parameter, reason = (text.encode(errors="backslashreplace").decode() for text in (parameter, reason))
        super().__init__(f"{parameter}: {reason}")
        self.parameter = parameter
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        """As pickles need it; those of exceptions suppose that a class takes what `args` holds, which is the text."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[ParameterError], args: tuple[Any, ...], members: dict[str, Any]) -> ParameterError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(members)
    return error
