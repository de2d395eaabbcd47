# SPDX-License-Identifier: Apache-2.0
"""Proofs of cores with operands in two's complement, and the ranges of products of signed numbers."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.signed_range import SignedRange
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.integers.atoms import AtomTable
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial
from limbtrace.rtl_bridge.proof.integers.ranges import Ranges
from limbtrace.rtl_bridge.proof.signed_terms import integer_of, number_of, on_port
from tests.rtl_bridge.core.test_signed_protocols import toy
from tests.rtl_bridge.core.test_signed_range import core, ranges
from tests.rtl_bridge.helpers import TOYS
from tests.rtl_bridge.proof.integers.test_prove import proved


@pytest.mark.parametrize(
    ("name", "prime", "numbers"),
    [
        ("mlkem_mont_toy", "3329", "a from -0x8000 to 0x7fff and b from -0xd00 to 0xd00"),
        ("mldsa_mont_toy", "8380417", "a from -0x80000000 to 0x7fffffff and b from -0x7fe000 to 0x7fe000"),
    ],
)
def test_montgomery_of_all_signed_operands(name: str, prime: str, numbers: str) -> None:
    code, document, _ = proved(TOYS / name, prime)
    assert (code, document["method"], document["verdict"]) == (0, "integers", "proved")
    assert document["statement"] == f"for all {numbers}, the result is what montgomery says"
    assert not any(product["solved"] for product in document["products"])


@pytest.mark.parametrize(
    ("name", "prime", "fault"),
    [*(("mlkem_mont_toy", "3329", fault) for fault in (1, 2, 3)),
     *(("mldsa_mont_toy", "8380417", fault) for fault in (1, 2, 3)),
     *(("mlkem_barrett_toy", "3329", fault) for fault in (1, 2, 3, 4))],
)  # fmt: skip
def test_faults_are_not_proved(name: str, prime: str, fault: int) -> None:
    code, document, _ = proved(TOYS / name, prime, "--build", f"Faulty={fault}")
    assert (code, document["verdict"]) == (4, "open")


@pytest.mark.parametrize(
    ("edit", "verdict"),
    [
        (('above = "-p", below = "p" }', 'above = "-p", below = "p" }'), "proved"),
        (('above = "-p", below = "p" }', 'above = "1 - p", below = "p" }'), "open"),  # results reach -(p - 1)
        (('above = "-p", below = "p" }', 'above = "-p", below = "p - 1" }'), "open"),
        (('a", signed = true, below = "p"', 'a", signed = true, above = "-p - 1", below = "p"'), "proved"),
    ],
)
def test_the_solver_has_the_exact_ranges(edit: tuple[str, str], verdict: str, tmp_path: Path) -> None:
    _, document, _ = proved(core(tmp_path, edit), "5")
    assert (document["method"], document["verdict"]) == ("whole", verdict)


def test_operands_in_a_memory_are_there_behind_another_product(tmp_path: Path) -> None:
    _, document, _ = proved(toy(tmp_path, "memory"), "5", "--limit", "20")
    assert document["verdict"] == "proved"


def test_a_sign_that_is_forgotten_is_not_proved(tmp_path: Path) -> None:
    _, document, _ = proved(toy(tmp_path, "memory", sound=False), "5", "--limit", "20")
    assert document["verdict"] == "open"


def test_there_is_no_certificate(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="there are none of signed_mod: its operands are signed"):
        proved(core(tmp_path), "5", "--certificates", str(tmp_path / "certificate"))


@given(ranges(), st.data())
def test_terms_are_the_numbers_and_their_integers(signed: SignedRange, data: st.DataObject) -> None:
    pool, value = TermPool(), data.draw(st.integers(0, signed.count - 1))
    width = data.draw(st.integers(signed.bits, signed.bits + 5))
    bits = max((signed.count - 1).bit_length(), 1)
    variable = pool.variable("a0", bits, signed.count - 1)
    port, integer = on_port(pool, signed, variable, width), integer_of(pool, signed, variable)
    seen = evaluated([port, integer], {"a0": value})
    number = number_of(signed, value)
    assert signed.least <= number <= signed.most
    assert seen == [number & ((1 << width) - 1), signed.integer(number)]


FACTORS = st.integers(-9, 9)


@given(st.lists(st.tuples(FACTORS, FACTORS, FACTORS), min_size=1, max_size=3), FACTORS, st.data())
def test_ranges_of_products_hold_all_values(
    parts: list[tuple[int, int, int]], constant: int, data: st.DataObject
) -> None:
    """Sums of f*x*y + g*x + h*y of atoms that several of these may share."""
    pool, atoms = TermPool(), AtomTable()
    terms = [pool.variable(f"v{k}", 6, data.draw(st.integers(0, 63))) for k in range(3)]
    forms = [atoms.of_term(term) for term in terms]
    polynomial, values = DyadicPolynomial.constant(constant), [data.draw(st.integers(0, term.most)) for term in terms]
    value = constant
    for k, (both, one, other) in enumerate(parts):
        x, y = k, (k + 1) % 3
        for form, factor in ((forms[x].times(forms[y]), both), (forms[x], one), (forms[y], other)):
            polynomial = polynomial.plus(form, factor)
        value += both * values[x] * values[y] + one * values[x] + other * values[y]
    found = Ranges(atoms).of(polynomial)
    assert found is not None
    assert found[0] <= value <= found[1]


def test_the_range_of_a_product_of_signed_numbers_is_exact() -> None:
    """(x - 8) * (y - 5) with x up to 15 and y up to 10."""
    pool, atoms = TermPool(), AtomTable()
    x, y = (atoms.of_term(pool.variable(name, 4, most)) for name, most in (("x", 15), ("y", 10)))
    polynomial = x.plus_constant(-8).times(y.plus_constant(-5))
    assert Ranges(atoms).of(polynomial) == (-40, 40)
    assert Ranges(atoms).of(polynomial.scaled(-1)) == (-40, 40)
