# SPDX-License-Identifier: Apache-2.0
"""The documentation builds without a warning, has a page for everything, and its examples are real."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from limbtrace.refmodels.erratum import (
    KINDS,
    CircuitErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OperationErratum,
    StatementErratum,
    TextErratum,
)
from limbtrace.refmodels.figures import VERDICTS
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS, PAPERS, RIGHT, SPACES, errata
from limbtrace.rtl_bridge.core.core import built_in
from limbtrace.vectors.catalogue.tables import HEAD
from limbtrace.vectors.cycles.picture import CYCLE, Wave, svg
from limbtrace.vectors.errors import ToolError
from tools.docs import build, examples
from tools.docs import pages as generate
from tools.docs.examples import ExampleError

ALL = tuple(errata(kind) for kind in KINDS)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the HTML pages."""
    return build.build(tmp_path_factory.mktemp("docs") / "site").parent


def test_there_is_a_page_for_every_model(site: Path) -> None:
    for model in MODELS.values():
        page = (site / "docs" / "reference" / "models" / f"{model.id}.html").read_text()
        assert model.title in page
        for symbol in model.vocabulary:
            assert symbol.name in page
        chosen = any(p.name == "radix" and p.range != p.default for p in model.parameters)
        prime, a, b = (int(text, 16) for text in generate.example(model))
        params = model.resolve(prime if model.has_modulus else 0, {"radix": generate.RADIX} if chosen else {})
        assert hex(model.result(params, a, b)) in page  # of the traced example
        assert ("Long chains" in page) == (model.chain is not None)


def test_there_is_a_page_with_a_waveform_for_every_core(site: Path) -> None:
    names = {folder.name for folder in built_in()}
    assert {path.stem for path in (site / "docs" / "reference" / "cores").glob("*.html")} == names | set(ARCHITECTURES)
    for architecture in ARCHITECTURES.values():
        assert (
            f"{architecture.id}.svg" in (site / "docs" / "reference" / "cores" / f"{architecture.id}.html").read_text()
        )
        picture = ElementTree.parse(site / "_images" / f"{architecture.id}.svg")
        shape = architecture.resolve(CATALOGUE[architecture.example].modulus, {})
        assert len(picture.findall(".//{*}path")) >= len(architecture.columns(shape))


def test_every_erratum_shows_printed_and_corrected(site: Path) -> None:
    assert (site / "docs" / "reference" / "errata.html").is_file()
    sections = (site.parent / "source" / "docs" / "reference" / "errata.md").read_text().split("\n## ")[1:]
    names = [erratum.id for errata in ALL for erratum in errata]
    assert [section.splitlines()[0] for section in sections] == [*names, "Right as printed"]
    assert all(id in sections[-1] for id in RIGHT)
    for erratum, section in zip(errata(Erratum), sections, strict=False):
        forms = ["printed", "corrected"] if erratum.kind == "form" and not erratum.others else []
        if erratum.others:
            pairs = zip(*(erratum.results(erratum.models[-1], form) for form in ("printed", "corrected")), strict=True)
            assert all(f"| {hex(one)} | {hex(other)} |" in section for one, other in pairs)
        for form in forms:
            result = hex(erratum.run(erratum.models[-1], form).result)
            assert f"As {form}" in section
            assert examples.shortened(f"# result  {result}") in section
        assert section.count("$ curl ") == len(forms) + (erratum.kind == "claim")


def test_every_erratum_about_a_formula_shows_what_it_gives(site: Path) -> None:
    sections = (site.parent / "source" / "docs" / "reference" / "errata.md").read_text().split("\n## ")[1:]
    for erratum, section in zip(errata(FormulaErratum), sections[len(errata(Erratum)) :], strict=False):
        for values in erratum.values:
            assert f"| {' | '.join(map(str, values))} |" in section


def test_every_erratum_about_an_operation_shows_its_example(site: Path) -> None:
    page = (site.parent / "source" / "docs" / "reference" / "errata.md").read_text()
    for erratum in errata(OperationErratum):
        section = page.split(f"## {erratum.id}\n")[1].split("\n## ")[0]
        row = next(line for line in section.splitlines() if line.startswith(f"| {generate.cell(erratum.operation)} |"))
        assert row.endswith(f" {erratum.promised:#x} | {erratum.found():#x} |")


