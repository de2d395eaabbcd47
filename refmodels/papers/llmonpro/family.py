# SPDX-License-Identifier: Apache-2.0
"""Common parts of the algorithms of the LLMonPro paper: the source, the radix and digit counts."""

from limbtrace.refmodels.model import Source
from limbtrace.refmodels.settings import Parameter, Settings

MAX_RADIX_BITS = 4096

RADIX = Parameter("radix", "weight beta = 2^d of a digit; d is its logarithm", "2^16", "2^2 to 2^4096", ("d", "w"))


def paper(where: str) -> Source:
    """A place in the paper."""
    return Source(
        "I. San",
        "LLMONPRO: Low-latency Montgomery modular multiplication suitable for verifiable delay functions",
        where,
    )


def radix_bits(settings: Settings) -> int:
    """d, the bits of a digit, 2 to 4096. Raises ParameterError."""
    return settings.radix_bits(16, 2, MAX_RADIX_BITS)


def digits(bits: int, d: int) -> int:
    """Number of d-bit digits that hold that many bits."""
    return -(-bits // d)


def widest_k(d: int) -> int:
    """Largest number of digits for which every column sum of a polynomial product fits 2d bits."""
    return (1 << (d - 1)) - 1
