# SPDX-License-Identifier: Apache-2.0
"""Plans, their shards, and the coordinator with workers that compute nothing."""

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.campaign.coordinator import Coordinator
from limbtrace.rtl_bridge.campaign.outcome import Outcome
from limbtrace.rtl_bridge.campaign.page import page
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
from limbtrace.rtl_bridge.campaign.shards import Shard, Shards
from limbtrace.rtl_bridge.campaign.state import CampaignState
from limbtrace.rtl_bridge.campaign.summary import Summary
from limbtrace.rtl_bridge.campaign.workers import ALLOWED, EndedTask, ShardExecutor, Work
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS, copy_of

SMALL = """
[[matrix]]
core = ["iddmm_arch2", "r2mm_bitserial"]
prime = ["0xea7", "61"]
settings = {}
simulator = "icarus"
count = 100
seed = "1..3"
shard = 30
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """States are written where the command is called."""
    monkeypatch.chdir(tmp_path)


def plan(folder: Path, text: str, **until: str) -> CampaignPlan:
    path = folder / "plan.toml"
    path.write_text(text)
    return CampaignPlan.load(path, until)


def shards(folder: Path, text: str = SMALL, **until: str) -> Shards:
    return Shards.of(plan(folder, text, **until))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "plan.toml is wrong: matrix is missing"),
        ("matrix = 3", "plan.toml is wrong: matrix: "),
        ("[[matrix]]\ncore = 'hffm'", "matrix[0].prime is missing"),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\nfoo = 1", "matrix[0].foo is no key of a plan"),
        ("[[matrix]]\ncore = 'hffm'\nprime = []", "matrix[0].prime: "),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = 61\nmode = 'slow'",
            "matrix[0].mode[0] is 'slow', and takes lockstep, bulk",
        ),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = 61\nsimulator = 'x'",
            "matrix[0].simulator[0] is 'x', and takes verilator",
        ),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\nseed = '9..3'", "matrix[0].seed[0] is '9..3', which ends before it"),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\nseed = '1..x'", "is '1..x', and a range is written as '1..1000'"),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\nseed = -1", "matrix[0].seed[0] is -1, and seeds go from 0 to 2^64-1"),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\ncount = '10^'", "matrix[0].count[0] is '10^': "),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = 61\ncount = 0",
            "matrix[0].count[0]: input should be greater than or equal",
        ),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\nweight = 0", "matrix[0].weight: "),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = 61\nexclude = {cor = 1}",
            "matrix[0].exclude names 'cor', which is none of",
        ),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\ndisturb = 'x'", "matrix[0].disturb[0] has 'x', and takes none, start"),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = {odd_bits = 40}",
            "matrix[0].prime[0].odd_bits: input should be less than or equal to 16",
        ),
        ("[[matrix]]\ncore = 'hffm'\nprime = {odd = 4}", "matrix[0].prime[0].odd_bits is missing"),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = {directed_bits = 1}",
            "matrix[0].prime[0].directed_bits: input should be greater than or equal to 2",
        ),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = {directed_bits = 64, radix = '10'}",
            "matrix[0].prime[0].radix is '10': ",
        ),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = 61\nseed = '1..'",
            "matrix[0].seed goes on without end, and until says no",
        ),
        ("until = {days = 3}\n[[matrix]]\ncore = 'hffm'\nprime = 61", "until.days is no key of a plan"),
        (
            "[[matrix]]\ncore = 'hffm'\nprime = 61\nexclude = {core = 'hffm'}",
            "every combination is left out by exclude",
        ),
        ("[[matrix]]\ncore = 'hffm'\nprime = 61\ncount = 3\nchain = {pieces = 2}", "and so it takes no count"),
        ("x = [", "plan.toml is not TOML: "),
    ],
)
def test_a_wrong_plan_is_one_sentence_with_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, sentence: str
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["campaign", str(path)])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
    assert not (tmp_path / "plan.campaign").exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("core = 'nix'\nprime = 61", "matrix[0]: core = nix, prime = 61, kind = directed, "),
        ("core = 'iddmm_arch2'\nprime = 60", "the modulus must be odd"),
        ("core = 'iddmm_arch2'\nprime = 61\nkind = 'none'", "'none' is none of mixed, "),
        ("core = 'iddmm_arch2'\nprime = 61\nmode = 'fast'\nsimulator = 'icarus'", "exclude leaves a combination out"),
        ("core = 'iddmm_arch2'\nprime = 61\nmode = 'bulk'\ndisturb = 'again'", "goes with mode lockstep"),
        ("core = 'iddmm_arch2'\nprime = 61\nchain = {pieces = 2}", "iddmm2 is one product and no chain"),
        ("core = 'vdf_squarer'\nprime = 61\nchain = {pieces = 2}", "settings say no t, which is the length"),
        (
            "core = 'vdf_squarer'\nprime = 61\nsettings = {t = 9}\nchain = {pieces = 2}",
            "t is 9, which is no multiple of 2",
        ),
    ],
)
def test_a_combination_that_there_is_not_is_named_before_anything_runs(
    tmp_path: Path, text: str, sentence: str
) -> None:
    with pytest.raises(ParameterError) as error:
        shards(tmp_path, f"[[matrix]]\n{text}\n")
    assert sentence in str(error.value)
    assert "plan.toml: matrix[0]: core = " in str(error.value)


def test_limits_of_a_plan_can_be_replaced(tmp_path: Path) -> None:
    assert plan(tmp_path, SMALL, products="10^3").file.until.products == 1000
    for until, sentence in (
        ({"days": "1"}, "has no 'days', but products, hours"),
        ({"products": "x"}, "products is 'x': character"),
        ({"products": "0"}, "products should be greater than or equal to 1, not '0'"),
        ({"hours": "inf"}, "hours should be less than or equal to 1000000, not 'inf'"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            plan(tmp_path, SMALL, **until)


def test_shards_are_the_cases_of_every_combination(tmp_path: Path) -> None:
    found = list(shards(tmp_path))
    assert [shard.number for shard in found] == list(range(48))
    cases = Counter(
        (shard.cell, shard.seed, case) for shard in found for case in range(shard.first, shard.first + shard.products)
    )
    assert set(cases.values()) == {1}
    assert set(cases) == {(cell, seed, case) for cell in range(4) for seed in (1, 2, 3) for case in range(100)}
    assert len({shard.id for shard in found}) == 48


def test_shards_are_the_same_wherever_the_plan_is(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    here, there = shards(tmp_path / "a"), shards(tmp_path / "b", f"# another comment\nname = 'other'\n{SMALL}")
    assert list(here) == list(there)
    assert here.digest == there.digest
    other = shards(tmp_path / "b", SMALL.replace('"61"', '"59"'))
    assert other.digest != here.digest
    same = {shard.id for shard in here} & {shard.id for shard in other}
    assert len(same) == 24  # those of the other modulus


def test_combinations_take_turns_by_weight(tmp_path: Path) -> None:
    text = "".join(
        f"[[matrix]]\ncore = 'r2mm_bitserial'\nprime = {prime}\nsimulator = 'icarus'\nshard = 10\nweight = {weight}\n"
        "seed = '5..'\ncount = 20\n"
        for prime, weight in ((61, 1), (59, 3))
    )
    turns = [shard.cell for shard in islice(shards(tmp_path, text, hours="1"), 400)]
    assert turns.count(1) == 300
    assert max(abs(3 * turns[:n].count(0) - turns[:n].count(1)) for n in range(400)) <= 4
    assert sum(shard.products for shard in shards(tmp_path, text, products="1000")) == 1000


def test_all_moduli_of_a_size_and_what_is_left_out(tmp_path: Path) -> None:
    text = """
