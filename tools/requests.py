# SPDX-License-Identifier: Apache-2.0
"""The requests of the answers list, in families: every model, core, format, kind of operands and error sentence.

Names are written out here and not taken from the product, so that a lost name is noticed.

One file, although it is long: it is a table.
"""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import product

OUTLINES = {
    "usage": "sentences of click",
    "library": "sentences of pydantic, FastAPI, the TOML parser and slang",
    "plot": "pictures of matplotlib, which are the same bytes with the same release only",
}
"""Families whose answers are compared only by status and emptiness, with the author of the remaining text."""

PRIMES = (
    "p192.fp", "p192.fr", "p224.fp", "p224.fr", "p256.fp", "p256.fr", "p384.fp", "p384.fr", "p521.fp", "p521.fr",
    "secp256k1.fp", "secp256k1.fr", "curve25519.fp", "curve25519.fr", "curve448.fp", "curve448.fr", "bn254.fp",
    "bn254.fr", "bls12-381.fp", "bls12-381.fr", "goldilocks64", "mlkem", "mldsa", "sike-p434", "sike-p503",
    "sike-p610", "sike-p751", "p771", "generic128", "iddmm-a256", "iddmm-a512", "iddmm-a1024",
)  # fmt: skip
PAPERS = ("iddmm", "fpmm", "redundant", "hffm", "llmonpro")
KINDS = ("mixed", "random", "edge", "runs", "lazy", "chained")

MODELS = {
    "cios": ["--prime 13 --radix 2^3", "--prime secp256k1", "--prime 2^64-1 --set w=17"],
    "fpmm": ["--prime 13 --set w=3 --set s=2", "--prime generic128", "--prime 2^61-1 --radix 2^17 --set sigma=2"],
    "r2mm": ["--prime 11", "--prime mldsa", "--prime 2^64-1"],
    "mwr2mm": ["--prime 11 --set w=4", "--prime mldsa", "--prime goldilocks64 --set w=16"],
    "mwr2kmm": ["--prime 11 --set k=3 --set w=4", "--prime mldsa", "--prime goldilocks64 --radix 2^4 --set D=18"],
    "imm": ["--prime 11 --set k=2", "--prime p256", "--prime 2^64-1 --radix 2^16 --set passes=6"],
    "iddmm1": ["--prime 13 --radix 2^2", "--prime p256", "--prime 2^64-1 --radix 2^16 --set passes=5"],
    "iddmm2": ["--prime 13 --radix 2^2", "--prime iddmm-a256", "--prime 2^64-1 --radix 65536 --set T=5 --set n=4"],
    "orup": ["--prime 13 --set r=4", "--prime p256", "--prime mldsa --set r=7 --set tail=1"],
    "redundant": [
        "--prime 13 --set r1=7 --set r2=6", "--prime p256", "--prime curve25519 --set overlap=1",
        "--prime mldsa --radix 2^16 --set fused=1 --set qcarry=1 --set tail=1",
    ],
    "barrett": ["--prime 13", "--prime p771", "--prime 15 --set k=12"],
    "effm": ["--prime 71", "--prime 2*2^4*3^2-1", "--prime sike-p503"],
    "ffm1": ["--prime 71", "--prime 2*2^4*3^2-1", "--prime p771"],
    "ffm2": ["--prime 17", "--prime sike-p434", "--prime 2^4*3^2+1 --set sign=1"],
    "hffm": ["--prime 59", "--prime sike-p434", "--prime 191 --set N=8 --set split=8", "--prime 59 --set window=hac"],
    "monpro": ["--prime 13", "--prime p256", "--prime mlkem --set n=16"],
    "redmonpro": ["--prime 13", "--prime p256", "--prime mlkem --set n=16"],
    "ozturk": ["--set d=3 --set k=2", "", "--radix 2^4 --set k=3"],
    "llmonpro": ["--prime 13 --set d=4", "--prime 2^127-1 --radix 2^16", "--prime 2^61-1 --set d=8 --set variant=alg7"],
    "vdf": [
        "--prime 13 --set d=4 --set t=3", "--prime 2^29-3 --set d=8 --set t=20 --set entry=1",
        "--prime p256 --set t=200 --set variant=alg7",
    ],
    "blakley": ["--prime 13", "--prime 1000 --set r=2", "--prime p256 --set r=4 --set n=65"],
    "solinas": ["--prime 13", "--prime p256", "--prime goldilocks64 --set below=2^N --set w=8"],
    "fold": ["--prime 13", "--prime 2^255-19", "--prime goldilocks64 --set below=2^N"],
    "koc_sos": ["--prime 13 --radix 2^2", "--prime p256", "--prime mlkem --set w=4 --set below=2*p"],
    "koc_cios": ["--prime 13 --radix 2^2", "--prime secp256k1 --radix 2^64", "--prime mlkem --set w=7 --set below=2*p"],
    "koc_fios": ["--prime 13 --radix 2^2", "--prime p256", "--prime mlkem --set below=R --set final=unreduced"],
    "koc_fips": ["--prime 13 --radix 2^2", "--prime p256", "--prime 2^64-1 --radix 2^16 --set s=5"],
    "koc_cihs": ["--prime 13 --radix 2^2", "--prime p256", "--prime 2^64-1 --radix 2^16 --set s=5"],
    "barrett_reduce": ["--prime 13", "--prime mldsa --set alpha=N+1 --set below=2^(2*N)", "--prime 2^64 --set beta=0"],
    "barrett_mul": ["--prime 13", "--prime p256 --set beta=-N", "--prime mlkem --set alpha=12 --set beta=4-N"],
    "modmul": ["--prime 12", "--prime 2^64", "--prime p256 --set below=2*p"],
    "reduce": ["--prime 12", "--prime mlkem --set below=2^(N+3)", "--prime p256"],
    "square": ["--prime 12", "--prime mlkem", "--prime 2^64-2 --set below=2^N"],
    "montgomery": ["--prime 13", "--prime p256 --set r=264", "--prime mlkem --set below=2*p --set final=unreduced"],
    "butterfly_ct": ["--prime 13", "--prime mlkem", "--prime mldsa --set r=32"],
    "butterfly_gs": ["--prime 13", "--prime mldsa --set halve=1", "--prime mlkem --set r=16"],
    "modmac": ["--prime 12", "--prime mlkem", "--prime goldilocks64"],
    "modadd": ["--prime 12", "--prime mlkem", "--prime p256"],
    "modsub": ["--prime 12", "--prime mlkem", "--prime p256"],
    "modneg": ["--prime 12", "--prime mlkem", "--prime p256"],
    "modhalve": ["--prime 13", "--prime mlkem", "--prime p256"],
    "redc": ["--prime 13", "--prime goldilocks64", "--prime mldsa --set r=32 --set below=2^(2*N)"],
}  # fmt: skip
"""Settings of each model, the cheapest first."""
PRINTED = (
    "fpmm", "mwr2mm", "mwr2kmm", "iddmm1", "iddmm2", "redundant", "effm", "ffm1", "hffm", "ozturk", "llmonpro", "vdf",
)  # fmt: skip

CORES = {
    "iddmm_arch1": ["--prime 0xea7 --radix 2^4", "--prime 13 --radix 2^2 --set pipeline=1", "--prime p256"],
    "iddmm_arch2": ["--prime 0xea7 --radix 2^4", "--prime 13 --radix 2^2 --set pipeline=2", "--prime 9 --set k=3"],
    "r2mm_bitserial": ["--prime 13", "--prime mlkem"],
    "mwr2mm_wordserial": ["--prime 13 --set w=4", "--prime mldsa --set w=8"],
    "koc_cios": ["--prime 13 --radix 2^2", "--prime mldsa --radix 2^8"],
    "fpmm": ["--prime generic128", "--prime 2^126-137 --set version=small --set sigma=3 --set theta=5"],
    "redundant": ["--prime mldsa", "--prime p256 --set ways=2", "--prime 2^64-59 --set ways=3"],
    "hffm": ["--prime 191", "--prime sike-p434", "--prime 59 --set split=8"],
    "llmonpro": ["--prime 2^13-1 --set d=4", "--prime 2^61-1 --set cycles=3"],
    "barrett_pipeline": ["--prime 13", "--prime mldsa --set beta=0"],
    "barrett_reducer": ["--prime 13", "--prime mldsa --set beta=0"],
    "vdf_squarer": ["--prime 13 --set d=4 --set t=3", "--prime 2^29-3 --set t=5 --set cycles=2 --set w=16"],
    "vdf_squarer_axil": ["--prime 13 --set d=4 --set t=3", "--prime 2^29-3 --set t=5"],
}
"""Settings of each core, the cheapest first."""
ERRATA = tuple(
    f"{paper}.{number}"
    for paper, numbers in {
        "iddmm": """
            E1 E1b E2 E3 E4 E5 E6 E7 E8 E8b E9 E9a E9b E9c E9e E9f E9g E10 E11 E12 E13 E27 E22 E23 E24 E25
            E14 E15 E16 E17 E18 E19 E20 E21 E26 E28 E29 E30
        """,
        "fpmm": """
            E7 E8 E9 E10 E11 E12 E13 E14 E1 E2 E3 E6 E4 E5 E16 E19 E15 E17 E18 E20 E21 E22 E23 E24 E25 E26
            E27 E28
        """,
        "redundant": """
            E1 E1b E2 E3 E4 E5 E6 E8 E9 E10 E11 E12 E14 E17 E26 E7 E18 E19 E19b E20 E21 E22 E23 E24 E25 E13
            E27 E28
        """,
        "hffm": """
            E1 E2 E3 E4 E5 E5b E6 E7 E8 E9 E10 E11 E11b E12 E13 E14 E14b E19 E15 E16 E18 E24 E21 E22 E23 E25
            E17 E20
        """,
        "llmonpro": """
            E1 E1-square E1-64-16 E1-128-16 E1-128-32 E1-256-16 E1-256-32 E1-256-64 E1-512-16 E1-512-32
            E1-512-64 E1-1024-16 E1-1024-32 E1-1024-64 E2 E3 E4 E4b E6 E7 E7b E10 E25 E18 E19 E21 E16 E5 E8
            E9 E11 E13 E15 E17 E23 E12 E14 E20
        """,
    }.items()
    for number in numbers.split()
)
"""Ids of errata."""
UNARY = ("vdf", "vdf_squarer", "vdf_squarer_axil", "square", "reduce", "redc", "barrett_reduce", "barrett_reducer")

