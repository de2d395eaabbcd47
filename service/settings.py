# SPDX-License-Identifier: Apache-2.0
"""Limits of the service, from the environment (LIMBTRACE_MAX_COUNT=1000, for example), and the checks of them."""

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from refmodels.architecture import Architecture
from refmodels.errors import ParameterError
from refmodels.model import CORRECTED
from refmodels.primes import find
from refmodels.settings import MAX_WIDTH
from vectors.request import MAX_COUNT, Multiplier

_PREFIX = "LIMBTRACE_"


class ServiceSettings(BaseSettings):
    """What one request may ask for, and how many are served at a time."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX)

    max_modulus_bits: int = Field(default=4096, ge=2, le=MAX_WIDTH, description="bits of a modulus")
    max_count: int = Field(default=1_000_000, ge=1, le=MAX_COUNT, description="cases of a vector set")
    max_trace_steps: int = Field(default=400_000, ge=1, description="steps of a trace")
    max_cycle_cells: int = Field(default=2_000_000, ge=1, description="cells of a cycle table")
    max_loop_steps: int = Field(
        default=50_000_000, ge=1, description="steps of all products of a printed form, which has no closed form"
    )
    max_body_bytes: int = Field(default=16 << 20, ge=1, description="bytes of a document to be verified")
    max_concurrent: int = Field(default=32, ge=1, description="requests at a time; the next ones get 503")
    max_sets: int = Field(default=1024, ge=1, description="sets that /v1/sets remembers")
    max_age: int = Field(default=3600, ge=0, description="seconds for which a cache may keep an answer")

    @classmethod
    def summary(cls) -> str:
        """One line per setting: variable, default, meaning."""
        return "\n".join(
            f"{f'{_PREFIX}{name}'.upper():<28} {field.default:>9}  {field.description}"
            for name, field in cls.model_fields.items()
        )

    @classmethod
    def from_environment(cls) -> "ServiceSettings":
        """Raises ParameterError, naming the variable that is wrong."""
        try:
            return cls()
        except ValidationError as error:
            first = error.errors()[0]
            name = f"{_PREFIX}{first['loc'][0]}".upper()
            raise ParameterError(name, f"{str(first['input'])[:40]!r} does not do: {first['msg'].lower()}") from None

    def check_modulus(self, prime: str) -> None:
        """Raises ParameterError("prime") for no modulus, and for one that is too wide here."""
        modulus = find(prime)
        if modulus.bits > self.max_modulus_bits:
            raise ParameterError(
                "prime", f"the modulus has {modulus.bits} bits and the limit here is {self.max_modulus_bits} bits"
            )

    def check_work(self, multiplier: Multiplier, count: int, parameter: str = "count") -> None:
        """Raises ParameterError when so many products would take too long step by step."""
        if multiplier.params.form == CORRECTED:
            return
        steps = count * multiplier.model.step_count(multiplier.params)
        if steps > self.max_loop_steps:
            raise ParameterError(
                parameter,
                f"{count} products in the {multiplier.params.form} form take {steps} steps "
                f"and the limit here is {self.max_loop_steps}",
            )

    def check_plan(self, architecture: Architecture, multiplier: Multiplier) -> None:
        """Raises ParameterError when the table of a single product would be too large."""
        params = multiplier.params
        cells = architecture.cycles(params) * len(architecture.columns(params))
        if cells > self.max_cycle_cells:
            raise ParameterError(
                "radix", f"the table of one product has {cells} cells and the limit here is {self.max_cycle_cells}"
            )