[[matrix]]
core = "r2mm_bitserial"
prime = [{odd_bits = 4}, 61]
kind = ["exhaustive", "random"]
disturb = ["none", ["again", "reset"]]
simulator = "icarus"
exclude = [{prime = ["61"], kind = "exhaustive"}, {prime = "0xb"}, {disturb = [["again", "reset"]], kind = "random"}]
"""
    cells = plan(tmp_path, text).cells
    assert {cell.axes.prime for cell in cells} == {"0x9", "0xd", "0xf", "61"}
    assert [(cell.axes.kind, cell.axes.disturb) for cell in cells if cell.axes.prime == "61"] == [("random", ())]
    assert len(cells) == 3 * 3 + 1


def test_directed_moduli_are_those_that_each_core_takes(tmp_path: Path) -> None:
    copy_of(TOYS / "mont_toy", tmp_path, ("core.toml", '["odd", "N <= 509"]', '["p % 64 == 1"]'))
    text = """
[[matrix]]
core = ["mont_toy", "r2mm_bitserial"]
prime = [{directed_bits = 24, count = 5}, 61]
simulator = "icarus"
exclude = [{core = "mont_toy", prime = 61}]
"""
    cells = plan(tmp_path, text).cells
    cores = ("mont_toy", "r2mm_bitserial")
    found = {core: [int(cell.axes.prime, 0) for cell in cells if cell.axes.core == core] for core in cores}
    assert [len(moduli) for moduli in found.values()] == [5, 6]
    assert all(p % 64 == 1 for p in found["mont_toy"])
    assert all(p.bit_length() == 24 for moduli in found.values() for p in moduli if p != 61)


def test_a_core_that_takes_no_directed_modulus(tmp_path: Path) -> None:
    copy_of(TOYS / "mont_toy", tmp_path, ("core.toml", '["odd", "N <= 509"]', '["p == 61"]'))
    text = "[[matrix]]\ncore = 'mont_toy'\nprime = {directed_bits = 24}\nsimulator = 'icarus'"
    with pytest.raises(ParameterError, match="prime: mont_toy takes no directed modulus of 24 bits"):
        assert plan(tmp_path, text).cells


def test_a_chain_is_pieces_that_follow_from_each_other(tmp_path: Path) -> None:
    text = """
