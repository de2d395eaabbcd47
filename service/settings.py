# SPDX-License-Identifier: Apache-2.0
"""Limits of the service, from the environment (LIMBTRACE_MAX_COUNT=1000, for example), and their checks."""

import os
from typing import Any, Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.primes import Modulus, find
from limbtrace.refmodels.registry import MODELS
from limbtrace.refmodels.settings import MAX_WIDTH
from limbtrace.vectors.catalogue.moduli import ModuliQuery, ModuliRequest
from limbtrace.vectors.cycles import CycleQuery
from limbtrace.vectors.digests import DigestQuery, DigestRequest
from limbtrace.vectors.fp2 import Fp2Query, Fp2Request
from limbtrace.vectors.grades.request import GradeQuery
from limbtrace.vectors.options import FilterQuery, ModelQuery
from limbtrace.vectors.request import CHAINED, MAX_COUNT, CoreRequest, Multiplier, VectorRequest, within
from limbtrace.vectors.sets import VectorQuery

_PREFIX = "LIMBTRACE_"


class LimitError(ParameterError):
    """A valid parameter that exceeds a limit of this service; `limit` is the setting."""

    def __init__(self, parameter: str, reason: str, limit: str) -> None:
        super().__init__(parameter, reason)
        self.limit = limit


def _default_database() -> str:
    """The XDG path of a state file; for a user without a home directory, a system-wide path."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):  # the rules say that such a one counts for nothing
        state = os.path.expanduser("~/.local/state")
    if not os.path.isabs(state):
        state = "/var/lib"
    return f"sqlite:///{state}/limbtrace/sets.sqlite3"


class ServiceSettings(BaseSettings):
    """Limits of one request, of concurrency, and of the store."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX)

    max_modulus_bits: int = Field(default=4096, ge=2, le=MAX_WIDTH, description="bits of a modulus")
    max_count: int = Field(default=1_000_000, ge=1, le=MAX_COUNT, description="cases of a vector set")
    max_trace_steps: int = Field(default=400_000, ge=1, description="steps of a trace")
    max_graded: int = Field(default=100_000, ge=1, description="cases that are graded")
    max_cycle_cells: int = Field(default=2_000_000, ge=1, description="cells of a cycle table")
    max_loop_steps: int = Field(
        default=50_000_000, ge=1, description="steps of all products of a printed form, which has no closed form"
    )
    max_squarings: int = Field(
        default=5_000_000, ge=1, description="squarings of all chains of a set, or of a chain to be verified"
    )
    max_body_bytes: int = Field(default=16 << 20, ge=1, description="bytes of a document to be verified")
    max_body_items: int = Field(default=1_000_000, ge=1, description="lists and objects of a document to be verified")
    max_body_depth: int = Field(default=32, ge=1, description="depth of the lists and objects of such a document")
    max_source_bytes: int = Field(
        default=1 << 18, ge=1, description="bytes of all sources of a core that is to be described"
    )
    max_draft_seconds: int = Field(default=20, ge=1, description="seconds of CPU time to describe a core")
    max_waves_seconds: int = Field(default=20, ge=1, description="seconds of CPU time to read a waveform")
    min_body_rate: int = Field(default=1000, ge=1, description="bytes a second at which a body has to come on average")
    workers: int = Field(
        default=0, ge=0, description="short and as many long requests computed at once; 0: as many as there are cores"
    )
    max_memory_bytes: int = Field(default=1 << 30, ge=1 << 20, description="bytes of memory of one computation")
    max_concurrent: int = Field(
        default=256, ge=1, description="short requests, waiting ones included; further ones get 503"
    )
    max_slow: int = Field(default=64, ge=1, description="long requests, also waiting ones; further ones get 503")
    max_connections: int = Field(default=1000, ge=1, description="connections; further ones are closed")
    max_header_seconds: float = Field(
        default=10, gt=0, description="seconds in which the head of a request has to come"
    )
    max_certificate_bytes: int = Field(default=1 << 20, ge=1, description="bytes of a certificate")
    max_stored_bytes: int = Field(
        default=1 << 30, ge=0, le=1 << 62, description="bytes of all certificates together; further ones get 507"
    )
    max_report_bytes: int = Field(default=1 << 20, ge=1, description="bytes of a report of a simulation")
    max_reports: int = Field(default=10_000, ge=1, description="reports that are stored; the oldest are forgotten")
    max_reports_bytes: int = Field(
        default=1 << 28, ge=0, le=1 << 62, description="bytes of all reports together; the oldest are forgotten"
    )
    max_sessions: int = Field(default=1000, ge=1, description="sessions at a time; further ones get 507")
    max_session_cases: int = Field(default=20_000, ge=1, description="cases of all sets of a session")
    max_session_seconds: float = Field(
        default=604_800, gt=0, description="seconds after its last results when a session is forgotten"
    )
    max_seconds: float = Field(default=600, gt=0, description="seconds that a request may take in total")
    max_stall_seconds: float = Field(
        default=30, gt=0, description="seconds for which a client may neither read the response nor send data"
    )
    max_sets: int = Field(default=100_000, ge=1, description="sets that are stored for /v1/sets")
    allowed_hosts: str = Field(
        default="", description="names of the service, separated by commas, besides localhost and its own; * for any"
    )
    max_age: int = Field(default=3600, ge=0, description="seconds for which a cache may keep a response")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="least level that is logged on standard error: debug, info, warning, error"
    )
    database: str = Field(default_factory=_default_database, description="SQLAlchemy URL of the database of sets")

    @property
    def turns(self) -> int:
        """Number of short requests that are computed at once, and of long ones."""
        return self.workers or os.cpu_count() or 1

    @classmethod
    def summary(cls) -> str:
        """One line per setting: variable, default, meaning."""
        return "\n".join(
            f"{f'{_PREFIX}{name}'.upper():<31} {field.get_default(call_default_factory=True):>9}  {field.description}"
            for name, field in cls.model_fields.items()
        )

    @classmethod
    def from_environment(cls, **given: Any) -> "ServiceSettings":
        """The settings, some of which may be given. Raises ParameterError, naming the wrong variable."""
        try:
            return cls(**given)
        except ValidationError as error:
            first = error.errors()[0]
            name = f"{_PREFIX}{first['loc'][0]}".upper()
            raise ParameterError(name, f"{str(first['input'])[:40]!r} does not do: {first['msg'].lower()}") from None

    def multiplier(self, query: ModelQuery) -> Multiplier:
        """The multiplier of a query. Raises ParameterError, LimitError."""
        if query.prime is not None:
            self.check_modulus_of(query.model, query.prime)
        return query.multiplier

    def filter(self, query: FilterQuery) -> FilterQuery:
        """The filter of a list, whose modulus is not too wide. Raises ParameterError, LimitError."""
        if query.prime is not None:
            self.check_modulus(query.prime, even=True)
        if query.bits is not None:
            self.check_bits(query.bits)
        return query

    def moduli(self, query: ModuliQuery) -> ModuliRequest:
        """The moduli that are asked for, which are not too wide. Raises ParameterError, LimitError."""
        self.check_bits(query.bits)
        return query.request

    def grade(self, query: GradeQuery) -> VectorRequest:
        """The set whose grade is asked for. Raises ParameterError, LimitError."""
        multiplier = self.multiplier(query)
        if query.count is not None:
            self.graded_cases(query.count)
        request = query.resolve(multiplier)
        self.graded_cases(request.count)
        self.check_set_work(request)
        return request

    def graded_cases(self, count: str | int | None) -> int:
        """How many cases are graded. Raises ParameterError, LimitError."""
        if count is None:
            return self.max_graded
        if (found := parse_integer(count, "count")) > self.max_graded:
            said = f"{shown(found)} is more than the {self.max_graded} cases that are graded here"
            raise LimitError("count", said, "max_graded")
        return within("count", found, 1, self.max_graded)

    def check_bits(self, bits: str | int) -> None:
        """Raises ParameterError("bits") if it is not an integer, and LimitError above this service's limit."""
        if parse_integer(bits, "bits") > self.max_modulus_bits:
            most = self.max_modulus_bits
            raise LimitError("bits", f"it is more than the limit of {most} bits here", "max_modulus_bits")

    def core(self, query: CycleQuery) -> CoreRequest:
        """The core of a query for that many products. Raises ParameterError, LimitError."""
        self.check_modulus(query.prime)
        core = query.core_request
        self.check_plan(core)
        self.check_plan(core, len(query.operands), "operands")
        if query.count is not None:
            self.check_plan(core, parse_integer(query.count, "count"), "count")
        return core

    def vectors(self, query: VectorQuery) -> VectorRequest:
        """The requested set. Raises ParameterError, LimitError."""
        multiplier = self.multiplier(query)
        if query.count is not None and query.shard is None:
            self.check_count(query.count)
        vectors = query.resolve(multiplier)
        self.check_count(vectors.count)  # that of kind exhaustive follows from the multiplier, that of a shard from n
        self.check_set_work(vectors)
        return vectors

    def digest(self, query: DigestQuery) -> DigestRequest:
        """The requested digest. Raises ParameterError, LimitError."""
        asked = query.resolve(self.multiplier(query))
        self.check_digest(asked)
        return asked

    def check_digest(self, asked: DigestRequest) -> None:
        """Raises LimitError for a digest above this service's limits."""
        if (count := asked.cases.count) > self.max_count:
            name = "count" if asked.range is None else "last"
            raise LimitError(name, f"these are {count} cases, and the limit here is {self.max_count}", "max_count")
        self.check_set_work(asked.cases)

    def fp2(self, query: Fp2Query) -> Fp2Request:
        """The requested cases. Raises ParameterError, LimitError."""
        multiplier = self.multiplier(query)
        if query.count is not None:
            self.check_count(query.count)
        if query.steps:
            self.check_trace(multiplier)
        asked = Fp2Request.asked(query, multiplier)
        self.check_fp2(asked)
        return asked

    def check_modulus(self, prime: str | int, even: bool = False) -> None:
        """Raises ParameterError("prime") for an invalid modulus, and LimitError for one above this service's limit.

        `even`: whether even moduli are taken.
        """
        self._check_width(find(prime, even))

    def check_modulus_of(self, model: str, prime: str | int) -> None:
        """Raises like `check_modulus`, for a model by its name; one that is not known takes odd moduli."""
        self.check_modulus(prime, model in MODELS and MODELS[model].even_moduli)

    def check_count(self, count: str | int) -> None:
        """Raises ParameterError("count") if it is not an integer, and LimitError above this service's limit."""
        number = parse_integer(count, "count")
        if number > self.max_count:
            raise LimitError("count", f"{shown(number)} is outside 1 to {self.max_count}, the limit here", "max_count")

    def check_set(self, vectors: VectorRequest) -> None:
        """Raises LimitError for a set above this service's limits."""
        self._check_width(vectors.multiplier.modulus)
        self.check_count(vectors.count)
        self.check_set_work(vectors)

    def check_fp2(self, cases: Fp2Request) -> None:
        """Raises LimitError for cases above this service's limits."""
        self._check_width(cases.multiplier.modulus)
        self.check_count(len(cases.pairs))
        self.check_work(cases.multiplier, 3 * len(cases.pairs))

    def check_multiplier(self, multiplier: Multiplier) -> None:
        """Raises LimitError for a modulus above this service's limit."""
        self._check_width(multiplier.modulus)

    def _check_width(self, modulus: Modulus) -> None:
        if modulus.bits > self.max_modulus_bits:
            raise LimitError(
                "prime",
                f"the modulus has {modulus.bits} bits and the limit here is {self.max_modulus_bits} bits",
                "max_modulus_bits",
            )

    def check_set_work(self, vectors: VectorRequest) -> None:
        """Raises LimitError like `check_work`, and for a chain whose results are needed as digits."""
        model, params, count = vectors.multiplier.model, vectors.multiplier.params, vectors.count
        self.check_work(vectors.multiplier, count)
        if vectors.kind == CHAINED and model.fed_back is not None:
            self._check_steps(count * model.work(params), "count", f"{count} products of kind {CHAINED}")

    def check_work(self, multiplier: Multiplier, count: int, parameter: str = "count") -> None:
        """Raises LimitError if that many products would take too long step by step, or chains at value level."""
        model, params = multiplier.model, multiplier.params
        if not params.closed:
            self._check_steps(count * model.work(params), parameter, f"{count} products in the {params.form} form")
        elif model.chain is not None and count * model.chain.length(params) > self.max_squarings:
            raise LimitError(
                parameter,
                f"{count} chains of {model.chain.length(params)} squarings are more squarings than "
                f"the limit of {self.max_squarings} here",
                "max_squarings",
            )

    def _check_steps(self, steps: int, parameter: str, what: str) -> None:
        if steps > self.max_loop_steps:
            raise LimitError(
                parameter,
                f"{what} take {shown(steps)} steps and the limit here is {self.max_loop_steps}",
                "max_loop_steps",
            )

    def check_trace(self, multiplier: Multiplier, step: Any = None) -> None:
        """Raises LimitError if the trace of a product, or of a chain or its link `step`, would take too long."""
        model, params = multiplier.model, multiplier.params
        if model.chain is not None:
            links = model.chain.length(params) + 1 if step is None else parse_integer(step, "step")
            name = "t" if step is None else "step"
            self._check_steps(links * model.chain.link_work(params), name, f"{shown(links)} squarings, digit by digit,")
            self.check_work(multiplier, 1, "t")
        steps = model.step_count(params)
        if steps > self.max_trace_steps:
            raise LimitError(
                "t" if model.chain else "radix" if multiplier.radix else "prime",
                f"the trace would have {shown(steps)} steps and the limit here is {self.max_trace_steps}",
                "max_trace_steps",
            )

    def check_plan(self, core: CoreRequest, products: int = 1, parameter: str = "radix") -> None:
        """Raises LimitError if the table of that many products would be too large."""
        cells = core.architecture.least_cells(core.shape, products)
        if cells > self.max_cycle_cells:
            table = "one product" if products == 1 else f"{shown(products)} products"
            raise LimitError(
                parameter,
                f"the table of {table} has {shown(cells)} cells and the limit here is {self.max_cycle_cells}",
                "max_cycle_cells",
            )
