# SPDX-License-Identifier: Apache-2.0
"""`python pair.py PLAN PROGRAM ARGUMENT...`: becomes a simulator, with GHDL beside it at the other ends of two pipes.

PLAN is JSON: the command of GHDL, and what is added to its environment. Descriptors are those of `programs.beside`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ANSWERS, CHANGES = 500, 501
LEASH = Path(__file__).with_name("leash.py")

if __name__ == "__main__":
    command, surroundings = json.loads(sys.argv[1])
    reading, changes = os.pipe()
    answers, writing = os.pipe()
    subprocess.Popen(
        [sys.executable, "-I", "-S", str(LEASH), str(os.getpid()), *command],
        env={**os.environ, **surroundings, "LIMBTRACE_PIPES": f"{reading} {writing}"},
        stdin=subprocess.DEVNULL,
        pass_fds=(reading, writing),
    )
    # All other descriptors of the pipes are closed when this becomes the simulator. It is told of an end that nobody
    # reads by an error, and not by SIGPIPE, which Python ignores.
    os.dup2(answers, ANSWERS)
    os.dup2(changes, CHANGES)
    os.execvp(sys.argv[2], sys.argv[2:])
