# SPDX-License-Identifier: Apache-2.0
"""Rooms that load their modules when a name of theirs is asked for."""

from importlib import import_module

import pytest


@pytest.mark.parametrize("room", ["cli", "cycles", "sets", "traces"])
def test_a_room_offers_what_it_says(room: str) -> None:
    package = import_module(f"vectors.{room}")
    assert package.__all__
    for name in package.__all__:
        assert package.__getattr__(name) is getattr(package, name)
    with pytest.raises(AttributeError, match=rf"^module 'vectors\.{room}' has no attribute 'nix'$"):
        _ = package.nix
