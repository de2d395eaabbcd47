# SPDX-License-Identifier: Apache-2.0
"""`python -m limbtrace.vectors.schemas` writes the published schemas; --check only tests whether they are current."""

import sys
from pathlib import Path

from limbtrace.vectors.files import write_file
from limbtrace.vectors.schemas import SCHEMAS, generate


def main(arguments: list[str], folder: Path = Path(__file__).parent) -> int:
    """Returns the exit code: 1 if --check finds a schema that is not current."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m limbtrace.vectors.schemas [--check]", file=sys.stderr)
        return 2
    stale = [name for name in SCHEMAS if not (folder / name).is_file() or (folder / name).read_text() != generate(name)]
    for name in stale:
        if arguments:
            print(f"{name} is not current: run python -m limbtrace.vectors.schemas", file=sys.stderr)
        else:
            write_file(folder / name, [generate(name).encode()])
    return 1 if arguments and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
