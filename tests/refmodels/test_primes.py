# SPDX-License-Identifier: Apache-2.0

"""The catalogue of moduli: values against relations that a wrong digit breaks, and names as people type them."""

import re
from math import isqrt

import gmpy2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.primes import CATALOGUE, by_name, find, spelling, spellings

Point = tuple[int, int] | None
P = {name: entry.modulus for name, entry in CATALOGUE.items()}
COMPOSITE = ["iddmm-a1024", "rsa-768", "rsa-1024", "rsa-1536", "rsa-2048"]
CURVES = [name[:-3] for name in CATALOGUE if name.endswith(".fr")]


@pytest.mark.parametrize("name", CATALOGUE)
def test_primality(name: str) -> None:
    """With Baillie-PSW and 40 rounds of Miller-Rabin; the referee proves it elsewhere."""
    assert bool(gmpy2.is_prime(P[name], 40)) == (name not in COMPOSITE)
    assert CATALOGUE[name].primality == ("composite" if name in COMPOSITE else "prime")


WEIERSTRASS = {
    "p192": (-3, 0x64210519E59C80E70FA7E9AB72243049FEB8DEECC146B9B1),
    "p224": (-3, 0xB4050A850C04B3ABF54132565044B0B7D7BFD8BA270B39432355FFB4),
    "p256": (-3, 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B),
    "secp192k1": (0, 3),
    "secp224k1": (0, 5),
    "secp256k1": (0, 7),
    "secq256k1": (0, 7),
    "sm2": (-3, 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93),
    "brainpoolp160r1": (0x340E7BE2A280EB74E2BE61BADA745D97E8F7C300, 0x1E589A8595423412134FAA2DBDEC95C8D8675E58),
    "brainpoolp192r1": (
        0x6A91174076B1E0E19C39C031FE8685C1CAE040E5C69A28EF,
        0x469A28EF7C28CCA3DC721D044F4496BCCA7EF4146FBF25C9,
    ),
    "brainpoolp224r1": (
        0x68A5E62CA9CE6C1C299803A6C1530B514E182AD8B0042A59CAD29F43,
        0x2580F63CCFE44138870713B1A92369E33E2135D266DBB372386C400B,
    ),
    "brainpoolp256r1": (
        0x7D5A0975FC2C3057EEF67530417AFFE7FB8055C126DC5C6CE94A4B44F330B5D9,
        0x26DC5C6CE94A4B44F330B5D9BBD77CBF958416295CF7E1CE6BCCDC18FF8C07B6,
    ),
    "brainpoolp320r1": (
        0x3EE30B568FBAB0F883CCEBD46D3F3BB8A2A73513F5EB79DA66190EB085FFA9F492F375A97D860EB4,
        0x520883949DFDBC42D3AD198640688A6FE13F41349554B49ACC31DCCD884539816F5EB4AC8FB1F1A6,
    ),
    "brainpoolp384r1": (
        0x7BC382C63D8C150C3C72080ACE05AFA0C2BEA28E4FB22787139165EFBA91F90F8AA5814A503AD4EB04A8C7DD22CE2826,
        0x04A8C7DD22CE28268B39B55416F0447C2FB77DE107DCD2A62E880EA53EEB62D57CB4390295DBC9943AB78696FA504C11,
    ),
    "brainpoolp512r1": (
        0x7830A3318B603B89E2327145AC234CC594CBDD8D3DF91610A83441CAEA9863BC2DED5D5AA8253AA10A2EF1C98B9AC8B57F1117A72BF2C7B9E7C1AC4D77FC94CA,
        0x3DF91610A83441CAEA9863BC2DED5D5AA8253AA10A2EF1C98B9AC8B57F1117A72BF2C7B9E7C1AC4D77FC94CADC083E67984050B75EBAE5DD2809BD638016F723,
    ),
    "bn254": (0, 3),
    "grumpkin": (0, -17),
    "fp256bn": (0, 3),
    "bn462": (0, 5),
    "pallas": (0, 5),
    "vesta": (0, 5),
    "stark252": (1, 0x6F21413EFBE40DE150E596D72F7A8C5609AD26C15C915C1F4CDFCB99CEE9E89),
}
"""a and b of y^2 = x^3 + ax + b, of curves with a prime number of points."""
EDWARDS = {
    "curve25519": (-1, (-121665, 121666), 8),
    "curve448": (1, (-39081, 1), 4),
    "curve1174": (1, (-1174, 1), 4),
    "jubjub": (-1, (-10240, 10241), 8),
    "babyjubjub": (168700, (168696, 1), 8),
    "bandersnatch": (-5, (45022363124591815672509500913686876175488063829319466900776701791074614335719, 1), 4),
}
"""a, d as a fraction, and the cofactor, of ax^2 + y^2 = 1 + dx^2y^2."""
BLS = {
    "bls12-377": (12, 0x8508C00000000001),
    "bls12-381": (12, -0xD201000000010000),
    "bls12-461": (12, -(2**77) + 2**50 + 2**33),
    "bls24-315": (24, -0xBFCFFFFF),
    "bls24-317": (24, 0xD9018000),
    "bls48-581": (48, -1 + 2**7 - 2**10 - 2**30 - 2**32),
}
BN = {"bn254": 4965661367192848881, "fp256bn": -0x6882F5C030B0A801, "bn462": 2**114 + 2**101 - 2**14 - 1}
OTHERWISE = {"p384", "p521", "bw6-761", "fourq"}
"""Curves of tests of their own."""


