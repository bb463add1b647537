"""A score sheet in the form that other programs read: PGN for chess and xiangqi, SGF for the games of stones."""

from collections.abc import Callable, Iterable, Mapping

from services.games.files import pgn, sgf
from services.games.notations import Asked
from services.games.responses import Read, names
from services.games.rules.boards.port import SIDES
from services.games.rules.boards.registry import Kind
from services.games.rules.play.sheet import Counting, Spoken
from shared.core.events import ClaimMade, MovePlayed, OfferMade, StepTaken
from shared.core.terms import Side
from shared.core.tournament import Tournament
from shared.desk.desk import Desk

PGN, SGF = "application/x-chess-pgn", "application/x-go-sgf"
MEDIA = {"chess": PGN, "xiangqi": PGN, "go": SGF, "renju": SGF, "gomoku": SGF, "prediction": SGF}
"""The form that each game has."""


def written(desk: Desk, one: Read, kind: Kind, asked: Asked) -> bytes:
    """The sheet of a game of this kind in the form of its `MEDIA`; names that are not at hand are ``?``."""
    if MEDIA[kind.name] == SGF:
        return _sgf(desk, one, kind)
    write: Callable[[Desk, Read, Kind, Asked], str] = {"chess": _chess, "xiangqi": _xiangqi}[kind.name]
    return write(desk, one, kind, asked).encode()


def _chess(desk: Desk, one: Read, kind: Kind, asked: Asked) -> str:
    headers = _headers(desk, one, kind, "White", "Black")
    return pgn.chess_written(one.sheet.moves, headers, _result(one, kind), one.day)


def _xiangqi(desk: Desk, one: Read, kind: Kind, asked: Asked) -> str:
    moves, iccs = one.sheet.moves, asked.notation in (None, "iccs")
    texts = asked.moves(kind, (m.move for m in moves))
    headers = _headers(desk, one, kind, "Red", "Black")
    return pgn.xiangqi_written(moves, texts, headers, _result(one, kind), one.day, iccs)


def _headers(desk: Desk, one: Read, kind: Kind, white: str, black: str) -> dict[str, str]:
    t, g = one.view.tournament, one.game
    players = _players(desk, one, kind)
    event = {"Event": t.announced.name, "Site": "?", "Round": f"{g.round}.{g.board}"}
    return event | {white: players["white"], black: players["black"]}


def _players(desk: Desk, one: Read, kind: Kind) -> dict[Side, str]:
    """Who has the pieces of each colour, on whichever seat; ``?`` for a name that was erased or is not at hand."""
    known, position = names(desk, one.view.tournament, (one.game.white, one.game.black)), one.sheet.position(kind)
    return {colour: known.get(one.game.player(position.holder(colour)), "?") for colour in SIDES}


def _result(one: Read, kind: Kind) -> str:
    """One of PGN's three results, White's pieces first; what else the marks say is none of them."""
    setting, t = one.view.tournament.setting(one.game), one.view.tournament
    if setting is None:
        return pgn.UNDECIDED
    value = _values(t)
    points = {"white": value.get(setting.white.points, -1), "black": value.get(setting.black.points, -1)}
    position = one.sheet.position(kind)
    return pgn.RESULTS.get((points[position.holder("white")], points[position.holder("black")]), pgn.UNDECIDED)


def _values(t: Tournament) -> Mapping[int, int]:
    points = t.regulations.points
    return {points.win: 2, points.draw: 1, points.loss: 0}


def _sgf(desk: Desk, one: Read, kind: Kind) -> bytes:
    t, g = one.view.tournament, one.game
    players = _players(desk, one, kind)
    headers = {"EV": t.announced.name, "RO": f"{g.round}.{g.board}", "PB": players["black"], "PW": players["white"]}
    if one.day is not None:
        headers["DT"] = one.day.isoformat()
    winners: dict[str, Side | None] = {"1-0": "white", "0-1": "black", "1/2-1/2": None}
    result = _result(one, kind)
    if result in winners:
        headers["RE"] = sgf.result(winners[result])
    return sgf.written(stones(one.sheet.counting), sgf.dialect(kind.rules), headers, _notes(one.sheet.counting))


_PLACES = ("choose_fifth", "lose_turn")
"""Steps that SGF has as a move."""


def stones(lines: Iterable[Counting]) -> tuple[sgf.SgfMove, ...]:
    """The stones and passes that the lines put on the board, in turn; the fifth stone that was kept is a step's, and
    a turn that was lost is a pass."""
    placed = []
    for line in lines:
        if isinstance(line, MovePlayed):
            placed.append(sgf.SgfMove(line.move, line.clock))
        elif isinstance(line, StepTaken) and line.step in _PLACES:
            placed.append(sgf.SgfMove("PASS" if line.step == "lose_turn" else line.values[0]))
    return tuple(placed)


def _notes(lines: Iterable[Counting]) -> dict[int, list[str]]:
    """What else the sheet holds, by the number of stones before it: SGF has it as comments."""
    notes: dict[int, list[str]] = {}
    placed = 0
    for line in lines:
        if isinstance(line, MovePlayed) or (isinstance(line, StepTaken) and line.step in _PLACES):
            placed += 1
        else:
            notes.setdefault(placed, []).append(_note(line))
    return notes


def _note(line: StepTaken | Spoken) -> str:
    match line:
        case StepTaken():
            return f"{line.side}: {' '.join((line.step, *line.values))}"
        case OfferMade():
            return f"{line.side}: draw {line.offer}"
        case ClaimMade():
            return f"{line.side or 'arbiter'}: claim {' '.join((line.claim, line.move or '')).strip()}"
    return f"{line.claim} is {'' if line.upheld else 'not '}upheld"
