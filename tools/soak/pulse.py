# SPDX-License-Identifier: Apache-2.0
"""Asks /healthz all the time: `python -m tools.soak.pulse PORT`, a process of its own, which no other client delays.

Writes a line for each request: when it began, the seconds it took, and the status; 0 without an answer.
"""

import http.client
import select
import sys
import time

PAUSE_SECONDS = 0.05
TIMEOUT_SECONDS = 60


def main(port: int) -> None:
    """Ask until standard input is closed."""
    connection: http.client.HTTPConnection | None = None
    while not select.select([sys.stdin], [], [], PAUSE_SECONDS)[0]:
        begin, status = time.monotonic(), 0
        try:
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            connection = None
        print(begin, time.monotonic() - begin, status, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
