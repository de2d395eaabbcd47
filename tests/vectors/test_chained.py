# SPDX-License-Identifier: Apache-2.0
"""Products whose operands are earlier results with the digits of the hardware; digits in every format, and back."""

import csv
import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import MODELS
from limbtrace.refmodels.representations import Written, value_of
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors import cycles, sets
from limbtrace.vectors.cycles import cycle_request
from limbtrace.vectors.operands import chained, pairs
from limbtrace.vectors.request import CHAINS, CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, open_vectors
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify, verify_file
from tests.patience import PATIENCE

SMALL = ("2^61-1", {"r1": 6, "r2": 5})
"""Settings with short digits, which give results with overlap bits; with 22 and 15 bits 1 in 200,000 has some."""


def chain(prime: str, settings: dict[str, Any], count: int, model: str = "redundant") -> VectorSet:
    return VectorSet(VectorRequest.resolve(Multiplier.resolve(model, prime, settings), count, 1, "chained"))


def fields(digits: tuple[int, ...], bits: int, width: int) -> list[int]:
    """The principal bits and the overlap bits of digits, regrouped bit by bit into digits of another width."""
    out: dict[int, int] = {}
    for j, digit in enumerate(digits):
        for bit in range(bits + 2):
            if digit >> bit & 1:
                place, at = divmod(bits * j + bit, width)
                out[place] = out.get(place, 0) + (1 << at)
    return [out.get(place, 0) for place in range(max(out, default=0) + 1)]


@pytest.mark.parametrize(("prime", "settings", "wide"), [(*SMALL, 30), ("curve25519", {}, 0)])
def test_operands_are_the_digits_of_earlier_results(prime: str, settings: dict[str, int], wide: int) -> None:
    """Results as a, as b, and as both in turn; the digits of a are those of the result, regrouped bit by bit."""
    multiplier = Multiplier.resolve("redundant", prime, {**settings, "overlap": 1})
    p: Any = multiplier.params
    links = list(islice(chained(multiplier, 1), 300 if wide else 60))
    overlapping = 0
    for k, link in enumerate(links):
        run = multiplier.model.run(p, link.a, link.b)
        S = [run.at("S", p.passes + 1, j) for j in range(p.ds)]
        assert isinstance(link.result, Written)
        assert list(link.result.digits) == S[: p.d]
        assert run.result == link.result == multiplier.model.closed_form(p, int(link.a), int(link.b)) < 2 * p.added
        overlapping += any(digit >> p.r2 for digit in S)
        assert not list(multiplier.model.violations(run)) if k % 50 == 0 else True
        if k < CHAINS:
            assert not isinstance(link.a, Written)
            continue
        before, turn = links[k - CHAINS], (k - CHAINS) // CHAINS % 3
        assert isinstance(before.result, Written)
        if turn != 1:
            assert isinstance(link.a, Written)
            again = fields(before.result.digits, p.r2, p.r1)
            assert list(link.a.digits) == [*again, *[0] * (p.passes - len(again))]
            assert p.split(link.a, link.b)[0] == [*link.a.digits, 0]
            assert max(link.a.digits) < 1 << p.r1 + 1
        if turn != 0:
            assert (link.b, p.split(link.a, link.b)[1]) == (before.result, list(before.result.digits))
        began = links[k % CHAINS]
        assert link.a == (began.a if turn == 1 else before.result)
        assert link.b == (began.b if turn == 0 else before.result)
    assert overlapping >= wide


