# SPDX-License-Identifier: Apache-2.0
"""An obvious first script for test vectors of a Montgomery multiplication; prints the seconds it took.

usage: obvious_vectors.py readmemh|ndjson loop|hoisted COUNT MODULUS BITS FOLDER

`loop` computes R^-1 modulo the modulus for every case, with R = 2^BITS; `hoisted` computes it once.
"""

import random
import sys
import time
from pathlib import Path


def readmemh(hoisted: bool, count: int, p: int, bits: int, folder: Path) -> None:
    """One file per operand and one for the results, one word per line."""
    digits = -(-bits // 4)
    inverse = pow(1 << bits, -1, p)
    with (
        open(folder / "a.hex", "w") as a_file,
        open(folder / "b.hex", "w") as b_file,
        open(folder / "result.hex", "w") as result_file,
    ):
        for _ in range(count):
            a, b = random.randrange(p), random.randrange(p)
            result = a * b * (inverse if hoisted else pow(1 << bits, -1, p)) % p
            print(f"{a:0{digits}x}", file=a_file)
            print(f"{b:0{digits}x}", file=b_file)
            print(f"{result:0{digits}x}", file=result_file)


def ndjson(hoisted: bool, count: int, p: int, bits: int, folder: Path) -> None:
    """One case per line."""
    inverse = pow(1 << bits, -1, p)
    with open(folder / "vectors.ndjson", "w") as file:
        for number in range(count):
            a, b = random.randrange(p), random.randrange(p)
            result = a * b * (inverse if hoisted else pow(1 << bits, -1, p)) % p
            print(f'{{"id":{number},"a":"{a:#x}","b":"{b:#x}","result":"{result:#x}"}}', file=file)


if __name__ == "__main__":
    form, place, count, p, bits, folder = sys.argv[1:]
    write = {"readmemh": readmemh, "ndjson": ndjson}[form]
    begin = time.perf_counter()
    write(place == "hoisted", int(count), int(p), int(bits), Path(folder))
    print(time.perf_counter() - begin)
