# SPDX-License-Identifier: Apache-2.0
"""The document of a first `core.toml` that was written from RTL, and the request for one."""

from typing import Literal

from limbtrace.vectors.document import Document, Shape, member


class CoreDraftLine(Shape):
    """A line of the description that is not known for certain."""

    line: int = member("number of the line in the text, from 1", ge=1)
    table: str = member("the table of the key as in TOML, such as protocol or [input]; empty for the first keys")
    key: str
    value: str = member("the value as TOML")
    state: Literal["guess", "open"] = member("open: it has to be filled in")
    reason: str = member("why it was guessed, or what belongs there")


class CoreTrial(Shape):
    """A few products that were simulated with a description that was guessed."""

    prime: str = member("the modulus, as it was asked for or chosen")
    simulator: str
    agrees: int = member("number of products, all of which agree; 0 if one differs", ge=0)
    difference: str = member("the first difference, otherwise empty")
    variant: str = member("how the description differs from the first guess; empty if it is that")
    others: list[str] = member("other descriptions that were simulated, with which products do not agree")
    explained: str = member("a formula that explains the results that differ, otherwise empty")
    not_tried: list[str] = member("what the trial leaves open, as noun phrases", default=())
    alike: list[str] = member("models with steps that return the same, with the options they take", default=())
    same: list[str] = member("other models, settings and ports that explain the same results", default=())


class CoreDraft(Document):
    """A first `core.toml` for a core."""

    name: str = member("name of the core")
    top: str = member("name of the top module")
    text: str = member("the file core.toml")
    lines: list[CoreDraftLine] = member("what was guessed, and what is to be filled in")
    fits: bool | None = member("whether the description fits the RTL for the modulus; null if that was not tried")
    misfit: str = member("the first thing that does not fit, otherwise empty")
    trial: CoreTrial | None = member("the simulation at the end, if there was one", default=None)


class CoreFiles(Shape):
    """RTL of a core without a description; with it, what is known about the core."""

    files: dict[str, str] = member("the Verilog or SystemVerilog sources by their names, which end in .v or .sv")
    top: str | None = member("top module; by default the one that no other instantiates", default=None)
    model: str | None = member("the model that the core computes", default=None)
    prime: str | None = member("a modulus that the description is tried with", default=None)
    radix: str | None = member("radix that the core is built for", default=None)
    set: list[str] = member("parameters of the model, as NAME=VALUE", default=())
