# SPDX-License-Identifier: Apache-2.0
"""`python seccomp.py PROGRAM ARGUMENT...`: becomes a program that makes no socket and types into no terminal.

A read-only file system does not keep a program from a Unix socket in it, and a namespace of networks not from a virtual
machine's host: no socket of any family is made here. Sources: seccomp(2), the numbers of system calls of Linux, and
include/uapi/linux/{bpf_common,filter,seccomp,audit}.h.
"""

import ctypes
import os
import platform
import signal
import sys
from typing import NamedTuple

REFUSED = 125
"""Exit code where this system has no such filter."""
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ALLOW, KILL, DENY = 0x7FFF0000, 0x80000000, 0x00050000 | 1  # EPERM
LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, SECOND = 0, 4, 24
"""Offsets in struct seccomp_data: of the call, the architecture, and the low half of the second argument."""
STREAM, KINDS = 1, 0xF
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
FOREIGN = 0x40000000
"""From this number on, calls of x32."""


class Calls(NamedTuple):
    """An architecture by its number, and numbers of its system calls."""

    architecture: int
    socket: int
    socketpair: int
    ioctl: int
    add_key: int
    request_key: int
    keyctl: int
    io_uring_setup: int = 425


MACHINES = {
    "x86_64": Calls(0xC000003E, 41, 53, 16, 248, 249, 250),
    "aarch64": Calls(0xC00000B7, 198, 199, 29, 217, 218, 219),
}


class _Instruction(ctypes.Structure):
    """struct sock_filter"""

    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Filter(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction)))


def program(calls: Calls) -> list[tuple[int, int, int, int]]:
    """The filter as (code, skipped if true, skipped if false, constant)."""
    denied = (calls.socket, calls.add_key, calls.request_key, calls.keyctl, calls.io_uring_setup)
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, calls.architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, FOREIGN),
        (RETURN, 0, 0, DENY),
        *(part for number in denied for part in ((EQUAL, 0, 1, number), (RETURN, 0, 0, DENY))),
        (EQUAL, 0, 4, calls.socketpair),  # a pair of datagram sockets sends to others too
        (LOAD, 0, 0, SECOND),
        (AND, 0, 0, KINDS),
        (EQUAL, 6, 0, STREAM),
        (RETURN, 0, 0, DENY),
        (EQUAL, 0, 4, calls.ioctl),
        (LOAD, 0, 0, SECOND),
        (EQUAL, 1, 0, TIOCSTI),
        (EQUAL, 0, 1, TIOCLINUX),
        (RETURN, 0, 0, DENY),
        (RETURN, 0, 0, ALLOW),
    ]


def restrict() -> None:
    """Filter the calls of this process and of all that it starts. Raises OSError where this system does not."""
    calls = MACHINES.get(platform.machine())
    if calls is None:
        raise OSError(f"system calls are filtered on {' and '.join(MACHINES)}, and this is {platform.machine()}")
    libc = ctypes.CDLL(None, use_errno=True)
    instructions = [_Instruction(*each) for each in program(calls)]
    array = (_Instruction * len(instructions))(*instructions)
    filters = _Filter(len(instructions), ctypes.cast(array, ctypes.POINTER(_Instruction)))
    for call in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filters), 0, 0)):
        if libc.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def main(command: list[str]) -> int:
    """Becomes the program; returns an exit code where that cannot be."""
    try:
        restrict()
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # as in die_with_parent.py
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        print(f"sandbox: {error}", file=sys.stderr, flush=True)
    return REFUSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
