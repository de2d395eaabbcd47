# SPDX-License-Identifier: Apache-2.0
"""Project rules that a program can check: imports run one way, every source file states its licence."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from limbtrace.rtl_bridge.protocols import PROTOCOLS
from tests.conftest import ROOT

PACKAGES = ("refmodels", "vectors", "service", "rtl_bridge")
SOURCES = sorted(
    path
    for folder in ("limbtrace", *PACKAGES, "tests", "tools")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".sv", ".v", ".toml", ".tcl", ".sh", ".html", ".css", ".js", ".j2")
    and "__pycache__" not in path.parts
)


def test_imports_run_one_way() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert f"Contracts: {len(contracts)} kept, 0 broken." in done.stdout


def test_a_contract_names_every_model_that_is_a_folder() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    named = [contract["containers"] for contract in contracts if contract.get("layers", [])[-1:] == ["algorithm"]]
    folders = [path.parent.relative_to(ROOT) for path in ROOT.glob("refmodels/papers/*/*/algorithm.py")]
    assert named == [sorted(f"limbtrace.{folder.as_posix().replace('/', '.')}" for folder in folders)]


def test_no_circle_of_imports() -> None:
    """Not even of imports in functions or for types alone."""
    graph = grimp.build_graph("limbtrace", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the modules


def test_sources_are_found() -> None:
    names = {path.name for path in SOURCES}
    assert {"r2mm.py", "lt_iddmm_arch2.sv", "core.toml", "package.vhd.j2", "test_rules.py"} <= names


def test_sources_say_their_licence() -> None:
    silent = []
    for path in (ROOT / "run", ROOT / ".ci/run", ROOT / "pyproject.toml", *SOURCES):
        lines = [line for line in path.read_text().splitlines()[:2] if not line.startswith("#!")]
        if lines and "SPDX-License-Identifier: Apache-2.0" not in lines[0]:  # an empty file has nothing to license
            silent.append(path)
    assert silent == []


@cache
def imports() -> dict[str, set[str]]:
    """The top-level packages that each source file imports."""
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        if path.suffix == ".py":
            packages = found.setdefault(path.relative_to(ROOT).as_posix(), set())
            for node in ast.walk(ast.parse(path.read_text())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                packages |= {name.split(".")[0] for name in names}
    return found


def importers(package: str) -> set[str]:
    """Source files that import a package, or something in it."""
    return {path for path, packages in imports().items() if package in packages}


def test_texts_name_packages_below_limbtrace() -> None:
    """Names that are looked up at run time; in a checkout, with the folders on its path, a mistake would not show."""
    lookups = {"files", "import_module", "PackageLoader", "find_spec", "entry_points"}
    wrong = []
    for path in SOURCES:
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and node.args and _name(node.func) in lookups:
                    texts = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
                    if texts and str(texts[0]).split(".")[0] in PACKAGES:
                        wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert wrong == []


def _name(function: ast.expr) -> str:
    """The last part of the name of what is called."""
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_imported_below_limbtrace(package: str) -> None:
    """The folders' own names belong to other projects; a module under two names would also be loaded twice."""
    assert importers(package) == set()


