# SPDX-License-Identifier: Apache-2.0
"""Pages of HTML that need nothing else: neither other files, nor scripts, nor a network."""
