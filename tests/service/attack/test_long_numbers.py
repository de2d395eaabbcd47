# SPDX-License-Identifier: Apache-2.0
"""Integers with more digits than Python prints are refused in one sentence like any other."""

import httpx
import pytest

from tests.vectors.test_cli import run

LONG = "2^16384"
"""4,933 digits; Python prints up to 4,300."""


@pytest.mark.parametrize(
    "query",
    [
        f"core=iddmm_arch2&prime=mlkem&count={LONG}",
        f"core=iddmm_arch2&prime=mlkem&seed={LONG}&count=1",
        f"core=iddmm_arch2&prime=mlkem&k={LONG}&count=1",
        f"core=fpmm&prime=generic128&operands=1,1@{LONG}",
        f"core=iddmm_arch2&prime=mlkem&operands={LONG},1",
    ],
)
def test_of_cycle_tables(query: str, api: httpx.Client) -> None:
    answer = api.get(f"/v1/cycles?{query.replace('^', '%5E')}")
    assert answer.status_code == 422
    assert len(answer.json()["detail"]) < 300


@pytest.mark.parametrize("name", ["count", "seed", "t", "step", "d", "checkpoints"])
def test_of_chains(name: str, api: httpx.Client) -> None:
    for route in ("vectors?", "traces?a=1&"):
        answer = api.get(f"/v1/{route}model=vdf&prime=p256&{name}={LONG.replace('^', '%5E')}")
        assert answer.status_code == 422
        assert len(answer.json()["detail"]) < 300


@pytest.mark.parametrize(
    "words",
    [
        f"cycles iddmm_arch2 --prime mlkem --count {LONG}",
        f"cycles fpmm --prime generic128 --operands 1,1@{LONG}",
        f"sim iddmm_arch2 --prime mlkem --only {LONG}",
        f"vectors vdf --prime p256 --set t={LONG}",
    ],
)
def test_on_the_command_line(words: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, *words.split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert len(err) < 300