TINY = "--prime 251 --set k=4"
SET = f"limbtrace vectors iddmm2 {TINY} --count 8 --seed 3 --kind mixed"
WRITERS = {
    "set.json": f"{SET} -o set.json",
    "set.ndjson": f"{SET} --format ndjson -o set.ndjson",
    "set.csv": f"{SET} --format csv -o set.csv",
    "set.tar": f"{SET} --format readmemh -o set.tar",
    "set": f"{SET} --format readmemh -o set",
    "chains.json": "limbtrace vectors vdf --prime 13 --set d=4 --set t=9 --count 3 --checkpoints 2 -o chains.json",
    "digits.csv": "limbtrace vectors redundant --prime 13 --set overlap=1 --count 3 --format csv -o digits.csv",
    "trace.json": f"limbtrace trace iddmm2 {TINY} --a 7 --b 200 -o trace.json",
    "trace.csv": f"limbtrace trace iddmm2 {TINY} --a 7 --b 200 --format csv -o trace.csv",
    "cycles.json": f"limbtrace cycles iddmm_arch2 {TINY} --operands 7,200 --operands 3,5@11 -o cycles.json",
    "cycles.csv": f"limbtrace cycles iddmm_arch2 {TINY} --operands 7,200 --format csv -o cycles.csv",
    "fp2.json": "limbtrace fp2 hffm --prime 59 --op mul --count 2 --steps -o fp2.json",
    "fp2.csv": "limbtrace fp2 hffm --prime 59 --op sqr --count 2 --format csv -o fp2.csv",
}
"""Steps that create the documents to be verified."""
RESULTS = '{"model":"iddmm2","prime":"13","radix":"2^2","results":[{"a":"0x7","b":"0xb","result":"0x11"}]}'
REPORT = (
    '{"format":"limbtrace/1","core":"iddmm_arch2","model":"iddmm2","simulator":"icarus","mode":"lockstep","verified":3,'
    '"mismatches":1,"cycles":45,"signals":9,"seed":1,"products_per_second":300.0,"disturbances":{},'
    '"first_divergence":{"case":3,"a":"0x801","b":"0x6a7","cycle":4,"signal":"An","step":["A",[1,3]],"expected":"0x1",'
    '"seen":"0x0","replay":"limbtrace sim ./iddmm_arch2 --prime 0xea7 --only 3"},'
    '"prime":{"name":null,"modulus":"0xea7","bits":12,"primality":"composite"},"radix":"2^4",'
    '"params":{"n":3,"passes":3,"pipeline":0},"build":{"K":4},"count":40,"kind":"mixed"}'
)
"""As `sim --json` writes it."""


def _operands(name: str) -> str:
    return "--a 5" if name in UNARY else "--a 5 --b 7"


def _models() -> Iterable[str]:
    for name in ("", *MODELS):
        yield f"limbtrace models {name}".strip()
        yield f"limbtrace models {name} --json".replace("  ", " ")


def _primes() -> Iterable[str]:
    yield from ("limbtrace primes", "limbtrace primes --json", "limbtrace primes p256", "limbtrace primes secp256k1")
    for name in PRIMES:
        yield f"limbtrace primes {name} --json"
    for name in ("13", "15", "0xd01", "2^127-1", "'(2^8-1)*3'", "3329", "2^16384-1"):
        yield f"limbtrace primes {name}"


def _moduli() -> Iterable[str]:
    for options in (
        "--bits 64 --radix 2^16", "--bits 256 --radix 2^64 --count 9", "--bits 4 --composite yes --even --widths",
        "--bits 23 --radix 2^8 --composite only --count 20", "--bits 521 --count 5 --widths",
        "--bits 64 --core iddmm_arch2 --set k=16 --count 12", "--bits 60 --core hffm --count 4 --composite no",
    ):  # fmt: skip
        yield from (f"limbtrace moduli {options}", f"limbtrace moduli {options} --json")


def _cores() -> Iterable[str]:
    for name in ("", *CORES):
        yield f"limbtrace cores {name}".strip()
        yield f"limbtrace cores {name} --json".replace("  ", " ")


def _traces() -> Iterable[str]:
    for model, shapes in MODELS.items():
        for k, shape in enumerate(shapes):
            asked = f"limbtrace trace {model} {shape} {_operands(model)}".replace("  ", " ")
            yield f"{asked} --check"
            if k == 0:
                yield from (f"{asked} --format csv --check", f"{asked} --format text -o trace.txt")
            if model in PRINTED:
                yield f"{asked} --set form=printed --format text --check"
    yield from (
        "limbtrace trace vdf --prime 13 --set d=4 --set t=9 --a 5 --step 0",
        "limbtrace trace vdf --prime 13 --set d=4 --set t=9 --a 5 --step 7 --format text --check",
        "limbtrace trace vdf --prime 13 --set d=4 --set t=9 --a 5 --step 10",
        "limbtrace trace iddmm2 --prime 13 --radix 2^2 --a '[3,1]' --b [3,2] --format csv",
        "limbtrace trace cios --prime 2^255-19 --radix 2^64 --a 2^255-20 --b 0xffff --format text",
        "limbtrace trace redundant --prime p256 --a [1,2,3] --b [4,5] --format text",
        "limbtrace trace ozturk --set d=2 --set k=2 --a [5,6,5] --b [6,7,3] --set form=printed --check",
        "limbtrace trace hffm --prime 59 --a 59 --b 59 --check",
        "limbtrace trace mwr2kmm --prime 5 --set k=3 --set w=4 --a 4 --b 1 --set form=printed --check",
    )


def _vectors() -> Iterable[str]:
    for model, shapes in MODELS.items():
        first, *others = (f"limbtrace vectors {model} {shape}".strip() for shape in shapes)
        yield from (f"{first} --count 5", f"{first} --format ndjson --count 17 --seed 0xfeed", f"{first} --format csv")
        yield f"{first} --format readmemh --count 3 -o memory"
        yield from (f"{first} --kind {kind} --count 17 --format csv" for kind in KINDS)
        yield from (f"{other} --count 4" for other in others)
        if model in PRINTED:
            yield f"{first} --set form=printed --count 9 --format csv"
    for model in ("cios", "redundant", "vdf", "ozturk"):
        first = f"limbtrace vectors {model} {MODELS[model][0]}"
        yield from (f"{first} --count 1", f"{first} --count 1000 --format ndjson", f"{first} --count 0")
        yield from (f"{first} --format readmemh --count 2", f"{first} --format readmemh --count 2 -o memory.tar")
        yield f"{first} --format csv --count 3 -o out.csv"
        yield from (f"{first} --format {form} --count 3 -o out" for form in ("coe", "mif", "sv", "vhdl", "raw"))
    chain = "limbtrace vectors vdf --prime 2^29-3 --set t=50 --count 3"
    yield from (f"{chain} --checkpoints {n} --format {form}" for n, form in product((4, 50), ("json", "csv", "ndjson")))
    yield f"{chain} --checkpoints 9 --format readmemh -o memory"
    yield from (
        "limbtrace vectors iddmm2 --prime p521 --radix 2^32 --seed 2^64-1 --count 3",
        "limbtrace vectors mwr2mm --prime 3 --set w=1 --kind edge --count 12",
        "limbtrace vectors r2mm --prime 3 --kind lazy --count 40 --format csv",
        "limbtrace vectors iddmm2 --prime 9 --set k=2 --set passes=3 --kind lazy --count 40 --format csv",
        "limbtrace vectors redundant --prime p256 --set overlap=0x1234 --kind chained --count 9",
        "limbtrace vectors cios --prime p256 --kind events --count 40 --format csv",
        "limbtrace vectors hffm --prime sike-p434 --kind directed --count 40 --format csv",
        "limbtrace vectors cios --prime p256 --radix 2^34 --words 17 --words 0x22 --count 40 --format csv",
        "limbtrace vectors iddmm2 --prime p256 --event q[3]=max --event C[1,2]>=beta --count 5",
        *(
            f"limbtrace vectors cios --prime p256 --kind {kind} --count 10^12 --shard 987654/333333333333 --format csv"
            for kind in (*KINDS[:-1], "events", "directed")
        ),
        "limbtrace vectors hffm --prime 59 --count 40 --shard 2/3 --format ndjson",
        "limbtrace vectors monpro --prime 13 --kind exhaustive --shard 2/5 --format csv",
        "limbtrace digest cios --prime p256 --count 10000 --kind mixed --leaf 1024 --leaves --jobs 2",
        "limbtrace digest iddmm2 --prime p256 --count 2^48 --kind random --leaf 64 --first 2^40 --last 2^40+127",
        "limbtrace digest vdf --prime 13 --set d=4 --set t=9 --count 9 --leaf 4 --level 1",
        "limbtrace events iddmm2",
        "limbtrace events iddmm2 --prime mlkem --radix 2^4",
        "limbtrace events llmonpro --prime 61 --set d=4 --json",
        "limbtrace vectors hffm --prime 59 --count 3 -o a ; limbtrace vectors hffm --prime 71 --count 2 -o a",
        "limbtrace vectors cios --prime 13 --format readmemh -o m ; limbtrace vectors cios --prime 13 "
        "--format readmemh --count 2 -o m",
    )


def _constants() -> Iterable[str]:
    for model, shapes in MODELS.items():
        yield from (f"limbtrace constants {model} {shapes[0]} --format {form}" for form in ("json", "sv", "vhdl"))
        yield f"limbtrace constants {model} {shapes[1]}".strip()
    yield "limbtrace constants cios --prime secp256k1 --format vhdl -o constants.vhd"


