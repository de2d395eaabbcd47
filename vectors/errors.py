# SPDX-License-Identifier: Apache-2.0
"""Errors that are not the fault of the request."""


class ToolError(Exception):
    """A tool, a service or the disk failed; one sentence, exit 3."""
