# SPDX-License-Identifier: Apache-2.0
"""What somebody may try who wants to stop the service for others."""
