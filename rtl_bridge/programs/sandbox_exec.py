# SPDX-License-Identifier: Apache-2.0
"""`python sandbox_exec.py PLACES PROGRAM ARGUMENT...`: runs a program that writes in one folder and has no network.

PLACES is JSON: `folder`, the writable folder; `empty`, folders that appear empty; `kept`, paths of files and folders
below these that it can read.

For systems without bubblewrap, with user namespaces: namespaces(7), mount_setattr(2) of Linux 5.12, capabilities(7).
The program ends as its exit code or signal says, and with this process. Exit code 125: the system does not allow it.
"""

import ctypes
import json
import os
import resource
import select
import signal
import struct
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

REFUSED = 125
"""Exit code if the sandbox cannot be set up."""
NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
AT_FDCWD, AT_RECURSIVE, SYS_MOUNT_SETATTR, READ_ONLY = -100, 0x8000, 442, 1
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
DEVICES = ("null", "zero", "full", "random", "urandom")

_LIBC = ctypes.CDLL(None, use_errno=True)


def _done(code: int) -> None:
    """Raises OSError where a call of the system failed."""
    if code == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _mount(source: str, target: str, kind: str, flags: int, data: bytes | None = None) -> None:
    _done(_LIBC.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data))


def _set_read_only(path: str, yes: bool) -> None:
    """Make everything below `path` read-only, or that mount alone writable again."""
    attributes = struct.pack("=4Q", READ_ONLY * yes, READ_ONLY * (not yes), 0, 0)
    flags = AT_RECURSIVE if yes else 0
    _done(_LIBC.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path.encode(), flags, attributes, ctypes.c_size_t(32)))


def _unshare() -> None:
    """A user of the same number without rights outside, and spaces of their own for all that it could reach."""
    user, group = os.getuid(), os.getgid()
    _done(_LIBC.unshare(NEWUSER | NEWNS | NEWIPC | NEWPID | NEWNET))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        Path("/proc/self", name).write_text(text)


def _show(descriptor: int, place: str) -> None:
    """Let what a descriptor stands for be at a place again."""
    source = f"/proc/self/fd/{descriptor}"
    if os.path.isdir(source):
        os.makedirs(place, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        Path(place).touch()
    _mount(source, place, "none", MS_BIND | MS_REC)
    os.close(descriptor)


def _close(folder: str, empty: Sequence[str], kept: Sequence[str]) -> None:
    """Everything is read-only but the folder; devices, sockets of services, and files of others are gone."""
    _mount("none", "/", "none", MS_REC | MS_PRIVATE)
    shown = [(os.open(place, os.O_PATH), place) for place in (*kept, folder)]
    devices = [(os.open(f"/dev/{name}", os.O_PATH), f"/dev/{name}") for name in DEVICES]
    for place in ("/dev", *(place for place in empty if not place.startswith("/dev/"))):
        # In a folder where all may write, O_CREAT does not open a device of root.
        _mount("none", place, "tmpfs", 0, b"mode=755")
    for descriptor, place in (*devices, *shown):
        _show(descriptor, place)
    Path("/dev/fd").symlink_to("/proc/self/fd")
    _set_read_only("/", True)
    _set_read_only(folder, False)
    os.chdir(folder)  # by its name, or it is what it was before


def _become(command: list[str]) -> None:
    """The program, with no right that it could undo this with."""
    right = 0
    while _LIBC.prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0:
        right += 1
    _done(_LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # as in die_with_parent.py
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)


def _inside(places: Mapping[str, Any], command: list[str], answer: int) -> None:
    """The first process inside: starts the program, waits for it, and takes all others with it when it ends."""
    _done(_LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    outside = select.poll()
    outside.register(answer, 0)
    if outside.poll(0):  # the other end of the pipe is closed: this process was late in asking to end with its parent
        return
    _close(places["folder"], places["empty"], places["kept"])
    program = os.fork()
    if program == 0:
        os.close(answer)
        _become(command)
    while True:
        ended, status = os.wait()
        if ended == program:
            os.write(answer, struct.pack("=i", status))
            return


def _status(places: Mapping[str, Any], command: list[str]) -> int:
    """Exit status of the program, as of os.wait. Raises OSError."""
    _unshare()
    reading, writing = os.pipe()
    if os.fork() == 0:
        code = 0
        try:
            os.close(reading)
            _inside(places, command, writing)
        except OSError as error:
            print(f"box: {error}", file=sys.stderr, flush=True)
            code = REFUSED
        os._exit(code)
    os.close(writing)
    said = os.read(reading, 4)
    os.wait()
    return int(struct.unpack("=i", said)[0]) if len(said) == 4 else REFUSED << 8


def main(places: str, command: list[str]) -> int:
    """The exit code, or the end by the signal that ended the program."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        status = _status(json.loads(places), command)
    except OSError as error:
        print(f"box: {error}", file=sys.stderr, flush=True)
        return REFUSED
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.WEXITSTATUS(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
