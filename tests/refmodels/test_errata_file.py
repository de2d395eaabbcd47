# SPDX-License-Identifier: Apache-2.0
"""Errata are read from a paper's file and module together; a fault in either is one sentence with file and id."""

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errata_file import Executable, read_errata
from limbtrace.refmodels.erratum import (
    AnyErratum,
    CircuitErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OnCore,
    OperationErratum,
    StatementErratum,
    TextErratum,
    Witness,
)
from limbtrace.refmodels.model import Claim
from limbtrace.refmodels.paper import Paper
from limbtrace.refmodels.papers.fpmm import cios, fpmm, pipeline
from limbtrace.refmodels.papers.fpmm.figures import FIGURES

COMMON = """
models = ["fpmm"]
place = "section 1"
quote = "0 ≤ u^{(c)}_s < 2^{w−1}, σ′"
printed = "one"
corrected = \"\"\"
another \\
one\"\"\"
"""
PRODUCT = 'modulus = 13\nsettings = { w = 3, s = 2 }\na = "modulus - 1"\nb = 0x5\n'
CLAIM = 'claim.statement = "T < P"\nclaim.reference = "eq. 5"\n'
CORE = (
    'product = { architecture = "fpmm", modulus = "2^7-1", settings = { w = 3, s = 3, sigma = 1 }, a = 62, b = 253 }\n'
)


def entry(kind: str, rest: str = "", id: str = "toy.E1") -> str:
    return f'[[erratum]]\nid = "{id}"\nkind = "{kind}"\n{COMMON}{rest}\n'


