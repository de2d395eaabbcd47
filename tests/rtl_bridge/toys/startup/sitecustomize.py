# SPDX-License-Identifier: Apache-2.0
"""Python imports this module at start-up, also in a simulator: it registers the schedules of the toys there."""

from limbtrace.refmodels import registry
from tests.rtl_bridge.toys.serial_arch import ARCHITECTURE

registry.ARCHITECTURES.setdefault(ARCHITECTURE.id, ARCHITECTURE)
