# SPDX-License-Identifier: Apache-2.0
"""A report of a simulation of a core with a planted fault, as `limbtrace sim --json` wrote it, and a waveform of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from limbtrace.vectors.report import canonical, read, report_id
from limbtrace.vectors.report.waves import excerpt

DATA = Path(__file__).parent / "data"
KEPT: dict[str, Any] = json.loads((DATA / "report_iddmm_arch2.json").read_text())
PROOF: dict[str, Any] = json.loads((DATA / "proof_iddmm_arch2.json").read_text())
"""What `limbtrace prove --json` wrote of a faulty core."""
REACH: dict[str, Any] = json.loads((DATA / "reach_iddmm2.json").read_text())
"""What `limbtrace reach --json` wrote of an event that the solver found operands for."""
TIMING: dict[str, Any] = json.loads((DATA / "timing_toy.json").read_text())
"""What `limbtrace prove --timing --json` wrote of a core that ends early."""
DOMAIN: dict[str, Any] = json.loads((DATA / "domain_short_mont.json").read_text())
"""What `limbtrace domain --prove --json` wrote of a core whose border the prover moved."""
WAVES = DATA / "waves_iddmm_arch2.vcd"
"""What `--waves` wrote when the product was replayed."""
WITH_WAVES: dict[str, Any] = json.loads(canonical(replace(read(KEPT), waves=excerpt(read(KEPT), WAVES))))
PASSED: dict[str, Any] = {
    **{name: value for name, value in KEPT.items() if name not in ("rows", "wave_names")},
    "verified": 40,
    "mismatches": 0,
    "first_divergence": None,
}
ATTACK = "\"'><script>/evil</script>{{7*191}}"
HOSTILE: dict[str, Any] = {
    **KEPT,
    "core": ATTACK,
    "model": ATTACK,
    "simulator": ATTACK,
    "mode": ATTACK,
    "kind": ATTACK,
    "radix": ATTACK,
    "params": {ATTACK: ATTACK},
    "build": {ATTACK: ATTACK},
    "disturbances": {ATTACK: 1},
    "prime": {**KEPT["prime"], "name": ATTACK},
    "first_divergence": {
        **KEPT["first_divergence"],
        "signal": ATTACK,
        "step": [ATTACK, [1]],
        "expected": ATTACK,
        "seen": ATTACK,
        "reason": ATTACK,
    },
    "rows": {**KEPT["rows"], "columns": [ATTACK] * len(KEPT["rows"]["columns"])},
    "observed": {
        "comment": ATTACK,
        "before": {"a": "0x1", "b": "0x2"},
        "observations": [{"kind": ATTACK, "text": ATTACK}],
        "events": [ATTACK],
    },
    "failures": {"most": 2, "failed": 1, "products": 4},
    "differences": [
        {
            "signal": ATTACK,
            "step": ATTACK,
            "kind": "value",
            "observation": ATTACK,
            "cases": [3],
            "difference": {**KEPT["first_divergence"], "signal": ATTACK, "reason": ATTACK},
        }
    ],
    "shrunk": {
        "products": [["0x1", "0x2"]],
        "events": [ATTACK],
        "likely_cause": [ATTACK],
        "simulations": 1,
        "replay": "limbtrace sim x",
    },
    "waves": {
        "first_cycle": 4,
        "signals": [{"name": ATTACK, "column": ATTACK, "kind": "register", "cells": ["0x1"]}],
        "missing": [ATTACK],
    },
}
"""A report that a page has to show as text."""

KEPT_ID, PASSED_ID, HOSTILE_ID, WAVES_ID = (
    report_id(canonical(read(document))) for document in (KEPT, PASSED, HOSTILE, WITH_WAVES)
)
"""Their ids at every service that has them."""
