# SPDX-License-Identifier: Apache-2.0
"""Users' results, to be compared with the golden ones."""
