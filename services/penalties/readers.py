"""How a body sent to an address of penalties becomes a command: read by its own route, and by whoever previews it."""

from typing import Any

from services.penalties import hall_schemas, schemas
from services.penalties.rules import commands
from shared.core.terms import PENALTIES, Actor, GameId, PlayerId, RulingId, Side
from shared.http.commands.readers import Reader
from shared.log.texts import Texts

T = "/v1/tournaments/<t>"
G = "/v1/games/<g>"
SIDES: tuple[Side, ...] = ("white", "black")


def ruling(actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str) -> commands.MakeRuling:
    return commands.MakeRuling(
        actor,
        PlayerId(fields["player"]),
        fields["round"],
        fields["infraction"],
        game=None if fields["game"] is None else GameId(fields["game"]),
        article=fields["article"],
        note=texts.ref(fields["note"]),
        effect=fields["effect"],
        facts=fields["facts"],
        ply=fields["ply"],
    )


def game_decision(actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, g: str) -> commands.DecideGame:
    white, black = fields["marks"]
    return commands.DecideGame(actor, GameId(g), fields["infraction"], white, black, texts.ref(fields["reason"]))


def annulment(actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str, r: str) -> commands.AnnulRuling:
    return commands.AnnulRuling(actor, RulingId(r), texts.ref(fields["reason"]), fields["article"])


def retraction(
    actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str, r: str
) -> commands.RetractRuling:
    return commands.RetractRuling(actor, RulingId(r), texts.ref(fields["reason"]))


def appeal(actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str) -> commands.LodgeAppeal:
    return commands.LodgeAppeal(
        actor, RulingId(fields["ruling"]), PlayerId(fields["by"]), texts.ref(fields["grounds"]), now
    )


def appeal_decision(
    actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str, a: str
) -> commands.DecideAppeal:
    return commands.DecideAppeal(actor, a, fields["upheld"], fields["article"], texts.ref(fields["grounds"]))


def arrivals(
    actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str
) -> commands.NoteArrival | commands.CheckIn:
    round, boards = fields["round"], fields.get("boards")
    if boards is None:
        player, place = PlayerId(fields["player"]), fields.get("place", "seat")
        return commands.NoteArrival(actor, player, fields["late"], round=round, place=place, turn=fields.get("turn"))
    return commands.CheckIn(
        actor,
        tuple(
            commands.NoteArrival(
                actor,
                None,
                board[side]["late"],
                round=round,
                place=board[side].get("place", "seat"),
                board=board["board"],
                side=side,
                turn=board[side].get("turn"),
            )
            for board in boards
            for side in SIDES
            if side in board
        ),
    )


def arrival_correction(
    actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str, a: str
) -> commands.CorrectArrival:
    reason = texts.required(fields["reason"])
    return commands.CorrectArrival(actor, a, fields["late"], reason, fields.get("place"), fields.get("turn"))


def break_(actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, g: str) -> commands.NoteBreak:
    return commands.NoteBreak(actor, GameId(g), **fields)


def break_correction(
    actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, g: str, b: str
) -> commands.CorrectBreak:
    return commands.CorrectBreak(actor, GameId(g), b, fields.get("seconds"), texts.required(fields["reason"]))


RULING = Reader(PENALTIES, f"{T}/rulings", schemas.RulingSchema, ruling)
GAME_DECISION = Reader(PENALTIES, f"{G}/decision", schemas.GameDecisionSchema, game_decision)
ANNULMENT = Reader(PENALTIES, f"{T}/rulings/<r>/annulment", schemas.AnnulmentSchema, annulment)
RETRACTION = Reader(PENALTIES, f"{T}/rulings/<r>/retraction", schemas.RetractionSchema, retraction)
APPEAL = Reader(PENALTIES, f"{T}/appeals", schemas.AppealSchema, appeal)
APPEAL_DECISION = Reader(PENALTIES, f"{T}/appeals/<a>/decision", schemas.DecisionSchema, appeal_decision)
ARRIVAL = Reader(PENALTIES, f"{T}/arrivals", hall_schemas.ArrivalSchema, arrivals)
ARRIVAL_CORRECTION = Reader(
    PENALTIES, f"{T}/arrivals/<a>/correction", hall_schemas.ArrivalCorrectionSchema, arrival_correction
)
BREAK = Reader(PENALTIES, f"{G}/breaks", hall_schemas.BreakSchema, break_)
BREAK_CORRECTION = Reader(PENALTIES, f"{G}/breaks/<b>/correction", hall_schemas.BreakCorrectionSchema, break_correction)

READERS = (
    RULING,
    GAME_DECISION,
    ANNULMENT,
    RETRACTION,
    APPEAL,
    APPEAL_DECISION,
    ARRIVAL,
    ARRIVAL_CORRECTION,
    BREAK,
    BREAK_CORRECTION,
)
