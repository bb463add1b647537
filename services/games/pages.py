"""The page of a game: who plays, the board, the moves that count, and what was said and decided beside them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Response
from markupsafe import Markup

from services.games import page_history as telling
from services.games import responses as answers
from services.games.drawing import drawn
from services.games.files import export as forms
from services.games.notations import Asked
from services.games.routes import found_game
from services.games.rules.boards.port import SIDES as SEATS
from services.games.rules.boards.registry import Kind, kind_of
from shared.audit.checkpoint import short_digest
from shared.core.entities import Game, Ruling
from shared.core.events import GameEnded, SheetLine
from shared.core.terms import PlayerId, Side
from shared.core.tournament import Tournament
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.http.problems import Problem
from shared.web.page import SIDES, House, marks, style
from shared.wire import envelope

HOUSE = House(Path(__file__).parent / "templates")
_READ_AS = {"chess": Asked("san"), "xiangqi": Asked("chinese")}
"""What people read moves in; other games have one notation."""
_BY_TWO = frozenset(_READ_AS)
"""Games whose moves are numbered by both sides' together."""
_COLOURS: dict[Side, tuple[str, str]] = {"white": ("White", "白"), "black": ("Black", "黑")}
_RED = ("Red", "红")
_FORMS = {forms.PGN: "pgn", forms.SGF: "sgf"}


def games(bp: Blueprint, desk: Desk) -> None:
    """A game's page, and its sheet as a file to keep."""
    style(bp)

    @bp.get("/games/<g>")
    @HOUSE.told
    def game_page(g: str) -> Response:
        one = found_game(desk, g)
        t, kind = one.view.tournament, kind_of(one.view.tournament, one.game)
        asked = _READ_AS.get(kind.name, Asked()) if kind is not None else Asked()
        findings = [f for f in t.findings.values() if f.made.game == one.game.game]
        names = answers.names(desk, t, {one.game.white, one.game.black, *(f.made.player for f in findings)})
        told = answers.game(one, Asked())
        now = desk.view(t.id)
        setting = t.setting(one.game)
        return HOUSE.page(
            "game.html",
            t=t,
            told=told,
            shown=Shown(one.view, one.view.seq if now is None else now.seq),
            seats={side: _seat(one, kind, side, told, names) for side in SEATS},
            result=setting and marks(setting.white, setting.black),
            end=_end(desk, t, one.game),
            board=_board(kind, one, told),
            form=kind and _FORMS[forms.MEDIA[kind.name]],
            moves=telling.moves(kind, one.sheet, asked) if kind is not None else [],
            by_two=kind is not None and kind.name in _BY_TWO,
            history=_history(kind, one, asked),
            findings=[(f, names.get(f.made.player)) for f in findings],
            rulings=[(r, _state(t, r)) for r in t.rulings.values() if r.made.game == one.game.game],
            digest=short_digest(one.view.seq, one.view.root),
        )

    @bp.get("/games/<g>/sheet.<form>")
    @HOUSE.told
    def sheet_file(g: str, form: str) -> Response:
        one = found_game(desk, g)
        kind = kind_of(one.view.tournament, one.game)
        if kind is None or form != _FORMS[forms.MEDIA[kind.name]]:
            raise Problem(404, "no-such-form", "No such file", f"the sheet of {g} is not kept as {form}")
        content = forms.written(desk, one, kind, Asked())
        response = Response(content, mimetype=forms.MEDIA[kind.name])
        response.headers["Content-Disposition"] = f'attachment; filename="{one.game.game}.{form}"'
        response.headers["Cache-Control"] = "no-cache"
        return response


@dataclass(frozen=True)
class Shown:
    """What the page shows: the view, and the log's length now."""

    view: View
    last: int


def _seat(
    one: answers.Read, kind: Kind | None, side: Side, told: dict[str, Any], names: dict[PlayerId, str]
) -> dict[str, Any]:
    """Who sits there, the colour that is played, and the clock."""
    player = one.game.player(side)
    return {
        "player": player,
        "name": names.get(player),
        "colour": _colour(one, kind, side),
        "clock": telling.clock(told["clocks"][side]),
    }


def _colour(one: answers.Read, kind: Kind | None, seat: Side) -> tuple[str, str]:
    """In English and Chinese: of the pieces or stones that the seat holds now."""
    if kind is None:
        announced = one.view.tournament.announced
        first, second = SIDES.get(announced.game if announced else "", ("First", "Second"))
        return (first if seat == "white" else second), ""
    colour: Side = "black" if seat == one.sheet.reached(kind).position.holder("black") else "white"
    return _RED if kind.name == "xiangqi" and colour == "white" else _COLOURS[colour]


def _end(desk: Desk, t: Tournament, game: Game) -> GameEnded | None:
    """How the game ended at the board, if it did."""
    if game.ended is None:
        return None
    (row,) = desk.lines(stream_of(t.id), game.ended - 1, game.ended)
    data = envelope.read(row.line, row.seq).data
    return data if isinstance(data, GameEnded) else None


def _board(kind: Kind | None, one: answers.Read, told: dict[str, Any]) -> Markup | None:
    """The board; None where nothing was played on it and nothing will be."""
    if kind is None or not (one.lines or told["status"] in ("paired", "playing")):
        return None
    return Markup(drawn(kind.name, told["fen"], telling.last_move(one.sheet)))  # noqa: S704  # escaped where it is drawn


def _history(kind: Kind | None, one: answers.Read, asked: Asked) -> list[telling.Said]:
    if kind is None:
        return []
    lines = (envelope.read(line, n).data for n, line in enumerate(one.lines, 1))
    return telling.history(kind, (data for data in lines if isinstance(data, SheetLine)), asked)


def _state(t: Tournament, ruling: Ruling) -> str:
    """Whether a ruling stands, in words."""
    if t.effective(ruling.made.ruling):
        return "stands"
    return "stands, without effect" if t.stands(ruling.made.ruling) else "annulled or fallen"
