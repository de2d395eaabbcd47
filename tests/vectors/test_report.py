# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations from anywhere: read whole, or refused with the place; what is kept is the same for all."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.report import canonical, read
from limbtrace.vectors.report.explain import Explanation
from tests.kept import HOSTILE, KEPT, PASSED, WITH_WAVES


@pytest.mark.parametrize("document", [KEPT, PASSED, HOSTILE, WITH_WAVES])
def test_a_report_is_kept_as_it_was_written(document: dict[str, Any]) -> None:
    text = dump(document)
    assert json.loads(canonical(read(document))) == document
    assert canonical(read(json.loads(canonical(read(document))))) == canonical(read(document))
    if document is KEPT:
        assert canonical(read(document)) == text


def test_what_follows_from_the_content_does_not_depend_on_how_it_is_written() -> None:
    backwards = {name: KEPT[name] for name in reversed(KEPT)}
    later = {**backwards, "of_a_later_release": [1], "first_divergence": {**KEPT["first_divergence"], "more": 7}}
    assert canonical(read(later)) == canonical(read(KEPT))


def test_reports_of_earlier_releases_are_read() -> None:
    """They have none of the members that were added since."""
    for name in ("rows", "shrunk", "stream", "kind", "wave_names", "waves", "observed"):
        earlier = {key: value for key, value in KEPT.items() if key != name}
        assert json.loads(canonical(read(earlier))) == earlier


def changed(path: str, value: Any) -> dict[str, Any]:
    document = json.loads(dump(KEPT))
    *names, last = path.split(".")
    place: Any = document
    for name in names:
        place = place[int(name) if isinstance(place, list) else name]
    place[int(last) if isinstance(place, list) else last] = value
    return dict(document)


