# SPDX-License-Identifier: Apache-2.0
"""The computations of the SIDH paper, and those of textbook multipliers, each value by what it stands for."""

from typing import Any

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, negated_inverse


def barrett(given: LoopInput) -> LoopSteps:
    """Equation 1."""
    p, k, product = given.modulus, given.params["k"], given.a * given.b
    estimate = product * (Integer(2) ** k // p) >> k
    q, r = product.quo_rem(p)
    yield from _values(AB=product, qhat=estimate, rhat=product - estimate * p, corr=q - estimate, q=q, r=r)


def _values(**named: Any) -> LoopSteps:
    return ((name, (), value) for name, value in named.items())


def _divided(name: str, dividend: Any, given: LoopInput) -> LoopSteps:
    """A division by R = 2^h * l^(b/2), whose quotient is that of the bits above h by l^(b/2)."""
    h, odd, k = (Integer(given.constants[name]) for name in ("a/2", "l^(b/2)", "k"))
    high, low = dividend.quo_rem(Integer(2) ** h)
    estimate = high * (Integer(2) ** k // odd) >> k
    q, r = dividend.quo_rem(Integer(given.constants["R"]))
    for part, value in (
        ("hi", high), ("lo", low), ("qhat", estimate), ("corr", q - estimate), ("q", q), ("r", r),
    ):  # fmt: skip
        yield f"{name}.{part}", (), value


def _thirds(value: Any, R: Any) -> list[Any]:
    """The digits of R^2, R and 1."""
    return [value // R**2, value // R % R, value % R]


def _completed(c1: Any, c2: Any, c3: Any, given: LoopInput, name: str) -> LoopSteps:
    """The divisions after the coefficients, and the result, called `name`."""
    R, p = Integer(given.constants["R"]), given.modulus
    yield from _divided("c3", c3, given)
    second = c2 + c3 // R
    yield "c2+q3", (), second
    yield from _divided("c2", second, given)
    first = c1 + second // R
    S = first % 2 * R**2 + second % R * R + c3 % R + first // 2
    for step, value in (
        ("c1+q2", first), ("h", first // 2), ("e", first % 2), ("S", S), ("sub", Integer(p <= S)), (name, S % p),
    ):  # fmt: skip
        yield step, (), value


def effm(given: LoopInput) -> LoopSteps:
    """Equations 2 to 4."""
    R, p = Integer(given.constants["R"]), given.modulus
    a1, a2, a3 = _thirds(given.a, R)
    b1, b2, b3 = _thirds(given.b, R)
    third, second, first = a1 * b2 + a2 * b1, a1 * b3 + a2 * b2 + a3 * b1, a2 * b3 + a3 * b2
    quarter = Integer(4).inverse_mod(p)
    c1, c2 = second % 2, third // 2 + first
    c3 = a3 * b3 + second // 2 + quarter * a1 * b1 + third % 2 * (R // 2)
    yield from _values(a1=a1, a2=a2, a3=a3, b1=b1, b2=b2, b3=b3, a1b1=a1 * b1, a3b3=a3 * b3, c1=c1, c2=c2, c3=c3)
    for name, value in (
        ("a1b2+a2b1", third), ("a1b3+a2b2+a3b1", second), ("a2b3+a3b2", first), ("2^-2 mod p", quarter),
    ):  # fmt: skip
        yield name, (), value
    yield from _completed(c1, c2, c3, given, "C")


def ffm1(given: LoopInput) -> LoopSteps:
    """Equations 5 to 8."""
    R, p = Integer(given.constants["R"]), given.modulus
    (a1, a2, a3), (b1, b2, b3) = _thirds(given.a, R), _thirds(given.b, R)
    yield from _values(a1=a1, a2=a2, a3=a3, b1=b1, b2=b2, b3=b3)
    A, B = (p - value if top else value for value, top in ((given.a, a1), (given.b, b1)))
    (_, A2, A3), (_, B2, B3) = _thirds(A, R), _thirds(B, R)
    c1, c2, c3 = A2 * B2 % 2, A2 * B3 + A3 * B2, A3 * B3 + A2 * B2 // 2
    negative = (a1 + b1) % 2
    product = A * B % p
    for name, value in (
        ("A'", A), ("B'", B), ("a2'", A2), ("a3'", A3), ("b2'", B2), ("b3'", B3), ("a2'b2'", A2 * B2),
        ("a2'b3'+a3'b2'", c2), ("a3'b3'", A3 * B3), ("c1'", c1), ("c2'", c2), ("c3'", c3), ("a1^b1", negative),
        ("C", -product % p if negative else product),
    ):  # fmt: skip
        yield name, (), value
    yield from _completed(c1, c2, c3, given, "C'")


def ffm2(given: LoopInput) -> LoopSteps:
    """Equations 9 to 13."""
    a, D, k, p = given.constants["a"], Integer(given.constants["f*l^b"]), given.constants["k"], given.modulus
    product = given.a * given.b
    high, low = product.quo_rem(Integer(2) ** a)
    estimate = high * (Integer(2) ** k // D) >> k
    q, r = product.quo_rem(D << a)
    for name, value in (
        ("AB", product), ("AB.hi", high), ("AB.lo", low), ("AB.qhat", estimate), ("AB.corr", q - estimate), ("q", q),
        ("r", r), ("C", product % p),
    ):  # fmt: skip
        yield name, (), value
    if given.params["sign"] == -1:
        yield "q+r", (), q + r
        yield "sub", (), Integer(q + r >= p)
    else:
        yield "r-q", (), r - q
        yield "add", (), Integer(r < q)


def hffm(given: LoopInput) -> LoopSteps:
    """Algorithm 1 with a line of its own for a digit that is not below f*l^b, and for the value p."""
    a, D, p = given.constants["a"], Integer(given.constants["f*l^b"]), given.modulus
    s, t, x = (given.constants[name] for name in ("s", "t", "x"))
    full = Integer(2) ** a
    (a1, a2), (b1, b2) = given.a.quo_rem(D), given.b.quo_rem(D)
    yield from _values(a1=a1, a2=a2, b1=b1, b2=b2, a1b1=a1 * b1, a2b2=a2 * b2)
    cross = a1 * b2 + a2 * b1
    q1, r1 = (a1 * b1).quo_rem(full)
    m1, m2 = cross.quo_rem(full)
    u, v = (r1 * D).quo_rem(full)
    c2 = a2 * b2 + m1 + u
    c1 = q1 + m2 + v
    high = c2 >> s
    estimate = high * x >> t
    q, r = c2.quo_rem(D)
    carry, rest = (c1 + q).quo_rem(full)
    for name, value in (
        ("a1+a2", a1 + a2), ("b1+b2", b1 + b2), ("(a1+a2)(b1+b2)", (a1 + a2) * (b1 + b2)), ("a1b2+a2b1", cross),
        ("r1", r1), ("q1", q1), ("r1*f*l^b", r1 * D), ("m1", m1), ("m2", m2), ("c2@4", a2 * b2 + m1), ("u", u),
        ("c2@5", c2), ("c1@6", q1 + m2), ("v", v), ("c1@7", c1), ("barrett.hi", high), ("barrett.prod", high * x),
        ("barrett.qhat", estimate), ("barrett.qhat*D", estimate * D), ("barrett.rhat", c2 - estimate * D),
        ("barrett.corr", q - estimate), ("q", q), ("r", r), ("c2@8", r), ("c1@8", c1 + q), ("carry@9", carry),
        ("c1@9", rest), ("c2@9", r + carry), ("C@9", rest * D + r + carry), ("fix", Integer(r + carry >= D)),
    ):  # fmt: skip
        yield name, (), value
    final = rest * D + r + carry
    # full*D is p + 1, so that a first digit of 2^a counts as 1.
    fixed = final - p if final > p else final
    result = Integer(0) if fixed == p else fixed
    yield from _values(is_p=Integer(fixed == p), c1=result // D, c2=result % D, C=result)


def modmul(given: LoopInput) -> LoopSteps:
    """A product, its quotient and its remainder."""
    q, r = (given.a * given.b).quo_rem(given.modulus)
    yield from _values(t=given.a * given.b, q=q, r=r)


def square(given: LoopInput) -> LoopSteps:
    """A square, its quotient and its remainder."""
    return modmul(given._replace(b=given.a))


def reduce(given: LoopInput) -> LoopSteps:
    """An integer, its quotient and its remainder."""
    return modmul(given._replace(b=Integer(1)))


def montgomery(given: LoopInput) -> LoopSteps:
    """Montgomery's product: REDC of a*b."""
    yield "T", (), given.a * given.b
    yield from redc(given._replace(a=given.a * given.b))


def redc(given: LoopInput) -> LoopSteps:
    """REDC of a."""
    R, p = Integer(2) ** given.params["r"], given.modulus
    m = given.a * negated_inverse(p, R) % R
    t = (given.a + m * p) // R
    yield from _values(m=m, t=t)
    if given.params.get("final") != "unreduced":
        yield from _values(sub=t // p, Z=t % p)
