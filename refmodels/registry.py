# SPDX-License-Identifier: Apache-2.0
"""Every model and every architecture, by id."""

from typing import Any, TypeVar

from refmodels.architecture import Architecture
from refmodels.errors import ParameterError, shown
from refmodels.model import Model
from refmodels.papers.fpmm import cios, fpmm
from refmodels.papers.fpmm import designs as fpmm_space
from refmodels.papers.fpmm import pipeline as fpmm_pipeline
from refmodels.papers.iddmm import (
    iddmm1,
    iddmm2,
    iddmm_arch1,
    iddmm_arch2,
    imm,
    mwr2kmm,
    mwr2mm,
    mwr2mm_wordserial,
    r2mm,
    r2mm_bitserial,
)
from refmodels.papers.llmonpro import datapath as llmonpro_datapath
from refmodels.papers.llmonpro import llmonpro, monpro, ozturk, redmonpro, vdf, vdf_squarer, vdf_squarer_axil
from refmodels.papers.redundant import orup, redundant
from refmodels.papers.redundant import pipeline as redundant_pipeline
from refmodels.papers.sidh import barrett, effm, ffm1, ffm2, hffm
from refmodels.papers.sidh import units as hffm_pairs
from refmodels.space import Space

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