def _imported(path: Path) -> set[tuple[str, str]]:
    """(module, name) of what a source file imports from limbtrace, without modules."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom) and node.module]
    pairs = {(node.module or "", alias.name) for node in nodes for alias in node.names}
    modules = {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for path in SOURCES}
    modules |= {name.removesuffix(".__init__") for name in modules}
    return {(module, name) for module, name in pairs if f"{module}.{name}".removeprefix("limbtrace.") not in modules}


@pytest.mark.parametrize(
    ("public", "built_in"),
    [("modeling", "refmodels/papers/**/*.py"), ("protocols", "rtl_bridge/protocols/*.py")],
)
def test_packages_of_others_need_one_public_module(public: str, built_in: str) -> None:
    """It has all that built-in papers and protocols import, but for what these import from each other."""
    own = f"limbtrace.{built_in.partition('/*')[0].replace('/', '.')}"
    needed = {pair for path in ROOT.glob(built_in) for pair in _imported(path) if pair[0].startswith("limbtrace.")}
    assert needed
    given = _imported(ROOT / "limbtrace" / f"{public}.py")
    assert sorted(pair for pair in needed - given if not pair[0].startswith(own)) == []


LOOPS = sorted((ROOT / "vectors/certificate/loops").glob("*.py"))


def test_sage_is_imported_by_the_referee_only() -> None:
    loops = {path.relative_to(ROOT).as_posix() for path in LOOPS}
    assert importers("sage") == {"vectors/certificate/sage_referee.py", *loops}


@pytest.mark.parametrize("path", LOOPS, ids=lambda path: path.name)
def test_loops_are_read_with_sage_and_the_standard_library(path: Path) -> None:
    trees = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [alias.name for node in trees if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in trees if isinstance(node, ast.ImportFrom)]
    foreign = [name for name in names if name.split(".")[0] not in {"sage", *sys.stdlib_module_names}]
    assert all(name.startswith("limbtrace.vectors.certificate.loops") for name in foreign)


@pytest.mark.parametrize(
    "module",
    ["limbtrace.vectors.cli", "limbtrace.vectors.certificate", "limbtrace.service.app", "limbtrace.rtl_bridge.run.cli"],
)
def test_nothing_loads_sage_beforehand(module: str) -> None:
    program = f"import sys, {module}; sys.exit('sage' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


@pytest.mark.parametrize(
    "module",
    ["limbtrace.rtl_bridge.run.child", "limbtrace.rtl_bridge.run.lockstep_stimulus", "limbtrace.rtl_bridge.run.fast"],
)
def test_a_simulators_process_loads_no_more_than_it_runs(module: str) -> None:
    """What every simulation would wait for: compiler, formats, waveforms, HTTP, the builder, models of other papers."""
    idle = [
        "pyslang",
        "vcd",
        "pylibfst",
        "xml",
        "httpx",
        "jinja2",
        "cocotb_tools",
        "limbtrace.rtl_bridge.binding.bind",
        "limbtrace.vectors.cli.app",
    ]
    idle += [
        "limbtrace.vectors.sets.formats",
        "limbtrace.vectors.cycles.formats",
        "limbtrace.vectors.traces.formats",
        "limbtrace.refmodels.figures",
    ]
    program = f"import sys, {module}; from limbtrace.refmodels import registry; registry.model('cios'); "
    program += f"print(sorted({{*sys.modules}} & {{*{idle!r}, 'limbtrace.refmodels.papers.iddmm.iddmm2'}}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_hypothesis_is_imported_in_the_strategies_only() -> None:
    users = {name for name in importers("hypothesis") if not name.startswith("tests/")}
    assert users == {"limbtrace/strategies.py", "vectors/strategies.py"}


def test_nothing_in_the_bridge_knows_a_core_by_name() -> None:
    cores = {path.parent.name for path in (ROOT / "rtl_bridge/rtl").glob("*/core.toml")}
    assert cores
    rtl = ROOT / "rtl_bridge/rtl"  # of the cores, and the cells that they are made of
    sources = [path for path in SOURCES if path.is_relative_to(ROOT / "rtl_bridge") and not path.is_relative_to(rtl)]
    assert {"lockstep.py", "lt_lockstep_tb.sv"} <= {path.name for path in sources}
    assert [path for path in sources if any(core in path.read_text() for core in cores)] == []


@pytest.mark.parametrize("suffix", [".sv", ".v", ".vh", ".vhd"])
def test_hardware_sources_have_at_most_100_columns(suffix: str) -> None:
    """lowRISC's limit, for cores, benches and toys alike."""
    sources = [path for folder in ("rtl_bridge", "tests", "tools") for path in (ROOT / folder).rglob(f"*{suffix}")]
    assert sources
    wide = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 100
    ]
    assert wide == []


