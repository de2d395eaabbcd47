# SPDX-License-Identifier: Apache-2.0
"""Every model and every architecture, by id."""

from typing import Any, TypeVar

from refmodels.algorithms import (
    barrett,
    cios,
    effm,
    ffm1,
    ffm2,
    fpmm,
    hffm,
    iddmm1,
    iddmm2,
    imm,
    llmonpro,
    monpro,
    mwr2kmm,
    mwr2mm,
    orup,
    ozturk,
    r2mm,
    redmonpro,
    redundant,
    vdf,
)
from refmodels.architecture import Architecture
from refmodels.architectures import fpmm as fpmm_pipeline
from refmodels.architectures import hffm as hffm_pairs
from refmodels.architectures import (
    iddmm_arch1,
    iddmm_arch2,
    mwr2mm_wordserial,
    r2mm_bitserial,
    vdf_squarer,
    vdf_squarer_axil,
)
from refmodels.architectures import llmonpro as llmonpro_datapath
from refmodels.architectures import redundant as redundant_pipeline
from refmodels.errors import ParameterError, shown
from refmodels.explore import Space
from refmodels.model import Model
from refmodels.spaces import fpmm as fpmm_space

_MODULES = (
    cios, fpmm, r2mm, mwr2mm, mwr2kmm, imm, iddmm1, iddmm2, orup, redundant, barrett, effm, ffm1, ffm2, hffm, monpro,
    redmonpro, ozturk, llmonpro, vdf,
)  # fmt: skip

MODELS: dict[str, Model] = {module.MODEL.id: module.MODEL for module in _MODULES}
ARCHITECTURES: dict[str, Architecture] = {
    a.ARCHITECTURE.id: a.ARCHITECTURE
    for a in (
        iddmm_arch1,
        iddmm_arch2,
        r2mm_bitserial,
        mwr2mm_wordserial,
        fpmm_pipeline,
        redundant_pipeline,
        hffm_pairs,
        llmonpro_datapath,
        vdf_squarer,
        vdf_squarer_axil,
    )
}
SPACES: dict[str, Space[Any]] = {space.core: space for space in (fpmm_space.SPACE,)}
"""Cores with a choice of designs."""

_Entry = TypeVar("_Entry")


def model(name: str) -> Model:
    """The model called `name`; raises ParameterError("model")."""
    return _look_up(MODELS, "model", name)


def architecture(name: str) -> Architecture:
    """The architecture called `name`; raises ParameterError("core")."""
    return _look_up(ARCHITECTURES, "core", name)


def space(core: str) -> Space[Any]:
    """The design space of the core called `core`; raises ParameterError("core")."""
    if core not in SPACES:
        raise ParameterError(
            "core", f"there are no designs of {shown(core)} to choose from; there are of {', '.join(SPACES)}"
        )
    return SPACES[core]


def _look_up(entries: dict[str, _Entry], kind: str, name: str) -> _Entry:
    if name not in entries:
        raise ParameterError(kind, f"there is no {kind} {shown(name)}; there is {', '.join(entries)}")
    return entries[name]
