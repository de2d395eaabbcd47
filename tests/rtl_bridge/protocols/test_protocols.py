# SPDX-License-Identifier: Apache-2.0
"""A protocol from another package: registered, found in the simulator's process, simulated, and its faults found."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge import protocols
from limbtrace.rtl_bridge.protocols import PROTOCOLS, kinds, register
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job
from tests.rtl_bridge.toys.fixed_latency import FixedLatency

TOY = TOYS / "fixed_toy"
KIND = "fixed-latency"


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """A package that provides the protocol at `place`, as if installed with `pip install`."""
    package = folder / "site" / "toy_protocols-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-protocols\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[{protocols.GROUP}]\n{KIND} = {place}\n")
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(protocols, "PROTOCOLS", dict(PROTOCOLS))
    protocols.find_installed.cache_clear()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Registers the toy's protocol, here and in the processes of simulators."""
    install(tmp_path, monkeypatch, f"{FixedLatency.__module__}:{FixedLatency.__name__}")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_it_is_simulated(mode: str) -> None:
    report = simulate(job(TOY, "mldsa", mode=mode, disturb=("reset", "unknown") if mode == "lockstep" else ()))
    assert report.passed, report.text()
    assert report.document["verified"] == 40
    assert all(report.document.get("disturbances", {}).values())


FAULTS = {
    "too slow": ("left_q <= N;", "left_q <= N - 1;"),
    "wrong quotient": ("sum[0] ? {2'b0, modulus}", "sum[1] ? {2'b0, modulus}"),
    "an operand is not taken": ("x_q    <= x;", "x_q    <= x_q;"),
}


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("old", "new"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_caught(old: str, new: str, tmp_path: Path) -> None:
    found = simulate(job(copy_of(TOY, tmp_path, ("fixed_toy.sv", old, new)), "mldsa")).tally.divergence
    assert found is not None
    assert found.signal == "result"


@pytest.mark.usefixtures("installed")
def test_its_contract_is_checked(tmp_path: Path) -> None:
    """A core that takes one more cycle than its description says."""
    core = copy_of(TOY, tmp_path, ("core.toml", 'latency = "N"', 'latency = "N - 1"'))
    assert not simulate(job(core, "mldsa")).passed


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('latency = "N"\n', "", "protocol.latency is missing$"),
        ('latency = "N"', 'latency = ""', "protocol.latency: string should have at least 1 character, not ''"),
        ('latency = "N"', "latency = 0", "protocol.latency is 0, and should be 1 at least$"),
        ('start = "go"', 'start = "gone"', "protocol.start is 'gone', and fixed_toy has no such port$"),
        ('start = "go"', 'begin = "go"', "protocol.start is missing$"),
        ('result = { port = "z" }', 'result = { port = "z", product = "y" }', "go with a read port$"),
    ],
)
def test_a_wrong_description_is_refused(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(copy_of(TOY, tmp_path, ("core.toml", old, new)), "mldsa"))


def test_a_kind_that_is_not_registered(tmp_path: Path) -> None:
    known = "'start-done', 'valid-ready', 'word-serial', 'axi4-lite', 'axi4-stream'"
    sentence = f"protocol: input tag '{KIND}' found using 'kind' does not match any of the expected tags: {known}, not "
    with pytest.raises(ParameterError, match=sentence):
        settle(job(copy_of(CORE, tmp_path, ("core.toml", 'kind = "start-done"', f'kind = "{KIND}"'))))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("toys_that_are_not_there:Toy", "No module named 'toys_that_are_not_there'"),
        ("limbtrace.rtl_bridge.description.tables:Probe", "'kind'"),
        ("limbtrace.rtl_bridge.protocols.base:Protocol", "not enough values to unpack (expected 1, got 0)"),
    ],
)
def test_a_package_that_cannot_be_used(
    place: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, monkeypatch, place)
    with pytest.raises(SystemExit) as ended:
        main(["sim", str(TOY), "--prime", "mldsa"])
    assert ended.value.code == 3
    sentence = f"limbtrace: the protocol {KIND}, installed as {place}, cannot be used: {why}\n"
    assert capsys.readouterr().err == sentence


def test_registered_from_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "PROTOCOLS", dict(PROTOCOLS))
    assert register(FixedLatency) is FixedLatency
    assert kinds() == (*PROTOCOLS, KIND)
    assert settle(job(TOY, "mldsa")).bound.protocol.finished == "N cycles after go"


def test_one_protocol_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "PROTOCOLS", {**PROTOCOLS, KIND: PROTOCOLS["start-done"]})
    with pytest.raises(ValueError, match="there is a protocol 'fixed-latency' already"):
        register(FixedLatency)
