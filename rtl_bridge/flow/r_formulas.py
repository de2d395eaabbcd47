# SPDX-License-Identifier: Apache-2.0
"""Formulas over N for the bits of R."""

from limbtrace.vectors.report.diagnose import MACHINE_WORDS


def formulas(r: int, bits: int) -> list[str]:
    """Formulas over N that give r for a modulus of so many bits, the plainest first; the number itself is the last."""
    found = []
    if 0 <= r - bits <= 8:
        found.append("N" if r == bits else f"N + {r - bits}")
    for word in MACHINE_WORDS:
        more = r - -(-bits // word) * word
        if r % word == 0 and 0 <= more <= word:
            found.append(f"(N + {word - 1 + more}) // {word} * {word}")
    return [*found, str(r)]
