# SPDX-License-Identifier: Apache-2.0
"""Sessions over HTTP: sets without results, results in parts, verdicts by case, another try, expiry."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from limbtrace.service.http.openapi import EXAMPLES
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.sessions import Abilities, Session, SessionCases, SessionResults, SessionVerdicts
from tests.patience import PATIENCE
from tests.service.test_store import execute
from tests.vectors.test_cli import run

ABILITIES = {
    "abilities": [
        {"model": "iddmm2", "primes": ["mlkem", "p256"], "radix": "2^16", "kinds": ["directed", "lazy"], "count": 5},
        {"model": "vdf", "primes": ["p256"], "kinds": ["random"], "count": 3, "params": {"t": 9}, "compare": "residue"},
    ]
}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres").database())
    return f"sqlite:///{tmp_path}/sets.sqlite3"


@pytest.fixture
def api(database: str) -> Iterator[httpx.Client]:
    with background(ServiceSettings(database=database)) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield client


def begin(api: httpx.Client, abilities: Any = ABILITIES) -> Any:
    answer = api.post("/v1/sessions", json=abilities)
    assert answer.status_code == 201, answer.text
    session = answer.json()
    assert answer.headers["location"] == f"/v1/sessions/{session['id']}"
    assert answer.headers["cache-control"] == "no-store"
    return session


def core(api: httpx.Client, part: dict[str, Any]) -> dict[str, str]:
    """What a correct core answers to each case of a set: the results of the same set from /v1/vectors."""
    (group,) = api.get(f"/v1/sets/{part['id']}").json()["testGroups"]
    return {test["id"]: test["result"] for test in group["tests"]}


def remember(api: httpx.Client, part: dict[str, Any]) -> None:
    """Ask for a set of a session, so that the service stores it."""
    query = {name: str(part[name]) for name in ("model", "kind", "seed", "count", "radix") if part[name] is not None}
    query["prime"] = part["prime"]["name"]
    query |= {name: str(value) for name, value in part["params"].items() if name not in ("n", "s")}
    answer = api.get("/v1/vectors", params=query).raise_for_status()
    assert answer.headers["limbtrace-set"] == part["id"]


def ability(**members: Any) -> dict[str, Any]:
    return {"abilities": [{"model": "cios", "primes": ["mlkem"], "kinds": ["random"], **members}]}


def send(api: httpx.Client, id: str, name: str, results: dict[str, str]) -> httpx.Response:
    document = {"set": name, "results": [{"id": case, "result": value} for case, value in results.items()]}
    return api.post(f"/v1/sessions/{id}/results", json=document)


def test_from_abilities_to_a_summary(api: httpx.Client) -> None:
    session = begin(api)
    Session.model_validate(session)
    id = session["id"]
    assert [(part["model"], part["kind"], part["count"]) for part in session["sets"]] == [
        ("iddmm2", "directed", 5), ("iddmm2", "lazy", 5), ("iddmm2", "directed", 5), ("iddmm2", "lazy", 5),
        ("vdf", "random", 3),
    ]  # fmt: skip
    assert session["verdict"] == "open"
    digests = {session["digest"]}
    for part in session["sets"]:
        remember(api, part)
        right = core(api, part)
        cases = api.get(f"/v1/sessions/{id}/sets/{part['id']}").json()
        SessionCases.model_validate(cases)
        assert [case["id"] for case in cases["tests"]] == [*right]
        assert all("result" not in case for case in cases["tests"])
        assert all(("b" in case) == (part["model"] != "vdf") for case in cases["tests"])
        for name, value in right.items():  # one by one
            answer = send(api, id, part["id"], {name: value})
            SessionVerdicts.model_validate(answer.json())
            assert answer.json()["verdicts"] == [{"id": name, "verdict": "pass"}]
        state = api.get(f"/v1/sessions/{id}").json()
        digests.add(state["digest"])
    assert state["verdict"] == "pass"
    assert [part["verdicts"] for part in state["sets"]] == ["ppppp"] * 4 + ["ppp"]
    assert len(digests) == 6


def test_a_failed_case_is_shown_and_tried_again(api: httpx.Client) -> None:
    session = begin(api)
    id, part = session["id"], session["sets"][0]
    remember(api, part)
    right = core(api, part)
    wrong = [*right][3]
    answer = send(api, id, part["id"], {**right, wrong: "0x123456"})
    assert (answer.json()["passed"], answer.json()["failed"]) == (4, 1)
    state = api.get(f"/v1/sessions/{id}").json()
    assert (state["verdict"], state["sets"][0]["verdicts"]) == ("fail", "pppfp")
    path = f"/v1/sessions/{id}/sets/{part['id']}"
    (shown,) = api.get(path, params={"expected": "failed"}).json()["tests"]
    assert (shown["id"], shown["result"]) == (wrong, right[wrong])
    assert {case["id"]: case["result"] for case in api.get(path, params={"expected": "all"}).json()["tests"]} == right
    assert send(api, id, part["id"], {wrong: right[wrong]}).json()["passed"] == 1
    state = api.get(f"/v1/sessions/{id}").json()
    assert (state["verdict"], state["sets"][0]["verdicts"]) == ("open", "ppppp")
    assert api.get(path, params={"expected": "failed"}).json()["tests"] == []


def test_equal_abilities_give_equal_sets_and_other_sessions(api: httpx.Client) -> None:
    one, other = begin(api), begin(api)
    assert one["id"] != other["id"]
    assert (one["sets"], one["digest"]) == (other["sets"], other["digest"])
    cases = [api.get(f"/v1/sessions/{s['id']}/sets/{s['sets'][0]['id']}").content for s in (one, other)]
    assert cases[0] == cases[1]


def test_parts_sent_at_the_same_time_are_all_kept(api: httpx.Client) -> None:
    session = begin(api, ability(count=24))
    id, name = session["id"], session["sets"][0]["id"]
    path = f"/v1/sessions/{id}/sets/{name}"
    results = {test["id"]: test["result"] for test in api.get(path, params={"expected": "all"}).json()["tests"]}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda item: send(api, id, name, dict([item])), results.items()))
    assert {answer.status_code for answer in answers} == {200}
    assert api.get(f"/v1/sessions/{id}").json()["sets"][0]["verdicts"] == 24 * "p"


def test_residues_are_compared_where_they_are_asked_for(api: httpx.Client) -> None:
    for compare, verdict in (("residue", "pass"), ("result", "fail")):
        ability = {"model": "cios", "primes": ["mlkem"], "kinds": ["random"], "count": 2, "compare": compare}
        session = begin(api, {"abilities": [ability]})
        (part,) = session["sets"]
        path = f"/v1/sessions/{session['id']}/sets/{part['id']}"
        tests = api.get(path, params={"expected": "all"}).json()["tests"]
        results = {test["id"]: hex(int(test["result"], 16) + 3329) for test in tests}
        answer = send(api, session["id"], part["id"], results)
        assert {found["verdict"] for found in answer.json()["verdicts"]} == {verdict}


def test_a_session_goes_on_after_an_interruption(database: str) -> None:
    """In another process, with another service."""
    with background(ServiceSettings(database=database)) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        session = begin(api)
        part = session["sets"][0]
        remember(api, part)
        right = core(api, part)
        send(api, session["id"], part["id"], dict([*right.items()][:2]))
    with background(ServiceSettings(database=database)) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        state = api.get(f"/v1/sessions/{session['id']}").json()
        assert state["sets"][0]["verdicts"] == "pp..."
        assert send(api, session["id"], part["id"], right).status_code == 200
        assert api.get(f"/v1/sessions/{session['id']}").json()["sets"][0]["verdicts"] == "ppppp"


def test_sessions_expire_and_their_number_is_bounded(database: str) -> None:
    """Time passes by letting all sessions expire earlier."""

    def wait(seconds: int) -> None:
        execute(database, f"UPDATE sessions SET expires = expires - {seconds}")

    settings = ServiceSettings(database=database, max_sessions=2, max_session_seconds=10_000)
    with background(settings) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        one, _ = begin(api), begin(api)
        answer = api.post("/v1/sessions", json=ABILITIES)
        assert (answer.status_code, answer.json()["type"]) == (507, "urn:limbtrace:problem:full")
        wait(6_000)
        part = one["sets"][0]
        (case, *_) = api.get(f"/v1/sessions/{one['id']}/sets/{part['id']}").json()["tests"]
        assert send(api, one["id"], part["id"], {case["id"]: "0x0"}).status_code == 200
        wait(6_000)  # the other one has expired, and makes room
        left = api.get(f"/v1/sessions/{one['id']}").json()["expires"] - one["expires"]
        assert -6_000 <= left < -6_000 + PATIENCE
        begin(api)
        wait(4_000)
        for path in ("", f"/sets/{part['id']}"):
            assert api.get(f"/v1/sessions/{one['id']}{path}").status_code == 404
        assert send(api, one["id"], part["id"], {case["id"]: "0x0"}).status_code == 404
        begin(api)
    assert execute(database, "SELECT count(*) FROM sessions") == [(2,)]
    assert execute(database, "SELECT count(*) FROM session_sets") == [(10,)]


def test_the_id_is_a_secret(api: httpx.Client, database: str) -> None:
    id = begin(api)["id"]
    assert id not in str(execute(database, "SELECT * FROM sessions") + execute(database, "SELECT * FROM session_sets"))
    for wrong in (id[:-1], id.swapcase(), "x", "%00", 32 * "x"):
        assert api.get(f"/v1/sessions/{wrong}").status_code == 404


def test_on_the_command_line(api: httpx.Client, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    where = ("--service", str(api.base_url))
    file = tmp_path / "document.json"

    def session(*words: str, document: Any = None, code: int = 0) -> Any:
        file.write_text(json.dumps(document))
        ended, out, err = run(capfd, "session", *words, *where)
        assert (ended, err) == (code, "")
        return json.loads(out)

    begun = session("begin", str(file), document=ability(count=3))
    id, name = begun["id"], begun["sets"][0]["id"]
    tests = session("cases", id, name)["tests"]
    assert all(set(test) == {"id", "a", "b"} for test in tests)
    wrong = {"set": name, "results": [{"id": test["id"], "result": "0xfffff"} for test in tests]}
    assert session("send", id, str(file), document=wrong, code=1)["failed"] == 3
    assert session("show", id, code=1)["verdict"] == "fail"
    shown = session("cases", id, name, "--expected", "failed")["tests"]
    right = {"set": name, "results": [{"id": test["id"], "result": test["result"]} for test in shown]}
    assert session("send", id, str(file), document=right)["passed"] == 3
    assert session("show", id)["verdict"] == "pass"
    code, out, err = run(capfd, "session", "show", "nix", *where)
    assert (code, out, err) == (2, "", "limbtrace: id: there is no such session, or it has expired\n")


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({}, "abilities: the document does not say it"),
        ({"abilities": []}, "at least one ability"),
        (ability(kinds=["chained"]), "kinds: operands of kind chained are results"),
        (ability(kinds=["nix"]), "'nix' is none of"),
        (ability(primes=["nix"]), "prime"),
        (ability(primes=[]), "at least one modulus"),
        (ability(kinds=[]), "at least one kind"),
        (ability(model="nix"), "nix"),
        (ability(count=0), "count"),
        (ability(count=20_001), "more than 20000 cases"),
        (ability(count=9_000, kinds=["random", "lazy", "edge"]), "more than 20000 cases"),
        (ability(primes=["mlkem"] * 1001), "more than 1000 sets"),
        (ability(primes=["2^5000-1"]), "5000 bits"),
        ({"abilities": [*ability()["abilities"], *ability(compare="residue")["abilities"]]}, "with both"),
    ],
)
def test_abilities_that_are_refused(api: httpx.Client, document: Any, words: str) -> None:
    answer = api.post("/v1/sessions", json=document)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_results_that_are_refused(api: httpx.Client) -> None:
    session = begin(api)
    id, part = session["id"], session["sets"][0]
    (case, *_) = api.get(f"/v1/sessions/{id}/sets/{part['id']}").json()["tests"]
    for body, status, words in (
        ({"set": part["id"], "results": []}, 422, "at least one"),
        ({"set": part["id"], "results": [{"id": case["id"], "result": "5"}]}, 422, "hexadecimal"),
        ({"set": part["id"], "results": [{"id": 16 * "0", "result": "0x5"}]}, 422, "has no case"),
        ({"set": part["id"], "results": [{"id": case["id"], "result": "0x5"}] * 2}, 422, "there are two"),
        ({"set": 32 * "0", "results": [{"id": case["id"], "result": "0x5"}]}, 404, "has no set"),
    ):
        answer = api.post(f"/v1/sessions/{id}/results", json=body)
        assert (answer.status_code, words in answer.json()["detail"]) == (status, True), answer.text
    assert api.get(f"/v1/sessions/{id}/sets/{part['id']}", params={"expected": "nix"}).status_code == 422
    assert api.get(f"/v1/sessions/{id}").json()["sets"][0]["verdicts"] == "....."


def test_examples_are_of_their_types() -> None:
    for kind in (Abilities, Session, SessionCases, SessionResults, SessionVerdicts):
        kind.model_validate(json.loads(json.dumps(EXAMPLES[kind])))
