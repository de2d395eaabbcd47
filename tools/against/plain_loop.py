# SPDX-License-Identifier: Apache-2.0
"""The plain Python loop of CIOS without final subtraction: integers, no intermediates kept; prints the seconds.

usage: plain_loop.py W COUNT MODULUS
"""

import random
import sys
import time


def cios(a: list[int], b: list[int], p: list[int], inverse: int, w: int) -> list[int]:
    """Words, least significant first; `inverse` is -p^-1 modulo 2^w."""
    s, low = len(p), (1 << w) - 1
    t = [0] * s
    for x in a:
        carry = 0
        for j in range(s):
            value = t[j] + x * b[j] + carry
            t[j], carry = value & low, value >> w
        top = carry
        q = t[0] * inverse & low
        carry = (t[0] + q * p[0]) >> w
        for j in range(1, s):
            value = t[j] + q * p[j] + carry
            t[j - 1], carry = value & low, value >> w
        t[s - 1] = top + carry
    return t


def split(value: int, w: int, s: int) -> list[int]:
    return [value >> (w * j) & ((1 << w) - 1) for j in range(s)]


if __name__ == "__main__":
    w, count, modulus = map(int, sys.argv[1:])
    s = -(-(modulus.bit_length() + 2) // w)
    p = split(modulus, w, s)
    inverse = -pow(modulus, -1, 1 << w) % (1 << w)
    operands = [(random.randrange(modulus), random.randrange(modulus)) for _ in range(count)]
    begin = time.perf_counter()
    for a, b in operands:
        t = cios(split(a, w, s), split(b, w, s), p, inverse, w)
        result = sum(word << (w * j) for j, word in enumerate(t))
    seconds = time.perf_counter() - begin
    assert (result << (w * s)) % modulus == a * b % modulus
    print(seconds)
