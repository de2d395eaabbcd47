# SPDX-License-Identifier: Apache-2.0
"""Fingerprint of the inputs of a run: sources, core.toml and testbench, independent of paths."""

import json
import re
from collections.abc import Iterator

from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.shell.text import MODULES

_KEPT = {"synth", "route", "prove"}
"""Keys of a core.toml that list what is kept beside the core."""
_INSTANCE = re.compile(r"^ *(lt_\w+) ", re.MULTILINE)

Content = tuple[str, bytes]
"""A name without a folder, and what stands there."""


def contents(run: Run) -> Iterator[Content]:
    """All of it. It depends neither on places, nor on comments in core.toml, nor on modules of other benches."""
    yield from sorted(_sources(run))
    yield "core.toml", _description(run)
    yield from _bench(run)


def _sources(run: Run) -> Iterator[Content]:
    files = {path.resolve() for path in (*run.bound.files, *run.bound.sources.simulated)}
    return ((file.name, file.read_bytes()) for file in files)


def _description(run: Run) -> bytes:
    """The values of core.toml that are not defaults."""
    said = run.bound.core.file.model_dump(mode="json", exclude=_KEPT, exclude_defaults=True)
    return json.dumps(said, sort_keys=True).encode()


def _bench(run: Run) -> Iterator[Content]:
    """The shell, and the modules that it is made of."""
    modules = {path.stem: path for path in MODULES}
    text = run.shell.text
    yield "shell", text.encode()
    waiting = [text]
    while waiting:
        for name in sorted(set(_INSTANCE.findall(waiting.pop())) & modules.keys()):
            text = modules.pop(name).read_text(encoding="utf-8")
            yield name, text.encode()
            waiting.append(text)
