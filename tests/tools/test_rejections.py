# SPDX-License-Identifier: Apache-2.0
"""docs/reference/rejections.md is that of today's table."""

from limbtrace.rtl_bridge.flow.rejections import rejections
from tools.rejections import OUTPUT, page


def test_the_page_is_current() -> None:
    """`python -m tools.rejections` writes it anew."""
    assert OUTPUT.read_text(encoding="utf-8") == page()


def test_every_report_is_on_the_page() -> None:
    text = page()
    for rule in rejections().values():
        assert f"\n## {rule.id}\n" in text
        for report in rule.reports:
            assert f"({report.source})" in text