def _sources() -> Iterable[str]:
    yield "limbtrace library iddmm2 --prime p256 --radix 2^32 -o made"
    yield "limbtrace library iddmm_arch2 --prime 13 --radix 2^2 --name golden -o made"
    yield "limbtrace library hffm --core --prime 59 --products 3 -o made"
    yield "limbtrace library vdf --prime 61 --set d=4 --set t=2 -o made"
    yield "limbtrace library iddmm2 --bits 256 --radix 2^32 -o made"
    yield "limbtrace library fpmm --core --bits 17 --radix 2^10 --products 2 -o made"
    yield "write mine/thesis.tex x ; limbtrace library iddmm2 --prime 13 --radix 2^2 -o mine"
    for wrong in ("nix --prime 13", "iddmm2", "iddmm2 --prime 13 --products 2", "iddmm2 --prime 13 --name 2x",
                  "iddmm_arch2 --prime 13 --products 65", "llmonpro --prime 2^4096-1 --radix 2^16",
                  "iddmm2 --bits 13 --prime 0x1fff", "hffm --bits 434", "ozturk --bits 64", "iddmm2 --bits 2",
                  "iddmm2 --prime 2^4096-1 --radix 2^4", "redundant --prime p256 --set overlap=1"):  # fmt: skip
        yield f"limbtrace library {wrong} -o made"


def _fp2() -> Iterable[str]:
    for model, shapes in MODELS.items():
        yield f"limbtrace fp2 {model} {shapes[0]} --op mul --count 2 --format csv"
    for op, form in product(("mul", "sqr"), ("json", "csv")):
        yield f"limbtrace fp2 hffm --prime 59 --op {op} --count 3 --format {form}"
        yield f"limbtrace fp2 iddmm2 --prime mlkem --radix 2^4 --op {op} --count 2 --steps --format {form} --seed 9"
        yield f"limbtrace fp2 cios --prime 2^61-1 --op {op} --kind edge --count 2 --format {form}"
    yield from (
        "limbtrace fp2 hffm --prime sike-p434 --op mul --count 2",
        "limbtrace fp2 hffm --prime 59 --op mul --a [5,7] --b [2,3] --steps -o fp2.json",
        "limbtrace fp2 hffm --prime 59 --op sqr --a [5,7]",
        "limbtrace fp2 hffm --prime 59 --op sqr --a [5,7] --b [1,1]",
        "limbtrace fp2 hffm --prime 59 --op mul --a [5,7]",
        "limbtrace fp2 hffm --prime 59 --op mul --b [5,7]",
        "limbtrace fp2 hffm --prime 59 --op mul --a [5] --b [1,2]",
        "limbtrace fp2 hffm --prime 59 --op mul --a 5 --b [1,2]",
        "limbtrace fp2 hffm --prime 59 --op mul --a [60,7] --b [1,2]",
        "limbtrace fp2 hffm --prime 59 --op mul --a [5,7] --b [2,3] --count 2",
        "limbtrace fp2 hffm --prime 59 --op div",
        "limbtrace fp2 hffm --prime 59 --op mul --kind chained",
        "limbtrace fp2 hffm --prime 59 --op mul --count 0",
        "limbtrace fp2 barrett --prime 13 --op mul",
        "limbtrace fp2 barrett --prime 15 --op mul",
        "limbtrace fp2 vdf --prime 11 --op sqr",
        "limbtrace fp2 ozturk --prime 11 --op mul",
    )


def _cycles() -> Iterable[str]:
    for core, shapes in CORES.items():
        first, *others = (f"limbtrace cycles {core} {shape}" for shape in shapes)
        for form in ("json", "csv", "vcd", "gtkw", "samples", "units", "svg"):
            yield f"{first} --count 2 --format {form}"
        yield f"{first} --count 1 --kind edge --seed 5 --format csv"
        yield f"{first} --count 5 --kind chained --format csv"
        yield f"{first} --count 2 --format fst -o waves.fst"
        yield from (f"{other} --count 3 --format csv" for other in others)
        pairs = "--operands 5 --operands 3@{0}" if core in UNARY else "--operands 5,7 --operands 3,2@{0}"
        yield from (f"{first} {pairs.format(start)} --format csv" for start in (1, 101))
    yield from (
        "limbtrace cycles hffm --prime 191 --count 4 --format svg -o units.svg",
        "limbtrace cycles iddmm_arch2 --prime 0xea7 --radix 2^4 --count 2 --format vcd -o waves.vcd",
        "limbtrace cycles hffm --prime 191 --count 7 --seed 4 --format units",
        "limbtrace cycles hffm_layers --prime 191 --count 3",
        "limbtrace cycles hffm_layers --prime 191 --set first_layer=1 --count 4 --format units",
        "limbtrace cycles hffm_layers --prime 191 --set first_layer=2 --count 1",
        "limbtrace cycles fpmm --prime generic128 --count 12 --format csv",
        "limbtrace cycles fpmm --prime 251 --set w=4 --operands 5,7 --operands 9,11@2 --format csv",
        "limbtrace cycles redundant --prime mldsa --operands [1,2],[3] --format csv",
    )


def _tables() -> Iterable[str]:
    for paper in ("", *PAPERS):
        yield f"limbtrace tables {paper}".strip()
        yield f"limbtrace tables {paper} --json".replace("  ", " ")


def _explore() -> Iterable[str]:
    first = "limbtrace explore fpmm --bits 128"
    for options, form in product(("", " --device V7", " --frequency 500"), ("json", "csv", "svg")):
        if form != "svg":
            yield f"{first}{options} --format {form}"
    yield from (
        f"{first} --point F44D --point S44B", "limbtrace explore fpmm --bits 256 --format csv",
        "limbtrace explore fpmm --bits 192 --device S6 --format csv -o designs.csv",
        f"{first} --point F44D --prime generic128 -o design", f"{first} --point F44D --prime generic128",
        f"{first} --prime generic128 -o design", f"{first} --point F44D --prime p256 -o design",
        f"{first} --point F44D --prime generic128 -o design --device V7",
        f"{first} --point nix", f"{first} --device nix", f"{first} --frequency 0", f"{first} --frequency fast",
        f"{first} --device V7 --frequency 500", f"{first} --family xc7", f"{first} --synth --family nix",
        f"{first} --point F44D --point F44D", "limbtrace explore fpmm --bits 1", "limbtrace explore fpmm --bits 2^40",
        "limbtrace explore fpmm --bits many", "limbtrace explore hffm --bits 128", "limbtrace explore nix --bits 128",
    )  # fmt: skip


def _plots() -> Iterable[str]:
    first = "limbtrace explore fpmm --bits 128"
    yield from (f"{first} --format plot", f"{first} --format svg", f"{first} --device V7 --format plot -o designs.svg")
    yield "GET /v1/explore?core=fpmm&bits=128&format=plot"


def _exports() -> Iterable[str]:
    for core, shapes in CORES.items():
        first, *others = (f"limbtrace export {core} {shape}" for shape in shapes)
        yield from (f"{first} --count 4 -o out", f"{first} --count 4 --every-cycle -o out")
        yield from (f"{other} --count 3 --kind edge -o out" for other in others)
    small = "limbtrace export iddmm_arch2 --prime 0xea7 --radix 2^4"
    yield from (
        f"{small} --operands 5,7 --operands 9,11 -o out", f"{small} --only 3 -o out", f"{small} --seed 9 -o out",
        f"{small} --count 2 -o out ; {small} --count 3 -o out", f"{small} --part xc7a35tcpg236-1 --period 2.5 -o out",
        f"{small} --build UseDsp=0 -o out", f"{small} --part nix -o out", f"{small} --part xc7/a -o out",
        f"{small} --period 0 -o out", f"{small} --period fast -o out", f"{small} --only 16 -o out",
        f"write out/thesis.tex x ; {small} -o out", f"{small} -o missing/out",
        "limbtrace export fpmm --prime generic128 --stream 3 --count 5 -o out",
        "limbtrace export redundant --prime mldsa --set ways=3 --stream 2 --count 5 --every-cycle -o out",
        "copy bit_toy ; limbtrace export bit_toy --prime 2^31-1 --count 3 -o out",
        "copy bit_toy ; limbtrace export bit_toy --prime 2^31-1 --count 3 --every-cycle -o out",
        "copy digit_toy ; limbtrace export digit_toy --prime mldsa --radix 2^8 --count 3 -o out",
    )  # fmt: skip


