"""Score sheets as PGN: chess's own, and the dialect of xiangqi, whose moves stand in ICCS or in Chinese."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from services.games.files.game_file import Places
from services.games.files.pgn.pgn_tokens import on_one_line, tokens
from shared.core.events import MovePlayed
from shared.core.terms import Seconds

RESULTS = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}
UNDECIDED = "*"
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"'})
"""Backslash and quote in the value of a tag (PGN 8.1.1)."""
_LINE = 79
"""Characters in a line of movetext at most, but for a comment that is longer (PGN 4.3)."""


@dataclass(frozen=True, slots=True)
class PgnSheet:
    """What is written. ``texts``: the moves as they are to stand there, beside those of the sheet; ``items``: what is kept
    beside each, by the number of moves before it; ``tags`` in their order, ``Result`` among them; ``continued``: whether a
    move of the second side gets its number again behind what interrupts the moves. ``offset``: half moves before the first."""

    tags: Mapping[str, str]
    moves: Sequence[MovePlayed]
    texts: Sequence[str]
    items: Mapping[int, Sequence[str]] = field(default_factory=dict)
    continued: bool = True
    footer: str = ""
    offset: int = 0


def write(sheet: PgnSheet) -> str:
    """The sheet as PGN, in lines that end at LF."""
    head = [f'[{name} "{on_one_line(value).translate(_ESCAPES)}"]' for name, value in sheet.tags.items()]
    body = _lines([*_words(sheet), sheet.tags["Result"]])
    return "\n".join([*head, "", *body, *([sheet.footer] if sheet.footer else []), ""])


def _words(sheet: PgnSheet) -> Iterator[str]:
    items = sheet.items
    yield from _flat(items.get(0, ()))
    interrupted = True
    for n, (move, text) in enumerate(zip(sheet.moves, sheet.texts, strict=True), 1):
        full, half = divmod(n - 1 + sheet.offset, 2)
        if not half:
            yield f"{full + 1}."
        elif interrupted and (sheet.continued or n == 1):
            yield f"{full + 1}..."
        yield text
        beside = list(_beside(items.get(n, ()), move.clock))
        yield from _flat(beside)
        interrupted = any(not one.startswith("$") for one in beside)


def _beside(items: Sequence[str], clock: Seconds | None) -> Iterator[str]:
    """What stands behind a move: its marks, its clock's reading, and all else."""
    marks = next((n for n, one in enumerate(items) if not one.startswith("$")), len(items))
    yield from items[:marks]
    if clock is not None and not any("[%clk" in one for one in items if one.startswith("{")):
        yield f"{{[%clk {clock // 3600}:{clock // 60 % 60:02}:{clock % 60:02}]}}"
    yield from items[marks:]


def _flat(items: Iterable[str]) -> Iterator[str]:
    """The items, of which a variation is more than one word."""
    for item in items:
        if not item.startswith("("):
            yield item
            continue
        for token in tokens(item, Places(item)):
            match token.kind:
                case "comment":
                    yield f"{{{token.text}}}"
                case "rest":
                    yield f";{token.text}"
                case _:
                    yield token.text


def _lines(words: Iterable[str]) -> Iterator[str]:
    """The words in lines; what reaches to the end of its line, or begins one, has it for itself."""
    line = ""
    for word in words:
        if word.startswith("%") or (line and len(line) + 1 + len(word) > _LINE):
            if line:
                yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
        if word.startswith(("%", ";")):
            yield line
            line = ""
    if line:
        yield line
