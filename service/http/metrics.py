# SPDX-License-Identifier: Apache-2.0
"""The metrics of /metrics, in a separate registry for each app."""

import math

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from limbtrace.service.storage.store import Store, StoreError


class Metrics:
    """Counters of an app; the sets in its store are counted when the metrics are read."""

    def __init__(self, store: Store) -> None:
        self.registry = CollectorRegistry()
        self.requests = self._counter("requests", "Requests answered", "route", "status")
        self.seconds = Histogram(
            "limbtrace_request_seconds", "Time from request to end of answer", ["route"], registry=self.registry
        )
        self.bytes = self._counter("response_bytes", "Bytes of answers, as they were sent", "route")
        self.busy = Gauge("limbtrace_requests_in_progress", "Requests being served", registry=self.registry)
        self.refused = self._counter("refused", "Requests that a limit refused, by setting", "limit")
        self.cut = self._counter("cut", "Requests that were ended by a limit of time, by setting", "limit")
        self.store_errors = self._counter("store_errors", "Failures of the database of sets")
        self.sets = Gauge("limbtrace_sets", "Sets that are remembered", registry=self.registry)
        self.sets.set_function(lambda: _count(store))

    def count(self, name: str, label: str) -> None:
        """Increment a counter that a worker names; `label` is empty for one without labels."""
        counter = {"refused": self.refused, "store_errors": self.store_errors}[name]
        (counter.labels(label) if label else counter).inc()

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"limbtrace_{name}", meaning, labels, registry=self.registry)


def _count(store: Store) -> float:
    try:
        return store.count()
    except StoreError:
        return math.nan
