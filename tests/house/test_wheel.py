# SPDX-License-Identifier: Apache-2.0
"""The wheel as a user gets it: built, installed without extras into a fresh environment, used from another folder."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house.test_rules import PACKAGES

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs of a fresh environment with the wheel and its requirements."""
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, env=ENVIRONMENT)
    pip("--python", str(folder / "bin/python"), "install", "--quiet", "--no-compile", str(wheel))
    return folder / "bin"


def test_contents(wheel: Path) -> None:
    """One package, limbtrace, with all files of the folders, and nothing else."""
    names = set(zipfile.ZipFile(wheel).namelist())
    packaged = {name for name in names if ".dist-info/" not in name}
    expected = {
        f"limbtrace/{path.relative_to(ROOT if package else ROOT / 'limbtrace').as_posix()}"
        for package in ("", *PACKAGES)
        for path in (ROOT / (package or "limbtrace")).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packaged == expected
    rtl = "limbtrace/rtl_bridge/rtl/iddmm_arch2"
    assert {f"{rtl}/core.toml", f"{rtl}/lt_iddmm_arch2.sv", "limbtrace/py.typed"} <= packaged
    assert "limbtrace/refmodels/papers/iddmm/figures.csv" in packaged
    licences = {name.rsplit("/", 1)[1] for name in names if "/licenses/" in name}
    assert {"LICENSE", "CC0-1.0.txt"} <= licences


def limbtrace(scripts: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(scripts / "limbtrace"), *arguments], cwd=folder, capture_output=True, text=True, env=ENVIRONMENT
    )


def test_commands_without_extras(scripts: Path, tmp_path: Path) -> None:
    for arguments in (
        ("models",),
        ("models", "cios"),
        ("primes", "p256"),
        ("cores",),
        ("trace", "cios", "--prime", "p256", "--a", "3", "--b", "5", "--check"),
        ("cycles", "iddmm_arch2", "--prime", "mlkem", "--count", "2", "--format", "vcd"),
        ("tables", "iddmm"),
        ("tables", "fpmm"),
        ("errata", "redundant.E7"),
        ("explore", "fpmm", "--bits", "128"),
        ("constants", "iddmm2", "--prime", "curve25519", "--format", "sv"),
        ("library", "iddmm_arch2", "--prime", "mlkem", "--radix", "2^4", "-o", "made"),
        ("vectors", "iddmm2", "--prime", "secp256k1.fp", "--format", "readmemh", "-o", "set"),
    ):
        done = limbtrace(scripts, tmp_path, *arguments)
        assert done.returncode == 0, done.stderr
        assert done.stdout or "-o" in arguments
    papers = json.loads(limbtrace(scripts, tmp_path, "tables", "--json").stdout)["papers"]
    assert all(paper["figures"] for paper in papers)
    assert any(figure["synthesis"] for paper in papers for figure in paper["figures"])
    verdict = json.loads(limbtrace(scripts, tmp_path, "verify", "set").stdout)
    assert (verdict["verdict"], verdict["verified"]) == ("pass", 16)


@pytest.mark.parametrize(("command", "extra"), [("serve", "service"), ("sim", "sim")])
def test_commands_that_need_an_extra_name_it(scripts: Path, tmp_path: Path, command: str, extra: str) -> None:
    arguments = ("iddmm_arch2", "--prime", "mlkem", "--count", "1") if command == "sim" else ()
    done = limbtrace(scripts, tmp_path, command, *arguments)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(f"which is not installed: pip install 'limbtrace[{extra}]'\n")
    assert "serve" in limbtrace(scripts, tmp_path, "--help").stdout


