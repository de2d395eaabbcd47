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

    max_modulus_bits: int = Field(default=4096, ge=2, le=MAX_WIDTH)
    max_count: int = Field(default=1_000_000, ge=1, le=MAX_COUNT)
    max_trace_steps: int = Field(default=400_000, ge=1)
    max_cycle_cells: int = Field(default=2_000_000, ge=1)
    max_loop_steps: int = Field(default=50_000_000, ge=1)
    """Steps of all products together where there is no closed form, which is so for printed forms."""
    max_body_bytes: int = Field(default=16 << 20, ge=1)
    max_concurrent: int = Field(default=32, ge=1)
    max_sets: int = Field(default=1024, ge=1)
    """Sets that /v1/sets remembers."""
    max_age: int = Field(default=3600, ge=0)
    """Seconds for which a cache may keep an answer."""

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
