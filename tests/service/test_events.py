# SPDX-License-Identifier: Apache-2.0
"""Events over HTTP: the list, operands of one, and what a set covers."""

import httpx
import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.client import Client

QUERY = "model=iddmm2&prime=mlkem&radix=2%5E4"


def test_every_event_with_an_example(api: httpx.Client) -> None:
    found = api.get(f"/v1/events?{QUERY}").json()
    events = {event["name"]: event for event in found["events"]}
    assert found["multiplier"]["params"] == {"n": 3, "passes": 3}
    assert events["q=max"]["reachable"] == events["q=max"]["indices"] == 3
    assert events["C=max"]["unreachable"][0]["reason"].startswith("the digits of the modulus")
    for event in events.values():
        assert event["reachable"] == ("example" in event) * event["reachable"]
        if event["reachable"]:
            example = event["example"]
            (case,) = api.get(example["url"]).json()["testGroups"][0]["tests"]
            assert (case["comment"], case["result"]) == (example["event"], example["result"])
            assert event["name"] in case["flags"]


def test_names_alone(api: httpx.Client) -> None:
    found = api.get("/v1/events?model=cios").json()
    assert "multiplier" not in found or found["multiplier"] is None
    assert all(event["statement"] and event["hunts"] for event in found["events"])


@pytest.mark.parametrize(
    ("query", "parameter", "detail"),
    [
        ("event=q%5B9%5D=max", "event", "event: q=max has no index [9] here; it has [0,0] to [2,0]"),
        ("event=C%5B1%2C1%5D=max", "event", "event: C[1,1]=max is unreachable: the digits"),
        ("event=x=1", "event", "event: iddmm2 has no event 'x=1'"),
        ("event=q%5B1%5D=max&kind=lazy", "event", "event: it belongs to kind events, and 'lazy' is asked for"),
        ("kind=lazy:q%5B1%5D=max", "kind", "kind: 'lazy:q[1]=max' is none of"),
        ("words=1", "words", "words: 1 is outside 2 to 1024"),
        ("words=4&words=x", "words", "words: character 'x' is not part of an integer expression"),
        ("words=4&kind=edge", "words", "words: it belongs to kinds directed and events, and 'edge' is asked for"),
    ],
)
def test_wrong_requests(api: httpx.Client, query: str, parameter: str, detail: str) -> None:
    problem = api.get(f"/v1/vectors?{QUERY}&{query}")
    assert problem.status_code == 422
    assert problem.json()["parameter"] == parameter
    assert problem.json()["detail"].startswith(detail)


def test_words_of_mechanisms(api: httpx.Client) -> None:
    """Repeated, and as part of the kind; both are the same request."""
    found = api.get(f"/v1/vectors?{QUERY}&count=80&words=3&words=6")
    comments = [case["comment"] for case in found.json()["testGroups"][0]["tests"]]
    assert found.json()["kind"] == "directed:words=3,6"
    assert {comment.partition(" in ")[2] for comment in comments} == {"", "limbs of 3 bits", "limbs of 6 bits"}
    assert api.get(f"/v1/vectors?{QUERY}&count=80&kind=directed:words=3,6").content == found.content


def test_coverage(api: httpx.Client, url: str) -> None:
    document = api.get(f"/v1/vectors?{QUERY}&kind=events&count=60").json()
    covered = api.post("/v1/coverage", json=document).json()
    assert covered["cases"] == 60
    assert covered["sets"] == [document["id"]]
    xml = api.post("/v1/coverage", json=document, params={"format": "ucis"})
    assert xml.headers["Content-Type"] == "application/xml"
    assert xml.text.count("<coverpoint ") == sum(event["indices"] > 0 for event in covered["events"])
    assert api.post("/v1/coverage", json=document, params={"format": "csv"}).status_code == 422
    events = {event["name"]: event for event in covered["events"]}
    assert events["q=max"]["first"]["set"] == document["id"]
    tests = document["testGroups"][0]["tests"]
    for event in events.values():
        named = [case for case in tests if event["name"] in case["flags"]]
        assert event["cases"] >= len(named)
        assert (event["hit"] == 0) == ("first" not in event)
    with Client(url) as client:
        assert client.coverage(document).cases == 60
        assert {event.name for event in client.events("iddmm2").events} == set(events)
        with pytest.raises(ParameterError, match="testGroups"):
            client.coverage({"results": []})
