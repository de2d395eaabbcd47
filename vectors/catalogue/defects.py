# SPDX-License-Identifier: Apache-2.0
"""Documents about the atlas of defects: public faults of modular arithmetic, and what finds them first.

`./run defects` measures the first case of each kind of operands and writes `defects.json`.
"""

import json
import shlex
from functools import cache
from importlib.resources import files
from typing import Any

from limbtrace.refmodels.defects import ATLAS, Defect, DefectKind
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.catalogue.document import DefectDocument, DefectsDocument, DefectShape
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.request import DIRECTED, Multiplier

FILE = "defects.json"


@cache
def measured() -> dict[str, Any]:
    """Cases that were tried, their seed, and for each defect the first case of each kind that shows it."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return found


def multiplier_of(defect: Defect) -> Multiplier:
    """The multiplier whose results are right."""
    return Multiplier.resolve(defect.model, defect.prime, dict(defect.settings))


def defects_document(mechanism: str | None = None) -> dict[str, Any]:
    """All defects, or those of a mechanism. Raises ParameterError for an unknown one."""
    if mechanism is not None and mechanism not in {known.value for known in DefectKind}:
        raise ParameterError("mechanism", f"{shown(mechanism)} is not one of {', '.join(DefectKind)}")
    document: dict[str, Any] = members(
        DefectsDocument,
        format=FORMAT,
        mechanisms={known.value: known.meaning for known in DefectKind},
        cases=measured()["cases"],
        seed=measured()["seed"],
        defects=[_shape(defect) for defect in ATLAS.values() if mechanism in (None, defect.kind.value)],
    )
    return document


def defect_document(name: str) -> dict[str, Any]:
    """One defect by its id. Raises ParameterError for an unknown one."""
    if name not in ATLAS:
        raise ParameterError(
            "defect", f"{shown(name)} is not in the atlas; `limbtrace defects` and /v1/defects list all"
        )
    document: dict[str, Any] = members(DefectDocument, format=FORMAT, **_shape(ATLAS[name]))
    return document


def _shape(defect: Defect) -> Any:
    multiplier = multiplier_of(defect)
    a, b = defect.killing
    model, modulus = multiplier.model, multiplier.modulus.modulus
    return members(
        DefectShape,
        id=defect.id,
        title=defect.title,
        year=defect.year,
        identifier=defect.identifier,
        source=defect.source,
        place=defect.place,
        mechanism=defect.kind.value,
        hardware=defect.is_hardware,
        statement=defect.statement,
        rate=defect.rate,
        model=defect.model,
        prime=defect.prime,
        settings=dict(defect.settings),
        a=hexadecimal(a),
        b=None if model.unary else hexadecimal(b),
        right=hexadecimal(model.result(multiplier.params, a, b)),
        wrong=hexadecimal(defect.compute(a, b, modulus)),
        first=measured()["first"].get(defect.id, {}),
        command=_command(defect),
        simulation=shlex.join(["limbtrace", "sim", defect.id, "--prime", defect.prime]) if defect.is_hardware else None,
    )


def _command(defect: Defect) -> str:
    """A request for as many cases as show it."""
    first = measured()["first"].get(defect.id, {})
    kinds = {kind: case for kind, case in first.items() if case is not None}
    kind = DIRECTED if DIRECTED in kinds else min(kinds, key=lambda name: kinds[name], default=DIRECTED)
    words = ["limbtrace", "vectors", defect.model, "--prime", defect.prime]
    for name, value in defect.settings.items():
        words += ["--set", f"{name}={value}"]
    return shlex.join([*words, "--kind", kind, "--count", str(kinds.get(kind, 0) + 1)])
