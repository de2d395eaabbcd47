# SPDX-License-Identifier: Apache-2.0
"""Asks a service all the time whether it is healthy, as a monitor would."""

import threading
import time

import httpx

from tests.patience import PATIENCE


class Pulse:
    """A context in which /healthz is asked again and again; `seconds` are the times of the answers."""

    def __init__(self, url: str, pause: float = 0.02) -> None:
        self._url, self._pause = f"{url}/healthz", pause
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self.seconds: list[float] = []
        self.failures = 0

    @property
    def answered(self) -> bool:
        """Whether there were answers, and nothing else."""
        return bool(self.seconds) and not self.failures

    def percentile(self, share: float) -> float:
        """The time within which this share of the answers came."""
        return sorted(self.seconds)[round(share * (len(self.seconds) - 1))]

    def __enter__(self) -> "Pulse":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _ask(self) -> None:
        with httpx.Client(timeout=PATIENCE, verify=False) as client:
            while not self._done.wait(self._pause):
                begin = time.perf_counter()
                try:
                    self.failures += client.get(self._url).status_code != 200
                except httpx.HTTPError:
                    self.failures += 1
                self.seconds.append(time.perf_counter() - begin)