def _verify() -> Iterable[str]:
    for name, made in WRITERS.items():
        yield f"{made} ; limbtrace verify {name}"
        if name == "set":
            continue
        yield f"{made} ; cut {name} 90 ; limbtrace verify {name}"
        if name not in ("set.tar", "trace.csv", "fp2.csv", "digits.csv"):
            yield f"{made} ; cut {name} 700 ; limbtrace verify {name}"
    for name in ("set.json", "set.ndjson", "set.csv", "trace.json", "cycles.json", "cycles.csv", "fp2.json", "fp2.csv"):
        yield f"{WRITERS[name]} ; edit {name} limbtrace/1 limbtrace/9 ; limbtrace verify {name}"
    edits = [
        ("set.json", '"seed":3', '"seed":4'), ("set.json", '"residue":"0x', '"residue":"0x1'),
        ("set.json", '"result":"0x', '"result":"0x1'), ("set.json", '"a":"0x', '"a":"0x1'),
        ("set.json", '"digest":"sha256:', '"digest":"sha256:0'), ("set.json", '"numberOfTests":8', '"numberOfTests":9'),
        ("set.json", '"id":"', '"id":"0'), ("set.json", '"tests":[', '"tests":[{},'), ("set.json", "iddmm2", "iddmm1"),
        ("set.json", '"comment":"', '"comment":"x'), ("set.json", '"flags":[', '"flags":["nix",'),
        ("set.json", '"flags":', '"colours":'), ("set.json", '"0xfb"', '"0xfa"'),
        ("set.json", '"radix":"2^4"', '"radix":3'),
        ("set.ndjson", '"result":"0x', '"result":"0x1'), ("set.ndjson", "sha256:", "sha256:1"),
        ("set.ndjson", '"id":"', '"id":"1'), ("set.csv", ",0x", ",0x1"), ("set.csv", "id,a,b", "id,b,a"),
        ("set.csv", "sha256:", "sha256:1"), ("set.csv", '"end":8', '"end":7'), ("set.tar", "\\n04c", "\\n04d"),
        ("set.tar", '"numberOfTests":8', '"numberOfTests":7'), ("chains.json", '"checkpoints":[[', '"checkpoints":[[1'),
        ("chains.json", '"result":"0x', '"result":"0x1'), ("digits.csv", ",0x", ",0x1"),
        ("trace.json", '"result":"0x', '"result":"0x1'), ("trace.json", '["q",[0,0],"0x', '["q",[0,0],"0x1'),
        ("trace.json", '["q",[0,0]', '["z",[0,0]'), ("trace.json", '"a":"0x7"', '"a":"0x8"'),
        ("trace.json", '"a":"0x7"', '"a":7'), ("trace.csv", "q,", "z,"), ("trace.csv", ",0x", ",0x1"),
        ("cycles.json", '"0x8","0x0"', '"0x9","0x0"'), ("cycles.json", '"results":["0x', '"results":["0x1'),
        ("cycles.json", '"core":"iddmm_arch2"', '"core":"iddmm_arch1"'), ("cycles.json", '"starts":[0', '"starts":[1'),
        ("cycles.csv", "\\n0,0x", "\\n0,0x1"), ("cycles.csv", "\\n1,", "\\n7,"),
        ("fp2.json", '"result":', '"outcome":'),
        ("fp2.json", '"0x', '"0x1'), ("fp2.json", '"op":"mul"', '"op":"sqr"'), ("fp2.csv", ",0x", ",0x1"),
    ]  # fmt: skip
    for name, old, new in edits:
        yield f"{WRITERS[name]} ; edit {name} '{old}' '{new}' ; limbtrace verify {name}"
    digest = f"limbtrace digest iddmm2 {TINY} --count 50 --kind random --leaf 8"
    judged = "limbtrace verify --digest digest.json"
    measured = f"write board.bin '\\0' 400 ; {digest} --results board.bin --leaves -o digest.json ; {judged}"
    yield from (
        f"{digest} -o digest.json ; {judged}", f"{digest} --leaves -o digest.json ; edit digest.json 8 9 ; {judged}",
        f"{digest} -o digest.json ; cut digest.json 300 ; {judged}", measured, f"{measured} --results board.bin",
        f"{digest} -o digest.json ; limbtrace verify digest.json", f"{judged} --results x", "limbtrace verify",
    )  # fmt: skip
    memory = f"{WRITERS['set']} ; "
    yield from (
        f"{memory}edit set/manifest.json db6945 db6946 ; limbtrace verify set",
        f"{memory}edit set/a.hex 0 1 ; limbtrace verify set", f"{memory}cut set/result.hex 10 ; limbtrace verify set",
        f"{memory}edit set/manifest.json a.hex ../a.hex ; limbtrace verify set", "limbtrace verify .",
        "limbtrace verify nonesuch", "limbtrace verify /dev/null", "write f '' ; limbtrace verify f",
        "write f '\\0' 600 ; limbtrace verify f", "write f '\\xff\\xfe{' ; limbtrace verify f",
        "write f '{' 5000 ; limbtrace verify f", "write f '[' 100000 ; limbtrace verify f",
        "write f '# {' ; limbtrace verify f", "write f '# {\"group\":1}\\n' ; limbtrace verify f",
        "write f [] ; limbtrace verify f", "write f {} ; limbtrace verify f", "write f 1 ; limbtrace verify f",
    )  # fmt: skip
    for body in _results():
        yield f"write seen.json '{body}' ; limbtrace verify seen.json"


def _results() -> Iterable[str]:
    """Users' results, right and wrong."""
    yield RESULTS
    for old, new in (
        ('"0x11"', '"0x1"'), ('"result":"0x11"', '"result":"0x4","note":"mine"'), ('"0x7"', '"0x1f6"'),
        ('"0x7"', '"7"'), ('"0x7"', "7"), ('"13"', '"14"'), ('"13"', "13"), ('"13"', "null"), ('"13"', '"nix"'),
        ('"13"', '{"name":"mlkem","modulus":"0xd"}'), ('"13"', '{"modulus":"0xd"}'), ('"13"', "[13]"),
        ('"iddmm2"', '"nix"'), ('"iddmm2"', "2"), ('"model":"iddmm2",', ""), ('"prime":"13",', ""), ('"2^2"', '"3"'),
        ('"radix":"2^2"', '"radix":"2^2","compare":"residue"'), ('"radix":"2^2"', '"radix":"2^2","compare":"bits"'),
        ('"radix":"2^2"', '"params":{"k":2,"n":2}'), ('"radix":"2^2"', '"params":{"n":1}'),
        ('"radix":"2^2"', '"params":[1]'), ('"radix":"2^2"', '"radix":"2^2","format":"limbtrace/9"'),
        ('"radix":"2^2"', '"radix":"2^2","form":"printed"'), ('"radix":"2^2"', '"radix":"2^2","board":"mine"'),
        (',"result":"0x11"', ""), (',"b":"0xb"', ""), ('[{"a"', '[1,{"a"'), ('[{"a"', '{"x":[{"a"'),
    ):  # fmt: skip
        if old not in RESULTS:
            raise ValueError(f"{old} is not in the results")
        yield RESULTS.replace(old, new) + ("}" if new.startswith('{"x"') else "")
    yield RESULTS.replace('[{"a":"0x7","b":"0xb","result":"0x11"}]', "[]")


def _certify() -> Iterable[str]:
    for name in ("set.json", "set.csv", "set", "fp2.json", "chains.json"):
        yield f"{WRITERS[name]} ; limbtrace certify {name} ; limbtrace verify {name}"
    made = WRITERS["set.json"]
    yield from (
        f"{made} ; limbtrace certify set.json -o -", f"{made} ; limbtrace certify set.json -o set.json",
        f"{made} ; limbtrace certify set.json -o missing/c", f"{made} ; limbtrace certify set.json -o c",
        f"{made} ; edit set.json sha256: sha256:1 ; limbtrace certify set.json",
        f"{made} ; write set.json.certificate.json {{}} ; limbtrace verify set.json",
        f"{made} ; limbtrace certify set.json ; edit set.json.certificate.json sha256: sha256:1 "
        "; limbtrace verify set.json",
        "limbtrace vectors ozturk --set d=3 --set k=2 --count 3 -o o.json ; limbtrace certify o.json",
        "limbtrace vectors cios --prime 15 --count 3 -o c.json ; limbtrace certify c.json -o -",
        "limbtrace vectors iddmm2 --prime 13 --radix 2^2 --set form=printed --count 20 -o p.json ; "
        "limbtrace certify p.json -o - ; limbtrace verify p.json",
        f"{WRITERS['trace.json']} ; limbtrace certify trace.json",
        f"{WRITERS['cycles.json']} ; limbtrace certify cycles.json", "limbtrace certify nonesuch",
        "limbtrace certify /dev/null", "write f {} ; limbtrace certify f",
    )  # fmt: skip


