# SPDX-License-Identifier: Apache-2.0
"""What went wrong although the request was right."""


class ToolError(Exception):
    """A tool, a service or the disk failed; one sentence, exit 3."""