def test_every_curve_is_checked() -> None:
    assert {*WEIERSTRASS, *EDWARDS, *BLS, *OTHERWISE} == {*CURVES}


def root(value: int, p: int) -> int | None:
    """A square root modulo p, None without one (Tonelli and Shanks)."""
    value %= p
    if gmpy2.legendre(value, p) != 1:
        return None
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    other = next(k for k in range(2, p) if gmpy2.legendre(k, p) == -1)
    c, t, r = pow(other, odd, p), pow(value, odd, p), pow(value, (odd + 1) // 2, p)
    while t != 1:
        least, power = 0, t
        while power != 1:
            power, least = power * power % p, least + 1
        b = pow(c, 1 << (twos - least - 1), p)
        twos, c = least, b * b % p
        t, r = t * c % p, r * b % p
    return r


def has_points(p: int, number: int) -> bool:
    """Whether a curve over GF(p) can have so many points (Hasse)."""
    return abs(number - (p + 1)) <= 2 * isqrt(p) + 1


def weierstrass_sum(first: Point, second: Point, a: int, p: int) -> Point:
    if first is None or second is None:
        return second if first is None else first
    (x, y), (u, v) = first, second
    if x == u and (y + v) % p == 0:
        return None
    slope = (3 * x * x + a) * pow(2 * y, -1, p) if first == second else (v - y) * pow(u - x, -1, p)
    w = (slope * slope - x - u) % p
    return w, (slope * (x - w) - y) % p


@pytest.mark.parametrize("curve", WEIERSTRASS)
def test_orders_of_curves(curve: str) -> None:
    """The order is in Hasse's interval, and annihilates a point: for a prime, no other number does both."""
    (a, b), p, r = WEIERSTRASS[curve], P[f"{curve}.fp"], P[f"{curve}.fr"]
    assert has_points(p, r)
    x = next(x for x in range(1, 100) if root(x**3 + a * x + b, p))
    power: Point = (x, root(x**3 + a * x + b, p) or 0)
    total: Point = None
    for digit in f"{r:b}"[::-1]:
        total = weierstrass_sum(total, power, a, p) if digit == "1" else total
        power = weierstrass_sum(power, power, a, p)
    assert total is None


@pytest.mark.parametrize("curve", EDWARDS)
def test_orders_of_twisted_edwards_curves(curve: str) -> None:
    a, (top, bottom), cofactor = EDWARDS[curve]
    p, r = P[f"{curve}.fp"], P[f"{curve}.fr"]
    assert has_points(p, cofactor * r)
    d = top * pow(bottom, -1, p) % p

    def add(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
        (x, y), (u, v) = first, second
        t = d * x * u * y * v % p
        return (x * v + y * u) * pow(1 + t, -1, p) % p, (y * v - a * x * u) * pow(1 - t, -1, p) % p

    y = next(y for y in range(2, 100) if root((1 - y * y) * pow(a - d * y * y, -1, p), p))
    power, total = (root((1 - y * y) * pow(a - d * y * y, -1, p), p) or 0, y), (0, 1)
    for digit in f"{cofactor * r:b}"[::-1]:
        total = add(total, power) if digit == "1" else total
        power = add(power, power)
    assert total == (0, 1)


@pytest.mark.parametrize("curve", ["p384", "p521"])
def test_orders_of_large_nist_curves(curve: str) -> None:
    assert has_points(P[f"{curve}.fp"], P[f"{curve}.fr"])


@pytest.mark.parametrize("curve", BLS)
def test_families_of_barreto_lynn_scott(curve: str) -> None:
    """Both polynomials at the published x; the curve has p + 1 - (x + 1) points, and the embedding degree is exact."""
    degree, x = BLS[curve]
    r = {12: x**4 - x**2 + 1, 24: x**8 - x**4 + 1, 48: x**16 - x**8 + 1}[degree]
    p, remainder = divmod((x - 1) ** 2 * r, 3)
    assert (p + x, r, remainder) == (P[f"{curve}.fp"], P[f"{curve}.fr"], 0)
    assert has_points(p + x, p + x - x)
    assert p % r == 0
    assert embedding_degree(curve) == degree


def embedding_degree(curve: str) -> int:
    p, r = P[f"{curve}.fp"], P[f"{curve}.fr"]
    return next(k for k in range(1, 100) if pow(p, k, r) == 1)


@pytest.mark.parametrize("curve", BN)
def test_family_of_barreto_naehrig(curve: str) -> None:
    x = BN[curve]
    p = 36 * x**4 + 36 * x**3 + 24 * x**2 + 6 * x + 1
    assert (p, p - 6 * x**2) == (P[f"{curve}.fp"], P[f"{curve}.fr"])
    assert embedding_degree(curve) == 12


def test_bw6_761() -> None:
    """The polynomial of the paper at the x of BLS12-377, whose base field it has as scalars."""
    x = BLS["bls12-377"][1]
    coefficients = (103, -379, 250, 691, -911, -79, 623, -640, 274, 763, 73, 254, 229)
    assert 9 * P["bw6-761.fp"] == sum(c * x**k for k, c in enumerate(reversed(coefficients)))
    assert P["bw6-761.fr"] == P["bls12-377.fp"]
    assert embedding_degree("bw6-761") == 6
    assert P["bw6-761.fp"].bit_length() == 761


def test_fourq() -> None:
    """The curve over GF(p^2) has 392 r points."""
    q = P["fourq.fp"] ** 2
    assert has_points(q, 392 * P["fourq.fr"])
    assert P["fourq.fr"].bit_length() == 246


def test_fields_that_belong_together() -> None:
    for one, other in (("pallas", "vesta"), ("bn254", "grumpkin"), ("secp256k1", "secq256k1")):
        assert (P[f"{one}.fp"], P[f"{one}.fr"]) == (P[f"{other}.fr"], P[f"{other}.fp"])
    assert P["jubjub.fp"] == P["bandersnatch.fp"] == P["bls12-381.fr"]
    assert P["babyjubjub.fp"] == P["bn254.fr"]


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name.startswith("ntt")])
def test_moduli_of_transforms(name: str) -> None:
    """The largest prime of its size that is 1 modulo 2N, found again."""
    bits, degree = map(int, (re.fullmatch(r"ntt(\d+)-n(\d+)", name) or pytest.fail(name)).groups())
    candidate = 2**bits + 1
    while candidate >= 2**bits or not gmpy2.is_prime(candidate):
        candidate -= 2 * degree
    assert candidate == P[name]
    assert f"below 2^{bits} that is 1 modulo {2 * degree}" in CATALOGUE[name].source


