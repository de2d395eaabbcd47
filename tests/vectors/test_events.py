# SPDX-License-Identifier: Apache-2.0
"""Kinds `events` and `directed`, chosen events, flags and notes, and what sets cover."""

import json
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event_search import REACHABLE, Occurrences
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.coverage import Coverage
from limbtrace.vectors.cycles import cycle_request
from limbtrace.vectors.operands import SHARE, operands, pairs
from limbtrace.vectors.request import CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet
from limbtrace.vectors.strategies import happenings
from tests.vectors.test_cli import document, good, run

IDDMM2 = Multiplier.resolve("iddmm2", "2^61-1", {"radix": "2^8"})
SHAPES: dict[str, tuple[str | None, dict[str, str]]] = {
    **dict.fromkeys(MODELS, ("2^61-1", {})),
    "ozturk": (None, {}),
    "solinas": ("2^32-2^16+1", {}),
    "vdf": ("2^29-3", {"d": "8", "t": "2"}),
    "hffm": ("2^20*3^13-1", {}),
    "ffm2": ("2^20*3^13-1", {}),
    "effm": ("2*(2^10*3^7)^2-1", {}),
    "ffm1": ("2*(2^10*3^7)^2-1", {}),
}


def multiplier(name: str) -> Multiplier:
    modulus, given = SHAPES[name]
    return Multiplier.resolve(name, modulus, given)


@pytest.mark.parametrize("kind", ["events", "directed"])
@pytest.mark.parametrize("name", MODELS)
def test_first_cases_do_not_depend_on_the_count(name: str, kind: str) -> None:
    m = multiplier(name)
    few, many = (list(operands(VectorRequest.resolve(m, count, 5, kind))) for count in (23, 90))
    assert (len(few), len(many)) == (23, 90)
    assert many[:23] == few
    for a, b, _ in many:
        m.model.check_operands(m.params, int(a), int(b))


def test_seeds_differ() -> None:
    one, other = (list(pairs(VectorRequest.resolve(IDDMM2, 50, seed, "events"))) for seed in (1, 2))
    assert sum(x != y for x, y in zip(one, other, strict=True)) > 40


def test_directed_takes_turns() -> None:
    """Of its own events every second case; `tests/vectors/test_mechanisms.py` looks at the others."""
    labels = [comment for _, _, comment in operands(VectorRequest.resolve(IDDMM2, 40, 1, "directed"))]
    events = [comment for _, _, comment in operands(VectorRequest.resolve(IDDMM2, 20, 1, "events"))]
    assert labels[::2] == events


def test_directed_has_fewer_events_once_each_was_there() -> None:
    known = Occurrences(IDDMM2.model, IDDMM2.params)
    first = len(list(known.first_turn()))
    labels = [
        comment for _, _, comment in operands(VectorRequest.resolve(IDDMM2, 2 * first + 20 * SHARE, 1, "directed"))
    ]
    events = [label for _, label in islice(known.stream(), first + 20)]
    assert labels[: 2 * first : 2] == events[:first]
    assert labels[2 * first :: SHARE] == events[first:]
    names = {event.name for event in IDDMM2.model.events}
    assert not any(label.split("[")[0] in names for label in labels[2 * first + 1 :: SHARE])


def test_flags_and_notes() -> None:
    """A case has the event it is meant for as a flag, and the note of a flag says what it finds."""
    vectors = VectorSet(VectorRequest.resolve(IDDMM2, 60, 1, "directed"))
    cases = list(vectors.cases())
    names = {event.name for event in IDDMM2.model.events}
    for place, case in enumerate(cases):
        assert (len(names & set(case.flags)) == 1) == (place % 2 == 0)
        assert all(flag in vectors.head["notes"] for flag in case.flags)
    assert vectors.head["notes"]["C>=beta"].endswith("it finds a carry that is one bit too short (IDDMM, section 3)")
    plain = VectorSet(VectorRequest.resolve(IDDMM2, 60, 1, "mixed"))
    assert not names & {*plain.head["notes"], *(flag for case in plain.cases() for flag in case.flags)}


