"""The form on which a score sheet is written in the browser: moves, steps, a first position, a file, moves taken back, offers.

A form is shown again after each move, with the board, for the next one.
"""

import re
from typing import Any, get_args

from flask import Blueprint, Response, request
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.games import responses
from services.games.file_routes import batch_of
from services.games.files.upload import FORMATS, FileBatch, SentFile, readers
from services.games.layout import LAYOUT
from services.games.notations import ON_PAGES, MoveStyle
from services.games.pages import page_history
from services.games.pages.game_pages import board_at, step_at
from services.games.rules import RULES
from services.games.rules import commands as co
from services.games.rules.boards.port.position import SIDES
from services.games.rules.boards.registry import COMMANDED_STEPS, REASONS, STEP_WORDS, Variant, variant_of
from services.games.rules.play.moves import PLIES_AT_MOST
from services.games.schemas import BATCH_AT_MOST, whole_number_typed
from shared.core.language.messages import say
from shared.core.terms import Actor, Ply, Seconds
from shared.core.values.bounds import MOVE, POSITION, STEP_VALUE, VALUES
from shared.desk.desk import Desk
from shared.http.problems import Problem
from shared.http.requests import auth
from shared.log.texts import Texts
from shared.web.board_seen import BOARD, BoardSeen, board_seen
from shared.web.form import Form, back_to

Written = co.StartGame | co.PlayMoves | co.TakeBack | co.TakeStep | co.MakeOffer
_NUMBER = re.compile(r"(?<!\S)\d+\.+(?=\D|$)")
"""The number before a move, as in ``1. e4 e5`` and ``12...Nf6``."""
_CLOCK = re.compile(r"(?:([0-9]{1,2}):)?([0-5]?[0-9]):([0-5][0-9])")
_OF_ACT = {
    "moves": ("ply", "moves"),
    "file": ("format",),
    "start": (),
    "take_back": ("to_ply", "why"),
    "step": ("side", "step"),
    "offer": ("side", "offer"),
}
"""The fields that each action requires."""
_RECENT = 12
"""Plies that the form lists before the next one."""


def _check_clock(text: str) -> None:
    if not _CLOCK.fullmatch(text):
        raise ValidationError([say("a clock reading must be like 1:05:30 or 4:59")])


class SheetForm(Schema):
    """``act`` names the action. ``moves`` has spaces between moves; ``clock`` is the reading after the last, ``1:05:30``."""

    act = fields.String(required=True, validate=validate.OneOf(tuple(_OF_ACT)))
    ply = whole_number_typed(1, PLIES_AT_MOST)
    moves = fields.String(validate=validate.Length(1, BATCH_AT_MOST * MOVE.longest))
    clock = fields.String(validate=_check_clock)
    position = fields.String(validate=validate.Length(1, POSITION.longest))
    to_ply = whole_number_typed(0, PLIES_AT_MOST)
    why = fields.String(validate=validate.OneOf(sorted(REASONS)))
    side = fields.String(validate=validate.OneOf(SIDES))
    step = fields.String(validate=validate.OneOf(sorted(COMMANDED_STEPS)))
    values = fields.String(validate=validate.Length(1, STEP_VALUE.longest * VALUES.most))
    offer = fields.String(validate=validate.OneOf(get_args(co.Offer)))
    format = fields.String(validate=validate.OneOf(tuple(FORMATS)))
    number = whole_number_typed(1, 999_999)

    @validates_schema(skip_on_field_errors=True)
    def _complete(self, data: dict[str, Any], **kwargs: Any) -> None:
        missing = [name for name in _OF_ACT[data["act"]] if name not in data]
        if missing:
            raise ValidationError({name: [say("Missing data for required field.")] for name in missing})


