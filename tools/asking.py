# SPDX-License-Identifier: Apache-2.0
"""Send a request to the product, and keep its complete answer.

Only what users reach is asked: the console script by its entry point, and HTTP. A request is one line of steps with
` ; ` between them, in words as a shell has them:

    limbtrace ARGUMENTS                       the command line, in an empty folder of its own
    GET PATH ['Header: value']...             HTTP; any method, and --body TEXT or --body @FILE
    write FILE TEXT [COUNT]                   a file with the text, so many times; \\n and \\xff are escapes
    edit FILE OLD NEW                         the first OLD in the file becomes NEW, which must be there
    cut FILE BYTES                            only so many bytes of the file are left
    copy FOLDER                               a folder of CORES into this one
    save FILE                                 the body of the last answer over HTTP

NAME=VALUE words in front of a step are the environment of a command, or of a service of its own. In a step over HTTP
{set} and {etag} stand for those headers of the last answer that had them.
"""

import asyncio
import contextlib
import hashlib
import importlib
import io
import os
import re
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
CORES = (ROOT / "tests/rtl_bridge/toys", ROOT / "rtl_bridge/rtl")
"""Folders whose subfolders can be copied."""

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

NORMALISED: tuple[tuple[str, str, str], ...] = (
    (r'"products_per_second":[0-9.]+', '"products_per_second":0', "a speed"),
    (r"[0-9]+ products/s", "0 products/s", "a speed"),
    (r'(<testcase [^>]*time=")[0-9.]+', r"\g<1>0", "a time"),
    (r"(?m)^[a-z ]+: [0-9]+ of [0-9]+ \([0-9]+ %, [0-9]+/s\)\n", "", "progress, which depends on the speed"),
    (r"(?m)^limbtrace: building the model for .*\n", "", "a build is kept for the next run"),
    (r"ROOT/[\w./-]*/", "ROOT/", "where the product lies"),
    (r"limbtrace, version \S+", "limbtrace, version 0", "the version of a release"),
    (r'"version":"[0-9][^"]*"', '"version":"0"', "the version of a release"),
    (r"sqlite:////\S+/limbtrace/sets\.sqlite3", "sqlite:////state/limbtrace/sets.sqlite3", "the user's home"),
    (r'"(sage|package|pari)":"[^"]*"', r'"\1":"0"', "versions of the referee"),
    (r"SageMath [0-9][0-9.]*", "SageMath 0", "the version of the referee"),
)
"""(pattern, replacement, reason why it differs between runs)"""

DROPPED_HEADERS = {
    "x-request-id": "random",
}
"""Headers of answers that are not compared, and why."""


@dataclass(frozen=True)
class Answer:
    """Everything that came back: the last status, and the parts by name in the order in which they came."""

    status: str
    parts: Sequence[tuple[str, bytes]]

    @property
    def digest(self) -> str:
        """SHA-256 over the parts with their names and lengths."""
        sums = hashlib.sha256()
        for name, content in self.parts:
            sums.update(f"{name}\0{len(content)}\0".encode() + content)
        return sums.hexdigest()

    @property
    def text(self) -> str:
        """The parts, readable."""
        return "".join(
            f"== {name}\n{content.decode(errors='backslashreplace')}" + ("" if content.endswith(b"\n") else "\n")
            for name, content in self.parts
        )


class BrokenRequestError(Exception):
    """An invalid request: an unknown step, or a text that is not in the file."""


def service_app() -> Any:
    """The app that `limbtrace serve` serves; the only module of the product that is named here."""
    return importlib.import_module("limbtrace.service.app").create_app()


@dataclass
class _Exchange:
    """The state of a request between its steps."""

    folder: Path
    own: dict[str, bytes] = field(default_factory=dict)
    """Files created by steps other than commands, which are not part of the answer."""
    held: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    status: str = ""
    parts: list[tuple[str, bytes]] = field(default_factory=list)


