# SPDX-License-Identifier: Apache-2.0
"""Ordinary clients: each answer is compared with what the command line gives, and sets are asked for again."""

import hashlib
import json
import random
import threading
import time
from dataclasses import dataclass, field

import httpx

from limbtrace.vectors.encoding import dump
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, render
from limbtrace.vectors.verify import verify
from tools.docs.examples import shell
from tools.soak.tally import RIGHT, Tally

CLIENT = "ordinary"
TIMEOUT_SECONDS = 60
MOST_PAUSE = 1.0
"""A client pauses for up to this many seconds between requests."""
MOST_WAIT = 2
"""A client that is told to come back later does so after this many seconds at the latest."""
_NEW, _AGAIN = 0.25, 0.15
"""Shares of the requests that ask for a new set, and for one that was seen before."""
_COUNT = 8
_MULTIPLIERS = (("cios", "p256"), ("iddmm2", "mlkem"), ("cios", "p521"), ("redundant", "p256"))
_FORMATS = ("json", "ndjson", "csv")
_COMMANDS = (
    ("models --json", "/v1/models"),
    ("models redundant --json", "/v1/models/redundant"),
    ("primes --json", "/v1/primes"),
    ("constants cios --prime p256 --format sv", "/v1/constants?model=cios&prime=p256&format=sv"),
    ("events cios --prime p256 --json", "/v1/events?model=cios&prime=p256"),
    (
        "trace iddmm2 --prime p256 --radix 2^32 --a 5 --b 7 --format text",
        "/v1/traces?model=iddmm2&prime=p256&radix=2%5E32&a=5&b=7&format=text",
    ),
    ("trace cios --prime p521 --a 5 --b 7 --format json", "/v1/traces?model=cios&prime=p521&a=5&b=7&format=json"),
    (
        "cycles iddmm_arch2 --prime mlkem --radix 2^4 --count 2 --format csv",
        "/v1/cycles?core=iddmm_arch2&prime=mlkem&radix=2%5E4&count=2&format=csv",
    ),
    (
        "vectors iddmm2 --prime p384 --radix 2^32 --count 30 --kind mixed --format csv",
        "/v1/vectors?model=iddmm2&prime=p384&radix=2%5E32&count=30&kind=mixed&format=csv",
    ),
    ("vectors cios --prime p256 --count 300", "/v1/vectors?model=cios&prime=p256&count=300"),
    (
        "digest cios --prime p256 --kind random --count 20000",
        "/v1/digests?model=cios&prime=p256&kind=random&count=20000",
    ),
)


@dataclass(frozen=True)
class Ask:
    """A request and the body of its answer."""

    path: str
    expected: bytes
    body: bytes | None = None


