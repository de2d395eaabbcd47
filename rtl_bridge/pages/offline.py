# SPDX-License-Identifier: Apache-2.0
"""Offline pages: templates of their own packages that extend the one here."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def offline_page(folder: Path, **content: Any) -> str:
    """The page of the template `page.html` in a folder, which extends `base.html`. Its content is escaped."""
    environment = Environment(
        loader=FileSystemLoader([folder, Path(__file__).parent]), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template("page.html").render(content)
