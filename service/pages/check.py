# SPDX-License-Identifier: Apache-2.0
"""Check a core: a form that takes RTL and shows a first `core.toml`, with a reason for each guess."""

import base64
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.service.http import cost_model
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.http.uploads import FormPart, FormParts, check_names
from limbtrace.service.pages import forms
from limbtrace.service.pages.forms import ShownCommand
from limbtrace.service.pages.render import answered
from limbtrace.service.routes import core_files

router = APIRouter(include_in_schema=False)

PASTED = "core.sv"
"""The name of a source that was pasted."""
FILES, TEXT = "files", "text"
_FIELDS = ("top", "model", "prime", "radix", "set")


@router.get("/check")
def check(here: Here) -> Response:
    """The empty form, or with the values of the query string."""
    fields = forms.fields(here)
    given = dict(fields)

    def work() -> dict[str, Any]:
        _check_fields([name for name, _ in fields], given)
        return {"draft": None}

    return answered(here, "check.html", _choices(here, given), work, {"draft": None})


@router.post("/check")
def checked(here: Here, sent: FormParts) -> Response:
    """The form with the description of the core."""
    given = {part.name: _typed(part) for part in sent if part.file is None}
    given = {name: value for name, value in given.items() if value.strip()}
    return answered(here, "check.html", _choices(here, given), lambda: _answer(here, given, sent), {"draft": None})


def _typed(part: FormPart) -> str:
    """The text typed into a field."""
    text = part.content.decode(errors="replace").replace("\r\n", "\n")
    return text if part.name == TEXT else text.strip()


def _choices(here: Exchange, given: dict[str, str]) -> dict[str, Any]:
    return {
        "given": given,
        "models_by_name": [("", "not known yet"), *((name, name) for name in MODELS)],
        "primes": CATALOGUE.values(),
        "limit": here.limits.max_source_bytes >> 10,
        "most_files": core_files.MOST_FILES,
    }


def _check_fields(names: Iterable[str], given: dict[str, str]) -> None:
    """Raises ParameterError for unknown fields, and for files that were typed."""
    check_names(names, (FILES, TEXT, *_FIELDS), several=(FILES,))
    if FILES in given:
        raise ParameterError(FILES, f"a file is sent with the form, and not as {shown(given[FILES][:60])}")


def _answer(here: Exchange, given: dict[str, str], sent: Sequence[FormPart]) -> dict[str, Any]:
    """The description, and what to do with it. Raises ParameterError."""
    _check_fields((part.name for part in sent), given)
    files = _files(sent)
    here.charge(cost_model.of_body(sum(map(len, files.values()))))
    options = {name: given[name] for name in _FIELDS if name in given}
    single = {name: value for name, value in options.items() if name != "set"}
    document = core_files.draft(here, files, single, given.get("set", "").split())
    text: str = document["text"]
    by_line = {line["line"]: line for line in document["lines"]}
    rows = [
        {"number": number, "text": line, "state": by_line[number]["state"] if number in by_line else ""}
        for number, line in enumerate(text.splitlines(), 1)
    ]
    return {
        "draft": document,
        "rows": rows,
        "guesses": sum(line["state"] == "guess" for line in document["lines"]),
        "open": sum(line["state"] == "open" for line in document["lines"]),
        "download": f"data:application/toml;base64,{base64.b64encode(text.encode()).decode()}",
        "lines": _commands(document, sorted(files), options),
    }


def _files(sent: Iterable[FormPart]) -> dict[str, bytes]:
    """The sources of a form by their names. Raises ParameterError."""
    found: dict[str, bytes] = {}
    for part in sent:
        name = part.file if part.name == FILES else PASTED if part.name == TEXT else None
        if not name or not part.content.strip():  # a browser sends an empty file where none was chosen
            continue
        if name in found:
            raise ParameterError(FILES, f"there are two sources called {shown(name)}")
        found[name] = part.content
    if not found:
        raise ParameterError(FILES, "choose a file or paste Verilog; what was sent is empty")
    return found


def _commands(document: dict[str, Any], names: list[str], options: dict[str, str]) -> list[ShownCommand]:
    """The next commands, on the user's machine."""
    folder, prime = document["name"], shlex.quote(options.get("prime", "P"))
    return [
        ShownCommand("The same on your machine", " ".join(["limbtrace init", folder, *_flags(options)])),
        ShownCommand("Simulate", f"limbtrace sim {folder} --prime {prime}"),
        ShownCommand(
            "Every disturbance, 1000 products", f"limbtrace sim {folder} --prime {prime} --count 1000 --disturb all"
        ),
    ]


def _flags(options: dict[str, str]) -> list[str]:
    pairs = [(name, value) for name, value in options.items() if name != "set"]
    pairs += [("set", value) for value in options.get("set", "").split()]
    return [word for name, value in pairs for word in (f"--{name}", shlex.quote(value))]