def test_chosen_events() -> None:
    request = VectorRequest.resolve(IDDMM2, 12, 1, "events:q[3]=max;C[2,2]>=beta")
    m = request.multiplier
    for (a, b), label in zip(pairs(request), ["q[3,0]=max", "C[2,2]>=beta"] * 6, strict=False):
        run = m.model.run(m.params, a, b)
        place = Occurrences(m.model, m.params).place(label)
        assert place.event.happens(run, place.index)
    assert request.document["kind"] == "events:q[3,0]=max;C[2,2]>=beta"


def test_cycles_of_an_event() -> None:
    core = CoreRequest.resolve("iddmm_arch2", "2^61-1", {"radix": "2^8"})
    table = cycle_request(core, (), 1, None, "events:q[3]=max")
    assert core.multiplier.model.run(core.shape.params, *table.jobs[0][:2]).at("q", 3, 0) == 255


SET = ("vectors", "iddmm2", "--prime", "2^61-1", "--radix", "2^8")


@pytest.mark.parametrize("form", ["json", "ndjson", "csv", "readmemh"])
def test_files_are_read_back(form: str, tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / ("set.tar" if form == "readmemh" else f"set.{form}")
    good(capfd, *SET, "--event", "q[3]=max", "--event", "A[2,1]=0", "--count", "9", "--format", form, "-o", str(path))
    assert document(capfd, "verify", str(path))["verdict"] == "pass"
    covered = document(capfd, "cover", str(path), "--json")
    events = {event["name"]: event for event in covered["events"]}
    assert covered["cases"] == 9
    assert events["A=0"]["cases"] >= 4
    assert events["q=max"]["cases"] >= 5


def test_cover_merges(tmp_path: Path, capfd: Any) -> None:
    paths = [str(tmp_path / f"{kind}.csv") for kind in ("events", "random")]
    for path, kind in zip(paths, ("events", "random"), strict=True):
        good(capfd, *SET, "--kind", kind, "--count", "50", "--format", "csv", "-o", path)
    apart = [document(capfd, "cover", path, "--json") for path in paths]
    together = document(capfd, "cover", *paths, "--json")
    assert (together["cases"], together["sets"]) == (100, [found["sets"][0] for found in apart])
    for event, *parts in zip(together["events"], *(found["events"] for found in apart), strict=True):
        assert event["cases"] == sum(part["cases"] for part in parts)
        assert event["hit"] >= max(part["hit"] for part in parts)
        firsts = [part["first"] for part in parts if "first" in part]
        assert event.get("first") == (firsts[0] if firsts else None)
        assert len(event["missed"]) == event["indices"] - event["hit"]
    counted = [str(tmp_path / f"{number}.json") for number in range(2)]
    for path, part in zip(counted, paths, strict=True):
        good(capfd, "cover", part, "--json", "-o", path)
    for files in (counted, [paths[0], counted[1]]):
        assert document(capfd, "cover", *files, "--json") == together
    assert good(capfd, "cover", *paths).splitlines()[-1].endswith("events in 100 cases")
    other = str(tmp_path / "other.csv")
    good(capfd, "vectors", "cios", "--prime", "13", "--format", "csv", "-o", other)
    code, _, err = run(capfd, "cover", paths[0], other)
    assert code == 2
    assert "different multipliers have no common events" in err
    edited = json.loads(Path(counted[0]).read_text())
    for change in ({"events": edited["events"][1:]}, {"cases": 1}, {"multiplier": None}, {"sets": 3}):
        Path(counted[1]).write_text(json.dumps({**edited, **change}))
        code, out, err = run(capfd, "cover", *counted)
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_coverage_as_ucis(tmp_path: Path, capfd: Any) -> None:
    """One coverpoint an event, one bin an index, one history node a set."""
    path = str(tmp_path / "set.json")
    good(capfd, *SET, "--count", "60", "-o", path)
    counted = document(capfd, "cover", path, "--json")
    root = ElementTree.fromstring(good(capfd, "cover", path, "--ucis"))
    assert [node.get("logicalName") for node in root.iter("historyNodes")] == counted["sets"]
    points = {point.get("name"): point for point in root.iter("coverpoint")}
    for event in counted["events"]:
        bins = points[event["name"]].findall("coverpointBin") if event["indices"] else []
        counts = {bin.get("name"): int(bin.find("range/contents").get("coverageCount")) for bin in bins}  # type: ignore[union-attr, arg-type]
        hits = {f"[{','.join(map(str, at['index']))}]" if at["index"] else "happens": at["cases"] for at in event["at"]}
        assert len(counts) == event["indices"]
        assert {name: cases for name, cases in counts.items() if cases} == hits
    code, _, err = run(capfd, "cover", path, "--ucis", "--json")
    assert (code, err) == (2, "limbtrace: ucis: --json and --ucis are two formats: give one of them\n")


def test_coverage_counts_what_happens() -> None:
    vectors = VectorSet(VectorRequest.resolve(IDDMM2, 70, 1, "mixed"))
    coverage, cases = Coverage(IDDMM2), list(vectors.cases())
    coverage.add("set", cases)
    runs = [IDDMM2.model.run(IDDMM2.params, case.a, case.b) for case in cases]
    known = Occurrences(IDDMM2.model, IDDMM2.params)
    for event in coverage.document["events"]:
        places = [place for place in known.places if place.event.name == event["name"]]
        hits = [[bool(place.event.happens(run, place.index)) for place in places] for run in runs]
        assert event["cases"] == sum(map(any, hits))
        assert event["hit"] == sum(map(any, zip(*hits, strict=True)))
        if event["cases"]:
            assert event["first"]["case"] == [any(row) for row in hits].index(True)


def test_events_on_the_command_line(capfd: Any) -> None:
    names = good(capfd, "events", "hffm")
    assert "a comparison with D that is off by one" in names
    text = good(capfd, "events", "iddmm2", "--prime", "mlkem", "--radix", "2^4")
    assert "q=max" in text
    assert "unreachable" in text
    found = document(capfd, "events", "iddmm2", "--prime", "mlkem", "--radix", "2^4", "--json")
    for event in found["events"]:
        if "example" in event:
            example = event["example"]
            words = example["command"].replace("'", "").split()[1:]
            tests = json.loads(good(capfd, *words, "--format", "json"))["testGroups"][0]["tests"]
            assert tests[0]["a"] == example["a"]
            assert tests[0]["b"] == example["b"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--event", "q[9]=max"), "event: q=max has no index [9] here; it has [0,0] to [7,0]"),
        (("--event", "q=max"), "event: q=max has no index [] here; it has [0,0] to [7,0]"),
        (("--event", "q[1]=max", "--kind", "edge"), "event: it belongs to kind events, and 'edge' is asked for"),
        (("--kind", "events:"), "kind: 'events:' is none of"),
        (("--kind", "directed:q[1]=max"), "kind: 'directed:q[1]=max' is none of"),
        (("--event", "A[1,8]=2"), "event: A[1,8]=2 is unreachable: the accumulator is at most"),
    ],
)
def test_wrong_requests(arguments: tuple[str, ...], sentence: str, capfd: Any) -> None:
    code, out, err = run(capfd, *SET, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"limbtrace: {sentence}")


