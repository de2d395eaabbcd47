# SPDX-License-Identifier: Apache-2.0
"""`limbtrace serve` with a fault: `python -m tests.tools.served FAULT --port N --database URL`."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any, cast

from limbtrace.service import cli, server
from tests.service.apps import FAULTY


def main(fault: str, database: str) -> None:
    """`broken`: see FAULTY; `forgetful`: starts on an empty database; `clinging`: leaves a process behind."""
    if fault == "broken":
        cast(Any, cli).Server = partial(server.Server, workers_app=FAULTY)
    elif fault == "forgetful":
        for path in Path(database.removeprefix("sqlite:///")).parent.glob("sets.sqlite3*"):
            path.unlink()
    elif fault == "clinging":
        subprocess.Popen(["sleep", "60"])
    cli.serve(sys.argv[2:])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[-1])
