# SPDX-License-Identifier: Apache-2.0
"""Packages that load their modules at the first use of a name."""

from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["cli", "cycles", "sets", "traces"])
def test_a_package_exports_what_it_lists(name: str) -> None:
    package = import_module(f"limbtrace.vectors.{name}")
    assert package.__all__
    for exported in package.__all__:
        assert package.__getattr__(exported) is getattr(package, exported)
    with pytest.raises(AttributeError, match=rf"^module 'limbtrace\.vectors\.{name}' has no attribute 'nix'$"):
        _ = package.nix
