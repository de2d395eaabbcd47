# SPDX-License-Identifier: Apache-2.0
"""`python pair.py PLAN PROGRAM ARGUMENT...`: becomes a simulator, with another one at the other ends of two pipes.

PLAN is JSON: `command` of the other one, what is `added` to its environment, the variable `pipes` there that gets the
descriptors which it reads and writes, and which descriptors `answers` and `changes` of this one are to be.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

DIE_WITH_PARENT = Path(__file__).resolve().parents[1] / "die_with_parent.py"

if __name__ == "__main__":
    plan = json.loads(sys.argv[1])
    reading, changes = os.pipe()
    answers, writing = os.pipe()
    subprocess.Popen(
        [sys.executable, "-I", "-S", str(DIE_WITH_PARENT), str(os.getpid()), *plan["command"]],
        env={**os.environ, **plan["added"], plan["pipes"]: f"{reading} {writing}"},
        stdin=subprocess.DEVNULL,
        pass_fds=(reading, writing),
    )
    # All other ends are closed when this becomes the simulator, so that each side sees the end of the other. It is told
    # of a pipe without a reader by an error: Python ignores SIGPIPE, and the simulator inherits that.
    os.dup2(answers, plan["answers"])
    os.dup2(changes, plan["changes"])
    os.execvp(sys.argv[2], sys.argv[2:])
