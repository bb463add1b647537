"""A round as pages list it: its boards, matches and byes, found by a name or a number."""

from dataclasses import dataclass

from services.standings.page_context import PageContext
from shared.core.events import ByeSeat
from shared.core.language.messages import Message, say
from shared.core.readings.colours import Colours, colours_of
from shared.core.readings.scoring import Score
from shared.core.readings.token_boards import Boards
from shared.core.readings.vocabulary import BYES, seat_name
from shared.core.rounds.matches import matches, teams_meet
from shared.core.rounds.stages import MatchScore, stage_named
from shared.core.rulebook.formats import FORMATS
from shared.core.state.entities import Game, Pairing
from shared.core.state.tournament import Tournament
from shared.core.terms import ByeKind, HalfPoints, PlayerId, RulingId, Seq, Side
from shared.web.name_order import finds, name_key
from shared.web.result_words import ResultWords, marks, points, results_of

PGN_GAMES = {"chess", "xiangqi"}
"""The games whose sheets are kept as PGN, where the regulations have rules for them."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a board: ``points`` in half-points that he came to the round with, None before there is a table."""

    player: PlayerId
    name: str | None
    points: HalfPoints | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board of a round. ``result`` as people write it, None while it is open; ``seq`` the line that set it, else that of
    the pairing; ``ruled`` the ruling that it stands by; ``playing``: begun, and not over."""

    game: Game
    white: Seat
    black: Seat
    result: str | None
    seq: Seq
    ruled: RulingId | None
    playing: bool
    colours: Colours
    differs: bool
    """Whether its colours are not those of the table's headings."""

    def called(self, side: Side) -> Message:
        """Return what a seat is called: the colour that it holds now, or what is still to settle it."""
        return seat_name(self.colours, side)

    @property
    def results(self) -> tuple[ResultWords, ...]:
        """The results that a form offers, the winner by its colour."""
        return results_of(self.colours)


@dataclass(frozen=True, slots=True)
class ByeRow:
    """A player without an opponent in a round, in ``words``, and the half-points that the round gives (None: no table)."""

    seat: Seat
    words: Message
    worth: HalfPoints | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of two teams (0: nobody), its points as people write them, and its boards."""

    first: int
    second: int
    score: tuple[str, str]
    boards: tuple[BoardRow, ...]


@dataclass(frozen=True, slots=True)
class NameRow:
    """A player where his name is looked for: the board (None: a bye), and who sits opposite."""

    seat: Seat
    board: BoardRow | None
    bye: Message | None

    @property
    def side(self) -> Side:
        """Return the seat of the player, for a bye White's."""
        return "black" if self.board is not None and self.board.black is self.seat else "white"

    @property
    def opposite(self) -> Seat | None:
        """Return the opponent, or None for a bye."""
        if self.board is None:
            return None
        return self.board.black if self.board.white is self.seat else self.board.white


@dataclass(frozen=True, slots=True)
class RoundRows:
    """A round: ``seq`` is the line of its pairing, None where that was withdrawn; ``open`` counts boards without a result.

    ``matches`` where teams meet, and then they hold its ``boards``. ``pgn``: whether its games are kept as PGN.
    """

    round: int
    seq: Seq | None
    stage: str
    boards: tuple[BoardRow, ...] = ()
    byes: tuple[ByeRow, ...] = ()
    matches: tuple[MatchRow, ...] = ()
    open: int = 0
    pgn: bool = False

    def open_first(self, boards: Boards | None) -> list[BoardRow]:
        """The boards for who enters results, of ``boards`` (None: of all) before the others: those that wait for one first."""
        return sorted(
            self.boards, key=lambda b: (boards is not None and not boards.has(b.game.board), b.result is not None)
        )

    def by_name(self) -> list[NameRow]:
        """Everybody of the round from A to Z, Chinese names by their pinyin."""
        seated = [NameRow(seat, b, None) for b in self.boards for seat in (b.white, b.black)]
        free = [NameRow(bye.seat, None, bye.words) for bye in self.byes]
        return sorted(seated + free, key=lambda row: name_key(row.seat.name or ""))


