# SPDX-License-Identifier: Apache-2.0
"""A run that asks a core for its results and takes nothing else of its description for granted but ports and times."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model
from limbtrace.rtl_bridge.core.core import Core, find
from limbtrace.rtl_bridge.core.core_file import CoreFile
from limbtrace.rtl_bridge.run.job import Job, ResultsJob
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.report.number_formulas import number_models

PATIENT = 16
"""Factor on the time that a product may take by core.toml."""
SQUARED = "p^2"
"""Bound of the operand of a core that may be a reducer."""
MODULUS = "p"
"""The radix of operands and results that hold several numbers below the modulus."""
PLAIN_MODELS: dict[bool, tuple[tuple[str, dict[str, Any]], ...]] = {
    False: (("modmul", {}), ("montgomery", {})),
    True: (("reduce", {"below": SQUARED}), ("reduce", {"below": "p"}), ("square", {}), ("redc", {"below": SQUARED})),
}
"""For cores with two operands and with one: models with few requirements, and settings, in the order of their trial."""


def bare_run(job: Job) -> Run:
    """The run of a job, with nothing compared but results as the ports have them, each of which may take long.

    A description whose model is open, unknown, or in conflict with the core is bound to a plain model. Raises
    ParameterError, as the description stands, if that is of no help either.
    """
    core = find(job.core, allow_outside=job.allow_outside, sandboxed=job.sandbox, any_model=True)
    raw = replace(core, file=_with_raw_results(core.file))
    refused: ParameterError | None = None
    for asked, described in [(job, raw), *_plain(job, raw)]:
        try:
            return _bare(_alone(ResultsJob(**dict(asked)), described))
        except ParameterError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def _with_raw_results(file: CoreFile) -> CoreFile:
    """The description, with numbers in two's complement as the port has them."""
    if not file.result.signed:
        return file
    result = file.result.model_copy(update={"signed": None, "above": None, "below": None})
    return file.model_copy(update={"compare": "residue", "result": result})


def _plain(job: Job, core: Core) -> Iterator[tuple[Job, Core]]:
    """The job and the core with each of the plain models."""
    file = core.file
    untimed = file.timeout is None and file.protocol.latency_formula is None
    common = {"schedule": None, "row": (), **({"timeout": "N * N + 256"} if untimed else {})}
    result = {"compare": "residue", "result": file.result.model_copy(update={"below": None})}
    exact = {**result, "compare": "result"}
    held = {str(operand.name) for operand in file.operand if operand.radix == MODULUS}
    held |= {"result"} if file.result.radix == MODULUS else set()
    several: list[tuple[str, dict[str, Any], dict[str, Any]]]
    several = [(model.id, {}, exact) for model in number_models() if _packed(model) == held] if held else []
    for model, settings, compared in (*several, *((*plain, result) for plain in PLAIN_MODELS[file.unary])):
        update = {**common, **compared, "model": model, "settings": settings}
        yield job.model_copy(update={"settings": {}}), replace(core, file=file.model_copy(update=update))


def _packed(model: Model[Any]) -> set[str]:
    """The operands and the result of a model that hold several numbers each."""
    return {side for side in model.numbers if model.packs(side)}


def _alone(job: Job, core: Core) -> Run:
    """The run, with streams of one product where the core has several in work."""
    run = settle(job, core)
    return run if run.bound.products == 1 else settle(job.model_copy(update={"stream": 1}), core)


def _bare(run: Run) -> Run:
    """The run with nothing compared but the exact result, which may take long."""
    bound = run.bound
    file = bound.core.file
    longest = max(bound.longest, 1) * PATIENT
    raw = {"below": None, **({"radix": None} if bound.multiplier.model.several else {})}
    result = file.result.model_copy(update=raw)
    update = {"row": (), "schedule": None, "timeout": longest, "compare": "result", "result": result}
    core = replace(bound.core, file=file.model_copy(update=update))
    return Run(run.job, replace(bound, core=core, plan=None, shape=None))
