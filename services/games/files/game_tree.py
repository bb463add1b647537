"""Moves with variations and remarks, as files of xiangqi have them, written as what PGN has beside its moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from services.games.files.game_file import Place, Unreadable
from shared.core.language.messages import say

NESTED_AT_MOST = 64
"""Variations within variations: deeper ones are no analysis."""


@dataclass(slots=True)
class Branch:
    """A line of moves that begins at the ply ``first`` (from 1) of the game; ``remarks`` and ``variations`` by the ply that
    they are on or replace. The main line begins at 1, and what is on ply 0 stands before its moves."""

    first: int
    place: Place
    moves: list[str] = field(default_factory=list)
    remarks: dict[int, str] = field(default_factory=dict)
    variations: dict[int, list["Branch"]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        return self.first + len(self.moves) - 1


def items(main: Branch, second: bool) -> dict[str, list[str]]:
    """What stands beside the moves of the main line, by the number of moves before it, as annotations have it. ``second``:
    the second side is to move first. Raises `Unreadable` for variations nested too deep."""
    found: dict[str, list[str]] = {}
    for ply in range(main.last + 1):
        beside = list(_beside(main, ply, second, 1))
        if beside:
            found[str(ply)] = beside
    return found


def _beside(branch: Branch, ply: int, second: bool, depth: int) -> Iterator[str]:
    if ply in branch.remarks:
        yield from comment(branch.remarks[ply])
    for variation in branch.variations.get(ply, ()):
        if depth > NESTED_AT_MOST:
            why = say(
                "variations are nested {depth} levels deep; the limit is {most}", depth=depth, most=NESTED_AT_MOST
            )
            raise Unreadable(why, variation.place)
        yield " ".join(["(", *_words(variation, second, depth + 1), ")"])


def _words(branch: Branch, second: bool, depth: int) -> Iterator[str]:
    interrupted = True
    for ply, move in enumerate(branch.moves, branch.first):
        full, half = divmod(ply - 1 + second, 2)
        if not half or interrupted:
            yield f"{full + 1}{'...' if half else '.'}"
        yield move
        beside = list(_beside(branch, ply, second, depth))
        yield from (f"{item}\n" if item.startswith(";") else item for item in beside)
        interrupted = bool(beside)


def comment(text: str) -> Sequence[str]:
    """A text as comments of PGN: in braces, or where it has their end in it, each line to its end. What PGN would take for a
    command (``[%clk 1:00:00]``), which a remark of another format is not, has a space in its bracket."""
    text = text.replace("[%", "[ %")
    if "}" not in text:
        return [f"{{{text}}}"]
    return [f";{line}" for line in text.splitlines()]
