# SPDX-License-Identifier: Apache-2.0
"""Settings of Sphinx."""

from importlib.metadata import version as installed

project = "limbtrace"
version = release = installed("limbtrace")
copyright = "The limbtrace authors; code Apache-2.0, vectors and traces CC0"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"limbtrace {version}"
html_show_sphinx = False
html_copy_source = False
# Program blocks name their language; the output of commands has none.
highlight_language = "none"
