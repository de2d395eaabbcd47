# SPDX-License-Identifier: Apache-2.0
"""Divisors of composite moduli, as far as little work finds them: the same ones on every machine.

Events such as `t=p` need operands whose product is a multiple of the modulus. They exist for composite moduli alone,
and if no factor is small, drawn operands never are such a pair. Trial division, the p - 1 method and Pollard's rho
method have a fixed amount of work, which shrinks with the size of the modulus; moduli without factors within reach,
such as those of RSA, have no divisors here.
"""

from collections.abc import Iterator
from functools import lru_cache

import gmpy2

TRIAL = 1 << 10
"""Limit of trial division."""
SMOOTH = 1 << 11
"""Limit of the prime factors of p - 1, for factors p that the p - 1 method finds."""
RHO_WORK = 1 << 31
"""Steps of the rho method, times the square of the bits of the modulus."""
RHO_STEPS = 1 << 17
"""Most steps of the rho method: a factor of 32 bits takes about half of them."""
SMOOTH_BITS = 1024
"""Moduli up to which the p - 1 method takes a few milliseconds."""
_BATCH = 128
"""Steps of the rho method whose differences are multiplied before a gcd is taken."""


@lru_cache(maxsize=256)
def factors(modulus: int) -> tuple[int, ...]:
    """Factors of a modulus above 1, ascending, whose product is the modulus: primes, or composite ones out of reach."""
    found: list[int] = []
    rest = gmpy2.mpz(modulus)
    for prime in _primes(TRIAL):
        while rest % prime == 0:
            found.append(prime)
            rest //= prime
    open_ = [rest] if rest > 1 else []
    while open_:
        part = open_.pop()
        divisor = None if gmpy2.is_prime(part) else _divisor(part)
        if divisor is None:
            found.append(int(part))
        else:
            open_ += [divisor, part // divisor]
    return tuple(sorted(found))


def splits(modulus: int) -> Iterator[tuple[int, int]]:
    """(divisor, the modulus divided by it), none of them 1: each factor that is known, and both halves of them all."""
    known = factors(modulus)
    if len(known) < 2:
        return
    half = 1
    for factor in known[::2]:
        half *= factor
    for divisor in dict.fromkeys((*reversed(known), half)):
        yield divisor, modulus // divisor


def radical(modulus: int) -> int:
    """The product of the different factors: its square is a multiple of the modulus if no cube divides that."""
    product = 1
    for factor in dict.fromkeys(factors(modulus)):
        product *= factor
    return product


def _primes(limit: int) -> Iterator[int]:
    prime = 2
    while prime < limit:
        yield prime
        prime = int(gmpy2.next_prime(prime))


def _divisor(number: gmpy2.mpz) -> gmpy2.mpz | None:
    """A divisor of a composite number without small factors, other than 1 and the number."""
    if gmpy2.is_square(number):
        return gmpy2.isqrt(number)
    return _smooth_divisor(number) or _rho_divisor(number)


def _smooth_divisor(number: gmpy2.mpz) -> gmpy2.mpz | None:
    """A factor p for which p - 1 has small prime factors alone, by the p - 1 method."""
    if number.bit_length() > SMOOTH_BITS:
        return None
    power = gmpy2.mpz(2)
    for prime in _primes(SMOOTH):
        exponent = prime
        while exponent < SMOOTH:
            power = gmpy2.powmod(power, prime, number)
            divisor = gmpy2.gcd(power - 1, number)
            if 1 < divisor < number:
                return divisor
            exponent *= prime
    return None


def _rho_divisor(number: gmpy2.mpz) -> gmpy2.mpz | None:
    """A factor by Pollard's rho method with Brent's cycles."""
    steps = min(RHO_STEPS, RHO_WORK // number.bit_length() ** 2)
    y, product, length, done = gmpy2.mpz(2), gmpy2.mpz(1), 1, 0
    while done < steps:
        x = y
        for begin in range(0, length, _BATCH):
            start = y
            size = min(_BATCH, length - begin)
            for _ in range(size):
                y = (y * y + 1) % number
                product = product * (x - y) % number
            divisor = gmpy2.gcd(product, number)
            if divisor == number:
                return _rho_alone(number, x, start, size)
            if divisor > 1:
                return divisor
            done += size
            if done >= steps:
                return None
        length *= 2
    return None


def _rho_alone(number: gmpy2.mpz, x: gmpy2.mpz, y: gmpy2.mpz, size: int) -> gmpy2.mpz | None:
    """A factor by the same steps one by one, since all factors were found in one batch of them."""
    for _ in range(size):
        y = (y * y + 1) % number
        divisor = gmpy2.gcd(x - y, number)
        if divisor > 1:
            return divisor if divisor < number else None
    return None
