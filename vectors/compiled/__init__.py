# SPDX-License-Identifier: Apache-2.0
"""Models and schedules as programs that a C compiler takes."""
