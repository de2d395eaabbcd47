# SPDX-License-Identifier: Apache-2.0
"""Campaigns that simulate: differences in buckets, workers and coordinators that are killed, a Dask cluster."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from limbtrace.rtl_bridge.campaign.coordinator import Coordinator
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
from limbtrace.rtl_bridge.campaign.shards import Shards
from limbtrace.rtl_bridge.campaign.state import CampaignState
from limbtrace.rtl_bridge.campaign.summary import Summary
from limbtrace.rtl_bridge.campaign.workers import LocalExecutor
from limbtrace.vectors.cli import main
from limbtrace.vectors.schemas import published
from tests.patience import eventually
from tests.rtl_bridge.helpers import TOYS, copy_of

LIMBTRACE = str(Path(sys.executable).parent / "limbtrace")
FAULT = ("bit_toy.v", "assign Z  = t[N-1:0];", "assign Z  = t[N-1:0] & ~(1 << 7);")
PLAN = """
name = "toys"
[[matrix]]
core = ["{core}", "r2mm_bitserial"]
prime = "2^31-1"
simulator = "icarus"
count = 24
shard = 8
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """States are written where the command is called."""
    monkeypatch.chdir(tmp_path)


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def campaign(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    """(exit code, document)"""
    with pytest.raises(SystemExit) as ended:
        main(["campaign", "--json", *words])
    said = capsys.readouterr()
    assert ended.value.code in (0, 1), said.err
    return ended.value.code, json.loads(said.out)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A plan of a toy without a fault."""
    copy_of(TOYS / "bit_toy", tmp_path)
    return written(tmp_path, PLAN.format(core="bit_toy"))


def test_differences_in_buckets_with_small_products(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy_of(TOYS / "bit_toy", tmp_path, FAULT)
    path = written(tmp_path, PLAN.format(core="bit_toy"))
    files = {name: tmp_path / name for name in ("junit", "html", "coverage")}
    code, document = campaign(capsys, str(path), *(word for name, file in files.items() for word in (f"--{name}", str(file))))  # fmt: skip  # noqa: E501
    assert code == 1
    jsonschema.validate(document, json.loads(published("limbtrace-campaign-1.schema.json")))
    assert (document["shards"], document["aside"], document["ended"]) == (5, 0, "all")
    assert 0 < document["differing"] <= 3
    by_core = {cell["core"]: cell["differing"] for cell in document["cells"]}
    assert by_core["bit_toy"] > by_core["r2mm_bitserial"] == 0
    assert sum(bucket["shards"] for bucket in document["buckets"]) == document["differing"]
    (small,) = [bucket["shrunk"] for bucket in document["buckets"][:1]]
    assert sum(int(value, 16).bit_count() for value in small["products"][-1]) < 20
    for bucket in document["buckets"]:
        assert bucket["replays"][0].startswith("limbtrace sim ")
        assert len(bucket["replays"]) == bucket["shards"]
    assert files["junit"].read_text().count("<failure") == len(document["buckets"]) + 1
    page = files["html"].read_text()
    assert document["buckets"][0]["signal"] in page
    assert "http" not in page.replace(str(tmp_path), "")  # nothing is fetched
    covered = sorted(files["coverage"].glob("coverage-*.json"))
    assert len(covered) == 2
    with pytest.raises(SystemExit) as ended:  # they merge with themselves, as those of two campaigns
        main(["cover", "--json", str(covered[0]), str(covered[0])])
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["cases"] == 2 * json.loads(covered[0].read_text())["cases"]


def test_a_fault_at_some_moduli_is_found_at_directed_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is wrong wherever bit 16 of the modulus is 0, whatever the operands are."""
    of_bit_16 = ("mont_toy.sv", "t_q    <= fixed >> 16;", "t_q    <= (fixed >> 16) ^ (BITS + 17)'(!m_i[16]);")
    copy_of(TOYS / "mont_toy", tmp_path, of_bit_16)
    prime = "{ directed_bits = 24, count = 3 }"
    path = written(tmp_path, f"[[matrix]]\ncore = 'mont_toy'\nprime = {prime}\nsimulator = 'icarus'\ncount = 2\n")
    code, document = campaign(capsys, str(path))
    moduli = {int(cell["title"].split("prime = ")[1].split(",")[0], 0): cell["differing"] for cell in document["cells"]}
    assert (code, len(moduli)) == (1, 3)
    assert {p: not p >> 16 & 1 for p in moduli} == {p: differing > 0 for p, differing in moduli.items()}
    assert len(set(map(bool, moduli.values()))) == 2


@pytest.mark.full
def test_the_same_outcome_with_other_workers_and_shards_again(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = campaign(capsys, str(whole), "--workers", "1")
    second = campaign(capsys, str(whole), "--workers", "3", "--state", str(tmp_path / "other"))
    assert first[0] == second[0] == 0
    assert first[1]["digest"] == second[1]["digest"]
    assert first[1]["coverage"] == second[1]["coverage"]
    again = campaign(capsys, str(whole), "--resume")
    assert again[1]["digest"] == first[1]["digest"]
    assert again[1]["verified"] == 48


def test_an_operator_may_kill_it_at_any_time(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """kill -9 of the coordinator: its workers end, and what has ended stays."""
    words = [LIMBTRACE, "campaign", str(whole), "--workers", "2"]
    for resume in ([], ["--resume"], ["--resume"]):
        with subprocess.Popen([*words, *resume], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_for(Path("plan.campaign").absolute(), process)
            process.kill()
    code, document = campaign(capsys, str(whole), "--resume")
    assert (code, document["shards"], document["verified"]) == (0, 5, 48)
    assert not children_of(process.pid)


def wait_for(path: Path, process: "subprocess.Popen[bytes]") -> None:
    """Until one more shard is written, or the campaign has ended."""
    before = size(path)
    assert eventually(lambda: size(path) != before or process.poll() is not None)


def size(path: Path) -> int:
    log = path.with_name(f"{path.name}-wal")
    return log.stat().st_size if log.exists() else 0


def children_of(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(entry.name))
    return found


class _Killing(LocalExecutor):
    """Kills the process of some tasks while it works on them."""

    def __init__(self, count: int, kills: int) -> None:
        super().__init__(count)
        self.kills = kills

    def submit(self, number: int, work: Any, task: Any) -> None:
        super().submit(number, work, task)
        if self.kills:
            self.kills -= 1
            pool = self._busy[number]
            os.kill(next(iter(pool._processes)), signal.SIGKILL)


def test_a_worker_that_is_killed_costs_one_attempt(whole: Path, tmp_path: Path) -> None:
    shards = Shards.of(CampaignPlan.load(whole))
    with CampaignState.open(tmp_path / "state", shards.digest, resume=False) as state:
        with _Killing(2, 2) as workers:
            ended = Coordinator(shards, state, workers).run()
        assert workers.kills == 0
        summary = Summary(shards, ended, state)
        assert (summary.exit_code, state.sums.shards, state.sums.verified) == (0, 5, 48)


@contextmanager
def cluster(*words: str) -> Iterator[str]:
    """A scheduler and workers as processes; yields the address."""
    python = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    with subprocess.Popen(python, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as scheduler:
        assert scheduler.stderr is not None
        address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
        command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard", *words]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as workers:
            try:
                yield address
            finally:
                workers.terminate()
                scheduler.terminate()


def test_a_dask_cluster(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = campaign(capsys, str(whole), "--state", str(tmp_path / "here"))
    with cluster("--nworkers", "2", "--nthreads", "1") as address:
        there = campaign(capsys, str(whole), "--scheduler", address, "--state", str(tmp_path / "there"))
    assert there[0] == here[0] == 0
    assert there[1]["digest"] == here[1]["digest"]


def test_addresses_that_are_none(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for address, code, sentence in (
        ("foo://1", 2, "foo://1 is no address such as tcp://10.0.0.1:8786"),
        ("tcp://127.0.0.1:1", 3, "no scheduler answers at tcp://127.0.0.1:1"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["campaign", str(whole), "--scheduler", address, "--state", str(whole.with_name(f"s{code}"))])
        assert ended.value.code == code
        assert sentence in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.full
def test_code_coverage_is_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cells in Icarus are not counted; with `--resume` the counts of earlier shards are there again."""
    cells = 'core = "{0}"\nprime = ["0xe5", "13"]\nsimulator = ["verilator", "icarus"]\nmode = "bulk"\ncount = 24'
    plan = written(tmp_path, f"[[matrix]]\n{cells.format(TOYS / 'modmul_toy')}\n")
    code, document = campaign(capsys, str(plan), "--code-coverage", "code")
    (counted,) = document["code_coverage"]
    assert (code, counted["runs"], counted["files"][0]["file"]) == (0, 2, "modmul_toy.v")
    info = (tmp_path / "code" / "modmul_toy" / "coverage.info").read_text()
    assert "SF:modmul_toy.v\n" in info
    assert campaign(capsys, str(plan), "--resume", "--code-coverage", "code")[1]["code_coverage"] == [counted]
    assert (tmp_path / "code" / "modmul_toy" / "coverage.info").read_text() == info


def test_code_that_cannot_be_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = written(tmp_path, PLAN.format(core=TOYS / "bit_toy"))
    with pytest.raises(SystemExit) as ended:
        main(["campaign", str(plan), "--code-coverage", "code"])
    assert ended.value.code == 2
    assert "is counted by Verilator, and icarus is asked for" in capsys.readouterr().err