def _errors() -> Iterable[str]:
    """Error sentences about requests that cannot be served."""
    operands = "--a 1 --b 1"
    for prime in (
        "256", "1", "0", "-3", "secp256k2", "9^9^9^9", "2^99999-1", "''", "nix", "2^255+", "'2^(3'", "1.5",
        "'__import__(1)'",
        "'" + "(" * 99 + "'", "2/3", "'3 5'", "0xg", "P256", "2^-1",
    ):  # fmt: skip
        yield f"limbtrace trace iddmm2 --prime {prime} {operands}"
    for settings in (
        "--radix 3", "--radix 0", "--radix 1", "--radix 2^9999", "--radix nix", "--radix 2^16 --set k=8",
        "--set k=8 --set k=9",
        "--set n=7", "--set n", "--set =1", "--set w=8", "--set k=2^20000", "--set form=nix", "--set passes=0",
        "--set passes=99999999", "--set pasess=3", "--set T=3 --set passes=4", "--set n=-1", "--set k=1.5", "--set k=",
    ):  # fmt: skip
        yield f"limbtrace trace iddmm2 --prime secp256k1 {settings} {operands}"
    for given in (
        "--a 2^258 --b 1", "--a 1 --b 2^256", "--a -1 --b 1", "--a [1,2 --b 1", "--a [4294967296] --b 1",
        "--a [] --b 1",
        "--a one --b 1", "--a 1", "--a '' --b 1", "--a [1,,2] --b 1", "--a [-1] --b 1", "--a 1 --b 1 --step 1",
    ):  # fmt: skip
        yield f"limbtrace trace iddmm2 --prime secp256k1 {given}"
    for model, refused in {
        "cios": ("--prime 13 --set s=1", "--prime 13 --radix 2", "--prime secp256k1 --radix 2^64 --set s=4",
                 "--prime 13 --set form=printed"),
        "fpmm": ("--prime 13 --set sigma=0", "--prime 13 --set theta=99", "--prime 13 --set s=1"),
        "r2mm": ("--prime 13 --radix 4", "--prime 13 --set w=4", "--prime 13 --set form=printed"),
        "mwr2mm": ("--prime 13 --set w=0", "--prime 13 --set e=1 --set w=2", "--prime 13 --set w=5000"),
        "mwr2kmm": ("--prime 13 --set k=4 --set w=2", "--prime 13 --set D=1", "--prime 13 --set NW=1"),
        "imm": ("--prime 13 --set n=1 --set k=2", "--prime 13 --set passes=0"),
        "orup": ("--prime 13 --set tail=2", "--prime 13 --set m=1 --set r=2", "--prime 13 --set r=0"),
        "redundant": ("--prime 13 --set r1=3", "--prime 13 --set r2=99",
        "--prime 13 --set r1=7 --set r2=7 --set fused=1",
                      "--prime 13 --set overlap=-1", "--prime p256 --set ds=3", "--prime p256 --set ma=3",
                      "--prime p256 --set mb=3", "--prime 13 --set qcarry=2"),
        "barrett": ("--prime 13 --set k=2", "--prime 13 --set k=99999", "--prime 13 --radix 2^4"),
        "effm": ("--prime 13", "--prime sike-p434", "--prime 15", "--prime 71 --set k=3"),
        "ffm1": ("--prime 13", "--prime p256", "--prime 15"),
        "ffm2": ("--prime p256", "--prime 17 --set sign=0", "--prime 17 --set sign=2", "--prime 23"),
        "hffm": ("--prime p256", "--prime 59 --set split=7", "--prime 59 --set N=2", "--prime 59 --set N=99999",
                 "--prime 59 --set window=nix", "--prime 13"),
        "monpro": ("--prime 13 --set n=3", "--prime 13 --set n=99999", "--prime 13 --radix 4"),
        "redmonpro": ("--prime 13 --set n=3", "--prime 14"),
        "koc_cios": ("--prime 13 --set s=0", "--prime 13 --radix 2^2 --set below=R+1", "--prime 13 --set final=once",
                     "--prime 61 --radix 2^3 --set below=R"),
        "modmul": ("--prime 1", "--prime 12 --set below=1", "--prime 12 --set below=2*q", "--prime 12 --set r=4"),
        "montgomery": ("--prime 12", "--prime 13 --set r=0", "--prime 13 --set final=maybe"),
        "ozturk": ("--prime 13", "--set k=0", "--set d=1", "--set d=16 --set k=99999"),
        "llmonpro": ("--prime p256 --set d=3", "--prime 13 --set k=0", "--prime 13 --set variant=alg6",
                     "--prime p256 --set k=3"),
    }.items():  # fmt: skip
        for setting in refused:
            yield f"limbtrace trace {model} {setting} {operands}"
    for model, (low, high) in {
        "cios": ("26", "25"), "fpmm": ("26", "25"), "r2mm": ("16", "15"), "mwr2mm": ("16", "15"),
        "mwr2kmm": ("16", "15"),
        "imm": ("26", "25"), "iddmm1": ("26", "25"), "orup": ("9999999999999", "12"), "barrett": ("256", "15"),
        "monpro": ("13", "12"), "redmonpro": ("13", "12"), "llmonpro": ("2^40", "12"), "redundant": ("2^90", "12"),
        "koc_cios": ("13", "12"), "modmul": ("13", "12"), "montgomery": ("13", "12"),
    }.items():  # fmt: skip
        yield f"limbtrace trace {model} --prime 13 --a {low} --b {high}"
        yield f"limbtrace trace {model} --prime 13 --a {high} --b {low}"
    for setting in ("--set t=0", "--set t=10^9", "--set entry=2", "--set k=1", "--b 3", "--step -1", "--step 99"):
        yield f"limbtrace trace vdf --prime p256 {setting} --a 5"
    yield from (
        "limbtrace trace nonesuch --prime 13 --a 1 --b 1", "limbtrace trace ios --prime 13 --a 1 --b 1",
        "limbtrace trace iddmm2 --a 1 --b 1", "limbtrace trace iddmm2 --prime 2^16384-1 --radix 2 --a 1 --b 1",
        "limbtrace models nonesuch", "limbtrace cores nonesuch", "limbtrace primes 4", "limbtrace primes nonesuch",
        "limbtrace errata nonesuch", "limbtrace errata iddmm.E999", "limbtrace tables nonesuch",
        "limbtrace defects nonesuch", "limbtrace defects --mechanism odd",
        "limbtrace defects go-13907 --mechanism carry",
        "limbtrace moduli --bits 1", "limbtrace moduli --bits 64 --even", "limbtrace moduli --bits 4096",
        "limbtrace moduli --bits 64 --set k=4", "limbtrace moduli --bits 64 --composite x",
        "limbtrace constants nix --prime 13", "limbtrace constants cios", "limbtrace constants ozturk --prime 13",
    )  # fmt: skip
    vectors = "limbtrace vectors iddmm2 --prime secp256k1"
    for given in (
        "--count 0", "--count 10^12", "--count many", "--count -1", "--seed -1", "--seed 2^64", "--seed x",
        "--kind odd",
        "--checkpoints 3", "--checkpoints x", "--count ''", "--format csv -o missing/set",
        "--format readmemh -o missing/set",
        "--shard 0/0", "--shard 3/2", "--shard x", "--shard 1/17", "--shard 1/2 --count 2^40",
        "--shard 1/2 --count 2^49",
        "-o .", "-o /dev/null",
    ):  # fmt: skip
        yield f"{vectors} {given}"
    for given in (
        "--count 2^49", "--leaf 3", "--leaf 0", "--level 1", "--first 1", "--first 0 --last 16", "--results x",
        "--kind chained", "--jobs 0", "--count 2^40 --leaves",
    ):  # fmt: skip
        yield f"limbtrace digest iddmm2 --prime secp256k1 {given}"
    yield f"write mine/thesis.tex x ; {vectors} --format readmemh -o mine"
    yield f"write mine/thesis.tex x ; {vectors} --format csv -o mine"
    yield "limbtrace vectors vdf --prime 13 --set t=3 --checkpoints 3"
    yield "limbtrace vectors vdf --prime 13 --set t=3 --checkpoints -1"
    cycles = "limbtrace cycles iddmm_arch2 --prime secp256k1"
    for given in (
        "", "--operands 1", "--operands 1,2,3", "--operands 1,1@x", "--operands 1,1@-1",
        "--operands 1,1 --operands 1,1@5",
        "--operands 1,1 --count 2", "--operands 1,1 --kind edge", "--operands 1,1 --seed 2", "--operands 1,1@10^9",
        "--operands 1,1@2^20000", "--operands 1,1 --set form=printed", "--count 10000000", "--count 0", "--kind odd",
        "--set pipeline=3 --count 1", "--set n=3 --count 1", "--operands 2^300,1", "--count 1 --set level=1",
    ):  # fmt: skip
        yield f"{cycles} {given}".strip()
    yield from (
        "limbtrace cycles nonesuch --prime 13 --count 1", "limbtrace cycles vdf_squarer --prime 13 --operands 1,2",
        "limbtrace cycles hffm --prime p256 --count 1",
        "limbtrace cycles redundant --prime p256 --set ways=4 --count 1",
        "limbtrace cycles fpmm --prime p256 --set version=slow --count 1",
        "limbtrace cycles iddmm_arch2 --prime 12 --count 1",
        "limbtrace cycles llmonpro --prime p256 --set cycles=8 --count 1",
        "limbtrace cycles hffm --prime 59 --set normalise=2 --count 1",
        "limbtrace cycles r2mm_bitserial --prime mlkem --count 1 --format units",
        "limbtrace cycles vdf_squarer --prime p256 --set t=10^8 --count 1",
        "limbtrace cycles fpmm --prime 2^400-593 --count 1",
    )  # fmt: skip
    for database in ("nix", "sqlite:////dev/null/sets", "mysql://nix", "''"):
        yield f"limbtrace serve --port 0 --database {database}"
    for name, value in (
        ("COUNT", "x"), ("COUNT", "0"), ("MODULUS_BITS", "1"), ("SECONDS", "-1"), ("CONCURRENT", "0"), ("AGE", "-1"),
    ):  # fmt: skip
        yield f"LIMBTRACE_MAX_{name}={value} limbtrace serve --port 0"


def _help() -> Iterable[str]:
    commands = (
        "models", "primes", "moduli", "cores", "errata", "tables", "trace", "cycles", "vectors", "digest", "fp2",
        "constants", "verify", "certify",
        "explore", "export", "reports", "serve", "sim", "synth",
    )  # fmt: skip
    yield from ("limbtrace --help", "limbtrace -h", "limbtrace --version")
    yield from (f"limbtrace {command} --help" for command in commands)


def _usage() -> Iterable[str]:
    yield from (
        "limbtrace", "limbtrace nonesuch", "limbtrace models --nonesuch", "limbtrace models cios fpmm",
        "limbtrace trace",
        "limbtrace trace iddmm2 --prime 13", "limbtrace trace iddmm2 --prime 13 --a 1 --b 1 --format xml",
        "limbtrace vectors cios --prime 13 --format vcd", "limbtrace cycles iddmm_arch2 --count 1",
        "limbtrace fp2 hffm --prime 59", "limbtrace explore fpmm", "limbtrace export iddmm_arch2 --prime 13",
        "limbtrace sim iddmm_arch2 --prime 13 --simulator ghdl", "limbtrace sim iddmm_arch2 --prime 13 --mode slow",
        "limbtrace sim iddmm_arch2 --prime 13 --patience -1",
        "limbtrace sim iddmm_arch2 --prime 13 --disturb all --disturb x",
        "limbtrace serve --port 99999", "limbtrace verify", "limbtrace certify", "limbtrace reports",
        "limbtrace --nonesuch",
    )  # fmt: skip


def _errata() -> Iterable[str]:
    yield from ("limbtrace errata", "limbtrace errata --json", "limbtrace errata --standing uncertain")
    yield from ("limbtrace grade set.json", "limbtrace grade missing.csv --prime 13")
    yield from (
        "limbtrace vectors modmul --prime 13 --count 4 --grade",
        "limbtrace vectors cios --prime 13 --count 4 --grade --format ndjson",
        "limbtrace vectors vdf --prime 241 --set t=4 --count 2 --checkpoints 2 --format acvp",
    )
    forms = ("wycheproof", "acvp", "rooterberg", "accumulated")
    yield from (f"limbtrace vectors {model} --prime 13 --count 3 --format {form}" for form in forms
                for model in ("montgomery", "square"))  # fmt: skip
    yield from ("limbtrace defects --mechanism sign", "limbtrace defects go-13907", "limbtrace defects go-13907 --json")
    # The JSON list holds all of them; a request for one costs as much as for all.
    yield from (f"limbtrace errata {name} --json" for name in ERRATA[::40])
    yield from (f"limbtrace errata {name}" for name in ERRATA[::8])


