"""How a body sent to an address of penalties becomes a command."""

from collections.abc import Mapping
from typing import Any

from services.penalties.rules import commands
from shared.core.events import CrossingNoted
from shared.core.terms import GameId, PlayerId, RulingId, Seq, Side
from shared.http.commands.write_routes import Submission

SIDES: tuple[Side, ...] = ("white", "black")


def ruling(sent: Submission, t: str) -> commands.MakeRuling:
    return commands.MakeRuling(
        sent.actor,
        PlayerId(sent["player"]),
        sent["round"],
        sent["infraction"],
        game=None if sent["game"] is None else GameId(sent["game"]),
        article=sent["article"],
        note=sent.text("note"),
        effect=sent["effect"],
        facts=sent["facts"],
        ply=sent["ply"],
    )


def game_decision(sent: Submission, g: str) -> commands.DecideGame:
    white, black = sent["marks"]
    return commands.DecideGame(sent.actor, GameId(g), sent["infraction"], white, black, sent.text("reason"))


def annulment(sent: Submission, t: str, r: str) -> commands.AnnulRuling:
    return commands.AnnulRuling(sent.actor, RulingId(r), sent.text("reason"), sent["article"])


def retraction(sent: Submission, t: str, r: str) -> commands.RetractRuling:
    return commands.RetractRuling(sent.actor, RulingId(r), sent.text("reason"))


def appeal(sent: Submission, t: str) -> commands.LodgeAppeal:
    return commands.LodgeAppeal(
        sent.actor, RulingId(sent["ruling"]), PlayerId(sent["by"]), sent.text("grounds"), sent.now
    )


def appeal_decision(sent: Submission, t: str, a: str) -> commands.DecideAppeal:
    return commands.DecideAppeal(sent.actor, a, sent["upheld"], sent["article"], sent.text("grounds"))


def arrivals(sent: Submission, t: str) -> commands.NoteArrival | commands.CheckIn:
    boards = sent.fields.get("boards")
    if boards is None:
        return _arrival(sent, sent.fields, player=PlayerId(sent["player"]))
    seats = ((board, side) for board in boards for side in SIDES if side in board)
    noted = (_arrival(sent, board[side], player=None, board=board["board"], side=side) for board, side in seats)
    return commands.CheckIn(sent.actor, tuple(noted))


def _arrival(sent: Submission, presence: Mapping[str, Any], **seat: Any) -> commands.NoteArrival:
    stated = {name: presence[name] for name in ("late", "place", "turn") if name in presence}
    return commands.NoteArrival(sent.actor, round=sent["round"], **stated, **seat)


def arrival_correction(sent: Submission, t: str, a: str) -> commands.CorrectArrival:
    reason = sent.required_text("reason")
    return commands.CorrectArrival(
        sent.actor, a, sent["late"], reason, sent.fields.get("place"), sent.fields.get("turn")
    )


def break_(sent: Submission, g: str) -> commands.NoteBreak:
    return commands.NoteBreak(sent.actor, GameId(g), **sent.fields)


def break_correction(sent: Submission, g: str, b: str) -> commands.CorrectBreak:
    return commands.CorrectBreak(sent.actor, GameId(g), b, sent.fields.get("seconds"), sent.required_text("reason"))


def crossing(sent: Submission, t: str, seq: int) -> commands.NoteCrossing:
    return commands.NoteCrossing(sent.actor, CrossingNoted(Seq(seq), sent.text("note")))
