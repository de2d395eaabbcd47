# SPDX-License-Identifier: Apache-2.0
"""Last subtractions of the modulus that are missing, or that a wrong comparison decides.

Functions of (a, b, p) take two operands and the modulus, those of (t, p) a value that is reduced.
"""


def montgomery_sum(a: int, b: int, p: int, r: int) -> int:
    """(a*b + m*p) / 2^r, before any subtraction."""
    t = a * b
    return (t + t * -pow(p, -1, 1 << r) % (1 << r) * p) >> r


def montgomery_unreduced(a: int, b: int, p: int, *, r: int) -> int:
    """Montgomery's product without a last subtraction."""
    return montgomery_sum(a, b, p, r)


def montgomery_reduced_by_carry(a: int, b: int, p: int, *, r: int) -> int:
    """p is subtracted only if the sum does not fit into r bits."""
    t = montgomery_sum(a, b, p, r)
    return t - p if t >> r else t


def montgomery_reduced_by_top(a: int, b: int, p: int, *, r: int, width: int) -> int:
    """p is subtracted if the top limb of the sum, of `width` bits, is larger than that of p; r is all of its bits."""
    t = montgomery_sum(a, b, p, r)
    return t - p if t >> (r - width) > p >> (r - width) else t


def montgomery_reduced_once(a: int, b: int, p: int, *, r: int) -> int:
    """p is subtracted once at most, also for operands that are not below p."""
    t = montgomery_sum(a, b, p, r)
    return t - p if t >= p else t


def montgomery_cut(a: int, b: int, p: int, *, r: int, bits: int) -> int:
    """The sum is kept in `bits` bits before p is subtracted."""
    t = montgomery_sum(a, b, p, r) % (1 << bits)
    return t - p if t >= p else t


def montgomery_with_lost_borrow(a: int, b: int, p: int, *, r: int, limb: int, width: int) -> int:
    """In the last subtraction a borrow out of the low `limb` limbs, of `width` bits, is lost if the next limb is 0."""
    t = montgomery_sum(a, b, p, r)
    if t < p:
        return t
    split = limb * width
    borrow = t % (1 << split) < p % (1 << split)
    zero = (t >> split) % (1 << width) == (p >> split) % (1 << width)
    return (t - p + ((borrow and zero) << (split + width))) % p


def redc_by_carry(t: int, p: int, *, r: int) -> int:
    """Montgomery's reduction of t, where p is subtracted only if the sum does not fit into r bits."""
    return montgomery_reduced_by_carry(t, 1, p, r=r)


def unreduced(t: int, p: int) -> int:
    """t as it is."""
    return t


def reduced_once(t: int, p: int) -> int:
    """p is subtracted once at most."""
    return t - p if t >= p else t


def reduced_by_carry(t: int, p: int, *, bits: int) -> int:
    """p is subtracted only if t does not fit into `bits` bits."""
    return t - p if t >> bits else t


def reduced_below_power(t: int, p: int, *, bits: int) -> int:
    """p is subtracted only if t is not below it and fits into `bits` bits."""
    return t - p if p <= t < 1 << bits else t


def multiple_as_modulus(t: int, p: int) -> int:
    """The remainder of a division that stops at p: a multiple of p other than 0 leaves p."""
    return t % p or min(t, p)


def cut_and_reduced_once(t: int, p: int, *, bits: int) -> int:
    """t is kept in `bits` bits before it is compared with p and p is subtracted once."""
    t %= 1 << bits
    return t - p if t >= p else t


def cut(t: int, p: int, *, bits: int) -> int:
    """t is kept in `bits` bits before it is divided."""
    return t % (1 << bits) % p
