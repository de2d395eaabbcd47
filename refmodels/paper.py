# SPDX-License-Identifier: Apache-2.0
"""What the house has of a paper."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from refmodels.architecture import Architecture
from refmodels.erratum import AnyErratum
from refmodels.figures import Figures
from refmodels.model import Model
from refmodels.space import Space


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper: its algorithms, the hardware it describes, its figures, and where it is wrong as printed."""

    id: str
    """Its name in requests, and the first part of the ids of its errata."""
    models: tuple[Model, ...]
    architectures: tuple[Architecture, ...]
    figures: Figures
    errata: tuple[AnyErratum, ...]
    right: Mapping[str, str] = field(default_factory=dict)
    """Numbers in its list of errata under which it turned out to be right as printed, and why."""
    spaces: tuple[Space[Any], ...] = ()
    """Choices of designs for cores that can be built in many ways."""
