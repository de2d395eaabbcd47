# SPDX-License-Identifier: Apache-2.0
"""A campaign as a page of HTML that needs nothing else: neither other files, nor scripts, nor a network."""

from pathlib import Path

from limbtrace.rtl_bridge.campaign.summary import ENDED, Summary
from limbtrace.rtl_bridge.pages.offline import offline_page


def page(summary: Summary) -> str:
    """The page. What comes from cores and plans is escaped."""
    return offline_page(
        Path(__file__).parent, campaign=summary.document, ended=ENDED[summary.ended], covered=summary.covered,
        not_tried=summary.not_tried,
    )  # fmt: skip
