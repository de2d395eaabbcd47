# SPDX-License-Identifier: Apache-2.0
"""Wrong descriptions of cores: one sentence that names the file and the key, before anything is built."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bind import names_of
from limbtrace.rtl_bridge.binding.formulas import Formulas
from limbtrace.rtl_bridge.core.core import BUILT_IN, built_in, find
from limbtrace.rtl_bridge.core.core_file import CoreFile
from limbtrace.rtl_bridge.protocols import PROTOCOLS
from limbtrace.rtl_bridge.protocols.word_serial import SetUp
from limbtrace.rtl_bridge.run import simulation
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.cli import main
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import multipliers
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job

TOML = "core.toml"

QUOTIENT = 'signal = "u_products.quot_q"'
WRONG = [
    ('format = "limbtrace-core/1"', 'format = "limbtrace-core/9"', ["format", "limbtrace-core/9"]),
    ('model = "iddmm2"', 'model = "iddmm9"', ["there is no model 'iddmm9'"]),
    ('schedule = "iddmm_arch2"', 'schedule = "iddmm_arch9"', ["schedule 'iddmm_arch9' is none of"]),
    ('schedule = "iddmm_arch2"\n', "", ["timeout is needed"]),
    ('schedule = "iddmm_arch2"\n', "timeout = 100\n", ["row u_products.quot_q", "needs a schedule"]),
    ('top = "lt_iddmm_arch2"\n', "", ["top is missing"]),
    ('top = "lt_iddmm_arch2"\n', 'top = "iddmm_arch2"\ncolour = 3\n', ["colour is no key"]),
    ('top = "lt_iddmm_arch2"\n', "top = iddmm\n", ["is not TOML"]),
    ('"lt_iddmm_arch2.sv"]', '"missing.sv"]', ["there is no file missing.sv"]),
    ('top = "lt_iddmm_arch2"', 'top = "nothing"', ["the RTL has an error"]),
    ('active = "low"', 'active = "middle"', ["reset.active", "'low' or 'high'"]),
    ('kind = "start-done"', 'kind = "start-stop"', ["protocol", "start-stop"]),
    ('busy = "busy_o"', 'buzy = "busy_o"', ["protocol.buzy is no key"]),
    ('port = "clk_i"', 'port = "clock"', ["clock.port is 'clock'", "no such port"]),
    ('done = "done_o"', 'done = "start_i"', ["protocol.done is start_i", "should be an output"]),
    ('start = "start_i"', 'start = "wr_data_i"', ["memory.data is wr_data_i", "drives already"]),
    ('busy = "busy_o"', 'busy = "rd_data_o"', ["protocol.busy is rd_data_o, which has 4 bits"]),
    ('[[input]]\nport = "n_i"\nvalue = "n"\nwith = "always"\n', "", ["the input n_i", "driven by nothing"]),
    ('port = "n_i"', 'port = "rst_ni"', ["input[0].port is rst_ni", "drives already"]),
    ('value = "n"', 'value = "n / 2"', ["input[0].value is 'n / 2'", "character '/' is not part"]),
    ('value = "n"', 'value = "m"', ["there is no 'm'", "passes"]),
    ('value = "n"', 'value = "n // (k - 4)"', ["divided by 0"]),
    ('value = "n"', 'value = "1000"', ["input[0].port is n_i, which has 5 bits and should have 10"]),
    ('K = "k"', 'J = "k"', ["an entry of synth must name J, NMax"]),
    ('NMax = "max(n, passes - 1, 16)"', 'NMax = "16"\nJ = 1', ["an entry of synth must name K, NMax, J"]),
    ('K = "k"', 'K = "k - 9"', ["build.K", "must not be negative"]),
    ('depth = "NMax + 1"\nload', 'depth = "2"\nload', ["memory.load[0] has 4 words, and the depth is 2"]),
    ('{ value = "a", select = 0, words = "n + 1" }', '{ value = "a", select = 0, words = "n" }',
     ["memory.load[0] has 3 words of 4 bits", "13 bits"]),
    ('select = "wr_sel_i"\n', "", ["memory.select is missing, and memory.load has 3 values for the same addresses"]),
    ('value = "b", select = 1', 'value = "b", select = 4', ["memory.load[1].select", "which has 2 bits"]),
    ('value = "b", select = 1', 'value = "a", select = 1', ["a and b must each be given once"]),
    ('data = "rd_data_o"\n', "", ["result needs either port, or address"]),
    ('column = "q"', 'column = "quotient"', ["row[0].column is 'quotient'", "q, C, An"]),
    (QUOTIENT, 'port = "busy_o"', ["row[0].port is busy_o, which has 1 bits and should have 4"]),
    (QUOTIENT, 'signal = "x_q && y_q"', ["row[0].signal is 'x_q && y_q'", "is not part of an integer expression"]),
    ('top = "lt_iddmm_arch2"\n', 'top = "lt-iddmm"\n', ["top is 'lt-iddmm', and takes a Verilog name"]),
    (QUOTIENT, 'port = "q_o"', ["row[0].port is 'q_o'", "no such port"]),
    (QUOTIENT, 'signal = "u_frame.a_top_q"', ["row[0].signal is u_frame.a_top_q, which has 2 bits and should have 4"]),
    (QUOTIENT, "", ["row[0] takes either port or signal"]),
    (QUOTIENT, f'port = "busy_o"\n{QUOTIENT}', ["row[0] takes either port or signal"]),
    (QUOTIENT, 'signal = "u_products.quot_q;"', ["row[0].signal", "'u_products.quot_q;'"]),
    ('column = "q"', 'match = "event"\nstep = "q"\nwhen = "u_frame.nothing"',
     ["row[0].when is 'u_frame.nothing'", "no such output or signal"]),
    ('column = "q"', 'match = "event"\nstep = "q"\nwhen = "u_frame.t_q"',
     ["row[0].when is u_frame.t_q, which has 5 bits"]),
    ('column = "q"', 'step = "q"', ['row[0] of match "cycle" takes column']),
    ('compare = "result"', 'limbs = ["z"]', ["limbs[0] is 'z'", "there is no 'z'"]),
    ('compare = "result"', 'limbs = ["1 - 2"]', ["limbs[0] is '1 - 2', which is -1, and must not be negative"]),
    ('compare = "result"', "limbs = [2, 3, 4, 5, 6, 7, 8, 9, 10]", ["limbs"]),
    ('column = "q"', 'match = "event"\nstep = "q"', ['row[0] of match "event"', "needs step and when"]),
    ('column = "q"', 'match = "event"\nstep = "Q"\nwhen = "busy_o"', ["row[0].step is 'Q', which is none of C, S, R"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_a_wrong_description_is_refused(old: str, new: str, words: list[str], tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path)
    text = (core / TOML).read_text()
    assert old in text
    (core / TOML).write_text(text.replace(old, new, 1))
    with pytest.raises(ParameterError) as caught:
        settle(job(core, settings={"radix": "2^4"}))
    sentence = str(caught.value)
    assert "\n" not in sentence
    for word in words:
        assert word in sentence
    if "there is no model" not in sentence:
        assert str(core / TOML) in sentence


@pytest.mark.parametrize(
    "name",
    [
        "quot_q",  # that of another module
        "u_products.nothing",
        "u_nothing.quot_q",
        "u_products",  # an instance
        "K2",  # a parameter
        "u_frame.StRun",
        "u_frame.x_mem",  # a memory
        "u_frame.x_mem[17]",  # a word that it does not have
        "u_frame.state_q.x",
        "u_frame.busy_o[0].x",
    ],
)
def test_a_signal_that_the_design_does_not_have(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    core = copy_of(CORE, tmp_path, (TOML, QUOTIENT, f'signal = "{name}"'))
    monkeypatch.setattr(simulation, "build", None)
    with pytest.raises(SystemExit) as ended:
        main(["sim", str(core), "--prime", "0xea7", "--radix", "2^4", "--count", "2"])
    assert ended.value.code == 2
    sentence = f"core: {core / TOML}: row[0].signal is {name!r}, and lt_{CORE} has no such signal\n"
    assert capsys.readouterr().err.endswith(sentence)


@pytest.mark.parametrize(
    ("core", "asked", "kind"),
    [
        ("mwr2mm_wordserial", {"settings": {"w": 8}}, "directed:words=8"),
        ("mwr2mm_wordserial", {"settings": {"w": 8}, "kind": "events"}, "events:words=8"),
        ("mwr2mm_wordserial", {"settings": {"w": 8}, "kind": "directed:words=5"}, "directed:words=5"),
        ("mwr2mm_wordserial", {"settings": {"w": 8}, "kind": "mixed"}, "mixed"),
        ("iddmm_arch2", {"settings": {"radix": "2^4"}}, "directed"),
    ],
)
def test_operands_are_directed_at_the_limbs_of_a_core(core: str, asked: dict[str, Any], kind: str) -> None:
    assert settle(job(core, **asked)).stimulus.request.kind == kind


def test_limbs_that_nothing_is_directed_at(tmp_path: Path) -> None:
    """Widths that are too small or too large say nothing; each of the others counts once."""
    core = copy_of(CORE, tmp_path, (TOML, 'compare = "result"', 'compare = "result"\nlimbs = [1, "2*k", 8, 4096]'))
    assert settle(job(core, settings={"radix": "2^4"})).stimulus.request.kind == "directed:words=8"


def test_what_a_signal_may_be(tmp_path: Path) -> None:
    """A net, a variable, an enum, a port, a bit, a word of a memory, something in a block."""
    names = {"u_frame.a_we": 1, "u_frame.state_q": 2, "start_i": 1, "u_frame.x_mem[16]": 4, "u_sum[8]": 1,
             "u_products.u_xy.gen_dsp.product": 8}  # fmt: skip
    core = copy_of(CORE, tmp_path)
    row = '\n[[row]]\nsignal = "{}"\nmatch = "event"\nstep = "q"\nwhen = "busy_o"\n'
    rows = "".join(map(row.format, names))
    (core / TOML).write_text((core / TOML).read_text() + rows)
    bound = settle(job(core, settings={"radix": "2^4"})).bound
    assert {name: bound.signals[name] for name in names} == names


def test_a_build_parameter_that_the_rtl_does_not_have(tmp_path: Path) -> None:
    core = copy_of(TOYS / "bit_toy", tmp_path, (TOML, "STEPS =", "STEP ="))
    with pytest.raises(ParameterError, match="STEP is no parameter of bit_toy, which has N, STEPS"):
        settle(job(core))


def test_settings_that_the_core_fixes(tmp_path: Path) -> None:
    toy = TOYS / "bit_toy"
    assert settle(job(toy, settings={"radix": "65536"})).bound.multiplier.params.radix_bits == 16
    with pytest.raises(ParameterError, match=r"radix: 2\^32 was asked for, and the core bit_toy is fixed to 2\^16"):
        settle(job(toy, settings={"radix": "2^32"}))
    with pytest.raises(ParameterError, match="passes: 7 was asked for"):
        settle(job(toy, settings={"passes": 7}))
    with pytest.raises(ParameterError, match="k: iddmm_arch2 takes 2 to 64, and here it is 65"):
        settle(job(settings={"k": 65}))
    with pytest.raises(ParameterError, match="build: iddmm_arch2 has no parameter 'Depth'; it has K, NMax"):
        settle(job(build={"Depth": 3}))
    with pytest.raises(ParameterError, match="form: iddmm_arch2 is built for the corrected form only"):
        settle(job(settings={"form": "printed"}))


@pytest.mark.parametrize(
    "settings",
    ['n = "(N + 31) // 16", passes = "n"', 'passes = "n", n = "(N + 31) // 16"', 'passes = "n + 2 - 2", n = 17'],
)
def test_settings_see_what_other_settings_gave(settings: str, tmp_path: Path) -> None:
    """255 bits are 16 digits of 16 bits; a core with one digit more has as many passes, in any order."""
    edit = (TOML, 'passes = "n + 1"', settings.replace(", ", "\n"))
    params = settle(job(copy_of(TOYS / "bit_toy", tmp_path, edit), "curve25519")).bound.multiplier.params
    assert (params.named["n"], params.named["passes"]) == (17, 17)


def test_rows_that_another_modulus_has(tmp_path: Path) -> None:
    """Signals of these rows were not looked up for the modulus that was settled first."""
    core = copy_of(CORE, tmp_path, (TOML, QUOTIENT, f'{QUOTIENT}\nwhere = "max(N - 12, 0)"'))
    first, alone = (settle(job(core, prime, settings={"radix": "2^4"})) for prime in ("0xea7", "0x1ea7"))
    assert len(first.bound.watches) < len(alone.bound.watches)
    assert first.bound.parameters == alone.bound.parameters
    assert settle(alone.job, like=first.bound).bound.watches == alone.bound.watches


@given(multipliers())
def test_no_constant_is_named_as_a_parameter(multiplier: Multiplier) -> None:
    """In formulas the parameter would hide it, and alone the constant would be meant."""
    formulas = Formulas(find(str(CORE)), multiplier, names_of(multiplier))
    assert not {*formulas.constants} & {*formulas.names}


def test_settings_that_need_each_other(tmp_path: Path) -> None:
    edit = (TOML, 'passes = "n + 1"', 'passes = "n + 1"\nn = "passes"')
    with pytest.raises(ParameterError, match="settings: n and passes are formulas of each other"):
        settle(job(copy_of(TOYS / "bit_toy", tmp_path, edit)))


def test_a_core_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"neither a folder nor one of .*iddmm_arch1, iddmm_arch2"):
        find("iddmm_arch9")
    with pytest.raises(ParameterError, match=r"core\.toml cannot be read"):
        find(str(tmp_path))


def test_built_in_cores_are_called_as_their_folders() -> None:
    names = [folder.name for folder in built_in()]
    assert CORE in names
    assert [find(name).file.name for name in names] == names


REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
PROTOCOL_KEYS = {key for protocol in PROTOCOLS.values() for key in protocol.model_fields}


PAGES_OF_KEYS = [REFERENCE / "core-toml.md", REFERENCE / "protocols.md"]


@pytest.mark.parametrize("key", [*CoreFile.model_fields, *sorted(PROTOCOL_KEYS), *SetUp.model_fields])
def test_every_key_is_documented(key: str) -> None:
    assert re.search(rf"`\[*{key}\]*`", "".join(page.read_text() for page in PAGES_OF_KEYS))


def test_a_name_that_is_a_built_in_core_and_a_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them is not taken for the other; the built-in core's own folder is the same core."""
    folder = copy_of(CORE, tmp_path)
    monkeypatch.chdir(folder.parent)
    with pytest.raises(ParameterError, match=rf"{CORE} is a built-in core and a folder here: write \./{CORE}"):
        find(CORE)
    assert find(f"./{CORE}").folder.samefile(folder)
    monkeypatch.chdir(BUILT_IN)
    assert find(CORE).folder == BUILT_IN / CORE
