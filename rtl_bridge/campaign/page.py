# SPDX-License-Identifier: Apache-2.0
"""A campaign as a page of HTML that needs nothing else: neither other files, nor scripts, nor a network."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from limbtrace.rtl_bridge.campaign.summary import ENDED, Summary


def page(summary: Summary) -> str:
    """The page. What comes from cores and plans is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    template = environment.get_template("page.html")
    return template.render(
        campaign=summary.document, ended=ENDED[summary.ended], covered=summary.covered, not_tried=summary.not_tried
    )
