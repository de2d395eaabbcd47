# SPDX-License-Identifier: Apache-2.0
"""Entry point of the command: Ctrl-C gives one sentence from the first moment on, even while modules are loaded."""

import gc
import os
import signal
from contextlib import suppress
from types import FrameType


def main() -> None:
    """Run the command line like `limbtrace.vectors.cli.main`, which handles interrupts itself once it is loaded."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, _interrupted)
    # Start-up is most of what a small command costs. Modules make no garbage, and nothing here multiplies matrices of
    # floats: the threads that NumPy starts for that only wait.
    gc.set_threshold(50_000)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from limbtrace.vectors.cli import main as run

    signal.signal(signal.SIGINT, usual)
    run()


def _interrupted(_: int, __: FrameType | None) -> None:
    """Ends the process without an exception, which a partly loaded module could swallow."""
    with suppress(OSError):  # the exit code is left
        os.write(2, b"limbtrace: interrupted\n")
    os._exit(130)