[[matrix]]
core = "vdf_squarer"
prime = "2^61-1"
settings = {radix = "2^16", t = 60}
chain = {pieces = 6, start = 12345}
shard = 2
"""
    found = list(shards(tmp_path, text))
    modulus = 2**61 - 1
    values = [pow(12345, 2 ** (10 * at), modulus) for at in range(6)]
    assert [int(shard.operand, 16) for shard in found] == values[::2]
    task = shards(tmp_path, text).cells[0].task(found[2])
    assert task["job"]["settings"] == {"radix": "2^16", "t": 10}
    assert [int(text, 16) for text in task["job"]["operands"]] == values[4:]
    assert (task["first"], task["job"]["count"]) == (0, None)


class Computed(ShardExecutor):
    """Workers that compute nothing: what a task's outcome is follows from its name, and when it comes from a seed."""

    def __init__(self, places: int, seed: int, fails: Callable[[str], str] = lambda name: "") -> None:
        self._places, self._random, self._fails = places, random.Random(seed), fails
        self._out: list[tuple[int, Mapping[str, Any]]] = []
        self.handed: Counter[str] = Counter()

    @property
    def places(self) -> int:
        return self._places

    def submit(self, number: int, work: Work, task: Mapping[str, Any]) -> None:
        assert len(self._out) < self._places
        self.handed[task["id"]] += 1
        self._out.append((number, task))

    def ended(self, seconds: float) -> list[EndedTask]:
        self._random.shuffle(self._out)
        several = self._random.randint(1, len(self._out))
        taken, self._out = self._out[:several], self._out[several:]
        return [EndedTask(number, self._outcome(task)) for number, task in taken]

    def _untried(self, task: Mapping[str, Any]) -> tuple[str, ...]:
        """Shards of seed 2 tried what the others did not."""
        return ("resets",) if task["job"]["seed"] == 2 else ("starts while it works", "resets")

    def _outcome(self, task: Mapping[str, Any]) -> Outcome:
        if failed := self._fails(task["id"]):
            return Outcome(failed=failed)
        products = task["job"]["count"] - task["first"]
        return Outcome(verified=products, cycles=2 * products, digest=task["id"][::-1], untried=self._untried(task))

    def close(self) -> None:
        self._out = []


