# SPDX-License-Identifier: Apache-2.0
"""The memory behind /v1/sets."""

from collections import OrderedDict
from threading import Lock

from service.problems import RefusedError
from vectors.request import VectorRequest


class Sets:
    """The last requests for sets, by id. They are lost on restart, and the same request gives the same set again."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._requests: OrderedDict[str, VectorRequest] = OrderedDict()
        self._lock = Lock()

    def add(self, request: VectorRequest) -> None:
        """Remember a request, and forget the one longest unused where there are too many."""
        with self._lock:
            self._requests[request.id] = request
            self._requests.move_to_end(request.id)
            if len(self._requests) > self.limit:
                self._requests.popitem(last=False)

    def get(self, name: str) -> VectorRequest:
        """Raises RefusedError (404) for a set that is not remembered."""
        with self._lock:
            request = self._requests.get(name)
        if request is None:
            raise RefusedError(
                404,
                f"id: no set {name[:40]!r} is remembered; sets are forgotten on restart and when many others follow, "
                "and the same request to /v1/vectors gives the same set again",
                "id",
            )
        return request
