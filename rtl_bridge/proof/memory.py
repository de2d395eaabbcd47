# SPDX-License-Identifier: Apache-2.0
"""Peak memory of a proof."""

import re
import resource
from pathlib import Path

_STATUS = Path("/proc/self/status")
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)


def peak() -> int | None:
    """The most memory that this process, or one that it has started and that has ended, has had, in MB of 10^6 bytes.

    None if the system does not say. The system's figure of a process begins with the size of the one that started
    it (getrusage(2)), so that of this process comes from elsewhere, and that of the others need not be doubted.
    """
    if not _STATUS.is_file() or (own := _PEAK.search(_STATUS.read_text())) is None:
        return None
    largest = max(int(own[1]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return round(largest * 1024 / 1e6)
