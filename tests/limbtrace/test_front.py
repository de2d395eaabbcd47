# SPDX-License-Identifier: Apache-2.0
"""`import limbtrace`: products, traces, cycle tables and cases are those of the packages below."""

import doctest
import json
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given

import limbtrace as lt
from limbtrace.strategies import cases, happenings, multipliers, products
from limbtrace.vectors.sets import VectorSet

MODULES = ["", *(f".{name}" for name in ("_cases", "_core", "_multiplier", "_scoreboard", "strategies"))]


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module: str) -> None:
    found = doctest.testmod(import_module(f"limbtrace{module}"))
    assert found.failed == 0


def test_every_name_is_there() -> None:
    assert dir(lt) == lt.__all__
    assert all(getattr(lt, name) is not None for name in lt.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        lt.nothing  # noqa: B018


def test_a_product_loads_neither_a_simulator_nor_hypothesis() -> None:
    script = (
        "import sys, limbtrace as lt; lt.multiplier('cios', 13, 4)(3, 5);"
        "print(*{'cocotb', 'hypothesis', 'pyslang', 'fastapi', 'httpx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@given(cases(max_bits=64, max_digits=4))
def test_products_and_traces_agree(case: tuple[lt.Multiplier, int, int]) -> None:
    mul, a, b = case
    operands = (a,) if mul.resolved.model.unary else (a, b)
    run = mul.trace(*operands)
    assert run.result == mul(*operands) < mul.result_limit
    assert run.residue == mul.residue(run.result)
    assert run.violations() == []
    assert [step for name in run.names for step in run.named(name)] == sorted(
        run, key=lambda s: run.names.index(s.name)
    )


@given(multipliers(models=["cios", "monpro", "iddmm2"], max_bits=64))
def test_into_the_domain_and_back(mul: lt.Multiplier) -> None:
    x, y = mul.modulus // 3, mul.modulus - 1
    assert mul.from_domain(mul.to_domain(x)) == x
    assume(mul.limits[1] >= mul.modulus)  # with few passes b has to be shorter
    assert mul.from_domain(mul(mul.to_domain(x), mul.to_domain(y))) == x * y % mul.modulus


def test_strategies_are_of_this_package() -> None:
    mul = lt.multiplier("iddmm2", 3329, 16)

    @given(products(mul))
    def in_range(pair: tuple[int, int]) -> None:
        assert 0 <= mul(*pair) < mul.result_limit

    @given(happenings(mul, "q[0]=max"))
    def happens(case: tuple[int, int, str]) -> None:
        assert mul.trace(*case[:2])["q", 0] == 15

    in_range()
    happens()


def test_settings_make_the_same_multiplier() -> None:
    mul = lt.multiplier("iddmm2", "2^255 - 19", "2^16", passes=17, form="printed")
    again = lt.multiplier(mul.model, mul.modulus, **mul.settings)
    assert again(3, 5) == mul(3, 5)
    assert again.settings == mul.settings
    assert mul.modulus == 2**255 - 19 == lt.primes()["curve25519.fp"]
    assert mul.R == 1 << 16 * 17


def test_wrong_requests() -> None:
    mul, square = lt.multiplier("cios", 13, 4), lt.multiplier("vdf", 2**29 - 3, t=3)
    for call, sentence in (
        (lambda: lt.multiplier("cois", 13), "model: "),
        (lambda: lt.multiplier("cios", 13, radix=4, passes=3), "passes: "),
        (lambda: mul(3), "b: cios takes a and b"),
        (lambda: square(3, 5), "b: vdf takes no b"),
        (lambda: mul(300, 1), "a: 0x12c is outside 0 <= a < 2P"),
        (lambda: mul.vectors(0), "count: 0 is outside 1 to"),
        (lambda: mul.vectors(3, kind="events", event=["q[9]=max"]), "event: "),
        (lambda: lt.core("iddmm_arch2").cycles(mul, [(1, 2)]), "core: iddmm_arch2 computes iddmm2"),
        (lambda: lt.core("nothing"), "core: "),
        (lambda: mul.vectors().limbs(12), "width: 12 is none of 8, 16, 32, 64"),
        (lambda: mul.vectors().write("set.xyz"), "format: set.xyz does not say which"),
    ):
        with pytest.raises(lt.ParameterError) as caught:
            call()
        assert str(caught.value).startswith(sentence), caught.value


def test_steps_by_subscripts() -> None:
    run = lt.multiplier("iddmm2", 13, 4).trace(7, "[3, 2]")
    assert run.b == 11
    assert run["q", 1] == run["q", 1, 0] == run.named("q")[1].value
    with pytest.raises(KeyError, match=r"S\[1\]: 3 steps begin so, S\[1, 0\] is the first"):
        run["S", 1]
    with pytest.raises(KeyError, match="there is no such step"):
        run["nothing"]
    assert run[0].label == "C[0, 0]"
    assert "<th>C[0, 0]</th><td><code>0x0</code></td>" in run._repr_html_()
    assert json.loads(run.written("json"))["steps"][0] == ["C", [0, 0], "0x0"]


@pytest.mark.parametrize("core", lt.cores())
def test_cycle_tables_of_all_cores(core: str) -> None:
    mul = {
        "hffm": lambda: lt.core(core).multiplier("sike-p434"),
        "hffm_layers": lambda: lt.core(core).multiplier("sike-p434"),
        "solinas_pipeline": lambda: lt.core(core).multiplier("p256"),
        "vdf_squarer": lambda: lt.core(core).multiplier("2^29-3", t=3, entry=1),
        "vdf_squarer_axil": lambda: lt.core(core).multiplier("2^29-3", t=3, entry=1),
    }.get(core, lambda: lt.core(core).multiplier("secp256k1"))()
    product = (5,) if mul.resolved.model.unary else (5, 7)
    table = lt.core(core).cycles(mul, [product])
    document = json.loads(table.written("json"))
    assert [[cell and int(cell, 16) for cell in row] for row in document["rows"]] == [list(row) for row in table.rows]
    assert table[0] == dict(zip(table.names, table.rows[0], strict=True)) == next(iter(table))
    assert table[table.names[0]] == [row[0] for row in table.rows]
    assert table._repr_html_().count("<svg") == 1
    assert document["starts"] == table.starts


def test_cases_are_those_of_the_command_line(tmp_path: Path) -> None:
    mul = lt.multiplier("iddmm2", "p256", "2^32")
    found = mul.vectors(600, kind="events", seed=3)
    assert list(found) == list(VectorSet(found.request).cases())
    assert len(found) == 600
    found.write(tmp_path / "set.ndjson")
    found.write(tmp_path / "set", "readmemh")
    words = found.limbs(32)
    for at in random.Random(1).sample(range(600), 20):
        case = list(found)[at]
        for name in ("a", "b", "result", "residue"):
            assert sum(int(word) << 32 * k for k, word in enumerate(words[name][at])) == getattr(case, name)
    assert words["a"].dtype == np.uint32
    done = subprocess.run(
        [sys.executable, "-m", "limbtrace", "verify", "set.ndjson"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "set" / "manifest.json").is_file()


def test_arrow_and_parquet(tmp_path: Path) -> None:
    from pyarrow import parquet

    found = lt.multiplier("cios", "p256", "2^34").vectors(5000, kind="mixed")
    table = found.to_arrow()
    found.write(tmp_path / "set.parquet")
    assert parquet.read_table(tmp_path / "set.parquet").equals(table)
    first, last = next(iter(found)), list(found)[-1]
    for row, case in ((table.slice(0, 1), first), (table.slice(4999, 1), last)):
        (entry,) = row.to_pylist()
        assert (entry["id"], int(entry["a"], 16), int(entry["result"], 16)) == (case.id, case.a, case.result)
        assert tuple(entry["flags"]) == case.flags


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(lt.ToolError, match="pyarrow is not installed"):
        lt.multiplier("cios", 13, 4).vectors().to_arrow()


def test_parts_of_a_set() -> None:
    whole = lt.multiplier("cios", "p256", "2^34").vectors(50)
    parts = [lt.multiplier("cios", "p256", "2^34").vectors(50, shard=f"{part}/4") for part in range(1, 5)]
    assert [len(part) for part in parts] == [12, 13, 12, 13]
    assert [case for part in parts for case in part] == list(whole)
