# SPDX-License-Identifier: Apache-2.0
"""Every model and every architecture, by id."""

from typing import TypeVar

from refmodels.algorithms import cios, fpmm, iddmm1, iddmm2, imm, mwr2kmm, mwr2mm, orup, r2mm, redundant
from refmodels.architecture import Architecture
from refmodels.architectures import fpmm as fpmm_pipeline
from refmodels.architectures import iddmm_arch1, iddmm_arch2, mwr2mm_wordserial, r2mm_bitserial
from refmodels.errors import ParameterError, shown
from refmodels.model import Model

_MODULES = (cios, fpmm, r2mm, mwr2mm, mwr2kmm, imm, iddmm1, iddmm2, orup, redundant)

MODELS: dict[str, Model] = {module.MODEL.id: module.MODEL for module in _MODULES}
ARCHITECTURES: dict[str, Architecture] = {
    a.ARCHITECTURE.id: a.ARCHITECTURE
    for a in (iddmm_arch1, iddmm_arch2, r2mm_bitserial, mwr2mm_wordserial, fpmm_pipeline)
}

_Entry = TypeVar("_Entry")


def model(name: str) -> Model:
    """The model called `name`; raises ParameterError("model")."""
    return _look_up(MODELS, "model", name)


def architecture(name: str) -> Architecture:
    """The architecture called `name`; raises ParameterError("core")."""
    return _look_up(ARCHITECTURES, "core", name)


def _look_up(entries: dict[str, _Entry], kind: str, name: str) -> _Entry:
    if name not in entries:
        raise ParameterError(kind, f"there is no {kind} {shown(name)}; there is {', '.join(entries)}")
    return entries[name]
