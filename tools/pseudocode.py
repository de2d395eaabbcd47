# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.pseudocode`: writes docs/reference/pseudocode.md, every model in a few lines."""

from pathlib import Path

from limbtrace.refmodels.model import Model
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.catalogue.lists import pseudocode_of

OUTPUT = Path(__file__).parents[1] / "docs" / "reference" / "pseudocode.md"

HEAD = """# Models in a few lines

Written by `python -m tools.pseudocode` from the models' `pseudocode`, which a test compares with their loops.
`limbtrace models NAME` shows one of them, with the names and ranges of all steps;
[which model describes a core](../how-to/choose-a-model.md) helps to choose.
"""


def _section(model: Model) -> str:
    ranges = "; ".join(f"{name} {text}" for name, text in model.operands.items())
    return f"\n## `{model.id}`\n\n{model.title}: {ranges}.\n\n```py\n{pseudocode_of(model)}\n```\n"


def page() -> str:
    """The page."""
    return HEAD + "".join(_section(model) for model in MODELS.values() if model.pseudocode is not None)


def main() -> None:
    """Write the page."""
    OUTPUT.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
