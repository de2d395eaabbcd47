# SPDX-License-Identifier: Apache-2.0
"""`limbtrace check-proof`."""

from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.check_proof.check import Checked, check
from limbtrace.rtl_bridge.check_proof.files import HEAD, NoCertificateError, read
from limbtrace.rtl_bridge.check_proof.records import WrongError
from limbtrace.vectors.cli import MISMATCH, UNDECIDED, json_option
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.proof import CheckDocument, CheckedProduct


@click.command("check-proof")
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
def check_proof(folder: Path, as_json: bool) -> int:
    """Check a certificate that `limbtrace prove --certificates` wrote; exit 1 if a line of it does not hold, 4 if it
    leaves equalities open.

    What is taken as it is, is named as trusted. The checker shares no code with what makes the proofs.
    """
    folders = [folder] if (folder / HEAD).exists() else sorted(path.parent for path in folder.glob(f"*/{HEAD}"))
    if not folders:
        raise ParameterError("folder", f"{folder} holds no {HEAD}")
    code = 0
    for each in folders:
        try:
            checked = check(read(each))
        except NoCertificateError as error:
            raise ParameterError("folder", str(error)) from None
        except WrongError as error:
            document = document_of(wrong=str(error))
            click.echo(dump(document) if as_json else f"{each}: wrong: {error}")
            return MISMATCH
        document = document_of(checked)
        click.echo(dump(document) if as_json else _text(document))
        code = UNDECIDED if checked.open else code
    return code


def document_of(checked: Checked | None = None, wrong: str | None = None) -> dict[str, Any]:
    """The document of a certificate that holds, or else of what is wrong with it."""
    if checked is None:
        document: dict[str, Any] = members(CheckDocument, format=FORMAT, verdict="wrong", wrong=wrong)
        return document
    counts, certificate = checked.counts, checked.certificate
    products: dict[tuple[str, int], int] = {}
    for product in checked.products:
        key = product.name.split()[0], product.cycle
        products[key] = products.get(key, 0) + 1
    operands = ", ".join(f"{name} up to {most:#x}" for name, most in certificate.operands.items())
    digits = certificate.digits[0] if certificate.digits else []
    parts = f" (digits of {digits[0][1]} bits, {digits[1][2]} apart)" if len(digits) > 1 else ""
    form = checked.form or "what the program of the log says, which has no closed form"
    found: dict[str, Any] = members(
        CheckDocument,
        format=FORMAT,
        verdict="open" if checked.open else "checked",
        core=certificate.core,
        design=certificate.digest,
        statement=f"for all operands ({operands}), result_o of the design{parts} is {form} in the cycle with done_o",
        products=[
            members(CheckedProduct, name=name, cycles=cycles, count=count)
            for (name, cycles), count in sorted(products.items())
        ],
        environment={name: sorted(values) for name, values in sorted(checked.inputs.items())},
        lines=counts.lines,
        claims=counts.claims,
        cuts=counts.cuts,
        states=counts.states,
        refuted=counts.refuted,
        open=checked.open,
        trusted=checked.trusted,
    )
    return found


def _text(document: dict[str, Any]) -> str:
    moved = [name for name, values in document["environment"].items() if len(values) > 1]
    fixed = [f"{name} {values[0]}" for name, values in document["environment"].items() if len(values) == 1]
    lines = [
        f"{document['core']}: {'not shown that ' if document.get('open') else ''}{document['statement']}",
        f"  design: SHA-256 {document['design']}",
        *(f"  products {each['name']}: {each['count']}, done {each['cycles']} cycles after the first one that offers it"
          for each in document["products"]),
        f"  inputs that the bench drives: {', '.join(moved)}; fixed: {', '.join(fixed)}; all others are anything",
        f"  checked: {document['lines']} lines, {document['claims']} claims, {document.get('cuts', 0)} cuts, "
        f"{document['states']} states, {document.get('refuted', 0)} of them by clauses",
        f"  trusted: {'; '.join(document.get('trusted') or ['nothing'])}",
        f"open: without a refutation are {'; '.join(document['open'])}" if document.get("open") else "checked",
    ]  # fmt: skip
    return "\n".join(lines)