def _reports() -> Iterable[str]:
    """Reports of Vivado, by their layout."""
    head = "| Tool Version : Vivado v.2020.1 (lin64)\\n| Design : iddmm_arch2\\n| Device : xc7k160t-3\\n"
    timing = f"{head}    WNS(ns)  TNS(ns)  TNS Failing Endpoints  WHS(ns)\\n    ---  ---\\n    0.125  0.000  0  0.04\\n"
    timing += "clk_i  {0.000 2.500}        5.000           200.000         \\n"
    area = f"{head}| Site Type | Used |\\n| Slice LUTs | 123 |\\n| Slice Registers | 45 |\\n| DSPs | 6 |\\n"
    both = f"write r/route.timing.rpt '{timing}' ; write r/route.utilization.rpt '{area}'"
    yield from (
        f"{both} ; limbtrace reports r", f"{both} ; limbtrace reports r --json",
        f"{both} ; edit r/route.timing.rpt iddmm_arch2 other ; limbtrace reports r",
        f"write r/synth.utilization.rpt '{area}' ; limbtrace reports r",
        "write r/synth.utilization.rpt nonsense ; limbtrace reports r",
        f"write r/synth.timing.rpt '{head}' ; limbtrace reports r --json", "limbtrace reports .",
        "limbtrace reports nix",
    )  # fmt: skip


def _http() -> Iterable[str]:
    """The catalogue, and golden data."""
    yield from (
        "GET /healthz",
        "GET /openapi.json",
        "HEAD /openapi.json",
        "GET /v1/models",
        "GET /v1/primes",
        "GET /v1/cores",
        "GET /v1/errata",
        "GET /v1/errata?standing=uncertain",
        "GET /v1/defects?mechanism=sign",
        "GET /v1/defects/openssl-cve-2015-3193",
        "GET /v1/tables",
    )
    yield from (f"GET /v1/models/{model}" for model in MODELS)
    yield from (f"GET /v1/cores/{core}" for core in CORES)
    yield from (f"GET /v1/tables/{paper}" for paper in PAPERS)
    yield from (f"GET /v1/primes/{name}" for name in ("p256", "secp256k1.fr", "2^255-19", "13", "15", "0xd01"))
    yield from (f"GET /v1/errata/{name}" for name in ERRATA[::60])
    yield "GET '/v1/grades?model=modmul&prime=13&count=4'"
    yield "GET '/v1/grades?model=cios&prime=13&count=4'"
    yield "GET '/v1/vectors?model=square&prime=13&count=4&grade=true'"
    yield "GET '/v1/grades?model=modmul&prime=13&count=4&kind=random&words=2&words=3'"
    yield "GET '/v1/vectors?model=fpmm&prime=2%5E64-59&count=4&words=17'"
    yield "GET '/v1/vectors?model=modmul&prime=13&count=4&kind=edge&words=4'"
    yield "GET '/v1/moduli?bits=64&radix=2%5E16&count=12'"
    yield "GET '/v1/moduli?bits=12&radix=2%5E4&composite=yes&even=true&widths=true'"
    for name in (
        "certificate",
        "cycles",
        "digest",
        "explore",
        "fp2",
        "report",
        "tables",
        "trace",
        "vectors",
        "verdict",
        "verification",
    ):
        yield f"GET /v1/schemas/limbtrace-{name}-1.schema.json"
    for model, shapes in MODELS.items():
        query = _query(shapes[0])
        yield f"'GET' '/v1/vectors?model={model}{query}&count=3'"
        yield f"'GET' '/v1/constants?model={model}{query}&format=sv'"
        operands = "&a=5" if model in UNARY else "&a=5&b=7"
        yield f"GET '/v1/traces?model={model}{query}{operands}&check=true&format=text'"
    for core, shapes in CORES.items():
        yield f"GET '/v1/cycles?core={core}{_query(shapes[0])}&count=2'"
    for form in ("json", "ndjson", "csv", "readmemh"):
        yield f"GET '/v1/vectors?model=iddmm2&prime=mlkem&radix=2%5E4&count=5&seed=7&kind=lazy&format={form}'"
    for form in ("json", "csv", "text"):
        yield f"GET '/v1/traces?model=iddmm2&prime=13&k=2&a=7&b=11&form=printed&check=true&format={form}'"
    for form in ("json", "csv", "vcd", "gtkw", "samples", "units", "svg"):
        yield f"GET '/v1/cycles?core=hffm&prime=191&operands=5,7&operands=9,11@100&format={form}'"
    for form in ("json", "sv", "vhdl"):
        yield f"GET '/v1/constants?model=cios&prime=secp256k1&format={form}'"
    for form, op in product(("json", "csv"), ("mul", "sqr")):
        yield f"GET '/v1/fp2?model=hffm&prime=59&op={op}&count=2&format={form}&steps=true'"
    for form in ("json", "csv"):
        yield f"GET '/v1/explore?core=fpmm&bits=128&point=F44D&point=S44B&device=V7&format={form}'"
    yield from (
        "GET '/v1/fp2?model=hffm&prime=59&op=mul&a=[5,7]&b=[2,3]'",
        "GET '/v1/traces?model=cios&prime=13&w=3&a=[3,1]&b=5'",
        "GET '/v1/vectors?model=vdf&prime=13&d=4&t=9&checkpoints=2&count=2'",
        "GET '/v1/vectors?model=iddmm2&prime=13&set=k=2&set=passes=3&count=2'",
        "GET '/v1/traces?model=vdf&prime=13&d=4&t=9&a=5&step=3'",
        "GET '/v1/vectors?model=cios&prime=p256&count=2%5E40&shard=1000/333333333333&format=csv'",
        "GET '/v1/digests?model=cios&prime=p256&count=1000&kind=random&leaf=64&level=2'",
        "GET '/v1/digests?model=cios&prime=p256&count=2%5E48&kind=lazy&first=281474976710655&last=281474976710655'",
    )  # fmt: skip


def _query(settings: str) -> str:
    """Options of the command line as a query."""
    words = settings.replace("--set ", "").replace("--prime ", "prime=").replace("--radix ", "radix=").split()
    return "".join(f"&{word}" for word in words).replace("^", "%5E").replace("+", "%2B")


def _headers() -> Iterable[str]:
    """Methods, validators, compression and sequences."""
    ask = "'/v1/vectors?model=cios&prime=13&w=3&count=2'"
    gets = (
        "/healthz", "/v1/models", "/v1/primes/13", ask, "'/v1/traces?model=cios&prime=13&a=1&b=1'", "/v1/errata",
        "'/v1/cycles?core=hffm&prime=191&count=1&format=vcd'", "'/v1/constants?model=cios&prime=13'", "/v1/nix",
        "'/v1/explore?core=fpmm&bits=128&point=F44D'", "'/v1/vectors?model=cios&prime=14'",
    )  # fmt: skip
    yield from (f"HEAD {path}" for path in gets)
    for path in (*gets[1:8], gets[9]):
        yield f"GET {path} ; GET {path} 'If-None-Match: {{etag}}'"
    yield from (
        f"GET {ask} ; GET {ask} 'If-None-Match: W/{{etag}}'", f"GET {ask} 'If-None-Match: *'",
        f"GET {ask} 'If-None-Match: \"x\"'", f"GET {ask} ; HEAD {ask} 'If-None-Match: \"x\", {{etag}}'",
        f"GET {ask} 'Accept-Encoding: gzip'", f"GET {ask} 'Accept-Encoding: gzip;q=0'",
        "GET /v1/models 'Accept-Encoding: gzip'",
        "GET /v1/models 'Accept-Encoding: gzip' ; GET /v1/models 'Accept-Encoding: gzip' 'If-None-Match: {etag}'",
        "GET '/v1/cycles?core=hffm&prime=191&count=1&format=csv' 'Accept-Encoding: br, gzip'",
        "GET /v1/models 'X-Request-Id: mine'", "GET /v1/nix 'X-Request-Id: mine'", "GET /", "GET /v1", "GET /v1/",
        "GET /v1/models/",
        f"GET {ask} ; GET /v1/sets/{{set}}", f"GET {ask} ; GET /v1/sets/{{set}}?format=csv",
        f"GET {ask} ; HEAD /v1/sets/{{set}}",
        f"GET {ask} ; GET /v1/sets/{{set}}?format=nix", f"GET {ask} ; GET /v1/sets/{{set}}?formt=csv",
        "GET /v1/sets/0123456789abcdef0123456789abcdef", "GET /v1/sets/nix", "GET /v1/sets/nix/certificate",
        f"GET {ask} ; GET /v1/sets/{{set}}/certificate",
    )  # fmt: skip
    paths = (
        "/healthz",
        "/v1/models",
        "/v1/vectors",
        "/v1/verifications",
        "/v1/sets/0/certificate",
        "/openapi.json",
        "/nix",
    )
    for method, path in product(("OPTIONS", "POST", "PUT", "DELETE", "PATCH"), paths):
        if (method, path) not in (("POST", "/v1/verifications"), ("PUT", "/v1/sets/0/certificate")):
            yield f"{method} {path}"
    yield from ("GET /v1/verifications", "HEAD /v1/verifications")
    for seed, ending in enumerate((
        "PUT /v1/sets/{set}/certificate --body @c ; GET /v1/sets/{set}/certificate ; HEAD /v1/sets/{set}",
        "edit c sha256: sha256:1 ; PUT /v1/sets/{set}/certificate --body @c",
        "edit c '\"cases\":4' '\"cases\":5' ; PUT /v1/sets/{set}/certificate --body @c",
        "PUT /v1/sets/{set}/certificate --body @c 'Content-Type: text/plain'",
        "PUT /v1/sets/{set}/certificate --body {}", "PUT /v1/sets/{set}/certificate --body {",
        "PUT /v1/sets/{set}/certificate --body []", "PUT /v1/sets/0/certificate --body @c",
        "PUT /v1/sets/{set}/certificate",
    )):  # fmt: skip
        made = f"GET '/v1/vectors?model=iddmm2&prime=13&k=2&count=4&seed={seed}' ; save s ; limbtrace certify s -o c"
        yield f"{made} ; {ending}"


