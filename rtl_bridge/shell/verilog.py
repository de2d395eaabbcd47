# SPDX-License-Identifier: Apache-2.0
"""Pieces of SystemVerilog that several parts of the shell are made of."""

from collections.abc import Mapping

NOISE_BITS = 16
"""Bits of `noise` and of `random`."""


def instance(module: str, name: str, parameters: Mapping[str, object], ports: Mapping[str, str]) -> list[str]:
    """Lines of an instance, one for each parameter and each port."""
    return [f"  {module} #(", *_associations(parameters), f"  ) {name} (", *_associations(ports), "  );"]


def _associations(values: Mapping[str, object]) -> list[str]:
    lines = [f"    .{name}({value})," for name, value in values.items()]
    return [*lines[:-1], lines[-1].removesuffix(",")]


def repeated(source: str, width: int) -> str:
    """A net of NOISE_BITS bits as often as that many bits need."""
    return f"{width}'({{{-(-width // NOISE_BITS)}{{{source}}}}})"


def or_noise(group: str, value: str, width: int) -> str:
    """The expression for an input of the core: `value`, or noise or its inverse where `noisy_GROUP` is high."""
    return f"noisy_{group} ? (inverted ? ~({value}) : {repeated('noise', width)}) : {value}"
