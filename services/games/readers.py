"""How a body sent to an address of games becomes a command."""

from services.games.rules import commands as co
from shared.core.language.messages import say
from shared.core.terms import GameId, Ply
from shared.http.commands.write_routes import Submission
from shared.http.problems import Problem


def start(sent: Submission, g: str) -> co.StartGame:
    return co.StartGame(sent.actor, GameId(g), sent["position"])


def moves(sent: Submission, g: str) -> co.PlayMoves:
    return co.PlayMoves(sent.actor, GameId(g), Ply(sent["ply"]), tuple(sent["moves"]))


def take_back(sent: Submission, g: str) -> co.TakeBack:
    return co.TakeBack(sent.actor, GameId(g), Ply(sent["to_ply"]), sent["reason"], sent.fields.get("ruling"))


def step(sent: Submission, g: str) -> co.TakeStep:
    return co.TakeStep(sent.actor, GameId(g), sent["side"], sent["step"], tuple(sent.fields.get("values", ())))


def offer(sent: Submission, g: str) -> co.MakeOffer:
    return co.MakeOffer(sent.actor, GameId(g), sent["side"], sent["offer"])


def claim(sent: Submission, g: str) -> co.MakeClaim:
    side, move = sent.fields.get("side"), sent.fields.get("move")
    squares = tuple(sent.fields.get("squares", ()))
    return co.MakeClaim(sent.actor, GameId(g), side, sent["claim"], move, squares, sent["adjusting"])


def claim_decision(sent: Submission, g: str, c: str) -> co.DecideClaim:
    return co.DecideClaim(sent.actor, GameId(g), c, sent["upheld"], sent.text("note"))


def end(sent: Submission, g: str) -> co.MakeClaim | co.EndByAgreement:
    """Raises `Problem` 422 for a resignation without its side."""
    if sent["termination"] == "agreement":
        return co.EndByAgreement(sent.actor, GameId(g))
    if sent["termination"] == "dead_position":
        return co.MakeClaim(sent.actor, GameId(g), None, "dead_position")
    if "side" not in sent.fields:
        wrong = {"side": [say("which side resigns")]}
        raise Problem(422, "bad-fields", say("Fields are missing or wrong"), errors=wrong)
    return co.MakeClaim(sent.actor, GameId(g), sent["side"], "resignation")
