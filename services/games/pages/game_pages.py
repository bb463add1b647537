"""The page of a game: the players, the board, the moves that count, and the statements and decisions during play."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response
from markupsafe import Markup
from msgspec import to_builtins

from services.games import responses
from services.games.files import export
from services.games.layout import LAYOUT
from services.games.notations import ON_PAGES, MoveStyle
from services.games.pages import page_history
from services.games.pages.drawing import drawing
from services.games.read_routes import game_view
from services.games.rules.boards.port.position import SIDES as SEATS
from services.games.rules.boards.registry import Variant
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import GameEnded, SheetLine
from shared.core.language.messages import Message, say
from shared.core.readings.colours import Colours
from shared.core.readings.vocabulary import seat_name
from shared.core.state.entities import Game, Ruling, Setting
from shared.core.state.grounds import lines_of
from shared.core.state.outcomes import notation_of
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Ply, Side
from shared.core.trust.merkle import short_digest
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.http.operations import TABLE
from shared.http.problems import Problem, of_status
from shared.http.reads.tournament_query import number
from shared.web.names import called_in
from shared.web.page import circumstances, shown
from shared.web.particulars import names_of
from shared.web.result_words import marks, result_called
from shared.web.static_files import static_files
from shared.wire import envelope


@dataclass(frozen=True, slots=True)
class Step:
    """The ``ply`` that a page stands at, of ``plies``; the position after it as text, and the move that led there."""

    ply: Ply
    plies: int
    text: str
    last: str | None

    @property
    def links(self) -> list[tuple[str, str, int | None]]:
        """The ways from here, each with its sign, its key, and the ply that it leads to: None where it leads nowhere."""
        back, on = self.ply > 0, self.ply < self.plies
        return [
            ("|◀", "Home", 0 if back else None),
            ("◀", "ArrowLeft", self.ply - 1 if back else None),
            ("▶", "ArrowRight", self.ply + 1 if on else None),
            ("▶|", "End", self.plies if on else None),
        ]


def step_at(variant: Variant, sheet: Sheet, ply: int | None) -> Step:
    """Return the step at a ply, by default the last. Raises `Problem` 404 for a ply that was not played."""
    plies = len(sheet.plies)
    wanted = plies if ply is None else ply
    if wanted > plies:
        raise Problem(404, "no-such-ply", say("No such ply"), say("the game has only {plies} plies", plies=plies))
    past = sheet if wanted == plies else _until(sheet, wanted)
    return Step(Ply(wanted), plies, past.position(variant).text(), page_history.last_move(past))


def _until(sheet: Sheet, ply: int) -> Sheet:
    """Return the sheet as it counts before the ply after this one."""
    past = Sheet(sheet.game)
    for entry in sheet.entries:
        if len(past.plies) == ply and entry is sheet.plies[ply]:
            break
        past.evolve(entry)
    return past


def games(bp: Blueprint, desk: Desk) -> None:
    """Register a game's page, and its sheet as a file for download."""
    static_files(bp)
    LAYOUT.serve_problems(bp)

    @LAYOUT.serves(bp, "/games/<g>", cost=TABLE)
    def game_page(g: str) -> Response:
        one = game_view(desk, g)
        t, variant = one.view.tournament, one.variant
        style = MoveStyle(ON_PAGES.get(variant.name)) if variant is not None else MoveStyle()
        format = export.format_of(variant)
        findings = [f for f in t.findings.values() if f.event.game == one.game.game]
        names = names_of(desk, t, {one.game.white, one.game.black, *(f.event.player for f in findings)})
        state = to_builtins(responses.game(one, MoveStyle()))
        now = desk.view(t.id)
        setting, colours = t.setting(one.game), responses.colours_at(one)
        step = None if variant is None else step_at(variant, one.sheet, number("ply", 0))
        return LAYOUT.page(
            "game.html",
            t=t,
            game=state,
            page=PagePoint(one.view, one.view.seq if now is None else now.seq),
            seats={side: _seat(one, colours, side, state, names) for side in SEATS},
            result=setting and marks(setting.white, setting.black),
            won=_won(one, colours, setting, names),
            end=_end(desk, t, one.game),
            board=_board(one, state, step),
            step=step,
            ending=format and format.ending,
            moves=page_history.moves(variant, one.sheet, style) if variant is not None else [],
            by_two=variant is not None and variant.name in ON_PAGES,
            history=_history(one, style),
            findings=[(f, names.get(f.event.player), lines_of(f.event.grounds, state["kind"])) for f in findings],
            rulings=[
                (r, circumstances(None, r.event.facts), _state(t, r))
                for r in t.rulings.values()
                if r.event.game == one.game.game
            ],
            digest=short_digest(one.view.seq, one.view.root),
        )

    @LAYOUT.serves(bp, "/games/<g>/board.svg", cost=TABLE)
    def board_drawing(g: str) -> Response:
        one = game_view(desk, g)
        variant = one.variant
        step = None if variant is None else step_at(variant, one.sheet, number("ply", 0))
        svg = None if variant is None or step is None else drawing(variant.name, step.text, step.last)
        if svg is None:
            raise of_status(404, say("nothing exists at this address"))
        response = Response(svg, mimetype="image/svg+xml")
        response.headers["Cache-Control"] = "no-cache"
        return response

    @LAYOUT.serves(bp, "/games/<g>/sheet.<ending>", cost=TABLE)
    def sheet_file(g: str, ending: str) -> Response:
        one = game_view(desk, g)
        format = export.format_of(one.variant)
        if one.variant is None or format is None or ending != format.ending:
            why = say("the score sheet of {g} cannot be exported as .{ending}", g=g, ending=ending)
            raise Problem(404, "no-such-form", say("No such file"), why)
        response = Response(export.write(desk, one, one.variant, MoveStyle()), mimetype=format.media)
        response.headers["Content-Disposition"] = f'attachment; filename="{one.game.game}.{ending}"'
        response.headers["Cache-Control"] = "no-cache"
        return response


