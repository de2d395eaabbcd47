# SPDX-License-Identifier: Apache-2.0
"""Lost digits and carries are placed: a loop that loses one is compared with what is said, and chance is not."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.montgomery import DigitSerial
from limbtrace.vectors.report.diagnose import Wrong
from limbtrace.vectors.report.lost_carry import LostPart, lost_part
from limbtrace.vectors.request import Multiplier

MULTIPLIERS = [
    Multiplier.resolve("iddmm2", "p256", {"radix": "2^32"}),
    Multiplier.resolve("cios", "secp256k1", {"radix": "2^34"}),
    Multiplier.resolve("iddmm2", "2^127-1", {"radix": "2^16"}),
]


def serial(multiplier: Multiplier) -> DigitSerial:
    assert isinstance(multiplier.params, DigitSerial)
    return multiplier.params


def product(
    multiplier: Multiplier, a: int, b: int, lost: tuple[int, int] | None = None, *, carry: bool = False
) -> tuple[int, bool]:
    """The last accumulator of a loop over digits of its own, and whether it had what it was to lose.

    `lost`: pass and digit of the accumulator behind it that is cleared, or into which a carry of the sum is lost.
    """
    params = serial(multiplier)
    w, p = params.radix_bits, params.modulus
    whole, scanned = (b, a) if multiplier.model.id == "cios" else (a, b)
    accumulator, had = 0, False
    for i in range(params.passes):
        total = accumulator + whole * (scanned >> w * i & (1 << w) - 1)
        total += (total * params.digit_inverse & (1 << w) - 1) * p
        accumulator = total >> w
        if lost is not None and lost[0] == i:
            digit = accumulator >> w * lost[1] & (1 << w) - 1
            had = digit > 0
            accumulator -= (min(digit, 1) if carry else digit) << w * lost[1]
    return accumulator, had


@pytest.mark.parametrize("multiplier", MULTIPLIERS, ids=lambda m: f"{m.model.id}-{m.modulus.bits}")
@given(data=st.data())
def test_a_lost_digit_is_placed(multiplier: Multiplier, data: st.DataObject) -> None:
    params = serial(multiplier)
    a, b = (data.draw(st.integers(1 << 100, multiplier.modulus.modulus - 1)) for _ in range(2))
    right, _ = product(multiplier, a, b)
    assert right % params.modulus == multiplier.model.result(params, a, b) % params.modulus
    place = data.draw(st.integers(0, params.passes - 1)), data.draw(st.integers(0, params.digits))
    seen, had = product(multiplier, a, b, place)
    found = lost_part(multiplier, a, b, right, seen)
    if not had:
        assert found is None
    elif found is not None:
        assert (found.kind, found.pass_number, found.digit) == ("lost_digit", *place)


@pytest.mark.parametrize("multiplier", MULTIPLIERS, ids=lambda m: f"{m.model.id}-{m.modulus.bits}")
def test_inner_digits_are_told_apart(multiplier: Multiplier) -> None:
    a, b = (Random(seed).randrange(multiplier.modulus.modulus) for seed in (11, 12))
    right, _ = product(multiplier, a, b)
    for place in ((0, 0), (1, 2), (serial(multiplier).passes - 1, 3)):
        seen, had = product(multiplier, a, b, place)
        assert had
        assert lost_part(multiplier, a, b, right, seen) == LostPart("lost_digit", *place)


def test_a_carry_is_named_where_only_one_place_gives_it() -> None:
    """The lowest weight is that of one place alone; others belong to a pass and to the next one."""
    multiplier = MULTIPLIERS[0]
    a, b = (Random(seed).randrange(multiplier.modulus.modulus) for seed in (11, 12))
    right, _ = product(multiplier, a, b)
    lowest, _ = product(multiplier, a, b, (0, 0), carry=True)
    assert lost_part(multiplier, a, b, right, lowest) == LostPart("lost_carry", 0, 0)
    shared, _ = product(multiplier, a, b, (1, 1), carry=True)
    assert lost_part(multiplier, a, b, right, shared) is None


def test_a_lost_carry_is_not_taken_for_a_digit_elsewhere() -> None:
    """A top digit that is 1 and is lost in another pass gives the same result as a carry."""
    multiplier, draw = MULTIPLIERS[0], Random(1)
    params = serial(multiplier)
    for _ in range(30):
        a, b = (draw.randrange(params.modulus) for _ in range(2))
        right, _ = product(multiplier, a, b)
        place = draw.randrange(params.passes), draw.randrange(params.digits + 1)
        seen, _ = product(multiplier, a, b, place, carry=True)
        found = lost_part(multiplier, a, b, right, seen)
        assert found is None or (found.pass_number, found.digit) == place


def test_the_top_digit() -> None:
    """A carry out of digit n - 1, which an accumulator that is too narrow loses."""
    multiplier, draw, said = MULTIPLIERS[0], Random(3), []
    for _ in range(300):
        a, b = draw.getrandbits(255), draw.getrandbits(255)
        right, _ = product(multiplier, a, b)
        for i in range(serial(multiplier).passes):
            seen, had = product(multiplier, a, b, (i, serial(multiplier).digits))
            if had:
                wrong = Wrong(multiplier, a, b, None, right, seen).observations()
                said += [fact.text for fact in wrong if fact.kind.startswith("lost")]
    assert any(
        text.startswith("it is, modulo p, the result of a loop that loses digit 8 of the accumulator") for text in said
    )


@pytest.mark.parametrize("multiplier", MULTIPLIERS, ids=lambda m: f"{m.model.id}-{m.modulus.bits}")
def test_nothing_is_said_of_random_results(multiplier: Multiplier) -> None:
    draw, p = Random(7), multiplier.modulus.modulus
    for _ in range(50):
        a, b, seen = (draw.randrange(p) for _ in range(3))
        assert lost_part(multiplier, a, b, product(multiplier, a, b)[0], seen) is None


def test_small_moduli_and_other_models_have_none() -> None:
    small = Multiplier.resolve("iddmm2", "0xea7", {"radix": "2^4"})
    for digit in range(3):
        seen, _ = product(small, 0x801, 0x6A7, (1, digit))
        assert lost_part(small, 0x801, 0x6A7, product(small, 0x801, 0x6A7)[0], seen) is None
    assert lost_part(Multiplier.resolve("modmul", "p256", {}), 3, 4, 12, 11) is None
