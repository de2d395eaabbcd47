# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.fusesoc`: writes the description of each checked-in core for FuseSoC, beside its core.toml."""

import os
from collections.abc import Iterator
from pathlib import Path

from limbtrace.refmodels.registry import MODELS
from limbtrace.rtl_bridge.binding.bind import bind, example
from limbtrace.rtl_bridge.core.core import built_in, load
from limbtrace.rtl_bridge.flow.export import PART
from limbtrace.rtl_bridge.flow.for_vivado import WIDE
from limbtrace.rtl_bridge.flow.fusesoc import CoreDescription, VivadoTarget


def descriptions() -> Iterator[tuple[Path, str]]:
    """(file, content) for every core; parameters are those of the smallest example, which lint needs."""
    for folder in built_in():
        core = load(folder)
        files = [Path(os.path.relpath(path, folder)).as_posix() for path in core.rtl]
        parameters = bind(core, example(core), {}, {}).parameters
        wide = any(value.bit_length() > WIDE for value in parameters.values())
        yield (
            folder / f"{core.file.name}.core",
            CoreDescription(
                name=f"limbtrace::{core.file.name}",
                title=f"{MODELS[core.file.model].title}: {core.file.name}",
                top=core.file.top,
                rtl=files,
                parameters=parameters,
                synthesis=None if wide else VivadoTarget(PART, core.file.top, [*parameters]),
            ).text,
        )


def main() -> None:
    for path, text in descriptions():
        path.write_text(text)


if __name__ == "__main__":
    main()
