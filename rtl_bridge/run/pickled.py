# SPDX-License-Identifier: Apache-2.0
"""A settled run as bytes, for a process of this program.

Whatever fields a bound core has are sent without another list of them. Models and architectures go by their names, and
a plan, which is made of functions, is made again from its shape.
"""

import io
import pickle
from dataclasses import replace
from typing import Any

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Architecture
from limbtrace.refmodels.model import Model
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.run import Run


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> tuple[str, str] | None:
        if isinstance(value, Model):
            return "model", value.id
        return ("architecture", value.id) if isinstance(value, Architecture) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: tuple[str, str]) -> Any:
        return {"model": registry.model, "architecture": registry.architecture}[name[0]](name[1])


def packed(run: Run) -> bytes:
    """The settled run."""
    stream = io.BytesIO()
    runs = [("", run), *run.others]
    _Pickler(stream).dump([(kind, one.job, replace(one.bound, plan=None), one.skipped) for kind, one in runs])
    return stream.getvalue()


def unpacked(data: bytes) -> Run:
    """The inverse."""
    settled: list[tuple[str, Job, Bound, int]] = _Unpickler(io.BytesIO(data)).load()
    (_, run), *others = [(kind, Run(job, _planned(bound), (), skipped)) for kind, job, bound, skipped in settled]
    return replace(run, others=others)


def _planned(bound: Bound) -> Bound:
    if bound.architecture is None or bound.shape is None:
        return bound
    return replace(bound, plan=bound.architecture.plan(bound.shape))