def _posts() -> Iterable[str]:
    """Verdicts on documents."""
    for body in _results():
        yield f"POST /v1/verifications --body '{body}'"
    for name, made in WRITERS.items():
        if name.endswith(".json"):
            yield f"{made} ; POST /v1/verifications --body @{name}"
            yield f"{made} ; cut {name} 300 ; POST /v1/verifications --body @{name}"
    for name, old, new in (
        ("set.json", '"result":"0x', '"result":"0x1'), ("set.json", "sha256:", "sha256:1"),
        ("trace.json", '"a":"0x7"', '"a":"0x8"'),
        ("cycles.json", '"0x8","0x0"', '"0x9","0x0"'), ("fp2.json", '"0x', '"0x1'),
        ("chains.json", '"t":9', '"t":100000000'),
    ):  # fmt: skip
        yield f"{WRITERS[name]} ; edit {name} '{old}' '{new}' ; POST /v1/verifications --body @{name}"
    yield from (
        "POST /v1/verifications", "POST /v1/verifications --body ''", "POST /v1/verifications --body '\\xff\\xfe'",
        "POST /v1/verifications --body '[1, 2]'", "POST /v1/verifications --body '{\"model\": \"cios\"'",
        "POST /v1/verifications --body {} 'Content-Type: text/plain'", "POST /v1/verifications --body {} Content-Type:",
        "POST /v1/verifications --body {} 'Content-Type: application/json; charset=utf-8'",
        "POST /v1/verifications?x=1 --body {}", "write f '[' 100000 ; POST /v1/verifications --body @f",
        f"LIMBTRACE_MAX_MODULUS_BITS=3 POST /v1/verifications --body '{RESULTS}'",
    )  # fmt: skip


def _kept() -> Iterable[str]:
    """Reports of simulations, kept by the service and explained on the command line."""
    for seed, then in enumerate(("POST /v1/reports --body @r", "GET /v1/reports/{id}", "HEAD /v1/reports/{id}"), 2):
        report = REPORT.replace('"seed":1', f'"seed":{seed}')  # its own one, in whatever order requests are made
        id = hashlib.sha256(report.encode()).hexdigest()[:32]
        yield f"write r '{report}' ; POST /v1/reports --body @r ; {then.format(id=id)}"
    yield from (
        "GET /v1/reports", "GET /v1/reports/nix", f"GET /v1/reports/{'0' * 32}", "POST /v1/reports --body {}",
        "POST /v1/reports", "POST /v1/reports --body []", "POST /v1/reports?x=1 --body {}",
        f"write r '{REPORT}' ; LIMBTRACE_MAX_REPORT_BYTES=100 POST /v1/reports --body @r",
        f"write r '{REPORT}' ; limbtrace explain r", f"write r '{REPORT}' ; limbtrace explain r --json",
        "limbtrace explain nix", "write r '{}' ; limbtrace explain r",
    )  # fmt: skip
    for old, new in (
        ('"mismatches":1', '"mismatches":0'), ('"verified":3', '"verified":-3'), ("limbtrace sim", "sim"),
        ('"0x801"', '"801"'), ('"A",[1,3]', '"A"'), ('"case":3,', ""), ('"core":"iddmm_arch2",', ""),
        ("iddmm2", "nix"), ('"mode":"lockstep"', '"mode":"\\\\u0007"'),
    ):  # fmt: skip
        changed = f"write r '{REPORT}' ; edit r '{old}' '{new}'"
        yield f"{changed} ; POST /v1/reports --body @r"
        yield f"{changed} ; limbtrace explain r"


def _problems() -> Iterable[str]:
    """Requests over HTTP that are not served."""
    vectors, cycles = "/v1/vectors?model=cios&prime=mlkem", "/v1/cycles?core=iddmm_arch2&prime=mlkem"
    trace = "/v1/traces?model=cios&prime=mlkem&a=1&b=1"
    for prime in ("3330", "1", "-7", "secp256", "9^9^9^9", "2^5000-1", "__import__(1)", "2^255+1-20", ""):
        yield f"GET '/v1/vectors?model=cios&prime={prime}'"
    for more in (
        "radix=10", "radix=2^5000", "w=32&radix=2^34", "w=4&s=3", "s=10000000", "nix=1", "set=nix", "w=32&w=34",
        "set=w=32&w=34",
        "count=3&count=4", "prime=p256", "count=0", "count=1000001", "count=2^100", "count=many", "seed=-1",
        "kind=nice",
        "shard=1/0", "shard=1/2&count=10000000", "kind=chained&shard=1/2",
        "format=xml", "form=printed", "a=1", "checkpoints=2", "kind=edge&kind=runs", "format=csv&format=json",
    ):  # fmt: skip
        yield f"GET '{vectors}&{more}'"
    for more in ("count=1000001", "leaf=5", "first=1", "first=0&last=16", "level=9", "kind=chained"):
        yield f"GET '/v1/digests?model=cios&prime=mlkem&{more}'"
    for more in (
        "operands=5", "operands=5,7&count=2", "operands=5,7&seed=2", "operands=5,7@0&operands=5,7@1", "operands=5,6658",
        "operands=5,7&form=printed", "count=100000000", "count=0", "format=xml", "operands=5,7&k=99", "count=1&nix=3",
    ):  # fmt: skip
        yield f"GET '{cycles}&{more}'"
    yield from (f"GET '{path}'" for path in (
        "/v1/vectors?model=cios", "/v1/vectors?prime=mlkem", "/v1/vectors", "/v1/vectors?model=nix&prime=mlkem",
        "/v1/vectors?model=ozturk&prime=13", "/v1/vectors?model=cios&prime=secp256k1&w=64&s=4", cycles,
        "/v1/traces?model=cios&prime=mlkem&a=1", "/v1/traces?model=cios&prime=mlkem&a=6658&b=1", "/v1/traces",
        "/v1/traces?model=cios&prime=mlkem&a=1&b=-1", "/v1/traces?model=cios&prime=mlkem&a=[1,2&b=1",
        f"{trace}&format=vcd",
        f"{trace}&step=1", "/v1/traces?model=cios&prime=2^4095-1&w=2&a=1&b=1",
        "/v1/cycles?core=nix&prime=mlkem&count=1",
        "/v1/traces?model=vdf&prime=p256&t=10^7&a=5", "/v1/vectors?model=vdf&prime=p256&t=10^7", "/v1/cycles",
        "/v1/cycles?core=iddmm_arch2&prime=p521&k=1&operands=1,1", "/v1/constants?model=cios&prime=mlkem&format=c",
        "/v1/constants", "/v1/errata?model=cios", "/v1/tables?paper=fpmm", "/v1/models/cios?json=1",
        "/v1/sets/00?formt=csv",
        "/v1/explore?core=fpmm&bits=128&points=F44D", "/v1/explore", "/v1/explore?core=nix&bits=128",
        "/v1/explore?core=fpmm&bits=128&device=nix", "/v1/explore?core=fpmm&bits=128&format=xml", "/healthz?x=",
        "/metrics?x=1",
        "/v1/moduli", "/v1/moduli?bits=5000", "/v1/moduli?bits=64&even=true", "/v1/moduli?bits=64&composite=x",
        "/v1/primes/10", "/v1/primes/2^5000-1", "/v1/primes/nix", "/v1/nix", "/nix", "/v1/models/nix", "/v1/cores/nix",
        "/v1/tables/nix", "/v1/errata/nix", "/v1/defects/nix", "/v1/defects?mechanism=odd",
        "/v1/schemas/nix.schema.json", "/v1/schemas/..%2F..%2Fpyproject.toml",
        "/v1/fp2",
        "/v1/fp2?model=hffm&prime=59&op=div", "/v1/fp2?model=hffm&prime=59&op=mul&a=[1,2]",
        "/v1/fp2?model=barrett&prime=13&op=mul",
        "/v1/fp2?model=hffm&prime=59&op=mul&count=10000000",
        "/v1/vectors?model=iddmm2&prime=secp256k1&form=printed&count=1000000",
    ))  # fmt: skip
    for setting, path in (
        ("MODULUS_BITS=300", "/v1/vectors?model=cios&prime=p384"), ("MODULUS_BITS=300", "/v1/primes/2^400-1"),
        ("COUNT=100", f"{vectors}&count=101"), ("TRACE_STEPS=500", "/v1/traces?model=cios&prime=secp256k1&w=8&a=1&b=1"),
        ("CYCLE_CELLS=2000", f"{cycles}&k=4&count=100"),
        ("CYCLE_CELLS=2000", f"{cycles}&k=1&operands=1,1{'&operands=1,1' * 40}"),
        ("LOOP_STEPS=1000", "/v1/vectors?model=iddmm2&prime=secp256k1&form=printed&count=5"),
        ("SQUARINGS=100", "/v1/vectors?model=vdf&prime=p256&t=50&count=3"),
        ("SQUARINGS=100", "/v1/traces?model=vdf&prime=13&t=200&a=5"),
        ("AGE=7", "/v1/primes/13"),
    ):  # fmt: skip
        yield f"LIMBTRACE_MAX_{setting} GET '{path}'"


def _library() -> Iterable[str]:
    yield from (
        "GET '/v1/traces?model=cios&prime=mlkem&a=1&b=1&check=perhaps'",
        "GET '/v1/fp2?model=hffm&prime=59&op=mul&steps=x'",
        "GET /docs", "GET /metrics",
        "copy bit_toy ; edit bit_toy/bit_toy.v 'assign IR' 'asign IR' ; limbtrace sim bit_toy --prime 13",
    )  # fmt: skip
    for old, new in (
        ("limbtrace-core/1", "limbtrace-core/2"), ("residue", "bits"), ('top = "bit_toy"', 'top = "nix"'),
        ("high", "up"), ("valid-ready", "nix"), ("[result]", "[[result]]"), ("[clock]", "[clock"), ('"a"', '"c"'),
        ("[result]", '[[row]]\\nport = "Z"\\nmatch = "nix"\\n\\n[result]'),
    ):  # fmt: skip
        yield _described(old, new)


