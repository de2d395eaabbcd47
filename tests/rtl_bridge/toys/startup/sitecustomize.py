# SPDX-License-Identifier: Apache-2.0
"""Python imports this module when it starts, in a simulator too: it makes the schedules of the toys known there."""

from refmodels import registry
from tests.rtl_bridge.toys.serial_arch import ARCHITECTURE

registry.ARCHITECTURES.setdefault(ARCHITECTURE.id, ARCHITECTURE)
