# SPDX-License-Identifier: Apache-2.0
"""What an elaborated design has, as far as the bridge looks at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class DesignPort:
    """A port of the elaborated design; `width` in bits."""

    name: str
    direction: str
    width: int


@dataclass(frozen=True)
class Design:
    """What is of interest, in types of our own: an exception must not keep the compiler's objects alive."""

    parameters: tuple[str, ...] = ()
    ports: tuple[DesignPort, ...] = ()
    inside: str = ""
    """What names of signals of the core begin with, below the top that is simulated: the core in its probe."""
    signals: Mapping[str, int] = field(default_factory=dict)
    """Bits of the signals inside that the description names, as far as they are there."""
    files: tuple[Path, ...] = ()
    """All that was read, included files too; sorted, since threads read them."""
    error: str | None = None