def test_no_file_comes_from_the_checkout(scripts: Path, tmp_path: Path) -> None:
    program = (
        "from limbtrace import refmodels, rtl_bridge, service, vectors;"
        "print(*(package.__file__ for package in (refmodels, rtl_bridge, service, vectors)))"
    )
    done = subprocess.run(
        [str(scripts / "python"), "-c", program], cwd=tmp_path, capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.returncode == 0, done.stderr
    assert str(ROOT) not in done.stdout
    assert done.stdout.count("site-packages") == 4


SERVED = """
import sys
from pathlib import Path

(site,) = sys.argv[1:]
sys.path[:] = [site, *(path for path in sys.path if not Path(path, "pyproject.toml").exists())]
from starlette.testclient import TestClient

import limbtrace
from limbtrace.service.app import create_app

assert limbtrace.__file__.startswith(site), limbtrace.__file__
with TestClient(create_app()) as client:
    for path in ("/v1/vectors?model=cios&prime=p256&count=2", "/v1/cycles?core=iddmm_arch2&prime=mlkem&count=1", "/"):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.text)
"""


def test_service_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """A service finds all its files where only limbtrace is on the path, and not the folders of a checkout."""
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    done = subprocess.run([sys.executable, "-c", SERVED, str(site)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


OWN = """
import sys

import service
import vectors
import limbtrace as lt


def test_own_modules():
    assert vectors.CASES == [(3, 5, 15)]
    assert service.NAME == "own"


def test_plugin_loads_nothing_beforehand(request):
    assert request.config.pluginmanager.hasplugin("limbtrace")
    loaded = {name for name in sys.modules if name.startswith("limbtrace.")}
    assert loaded == {"limbtrace.lazy_exports", "limbtrace.pytest_plugin"}


def test_limbtrace():
    mul = lt.multiplier("cios", 13, 4)
    assert [mul.residue(mul(a, b) * mul.R) for a, b, _ in vectors.CASES] == [2]
"""


@pytest.mark.budget
def test_project_with_modules_of_the_same_names(scripts: Path, tmp_path: Path) -> None:
    """A `vectors.py` and a `service` of a user's own stay theirs, and limbtrace works beside them."""
    pip("--python", str(scripts / "python"), "install", "--quiet", "--no-compile", "pytest>=8.3,<10")
    (tmp_path / "vectors.py").write_text("CASES = [(3, 5, 15)]\n")
    (tmp_path / "service").mkdir()
    (tmp_path / "service" / "__init__.py").write_text('NAME = "own"\n')
    (tmp_path / "test_own.py").write_text(OWN)
    command = [str(scripts / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


USER = """
import limbtrace as lt
from pathlib import Path

mul = lt.multiplier("iddmm2", prime="0xea7", radix="2^4")
product: int = mul(0xE8A, 0xD66)
inside: int = mul.to_domain(6) + mul.from_domain(7)
radix: int | None = mul.R
run: lt.Trace = mul.trace(0xE8A, 0xD66)
step: lt.TraceStep = run.named("q")[0]
digits: list[int] = [found.value for found in run] + [run["q", 0]]
table: lt.CycleTable = lt.core("iddmm_arch2").cycles(mul, [(0xE8A, 0xD66)])
cases: lt.Cases = mul.vectors(count=10, kind="events")
ids: list[str] = [case.id for case in cases]


def simulate(folder: Path) -> bool:
    report: lt.Report = lt.sim(folder, prime="p256", count=10, disturb=["all"])
    return report.passed


def check(results: list[int]) -> None:
    board: lt.Scoreboard = lt.scoreboard(mul, lt.core("iddmm_arch2"))
    try:
        board.expect(3, 5)
        board.result(results[0])
    except lt.MismatchError as error:
        found: lt.Divergence = error.divergence
        print(found)


drawn = lt.strategies.products(mul)
"""


def test_types_hold_for_users(scripts: Path, tmp_path: Path) -> None:
    """A file of a user's own passes `mypy --strict`, and a wrong one does not."""
    mypy = str(Path(sys.executable).with_name("mypy"))
    options = ["--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache")]
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(USER)
    wrong.write_text("import limbtrace as lt\n\nlt.multiplier(5, prime=b'x')(1, 2).bit_lenth()\n")
    done = subprocess.run(
        [mypy, *options, "--python-executable", str(scripts / "python"), str(right), str(wrong)],
        cwd=tmp_path, capture_output=True, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    found = [line.partition(": error: ")[::2] for line in done.stdout.splitlines()]
    assert {place for place, _ in found} == {"wrong.py:3"}, done.stdout + done.stderr
    assert {said.rpartition("[")[2] for _, said in found} == {"arg-type]", "attr-defined]"}
