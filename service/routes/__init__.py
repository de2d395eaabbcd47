# SPDX-License-Identifier: Apache-2.0
"""Routes of the API, a module for each subject."""