class Asker:
    """Sends requests in this process. A context manager, which removes services and folders at its end."""

    def __init__(self) -> None:
        self._work = Path(tempfile.mkdtemp(prefix="limbtrace-answers-")).resolve()
        self._apps: dict[tuple[tuple[str, str], ...], Any] = {}
        (self._main,) = entry_points(group="console_scripts", name="limbtrace")

    def __enter__(self) -> "Asker":
        return self

    def __exit__(self, *_: object) -> None:
        for app in self._apps.values():
            app.state.store.close()
        shutil.rmtree(self._work, ignore_errors=True)

    def ask(self, request: str, outline: bool = False) -> Answer:
        """The answer; for an `outline` only statuses, header names, and which parts are not empty.

        Raises BrokenRequestError.
        """
        folder = Path(tempfile.mkdtemp(prefix="ask-", dir=self._work))
        exchange = _Exchange(folder)
        with _workplace(folder):
            for words in _steps(request):
                self._step(exchange, words)
            self._collect_files(exchange)
        shutil.rmtree(folder)
        parts = [(name, self._normal(content, folder)) for name, content in exchange.parts]
        if outline:
            parts = [(name, content if name.endswith("status") else _outline(content)) for name, content in parts]
        return Answer(exchange.status, parts)

    def _step(self, exchange: _Exchange, words: list[str]) -> None:
        environment = {}
        while words and (match := re.fullmatch(r"([A-Z][A-Z_]*)=(.*)", words[0], re.DOTALL)):
            environment[match[1]] = match[2]
            words = words[1:]
        known: dict[str, Callable[..., None]] = {
            "write": _write, "edit": _edit, "cut": _cut, "copy": _copy, "save": _save,
        }  # fmt: skip
        name, *arguments = words or [""]
        if name == "limbtrace":
            self._command(exchange, arguments, environment)
        elif name in METHODS:
            self._http(exchange, name, arguments, environment)
        elif name in known:
            known[name](exchange, *arguments)
        else:
            raise BrokenRequestError(f"there is no step {name!r}")

    def _command(self, exchange: _Exchange, arguments: list[str], environment: Mapping[str, str]) -> None:
        """Run the entry point with its streams in files, which have descriptors as real ones do."""
        streams = [exchange.folder.with_suffix(suffix) for suffix in (".out", ".err")]
        saved = sys.argv, sys.stdin
        handlers = {number: signal.getsignal(number) for number in SIGNALS}
        code: Any = 0
        with (
            streams[0].open("w", encoding="utf-8") as out,
            streams[1].open("w", encoding="utf-8") as err,
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _environment(environment),
        ):
            sys.argv, sys.stdin = ["limbtrace", *arguments], io.StringIO()
            try:
                self._main.load()()
            except SystemExit as stop:
                code = stop.code
            except Exception as error:  # a fault of the product, which is an answer as well
                code = type(error).__name__
                print(f"raised {code}: {error}", file=err)
            finally:
                sys.argv, sys.stdin = saved
                for number, handler in handlers.items():
                    signal.signal(number, handler)
        exchange.status = str(code or 0)
        exchange.parts.append(("status", exchange.status.encode()))
        for name, path in zip(("stdout", "stderr"), streams, strict=True):
            exchange.parts.append((name, path.read_bytes()))
            path.unlink()

    def _http(self, exchange: _Exchange, method: str, words: list[str], environment: Mapping[str, str]) -> None:
        """Ask the app without a socket."""
        path, *rest = (word.format(**exchange.held) if re.search(r"\{(set|etag)\}", word) else word for word in words)
        headers, content = [("accept-encoding", "identity"), ("user-agent", "answers")], None
        while rest:
            word = rest.pop(0)
            if word == "--body":
                text = rest.pop(0)
                content = (exchange.folder / text[1:]).read_bytes() if text.startswith("@") else _bytes(text)
            else:
                name, _, value = word.partition(": ")
                headers = [(key, old) for key, old in headers if key != name.lower()] + [(name.lower(), value)]
        if content is not None and "content-type" not in dict(headers):
            headers.append(("content-type", "application/json"))
        headers = [(key, value) for key, value in headers if value]
        answer = asyncio.run(_send(self._app(environment), method, path, headers, content))
        if method == "HEAD":
            exchange.body = b""  # a server keeps it to itself
        else:
            exchange.body = answer.content
        for key, name in (("limbtrace-set", "set"), ("etag", "etag")):
            if key in answer.headers:
                exchange.held[name] = answer.headers[key]
        # The length of compressed data depends on zlib, so only the content is compared.
        packed = "content-encoding" in answer.headers
        kept = sorted(
            f"{name}: {value}\n"
            for name, value in answer.headers.multi_items()
            if (name not in DROPPED_HEADERS or (name, value) in headers) and not (packed and name == "content-length")
        )
        exchange.status = str(answer.status_code)
        exchange.parts += [
            ("status", exchange.status.encode()), ("headers", "".join(kept).encode()), ("body", exchange.body),
        ]  # fmt: skip

    def _app(self, environment: Mapping[str, str]) -> Any:
        key = tuple(sorted(environment.items()))
        if key not in self._apps:
            database = f"sqlite:///{self._work}/{len(self._apps)}.sqlite3"
            with _environment({"LIMBTRACE_DATABASE": database, **environment}):
                app = service_app()
            app.version = "0"  # it is part of every ETag
            app.state.store.open()
            self._apps[key] = app
        return self._apps[key]

    def _collect_files(self, exchange: _Exchange) -> None:
        """Files that commands left in the folder."""
        for path in sorted(exchange.folder.rglob("*")):
            name = path.relative_to(exchange.folder).as_posix()
            if path.is_file() and exchange.own.get(name) != (content := path.read_bytes()):
                exchange.parts.append((f"file {name}", content))

    def _normal(self, content: bytes, folder: Path) -> bytes:
        """The content without parts that differ between runs or machines."""
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return content
        text = text.replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT")
        for pattern, stand_in, _ in NORMALISED:
            text = re.sub(pattern, stand_in, text)
        return text.encode()


