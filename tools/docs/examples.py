# SPDX-License-Identifier: Apache-2.0
"""Examples that are run while the pages are generated, so that they show the real output."""

import io
import shlex
from contextlib import redirect_stderr, redirect_stdout

import httpx

from limbtrace.vectors.cli import main

PUBLIC_URL = "http://127.0.0.1:8000"
"""The address of a reader's service, which the pages show in place of the one they use."""

MOST_LINES = 60


class ExampleError(Exception):
    """An example on a page does not work."""


def shell(arguments: str) -> str:
    """Standard output of `limbtrace ARGUMENTS`, run in this process; a new process takes ten times as long."""
    output, messages = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with redirect_stdout(output), redirect_stderr(messages):
        try:
            main(shlex.split(arguments))
        except SystemExit as end:
            code = end.code
    output.flush()
    if code:
        raise ExampleError(f"limbtrace {arguments}: exit code {code}: {messages.getvalue().strip()}")
    return output.buffer.getvalue().decode()


def console(arguments: str, lines: int = MOST_LINES) -> str:
    """A block with a command and its output, shortened in the middle."""
    return _block(f"limbtrace {arguments}", shell(arguments), lines)


def get(url: str, path: str) -> str:
    """The response of the service at `url`."""
    # Plain HTTP on this machine: loading the TLS certificates would take longer than the request.
    answer = httpx.get(f"{url}{path}", timeout=60, verify=False)
    if answer.status_code != 200:
        raise ExampleError(f"{path}: status {answer.status_code}: {answer.text[:200]}")
    return answer.text


def query(url: str, path: str, lines: int = MOST_LINES) -> str:
    """A block with a request and its response."""
    return _block(f"curl '{PUBLIC_URL}{path}'", get(url, path), lines)


def _block(command: str, output: str, lines: int) -> str:
    shown = output.rstrip("\n").split("\n")
    if len(shown) > lines:
        shown = [*shown[: lines - lines // 3], "...", *shown[-(lines // 3) :]]
    return "\n".join(["```console", f"$ {command}", *map(shortened, shown), "```", ""])


def shortened(line: str) -> str:
    """A line of output; a long one is shown without its middle."""
    return line if len(line) <= 240 else f"{line[:200]} ... {line[-30:]}"
