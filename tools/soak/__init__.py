# SPDX-License-Identifier: Apache-2.0
"""The service under load and attack for minutes, with kills: what was lost, refused, and how long a monitor waited."""