def test_moduli_that_seal_has() -> None:
    """SEAL, default coefficient moduli of 128 bits of security: the first of their sizes."""
    named = ("ntt36-n4096", "ntt43-n8192", "ntt44-n8192", "ntt48-n16384", "ntt55-n32768")
    assert [P[name] for name in named] == [0xFFFFEE001, 0x7FFFFFD8001, 0xFFFFFFFC001, 0xFFFFFFFD8001, 0x7FFFFFFFE90001]


RSA = {"rsa-768": (232, 1018), "rsa-1024": (309, 1369), "rsa-1536": (463, 2153), "rsa-2048": (617, 2738)}
"""Decimal digits and their sum, which RSA Laboratories published with each number."""


@pytest.mark.parametrize("name", RSA)
def test_numbers_of_the_rsa_challenge(name: str) -> None:
    text = str(P[name])
    assert (len(text), sum(map(int, text))) == RSA[name]
    assert P[name].bit_length() == int(name[4:])
    assert CATALOGUE[name].note.startswith("composite")


def test_rsa_768_is_the_product_of_its_factors() -> None:
    """T. Kleinjung and others, Factorization of a 768-bit RSA modulus, CRYPTO 2010."""
    p = int(
        "33478071698956898786044169848212690817704794983713768568912431388982883793878002287614711652531743087737814467999489"
    )
    q = int(
        "36746043666799590428244633799627952632279158164343087642676032283815739666511279233373417143396810270092798736308917"
    )
    assert p * q == P["rsa-768"]