def test_every_erratum_about_figures_shows_them(site: Path) -> None:
    sections = (site.parent / "source" / "docs" / "reference" / "errata.md").read_text().split("\n## ")[1:]
    first = sum(map(len, (errata(Erratum), errata(FormulaErratum), errata(OperationErratum))))
    for erratum, section in zip(errata(FigureErratum), sections[first:], strict=False):
        rows = [line for line in section.splitlines() if line.startswith("| ") and " | " in line]
        assert len(rows) == len(erratum.findings) + 6 + 2  # a head, quotation, place, printed, corrected; twice a rule
        for finding in erratum.findings:
            assert finding.ours is not None
            assert any(line.endswith(f" {generate.cell(finding.ours)} |") for line in rows)


def test_statements_and_words_say_what_shows_them(site: Path) -> None:
    page = (site.parent / "source" / "docs" / "reference" / "errata.md").read_text()
    sections = {section.splitlines()[0]: section for section in page.split("\n## ")[1:]}
    for statement in errata(StatementErratum):
        rows = (f"| {generate.cell(name)} | {value} |" for name, value in statement.values.items())
        assert all(row in sections[statement.id] for row in rows)
    for circuit in errata(CircuitErratum):
        row = next(line for line in sections[circuit.id].splitlines() if generate.cell(circuit.flaw) in line)
        assert row.endswith(f" {circuit.printed_result:#x} | {circuit.product.result:#x} |")
    for text in errata(TextErratum):
        right = "This is about words" if text.product is None else "The registers of a circuit that is right"
        assert right in sections[text.id]


def test_every_figure_of_a_paper_has_a_row(site: Path) -> None:
    assert (site / "docs" / "reference" / "tables.html").is_file()
    text = (site.parent / "source" / "docs" / "reference" / "tables.md").read_text()
    rows = [line.split(" | ") for line in text.splitlines() if line.count(" | ") == len(HEAD) - 1]
    seen = [row[HEAD.index("verdict")] for row in rows]
    assert [cell for cell in seen if cell in VERDICTS] == [
        f.verdict for paper in PAPERS.values() for f in paper.figures.findings
    ]
    assert "42 xc7 K=64 NMax=16" in text
    assert "$ curl 'http://127.0.0.1:8000/v1/tables/iddmm'" in text


def test_designs_are_shown_with_a_picture_for_each_width(site: Path) -> None:
    page = (site / "docs" / "reference" / "designs.html").read_text()
    for space in SPACES.values():
        for bits in generate.DESIGN_BITS:
            name = f"designs-{space.core}-{bits}.svg"
            assert name in page
            assert len(ElementTree.parse(site / "_images" / name).findall(".//{*}path")) > 100
        for quantity in space.quantities:
            assert quantity.name in page


def test_what_is_written_by_hand_is_there_too(site: Path) -> None:
    for name in (
        "README",
        "docs/README",
        "docs/how-to/vivado",
        "docs/explanation/proofs",
        "docs/adr/0001-levels-and-layers",
    ):
        assert (site / f"{name}.html").is_file()


def test_a_broken_example_breaks_the_build() -> None:
    with pytest.raises(ExampleError, match=r"exit code 2: .*prime"):
        examples.console("trace cios --prime 4 --a 1 --b 1")


def test_a_broken_link_breaks_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "generate", lambda source: None)
    monkeypatch.setattr(build, "INDEX", "# Title\n\n[nowhere](nowhere.md)\n")
    monkeypatch.setattr(build, "BY_HAND", ())
    with pytest.raises(ToolError, match=r"nowhere\.md"):
        build.build(tmp_path / "site")


def boxes(picture: str) -> list[tuple[int, str]]:
    """(middle in pixels, value) of every box."""
    texts = ElementTree.fromstring(picture).findall(".//{*}g[@class]//{*}text[@class='value']")
    return [(int(text.attrib["x"]), text.text or "") for text in texts]


def test_a_waveform_shows_each_value_where_it_stands() -> None:
    """A wire in its own cycle, a register one later; equal neighbours share a box, and don't care is grey."""
    wire = Wave("a<b", ["1", "1", None, "2"], register=False)
    register = Wave("q", ["7", "8", "8", "8"], register=True)
    assert boxes(svg([wire], 0)) == [(CYCLE, "1"), (7 * CYCLE // 2, "2")]
    assert boxes(svg([register], 0)) == [(3 * CYCLE // 2, "7"), (7 * CYCLE // 2, "8")]
    assert svg([wire], 0).count('class="hole"') == 1


def test_markdown_in_a_table_stays_text() -> None:
    assert generate.table(("x",), [("a_b | p*q < r",)]) == "| x |\n| --- |\n| a\\_b \\| p\\*q &lt; r |\n\n"