@dataclass(frozen=True)
class PagePoint:
    """The point of the log that a page stands at: the view, and the log's length now."""

    view: View
    last: int


def _seat(
    one: responses.GameView, colours: Colours, side: Side, state: dict[str, Any], names: dict[PlayerId, str]
) -> dict[str, Any]:
    """Return the seat's player, their colour, whether they must make Black's first move, and the clock."""
    player = one.game.player(side)
    return {
        "player": player,
        "name": names.get(player),
        "colour": seat_name(colours, side),
        "first": colours.first == "black" and side == colours.first_seat and not state["ply"],
        "clock": page_history.clock(state["clocks"][side]),
        "parts": page_history.clock_parts(state["clock_parts"] and state["clock_parts"][side]),
        "byo_yomi": state["byo_yomi"] and state["byo_yomi"][side],
    }


def _won(
    one: responses.GameView, colours: Colours, setting: Setting | None, names: dict[PlayerId, str]
) -> Message | None:
    """Return the result in words, by the winner's colour or name; None without one, and if only its marks say it."""
    points = one.view.tournament.regulations.points
    notation = setting and notation_of(points, setting.white, setting.black)
    players = {side: called_in(names, one.game.player(side)) for side in SEATS}
    return None if notation is None else result_called(colours, notation, players)


def _end(desk: Desk, t: Tournament, game: Game) -> GameEnded | None:
    """Return how the game ended at the board, or None if it did not."""
    if game.ended is None:
        return None
    (row,) = desk.lines(stream_of(t.id), game.ended - 1, game.ended)
    data = envelope.read(row.line, row.seq).data
    return data if isinstance(data, GameEnded) else None


def _board(one: responses.GameView, state: dict[str, Any], step: Step | None) -> Markup | None:
    """Return the board, or None if nothing was or will be played on it, or if boards of the game are not drawn."""
    if one.variant is None or step is None or not (one.lines or state["status"] in ("paired", "playing")):
        return None
    return board_at(one.variant, step)


def board_at(variant: Variant, step: Step) -> Markup | None:
    """Return the board of a game at a step as SVG, or None if boards of the game are not drawn."""
    svg = drawing(variant.name, step.text, step.last)
    return None if svg is None else Markup(svg)  # noqa: S704  # escaped where it is drawn


def _history(one: responses.GameView, style: MoveStyle) -> list[page_history.HistoryEntry]:
    if one.variant is None:
        return []
    lines = (envelope.read(line, n).data for n, line in enumerate(one.lines, 1))
    return page_history.history(one.variant, (data for data in lines if isinstance(data, SheetLine)), style)


def _state(t: Tournament, ruling: Ruling) -> Message:
    """Return in words whether a ruling is in force."""
    if t.has_effect(ruling.event.ruling):
        return say("in force")
    check = t.contradiction(ruling.event.ruling)
    if check is not None:
        return say("no longer in force, because the score sheet shows {facts}", facts=shown(check.event.contradicted))
    return say("in force, without effect") if t.is_in_force(ruling.event.ruling) else say("annulled or lapsed")