class KilledError(Exception):
    """As if the process was killed here."""


def killed_after(count: int) -> Callable[[Coordinator], None]:
    left = iter(range(count))

    def told(_: Coordinator) -> None:
        if next(left, None) is None:
            raise KilledError

    return told


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Shards:
    return shards(tmp_path_factory.mktemp("plan"))


@given(seed=st.integers(0, 1 << 30), places=st.integers(1, 9), stops=st.lists(st.integers(0, 6), max_size=8))
def test_no_shard_is_lost_or_doubled(
    settled: Shards, tmp_path_factory: pytest.TempPathFactory, seed: int, places: int, stops: list[int]
) -> None:
    """Whenever the coordinator is killed, and in whatever order shards end: every one counts once."""
    path = tmp_path_factory.mktemp("state") / "state"
    resumed = False
    for stop in stops:
        with CampaignState.open(path, settled.digest, resume=resumed) as state, suppress(KilledError):
            Coordinator(settled, state, Computed(places, seed), killed_after(stop)).run()
        resumed = True
    with CampaignState.open(path, settled.digest, resume=resumed) as state, Computed(places, seed + 1) as workers:
        assert Coordinator(settled, state, workers).run() == "all"
        assert max(workers.handed.values(), default=1) == 1
        assert list(state.ended()) == list(range(48))
        assert (state.sums.shards, state.sums.verified, state.sums.cycles) == (48, 1200, 2400)
        digest = state.digest
    assert digest == undisturbed(settled, tmp_path_factory)


