# SPDX-License-Identifier: Apache-2.0
"""Notes of events in sets over HTTP: those of the cases, or all, with one id and certificates of both."""

import httpx
import pytest

from limbtrace.service.http.openapi import EXAMPLES
from limbtrace.vectors.certificate.document import Certificate

QUERY = {"model": "iddmm2", "prime": "mlkem", "radix": "2^8", "count": "2"}


def test_the_same_set_with_all_notes(api: httpx.Client) -> None:
    few, every = (api.get("/v1/vectors", params={**QUERY, "notes": notes}) for notes in ("cases", "all"))
    assert few.content == api.get("/v1/vectors", params=QUERY).content
    assert few.headers["limbtrace-set"] == every.headers["limbtrace-set"]
    assert few.headers["etag"] != every.headers["etag"]
    assert len(few.content) < len(every.content) / 2
    path = f"/v1/sets/{few.headers['limbtrace-set']}"
    assert api.get(path).content == few.content
    assert api.get(path, params={"notes": "all"}).content == every.content
    for answer in (few, every):
        verdict = api.post("/v1/verifications", json=answer.json()).json()
        assert (verdict["verdict"], verdict["id"]) == ("pass", few.headers["limbtrace-set"])
    for wrong in ("/v1/vectors", path):
        answer = api.get(wrong, params={**(QUERY if wrong == "/v1/vectors" else {}), "notes": "some"})
        assert (answer.status_code, answer.json()["parameter"]) == (422, "notes")


@pytest.mark.parametrize("notes", ["cases", "all"])
def test_certificates_of_both_belong_to_the_set(api: httpx.Client, notes: str) -> None:
    document = api.get("/v1/vectors", params={**QUERY, "seed": "77", "notes": notes}).json()
    given = EXAMPLES[Certificate]
    certificate = {**given, "set": {**given["set"], "id": document["id"], "digest": document["digest"]}}
    answer = api.put(f"/v1/sets/{document['id']}/certificate", json=certificate)
    assert answer.status_code in (200, 403), answer.text  # 403 where the other one is there
    wrong = {**certificate, "set": {**certificate["set"], "digest": f"sha256:{64 * '0'}"}}
    assert api.put(f"/v1/sets/{document['id']}/certificate", json=wrong).status_code == 422
