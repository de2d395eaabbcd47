# SPDX-License-Identifier: Apache-2.0
"""Fingerprint of the inputs of a run: sources, core.toml and testbench, independent of paths."""

import json
import re
from collections.abc import Iterator

from limbtrace.rtl_bridge.elaboration.slang import synthesized_tokens
from limbtrace.rtl_bridge.shell.text import MODULES, Shell

_KEPT = {"synth", "route", "prove"}
"""Keys of a core.toml that list what is kept beside the core."""
_DRAWN = {"limbs"}
"""Keys that only decide which operands are drawn."""
_INSTANCE = re.compile(r"^ *(lt_\w+) ", re.MULTILINE)

Content = tuple[str, bytes]
"""A name without a folder, and what stands there."""


def contents(shell: Shell) -> Iterator[Content]:
    """All of it. It depends neither on places, nor on comments in core.toml, nor on modules of other benches."""
    yield from _core(shell, _KEPT)
    yield from ((name, text.encode()) for name, text in _bench(shell))


def synthesized_contents(shell: Shell) -> Iterator[Content]:
    """As a front end for synthesis sees it: no comments, layout or simulation-only lines of the testbench.

    Nor what only simulations depend on.
    """
    yield from _core(shell, _KEPT | _DRAWN)
    yield from ((name, " ".join(synthesized_tokens(text)).encode()) for name, text in _bench(shell))


def _core(shell: Shell, without: set[str]) -> Iterator[Content]:
    """The sources and the description."""
    yield from sorted(_sources(shell))
    yield "core.toml", _description(shell, without)


def _sources(shell: Shell) -> Iterator[Content]:
    files = {path.resolve() for path in (*shell.bound.files, *shell.bound.sources.simulated)}
    return ((file.name, file.read_bytes()) for file in files)


def _description(shell: Shell, without: set[str]) -> bytes:
    """The values of core.toml that are not defaults, but for these keys."""
    said = shell.bound.core.file.model_dump(mode="json", exclude=without, exclude_defaults=True)
    return json.dumps(said, sort_keys=True).encode()


def _bench(shell: Shell) -> Iterator[tuple[str, str]]:
    """The names and texts of the shell and of the modules that it is made of."""
    modules = {path.stem: path for path in MODULES}
    text = shell.text
    yield "shell", text
    waiting = [text]
    while waiting:
        for name in sorted(set(_INSTANCE.findall(waiting.pop())) & modules.keys()):
            text = modules.pop(name).read_text(encoding="utf-8")
            yield name, text
            waiting.append(text)
