# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: E501 - constants are not broken over lines
"""The catalogue of moduli with their sources, and the conversion of a text to a modulus.

Names in documents are lower case. Where a curve has two fields, `.fp` is the field of its coordinates and `.fr` that of
its scalars; the bare curve name means `.fp`. What people type otherwise, such as P-256, secp256r1 or ML-KEM, is an
alias, in any case, and blanks, `-`, `_` and `.` count for nothing.
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import gmpy2

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.model import check_modulus


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
    aliases: tuple[str, ...] = ()
    """Further names; those of a curve mean its `.fp`, and with the field behind them its `.fr`, too."""

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

_BRAINPOOL = "RFC 5639"
_SM2 = "GB/T 32918.5, also GM/T 0003.5"
_SECQ = "secp256k1 with its fields exchanged"
_CURVE1174 = "D. J. Bernstein, M. Hamburg, A. Krasnova, T. Lange, Elligator, ACM CCS 2013"
_FOURQ = "C. Costello, P. Longa, FourQ, ASIACRYPT 2015"
_ZEXE = "S. Bowe and others, Zexe, IEEE S&P 2020"
_BW6 = "Y. El Housni, A. Guillevic, Optimized and secure pairing-friendly elliptic curves suitable for one layer proof composition, CANS 2020"
_KEYSIZE = "R. Barbulescu, S. Duquesne, Updating key size estimations for pairings, Journal of Cryptology 2019"
_CHAINS = "Y. El Housni, A. Guillevic, Families of SNARK-friendly 2-chains of elliptic curves, EUROCRYPT 2022"
_PAIRING = "draft-irtf-cfrg-pairing-friendly-curves"
_TPM = "Barreto-Naehrig curve of ISO/IEC 15946-5, TPM_ECC_BN_P256 of TPM 2.0"
_PASTA = "Pasta curves of Halo 2, Electric Coin Company"
_STARK = "STARK curve, StarkWare"
_ZCASH = "Zcash protocol specification, 5.4.9.3"
_BANDER = "S. Masson, A. Sanso, Z. Zhang, Bandersnatch, 2021"
_BABYJUB = "EIP-2494"
_GRUMPKIN = "Grumpkin, Aztec: bn254 with its fields exchanged"
_RISC0 = "BabyBear field, RISC Zero"
_PLONKY3 = "KoalaBear field, Plonky3"
_CIRCLE = "U. Haboeck, D. Levit, S. Papini, Circle STARKs, 2024"
_FALCON = "Falcon, submission to the NIST post-quantum project, round 3"
_NTRUP = "NTRU Prime, submission to the NIST post-quantum project, round 3"
_RSA = "RSA Factoring Challenge, RSA Laboratories"
_MODP = "RFC 3526"


def _ntt(bits: int, degree: int, below: int) -> tuple[str, str, str, str]:
    """A modulus of number-theoretic transforms: 2^bits - below."""
    rule = f"largest prime below 2^{bits} that is 1 modulo {2 * degree}"
    return (
        f"ntt{bits}-n{degree}",
        f"2^{bits} - {below:#x}",
        rule,
        f"transforms of {degree} coefficients, modulo X^{degree} + 1",
    )


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
    ("brainpoolp160r1.fp", "0xe95e4a5f737059dc60dfc7ad95b3d8139515620f", _BRAINPOOL, ""),
    ("brainpoolp160r1.fr", "0xe95e4a5f737059dc60df5991d45029409e60fc09", _BRAINPOOL, ""),
    ("brainpoolp192r1.fp", "0xc302f41d932a36cda7a3463093d18db78fce476de1a86297", _BRAINPOOL, ""),
    ("brainpoolp192r1.fr", "0xc302f41d932a36cda7a3462f9e9e916b5be8f1029ac4acc1", _BRAINPOOL, ""),
    ("brainpoolp224r1.fp", "0xd7c134aa264366862a18302575d1d787b09f075797da89f57ec8c0ff", _BRAINPOOL, ""),
    ("brainpoolp224r1.fr", "0xd7c134aa264366862a18302575d0fb98d116bc4b6ddebca3a5a7939f", _BRAINPOOL, ""),
    ("brainpoolp256r1.fp", "0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377", _BRAINPOOL, ""),
    ("brainpoolp256r1.fr", "0xa9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7", _BRAINPOOL, ""),
    ("brainpoolp320r1.fp", "0xd35e472036bc4fb7e13c785ed201e065f98fcfa6f6f40def4f92b9ec7893ec28fcd412b1f1b32e27", _BRAINPOOL, ""),
    ("brainpoolp320r1.fr", "0xd35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311", _BRAINPOOL, ""),
    ("brainpoolp384r1.fp", "0x8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53", _BRAINPOOL, ""),
    ("brainpoolp384r1.fr", "0x8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565", _BRAINPOOL, ""),
    ("brainpoolp512r1.fp", "0xaadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3", _BRAINPOOL, ""),
    ("brainpoolp512r1.fr", "0xaadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069", _BRAINPOOL, ""),
    ("sm2.fp", "2^256 - 2^224 - 2^96 + 2^64 - 1", _SM2, ""),
    ("sm2.fr", "0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123", _SM2, ""),
    ("secp192k1.fp", "2^192 - 2^32 - 4553", _SEC2, ""),
    ("secp192k1.fr", "0xfffffffffffffffffffffffe26f2fc170f69466a74defd8d", _SEC2, ""),
    ("secp224k1.fp", "2^224 - 2^32 - 6803", _SEC2, ""),
    ("secp224k1.fr", "0x10000000000000000000000000001dce8d2ec6184caf0a971769fb1f7", _SEC2, ""),
    ("secq256k1.fp", "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", _SECQ, ""),
    ("secq256k1.fr", "2^256 - 2^32 - 977", _SECQ, ""),
    ("curve1174.fp", "2^251 - 9", _CURVE1174, ""),
    ("curve1174.fr", "2^249 - 11332719920821432534773113288178349711", _CURVE1174, "order of the base point"),
    ("fourq.fp", "2^127 - 1", _FOURQ, "the curve is over its quadratic extension"),
    ("fourq.fr", "0x29cbc14e5e0a72f05397829cbc14e5dfbd004dfe0f79992fb2540ec7768ce7", _FOURQ, "order of the base point"),
    ("bls12-377.fp", "3*0x2c58400000000000^2*(0x8508c00000000001^4 - 0x8508c00000000001^2 + 1) + 0x8508c00000000001", _ZEXE, "x = 0x8508c00000000001"),
    ("bls12-377.fr", "0x8508c00000000001^4 - 0x8508c00000000001^2 + 1", _ZEXE, "x = 0x8508c00000000001"),
    ("bw6-761.fp", "0x122e824fb83ce0ad187c94004faff3eb926186a81d14688528275ef8087be41707ba638e584e91903cebaff25b423048689c8ed12f9fd9071dcd3dc73ebff2e98a116c25667a8f8160cf8aeeaf0a437e6913e6870000082f49d00000000008b", _BW6, ""),
    ("bw6-761.fr", "3*0x2c58400000000000^2*(0x8508c00000000001^4 - 0x8508c00000000001^2 + 1) + 0x8508c00000000001", _BW6, "the base field of BLS12-377"),
    ("bls12-461.fp", "3*(-0xaaaaaa95554aaaaaaab)^2*((-0x1ffffffbfffe00000000)^4 - (-0x1ffffffbfffe00000000)^2 + 1) + (-0x1ffffffbfffe00000000)", _KEYSIZE, "x = -2^77 + 2^50 + 2^33"),
    ("bls12-461.fr", "(-0x1ffffffbfffe00000000)^4 - (-0x1ffffffbfffe00000000)^2 + 1", _KEYSIZE, "x = -2^77 + 2^50 + 2^33"),
    ("bls24-315.fp", "3*(-0x3ff00000)^2*((-0xbfcfffff)^8 - (-0xbfcfffff)^4 + 1) + (-0xbfcfffff)", _CHAINS, "x = -0xbfcfffff"),
    ("bls24-315.fr", "(-0xbfcfffff)^8 - (-0xbfcfffff)^4 + 1", _CHAINS, "x = -0xbfcfffff"),
    ("bls24-317.fp", "3*0x4855d555^2*(0xd9018000^8 - 0xd9018000^4 + 1) + 0xd9018000", _CHAINS, "x = 0xd9018000"),
    ("bls24-317.fr", "0xd9018000^8 - 0xd9018000^4 + 1", _CHAINS, "x = 0xd9018000"),
    ("bls48-581.fp", "3*(-0x6aaaabd6)^2*((-0x140000381)^16 - (-0x140000381)^8 + 1) + (-0x140000381)", _PAIRING, "x = -1 + 2^7 - 2^10 - 2^30 - 2^32"),
    ("bls48-581.fr", "(-0x140000381)^16 - (-0x140000381)^8 + 1", _PAIRING, "x = -1 + 2^7 - 2^10 - 2^30 - 2^32"),
    ("bn462.fp", "36*0x4001fffffffffffffffffffffbfff^4 + 36*0x4001fffffffffffffffffffffbfff^3 + 24*0x4001fffffffffffffffffffffbfff^2 + 6*0x4001fffffffffffffffffffffbfff + 1", _PAIRING, "x = 2^114 + 2^101 - 2^14 - 1"),
    ("bn462.fr", "36*0x4001fffffffffffffffffffffbfff^4 + 36*0x4001fffffffffffffffffffffbfff^3 + 18*0x4001fffffffffffffffffffffbfff^2 + 6*0x4001fffffffffffffffffffffbfff + 1", _PAIRING, "x = 2^114 + 2^101 - 2^14 - 1"),
    ("fp256bn.fp", "36*(-0x6882f5c030b0a801)^4 + 36*(-0x6882f5c030b0a801)^3 + 24*(-0x6882f5c030b0a801)^2 + 6*(-0x6882f5c030b0a801) + 1", _TPM, "x = -0x6882f5c030b0a801"),
    ("fp256bn.fr", "36*(-0x6882f5c030b0a801)^4 + 36*(-0x6882f5c030b0a801)^3 + 18*(-0x6882f5c030b0a801)^2 + 6*(-0x6882f5c030b0a801) + 1", _TPM, "x = -0x6882f5c030b0a801"),
    ("pallas.fp", "2^254 + 45560315531419706090280762371685220353", _PASTA, ""),
    ("pallas.fr", "2^254 + 45560315531506369815346746415080538113", _PASTA, ""),
    ("vesta.fp", "2^254 + 45560315531506369815346746415080538113", _PASTA, ""),
    ("vesta.fr", "2^254 + 45560315531419706090280762371685220353", _PASTA, ""),
    ("stark252.fp", "2^251 + 17*2^192 + 1", _STARK, ""),
    ("stark252.fr", "0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2f", _STARK, ""),
    ("jubjub.fp", "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", _ZCASH, "the scalar field of BLS12-381"),
    ("jubjub.fr", "0xe7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7", _ZCASH, "order of the prime subgroup"),
    ("bandersnatch.fp", "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", _BANDER, "the scalar field of BLS12-381"),
    ("bandersnatch.fr", "0x1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1", _BANDER, "order of the prime subgroup"),
    ("babyjubjub.fp", "36*4965661367192848881^4 + 36*4965661367192848881^3 + 18*4965661367192848881^2 + 6*4965661367192848881 + 1", _BABYJUB, "the scalar field of bn254"),
    ("babyjubjub.fr", "2736030358979909402780800718157159386076813972158567259200215660948447373041", _BABYJUB, "order of the prime subgroup"),
    ("grumpkin.fp", "36*4965661367192848881^4 + 36*4965661367192848881^3 + 18*4965661367192848881^2 + 6*4965661367192848881 + 1", _GRUMPKIN, "the scalar field of bn254"),
    ("grumpkin.fr", "36*4965661367192848881^4 + 36*4965661367192848881^3 + 24*4965661367192848881^2 + 6*4965661367192848881 + 1", _GRUMPKIN, "the base field of bn254"),
    ("babybear", "15*2^27 + 1", _RISC0, ""),
    ("koalabear", "127*2^24 + 1", _PLONKY3, ""),
    ("mersenne31", "2^31 - 1", _CIRCLE, ""),
    ("mersenne61", "2^61 - 1", "Mersenne prime of universal hashes", ""),
    ("poly1305", "2^130 - 5", "RFC 8439", ""),
    ("falcon", "12289", _FALCON, "3*2^12 + 1; NewHope, too"),
    ("sntrup761", "4591", _NTRUP, ""),
    ("fermat4", "2^16 + 1", "Fermat number F4", "plaintext modulus of BFV and BGV in examples of SEAL and OpenFHE"),
    _ntt(30, 4096, 0xbfff),
    _ntt(31, 4096, 0x19fff),
    _ntt(36, 4096, 0x11fff),
    _ntt(43, 8192, 0x27fff),
    _ntt(44, 8192, 0x3fff),
    _ntt(48, 16384, 0x27fff),
    _ntt(50, 16384, 0x20ffff),
    _ntt(55, 32768, 0x16ffff),
    _ntt(60, 65536, 0x3ffff),
    _ntt(61, 131072, 0x1fffff),
    ("rsa-768", "123018668453011775513049495838496272077285356959533479219732245215172640050726365751874520219978646938995647494277406384"
     "5925192557326303453731548268507917026122142913461670429214311602221240479274737794080665351419597459856902143413", _RSA, "composite, factored in 2009; odd composites are taken"),
    ("rsa-1024", "135066410865995223349603216278805969938881475605667027524485143851526510604859533833940287150571909441798207282164471551"
     "373680419703964191743046496589274256239341020864383202110372958725762358509643110564073501508187510676594629205563685529"
     "475213500852879416377328533906109750544334999811150056977236890927563", _RSA, "composite, factors unknown"),
    ("rsa-1536", "184769970321174147430683562020016440301854933866341017147178577491065169671116124985933768430543574458561606154457179405"
     "222971773252466096064694607124962372044202226975675668737842756238950876467844093328515749657884341508847552829818672645"
     "133986336493190808467199043187438128336350279547028265329780293491615581188104984490831954500984839377522725705257859194"
     "4993870073695755688436933812779613089230392569695253261620823676490316036551371447913932347169566988069", _RSA, "composite, factors unknown"),
    ("rsa-2048", "251959084756578934940271832400483985714292821262040320277771378360436620207075955562640185258807844069182906412495150821"
     "892985591491761845028084891200728449926873928072877767359714183472702618963750149718246911650776133798590957000973304597"
     "488084284017974291006424586918171951187461215151726546322822168699875491824224336372590851418654620435767984233871847744"
     "479207399342365848238242811981638150106748104516603773060562016196762561338441436038339044149526344321901146575444541784"
     "240209246165157233507787077498171257724679629263863563732899121548314381678998850404453640235273819513786365643912120103"
     "97122822120720357", _RSA, "composite, factors unknown; modulus of delay functions and accumulators"),
    ("modp2048", "0xffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437"
     "4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598"
     "da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3be39e"
     "772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa051015728e5a8aacaa68ffffffffffffffff", _MODP, "2^2048 - 2^1984 - 1 + 2^64*(floor(2^1918*pi) + 124476)"),
    ("modp3072", "0xffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437"
     "4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598"
     "da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3be39e"
     "772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa051015728e5a8aaac42dad33170d04507a33a85521"
     "abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d8760273"
     "3ec86a64521f2b18177b200cbbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff", _MODP, "2^3072 - 2^3008 - 1 + 2^64*(floor(2^2942*pi) + 1690314)"),
)  # fmt: skip

# Of a curve, or of a modulus that has no curve.
_ALIASES: dict[str, tuple[str, ...]] = {
    "p192": ("secp192r1", "prime192v1", "nistp192"),
    "p224": ("secp224r1", "nistp224"),
    "p256": ("secp256r1", "prime256v1", "nistp256"),
    "p384": ("secp384r1", "nistp384"),
    "p521": ("secp521r1", "nistp521"),
    "secp256k1": ("bitcoin", "K-256"),
    "curve25519": ("ed25519", "x25519", "edwards25519", "ristretto255"),
    "curve448": ("ed448", "x448", "edwards448", "ed448-goldilocks", "decaf448"),
    "curve1174": ("ed-1174",),
    "bn254": ("alt_bn128", "bn128"),
    "bls12-377": ("bls377",),
    "bls12-381": ("bls381",),
    "stark252": ("stark-curve", "starknet"),
    "babyjubjub": ("baby-jubjub",),
    "fp256bn": ("bn-p256", "tpm-bn-p256"),
    "secq256k1": ("secq",),
    **{f"brainpoolp{bits}r1": (f"brainpoolp{bits}t1", f"bp{bits}r1") for bits in (160, 192, 224, 256, 320, 384, 512)},
    "sm2": ("sm2p256v1", "curve-sm2"),
    "goldilocks64": ("goldilocks", "goldilocks-field"),
    "mersenne31": ("m31",),
    "mersenne61": ("m61",),
    "mlkem": ("kyber", "crystals-kyber", "fips203",
              *(f"{name}{size}" for name in ("mlkem", "kyber") for size in (512, 768, 1024))),
    "mldsa": ("dilithium", "crystals-dilithium", "fips204", "mldsa44", "mldsa65", "mldsa87",
              "dilithium2", "dilithium3", "dilithium5"),
    "falcon": ("falcon512", "falcon1024", "fn-dsa", "newhope"),
    "sike-p434": ("sikep434", "p434"),
    "sike-p503": ("sikep503", "p503"),
    "sike-p610": ("sikep610", "p610"),
    "sike-p751": ("sikep751", "p751"),
    "fermat4": ("f4",),
    "modp2048": ("dh-group-14",),
    "modp3072": ("dh-group-15",),
}  # fmt: skip

CATALOGUE: dict[str, Modulus] = {
    name: Modulus(parse_integer(text), name, source, note, _ALIASES.get(name.removesuffix(".fp"), ()))
    for name, text, source, note in _ENTRIES
}

NO_MODULUS = Modulus(0)
"""The modulus of a model that does not reduce: integers modulo 0 are the integers."""

_BY_VALUE = {entry.modulus: entry for entry in reversed(CATALOGUE.values())}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9 ._-]*$")
_FIELDS = {"fp": ".fp", "fq": ".fp", "fr": ".fr", "fn": ".fr"}
"""Spellings of a curve's field after its name."""