def sheets(bp: Blueprint, desk: Desk) -> None:
    """Register the form of a score sheet."""

    @LAYOUT.serves(bp, f"{BOARD}/moves", form=True)
    def sheet_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        variant = variant_of(board.t, board.game)
        file: FileBatch | None = None

        def make(actor: Actor, texts: Texts, sent: dict[str, Any]) -> Written:
            nonlocal file
            if sent["act"] == "file":
                file = batch_of(desk, actor, texts, board.game.game, _sent_file(sent))
                return file.command
            return _command(actor, board, sent)

        def context() -> dict[str, Any]:
            return {"game": None} if variant is None else _shown(desk, board, variant)

        def back(seq: int | None) -> str:
            own = auth.visits_as_player(t)
            leaves = back_to("own_board_page", t=t) if own else back_to("round_page", t=t, n=n)
            return leaves(seq) if seq is None else f"{request.path}?after={seq}"

        form = Form(
            desk, LAYOUT, RULES.permit(co.PlayMoves), board.view, "sheet.html", board.concern, back,
            lambda: {"board": board, "back_to_board": request.path.rpartition("/")[0], **context()},
            place=lambda problem: problem if file is None else file.placed(problem),
        )  # fmt: skip
        return form.respond(SheetForm, make)


def _command(actor: Actor, board: BoardSeen, sent: dict[str, Any]) -> Written:
    """Return the command of an action that needs no file."""
    game = board.game.game
    match sent["act"]:
        case "moves":
            return co.PlayMoves(actor, game, Ply(sent["ply"]), _moves(sent["moves"], sent.get("clock")))
        case "start":
            return co.StartGame(actor, game, sent.get("position"))
        case "take_back":
            return co.TakeBack(actor, game, Ply(sent["to_ply"]), sent["why"])
        case "step":
            return co.TakeStep(actor, game, sent["side"], sent["step"], tuple(sent.get("values", "").split()))
    return co.MakeOffer(actor, game, sent["side"], sent["offer"])


def _moves(text: str, clock: str | None) -> tuple[co.Move, ...]:
    """Return moves as typed, without their numbers. Raises `Problem` 422."""
    moves = _NUMBER.sub(" ", text).split()
    wrong = None
    if not 1 <= len(moves) <= BATCH_AT_MOST:
        wrong = say("1 to {most} moves are expected: send a file for more", most=BATCH_AT_MOST)
    elif any(len(move) > MOVE.longest for move in moves):
        wrong = say("put spaces between the moves")
    if wrong is not None:
        raise Problem(422, "bad-fields", say("Fields are missing or wrong"), errors={"moves": [wrong]})
    return (*map(co.Move, moves[:-1]), co.Move(moves[-1], None if clock is None else _seconds(clock)))


def _seconds(clock: str) -> Seconds:
    match = _CLOCK.fullmatch(clock)
    assert match is not None, "the schema has checked it"
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return Seconds(hours * 3600 + minutes * 60 + seconds)


def _sent_file(sent: dict[str, Any]) -> SentFile:
    """Return the file of the request. Raises `Problem` 422 without one."""
    file = request.files.get("file")
    if file is None or not file.filename:
        wrong = [say("choose a file")]
        raise Problem(422, "bad-fields", say("Fields are missing or wrong"), errors={"file": wrong})
    file.seek(0)
    return SentFile(FORMATS[sent["format"]], file.read(), None, sent.get("number"))


def _shown(desk: Desk, board: BoardSeen, variant: Variant) -> dict[str, Any]:
    """Return what the form shows of the game: the board, the last moves, and what can be done now."""
    one = responses.read(desk, board.view, board.game)
    step = step_at(variant, one.sheet, None)
    state = responses.game(one, MoveStyle())
    moves = page_history.moves(variant, one.sheet, MoveStyle(ON_PAGES.get(variant.name)))
    known = {media: name for name, media in FORMATS.items()}
    return {
        "game": state,
        "drawing": board_at(variant, step),
        "kind": variant.name,
        "next_ply": step.ply + 1,
        "recent": moves[-_RECENT:],
        "clocks": {side: page_history.clock(getattr(state.clocks, side)) for side in SIDES},
        "steps": [
            (step.name, STEP_WORDS[step.name])
            for step in variant.game.steps
            if step.commanded and step.name != "set_clock" and (step.act is None or board.may(step.act))
        ],
        "reasons": list(variant.reasons()),
        "formats": [known[media] for media in readers(variant)],
        "can_set_up": variant.game.set_up is not None and board.may("set up a position"),
    }
