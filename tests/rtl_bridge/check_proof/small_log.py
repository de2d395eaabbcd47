# SPDX-License-Identifier: Apache-2.0
"""A multiplier modulo 16 and a certificate of it, small enough to be written by hand.

The product is offered in cycle 0 by `valid_i`; its eight bits are shown in cycle 2, and the low four, with done, in
cycle 3.
"""

from limbtrace.rtl_bridge.check_proof.files import Certificate

DESIGN = """
1 sort bitvec 1
2 sort bitvec 4
3 sort bitvec 8
4 input 1 valid_i
5 input 2 a_i
6 input 2 b_i
7 input 2 ; unknown
10 state 2 x
11 state 2 y
12 state 3 t
13 state 2 u
14 state 1 s1
15 state 1 s2
16 state 1 s3
17 state 2 noise
20 ite 2 4 5 10
21 ite 2 4 6 11
22 uext 3 10 4
23 uext 3 11 4
24 mul 3 22 23
25 slice 2 12 3 0
26 zero 3
30 next 2 10 20
31 next 2 11 21
32 next 3 12 24
33 next 2 13 25
34 next 1 14 4
35 next 1 15 14
36 next 1 16 15
37 next 2 17 7
40 output 12 row_o
41 output 13 result_o
42 output 16 done_o
43 output 26 rule_o
"""
_ANY = {10: ("x", 4), 11: ("y", 4), 12: ("t", 8), 13: ("u", 4), 14: ("s1", 1), 15: ("s2", 1), 16: ("s3", 1),
        17: ("noise", 4)}  # fmt: skip
_TERMS = [f"T {n} var {width} {(1 << width) - 1:x} any_{name}" for n, (name, width) in _ANY.items()]
_FORGET = [*(f"S {n} {n}" for n in _ANY), "F"]
_IDLE = ["I 4 30", "C", *_FORGET, "U 0"]
LOG = [
    "G 0 0 15 field a0 0 4",
    "G 1 0 15 field b0 0 4",
    "G 2 0 225 * 0 1",
    "G 3 0 15 & 2 #15",
    *_TERMS,
    "T 30 const 1 0",
    "T 31 const 1 1",
    "T 32 var 4 f a0",
    "T 33 var 4 f b0",
    *(f"S {n} {n}" for n in _ANY),
    "K",
    "N 0",
    "I 5 32",
    "I 6 33",
    *_IDLE,
    "M 0 0",
    "P first 0",
    "I 4 31",
    "L 20 32",
    "C",
    "Q rule_o 0 7 0 #0 0",
    "I 4 30",
    "T 40 product 8 32 33",
    "L 24 40",
    "C",
    "Q rule_o 0 7 0 #0 0",
    "C",
    "Q rule_o 0 7 0 #0 0",
    "Q row_o 0 7 0 2 0",
    "T 41 var 8 e1 product",
    "D 2 0 41",
    "T 42 slice 4 41 3 0",
    "S 13 42",
    "K",
    "C",
    "Q rule_o 0 7 0 #0 0",
    "Q result_o 0 3 0 3 0",
    "Z",
    *_FORGET,
    "N 1",
    *_IDLE,
]
"""After the cut, register u holds low bits of what the product is called. The last claim is about these."""


def certificate(log: list[str] | None = None, design: str = DESIGN, factor: int = 1) -> Certificate:
    """The certificate with another log or design."""
    return Certificate(
        core="small",
        modulus=16,
        operands={"a0": 15, "b0": 15},
        registers=[*_ANY],
        products=[["a0", "b0"]],
        digits=[[[0, 4, 0]]],
        factor=factor,
        design=design,
        log=LOG if log is None else log,
        refutations=[],
    )
