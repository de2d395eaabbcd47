# SPDX-License-Identifier: Apache-2.0
"""Golden data from a running service: the typed client, and `limbtrace.vectors.source.Source` over HTTP.

A request that the service rejects raises ParameterError, as without a service. Any other failure (no response, a
truncated or inconsistent response) raises ServiceError with one sentence. The client retries when the service is busy.
Nothing that a service sends is trusted: what is read has a largest size and a longest time, compressed answers and
redirects are refused.
"""

import hashlib
import json
import os
import re
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import TableProduct
from limbtrace.refmodels.errors import ParameterError, printable
from limbtrace.refmodels.fp2 import Element
from limbtrace.refmodels.settings import Given
from limbtrace.vectors.catalogue.document import Constants, EventsDocument, ModelList, PrimeList
from limbtrace.vectors.coverage import CoverageDocument
from limbtrace.vectors.cycles import ColumnInfo, CycleQuery
from limbtrace.vectors.digests import DigestDocument, DigestQuery
from limbtrace.vectors.digests.document import DEFAULT_LEAF
from limbtrace.vectors.digests.request import Hashed
from limbtrace.vectors.document import Document, Problem
from limbtrace.vectors.encoding import dump, hexadecimal
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.fp2.document import Fp2Set
from limbtrace.vectors.fp2.request import Fp2Query
from limbtrace.vectors.options import EventsQuery, FilterQuery, ModelQuery
from limbtrace.vectors.report import ReportDocument
from limbtrace.vectors.request import DEFAULT_KIND, Multiplier, SetShard
from limbtrace.vectors.results.document import Compare
from limbtrace.vectors.sessions.document import Expected, Session, SessionCases, SessionVerdicts
from limbtrace.vectors.sets import Case, VectorQuery, parse_case
from limbtrace.vectors.source import CaseSet, GoldenTable, GoldenTrace, Pairs
from limbtrace.vectors.traces import TraceQuery
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verification import Verification

BATCH_CELLS = 250_000
"""Number of cells of a cycle table that are requested at once."""
BATCH_CHARACTERS = 32_000
"""Characters of operands in one request: half of uvicorn's limit for a request line."""

MAX_DOCUMENT = 1 << 26
"""Most bytes of a document that is read as a whole."""
MAX_LINE = 1 << 24
"""Most bytes of a line: a chain with as many checkpoints as there may be has ten million."""
PATIENCES = 10
"""A document, or a line that has begun, is there after as many times the longest silence."""

_Document = TypeVar("_Document", bound=Document)
_TABLE = ("operands", "results", "starts", "columns", "first_cycle", "rows")
"""Members of a table's document that do not belong to the head."""

_Query = Mapping[str, str | list[str]]
_Item = TypeVar("_Item")


class ServiceError(ToolError):
    """The service gave no valid response; the message is one sentence."""


class _Answered(Iterator[_Item]):
    """Items of an answer. It ends with them, with an error, or when they are closed, also before the first is taken.

    A generator that has not begun keeps what it was given, and with that the connection. An answer that is left to the
    garbage collector may be closed in the middle of another request, which then waits for itself.
    """

    def __init__(self, items: Generator[_Item, None, None], lines: Generator[str, None, None]) -> None:
        self._items, self._lines = items, lines

    def __next__(self) -> _Item:
        try:
            return next(self._items)
        except BaseException:  # StopIteration among them
            self.close()
            raise

    def close(self) -> None:
        self._items.close()
        self._lines.close()