@pytest.mark.parametrize(("prime", "settings"), [("2^61-1", {}), ("2^9-3", {"d": 4}), ("2^62-2^49-1", {"k": 4})])
def test_digits_of_llmonpro_are_fed_back(prime: str, settings: dict[str, Any], tmp_path: Path) -> None:
    """Results stay below R/2 with their digits, of which some have overlap bits; every format has them and is read."""
    multiplier = Multiplier.resolve("llmonpro", prime, settings).chained
    p: Any = multiplier.params
    links = list(islice(chained(multiplier, 1), 400))
    overlapping = 0
    for k, link in enumerate(links):
        run = multiplier.model.run(p, link.a, link.b)
        Z = tuple(run.at("Z", j) for j in range(p.k + 1))
        assert isinstance(link.result, Written)
        assert link.result.digits == Z
        assert max(link.a, link.b, link.result) < p.domain // 2
        overlapping += max(Z) >= p.radix
        assert not list(multiplier.model.violations(run)) if k % 50 == 0 else True
        if k >= CHAINS:
            turn = (k - CHAINS) // CHAINS % 3
            assert (link.a if turn != 1 else link.b) is links[k - CHAINS].result
    assert overlapping > (0 if p.radix_bits == 4 else -1)
    vectors = chain(prime, settings, 40, "llmonpro")
    assert [case.result for case in vectors.cases()] == [link.result for link in links[:40]]
    for form in FORMATS:
        (tmp_path / form).write_bytes(b"".join(sets.render(vectors, form)))
        assert verify_file(tmp_path / form)["verdict"] == "pass"


def test_which_moduli_of_llmonpro_have_chains() -> None:
    """Those for which 4M(1 + delta) <= R; then the setting chained may be given, too, and restricts every kind."""
    for prime, refused in (("2^62-2^49-1", False), ("2^62-57", True), ("2^64-59", True)):
        multiplier = Multiplier.resolve("llmonpro", prime, {"k": 4})
        if not refused:
            assert VectorRequest.resolve(multiplier, kind="chained").multiplier.params.named["chained"] == 1
            assert Multiplier.resolve("llmonpro", prime, {"k": 4, "chained": 1}).params.limits == (2**63 - 1, 2**63 - 1)
            continue
        with pytest.raises(ParameterError, match=r"^kind: results of up to .* are no operands"):
            VectorRequest.resolve(multiplier, kind="chained")
        with pytest.raises(ParameterError, match=r"^chained: 1: it takes the corrected form and 4M"):
            Multiplier.resolve("llmonpro", prime, {"k": 4, "chained": 1})


@pytest.mark.parametrize("model", ["cios", "fpmm", "orup", "monpro", "r2mm"])
def test_models_whose_results_are_operands(model: str) -> None:
    """A chain of residues, which is still congruent after 50 results."""
    cases = list(chain("2^61-1", {}, 200, model).cases())
    modulus = 2**61 - 1
    domain = Multiplier.resolve(model, "2^61-1", {}).params.domain or 1
    for k in range(CHAINS):
        a, b, result = cases[k].a, cases[k].b, cases[k].result
        for number, case in enumerate(cases[k + CHAINS :: CHAINS]):
            expected = ((result, b), (a, result), (result, result))[number % 3]
            assert (case.a, case.b) == expected
            result = case.result
            assert (result * domain - case.a * case.b) % modulus == 0


@pytest.mark.parametrize(
    ("model", "prime", "settings", "sentence"),
    [("iddmm2", "2^61-1", {}, "results of up to"), ("redundant", "13", {"form": "printed"}, "results of up to"),
     ("vdf", "13", {}, "vdf does not take every result"), ("llmonpro", "251", {"d": 8}, "results of up to"),
     ("ozturk", None, {}, "results of up to"), ("iddmm1", "secp256k1", {"k": 16, "passes": 15}, "results of up to")],
)  # fmt: skip
def test_a_chain_that_may_leave_the_range_does_not_begin(
    model: str, prime: str | None, settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ParameterError, match=f"^kind: {sentence}"):
        VectorRequest.resolve(Multiplier.resolve(model, prime, settings), kind="chained")


