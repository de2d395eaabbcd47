# SPDX-License-Identifier: Apache-2.0
"""`./run docs`: the documentation as HTML.

Pages of models, cores, errata, tables and designs are generated from the source, and every example on them is run.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from limbtrace.refmodels.registry import ARCHITECTURES, MODELS, SPACES
from limbtrace.rtl_bridge.core.core import built_in, load
from limbtrace.service.server import background
from limbtrace.vectors.errors import ToolError
from tools.docs import pages
from tools.docs.examples import ExampleError

TOP = Path(__file__).resolve().parents[2]

BY_HAND = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE",
    "LICENSES",
    "docs/README.md",
    "docs/tutorials/*.md",
    "docs/how-to/*.md",
    "docs/reference/*.md",
    "docs/explanation/*.md",
    "docs/Containerfile",
    "docs/limbtrace.service",
    "docs/adr/*.md",
)
"""Copied with their paths, so that links between them hold."""
LINKED = (
    "rtl_bridge/rtl/*/core.toml",
    "docs/plans/*",
    "vectors/schemas/limbtrace-digest-1.schema.json",
    "tests/data/root.c",
    "tests/data/find.py",
)
"""Files that the pages link to."""

INDEX = """# limbtrace

The golden reference for modular-multiplier hardware: bit-exact models of five papers, vectors and traces made from
them, and SystemVerilog cores that are compared with them in every cycle.
[Two commands](README.md) set it up and show it at work; [this page](docs/README.md) says where to find what.
[Errata](docs/reference/errata.md) lists what is wrong in the papers, with a request wherever a computation shows it.

```{toctree}
:caption: Start
README
docs/README
```

```{toctree}
:caption: Tutorials
docs/tutorials/first-core
docs/tutorials/paper-to-model
docs/tutorials/flow
docs/tutorials/team
```

```{toctree}
:caption: How-to guides
:glob:
docs/how-to/describe-a-core
docs/how-to/*
```

```{toctree}
:caption: Reference
:glob:
docs/reference/commands
docs/reference/core-toml
docs/reference/*
CHANGELOG
```

```{toctree}
:caption: Models
:glob:
docs/reference/models/*
```

```{toctree}
:caption: Cores
:glob:
docs/reference/cores/*
```

```{toctree}
:caption: Explanation
:glob:
docs/explanation/*
ARCHITECTURE
CONTRIBUTING
```

```{toctree}
:caption: Decisions
:glob:
docs/adr/README
docs/adr/0*
```
"""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def copy(source: Path) -> None:
    """The pages written by hand."""
    for pattern in (*BY_HAND, *LINKED):
        for path in TOP.glob(pattern):
            target = source / path.relative_to(TOP)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, target)
            else:
                shutil.copyfile(path, target)


def generate(source: Path) -> None:
    """The pages made from the source."""
    docs = source / "docs" / "reference"
    (docs / "models").mkdir(parents=True)
    (docs / "cores").mkdir()
    with background() as url:
        for model in MODELS.values():
            say(f"model {model.id}")
            (docs / "models" / f"{model.id}.md").write_text(pages.model_page(model, url))
        cores = [load(folder) for folder in built_in()]
        for core in cores:
            say(f"core {core.file.name}")
            architecture = ARCHITECTURES.get(core.file.schedule or "")
            (docs / "cores" / f"{core.file.name}.md").write_text(pages.core_page(core, architecture))
        for architecture in ARCHITECTURES.values():
            say(f"schedule {architecture.id}")
            if architecture.id not in {core.file.schedule for core in cores}:
                (docs / "cores" / f"{architecture.id}.md").write_text(pages.schedule_page(architecture))
            (docs / "cores" / f"{architecture.id}.svg").write_text(pages.waveform(architecture))
            if (picture := pages.occupation(architecture)) is not None:
                (docs / "cores" / f"{architecture.id}-units.svg").write_text(picture)
        say("errata")
        (docs / "errata.md").write_text(pages.errata_page(url))
        say("designs")
        (docs / "designs.md").write_text(pages.designs_page(url))
        for space in SPACES.values():
            for bits in pages.DESIGN_BITS:
                (docs / f"designs-{space.core}-{bits}.svg").write_text(pages.designs_picture(space, bits))
        say("tables")
        (docs / "tables.md").write_text(pages.tables_page(url))


def build(output: Path) -> Path:
    """Build into the folder `output`, whose contents are replaced; returns the first page. Raises ToolError."""
    source, html = output / "source", output / "html"
    shutil.rmtree(output, ignore_errors=True)
    source.mkdir(parents=True)
    copy(source)
    generate(source)
    (source / "index.md").write_text(INDEX)
    say("HTML")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
    command += ["-c", str(TOP / "tools" / "docs")]
    done = subprocess.run([*command, str(source), str(html)], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ToolError(f"Sphinx complains: {done.stderr.strip()}")
    return html / "index.html"


def main() -> int:
    """Exit code: 0, or 3 if an example or a tool failed."""
    parser = argparse.ArgumentParser(description="Build the documentation.")
    parser.add_argument("--output", type=Path, default=Path("build/docs"), help="folder, replaced; default build/docs")
    try:
        print(build(parser.parse_args().output))
    except (ExampleError, ToolError) as error:
        say(f"docs: {error}")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
