# SPDX-License-Identifier: Apache-2.0
"""What docs/how-to/describe-a-core.md says of its examples."""

import re
import tomllib

from tests.docs.test_commands import TOP
from tests.rtl_bridge.helpers import TOYS

PAGE = (TOP / "docs" / "how-to" / "describe-a-core.md").read_text()
ROWS = re.findall(r"^\| .* \| \[.*\]\(#(.*)\) \| (\d+) \| .* \| `(\w+)` \|$", PAGE, re.MULTILINE)
MOST = 20
"""Lines that a description may take."""


def test_lines_of_the_examples() -> None:
    assert len(ROWS) == 5
    for _, lines, toy in ROWS:
        text = (TOYS / toy / "core.toml").read_text().splitlines()
        assert len([line for line in text if line and not line.startswith("#")]) == int(lines) < MOST


def test_every_example_is_shown() -> None:
    """What the page shows of a description is in the example, and it simulates that or a copy of its sources."""
    for anchor, _, toy in ROWS:
        title = next(line for line in PAGE.splitlines() if line.lower().replace(" ", "-") == f"##-{anchor}")
        section = PAGE.partition(f"{title}\n")[2].partition("\n## ")[0]
        assert f"toys/{toy}" in section
        described = tomllib.loads((TOYS / toy / "core.toml").read_text())
        for block in re.findall(r"```toml\n(.*?)```", section, re.DOTALL):
            shown = tomllib.loads(block)
            assert shown == {key: described[key] for key in shown}