class Client:
    """A service at `url`. A context manager, or call `close`.

    `timeout` is the time in seconds that the service may be silent, and for which requests are repeated while it is
    busy (503 with Retry-After).
    """

    def __init__(self, url: str, timeout: float = 60.0, token: str | None = None) -> None:
        """An access token is taken from LIMBTRACE_TOKEN unless it is given.

        Raises ParameterError("service") if the address is invalid, ParameterError("token") if no header can hold it.
        """
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            parsed = httpx.URL("")
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise ParameterError("service", f"{url[:80]!r} is no address such as http://127.0.0.1:8000")
        self.url = url.rstrip("/")
        self._patience = timeout
        # Compression takes both sides more time than it saves, except over a slow connection.
        headers = {"Accept-Encoding": "identity"}
        if token := token or os.environ.get("LIMBTRACE_TOKEN"):
            if not (token.isascii() and token.isprintable()):
                raise ParameterError("token", "it is no access token of a service: LIMBTRACE_TOKEN or the argument")
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx.Client(base_url=self.url, timeout=timeout, headers=headers)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection."""
        self._http.close()

    def models(self, prime: str | int | None = None, radix: str | None = None, bits: int | None = None) -> ModelList:
        """Every model, or those that take a modulus, a radix or a width. Raises ParameterError, ServiceError."""
        return self._document(ModelList, "/v1/models", FilterQuery(prime=prime, radix=radix, bits=bits).parameters())

    def primes(self, prime: str | int | None = None, radix: str | None = None, bits: int | None = None) -> PrimeList:
        """The catalogue of moduli, or those asked for. Raises ParameterError, ServiceError."""
        return self._document(PrimeList, "/v1/primes", FilterQuery(prime=prime, radix=radix, bits=bits).parameters())

    def constants(self, model: str, prime: str | int, settings: Given) -> Constants:
        """The constants of a multiplier. Raises ParameterError, ServiceError."""
        return self._document(Constants, "/v1/constants", ModelQuery(model=model, prime=prime).parameters(settings))

    def events(self, model: str, prime: str | int | None = None, settings: Given | None = None) -> EventsDocument:
        """The events of a model, and with a modulus their indices. Raises ParameterError, ServiceError."""
        query = EventsQuery(model=model, prime=prime).parameters(settings or {})
        return self._document(EventsDocument, "/v1/events", query)

    def coverage(self, document: Mapping[str, Any]) -> CoverageDocument:
        """The events that the cases of a set cause. Raises ParameterError, ServiceError."""
        with self._failures(), self._answer("POST", "/v1/coverage", document=document) as answer:
            return CoverageDocument.model_validate_json(self._whole(answer))

    def digest(
        self,
        model: str,
        prime: str | int | None,
        settings: Given,
        count: int,
        seed: int = 1,
        kind: str = DEFAULT_KIND,
        leaf: int = DEFAULT_LEAF,
        level: int | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> DigestDocument:
        """The digest of a set as in `limbtrace digest`, or the hash of its cases `first` to `last`.

        Raises ParameterError, ServiceError.
        """
        query = DigestQuery(
            model=model, prime=prime, count=count, seed=seed, kind=kind, leaf=leaf, level=level, first=first, last=last
        )
        return self._document(DigestDocument, "/v1/digests", query.parameters(settings))

    def digest_of(self, hashed: Hashed, first: int, last: int) -> bytes:
        """The golden hash of some cases of a set. Raises ParameterError, ServiceError."""
        of, m = hashed.vectors, hashed.vectors.multiplier
        found = self.digest(
            m.model.id, m.prime, m.settings, of.count, of.seed, of.kind, hashed.leaf, first=first, last=last
        )
        if found.range is None or (found.id, found.range.first, found.range.last) != (of.id, first, last):
            raise ServiceError(f"{self.url}: the hash is not that of cases {first} to {last} of this set")
        return bytes.fromhex(found.range.hash)

    def fp2(
        self,
        model: str,
        prime: str | int,
        settings: Given,
        op: str,
        a: Element | None = None,
        b: Element | None = None,
        count: int | None = None,
        seed: int | None = None,
        kind: str | None = None,
        steps: bool = False,
    ) -> Fp2Set:
        """Products or squares in GF(p^2) as in `limbtrace fp2`: of given elements (x0, x1), or `count` drawn ones.

        Raises ParameterError, ServiceError.
        """
        written = [None if x is None else f"[{x[0]:#x},{x[1]:#x}]" for x in (a, b)]
        query = Fp2Query(
            model=model, prime=prime, op=op, a=written[0], b=written[1], count=count, seed=seed, kind=kind, steps=steps
        )
        return self._document(Fp2Set, "/v1/fp2", query.parameters(settings))

    def verify(self, document: Mapping[str, Any]) -> Verification:
        """Verdict on results or on a document. Raises ParameterError, ServiceError."""
        with self._failures(), self._answer("POST", "/v1/verifications", document=document) as answer:
            return Verification.model_validate_json(self._whole(answer))

    def verify_file(self, content: bytes) -> Verification:
        """Verdict on a file in any format that `limbtrace verify` reads; a folder of memory images as its tar archive.

        Raises ParameterError, ServiceError.
        """
        with self._failures(), self._answer("POST", "/v1/verifications", content=content) as answer:
            return Verification.model_validate_json(self._whole(answer))

    def verify_set(
        self, id: str, results: Sequence[int] | Mapping[str, int], compare: Compare = "result"
    ) -> Verification:
        """Verdict on results for a set that the service remembers: of all its cases, or by the ids of some.

        Raises ParameterError, "id" for a set that it does not know; ServiceError.
        """
        written: list[Any] = (
            [{"id": case, "result": hexadecimal(result)} for case, result in results.items()]
            if isinstance(results, Mapping)
            else [hexadecimal(result) for result in results]
        )
        return self.verify({"set": id, "results": written, "compare": compare})

    def post_report(self, report: Mapping[str, Any]) -> str:
        """Keep what `limbtrace sim --json` wrote; returns its id. Raises ParameterError, ServiceError.

        The id is what the service says: one of another release may keep other members.
        """
        with self._failures(), self._answer("POST", "/v1/reports", document=report) as answer:
            self._whole(answer)
            id = answer.headers["Location"].rpartition("/")[2]
            if not re.fullmatch(r"[0-9a-f]{32}", id):
                raise ServiceError(f"{self.url}: the service names no id of the report")
            return str(id)

    def report(self, id: str) -> ReportDocument:
        """A report that was posted. Raises ParameterError, ServiceError."""
        return self._document(ReportDocument, f"/v1/reports/{quote(id, safe='')}")

    def begin_session(self, abilities: Mapping[str, Any]) -> Session:
        """A new session for the abilities of a core. Raises ParameterError, ServiceError."""
        with self._failures(), self._answer("POST", "/v1/sessions", document=abilities) as answer:
            return Session.model_validate_json(self._whole(answer))

    def session(self, id: str) -> Session:
        """The state of a session: also after an interruption. Raises ParameterError, ServiceError."""
        return self._document(Session, f"/v1/sessions/{quote(id, safe='')}")

    def session_cases(self, id: str, set: str, expected: Expected = "none") -> SessionCases:
        """The cases of a set of a session. Raises ParameterError, ServiceError."""
        path = f"/v1/sessions/{quote(id, safe='')}/sets/{quote(set, safe='')}"
        return self._document(SessionCases, path, {"expected": expected})

    def send_results(self, id: str, results: Mapping[str, Any]) -> SessionVerdicts:
        """The verdicts on some results of a set, `{"set", "results": [{"id", "result"}]}`; they may be sent again.

        Raises ParameterError, ServiceError.
        """
        path = f"/v1/sessions/{quote(id, safe='')}/results"
        with self._failures(), self._answer("POST", path, document=results) as answer:
            return SessionVerdicts.model_validate_json(self._whole(answer))

    def cases(
        self,
        model: str,
        prime: str | int | None,
        settings: Given,
        count: int,
        seed: int = 1,
        kind: str = DEFAULT_KIND,
        shard: str | None = None,
    ) -> CaseSet:
        """Like `Source.cases`; raises ServiceError, also while the cases are consumed."""
        asked = VectorQuery(model=model, prime=prime, count=count, seed=seed, kind=kind, shard=shard)
        query = asked.parameters(settings)
        made = count if shard is None else SetShard.parse(shard, count).count
        lines = self._lines("/v1/vectors", {**query, "format": "ndjson"})
        try:
            with self._failures():
                head = json.loads(next(lines, ""))
                group = head.pop("group")
                head |= group
        except BaseException:
            lines.close()
            raise
        return CaseSet(head, _Answered(self._cases(head, lines, made), lines))

    def _cases(self, head: dict[str, Any], lines: Iterator[str], asked: int) -> Generator[Case, None, None]:
        digest, count = hashlib.sha256(dump(head).encode() + b"\n"), 0
        with self._failures():
            for line in lines:
                entry = json.loads(line)
                if "end" in entry:
                    if entry != {"end": count, "digest": f"sha256:{digest.hexdigest()}"}:
                        raise ServiceError(f"{self.url}: the digest of the cases is wrong, so they were changed")
                    if count != asked:
                        raise ServiceError(f"{self.url}: the answer has {count} cases, and {asked} were asked for")
                    return
                if (
                    isinstance(entry, dict) and entry.pop("digits", None) is not None
                ):  # another way to write the same numbers, not digested
                    line = dump(entry)
                if count == asked:
                    raise ServiceError(f"{self.url}: the answer has more than the {asked} cases that were asked for")
                try:
                    case = parse_case(entry, f"case {count}")
                except ParameterError as error:  # no parameter of the request is wrong
                    raise ServiceError(f"{self.url}: {printable(str(error))}") from None
                yield case
                digest.update(line.encode() + b"\n")
                count += 1
        raise ServiceError(f"{self.url}: the answer ends after {count} cases and was cut short")

    def tables(self, core: str, prime: str | int, settings: Given, pairs: Pairs) -> GoldenTable:
        """Like `Source.tables`, in batches, so that neither side ever holds the whole table.

        Raises ServiceError, also while the products are consumed.
        """
        # If products overlap, the rows of a table of two products show both.
        size = 1 if registry.architecture(core).overlap else 2
        given = registry.architecture(core).model.given
        operands = (",".join(map(Multiplier.written, given(a, b))) for a, b in pairs)
        batches = self._batches(CycleQuery(core=core, prime=prime).parameters(settings), operands, size)
        with self._failures():
            first = next(batches)
            columns, first_cycle = [_column(entry) for entry in first["columns"]], first["first_cycle"]
            head = {name: value for name, value in first.items() if name not in _TABLE}
            return GoldenTable(head, columns, first_cycle, self._products(first, batches))

    def _batches(self, query: _Query, operands: Iterator[str], size: int) -> Iterator[dict[str, Any]]:
        """Tables of the products; the first two show the size of a table and the length of an interval.

        With `size` 1 the products are requested one by one.
        """
        alone = size == 1
        while asked := list(islice(operands, size)):
            table = self._get("/v1/cycles", {**query, "operands": asked})
            yield table
            cells = max(len(table["rows"]) * len(table["columns"]) // len(asked), 1)
            characters = max(map(len, asked)) + len("&operands=")
            size = 1 if alone else max(min(BATCH_CELLS // cells, BATCH_CHARACTERS // characters), 1)

    def _products(self, first: dict[str, Any], rest: Iterator[dict[str, Any]]) -> Iterator[TableProduct]:
        """The products of all batches, numbered as if they were one table."""
        number = 0
        with self._failures():
            starts, first_cycle = first["starts"], first["first_cycle"]
            length = len(first["rows"]) - (starts[-1] - first_cycle)
            interval = starts[-1] - first_cycle or length
            for table in chain([first], rest):
                for given, result, start in zip(table["operands"], table["results"], table["starts"], strict=True):
                    rows = table["rows"][start - first_cycle : start - first_cycle + length]
                    cells = [
                        [None if cell is None else int(cell, 16) for cell in column]
                        for column in zip(*rows, strict=True)
                    ]
                    a, b = (int(value, 16) for value in (*given, "0x0")[:2])
                    yield TableProduct(a, b, int(result, 16), first_cycle + number * interval, cells)
                    number += 1

    def trace(self, model: str, prime: str | int | None, settings: Given, a: int, b: int) -> GoldenTrace:
        """Like `Source.trace`; raises ServiceError."""
        first, *second = map(Multiplier.written, registry.model(model).given(a, b))
        query = TraceQuery(model=model, prime=prime, a=first, b=second[0] if second else None)
        document = self._get("/v1/traces", query.parameters(settings))
        with self._failures():
            steps = [(name, tuple(index), int(value, 16)) for name, index, value in document.pop("steps")]
            return GoldenTrace(document, steps, int(document["result"], 16))

    def _document(self, kind: type[_Document], path: str, query: _Query | None = None) -> _Document:
        with self._failures():
            return kind.model_validate(self._get(path, query))

    def _get(self, path: str, query: _Query | None = None) -> dict[str, Any]:
        with self._failures(), self._answer("GET", path, query) as answer:
            document = json.loads(self._whole(answer))
            if not isinstance(document, dict):
                raise ServiceError(f"{self.url}: the answer is no JSON object")
            return document

    def _lines(self, path: str, query: _Query) -> Generator[str, None, None]:
        """The lines of a response as they arrive."""
        with self._failures(), self._answer("GET", path, query) as answer:
            yield from self._split(answer)

    def _whole(self, answer: httpx.Response) -> bytes:
        """The complete body. Raises ServiceError if it is too long or takes too long."""
        body, begin = bytearray(), time.monotonic()
        for chunk in answer.iter_raw():
            body += chunk
            self._check_size(len(body), MAX_DOCUMENT, "a document", begin)
        return bytes(body)

    def _split(self, answer: httpx.Response) -> Iterator[str]:
        """The lines of a body as they arrive. Raises ServiceError if one is too long or takes too long."""
        line, begin = bytearray(), time.monotonic()
        for chunk in answer.iter_raw():
            *whole, rest = chunk.split(b"\n")
            for end in whole:
                yield (line + end).decode()
                line.clear()
            if whole or not line:
                begin = time.monotonic()
            line += rest
            self._check_size(len(line), MAX_LINE, "a line", begin)
        if line:
            yield line.decode()

    def _check_size(self, size: int, most: int, what: str, begin: float) -> None:
        """Raises ServiceError for something that is too long, or that began too long ago."""
        if size > most:
            raise ServiceError(f"{self.url}: the answer has {what} of more than {most} bytes, the limit")
        if time.monotonic() - begin > PATIENCES * self._patience:
            seconds = f"{PATIENCES * self._patience:g}"
            raise ServiceError(f"{self.url}: {what} of the answer did not end within {seconds} seconds")

    @contextmanager
    def _answer(
        self,
        method: str,
        path: str,
        query: _Query | None = None,
        document: Mapping[str, Any] | None = None,
        content: bytes | None = None,
    ) -> Iterator[httpx.Response]:
        """The response, whose body is still to be read; retries while the service is busy and time remains."""
        end = time.monotonic() + self._patience
        head = None if content is None else {"Content-Type": "application/octet-stream"}
        while True:
            with self._http.stream(method, path, params=query, json=document, content=content, headers=head) as answer:
                wait = _seconds_to_wait(answer)
                if wait is None or time.monotonic() + wait > end:
                    self._check(answer)
                    yield answer
                    return
            time.sleep(wait)

    def _check(self, answer: httpx.Response) -> None:
        """Raises ParameterError for a rejected parameter, and ServiceError for any other failure."""
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise ServiceError(f"{self.url}: the answer is compressed, which was not asked for")
        if answer.status_code in (httpx.codes.OK, httpx.codes.CREATED):
            return
        if answer.is_redirect:
            raise ServiceError(f"{self.url}: the service sends elsewhere, which is not followed")
        try:
            problem = Problem.model_validate_json(self._whole(answer))
        except ValueError:
            raise ServiceError(f"{self.url}: the service answered {answer.status_code}") from None
        if answer.status_code in (httpx.codes.NOT_FOUND, httpx.codes.UNPROCESSABLE_ENTITY) and problem.parameter:
            parameter, detail = printable(problem.parameter), printable(problem.detail)
            raise ParameterError(parameter, detail.removeprefix(f"{parameter}: "))
        raise ServiceError(f"{self.url}: {printable(problem.detail)}")

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Turns exceptions from HTTP, JSON and malformed documents into a ServiceError."""
        try:
            yield
        except httpx.TimeoutException:
            raise ServiceError(f"{self.url}: the service gave no answer in time") from None
        except httpx.RemoteProtocolError:
            raise ServiceError(f"{self.url}: the answer was cut short") from None
        except httpx.HTTPError as error:
            raise ServiceError(f"{self.url}: the connection failed: {error}") from None
        except json.JSONDecodeError:
            raise ServiceError(f"{self.url}: the answer is no JSON, or was cut short") from None
        except ParameterError as error:
            if not isinstance(error, DamagedFileError):
                raise
            raise ServiceError(f"{self.url}: {error.reason}") from None
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, StopIteration):
            raise ServiceError(f"{self.url}: the answer is not a document of limbtrace/1") from None


def _seconds_to_wait(answer: httpx.Response) -> int | None:
    """The message of a busy service, None for any other response."""
    given = answer.headers.get("Retry-After", "")
    busy = answer.status_code == httpx.codes.SERVICE_UNAVAILABLE and given.isdecimal() and len(given) < 6
    return max(int(given), 1) if busy else None


def _column(entry: dict[str, Any]) -> ColumnInfo:
    alone = () if entry["step"] is None else (entry["step"],)
    return ColumnInfo(entry["name"], entry["width"], entry["step"], entry["kind"], tuple(entry.get("parts", alone)))
