# SPDX-License-Identifier: Apache-2.0
"""`./run demo`: from a prime and a radix to a core with every watched register compared in every cycle.

The demo uses only the commands and HTTP routes that users have.
"""

import json
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from limbtrace.rtl_bridge.core.core import find

OUTPUT = Path("build/demo")
CORE = "iddmm_arch2"
MODEL = "iddmm2"
# (prime, radix, products): 256, 384 and 12 bits with a single build of the core.
RUNS = (("secp256k1", "2^32", 2000), ("p384", "2^32", 1000), ("mlkem", "2^32", 2000))
# The fault for the second part: the carry out of the top digit is dropped, as in the paper's text.
FAULT = ("a_top   = 2'(u_carry);", "a_top   = 2'd0;")


class DemoError(Exception):
    """A step failed; `code` is the exit code to end with."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def say(text: str = "") -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def serving() -> Iterator[str]:
    """The service in a process of its own; yields its address."""
    database = f"sqlite:///{OUTPUT}/sets.sqlite3"  # not the one in the user's home
    command = ["limbtrace", "serve", "--port", "0", "--database", database]
    say(f"$ {shlex.join(command)}")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline().strip()
            if " on http" not in line:
                raise DemoError(line or "the service did not start", 3)
            say(line)
            yield line.rpartition(" ")[2]
        finally:
            process.terminate()


def fetch(url: str, path: str, target: str, **query: Any) -> bytes:
    """Sends a GET request, prints its URL for readers to repeat, and saves the response."""
    request = httpx.Request("GET", f"{url}{path}", params=query)
    say(f"$ curl '{request.url}' -o {OUTPUT / target}")
    answer = httpx.get(request.url, timeout=60)
    if answer.status_code != 200:
        raise DemoError(f"the service answered {answer.status_code}: {answer.text[:200]}", 3)
    (OUTPUT / target).write_bytes(answer.content)
    return answer.content


def simulate(core: str, prime: str, target: str, *options: str) -> dict[str, Any]:
    """Lock-step of a core in Verilator; the report is saved too."""
    command = ["limbtrace", "sim", core, "--prime", prime, *options, "--json"]
    say(f"$ {shlex.join(command)}")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        raise DemoError(f"the simulation ended with exit code {done.returncode}", done.returncode or 3)
    (OUTPUT / target).write_text(done.stdout)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def broken_copy() -> Path:
    """The folder of the core, copied, with FAULT in it."""
    folder = OUTPUT / "broken"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(find(CORE).folder, folder)
    source = folder / f"lt_{CORE}.sv"
    text = source.read_text()
    if FAULT[0] not in text:
        raise DemoError(f"the place for the fault is not in {source.name}", 3)
    source.write_text(text.replace(*FAULT))
    return folder


def report_text(reports: list[tuple[str, str, dict[str, Any]]], caught: dict[str, Any], seconds: float) -> str:
    """The report: what was verified, how fast, where things are, what to try next."""
    rows = [("modulus", "radix", "products", "cycles", "signals", "compared", "differences", "products/s")]
    rows += [
        (
            prime,
            radix,
            str(r["verified"]),
            str(r["cycles"]),
            str(r["signals"]),
            str(r["cycles"] * r["signals"]),
            str(r["mismatches"]),
            f"{r['products_per_second']:.0f}",
        )
        for prime, radix, r in reports
    ]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    table = "\n".join("  " + "  ".join(f"{c:>{w}}" for c, w in zip(row, widths, strict=True)) for row in rows)
    passed = all(r["mismatches"] == 0 for _, _, r in reports)
    verdict = (
        "Every watched signal agreed with the golden table in every cycle."
        if passed
        else "The core and the golden table differ: see first_divergence in the JSON files."
    )
    first = f"{CORE}-{RUNS[0][0]}"
    difference = "NOTHING: the fault was missed"
    if found := caught["first_divergence"]:
        difference = (
            f"case {found['case']}, cycle {found['cycle']}: {found['signal']} should be {found['expected']} and is "
            f"{found['seen']}\n  replay: {found['replay']}"
        )
    return f"""
{CORE}, in Verilator, against golden tables that the service made:

{table}

{verdict}

The same core with a carry dropped, as the paper's text does, differs first in
  {difference}

All of it took {seconds:.0f} s, and lies here:
  waveform      {OUTPUT / "waves.vcd"} (the first product of {RUNS[0][0]}, simulated)
  JUnit         {OUTPUT / first}.xml
  report        {OUTPUT / first}.json
  vectors       {OUTPUT / "vectors.json"}
  golden trace  {OUTPUT / "trace.json"} (every digit), {OUTPUT / "cycles.vcd"} (every cycle)

Next:
  source .venv/bin/activate
  limbtrace models {MODEL}
  limbtrace trace {MODEL} --prime secp256k1 --a 5 --b 7 --format text --check
  limbtrace sim {CORE} --prime 2^255-19 --radix 2^16 --count 50
  ./run serve        and then  http://127.0.0.1:8000/  in a browser, or
                               curl 'http://127.0.0.1:8000/v1/vectors?model=cios&prime=p256&radix=2%5E34'
  ./run test
"""


def main() -> int:
    """Run the demo; returns the exit code."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    prime, radix, count = RUNS[0]
    try:
        with serving() as url:
            vectors = json.loads(
                fetch(url, "/v1/vectors", "vectors.json", model=MODEL, prime=prime, radix=radix, count=count)
            )
            case = vectors["testGroups"][0]["tests"][0]
            operands = {"a": case["a"], "b": case["b"]}
            fetch(url, "/v1/traces", "trace.json", model=MODEL, prime=prime, radix=radix, **operands)
            pair = f"{case['a']},{case['b']}"
            fetch(url, "/v1/cycles", "cycles.vcd", core=CORE, prime=prime, radix=radix, operands=pair, format="vcd")
            options = ("--service", url, "--simulator", "verilator", "--mode", "lockstep")
            reports = []
            for p, r, n in RUNS:
                junit = ("--junit", str(OUTPUT / f"{CORE}-{p}.xml"))
                shape = ("--radix", r, "--count", str(n))
                reports.append((p, r, simulate(CORE, p, f"{CORE}-{p}.json", *shape, *options, *junit)))
            waves = ("--only", "0", "--waves", str(OUTPUT / "waves.vcd"))
            simulate(CORE, prime, "waves.json", *options, *waves)
            caught = simulate(str(broken_copy()), prime, "broken.json", "--count", "20", *options)
    except DemoError as error:
        say(f"demo: {error}")
        return error.code
    except (OSError, httpx.HTTPError) as error:
        say(f"demo: {error}")
        return 3
    except KeyboardInterrupt:
        say("demo: interrupted; run it again at any time")
        return 130
    print(report_text(reports, caught, time.monotonic() - start))
    return 1 if any(r["mismatches"] for _, _, r in reports) or not caught["mismatches"] else 0


if __name__ == "__main__":
    sys.exit(main())