def spelling(name: str) -> str:
    """A name without what people write in different ways: case, blanks, `-`, `_` and `.`."""
    return re.sub(r"[\s._-]", "", name.lower())


@cache
def spellings() -> Mapping[str, str]:
    """The catalogue's name for each spelling of a name or an alias."""
    found: dict[str, str] = {}
    for name in CATALOGUE:
        curve, dot, field = name.rpartition(".")
        for known in (curve or name, *_ALIASES.get(curve or name, ())):
            written = [f"{known}{how}" for how, meant in _FIELDS.items() if dot and meant == dot + field]
            for text in (*written, *([] if field == "fr" and dot else [known])):
                found[spelling(text)] = name
    return found


def by_name(name: str) -> Modulus:
    """Catalogue entry of a name or an alias, a bare curve name meaning its `.fp`; raises ParameterError("prime")."""
    entry = CATALOGUE.get(name) or CATALOGUE.get(spellings().get(spelling(name), ""))
    if entry is None:
        near = difflib.get_close_matches(spelling(name), spellings(), 8, 0.75)
        others = list(dict.fromkeys(re.sub(r"\.f[pr]$", "", spellings()[text]) for text in near))[:3]
        # Another curve is not what was meant: names that are near it are only named.
        hint = f"; other moduli with a name near it: {', '.join(others)}" if others else ""
        raise ParameterError("prime", f"the catalogue has no {shown(name)}{hint}; `limbtrace primes` lists the names")
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
