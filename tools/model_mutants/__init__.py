# SPDX-License-Identifier: Apache-2.0
"""Mutants of the code of models: which changes of it the tests do not notice."""