def undisturbed(settled: Shards, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("state") / "state"
    with CampaignState.open(path, settled.digest, resume=False) as state, Computed(1, 0) as workers:
        Coordinator(settled, state, workers).run()
        return state.digest


def test_what_a_campaign_did_not_try(settled: Shards, tmp_path: Path) -> None:
    """A circumstance is named where no shard of a combination tried it, also after a shard was set aside."""
    bad = [shard.id for shard in settled][5]
    with CampaignState.open(tmp_path / "state", settled.digest, resume=False) as state:
        with Computed(3, 1, lambda name: "no memory" if name == bad else "") as workers:
            ended = Coordinator(settled, state, workers).run()
        summary = Summary(settled, ended, state)
    assert [cell["not_tried"] for cell in summary.document["cells"]] == [["resets", "verilator"]] * 4
    assert summary.text().count("not tried by iddmm_arch2: resets, verilator\n") == 1
    assert "<strong>r2mm_bitserial</strong>: resets, verilator" in page(summary)


def test_no_list_of_a_combination_that_differs(settled: Shards, tmp_path: Path) -> None:
    """Nor a circumstance that a state of before, which counted none, may have tried."""
    first, *_, last = [shard for shard in settled if shard.cell == 0]
    fits = Outcome(verified=30, untried=("resets",))
    with CampaignState.open(tmp_path / "state", settled.digest, resume=False) as state:
        state.record([(first, fits, 1.0)], 1.0)
        assert state.untried() == {0: ["resets"]}
        assert Summary(settled, None, state).document["cells"][0]["not_tried"] == [
            "more than 30 products: these are a smoke test",
            "resets",
            "verilator",
        ]
    with closing(sqlite3.connect(tmp_path / "state")) as database:
        database.execute("DROP TABLE untried")
        database.commit()
    with CampaignState.open(tmp_path / "state", settled.digest, resume=True) as state:
        state.record([(last, fits, 1.0)], 1.0)
        assert state.untried() == {}
        differs = Outcome(verified=3, bucket=("core", "r", "", "value", ""), report={"first_divergence": FOUND})
        state.record([(shard, differs, 1.0) for shard in settled if shard.number == 1], 1.0)
        cells = Summary(settled, None, state).document["cells"]
    assert [cell.get("not_tried") for cell in cells if cell["differing"]] == [None]


FOUND = {"case": 0, "a": "0x1", "b": "0x1", "signal": "r", "step": None, "expected": "0x1", "seen": "0x0", "replay": ""}
"""The first difference of a report, as far as a summary needs it."""


def test_a_shard_that_fails_three_workers_is_set_aside(settled: Shards, tmp_path: Path) -> None:
    bad = [shard.id for shard in settled][5]
    with CampaignState.open(tmp_path / "state", settled.digest, resume=False) as state:
        with Computed(3, 1, lambda name: "no memory" if name == bad else "") as workers:
            ended = Coordinator(settled, state, workers).run()
        assert workers.handed[bad] == ALLOWED
        assert sum(workers.handed.values()) == 47 + ALLOWED
        assert state.aside == [(5, 1, "no memory")]
        summary = Summary(settled, ended, state)
        assert summary.exit_code == 3
        assert (
            "set aside: 1 shard that no worker could run\n  shard 5, core = iddmm_arch2, prime = 61" in summary.text()
        )
        assert 'errors="1"' in summary.junit()


def test_shards_that_were_set_aside_run_again(
    settled: Shards, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bad = {shard.id for shard in settled if shard.number in (0, 5, 6, 47)}
    with CampaignState.open(tmp_path / "state", settled.digest, resume=False) as state:
        with Computed(3, 1, lambda name: "disk is full" if name in bad else "") as workers:
            Coordinator(settled, state, workers).run()
        assert (state.sums.aside, state.sums.shards) == (4, 48)
    with CampaignState.open(tmp_path / "state", settled.digest, resume=True) as state, Computed(3, 1) as workers:
        assert Coordinator(settled, state, workers).run() == "all"
        assert not workers.handed
        state.again()
        assert (state.sums.aside, state.sums.shards, state.aside) == (0, 44, [])
        assert Coordinator(settled, state, workers).run() == "all"
        assert set(workers.handed) == bad
        assert (state.sums.shards, state.sums.verified, state.sums.cycles, state.sums.aside) == (48, 1200, 2400, 0)
        assert state.digest == undisturbed(settled, tmp_path_factory)


def test_failures_are_counted_across_a_kill(settled: Shards, tmp_path: Path) -> None:
    bad = next(iter(settled)).id
    handed = 0
    for resume in (False, True, True, True):
        workers = Computed(1, 1, lambda name: "no memory" if name == bad else "")
        with CampaignState.open(tmp_path / "state", settled.digest, resume=resume) as state, suppress(KilledError):
            Coordinator(settled, state, workers, killed_after(0)).run()
        handed += workers.handed[bad]
    assert handed == ALLOWED


def test_limits_end_a_campaign(settled: Shards, tmp_path: Path) -> None:
    text = SMALL.replace('"1..3"', '"1.."')
    seconds: Iterator[float] = iter(range(10**9))
    for name, value, ended, most in (("products", "250", "products", 270), ("seconds", "60", "time", 10**9)):
        asked = shards(tmp_path, text, **{name: value})
        with CampaignState.open(tmp_path / name, asked.digest, resume=False) as state, Computed(2, 1) as workers:
            assert Coordinator(asked, state, workers, clock=lambda: next(seconds)).run() == ended
            assert 0 < state.sums.verified <= most
    more = shards(tmp_path, text, products="500")  # the same campaign with another limit goes on
    with CampaignState.open(tmp_path / "products", more.digest, resume=True) as state, Computed(2, 1) as workers:
        Coordinator(more, state, workers).run()
        assert state.sums.verified == 500 + (500 - 250) % 10 or 500 <= state.sums.verified < 530


def test_states_that_cannot_be_used(settled: Shards, tmp_path: Path) -> None:
    def refused(path: Path, *, resume: bool) -> str:
        with pytest.raises((ParameterError, ToolError)) as error:
            CampaignState.open(path, settled.digest, resume=resume)
        return str(error.value)

    path = tmp_path / "state"
    assert "there is no" in refused(path, resume=True)
    with CampaignState.open(path, settled.digest, resume=False):
        assert "is that of a campaign that is running" in refused(path, resume=True)
    assert "is there already: --resume goes on with it" in refused(path, resume=False)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE about SET value = 'x' WHERE name = 'digest'")
    assert "is of another campaign: since it began, what its shards are made of changed" in refused(path, resume=True)
    path.write_bytes(b"nothing like it" * 99)
    before = path.read_bytes()
    assert "is not the state of a campaign" in refused(path, resume=True)
    assert path.read_bytes() == before
    assert "cannot be written" in refused(tmp_path / "none" / "state", resume=False)
    assert "cannot be written" in refused(tmp_path, resume=True)


def test_what_has_changed_is_named(settled: Shards, tmp_path: Path) -> None:
    path = tmp_path / "state"
    with CampaignState.open(path, settled.digest, settled.parts, resume=False):
        pass
    assert settled.parts.keys() == {"the plan", "core iddmm_arch2", "core r2mm_bitserial"}
    for changed in (["core iddmm_arch2"], ["the plan"], ["the plan", "core iddmm_arch2"]):
        parts = {**settled.parts, **dict.fromkeys(changed, "x")}
        with pytest.raises(ParameterError, match=f"since it began, {' and '.join(changed)} changed"):
            CampaignState.open(path, "x", parts, resume=True)


def test_files_of_others_stay_as_they_are(settled: Shards, tmp_path: Path) -> None:
    path = tmp_path / "others.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE mine (number INTEGER)")
    before = path.read_bytes()
    for resume in (False, True):
        with pytest.raises(ParameterError, match="state: "):
            CampaignState.open(path, settled.digest, resume=resume)
        assert path.read_bytes() == before


def test_a_state_is_refused_before_combinations_are_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Shards, "of", None)
    (tmp_path / "plan.toml").write_text(SMALL)
    with closing(sqlite3.connect(tmp_path / "there")) as database, database:
        database.execute("CREATE TABLE about (name TEXT)")
    for words, sentence in (
        (["--resume"], "resume: there is no plan.campaign to go on with"),
        (["--again"], "again: shards of a campaign are tried again with --resume"),
        (["--state", "there"], "state: there is there already: --resume"),
        (["--state", "."], "state: . cannot be written: Is a directory"),
        (["--until", "x"], "until: 'x' is not of the form NAME=VALUE"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["campaign", "plan.toml", *words])
        said = capsys.readouterr()
        assert (ended.value.code, said.out) == (2, "")
        assert sentence in said.err
    assert not (tmp_path / "plan.campaign").exists()


def test_shards_as_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text(SMALL)
    with pytest.raises(SystemExit) as ended:
        main(["campaign", str(tmp_path / "plan.toml"), "--list", "--until", "products=100"])
    assert ended.value.code == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["number"], line["first"], line["products"]) for line in lines] == [(0, 0, 30), (1, 0, 30), (2, 0, 30), (3, 0, 30)]  # fmt: skip  # noqa: E501
    assert not (tmp_path / "plan.campaign").exists()


def test_states_of_campaigns_that_were_killed_at_once(settled: Shards, tmp_path: Path) -> None:
    """Before they wrote anything: there is an empty file, or one with SQLite's header alone."""
    (tmp_path / "empty").touch()
    with closing(sqlite3.connect(tmp_path / "header")) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
    for name in ("empty", "header"):
        for resume in (False, True):
            path = tmp_path / f"{name}-{resume}"
            path.write_bytes((tmp_path / name).read_bytes())
            with CampaignState.open(path, settled.digest, resume=resume) as state:
                assert state.sums.shards == 0


def test_names_of_shards(settled: Shards) -> None:
    first: Shard = next(iter(settled))
    assert len(first.id) == 32
    cell = settled.cells[0]
    assert json.loads(cell.content)["core"] == "iddmm_arch2"
    assert "/" not in cell.content.replace("limbtrace/1", "")
