# SPDX-License-Identifier: Apache-2.0
"""The command line: every command, every wrong request, every failure of output."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import progress
from limbtrace.vectors.cli import main
from tests.patience import PATIENCE, eventually
from tests.shapes import ONE_DIGIT, WHOLE

Capture = pytest.CaptureFixture[str]

PRIME = ("--prime", "secp256k1.fp")
COMMAND = (
    sys.executable,
    "-c",
    "from limbtrace.vectors import progress; progress.Progress.advance = lambda *_: None\n"
    "from limbtrace.vectors.entry import main; main()",
)


def run(capfd: Any, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command in this process."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capfd.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, out, err


def good(capfd: Any, *arguments: str) -> str:
    code, out, err = run(capfd, *arguments)
    assert (code, err) == (0, "")
    return out


def document(capfd: Any, *arguments: str) -> Any:
    """The JSON document on standard output, which holds nothing else."""
    return json.loads(good(capfd, *arguments))


def test_help_lists_every_command(capfd: Any) -> None:
    out = good(capfd, "--help")
    for name in (
        "models",
        "primes",
        "cores",
        "trace",
        "cycles",
        "vectors",
        "constants",
        "verify",
        "tables",
        "errata",
        "sim",
        "serve",
    ):
        assert f"\n  {name} " in out
    code, out, err = run(capfd)
    assert (code, out) == (2, "")
    assert "Commands:" in err


def test_models(capfd: Any) -> None:
    listed = document(capfd, "models", "--json")
    ids = ["cios", "fpmm", "r2mm", "mwr2mm", "mwr2kmm", "imm", "iddmm1", "iddmm2", "orup", "redundant"]
    ids += ["barrett", "effm", "ffm1", "ffm2", "hffm", "monpro", "redmonpro", "ozturk", "llmonpro", "vdf"]
    ids += [
        "koc_sos",
        "koc_cios",
        "koc_fios",
        "koc_fips",
        "koc_cihs",
        "barrett_reduce",
        "barrett_mul",
        "blakley",
        "fold",
        "solinas",
    ]
    ids += ["modmul", "square", "reduce", "montgomery", "redc"]
    ids += ["butterfly_ct", "butterfly_gs", "modmac", "modadd", "modsub", "modneg", "modhalve"]
    assert [entry["id"] for entry in listed["models"]] == ids
    text = good(capfd, "models")
    for entry in listed["models"]:
        assert f"{entry['id']:<14}  {entry['title']}" in text
        one = document(capfd, "models", entry["id"], "--json")
        assert one["format"] == "limbtrace/1"
        plain = good(capfd, "models", entry["id"])
        for parameter in one["parameters"]:
            assert {"name", "default", "range", "meaning"} <= set(parameter)
            assert parameter["name"] in plain
            assert parameter["default"] in plain
        for claim in one["claims"]:
            assert claim["statement"] in plain
        named = {parameter["name"] for parameter in one["parameters"]}
        assert {"form", "count", "seed", "kind"} <= named
        assert ("radix" in named) == (one["id"] not in (*WHOLE, *ONE_DIGIT))


def test_primes(capfd: Any) -> None:
    listed = document(capfd, "primes", "--json")["primes"]
    assert good(capfd, "primes").count("\n") == len(listed)
    one = document(capfd, "primes", "secp256k1", "--json")
    assert (one["name"], one["modulus"]) == ("secp256k1.fp", hex(2**256 - 2**32 - 977))
    assert document(capfd, "primes", "2^127-1", "--json")["bits"] == 127
    assert "composite" in good(capfd, "primes", "iddmm-a1024")


def test_cores(capfd: Any) -> None:
    known = [
        "iddmm_arch1", "iddmm_arch2", "r2mm_bitserial", "mwr2mm_wordserial", "fpmm", "redundant", "hffm",
        "hffm_layers", "llmonpro", "vdf_squarer", "vdf_squarer_axil", "koc_cios",
        "barrett_pipeline", "barrett_reducer", "blakley_serial", "fold_pipeline", "solinas_pipeline",
    ]  # fmt: skip
    assert [entry["id"] for entry in document(capfd, "cores", "--json")["cores"]] == known
    one = document(capfd, "cores", "iddmm_arch2", "--json")
    assert [entry["name"] for entry in one["signals"]] == ["q", "C", "An", "S", "R", "U", "A_we", "A_addr", "A"]
    cycles = next(cost for cost in one["costs"] if cost["name"] == "cycles")
    assert cycles["example"]["value"] == 8 * 10
    assert "T(n + 2 + pipeline)" in good(capfd, "cores", "iddmm_arch2")
    assert "iddmm_arch2" in good(capfd, "cores")


def test_trace(capfd: Any) -> None:
    arguments = ("trace", "cios", "--prime", "13", "--radix", "2^3", "--a", "17", "--b", "[3,1]")
    trace = document(capfd, *arguments)
    assert (trace["result"], trace["residue"], trace["params"], trace["radix"]) == ("0x8", "0x8", {"s": 2}, "2^3")
    assert trace["steps"][0] == ["v", [0, 0], "0x3"]
    assert [step[2] for step in trace["steps"] if step[0] == "q"] == ["0x1", "0x3"]
    code, out, err = run(capfd, *arguments, "--check", "--format", "csv")
    assert (code, err) == (0, "limbtrace: all 19 claims of cios hold\n")
    assert out.splitlines()[1] == "name,index,value"
    assert good(capfd, *arguments, "--format", "text").endswith("# result  0x8\n# residue 0x8\n")


def test_check_reports_a_broken_claim(capfd: Any) -> None:
    code, out, err = run(
        capfd, "trace", "iddmm2", "--prime", "13", "--set", "k=2", "--set", "form=printed", "--a", "7", "--b", "11",
        "--check",
    )  # fmt: skip
    assert code == 1
    assert json.loads(out)["result"] == "0x1"
    assert err.splitlines()[0].startswith("limbtrace: ")
    assert " breaks '" in err


def test_cycles(capfd: Any) -> None:
    arguments = ("cycles", "iddmm_arch2", "--prime", "0xea7", "--radix", "2^4")
    table = document(capfd, *arguments, "--operands", "0xe8a,0xd66", "--operands", "1,[2,3]@20")
    assert (table["results"][0], table["starts"], len(table["rows"])) == ("0x14bf", [0, 20], 35)
    assert table["rows"][2][0] == "0xc"
    vcd = good(capfd, *arguments, "--count", "2", "--format", "vcd")
    assert "$enddefinitions" in vcd
    assert good(capfd, *arguments, "--count", "2", "--format", "csv").endswith('# {"end":31}\n')


def test_constants(capfd: Any) -> None:
    constants = document(capfd, "constants", "cios", *PRIME)["constants"]
    assert constants["P'"] == "0x1d2253531"
    sv = good(capfd, "constants", "cios", *PRIME, "--format", "sv")
    assert "localparam logic [32:0] P_prime = 33'h1d2253531;" in sv
    vhdl = good(capfd, "constants", "cios", *PRIME, "--format", "vhdl")
    assert f'constant P_prime : std_logic_vector(32 downto 0) := "{0x1D2253531:b}";' in vhdl


@pytest.mark.parametrize("form", ["json", "ndjson", "csv", "readmemh"])
def test_vectors_and_verify(capfd: Any, tmp_path: Path, form: str) -> None:
    output = tmp_path / ("set" if form == "readmemh" else f"set.{form}")
    arguments = ("vectors", "iddmm2", *PRIME, "--radix", "2^32", "--count", "20", "--seed", "7", "--format", form)
    assert good(capfd, *arguments, "-o", str(output)) == ""
    assert good(capfd, *arguments, "-o", str(output)) == ""  # again, over what is there
    verdict = document(capfd, "verify", str(output))
    assert (verdict["verdict"], verdict["verified"], verdict["mismatches"]) == ("pass", 20, 0)
    if form != "readmemh":
        assert good(capfd, *arguments) == output.read_text()
        first = document(capfd, *arguments[:-2], "--format", "json")["id"]
        assert verdict["id"] == first
    else:
        assert good(capfd, *arguments, "-o", f"{output}.tar") == ""
        assert document(capfd, "verify", f"{output}.tar")["id"] == verdict["id"]
    assert {path.name for path in tmp_path.iterdir()} <= {output.name, f"{output.name}.tar"}


def test_defaults_are_those_that_models_lists(capfd: Any) -> None:
    plain = good(capfd, "vectors", "iddmm2", *PRIME)
    spelled = good(
        capfd, "vectors", "iddmm2", *PRIME, "--radix", "2^32", "--count", "16", "--seed", "1", "--kind", "directed",
        "--format", "json", "--set", "n=8", "--set", "T=8", "--set", "form=corrected", "--set", "k=32",
    )  # fmt: skip
    assert plain == spelled


def test_verify_says_what_diverged(capfd: Any, tmp_path: Path) -> None:
    (tmp_path / "seen.json").write_text(
        '{"model":"iddmm2","prime":"13","radix":"2^2","results":[{"a":"0x7","b":"0xb","result":"0x1"}]}'
    )
    code, out, err = run(capfd, "verify", str(tmp_path / "seen.json"))
    assert (code, err) == (1, "")
    verdict = json.loads(out)
    assert verdict["first_divergence"]["expected"] == "0x11"
    words = verdict["first_divergence"]["replay"].split()
    assert words[0] == "limbtrace"
    assert document(capfd, *words[1:])["result"] == "0x11"


TRACE = ("trace", "iddmm2", *PRIME)
VECTORS = ("vectors", "iddmm2", *PRIME)
BAD = [
    (("trace", "iddmm2", "--prime", "256", "--a", "1", "--b", "1"), "prime: the modulus must be odd"),
    (("trace", "iddmm2", "--prime", "1", "--a", "1", "--b", "1"), "prime: the modulus must be at least 3"),
    (("trace", "iddmm2", "--prime", "-3", "--a", "1", "--b", "1"), "prime: the modulus must be at least 3"),
    (("trace", "iddmm2", "--prime", "secp256k2", "--a", "1", "--b", "1"), "with a name near it: secp256k1"),
    (("trace", "iddmm2", "--prime", "9^9^9^9", "--a", "1", "--b", "1"), "wider than the limit of 131072 bits"),
    (("trace", "iddmm2", "--prime", "2^99999-1", "--a", "1", "--b", "1"), "prime: the modulus has 99999 bits"),
    (("trace", "nonesuch", *PRIME, "--a", "1", "--b", "1"), "model: there is no model 'nonesuch'"),
    ((*TRACE, "--a", "2^258", "--b", "1"), "a: a value of 259 bits is outside 0 <= a < 2p"),
    ((*TRACE, "--a", "1", "--b", "2^256"), "b: a value of 257 bits is outside 0 <= b < beta^passes"),
    ((*TRACE, "--a", "-1", "--b", "1"), "a: -0x1 is outside"),
    ((*TRACE, "--a", "[1,2", "--b", "1"), "a: a digit vector is written [d0,d1,...]"),
    ((*TRACE, "--a", "[4294967296]", "--b", "1"), "a: digit 0 is outside 0 to 2^32-1"),
    ((*TRACE, "--a", "[]", "--b", "1"), "a: the integer is missing"),
    ((*TRACE, "--a", "one", "--b", "1"), "a: character 'o' is not part of an integer expression"),
    ((*TRACE, "--a", "1"), "b: the request does not give it, and iddmm2 multiplies a and b"),
    ((*TRACE, "--a", "1", "--b", "1", "--radix", "3"), "radix: the radix must be a power of two"),
    ((*TRACE, "--a", "1", "--b", "1", "--radix", "2^16", "--set", "k=8"), "mean the same parameter and differ"),
    ((*TRACE, "--a", "1", "--b", "1", "--set", "k=8", "--set", "k=9"), "k: given twice, as '8' and as '9'"),
    ((*TRACE, "--a", "1", "--b", "1", "--set", "n=7"), "n: 7 digits of 32 bits do not hold a modulus of 256 bits"),
    ((*TRACE, "--a", "1", "--b", "1", "--set", "n"), "set: 'n' is not of the form NAME=VALUE"),
    ((*TRACE, "--a", "1", "--b", "1", "--set", "=1"), "set: '=1' is not of the form NAME=VALUE"),
    ((*TRACE, "--a", "1", "--b", "1", "--set", "s=8"), "s: iddmm2 has no such parameter"),
    ((*TRACE, "--a", "1", "--b", "1", "--format", "xml"), "'xml' is not one of 'json', 'csv', 'text'"),
    (("trace", "iddmm2", "--prime", "2^16384-1", "--radix", "2", "--a", "1", "--b", "1"),
     "radix: the trace would have"),
    (("trace", "cios", *PRIME, "--radix", "2^64", "--set", "s=4", "--a", "1", "--b", "1"),
     "iddmm2 with radix 2^64 and n = 4 computes with R = 2^256"),
    ((*VECTORS, "--count", "0"), "count: 0 is outside 1 to 10000000"),
    ((*VECTORS, "--count", "10^12"), "count: 1000000000000 is outside 1 to 10000000"),
    ((*VECTORS, "--count", "many"), "count: character 'm' is not part of an integer expression"),
    ((*VECTORS, "--seed", "-1"), "seed: -1 is outside 0 to 18446744073709551615"),
    ((*VECTORS, "--kind", "odd"), "kind: 'odd' is none of mixed, random, edge, runs, lazy"),
    ((*VECTORS, "--format", "vcd"), "'vcd' is not one of"),
    (("vectors", "iddmm2"), "prime: the request does not give it, and iddmm2 multiplies modulo"),
    (("cycles", "nonesuch", *PRIME, "--operands", "1,1"), "core: there is no core 'nonesuch'"),
    (("cycles", "iddmm_arch2", *PRIME), "operands: at least one pair A,B is needed"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1"), "operands: '1' is not of the form A,B or A,B@CYCLE"),
    (("cycles", "vdf_squarer", *PRIME, "--operands", "1,2"), "operands: '1,2' is not of the form A or A@CYCLE"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1@x"), "operands: character 'x'"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1@-1"), "cannot start in cycle -1"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1", "--operands", "1,1@5"),
     "product 1 cannot start in cycle 5"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1", "--count", "2"), "operands and count exclude each other"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1", "--kind", "edge"), "operands and kind exclude each other"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1@10^9"), "larger than the limit of"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1@2^20000"), "larger than the limit of"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1@-2^20000"), "cannot start in cycle an integer of"),
    ((*TRACE, "--b", "1", "--a", f"[{'1,' * 20000}1]"), "a: it has 20001 digits, and 9 are enough"),
    ((*TRACE, "--a", "1", "--b", "1", "--set", "k=2^20000"), "k: an integer of 20001 bits is outside 2^1 to"),
    (("cycles", "iddmm_arch2", *PRIME, "--count", "10000000"), "count: the table would have at least"),
    (("cycles", "iddmm_arch2", *PRIME, "--operands", "1,1", "--set", "form=printed"), "built for the corrected form"),
    (("models", "nonesuch"),
     f"and {len(MODELS) - 8} more, which limbtrace models lists"),
    (("models", "cois"), "model: there is no model 'cois'; there is cios, "),
    (("cores", "nonesuch"), "core: there is no core 'nonesuch'; there is "),
    (("primes", "4"), "prime: the modulus must be odd"),
    (("constants", "cios", "--prime", ""), "prime: the integer is missing"),
    (("constants", "cios", "--prime", "(" * 99), "nested deeper"),
    (("verify", "/nonesuch"), "file: /nonesuch cannot be read: No such file or directory"),
    (("verify", "/dev/null"), "file: "),
    (("nonesuch",), "No such command 'nonesuch'"),
    (("models", "--nonesuch"), "No such option"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=range(len(BAD)))
def test_wrong_requests(capfd: Any, tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    output = tmp_path / "out"
    if arguments[0] in ("trace", "cycles", "vectors", "constants"):
        arguments = (*arguments, "-o", str(output))
    begin = time.process_time()
    code, out, err = run(capfd, *arguments)
    assert time.process_time() - begin < 60  # a hang, not a speed, and no other process counts
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("limbtrace: ")
    assert sentence in err
    assert len(err) < 400
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_text(capfd: Any, tmp_path: Path) -> None:
    for content in (b"", b"\0" * 600, b"\xff\xfe{", b"{" * 5000, b"[" * 100_000, b"# {", b'# {"group":1}\n', b"[]"):
        (tmp_path / "file").write_bytes(content)
        code, out, err = run(capfd, "verify", str(tmp_path / "file"))
        assert (code, out, err.count("\n")) == (2, "", 1)


OUTPUTS = [
    (("vectors", "cios", *PRIME, "--format", "csv"), "set.csv"),
    (("vectors", "cios", *PRIME, "--format", "readmemh"), "set"),
    (("trace", "cios", *PRIME, "--a", "1", "--b", "1"), "trace.json"),
    (("cycles", "iddmm_arch2", *PRIME, "--count", "1"), "cycles.vcd"),
    (("constants", "cios", *PRIME), "constants.json"),
]


@pytest.mark.parametrize(("arguments", "name"), OUTPUTS, ids=[name for _, name in OUTPUTS])
def test_output_where_there_is_no_folder(capfd: Any, tmp_path: Path, arguments: tuple[str, ...], name: str) -> None:
    code, out, err = run(capfd, *arguments, "-o", str(tmp_path / "missing" / name))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("limbtrace: output: ")
    assert err.endswith("cannot be written: No such file or directory\n")
    assert not list(tmp_path.iterdir())


def test_output_over_a_folder_of_others(capfd: Any, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    for form in ("csv", "readmemh"):
        code, _, err = run(capfd, "vectors", "cios", *PRIME, "--format", form, "-o", str(tmp_path / "mine"))
        assert (code, err.count("\n")) == (2, 1)
        assert "limbtrace: output: " in err
    assert [path.name for path in tmp_path.rglob("*")] == ["mine", "thesis.tex"]
    (tmp_path / "empty").mkdir()
    assert good(capfd, "vectors", "cios", *PRIME, "--format", "readmemh", "-o", str(tmp_path / "empty")) == ""
    assert (tmp_path / "empty" / "manifest.json").exists()


def test_output_under_a_relative_name(capfd: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert good(capfd, "constants", "cios", *PRIME, "-o", "constants.json") == ""
    assert (tmp_path / "constants.json").stat().st_mode & 0o777 == 0o666 & ~current_umask()
    assert os.listdir() == ["constants.json"]


def current_umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def process(*arguments: str, **options: Any) -> Any:
    """A command in a process of its own."""
    return subprocess.run([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, **options)


def test_disk_full_on_standard_output() -> None:
    with Path("/dev/full").open("w") as full:
        done = process("vectors", "cios", *PRIME, "--count", "100", stdout=full)
    assert done.returncode == 3
    assert done.stderr == "limbtrace: output: No space left on device\n"


def test_closed_pipe_of_a_short_output() -> None:
    """The output of click fits the pipe's buffer, so writing fails only at the flush."""
    read, write = os.pipe()
    os.close(read)
    done = process("models", stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_disk_full_in_a_file(tmp_path: Path) -> None:
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
    for form, name in (("csv", "set.csv"), ("readmemh", "set")):
        arguments = ["vectors", "cios", *PRIME, "--count", "1000", "--format", form, "-o", str(tmp_path / name)]
        program = f"{limit}from limbtrace.vectors.cli import main; main({arguments!r})"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "limbtrace: writing stopped: File too large\n"
        assert not list(tmp_path.iterdir())


def test_closed_pipe_is_quiet() -> None:
    command = [*COMMAND, "vectors", "cios", *PRIME, "--count", "50000", "--format", "ndjson"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().startswith(b'{"format":"limbtrace/1"')
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(timeout=PATIENCE) == 141


def size_of(folder: Path) -> int:
    """Total size in bytes of the files in a folder and its subfolders."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("form", ["ndjson", "readmemh"])
def test_an_interrupted_write_leaves_nothing(tmp_path: Path, form: str, stop: signal.Signals, code: int) -> None:
    output = tmp_path / "set"
    command = [*COMMAND, "vectors", "cios", *PRIME, "--count", "5000000", "--format", form, "-o", str(output)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as child:
        assert child.stderr is not None
        assert eventually(lambda: child.poll() is not None or size_of(tmp_path) > 100_000)
        child.send_signal(stop)
        assert child.wait(timeout=PATIENCE) == code
        assert b"Traceback" not in child.stderr.read()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ignored", [False, True])
def test_an_interrupt_while_modules_are_loaded_is_one_sentence(ignored: bool, tmp_path: Path) -> None:
    """A package that is loaded during the start simulates Ctrl-C."""
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nraise SystemExit(5)\n")
    begin = "signal.signal(signal.SIGINT, signal.SIG_IGN)" if ignored else "pass"
    child = subprocess.run(
        [sys.executable, "-c", f"import signal; {begin}; from limbtrace.vectors.entry import main; main()", "models"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
    )
    assert (child.returncode, child.stderr) == ((5, "") if ignored else (130, "limbtrace: interrupted\n"))


def test_the_installed_command_begins_there() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"limbtrace": "limbtrace.vectors.entry:main"}


def test_a_hangup_that_is_ignored_stays_ignored(capfd: Any) -> None:
    """SIGHUP is ignored, as under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        good(capfd, "models")
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def shell(redirections: str, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command whose streams the shell closes or redirects."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirections}', "sh", *COMMAND, *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("arguments", [("models",), ("vectors", "cios", *PRIME)])
def test_standard_output_that_is_closed(arguments: tuple[str, ...]) -> None:
    code, _, err = shell(">&-", *arguments)
    assert (code, err) == (3, "limbtrace: output: Bad file descriptor\n")


def test_a_closed_standard_output_does_not_matter_to_files(tmp_path: Path) -> None:
    assert shell(">&- 2>&-", "vectors", "cios", *PRIME, "-o", str(tmp_path / "set")) == (0, "", "")
    assert (tmp_path / "set").read_text().startswith('{"format"')


@pytest.mark.parametrize("redirections", ["2>&-", "2>/dev/full", "2>&- <&-"])
def test_messages_that_nobody_can_read(redirections: str) -> None:
    """Messages do not appear on standard output instead, and the exit code is that of the error."""
    assert shell(redirections, "models", "nix") == (2, "", "")
    assert shell(redirections) == (2, "", "")
    assert shell(f">/dev/full {redirections}", "models") == (3, "", "")


@pytest.mark.parametrize(("number", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_keeps_its_exit_code_where_nothing_can_be_written(number: str, code: int) -> None:
    """The output from before the signal is still in the buffer."""
    program = "import os, signal; from limbtrace.vectors.catalogue import tables; "
    program += f"tables.tables_document = lambda _: (print('begun'), os.kill(os.getpid(), signal.{number}))\n"
    command = ["sh", "-c", '"$@" >/dev/full 2>/dev/full', "sh", sys.executable, "-c", program + COMMAND[2], "tables"]
    assert subprocess.run(command, check=False).returncode == code


def test_a_file_that_memory_does_not_hold(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as stream:
        stream.truncate(1 << 40)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31)); "
    program = f"{limit}from limbtrace.vectors.cli import main; main(['verify', {str(tmp_path / 'huge')!r}])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "limbtrace: there is not enough memory for this\n")


def test_a_killed_write_leaves_no_file_under_the_name(tmp_path: Path) -> None:
    output = tmp_path / "set.ndjson"
    output.write_text("earlier")
    command = [*COMMAND, "vectors", "cios", *PRIME, "--count", "5000000", "--format", "ndjson", "-o", str(output)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as child:
        assert eventually(lambda: child.poll() is not None or size_of(tmp_path) > 100_000)
        child.kill()
    assert output.read_text() == "earlier"


def test_a_device_is_not_replaced(capfd: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for form in ("csv", "readmemh"):
        code, _, err = run(capfd, "vectors", "cios", *PRIME, "--format", form, "-o", str(tmp_path / "pipe"))
        assert (code, err.count("\n")) == (2, 1)
    assert (tmp_path / "pipe").is_fifo()


def test_progress_is_on_standard_error(capfd: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 10_000, 3))  # every look at the clock is three seconds after the last
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: float(next(seconds))))
    code, out, err = run(capfd, "vectors", "cios", *PRIME, "--count", "2000", "-o", str(tmp_path / "set"))
    assert (code, out) == (0, "")
    assert [line.split(" (")[0] for line in err.splitlines()] == [f"cases: {done} of 2000" for done in (0, 1024, 2000)]


def test_a_link_to_itself(capfd: Any, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for form in ("json", "readmemh"):
        code, out, err = run(capfd, "vectors", "cios", "--prime", "13", "--format", form, "-o", str(loop))
        assert (code, out) == (2, "")
        assert err == f"limbtrace: output: {loop} cannot be written: it is a link to itself\n"
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]


def test_a_link_stays_and_its_target_keeps_its_mode(capfd: Any, tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("earlier")
    target.chmod(0o640)
    link.symlink_to(target)
    assert run(capfd, "vectors", "cios", *PRIME, "-o", str(link))[0] == 0
    assert link.is_symlink()
    assert target.read_text().startswith('{"format"')
    assert target.stat().st_mode & 0o777 == 0o640
