"""The units that everything is counted in. Standard library only."""

from typing import NewType

HalfPoints = NewType("HalfPoints", int)
"""Points doubled: a win of one point is 2. Never a float."""
Seconds = NewType("Seconds", int)
Ply = NewType("Ply", int)
"""Half-moves from the start of the game; the first move is ply 1."""