def test_operands_of_fp2_are_below_p(capfd: Any) -> None:
    for kind in ("events", "directed"):
        code, _, err = run(capfd, "fp2", "hffm", "--prime", "59", "--op", "mul", "--count", "2", "--kind", kind)
        assert (code, err.startswith("limbtrace: kind: elements are below p")) == (2, True)


@settings(max_examples=20)
@given(st.data())
def test_strategy(data: Any) -> None:
    m = IDDMM2
    known = Occurrences(m.model, m.params)
    a, b, label = data.draw(happenings(m))
    place = known.place(label)
    assert place.event.happens(m.model.run(m.params, a, b), place.index)
    a, b, label = data.draw(happenings(m, "q[3]=max"))
    assert (m.model.run(m.params, a, b).at("q", 3, 0), label) == (255, "q[3,0]=max")
    with pytest.raises(ParameterError, match="has no event"):
        happenings(m, "nothing")


def test_a_comparison_that_is_off_by_one_is_found() -> None:
    """`>` for `>=` in the last subtraction: only a sum that is p exactly sees it."""
    m = Multiplier.resolve("r2mm", "2^61-1", {})
    p = m.modulus.modulus
    sums = [m.model.run(m.params, a, b).at("S", 60) for a, b in pairs(VectorRequest.resolve(m, 200, 1, "events"))]
    assert p in sums
    assert {p - 1, p + 1} <= set(sums)
    assert {found.state for found in Occurrences(m.model, m.params).all() if found.place.label == "S[60]=p"} == {
        REACHABLE
    }