def test_only_protocols_know_which_one_they_are() -> None:
    """No other code imports a protocol's module, names its class or compares its kind."""
    own = {protocol.__module__ for protocol in PROTOCOLS.values()}
    classes = {protocol.__name__ for protocol in PROTOCOLS.values()}
    asking = []
    for path in SOURCES:
        if path.suffix != ".py" or path.is_relative_to(ROOT / "tests") or path.parent.name == "protocols":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names = [node.id] if isinstance(node, ast.Name) else [node.attr] if isinstance(node, ast.Attribute) else []
            told = [name for name in modules if name in own]
            told += [name for name in names if name in classes]
            if isinstance(node, ast.Compare | ast.MatchValue):
                texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
                told += [text for text in texts if text in PROTOCOLS]
            asking += [f"{path.relative_to(ROOT)}: {name}" for name in told]
    assert asking == []


def test_nothing_is_late_on_a_busy_machine() -> None:
    """Tests neither read the clock nor limit a wait in seconds themselves: `tests.patience` does.

    Limits below a second are allowed, since they are meant to expire.
    """
    clocks = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"}
    waits = {"wait", "join", "communicate"}
    hasty = []
    for path in SOURCES:
        if path.suffix != ".py" or not path.is_relative_to(ROOT / "tests") or path.name == "patience.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                limits = [keyword.value for keyword in node.keywords if keyword.arg == "timeout"]
                limits += node.args if node.func.attr in waits else []
                numbers = [limit.value for limit in limits if isinstance(limit, ast.Constant)]
                if node.func.attr in clocks or any(isinstance(n, int | float) and n >= 1 for n in numbers):
                    hasty.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert hasty == []


def test_docstrings_stand_alone() -> None:
    """A docstring that begins with "The same" makes sense only below another one."""
    leaning = []
    for path in SOURCES:
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                    text = node.value.value
                    if isinstance(text, str) and text.startswith("The same"):
                        leaning.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert leaning == []


TWICE = {
    "Core": "what `limbtrace.core` returns, and a core's folder and description in the bridge",
    "Formula": "the closed form of a model, and a formula in core.toml; papers and protocols import both by that name",
    "Multiplier": "what `limbtrace.multiplier` returns, and a model with resolved parameters",
    "Operand": "an operand as Python users write it, and a table of core.toml",
    "Row": "a line of the table of a pipeline, and a table of core.toml",
    "Run": "a run of a model for a product, and a run of a simulator for a job",
}
"""Types whose names occur more than once, and why this is allowed."""


def test_no_two_types_have_one_name() -> None:
    """A type can be found by its name: names of classes and of public aliases are unique across the packages.

    Documents have the names of the field in their types, and the second implementation in SageMath shares no code.
    """
    places: dict[str, set[str]] = {}
    packages = ("limbtrace", "refmodels", "vectors", "service", "rtl_bridge")
    for path in SOURCES:
        name = path.relative_to(ROOT)
        if path.suffix == ".py" and name.parts[0] in packages and path.name not in ("document.py", "sage_referee.py"):
            for type_name in _types(ast.parse(path.read_text())):
                places.setdefault(type_name, set()).add(name.as_posix())
    assert len(places) > 500
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert twice.keys() == TWICE.keys(), twice


def _types(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name):
                yield name


def test_a_long_file_says_why() -> None:
    """A program of more than 500 lines has several subjects, or a sentence on why it is one."""
    folders = ("limbtrace", *PACKAGES, "tools")
    programs = [path for path in SOURCES if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]
    long = [path for path in programs if len(path.read_text().splitlines()) > 500]
    assert len(long) >= 4
    assert [
        path.name for path in long if "One file" not in (ast.get_docstring(ast.parse(path.read_text())) or "")
    ] == []
