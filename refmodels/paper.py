# SPDX-License-Identifier: Apache-2.0
"""The contents of a paper: models, hardware, figures and errata."""

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
    """A paper: its algorithms, the hardware it describes, its figures, and its errata."""

    id: str
    """Its name in requests, and the first part of the ids of its errata."""
    models: tuple[Model, ...]
    architectures: tuple[Architecture, ...]
    figures: Figures
    errata: tuple[AnyErratum, ...]
    right: Mapping[str, str] = field(default_factory=dict)
    """Withdrawn numbers in its list of errata, with the reason why the paper is right as printed."""
    spaces: tuple[Space[Any], ...] = ()
    """Design spaces of cores that can be built in many ways."""