@dataclass
class Seen:
    """Sets whose id a client has seen: the request for each, and the digest of its answer. For many threads."""

    paths: dict[str, tuple[str, str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    order: list[str] = field(default_factory=list)

    def add(self, name: str, path: str, expected: bytes) -> None:
        with self.lock:
            known = name in self.paths
            self.paths[name] = (path, hashlib.sha256(expected).hexdigest())
            if not known:  # last, since others look here without the lock
                self.order.append(name)

    def any(self, rng: random.Random) -> str | None:
        return self.order[rng.randrange(len(self.order))] if self.order else None


def fixed() -> list[Ask]:
    """Requests whose answers are known beforehand: catalogue, traces, cycle tables, sets, verdicts."""
    asks = [Ask(path, shell(command).encode()) for command, path in _COMMANDS]
    document = json.loads(shell("vectors cios --prime p256 --count 40"))
    wrong = json.loads(json.dumps(document))
    wrong["testGroups"][0]["tests"][7]["result"] = "0x1"
    digest = json.loads(shell("digest cios --prime p256 --kind random --count 20000 --leaf 256"))
    claim = {"model": "cios", "prime": "p256", "kind": "random", "count": 20000, "leaf": 256}
    claim["range"] = {"first": 256, "last": 511, "hash": 64 * "0"}
    for sent in (document, wrong, digest, claim):
        asks.append(Ask("/v1/verifications", f"{dump(verify(sent))}\n".encode(), json.dumps(sent).encode()))
    return asks


def new_set(rng: random.Random) -> Ask:
    """A set that hardly anybody has asked for, computed here as the command line does."""
    (model, prime), format = rng.choice(_MULTIPLIERS), rng.choice(_FORMATS)
    seed = rng.getrandbits(40)
    request = VectorRequest.resolve(Multiplier.resolve(model, prime, {}), _COUNT, seed, "random")
    path = f"/v1/vectors?model={model}&prime={prime}&count={_COUNT}&seed={seed}&kind=random&format={format}"
    return Ask(path, b"".join(render(VectorSet(request), format)))


class Ordinary:
    """One client with an address of its own, 127.0.x.y."""

    def __init__(self, url: str, number: int, seed: int, asks: list[Ask], seen: Seen, tally: Tally) -> None:
        self._url, self._asks, self._seen, self._tally = url, asks, seen, tally
        self._rng = random.Random(f"{seed} {CLIENT} {number}")
        self._address = f"127.0.{1 + number // 200}.{2 + number % 200}"

    def run(self, done: threading.Event) -> None:
        """Ask until it is done."""
        with connected(self._url, self._address) as client:
            while not done.wait(self._rng.uniform(0, MOST_PAUSE)):
                choice = self._rng.random()
                again = self._seen.any(self._rng)
                if choice < _NEW:
                    self._ask(client, new_set(self._rng), done)
                elif choice < _NEW + _AGAIN and again is not None:
                    seen_again(client, again, self._seen, self._tally)
                else:
                    self._ask(client, self._rng.choice(self._asks), done)

    def _ask(self, client: httpx.Client, ask: Ask, done: threading.Event) -> None:
        begin = time.monotonic()
        headers = {"Accept-Encoding": self._rng.choice(("identity", "gzip"))}
        if ask.body is not None:
            headers["Content-Type"] = "application/json"
        try:
            with client.stream("POST" if ask.body else "GET", ask.path, content=ask.body, headers=headers) as answer:
                if name := answer.headers.get("limbtrace-set"):  # the body may never arrive
                    self._seen.add(name, ask.path, ask.expected)
                content = answer.read()
        except httpx.HTTPError as error:
            self._tally.unanswered(CLIENT, f"{ask.path}: {error!r}", begin)
            return
        if answer.status_code == 503:
            self._tally.judge(CLIENT, ask.path, 503, answer.headers, content)
            done.wait(min(MOST_WAIT, int(answer.headers.get("retry-after", "1"))))
        elif answer.status_code >= 500:
            self._tally.judge(CLIENT, ask.path, answer.status_code, answer.headers, content)
        elif answer.status_code != 200 or content != ask.expected:
            self._tally.fault(CLIENT, "wrong", f"{ask.path}: {answer.status_code} {content[:100]!r}")
        else:
            self._tally.note(CLIENT, RIGHT)
            self._tally.seconds.append(time.monotonic() - begin)


def connected(url: str, address: str) -> httpx.Client:
    """A client of that address. Connections that the server may be about to close are not used again."""
    limits = httpx.Limits(keepalive_expiry=2)
    transport = httpx.HTTPTransport(local_address=address, verify=False, limits=limits)
    return httpx.Client(base_url=url, transport=transport, timeout=TIMEOUT_SECONDS)


def seen_again(client: httpx.Client, name: str, seen: Seen, tally: Tally) -> str:
    """Ask for a set that was seen before; returns what became of it."""
    path, digest = seen.paths[name]
    format = path.rpartition("format=")[2] if "format=" in path else "json"
    begin = time.monotonic()
    try:
        answer = client.get(f"/v1/sets/{name}", params={"format": format})
    except httpx.HTTPError as error:
        tally.unanswered(CLIENT, f"/v1/sets/{name}: {error!r}", begin)
        return "unanswered"
    if answer.status_code >= 500:
        return tally.judge(CLIENT, f"/v1/sets/{name}", answer.status_code, answer.headers, answer.content)
    if answer.status_code != 200 or hashlib.sha256(answer.content).hexdigest() != digest:
        tally.fault(CLIENT, "lost", f"/v1/sets/{name} of {path}: {answer.status_code} {answer.content[:100]!r}")
        return "lost"
    tally.note(CLIENT, RIGHT)
    return RIGHT
