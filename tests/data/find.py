# SPDX-License-Identifier: Apache-2.0
"""Finds the first wrong result of a board; a service has the golden ones, and hashes are all that is sent.

Usage: find.py URL REQUEST PROGRAM...: REQUEST is a JSON file with model, prime, radix, count, kind and leaf. PROGRAM
with a first and a last case prints the hash of the board's cases.
"""

import json
import subprocess
import sys
import urllib.request
from typing import Any

url, request, *program = sys.argv[1:]
with open(request) as file:
    asked = json.load(file)
questions = 0


def verdict(first: int, last: int) -> dict[str, Any]:
    """What the service says about the hash of the board's cases."""
    global questions
    questions += 1
    done = subprocess.run([*program, str(first), str(last)], stdout=subprocess.PIPE, text=True, check=True)
    claim = {**asked, "range": {"first": first, "last": last, "hash": done.stdout.strip()}}
    headers = {"Content-Type": "application/json"}
    post = urllib.request.Request(f"{url}/v1/verifications", json.dumps(claim).encode(), headers)
    with urllib.request.urlopen(post) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


first, last = 0, asked["count"] - 1
if verdict(first, last)["verdict"] == "pass":
    print(f"{last + 1} cases agree, one hash")
    sys.exit()
while first < last:
    middle = first + (1 << ((last - first).bit_length() - 1))  # the left half is the largest power of two below all
    if verdict(first, middle - 1)["verdict"] == "pass":
        first = middle
    else:
        last = middle - 1
case = verdict(first, first)["first_divergence"]
print(f"case {first} is wrong ({questions} questions): a = {case['a']}, b = {case['b']}, expected {case['expected']}")
