# SPDX-License-Identifier: Apache-2.0
"""Outcomes of a soak's requests, by kind of client, and the faults among them."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

RIGHT, LEFT, AWAY, CUT = "answered", "client left", "server away", "cut"
FAULTS = ("lost", "wrong", "forbidden", "unanswered")
"""Sets that are no longer served; answers with other bytes; a 5xx other than 503 with Retry-After; no answer."""
_SHOWN = 20
_SETTLED = 1.0
"""Seconds after a start of the server in which a connection may still be one of the server that was killed."""


class Tally:
    """Counts for many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.outcomes: dict[str, Counter[str]] = {}
        self.refusals: Counter[str] = Counter()
        self.faults: Counter[str] = Counter(dict.fromkeys(FAULTS, 0))
        self.shown: list[str] = []
        """The first faults, one sentence each."""
        self.seconds: list[float] = []
        """Durations of right answers to ordinary requests."""
        self._down: list[list[float]] = []

    def note(self, client: str, outcome: str) -> None:
        """Count a request of that kind of client."""
        with self._lock:
            self.outcomes.setdefault(client, Counter())[outcome] += 1

    def fault(self, client: str, fault: str, what: str) -> None:
        """Count a request as one of FAULTS, with a description of it."""
        self.note(client, fault)
        self.blame(fault, f"{client}: {what}")

    def blame(self, fault: str, what: str) -> None:
        """Count a fault without counting a request."""
        with self._lock:
            self.faults[fault] += 1
            if len(self.shown) < _SHOWN:
                self.shown.append(f"{fault}: {what[:300]}")

    def judge(self, client: str, what: str, status: int, headers: Mapping[str, str], body: bytes) -> str:
        """Count an answer other than 200 and return how it counts."""
        kind = _kind(body)
        later = headers.get("retry-after", "").isdigit()
        if status >= 500 and not (status == 503 and later):
            self.fault(client, "forbidden", f"{what} is answered with {status} {kind}: {body[:200]!r}")
            return "forbidden"
        outcome = f"{status} {kind}".strip()
        self.note(client, outcome)
        with self._lock:
            self.refusals[outcome] += 1
        return outcome

    def unanswered(self, client: str, what: str, begin: float) -> None:
        """Count a request without a whole answer, which the kill of the server explains or nothing does."""
        if self.disturbed(begin, time.monotonic()):
            self.note(client, AWAY)
        else:
            self.fault(client, "unanswered", what)

    @contextmanager
    def down(self) -> Iterator[None]:
        """The time in which the server is killed and started again."""
        window = [time.monotonic(), float("inf")]
        self._down.append(window)
        yield
        window[1] = time.monotonic() + _SETTLED

    def disturbed(self, begin: float, end: float) -> bool:
        """True if the server was away at some time between these."""
        return any(begin < last and first < end for first, last in self._down)


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Median, 99th percentile and maximum, in milliseconds; zeros of an empty list."""
    ordered = sorted(seconds) or [0.0]
    at = {"p50_ms": 0.5, "p99_ms": 0.99, "max_ms": 1.0}
    return {name: round(1000 * ordered[round(share * (len(ordered) - 1))], 1) for name, share in at.items()}


def _kind(body: bytes) -> str:
    """The kind of a problem document; nothing for another body."""
    try:
        return str(json.loads(body)["type"]).rpartition(":")[2]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""