Read = Callable[..., tuple[AnyErratum, ...]]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of an importable paper with the models of another one, and no errata yet."""
    folder = tmp_path_factory.mktemp("papers") / "toy_papers/toy"
    folder.mkdir(parents=True)
    modules = {"__init__": "", "cios": "MODEL", "fpmm": "MODEL", "pipeline": "ARCHITECTURE", "figures": "FIGURES"}
    for module, name in modules.items():
        text = f"from limbtrace.refmodels.papers.fpmm.{module} import {name}\n" if name else ""
        (folder / f"{module}.py").write_text(text)
    sys.path.insert(0, str(folder.parents[1]))
    importlib.invalidate_caches()
    yield folder
    sys.path.remove(str(folder.parents[1]))
    for module in [name for name in sys.modules if name.partition(".")[0] == "toy_papers"]:
        del sys.modules[module]


@pytest.fixture
def read(toy: Path) -> Read:
    paper = Paper(id="toy", package="toy_papers.toy", algorithms=("cios", "fpmm"), schedules={"fpmm": "pipeline"})

    def read(text: str | bytes, executable: dict[str, Executable] | None = None) -> tuple[AnyErratum, ...]:
        (toy / "errata.toml").write_bytes(text.encode() if isinstance(text, str) else text)
        return read_errata(paper, executable or {})

    return read


def common(id: str = "toy.E1", **more: Any) -> dict[str, Any]:
    return {
        "id": id, "models": (fpmm.MODEL,), "place": "section 1", "quote": "0 ≤ u^{(c)}_s < 2^{w−1}, σ′",
        "printed": "one", "corrected": "another one", **more,
    }  # fmt: skip


SHOWN: dict[str, Any] = {"modulus": 13, "settings": {"w": 3, "s": 2}, "a": 12, "b": 5}


def one(code: str, bits: int) -> int:
    return 1


def nothing(*_: Any) -> Any:
    return {}


def test_entries_of_every_kind(read: Read) -> None:
    text = [
        entry("form", PRODUCT + "others = [[9, 9], [1, 0x10]]", "toy.E3"),
        entry("formula", 'quantity = "s"\nunits = [["F44B", 128], ["F28B", 256]]', "toy.E1"),
        entry("operation", 'operation = "1 + 1"\npromised = "2^2 - 1"', "toy.E1b"),
        entry("figure", 'standing = "remark"', "toy.E9"),
        entry("statement", "", "toy.E4"),
        entry("circuit", CORE, "toy.E5"),
        entry("text", "", "toy.E6"),
        entry("text", CORE, "toy.E7"),
    ]
    witness = Witness("toy.E3-b", 11, {"w": 3, "s": 2}, 1, 2)
    found = read(
        "\n".join(text),
        {
            "toy.E5": {"flaw": "late", "as_printed": nothing},
            "toy.E4": {"worked_out": nothing},
            "toy.E1b": {"found": nothing},
            "toy.E1": {"as_printed": one, "as_corrected": one},
            "toy.E3": {"witnesses": (witness,)},
        },
    )
    product = OnCore(pipeline.ARCHITECTURE, 127, {"w": 3, "s": 3, "sigma": 1}, 62, 253)
    assert found == (
        Erratum(**common("toy.E3"), **SHOWN, others=((9, 9), (1, 16)), witnesses=(witness,)),
        FormulaErratum(
            **common(figures=FIGURES, quantity="s", as_printed=one, as_corrected=one),
            units=(("F44B", 128), ("F28B", 256)),
        ),
        OperationErratum(**common("toy.E1b", operation="1 + 1", promised=3, found=nothing)),
        FigureErratum(**common("toy.E9", standing="remark", figures=FIGURES)),
        StatementErratum(**common("toy.E4", figures=FIGURES, worked_out=nothing)),
        CircuitErratum(**common("toy.E5", product=product, flaw="late", as_printed=nothing)),
        TextErratum(**common("toy.E6")),
        TextErratum(**common("toy.E7", product=product)),
    )


def test_claims(read: Read) -> None:
    """About the result, about a step, and as a limit of a step, with operands that only code can write."""
    text = [
        entry("claim", PRODUCT + CLAIM).replace('["fpmm"]', '["cios", "fpmm"]'),
        entry("claim", PRODUCT + CLAIM + 'claim.step = "T"', "toy.E2"),
        entry("claim", PRODUCT.replace('a = "modulus - 1"\n', "") + CLAIM + 'claim.step = "T"', "toy.E3"),
    ]
    result, step, limit = read(
        "".join(text),
        {"toy.E1": {"holds": nothing}, "toy.E2": {"holds": nothing}, "toy.E3": {"limit": lambda run, _: 7, "a": 3}},
    )
    assert isinstance(limit, Erratum)
    assert limit.claim is not None
    claim = Claim("printed", "T < P", "eq. 5", None, nothing)
    expected = Erratum(**common(), **SHOWN, claim=claim)
    assert result == Erratum(**{**vars(expected), "models": (cios.MODEL, fpmm.MODEL)})
    assert step == Erratum(**common("toy.E2"), **SHOWN, claim=Claim("printed", "T < P", "eq. 5", "T", nothing))
    assert (limit.a, limit.b) == (3, 5)
    assert (limit.claim.name, limit.claim.step, limit.claim.statement) == ("range of T", "T", "T < P")
    run = limit.run(fpmm.MODEL)
    assert [limit.claim.holds(run, (), value) for value in (-1, 0, 7, 8)] == [False, True, True, False]


TEXT = entry("text")
FORM = entry("form", PRODUCT)
FAULTS: dict[str, tuple[str | bytes, dict[str, Executable], str]] = {
    "no TOML": ("erratum = [", {}, "Invalid value"),
    "no UTF-8": (TEXT.encode("latin-1", errors="replace") + b"# \xff", {}, "can't decode byte 0xff"),
    "another table": (f"[head]\n{TEXT}", {}, "it must have tables [[erratum]], and nothing else"),
    "no entries": ("", {}, "it must have tables [[erratum]], and nothing else"),
    "entries that are no tables": ("erratum = [1]", {}, "it must have tables [[erratum]], and nothing else"),
    "no id": (TEXT + TEXT.replace('id = "toy.E1"\n', ""), {}, "entry 2 has no id"),
    "an id twice": (TEXT * 2, {}, "toy.E1: there are two entries with this id"),
    "code without entry": (
        TEXT,
        {"toy.E2": {"found": nothing}},
        "toy.E2: errata.py has this entry, and the file does not",
    ),
    "an unknown kind": (
        entry("texts"),
        {},
        "toy.E1: kind: 'texts' is not one of form, claim, formula, operation, figure, statement, circuit, text",
    ),
    "no kind": (TEXT.replace('kind = "text"', ""), {}, "toy.E1: kind: null is not one of form,"),
    "an unknown key": (entry("text", "whre = 1"), {}, "toy.E1: whre: kind text has no such key"),
    "a key of another kind": (entry("text", "promised = 1"), {}, "toy.E1: promised: kind text has no such key"),
    "a claim of a form": (entry("form", PRODUCT + CLAIM), {}, "toy.E1: claim: kind form has no such key"),
    "a function in the file": (
        entry("operation", 'operation = ""\npromised = 1\nfound = 1'),
        {},
        "toy.E1: found: kind operation has no such key",
    ),
    "figures in the file": (entry("figure", "figures = 1"), {}, "toy.E1: figures: kind figure has no such key"),
    "a missing key": (TEXT.replace('printed = "one"', ""), {}, "toy.E1: printed: it is missing"),
    "a missing function": (
        entry("operation", 'operation = ""\npromised = 1'),
        {},
        "toy.E1: found: it is missing in errata.py",
    ),
    "a function of another kind": (
        TEXT,
        {"toy.E1": {"found": nothing}},
        "toy.E1: found: errata.py gives it, and kind text has no such field",
    ),
    "a condition without claim": (
        FORM,
        {"toy.E1": {"holds": nothing}},
        "toy.E1: holds: errata.py gives it, and kind form has no such field",
    ),
    "a field twice": (FORM, {"toy.E1": {"a": 3}}, "toy.E1: a: errata.py gives it, too"),
    "a claim without texts": (entry("claim", PRODUCT), {"toy.E1": {"holds": nothing}}, "toy.E1: claim: it is missing"),
    "a claim without condition": (
        entry("claim", PRODUCT + CLAIM),
        {},
        "toy.E1: claim: errata.py must give either holds or limit",
    ),
    "a condition and a limit": (
        entry("claim", PRODUCT + CLAIM),
        {"toy.E1": {"holds": nothing, "limit": nothing}},
        "toy.E1: claim: errata.py must give either holds or limit",
    ),
    "a limit of no step": (
        entry("claim", PRODUCT + CLAIM),
        {"toy.E1": {"limit": nothing}},
        "toy.E1: claim.step: a limit is one of a step",
    ),
    "an unknown key of a claim": (
        entry("claim", PRODUCT + CLAIM + "claim.stp = 1"),
        {"toy.E1": {"holds": nothing}},
        "toy.E1: claim.stp: there is no such key, only statement, reference, step",
    ),
    "a missing key of a claim": (
        entry("claim", PRODUCT + 'claim.statement = "T < P"'),
        {"toy.E1": {"holds": nothing}},
        "toy.E1: claim.reference: it is missing",
    ),
    "a claim that is text": (
        entry("claim", PRODUCT + 'claim = "T < P"'),
        {"toy.E1": {"holds": nothing}},
        "toy.E1: claim: 'T < P' is no table",
    ),
    "a number for a text": (TEXT.replace('"one"', "1"), {}, "toy.E1: printed: 1 is no text"),
    "an unknown standing": (
        entry("text", 'standing = "error"'),
        {},
        "toy.E1: standing: 'error' is not one of erratum, remark, uncertain",
    ),
    "an unknown model": (
        TEXT.replace('["fpmm"]', '["imm"]'),
        {},
        "toy.E1: models: there is no 'imm' in the paper; there is cios, fpmm",
    ),
    "no list of models": (TEXT.replace('["fpmm"]', '"fpmm"'), {}, "toy.E1: models: 'fpmm' is no list of models"),
    "no models": (TEXT.replace('["fpmm"]', "[]"), {}, "toy.E1: models: [] is no list of models"),
    "an unknown core": (
        entry("text", CORE.replace('"fpmm"', '"cios"')),
        {},
        "toy.E1: product.architecture: there is no 'cios' in the paper; there is fpmm",
    ),
    "a product without modulus": (
        entry("text", CORE.replace('modulus = "2^7-1", ', "")),
        {},
        "toy.E1: product.modulus: it is missing",
    ),
    "no integer": (FORM.replace('"modulus - 1"', '"p - 1"'), {}, "toy.E1: a: there is no 'p', only modulus"),
    "a fraction": (FORM.replace("13", "1.5"), {}, "toy.E1: modulus: it must be an integer"),
    "a fraction as setting": (FORM.replace("w = 3", "w = 3.5"), {}, "toy.E1: settings: "),
    "no pairs": (entry("form", PRODUCT + "others = [9, 9]"), {}, "toy.E1: others: [9, 9] is no list of pairs"),
    "a triple": (
        entry("form", PRODUCT + "others = [[1, 2, 3]]"),
        {},
        "toy.E1: others: [[1, 2, 3]] is no list of pairs",
    ),
    "units in the wrong order": (
        entry("formula", 'quantity = "s"\nunits = [[128, "F44B"]]'),
        {"toy.E1": {"as_printed": one, "as_corrected": one}},
        "toy.E1: units: 128 is no text",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_sentence(read: Read, fault: str) -> None:
    text, executable, sentence = FAULTS[fault]
    with pytest.raises(ValueError, match=f"^toy_papers/toy/errata.toml: .*{re.escape(sentence)}") as raised:
        read(text, executable)
    assert "\n" not in str(raised.value)
