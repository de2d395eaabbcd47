# SPDX-License-Identifier: Apache-2.0
"""Faults of a core, told from its results: two's complement, operands read late, common relations."""

from collections.abc import Callable
from random import Random

import pytest

from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.vectors.report.identify import Relation, Sample, relations
from limbtrace.vectors.report.relations import NumberWidths

P256 = CATALOGUE["p256.fp"].modulus
MODULI = (3329, 65521, (1 << 61) - 1, P256)


def told(modulus: int, seen: Callable[[int, int, int], int], *, spare: int = 2, seed: int = 1) -> list[Relation]:
    """The relations of products; `seen` is what the core returns for (a, b, number of the product).

    The port of the result has `spare` bits more than the modulus.
    """
    drawn = Random(seed * modulus)
    width = modulus.bit_length()
    pairs = [(drawn.randrange(modulus), drawn.randrange(modulus)) for _ in range(16)]
    samples = [Sample(a, b, seen(a, b, k) % (1 << width + spare)) for k, (a, b) in enumerate(pairs)]
    ports = NumberWidths(width, width, width + spare)
    return relations(samples, modulus, widths=(width, width + spare), ports=ports, exponents=[width])


def number(*values: int) -> int:
    """A number that nothing explains, the same for the same values."""
    return Random(repr(values)).getrandbits(300)


@pytest.mark.parametrize("modulus", MODULI)
def test_results_in_two_s_complement(modulus: int) -> None:
    (found,) = told(modulus, lambda a, b, k: a * b % modulus - (modulus if a % 2 else 0))
    assert (found.signed, found.exponent, found.multiples, found.fault) == (True, 0, 1, None)
    assert found.text == "result = a*b mod p, as a number in two's complement; all above -p and below p"


@pytest.mark.parametrize("modulus", MODULI)
def test_a_subtraction_on_the_wrong_condition(modulus: int) -> None:
    """In some products p is subtracted twice, and p is added in others."""
    right = pow(1 << modulus.bit_length(), -1, modulus)
    (found,) = told(modulus, lambda a, b, k: a * b * right % modulus + (-2 * modulus if k % 3 else modulus), spare=0)
    assert found.fault is not None
    assert (found.factor, found.right, found.others) == (right, 0, 16)
    assert "minus 2p or plus p, modulo 2^" in found.text or "plus p or minus 2p, modulo 2^" in found.text


@pytest.mark.parametrize("modulus", MODULI[1:])
def test_a_carry_that_is_lost_in_some_products(modulus: int) -> None:
    (found,) = told(modulus, lambda a, b, k: (a * b - (1 << 9) * (k % 4 == 1)) % modulus)
    assert found.fault is not None
    assert (found.right, found.others, found.fault.kind) == (12, 4, "power_of_two")
    assert found.text.startswith(
        "result = a*b mod p in 12 of 16 products, but of the other 4 it is the right result minus 2^9, modulo p"
    )


@pytest.mark.parametrize("modulus", MODULI)
def test_inverted_results(modulus: int) -> None:
    (found,) = told(modulus, lambda a, b, k: ~(a * b % modulus))
    assert found.fault is not None
    assert found.fault.kind == "inverted"


@pytest.mark.parametrize("modulus", [3329, 65521, P256])  # modulo 2^61 - 1 inverted is negated
def test_an_operand_that_is_read_late(modulus: int) -> None:
    ones = (1 << modulus.bit_length()) - 1
    (found,) = told(modulus, lambda a, b, k: a * (b ^ ones) % modulus)
    assert found.readings == ("", "inverted")
    assert "this a and b with its bits inverted, as if operand b were read a cycle late; all below p" in found.text


def test_an_operand_of_the_next_product() -> None:
    drawn = Random(P256)
    pairs = [(drawn.randrange(P256), drawn.randrange(P256)) for _ in range(17)]
    (found,) = told(P256, lambda a, b, k: a * pairs[k + 1][1] % P256)
    assert found.readings == ("", "next")


@pytest.mark.parametrize("modulus", MODULI)
def test_random_results_have_no_relation(modulus: int) -> None:
    """Nor does a core of which one result, or every second one, is a random number."""
    for seed in range(4 if modulus < 1 << 32 else 1):
        assert told(modulus, lambda a, b, k: number(a, b) % modulus, seed=seed) == []
        for strange in (lambda k: k == 5, lambda k: k % 2 == 1) if modulus < P256 else ():
            found = told(
                modulus,
                lambda a, b, k, strange=strange: number(a, b) % modulus if strange(k) else a * b % modulus,  # type: ignore[misc]
                seed=seed,
            )
            assert found == []


def test_one_wrong_result_of_few_bits_tells_nothing() -> None:
    """Of 3,329 numbers many differ from the right one by a power of two; a large number does so for a reason."""
    assert told(3329, lambda a, b, k: (a * b - 512 * (k == 5)) % 3329) == []
    (found,) = told(P256, lambda a, b, k: (a * b - 512 * (k == 5)) % P256)
    assert found.others == 1
