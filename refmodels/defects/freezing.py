# SPDX-License-Identifier: Apache-2.0
"""Last steps that make an element of a special field canonical, each with the mistake of one library.

Functions of (t, p) reduce a value t and return what the code leaves.
"""

from limbtrace.refmodels.defects.limbs import from_limbs, to_limbs


def below_power(t: int, p: int, *, bits: int) -> int:
    """Folds of 2^bits until the value has that many bits, without a comparison with p."""
    while t >> bits:
        t = t % (1 << bits) + (t >> bits) * ((1 << bits) - p)
    return t


def wrong_mask(t: int, p: int) -> int:
    """Two subtractions of 2^255 - 19 from 16 limbs of 16 bits, t < 2^256.

    The difference of limb 14 keeps its bits above 16, and that of limb 15 loses them.
    """
    limbs, modulus = to_limbs(t, 16, 16), to_limbs(p, 16, 16)
    for _ in range(2):
        difference, borrow = [], 0
        for k in range(16):
            value = limbs[k] - modulus[k] - borrow
            borrow = value >> 16 & 1
            difference.append(value if k == 14 else value & 0xFFFF)
        limbs = limbs if borrow else difference
    return from_limbs([limb & 0xFFFF for limb in limbs], 16)


def p224_equal_limb(t: int, p: int) -> int:
    """Eight limbs of 28 bits: with the limb at bit 84 equal to that of p, and ones above, t counts as p or more."""
    top = t >> 96 == p >> 96
    return (t - p) % (1 << 224) if top else t


def p224_lost_borrow(t: int, p: int) -> int:
    """p is subtracted from t >= p, and a lowest limb of 28 bits that becomes negative wraps around."""
    if t < p:
        return t
    low = t % (1 << 28)
    return (t - low - (p - 1)) + (low - 1) % (1 << 28)


def zero_is_modulus(t: int, p: int) -> int:
    """The residue in [1, p]."""
    return t % p or p


def k256_two_words(t: int, p: int) -> int:
    """t < 2^256 in words of 26 bits: p is subtracted unless the low two words are both at least those of p."""
    words, modulus = to_limbs(t, 26, 2), to_limbs(p, 26, 2)
    both = words[0] >= modulus[0] and words[1] >= modulus[1]
    return t - p if t >= p and not both else t


def other_witness(t: int, p: int, *, bits: int) -> int:
    """The larger one of the remainders below 2^bits that the relation t = q*p + r leaves."""
    remainder = t % p
    return remainder + p if t >= p and remainder + p < 1 << bits else remainder
