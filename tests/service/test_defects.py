# SPDX-License-Identifier: Apache-2.0
"""The atlas of defects over HTTP."""

import json

import httpx

from limbtrace.vectors.catalogue import defect_document, defects_document


def test_over_http(api: httpx.Client) -> None:
    assert api.get("/v1/defects").json() == json.loads(json.dumps(defects_document()))
    assert api.get("/v1/defects/go-13907").json() == json.loads(json.dumps(defect_document("go-13907")))
    assert api.get("/v1/defects/nix").status_code == 404
    assert api.get("/v1/defects?mechanism=odd").status_code == 422