def round_rows(page: PageContext, number: int, search: str = "") -> RoundRows:
    """A round by boards; with ``search``, only where a board has that number or a name, in Han or in pinyin, has it in it."""
    pairing = page.state.current(number)
    if pairing is None:
        return RoundRows(number, None, "")
    table = page.table()
    scores = table.field.scores if table is not None else {}

    def seat(player: PlayerId) -> Seat:
        score = scores.get(player)
        return Seat(player, page.name(player), None if score is None else _before(score, number, pairing.seq))

    boards = [_board(page, page.state.games[b.game], seat(b.white), seat(b.black)) for b in pairing.event.boards]

    def bye(one: ByeSeat) -> ByeRow:
        score = scores.get(one.player)
        worth = None if score is None else next((r.points for r in score.rounds if r.round == number), None)
        return ByeRow(seat(one.player), bye_words(page.tournament, pairing.event.stage, one.kind), worth)

    byes = [bye(b) for b in (*pairing.event.byes, *_asked_for(page.tournament, pairing))]
    still_open = sum(b.result is None for b in boards)
    if search:
        boards = [b for b in boards if str(b.game.board) == search or _any(search, b.white, b.black)]
        byes = [b for b in byes if _any(search, b.seat)]
    by_number = {b.game.board: b for b in boards}
    scored = matches(page.tournament) if teams_meet(page.tournament) else {}
    met = (
        MatchRow(m.first, m.second, _score(scored[m.match]), tuple(by_number[n] for n in m.boards if n in by_number))
        for m in (pairing.event.matches if scored else ())
    )
    stage = pairing.event.stage
    announced = page.tournament.announced
    games = PGN_GAMES & page.tournament.regulations.game.rules.keys()
    pgn = announced.game in games and not announced.excludes_sheets
    return RoundRows(
        number, pairing.seq, stage, tuple(boards), tuple(byes), tuple(m for m in met if m.boards), still_open, pgn
    )


def bye_words(t: Tournament, stage: str, kind: ByeKind) -> Message:
    """Return what a round without an opponent is called. In a bracket, sides of matches that are over only wait."""
    waits = kind == "Z" and FORMATS[stage_named(t, stage).format].winner_needed
    return say("no match in this round") if waits else BYES[kind]


def _asked_for(t: Tournament, pairing: Pairing) -> list[ByeSeat]:
    """The byes of a round that were asked for before it was paired, which its pairing does not name."""
    seated = {p for b in pairing.event.boards for p in (b.white, b.black)} | {b.player for b in pairing.event.byes}
    number = pairing.event.round
    return [ByeSeat(p, bye.kind) for (p, n), bye in sorted(t.byes.items()) if n == number and p not in seated]


def _before(score: Score, number: int, seq: Seq) -> HalfPoints:
    """The points of a player before a round that was paired in this line."""
    played = sum(r.points for r in score.rounds if r.round < number)
    return HalfPoints(played + sum(value for line, value in score.adjustments if line < seq))


def _any(search: str, *seats: Seat) -> bool:
    return any(finds(search, seat.name or "") for seat in seats)


def _score(match: MatchScore) -> tuple[str, str]:
    first, second = (points(value) for value in match.points)
    return first, second


def _board(page: PageContext, game: Game, white: Seat, black: Seat) -> BoardRow:
    setting, ruling = page.tournament.setting(game), page.state.ruling_on(game)
    colours = colours_of(page.state, game)
    return BoardRow(
        game,
        white,
        black,
        None if setting is None else marks(setting.white, setting.black),
        game.seq if setting is None else setting.seq,
        None if ruling is None else ruling.event.ruling,
        setting is None and game.started is not None,
        colours,
        colours.black not in (None, page.colours.black),
    )
