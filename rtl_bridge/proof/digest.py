# SPDX-License-Identifier: Apache-2.0
"""What a proof is about, as a digest, and whether a kept proof is of what is there now."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from rtl_bridge.run.run import Run
from rtl_bridge.shell.text import MODULES

_IRRELEVANT = {"synth", "prove"}
"""Keys of a core.toml that list what is kept beside the core."""
_INSTANCE = re.compile(r"^ *(lt_\w+) ", re.MULTILINE)


def digest(run: Run) -> str:
    """SHA-256, in hexadecimal, of all that a proof is about: the sources, their description, and the bench.

    It depends on contents alone: neither on places, nor on comments in core.toml, nor on modules of other benches.
    """
    key = hashlib.sha256()
    for name, content in [*sorted(_sources(run)), ("core.toml", _description(run)), *_bench(run)]:
        key.update(f"{name}\0{len(content)}\0".encode() + content)
    key.update(repr(sorted((field.name, field.value) for field in run.shell.constants)).encode())
    return key.hexdigest()


def is_current(run: Run, proof: Mapping[str, Any]) -> bool:
    """Whether a document is of the run's core, as it is now, and of the run's modulus and settings."""
    bound = run.bound
    about = {"digest": digest(run), "multiplier": bound.head, "parameters": dict(bound.parameters)}
    return all(proof[name] == json.loads(json.dumps(value)) for name, value in about.items())


def _sources(run: Run) -> Iterator[tuple[str, bytes]]:
    files = {*run.bound.files, *run.bound.sources.simulated}
    return ((file.name, file.read_bytes()) for file in files)


def _description(run: Run) -> bytes:
    """What core.toml says, without what it leaves at its default."""
    said = run.bound.core.file.model_dump(mode="json", exclude=_IRRELEVANT, exclude_defaults=True)
    return json.dumps(said, sort_keys=True).encode()


def _bench(run: Run) -> Iterator[tuple[str, bytes]]:
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
