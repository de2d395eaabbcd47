# SPDX-License-Identifier: Apache-2.0
"""Coverage as XML of the Unified Coverage Interoperability Standard (Accellera, UCIS 1.0, chapter 9).

The model is an instance with one covergroup. Each event is a coverpoint, each index at which it was looked for is a
bin, and each set or run is a history node.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

VERSION = "1.0"
TIME = "1970-01-01T00:00:00"
"""The standard wants dates, and what is written here does not depend on when it is written."""


def write_ucis(document: Mapping[str, Any]) -> Iterator[bytes]:
    """The XML of a CoverageDocument."""
    multiplier = document["multiplier"]
    root = Element("UCIS", ucisVersion=VERSION, writtenBy="limbtrace", writtenTime=TIME)
    SubElement(root, "sourceFiles", fileName=multiplier["model"], id="1")
    for number, name in enumerate(document["sets"]):
        SubElement(
            root,
            "historyNodes",
            historyNodeId=str(number),
            logicalName=name,
            kind="test",
            testStatus="true",
            date=TIME,
            toolCategory="limbtrace:coverage",
            ucisVersion=VERSION,
            vendorId="limbtrace",
            vendorTool="limbtrace",
            vendorToolVersion=document["format"],
        )
    instance = SubElement(
        root, "instanceCoverages", name=multiplier["model"], key="0", instanceId="0", moduleName=multiplier["model"]
    )
    for name, value in _parameters(multiplier):
        parameter = SubElement(instance, "designParameter")
        SubElement(parameter, "name").text = name
        SubElement(parameter, "value").text = value
    _place(instance, "id")
    group = SubElement(SubElement(instance, "covergroupCoverage"), "cgInstance", name="events", key="0")
    SubElement(group, "options")
    identity = SubElement(group, "cgId", cgName="events", moduleName=multiplier["model"])
    _place(identity, "cginstSourceId")
    _place(identity, "cgSourceId")
    for number, event in enumerate(document["events"]):
        if event["indices"]:  # the standard has no coverpoint without bins
            _coverpoint(group, number, event)
    ElementTree.indent(root)
    yield ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _parameters(multiplier: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if multiplier["prime"] is not None:
        yield "prime", multiplier["prime"]["modulus"]
    if multiplier["radix"] is not None:
        yield "radix", multiplier["radix"]
    yield "form", multiplier["form"]
    for name, value in multiplier["params"].items():
        yield name, str(value)


def _place(parent: Element, name: str) -> None:
    SubElement(parent, name, file="1", line="1", inlineCount="1")


def _coverpoint(group: Element, number: int, event: Mapping[str, Any]) -> None:
    point = SubElement(group, "coverpoint", name=event["name"], key=str(number), exprString=event["statement"])
    SubElement(point, "options")
    counts = [*((tuple(at["index"]), at["cases"]) for at in event["at"]), *((tuple(at), 0) for at in event["missed"])]
    for value, (index, cases) in enumerate(sorted(counts)):
        name = f"[{','.join(map(str, index))}]" if index else "happens"
        bin_of_index = SubElement(point, "coverpointBin", name=name, key=str(value), type="bins")
        values = SubElement(bin_of_index, "range", {"from": str(value), "to": str(value)})
        SubElement(values, "contents", coverageCount=str(cases))
