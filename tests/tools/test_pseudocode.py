# SPDX-License-Identifier: Apache-2.0
"""docs/reference/pseudocode.md is that of today's models."""

from tools.pseudocode import OUTPUT, page


def test_the_page_is_current() -> None:
    """`python -m tools.pseudocode` writes it anew."""
    assert OUTPUT.read_text(encoding="utf-8") == page()