def _outline(content: bytes) -> bytes:
    return b"something" if content else b""


def _steps(request: str) -> Iterator[list[str]]:
    step: list[str] = []
    for word in [*shlex.split(request), ";"]:
        if word == ";":
            yield step
            step = []
        else:
            step.append(word)


def _bytes(text: str) -> bytes:
    return text.encode("latin-1").decode("unicode_escape").encode("latin-1")


def _write(exchange: _Exchange, name: str, text: str, count: str = "1") -> None:
    path = exchange.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_bytes(text) * int(count))
    exchange.own[name] = path.read_bytes()


def _edit(exchange: _Exchange, name: str, old: str, new: str) -> None:
    path = exchange.folder / name
    content = path.read_bytes()
    if _bytes(old) not in content:
        raise BrokenRequestError(f"{old!r} is not in {name}")
    path.write_bytes(content.replace(_bytes(old), _bytes(new), 1))
    exchange.own[name] = path.read_bytes()


def _cut(exchange: _Exchange, name: str, size: str) -> None:
    path = exchange.folder / name
    path.write_bytes(path.read_bytes()[: int(size)])
    exchange.own[name] = path.read_bytes()


def _copy(exchange: _Exchange, name: str) -> None:
    found = [place / name for place in CORES if (place / name).is_dir()]
    if not found:
        raise BrokenRequestError(f"there is no folder {name!r} to copy")
    shutil.copytree(found[0], exchange.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (exchange.folder / name).rglob("*"):
        if path.is_file():
            exchange.own[path.relative_to(exchange.folder).as_posix()] = path.read_bytes()


def _save(exchange: _Exchange, name: str) -> None:
    (exchange.folder / name).write_bytes(exchange.body)
    exchange.own[name] = exchange.body


async def _send(app: Any, method: str, path: str, headers: Any, content: bytes | None) -> httpx.Response:
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://answers") as client:
        client.headers.clear()
        return await client.request(method, path, headers=headers, content=content)


@contextmanager
def _environment(changed: Mapping[str, str]) -> Iterator[None]:
    saved = dict(os.environ)
    os.environ.update(changed)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)


@contextmanager
def _workplace(folder: Path) -> Iterator[None]:
    """A clean environment that keeps only the user's paths of tools and builds."""
    before = Path.cwd()
    saved = dict(os.environ)
    for name in saved:
        if (name.startswith("LIMBTRACE_") and name != "LIMBTRACE_BUILD") or name in ("LINES", "NO_COLOR"):
            del os.environ[name]
    os.environ["COLUMNS"] = "80"
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(saved)
