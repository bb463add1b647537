"""A chess score sheet as PGN, written by python-chess."""

from datetime import date

import chess
import chess.pgn

from services.games.rules.sheet import Sheet

RESULTS = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}


def written(sheet: Sheet, headers: dict[str, str], result: str, day: date | None) -> str:
    """The moves that count, each with its clock reading, under the seven tags and ``headers``."""
    game = chess.pgn.Game()
    game.headers["Date"] = day.strftime("%Y.%m.%d") if day else "????.??.??"
    for name, value in headers.items():
        game.headers[name] = _quoted(value)
    game.headers["Result"] = result
    node: chess.pgn.GameNode = game
    for move in sheet.moves:
        node = node.add_variation(chess.Move.from_uci(move.move))
        if move.clock is not None:
            node.set_clock(move.clock)
    return f"{game}\n"


def _quoted(value: str) -> str:
    """A tag's value as the standard has it (8.1.1): backslash and quote escaped, on one line."""
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