@pytest.mark.parametrize("name", MODELS)
def test_a_chain_stays_in_range(name: str) -> None:
    """Chains of every model that has them, over the whole range of operands; other models are rejected in advance."""
    prime = {"effm": "71", "ffm1": "71", "ffm2": "71", "hffm": "107", "solinas": "2^32-2^16+1"}.get(name, "2^61-1")
    m = Multiplier.resolve(name, prime if MODELS[name].has_modulus else None, {})
    try:
        request = VectorRequest.resolve(m, 40, 1, "chained")
    except ParameterError:
        assert not MODELS[name].multiplies or name in (
            "barrett",
            "barrett_reduce",
            "iddmm1",
            "iddmm2",
            "imm",
            "mwr2mm",
            "ozturk",
            "redc",
            "reduce",
            "square",
            "vdf",
        )
        return
    for a, b in pairs(request):
        m.model.check_operands(request.multiplier.params, a, b)


def test_the_first_cases_do_not_depend_on_the_count() -> None:
    most = list(chain(*SMALL, 40).cases())
    for count in (1, CHAINS, CHAINS + 1, 39):
        assert list(chain(*SMALL, count).cases()) == most[:count]


# Formats

FORMATS = ("json", "ndjson", "csv", "readmemh")


def digits_of(vectors: VectorSet, form: str) -> list[dict[tuple[str, str], list[int]]]:
    """The digits of every case by field and representation, parsed without our readers."""
    content = b"".join(sets.render(vectors, form))
    names = {("radix 2^6" if vectors.request.multiplier.params.named["r2"] == 5 else "radix 2^22")}
    names.add("radix 2^5" if "radix 2^6" in names else "radix 2^15")
    if form == "csv":
        rows = csv.DictReader(line for line in io.StringIO(content.decode()) if not line.startswith("#"))
        return [{(f, n): [int(d, 16) for d in row[f"{f} {n}"].split()] for f in ("a", "b", "result") for n in names}
                for row in rows]  # fmt: skip
    if form == "readmemh":
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            read = {name: (archive.extractfile(name) or io.BytesIO()).read().decode() for name in archive.getnames()}
        cases: list[dict[tuple[str, str], list[int]]] = [{} for _ in range(vectors.request.count)]
        for file in json.loads(read["manifest.json"])["files"]:
            if "representation" not in file:
                continue
            assert sum(file["digits"]) == file["bits"]
            for case, line in zip(cases, read[file["name"]].split(), strict=True):
                rest, found = int(line, 16), []
                for width in file["digits"]:
                    found.append(rest & (1 << width) - 1)
                    rest >>= width
                assert rest == 0
                case[file["field"], file["representation"]] = found
        return cases
    if form == "ndjson":
        entries = [json.loads(line) for line in content.splitlines()[1:-1]]
    else:
        entries = json.loads(content)["testGroups"][0]["tests"]
    return [{(f, n): [int(d, 16) for d in entry["digits"][f][n]] for f in ("a", "b", "result") for n in names}
            for entry in entries]  # fmt: skip


@pytest.mark.parametrize("overlap", [0, 1, 5])
@pytest.mark.parametrize(("prime", "settings"), [SMALL, ("p256", {})])
@pytest.mark.parametrize("kind", ["lazy", "chained"])
def test_every_format_has_the_same_digits(prime: str, settings: dict[str, int], overlap: int, kind: str) -> None:
    """a, b and one result in both radices, canonical or with the requested overlap bits."""
    multiplier = Multiplier.resolve("redundant", prime, {**settings, "overlap": overlap})
    vectors = VectorSet(VectorRequest.resolve(multiplier, 60, 2, kind))
    first, *others = (digits_of(vectors, form) for form in FORMATS)
    assert all(other == first for other in others)
    overlapping = False
    for case, shown in zip(vectors.cases(), first, strict=True):
        for (field, name), digits in shown.items():
            bits = int(name.removeprefix("radix 2^"))
            assert value_of(digits, bits) == getattr(case, field)
            overlapping |= any(digit >> bits for digit in digits)
    assert overlapping == (overlap > 0 or (kind == "chained" and prime == SMALL[0]))
    if kind == "chained":
        p: Any = multiplier.params
        for (a, b), shown in zip(pairs(vectors.request), first, strict=True):
            assert (shown["a", f"radix 2^{p.r1}"], shown["b", f"radix 2^{p.r2}"]) == (p.split(a, 0)[0][:-1],
                                                                                     p.split(0, b)[1])  # fmt: skip