@pytest.mark.parametrize(("bits", "offset"), [(2048, 124476), (3072, 1690314)])
def test_groups_of_diffie_and_hellman(bits: int, offset: int) -> None:
    """The formula of RFC 3526; both are safe primes."""
    with gmpy2.context(precision=bits + 100):
        pi = int(gmpy2.floor(gmpy2.const_pi() * gmpy2.mpfr(2) ** (bits - 130)))
    assert P[f"modp{bits}"] == 2**bits - 2 ** (bits - 64) - 1 + 2**64 * (pi + offset)
    assert gmpy2.is_prime(P[f"modp{bits}"] // 2)


TYPED = {
    "p256.fp": "P-256 p256 P_256 secp256r1 SECP256R1 prime256v1 NIST-P256 NISTP256 P-256.fp",
    "p256.fr": "P-256.fr secp256r1.fr prime256v1-fn p256Fr",
    "p384.fp": "P-384 secp384r1",
    "p521.fp": "P-521 secp521r1",
    "secp256k1.fp": "secp256k1 SECP256K1 secp256k1-Fp secp256k1.fq",
    "secp256k1.fr": "secp256k1.fn secp256k1_fr",
    "curve25519.fp": "Curve25519 ed25519 Ed25519 X25519",
    "curve25519.fr": "ed25519.fr ristretto255.fr",
    "curve448.fp": "ed448 Ed448-Goldilocks X448",
    "curve1174.fp": "Ed-1174 ed1174 curve1174",
    "mlkem": "kyber Kyber768 ML-KEM ML-KEM-512 ml_kem mlkem",
    "mldsa": "dilithium Dilithium3 ML-DSA ML-DSA-65",
    "falcon": "Falcon falcon-512 FN-DSA",
    "bn254.fp": "alt_bn128 bn254 BN254 bn128",
    "bn254.fr": "alt_bn128.fr BN254-Fr",
    "bls12-381.fp": "bls12381 BLS12-381 bls12_381",
    "bls12-381.fr": "bls12381.fr BLS12-381-Fr",
    "bls12-377.fp": "bls12-377 BLS12_377",
    "bw6-761.fp": "bw6-761 BW6_761",
    "pallas.fp": "pallas Pallas",
    "vesta.fr": "vesta.fr Vesta-Fr",
    "stark252.fp": "stark252 STARK-252 starknet",
    "babybear": "babybear BabyBear baby-bear",
    "koalabear": "koalabear KoalaBear",
    "mersenne31": "mersenne31 M31 Mersenne-31",
    "goldilocks64": "goldilocks Goldilocks",
    "brainpoolp256r1.fp": "brainpoolP256r1 brainpoolP256t1",
    "brainpoolp512r1.fr": "brainpoolP512r1.fr",
    "sm2.fp": "sm2 SM2 sm2p256v1",
    "rsa-2048": "RSA-2048 rsa2048 RSA_2048",
    "sike-p434": "SIKEp434 sikep434",
}


@pytest.mark.parametrize("name", TYPED)
def test_names_as_people_type_them(name: str) -> None:
    for text in (*TYPED[name].split(), "NIST P-384" if name == "p384.fp" else name, f" {name} "):
        assert find(text).name == name, text


def test_no_spelling_means_two_moduli() -> None:
    """Each name and alias of an entry finds that entry, so none is that of another one as well."""
    for name, entry in CATALOGUE.items():
        field = ".fr" if name.endswith(".fr") else ""
        for known in (name, *(f"{alias}{field}" for alias in entry.aliases)):
            assert by_name(known) is entry, known
    assert all(spelling(text) == text for text in spellings())


@given(st.sampled_from([*CATALOGUE, *(alias for entry in CATALOGUE.values() for alias in entry.aliases)]), st.data())
def test_case_and_punctuation_count_for_nothing(name: str, data: st.DataObject) -> None:
    letters = [data.draw(st.sampled_from([c.lower(), c.upper()])) for c in name if c not in "-_. "]
    gaps = data.draw(st.lists(st.sampled_from(["", "-", "_", " "]), min_size=len(letters), max_size=len(letters)))
    written = letters[0] + "".join(f"{gap}{letter}" for gap, letter in zip(gaps, letters[1:], strict=False))
    assert find(written) is find(name)


@pytest.mark.parametrize("name", ["secp256r2", "secp256k2", "p255", "bn256", "curve25518", "bls12-382"])
def test_another_curve_is_never_offered_as_what_was_meant(name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        find(name)
    assert "did you mean" not in caught.value.reason
    assert "`limbtrace primes` lists the names" in caught.value.reason
    assert "near" not in caught.value.reason or "other moduli with a name near it" in caught.value.reason
