# SPDX-License-Identifier: Apache-2.0
"""Cycle tables of products that overlap: one table for all of them, and the product behind a cell."""

import json
from typing import Any

import pytest

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.cli import main
from limbtrace.vectors.cycles import CycleRequest, parse_job, set_cycles
from limbtrace.vectors.request import CoreRequest
from limbtrace.vectors.verify import verify
from tests.rtl_bridge.toys.serial_arch import ARCHITECTURE

CYCLES = ("cycles", "serial_toy", "--prime", "0xea7", "--radix", "2^8", "--format", "json")
PAIRS = ("5,7", "1000,2000", "3,4@25")


@pytest.fixture(autouse=True)
def toy_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ARCHITECTURES, ARCHITECTURE.id, ARCHITECTURE)


def core() -> CoreRequest:
    return CoreRequest.resolve("serial_toy", "0xea7", {"radix": "2^8"})


def table(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The output of the command for PAIRS."""
    with pytest.raises(SystemExit) as ended:
        main([*CYCLES, *(text for pair in PAIRS for text in ("--operands", pair))])
    assert ended.value.code == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_one_table_for_the_whole_stream(capsys: pytest.CaptureFixture[str]) -> None:
    document = table(capsys)
    assert (document["first_cycle"], document["starts"], len(document["rows"])) == (1, [1, 3, 25], 34)
    model, params = ARCHITECTURE.model, core().shape.params
    pairs = [(5, 7), (1000, 2000), (3, 4)]
    assert document["results"] == [hex(model.result(params, *pair)) for pair in pairs]
    names = [column["name"] for column in document["columns"]]
    words = {1: [7, 8], 0: [9, 10], 2: [33, 34]}  # the second product overtakes the first
    for product, cycles in words.items():
        low, high = (int(document["rows"][cycle - 1][names.index("r")], 16) for cycle in cycles)
        assert low | high << 8 == int(document["results"][product], 16)


def test_a_spoilt_cell_is_one_of_its_product(capsys: pytest.CaptureFixture[str]) -> None:
    document = table(capsys)
    assert verify(document)["verdict"] == "pass"
    names = [column["name"] for column in document["columns"]]
    cells = [
        (4, "T0", 0, ["T", [0, 1]]),
        (8, "r", 1, ["r", [1, 1]]),
        (20, "T1", 1, ["T", [1, 1]]),
        (24, "valid", 1, None),
        (33, "r", 2, ["r", [2, 0]]),
    ]
    for cycle, name, number, step in cells:
        rows = [list(row) for row in document["rows"]]
        place = names.index(name)
        rows[cycle - 1][place] = hex(int(rows[cycle - 1][place], 16) ^ 1)
        found = verify({**document, "rows": rows})["first_divergence"]
        assert (found["case"], found["cycle"], found["signal"], found["step"]) == (
            f"product {number}",
            cycle,
            name,
            step,
        )


def test_starts_that_are_not_possible_and_tables_that_are_too_large() -> None:
    sentence = "operands: product 1 cannot start in cycle 4: the next cycle in which serial_toy takes one is 9"
    with pytest.raises(ParameterError, match=f"^{sentence}$"):
        CycleRequest(core(), [TimedPair(1, 1), parse_job(core().multiplier, "1,1@4")])
    request = CycleRequest(core(), [TimedPair(1, 1)] * 3, 18 * 9)
    assert len(list(request.rows())) == 18
    with pytest.raises(ParameterError, match=r"^operands: the table would have 162 cells and the limit is 161$"):
        CycleRequest(core(), [TimedPair(1, 1)] * 3, 161)
    with pytest.raises(ParameterError, match=r"the start cycles make the table larger than the limit"):
        CycleRequest(core(), [TimedPair(1, 1), TimedPair(1, 1, (1 << 60) + 1)])
    with pytest.raises(ParameterError, match=r"count: the table would have at least 126 cells and the limit is 125"):
        set_cycles(core(), 3, 1, "mixed", 125)
    with pytest.raises(ParameterError, match=r"^count: the table would have 162 cells and the limit is 161$"):
        set_cycles(core(), 3, 1, "mixed", 161)
    assert len(list(set_cycles(core(), 3, 1, "mixed", 162).rows())) == 18
