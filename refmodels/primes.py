# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: E501 - constants are not broken over lines
"""The catalogue of moduli with their sources, and the conversion of a text to a modulus.

Names are exact and lower case. Where a curve has two fields, `.fp` is the field of its coordinates and `.fr` that of
its scalars; the bare curve name means `.fp`.
"""

import difflib
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import gmpy2

from refmodels.errors import ParameterError, shown
from refmodels.expressions import parse_integer
from refmodels.model import check_modulus


@lru_cache(maxsize=256)
def _is_prime(value: int) -> bool:
    return bool(gmpy2.is_prime(value, 25))


@dataclass(frozen=True)
class Modulus:
    """A modulus, odd unless a model of plain products takes it, or 0 for none; `name` is None if it is not from the catalogue."""

    modulus: int
    name: str | None = None
    source: str = ""
    note: str = ""

    @property
    def bits(self) -> int:
        return self.modulus.bit_length()

    @cached_property
    def primality(self) -> str:
        """ "prime" (a probable prime of the Baillie-PSW and Miller-Rabin tests) or "composite"."""
        return "prime" if _is_prime(self.modulus) else "composite"


_SEC2 = "SEC 2, version 2.0"
_NIST = "NIST SP 800-186"
_IDDMM = "M. Morales-Sandoval, A. Diaz Perez, Novel algorithms and hardware architectures for Montgomery Multiplication over GF(p), Appendix A"
_SIKE = "SIKE, submission to the NIST post-quantum project, round 3"
_HFFM = "High Performance Modular Multiplication for SIDH, IEEE TCAD 2019, Table I"

_ENTRIES: tuple[tuple[str, str, str, str], ...] = (
    ("p192.fp", "2^192 - 2^64 - 1", _NIST, ""),
    ("p192.fr", "0xffffffffffffffffffffffff99def836146bc9b1b4d22831", _NIST, ""),
    ("p224.fp", "2^224 - 2^96 + 1", _NIST, ""),
    ("p224.fr", "0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d", _NIST, ""),
    ("p256.fp", "2^256 - 2^224 + 2^192 + 2^96 - 1", _NIST, ""),
    ("p256.fr", "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", _NIST, ""),
    ("p384.fp", "2^384 - 2^128 - 2^96 + 2^32 - 1", _NIST, ""),
    ("p384.fr", "0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973", _NIST, ""),
    ("p521.fp", "2^521 - 1", _NIST, ""),
    ("p521.fr", "2^521 - 2^260 + 0xa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409", _NIST, ""),
    ("secp256k1.fp", "2^256 - 2^32 - 977", _SEC2, ""),
    ("secp256k1.fr", "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", _SEC2, ""),
    ("curve25519.fp", "2^255 - 19", "RFC 7748", ""),
    ("curve25519.fr", "2^252 + 27742317777372353535851937790883648493", "RFC 7748", "order of the base point"),
    ("curve448.fp", "2^448 - 2^224 - 1", "RFC 7748", ""),
    ("curve448.fr", "2^446 - 0x8335dc163bb124b65129c96fde933d8d723a70aadc873d6d54a7bb0d", "RFC 7748", "order of the base point"),
    ("bn254.fp", "36*4965661367192848881^4 + 36*4965661367192848881^3 + 24*4965661367192848881^2 + 6*4965661367192848881 + 1",
     "Barreto-Naehrig curve of Ethereum, EIP-196", "also called alt_bn128 and BN128"),
    ("bn254.fr", "36*4965661367192848881^4 + 36*4965661367192848881^3 + 18*4965661367192848881^2 + 6*4965661367192848881 + 1",
     "Barreto-Naehrig curve of Ethereum, EIP-196", "also called alt_bn128 and BN128"),
    ("bls12-381.fp", "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
     "draft-irtf-cfrg-pairing-friendly-curves", ""),
    ("bls12-381.fr", "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
     "draft-irtf-cfrg-pairing-friendly-curves", ""),
    ("goldilocks64", "2^64 - 2^32 + 1", "field of several proof systems, Plonky2 among them", ""),
    ("mlkem", "3329", "FIPS 203", "13*2^8 + 1"),
    ("mldsa", "8380417", "FIPS 204", "2^23 - 2^13 + 1"),
    ("sike-p434", "2^216*3^137 - 1", _SIKE, ""),
    ("sike-p503", "2^250*3^159 - 1", _SIKE, ""),
    ("sike-p610", "2^305*3^192 - 1", _SIKE, ""),
    ("sike-p751", "2^372*3^239 - 1", _SIKE, ""),
    ("p771", "2^387*3^242 - 1", _HFFM, ""),
    ("generic128", "2^128 - 159", "largest prime below 2^128", "a generic prime of the size of a Kummer surface"),
    ("iddmm-a256", "2^256 - 2^32 - 977", _IDDMM, "printed truncated; equal to secp256k1.fp"),
    ("iddmm-a512", "0xeaa0f7b011d858bc1fe7d9eae62be36848397a0c165de35895dbb7cbe8f024b465625aeb2808790a305318c53635dc5cf6667744f2b4ba46cf300adf05ae4023",
     _IDDMM, "headed RSA modulus in print, and prime"),
    ("iddmm-a1024", "0xe603bcf9fa9b405cd851ac0a3d33f9120c8957e79825c2a5bdae35000c5e6b1d302162200dd35659c2ae138eff1e6bb394a745f0f871b8af861371106fa0db08"
     "7c74ac64df7c8b41f3363f7a791d833d680290523fc74d0b99260744681bfe8cc70b677d15d1546a34f2f4d361a43fed28555239471420e41a82e74d576982cf",
     _IDDMM, "composite: a model takes any odd modulus"),
)  # fmt: skip

CATALOGUE: dict[str, Modulus] = {
    name: Modulus(parse_integer(text), name, source, note) for name, text, source, note in _ENTRIES
}

NO_MODULUS = Modulus(0)
"""The modulus of a model that does not reduce: integers modulo 0 are the integers."""

_BY_VALUE = {entry.modulus: entry for entry in reversed(CATALOGUE.values())}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*$")


def by_name(name: str) -> Modulus:
    """Catalogue entry, a bare curve name meaning its `.fp`; raises ParameterError("prime")."""
    entry = CATALOGUE.get(name) or CATALOGUE.get(f"{name}.fp")
    if entry is None:
        near = difflib.get_close_matches(name.lower(), [*CATALOGUE, *(n[:-3] for n in CATALOGUE if n[-3:] == ".fp")], 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `limbtrace primes` lists the names"
        raise ParameterError("prime", f"the catalogue has no {shown(name)}{hint}")
    return entry


def find(text: str | int, even: bool = False) -> Modulus:
    """Modulus from a catalogue name, an integer or an expression such as 2^216*3^137-1; a known one gets its name.

    Raises ParameterError("prime") unless it is odd or even ones are taken, at least 3 or then 2, and at most 16384 bits
    wide.
    """
    if isinstance(text, str) and _NAME.match(text.strip()):
        return by_name(text.strip())
    value = check_modulus(parse_integer(text, "prime"), 2 if even else 3, even=even)
    return _BY_VALUE.get(value) or Modulus(value)
