# SPDX-License-Identifier: Apache-2.0
"""The proofs that are kept beside cores.

They come from packages with an entry point `limbtrace.proofs`: a function without arguments that returns rows of core,
prime, settings, and proof, the document of `limbtrace prove --json`.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from limbtrace.vectors.catalogue.document import KeptProof
from limbtrace.vectors.catalogue.entry_points import kept_rows
from limbtrace.vectors.document import members

HEAD = ("modulus", "settings", "verdict", "cycles", "obligations", "by the solver", "seconds", "MB")


def core_proofs(core: str) -> list[Any]:
    """Kept proofs of the core of that name, as listed in its core.toml."""
    return [
        members(
            KeptProof,
            prime=row["prime"],
            settings=row["settings"],
            command=shlex.join(["limbtrace", *prove_words(core, row["prime"], row["settings"])]),
            proof=row["proof"],
        )
        for row in kept_rows("limbtrace.proofs")
        if row["core"] == core
    ]


def prove_words(core: str, prime: str, settings: Mapping[str, str | int]) -> list[str]:
    """The words of `limbtrace` that ask for a proof."""
    words = ["prove", core, "--prime", prime]
    for name, value in settings.items():
        words += ["--radix", str(value)] if name == "radix" else ["--set", f"{name}={value}"]
    return words


def proof_cells(kept: Mapping[str, Any]) -> list[str]:
    """A kept proof as texts, in the order of HEAD."""
    proof, products = kept["proof"], kept["proof"]["products"]
    cycles = sorted({product["cycles"] for product in products})
    return [
        kept["prime"],
        ", ".join(f"{name} = {value}" for name, value in kept["settings"].items()),
        proof["verdict"],
        ", ".join(map(str, cycles)),
        f"{proof['obligations']:,}",
        f"{sum(product['solved'] for product in products):,}",
        str(round(proof["seconds"])),
        str(proof.get("memory", "")),
    ]


def versions(proofs: Sequence[Mapping[str, Any]]) -> str:
    """Versions of the tools of all the documents, each once."""
    tools = (f"{name} {version}" for kept in proofs for name, version in kept["proof"]["tools"].items())
    return ", ".join(dict.fromkeys(tools))


def common(proofs: Sequence[Mapping[str, Any]], member: str) -> list[str]:
    """Entries of the documents under `hypotheses` or `trusted`, each once, in their order."""
    return list(dict.fromkeys(text for kept in proofs for text in kept["proof"][member]))
