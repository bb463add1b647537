"""Papers to fill in or to put on the tables: place cards, board cards, and score sheets in the words of the game."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from markupsafe import Markup

from services.standings.page_context import SIDES, PageContext
from services.standings.rounds.boards import RoundRows
from shared.core.language.messages import Message
from shared.core.readings.vocabulary import record_name
from shared.core.rulebook.game_rules import GoRules
from shared.core.terms import PlayerId
from shared.desk.desk import Desk
from shared.web.board_points import point_letters, star_points

CARDS_A_PAGE = 8
SHEET_MOVES = 60
"""Moves of both sides that a score sheet has lines for."""
_DIAGRAMS = {"go": 19, "renju": 15, "gomoku": 15, "prediction": 15}
"""Games whose moves are numbers on a diagram, with the lines of the board (the regulations may set another size for Go)."""
_STEP = 20
T = TypeVar("T")


def pages_of(cards: Sequence[T]) -> list[Sequence[T]]:
    """Return the cards of each page."""
    return [cards[n : n + CARDS_A_PAGE] for n in range(0, len(cards), CARDS_A_PAGE)]


def place_cards(_: Desk, page: PageContext) -> dict[str, Any]:
    """Return the players who have not left, by number, for a card each."""
    here = [p.player for p in page.state.players.values() if p.left_after is None]
    return {"card_pages": pages_of(sorted(here, key=page.number))}


def board_cards(_: Desk, page: PageContext) -> dict[str, Any]:
    """Return the numbers of the boards: those that the players fill, and more if a round had more."""
    present = sum(p.left_after is None for p in page.state.players.values())
    paired = max((g.board for g in page.state.games_in_force()), default=0)
    return {"board_pages": pages_of(range(1, max(paired, present // 2, 1) + 1))}


class ScoreSheet(NamedTuple):
    """A score sheet of the event's game. ``first``: the name of the side that moves first, ``second``: of the other one.

    ``diagram``: the empty board, or None if moves are written in lines. ``columns``: blocks of the numbers of moves.
    """

    first: Message
    second: Message
    diagram: Markup | None
    columns: tuple[range, ...]


def score_sheet(page: PageContext) -> ScoreSheet:
    """Return an empty score sheet."""
    own = page.colours
    white, black = (record_name(own._replace(by=None), side) for side in SIDES)
    first, second = (black, white) if own.first == "black" else (white, black)
    game = page.tournament.announced.game
    rules = page.tournament.regulations.game.rules.get(game)
    size = rules.size if isinstance(rules, GoRules) else _DIAGRAMS.get(game)
    half = SHEET_MOVES // 2
    blocks = (range(1, half + 1), range(half + 1, SHEET_MOVES + 1))
    return ScoreSheet(first, second, None if size is None else empty_board(size, game), blocks)


def blank_score_sheet(_: Desk, page: PageContext) -> dict[str, Any]:
    """Return one score sheet without names."""
    return {"sheet_of": score_sheet(page), "filled": [None]}


class FilledSheet(NamedTuple):
    """The facts of a game before it is played: its round, board, and the players that move first and second.

    The players are None until colours are settled at the board.
    """

    round: int
    board: int
    first: PlayerId | None
    second: PlayerId | None


def round_score_sheets(page: PageContext, rows: RoundRows) -> dict[str, Any]:
    """Return a score sheet for each board of a round."""
    return {"sheet_of": score_sheet(page), "filled": list(_filled(rows))}


def _filled(rows: RoundRows) -> Iterator[FilledSheet]:
    for board in rows.boards:
        seats = (board.white.player, board.black.player)
        if board.colours.first_seat is None:
            yield FilledSheet(rows.round, board.game.board, None, None)
        else:
            first, second = seats if board.colours.first_seat == "white" else seats[::-1]
            yield FilledSheet(rows.round, board.game.board, first, second)


def empty_board(size: int, game: str) -> Markup:
    """Return an empty board with ``size`` lines each way and the names of its points, to write the numbers of moves on."""
    first, last = 2 * _STEP, (size + 1) * _STEP
    letters = point_letters(game)
    parts = []
    for n in range(size):
        at = first + n * _STEP
        parts += [
            f'<path d="M{first} {at}H{last}M{at} {first}V{last}"/>',
            f'<text x="{at}" y="{last + 22}">{letters[n]}</text>',
            f'<text x="{first - 18}" y="{at + 4}">{size - n}</text>',
        ]
    parts += [
        f'<circle cx="{first + x * _STEP}" cy="{first + y * _STEP}" r="2.5" fill="#000"/>' for x, y in star_points(size)
    ]
    edge = last - 4
    return Markup(  # noqa: S704  numbers and letters of this module
        f'<svg class="diagram" viewBox="10 32 {edge + 4} {edge}" role="img" fill="none" stroke="#000" stroke-width="0.7">'
        f'<g font-size="11" text-anchor="middle">{"".join(parts)}</g></svg>'
    ).replace("<text ", Markup('<text fill="#000" stroke="none" '))