def test_digits_that_do_not_hold_a_result_are_left_out(tmp_path: Path) -> None:
    """Results of the printed form may be too large for the serial operand, and all of them need a word of a file."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("redundant", "2^61-1", {"form": "printed"}), 20))
    names = [name for name, _ in sets.memory_files(vectors)]
    assert [name for name in names if name.startswith("result")] == ["result.hex"]
    assert len(names) == 3 + 4 + 1
    for form in FORMATS:
        (tmp_path / form).write_bytes(b"".join(sets.render(vectors, form)))
        assert verify_file(tmp_path / form)["verdict"] == "pass"


def test_digits_of_two_radices_in_csv(tmp_path: Path) -> None:
    """The name of a mixed radix has a comma in it."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("ffm1", "199", {}), 20))
    (tmp_path / "set.csv").write_bytes(b"".join(sets.render(vectors, "csv")))
    header, row = list(csv.reader((tmp_path / "set.csv").read_text().splitlines()[1:3]))
    assert len(header) == len(row)
    assert sum(name.startswith("a radices") for name in header) == 1
    assert verify_file(tmp_path / "set.csv")["verdict"] == "pass"


def another(text: bytes) -> bytes:
    """A text with the same number of hexadecimal digits and a different lowest digit."""
    return text[:-1] + (b"1" if text[-1:] != b"1" else b"2")


@pytest.mark.parametrize("form", FORMATS)
def test_an_edited_digit_is_seen(tmp_path: Path, form: str) -> None:
    """One overlap bit moved into the digit above: the same integer, but not the digits of the hardware."""
    vectors = chain(*SMALL, 60)
    wanted = next(link for link in islice(chained(vectors.request.multiplier, 1), CHAINS, 60)
                  if isinstance(link.b, Written) and any(digit >> 5 for digit in link.b.digits))  # fmt: skip
    assert isinstance(wanted.b, Written)
    digits = list(wanted.b.digits)
    j = next(j for j, digit in enumerate(digits) if digit >> 5)
    moved = [*digits]
    moved[j] -= 32
    moved[j + 1] += 1
    path = tmp_path / "set"
    content = b"".join(sets.render(vectors, form))
    path.write_bytes(content)
    assert verify_file(path)["verdict"] == "pass"
    if form == "readmemh":
        file = sets.MemoryFile("b", 7 * len(digits), vectors.request.multiplier.params.representations["radix 2^5"])
        old, new = (f"{file.word({'b': {'radix 2^5': d}}):0{file.places}x}\n".encode() for d in (digits, moved))
    else:
        separator, quote = {"csv": (" ", "")}.get(form, (",", '"'))
        old, new = (separator.join(f"{quote}{d:#x}{quote}" for d in v).encode() for v in (digits, moved))
    assert old in content
    path.write_bytes(content.replace(old, new))
    with pytest.raises(DamagedFileError, match=r"digits\.\w+\.radix 2\^5\[\d+\] is|not the digits of|was edited"):
        verify_file(path)


def test_an_edited_word_of_digits_is_seen_although_the_hash_is_right(tmp_path: Path) -> None:
    vectors = chain(*SMALL, 12)
    for name, chunks in sets.memory_files(vectors):
        (tmp_path / name).write_bytes(b"".join(chunks))
    path = tmp_path / "a_radix_2_6.hex"
    before = path.read_bytes()
    after = another(before[:-1]) + b"\n"
    path.write_bytes(after)
    manifest = (tmp_path / "manifest.json").read_text()
    old, new = (hashlib.sha256(text).hexdigest() for text in (before, after))
    (tmp_path / "manifest.json").write_text(manifest.replace(old, new))
    with pytest.raises(DamagedFileError, match=r"a_radix_2_6\.hex, line 12: these are not the digits of a"):
        verify_file(tmp_path)