def _refused_simulations() -> Iterable[str]:
    """Simulations that are rejected before a simulator starts."""
    first = "limbtrace sim iddmm_arch2"
    for given in (
        "--prime 12", "--prime 13 --operands 1", "--prime 13 --operands 1,2@3", "--prime 13 --operands 26,2",
        "--prime 13 --operands 1,2 --count 1", "--prime 13 --operands 1,2 --kind edge",
        "--prime 13 --operands 1,2 --only 1", "--prime p256 --radix 3", "--prime p256 --radix 2^4 --set n=3",
        "--prime p256 --set level=1", "--prime p256 --stream 2", "--prime p256 --stream 0", "--prime p256 --count 0",
        "--prime p256 --count 9^9^9^9", "--prime p256 --kind odd", "--prime p256 --only 16", "--prime p256 --only -1",
        "--prime p256 --build NMax", "--prime p256 --build UseDsp=2", "--prime p256 --build K=1",
        "--prime p256 --build Pipeline=1",
        "--prime p256 --build nix=1", "--prime p256 --set pipeline=2 --build Pipeline=1", "--prime p256 --build NMax=7",
        "--prime p256 --waves /nowhere/w.vcd", "--prime p256 --waves /dev/null", "--prime p256 --junit missing/j.xml",
        "--prime p256 --waves w.vcd --junit ./w.vcd", "--prime p256 --waves w.vcd --junit w.gtkw",
        "--prime p256 --waves w.gtkw",
        "--prime p256 --service nonsense", "--prime p256 --mode bulk --disturb all", "--prime p256 --every-cycle",
        "--prime p256 --mode fast --simulator icarus",
        "--prime p256 --set form=printed",
        "--prime p256 --set k=65", "--prime p256 --only x", "--prime p256 --seed -1", "--prime p256 --build K=x",
        "--prime p256 --mode fast --disturb start", "--prime p256 --mode fast --every-cycle",
    ):  # fmt: skip
        yield f"{first} {given}"
    yield from (
        "limbtrace sim nonesuch --prime 13", "limbtrace sim . --prime 13",
        "limbtrace export nonesuch --prime 13 -o out",
        "limbtrace sim hffm --prime p256", "limbtrace sim fpmm --prime generic128 --stream 99",
        "limbtrace sim fpmm --prime generic128 --service http://127.0.0.1:9",
        "limbtrace sim redundant --prime p256 --set ways=4",
        "limbtrace synth nonesuch", "limbtrace synth iddmm_arch2 --prime 12",
        "limbtrace synth iddmm_arch2 --set k=99 --prime 13",
        "limbtrace synth iddmm_arch2 --radix 2^4", "limbtrace synth iddmm_arch2 --prime 13 --build nix=1",
    )  # fmt: skip
    for old, new in (
        ("iddmm2", "nix"), ("bit_toy.v", "nix.v"), ("k * passes + 8", "k *"), ("k * passes + 8", "nix + 8"),
        ("timeout", "timout"), ("2^16", "3"), ("n + 1", "n +"), ("STEPS", "STEP"), ("CLK", "CLOCK"), ("IV", "NIX"),
        ('in_valid = "IV"', ""), ('port = "A"', 'port = "NIX"'), ('value = "p"', 'value = "nix"'), ("N = ", "n = "),
        ('port = "Z"', 'port = "NIX"'), ('format = "limbtrace-core/1"\\n', ""), ("bit_toy.v", "../bit_toy.v"),
        ('"residue"', '"residue"\\nschedule = "nix"'), ('"residue"', '"residue"\\ncells = ["nix.sv"]'),
    ):  # fmt: skip
        yield _described(old, new)
    for row in (
        'port = "t"\\nmatch = "event"\\nstep = "q"\\nwhen = "busy"', 'port = "Z"\\nmatch = "cycle"\\ncolumn = "q"',
        'port = "Z"\\nmatch = "event"\\nstep = "q"', 'port = "Z"\\nmatch = "event"\\nstep = "nix"\\nwhen = "OV"',
    ):  # fmt: skip
        yield _described("[result]", f"[[row]]\\n{row}\\n\\n[result]")
    yield "copy bit_toy ; limbtrace sim bit_toy --prime 13 --radix 2^32 --simulator icarus"
    yield "copy bit_toy ; limbtrace sim bit_toy --prime 13 --set passes=7 --simulator icarus"


def _described(old: str, new: str) -> str:
    """A core whose description is edited."""
    return f"copy bit_toy ; edit bit_toy/core.toml '{old}' '{new}' ; limbtrace sim bit_toy --prime 13"


def _simulations() -> Iterable[str]:
    """Cores in Icarus, correct and faulty."""
    for core, settings in {
        "iddmm_arch1": "--prime 0xea7 --radix 2^4", "iddmm_arch2": "--prime 0xea7 --radix 2^4",
        "r2mm_bitserial": "--prime 13",
        "mwr2mm_wordserial": "--prime 13 --set w=4", "redundant": "--prime mldsa", "hffm": "--prime 191",
        "llmonpro": "--prime 2^13-1 --set d=4", "vdf_squarer": "--prime 13 --set d=4 --set t=3",
        "koc_cios": "--prime 13 --radix 2^2", "fpmm": "--prime generic128",
    }.items():  # fmt: skip
        run = f"limbtrace sim {core} {settings} --simulator icarus --count 6"
        yield f"{run} --json"
        yield f"{run} --mode bulk"
        if core in ("iddmm_arch2", "redundant", "llmonpro"):
            yield f"{run} --mode bulk --every-cycle --json"
    bus = "limbtrace sim vdf_squarer_axil --prime 13 --set d=4 --set t=3 --simulator icarus"
    yield f"{bus} --count 3 --disturb stalls --json"
    yield f"{bus} --count 3 --mode bulk --every-cycle --json"
    arch = "limbtrace sim iddmm_arch2 --prime 0xea7 --radix 2^4 --simulator icarus"
    yield from (
        f"{arch} --count 30 --disturb all --json", f"{arch} --operands 0xe8a,0xd66 --operands 1,2 --junit report.xml",
        f"{arch} --only 3 --json", f"{arch} --set passes=4 --kind chained --count 9 --seed 5 --json",
        f"{arch} --operands 1,2 --disturb start",
        "limbtrace sim fpmm --prime generic128 --simulator icarus --operands 1,2 --operands 3,4@70 --json",
        f"{arch} --service http://127.0.0.1:9",
        "limbtrace sim fpmm --prime generic128 --simulator icarus --stream 2 --count 5 --json",
    )  # fmt: skip
    copied = arch.replace("iddmm_arch2", "./iddmm_arch2")  # a name alone is that of the core here
    arch_spoilt = f'copy iddmm_arch2 ; edit iddmm_arch2/lt_iddmm_arch2.sv "2\'(u_carry);" "\'0;" ; {copied} --count 40'
    yield from (
        f"{arch_spoilt} --json", f"{arch_spoilt} --junit report.xml --kind lazy", f"{arch_spoilt} --mode bulk --json",
        f"{arch_spoilt} --mode bulk --every-cycle --json", f"{arch_spoilt} --disturb all --seed 2 --json",
        "copy r2mm_bitserial ; edit r2mm_bitserial/lt_r2mm_bitserial.sv 't_sum[0];' '~t_sum[0];' ; "
        "limbtrace sim ./r2mm_bitserial --prime 13 --simulator icarus",
        # A test of that mode builds the same model.
        "limbtrace sim iddmm_arch2 --prime 0xea7 --radix 2^4 --mode fast --count 6 --json",
        f"{arch} --mode bulk --moduli directed --count 4 --json",
    )  # fmt: skip
    spoilt = 'copy bit_toy ; edit bit_toy/bit_toy.v "{2\'b0, a}" "{2\'b0, a} + 1" ; limbtrace sim bit_toy --prime 251'
    toy = "copy digit_toy ; limbtrace sim digit_toy --prime 0xea7 --radix 2^4"
    right = "copy bit_toy ; limbtrace sim bit_toy --prime 251"
    yield from (
        f"{right} --simulator icarus --count 5 --json", f"{right} --simulator icarus --count 5 --mode bulk",
        f"{right} --simulator icarus --count 20 --disturb all", f"{spoilt} --simulator icarus --json",
        f"{spoilt} --simulator icarus --junit report.xml", f"{spoilt} --simulator icarus --mode bulk --json",
        f"{spoilt} --simulator icarus --only 4",
        f"{spoilt} --simulator icarus --operands 5,7 --disturb all --seed 3 --json",
        f"{toy} --simulator icarus --json --count 5",
        "copy bus_toy ; copy bit_toy ; limbtrace sim bus_toy --allow-outside --prime 251 --simulator icarus --count 3",
    )  # fmt: skip


def families() -> dict[str, Sequence[str]]:
    """Every request once, by family."""
    makers = {
        "models": _models, "primes": _primes, "moduli": _moduli, "cores": _cores, "errata": _errata, "tables": _tables,
        "traces": _traces,
        "vectors": _vectors, "constants": _constants, "sources": _sources, "fp2": _fp2, "cycles": _cycles,
        "explore": _explore, "plot": _plots,
        "export": _exports, "reports": _reports, "verify": _verify, "certify": _certify, "errors": _errors,
        "help": _help, "usage": _usage,
        "http": _http, "headers": _headers, "posts": _posts, "kept": _kept, "problems": _problems, "library": _library,
        "refused-sim": _refused_simulations, "sim": _simulations,
    }  # fmt: skip
    return {name: [*dict.fromkeys(make())] for name, make in makers.items()}
