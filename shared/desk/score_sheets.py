"""The score sheets of an event, as far as a desk's log holds them."""

from collections.abc import Iterator

from shared.desk.desk import Desk


def score_sheets(desk: Desk, tournament: str) -> Iterator[tuple[str, list[bytes]]]:
    """Each game's id and the lines of its sheet, by id. A tournament's id may hold dots, so a prefix does not tell."""
    for stream in sorted(desk.streams(f"games/{tournament}.")):
        game = stream.removeprefix("games/")
        if game.rsplit(".", 2)[0] == tournament:
            yield game, [row.line for row in desk.lines(stream)]