DIFFERENCE = "first_divergence"
GROUP = HOSTILE["differences"][0]
SPOILED = {**GROUP["difference"], "replay": "limbtrace sim x; rm -rf ."}


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("core", 7, "core"),
        ("core", "x" * 201, "core"),
        ("core", "two\nlines", "core"),
        ("core", "\x1b[2J", "core"),
        ("core", "\0", "core"),
        ("model", "a\u202eb", "model"),
        ("model", "\ud800", "model"),
        ("format", "limbtrace/2", "format"),
        ("verified", -1, "verified"),
        ("verified", "3", "verified"),
        ("verified", True, "verified"),
        ("cycles", 1 << 64, "cycles"),
        ("seed", 1.5, "seed"),
        ("mismatches", 2, "mismatches"),
        ("mismatches", 0, "mismatches"),
        ("products_per_second", math.nan, "products_per_second"),
        ("products_per_second", math.inf, "products_per_second"),
        ("products_per_second", -1.0, "products_per_second"),
        ("disturbances", {"reset": -1}, "disturbances"),
        ("params", {str(k): k for k in range(300)}, "params"),
        ("params", {"n": [1]}, "params"),
        ("build", None, "build"),
        ("prime", 7, "prime"),
        ("prime.modulus", "13", "prime"),
        ("prime.modulus", "0x" + "f" * 60_000, "prime"),
        ("prime.name", "x" * 300, "prime"),
        ("wave_names", {}, "wave_names"),
        ("wave_names.signals", KEPT["wave_names"]["signals"][1:], "names 8 signals, and the rows have 9 columns"),
        ("wave_names.signals.0.kind", "wire", "wave_names"),
        ("wave_names.signals.0.width", -1, "wave_names"),
        ("wave_names.clock", "a\nb", "wave_names"),
        ("waves", {"first_cycle": 0, "signals": []}, "waves"),
        ("waves", {"first_cycle": 0, "signals": [{"name": "a", "kind": "register", "cells": []}]}, "waves"),
        ("waves", {"first_cycle": 0, "signals": [{"name": "a", "kind": "register", "cells": ["0x1"] * 257}]}, "waves"),
        ("waves", {"first_cycle": 0, "signals": [{"name": "a", "kind": "register", "cells": ["<b>"]}]}, "waves"),
        (DIFFERENCE, None, "mismatches"),
        (DIFFERENCE, [], DIFFERENCE),
        (f"{DIFFERENCE}.a", "0x", DIFFERENCE),
        (f"{DIFFERENCE}.a", "-0x1", DIFFERENCE),
        (f"{DIFFERENCE}.a", 5, DIFFERENCE),
        (f"{DIFFERENCE}.case", -1, DIFFERENCE),
        (f"{DIFFERENCE}.step", ["q"], DIFFERENCE),
        (f"{DIFFERENCE}.step", ["q", [1] * 20], DIFFERENCE),
        (f"{DIFFERENCE}.reason", "x" * 20_001, DIFFERENCE),
        (f"{DIFFERENCE}.disturbed", {"modulus": "x"}, DIFFERENCE),
        (f"{DIFFERENCE}.replay", "rm -rf .", "replay"),
        (f"{DIFFERENCE}.replay", "limbtrace sim x; rm -rf .", "replay"),
        (f"{DIFFERENCE}.replay", "limbtrace sim $(rm -rf .)", "replay"),
        (f"{DIFFERENCE}.replay", "limbtrace sim `date`", "replay"),
        (f"{DIFFERENCE}.replay", "limbtrace sim x > y", "replay"),
        (f"{DIFFERENCE}.replay", "limbtrace sim 'x", "replay"),
        (f"{DIFFERENCE}.replay", "limbtrace sim x\ndate", DIFFERENCE),
        ("rows.columns", ["q"] * 2001, "rows"),
        ("rows.columns", ["q"], "rows[0]"),
        ("rows.rows", [KEPT["rows"]["rows"][0]] * 65, "rows"),
        ("rows.rows.1.seen.0", "7", "rows"),
        ("rows.rows.1.seen.0", None, "rows"),
        ("rows.rows.1.golden", ["0x1"], "rows[1]"),
        ("rows.rows.1.cycle", "1", "rows"),
        ("shrunk", {"products": []}, "shrunk"),
        ("observed", [], "observed"),
        ("observed.before.a", "1", "observed"),
        ("observed.observations.0.text", "\x1b[2J", "observed"),
        ("observed.events", [7], "observed"),
        ("failures", {"most": 1}, "failures"),
        ("failures", {"most": 1, "failed": -1, "products": 2}, "failures"),
        ("differences", 7, "differences"),
        ("differences", [GROUP | {"kind": "odd"}], "differences"),
        ("differences", [GROUP | {"cases": []}], "differences"),
        ("differences", [GROUP, GROUP | {"difference": SPOILED}], "differences[1]"),
        ("operands", ["x"] * 20_001, "operands"),
        ("operands", "1,2", "operands"),
    ],
)
def test_wrong_reports(path: str, value: Any, place: str) -> None:
    with pytest.raises(ParameterError) as error:
        read(changed(path, value))
    assert place in str(error.value)
    assert len(str(error.value)) < 300
    assert "\n" not in str(error.value)


REQUIRED = sorted(set(KEPT) - {"rows", "kind", "wave_names", "observed"})


@pytest.mark.parametrize("name", REQUIRED)
def test_what_every_release_wrote_is_needed(name: str) -> None:
    with pytest.raises(ParameterError, match=name):
        read({key: value for key, value in KEPT.items() if key != name})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(["0x1", "q"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(sorted(KEPT)), st.sampled_from(["", *sorted(KEPT[DIFFERENCE])]), JSON)
def test_any_change_is_refused_or_kept_as_it_is(name: str, inner: str, value: Any) -> None:
    path = f"{DIFFERENCE}.{inner}" if inner else name
    try:
        text = canonical(read(changed(path, value)))
    except ParameterError:
        return
    assert canonical(read(json.loads(text))) == text
    assert all(ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 for c in text)
    json.dumps(json.loads(text), allow_nan=False).encode()


def test_the_explanation_knows_the_product() -> None:
    explained = Explanation.of(read(KEPT))
    assert explained.headline.startswith("An in cycle 4 is step A[1, 3], digit j of the accumulator after pass i")
    assert (explained.bits, explained.values) == ([0], (1, 0))
    assert explained.step in MODELS["iddmm2"].run(explained.multiplier.params, explained.a, explained.b).values