def swap_cases(entries: list[dict[str, Any]]) -> None:
    entries[8], entries[9] = entries[9], entries[8]


def spoil_a_result(entries: list[dict[str, Any]]) -> None:
    entries[5]["result"] = entries[5]["residue"] = "0x1"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (swap_cases, "not the results before it"),
        (spoil_a_result, r"case 5: digits\.result\.radix 2\^6\[\d\] is .*, and .* belongs"),
    ],
)
def test_a_chain_that_was_edited(tmp_path: Path, change: Callable[[list[dict[str, Any]]], None], sentence: str) -> None:
    document = json.loads(b"".join(sets.render(chain(*SMALL, 12), "json")))
    change(document["testGroups"][0]["tests"])
    (tmp_path / "set.json").write_text(json.dumps(document))
    with open_vectors(tmp_path / "set.json") as reader, pytest.raises(DamagedFileError, match=sentence):
        list(reader.cases())


# Cycle tables and the service


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_cycle_tables_say_the_digits_of_their_operands(ways: int) -> None:
    core = CoreRequest.resolve("redundant", SMALL[0], {**SMALL[1], "ways": ways})
    document = json.loads(b"".join(cycles.render(cycle_request(core, [], "28", "1", "chained"), "json")))
    links = islice(chained(core.multiplier, 1), 28)
    for link, shown in zip(links, document["digits"], strict=True):
        for operand, name in ((link.a, "radix 2^6"), (link.b, "radix 2^5")):
            if isinstance(operand, Written):
                field = "a" if name == "radix 2^6" else "b"
                assert [int(digit, 16) for digit in shown[field][name]] == list(operand.digits)
    assert verify(document)["verdict"] == "pass"
    table = b"".join(cycles.render(cycle_request(core, ["[33,40,1],[33,70]"]), "csv"))
    assert json.loads(table.splitlines()[0][2:])["digits"][0]["b"]["radix 2^5"][:2] == ["0x21", "0x46"]
    without = {name: member for name, member in document.items() if name != "digits"}
    assert verify(without)["verdict"] == "fail"  # of canonical digits, which these are not
    with pytest.raises(ParameterError, match=r"^digits: there must be one entry per pair"):
        verify({**document, "digits": document["digits"][1:]})


def test_over_http() -> None:
    query = {"model": "redundant", "prime": "2^61-1", "radix": "2^6", "r2": "5", "kind": "chained", "count": "20"}
    with (
        background(ServiceSettings(max_loop_steps=100_000)) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as api,
    ):
        for form in FORMATS:
            answer = api.get("/v1/vectors", params={**query, "format": form})
            assert answer.content == b"".join(sets.render(chain(*SMALL, 20), form))
        again = api.get(f"/v1/sets/{answer.headers['Limbtrace-Set']}", params={"format": "csv"})
        assert again.content == b"".join(sets.render(chain(*SMALL, 20), "csv"))
        assert (
            api.post("/v1/verifications", json=api.get("/v1/vectors", params=query).json()).json()["verdict"] == "pass"
        )
        refused = api.get("/v1/vectors", params={**query, "count": "150"})
        assert (refused.status_code, refused.json()["parameter"]) == (422, "count")
        assert "of kind chained take" in refused.json()["detail"]
        refused = api.get("/v1/vectors", params={**query, "form": "printed"})
        assert (refused.status_code, refused.json()["parameter"]) == (422, "kind")
        table = {"core": "redundant", **query, "ways": "2", "count": "5"}
        del table["model"]
        assert len(api.get("/v1/cycles", params=table).json()["digits"]) == 5
