# SPDX-License-Identifier: Apache-2.0
"""`python die_with_parent.py PID PROGRAM ARGUMENT...`: becomes a program that ends with its parent, process PID.

A parent that is killed cannot stop its children, and a simulator in whose core no time passes would run for ever.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""Of linux/prctl.h."""

if __name__ == "__main__":
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and the program would inherit that
        signal.signal(number, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(sys.argv[1]):
        os.execvp(sys.argv[2], sys.argv[2:])
