"""Games over HTTP: results from the hall, moves as devices feed them, and what the sheets say."""

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from services.games import answers, schemas
from services.games.rules import commands as co
from services.games.rules.kinds import kind_of
from shared.desk import Desk
from shared.events import Event
from shared.http.command import Make, body, run
from shared.http.openapi import documented
from shared.http.preconditions import unchanged
from shared.http.problems import Problem
from shared.http.read import view
from shared.terms import GAMES, Actor, GameId, Ply
from shared.texts import Texts

T = "/v1/tournaments/<t>"
G = "/v1/games/<g>"
JSON, NDJSON, PGN = "application/json", "application/x-ndjson", "application/x-chess-pgn"
AT = {"at": "as of this line of the tournament's log", "after": "not before it"}


def tournament_of(g: str) -> str:
    """The tournament of a game's id, ``T.<pairing>.<board>``. Raises `Problem` 404 for what is no game's id."""
    t, *numbers = g.rsplit(".", 2)
    if len(numbers) != 2 or not t or not all(n.isascii() and n.isdigit() for n in numbers):
        raise Problem(404, "unknown-game", "No such game", "a game is named by tournament, pairing and board: T.1.4")
    return t


def hall(bp: Blueprint, desk: Desk) -> None:
    """Results and their corrections."""

    @bp.post(f"{T}/results")
    @documented("Report results of a round, all or none", body=schemas.ResultsSchema, status=201)
    def report(t: str) -> Response:
        said: dict[str, Any] = {}

        def make(actor: Actor, texts: Texts) -> co.ReportResults:
            said.update(body(schemas.ResultsSchema))
            return co.ReportResults(actor, _results(said))

        return run(desk, GAMES, t, make, answer=lambda events: answers.results(said["round"], events))

    @bp.post(f"{T}/corrections")
    @documented(
        "Correct results of a round, all or none; under a standing ruling a correction waits beneath it",
        body=schemas.CorrectionsSchema,
        status=201,
        match=True,
    )
    def correct(t: str) -> Response:
        said: dict[str, Any] = {}

        def make(actor: Actor, texts: Texts) -> co.Correct:
            said.update(body(schemas.CorrectionsSchema))
            return co.Correct(actor, _results(said), texts.ref(said["reason"]))

        return run(desk, GAMES, t, make, match=True, answer=lambda events: answers.results(said["round"], events))


def _results(said: dict[str, Any]) -> tuple[co.Result, ...]:
    return tuple(co.Result(co.Place(said["round"], r["board"]), *r["result"]) for r in said["results"])


def play(bp: Blueprint, desk: Desk) -> None:
    """What happens at a board."""

    def submitted(g: str, make: Make) -> Response:
        def answer(events: Sequence[Event]) -> dict[str, Any]:
            return {"game": g}

        return run(desk, GAMES, tournament_of(g), make, answer=answer)

    @bp.post(f"{G}/start")
    @documented("Start a game; its first move does the same", status=201)
    def start(g: str) -> Response:
        return submitted(g, lambda actor, texts: co.StartGame(actor, GameId(g)))

    @bp.post(f"{G}/moves")
    @documented("Write moves; 200 where all of them stand on the sheet already", body=schemas.MovesSchema, status=201)
    def moves(g: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.PlayMoves:
            sent = body(schemas.MovesSchema)
            return co.PlayMoves(actor, GameId(g), Ply(sent["ply"]), tuple(sent["moves"]))

        return submitted(g, make)

    @bp.post(f"{G}/take-back")
    @documented("Take moves back; they stay on the sheet", body=schemas.TakeBackSchema, status=201)
    def take_back(g: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.TakeBack:
            sent = body(schemas.TakeBackSchema)
            return co.TakeBack(actor, GameId(g), Ply(sent["to_ply"]), sent["reason"])

        return submitted(g, make)

    @bp.post(f"{G}/offers")
    @documented("Offer a draw, accept or decline one", body=schemas.OfferSchema, status=201)
    def offers(g: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.MakeOffer:
            sent = body(schemas.OfferSchema)
            return co.MakeOffer(actor, GameId(g), sent["side"], sent["offer"])

        return submitted(g, make)

    @bp.post(f"{G}/claims")
    @documented("Resign, or claim that the other side's flag has fallen", body=schemas.ClaimSchema, status=201)
    def claims(g: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.MakeClaim:
            sent = body(schemas.ClaimSchema)
            return co.MakeClaim(actor, GameId(g), sent["side"], sent["claim"])

        return submitted(g, make)

    @bp.post(f"{G}/end")
    @documented("End a game by resignation or agreement", body=schemas.EndSchema, status=201)
    def end(g: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.MakeClaim | co.EndByAgreement:
            sent = body(schemas.EndSchema)
            if sent["termination"] == "agreement":
                return co.EndByAgreement(actor, GameId(g))
            if "side" not in sent:
                raise Problem(422, "bad-fields", "Fields are missing or wrong", errors={"side": ["which side resigns"]})
            return co.MakeClaim(actor, GameId(g), sent["side"], "resignation")

        return submitted(g, make)


def reads(bp: Blueprint, desk: Desk) -> None:
    """A game, and its score sheet."""

    def asked(g: str) -> answers.Read:
        found = view(desk, tournament_of(g))
        game = found.tournament.games.get(GameId(g))
        if game is None:
            raise Problem(404, "unknown-game", "No such game", f"{found.tournament.id} has no game {g}")
        return answers.read(desk, found, game)

    @bp.get(G)
    @documented("A game: players, state, moves, result", query=AT)
    def game(g: str) -> Response:
        one = asked(g)
        return _tagged(one, msgspec.json.encode(answers.game(one)), JSON)

    @bp.get(f"{G}/sheet")
    @documented(
        "A game's score sheet; its lines as they were written, or the moves", query=AT, media=(JSON, NDJSON, PGN)
    )
    def sheet(g: str) -> Response:
        one = asked(g)
        offered = [JSON, NDJSON, *([PGN] if kind_of(one.view.tournament) == "chess" else [])]
        wanted = request.accept_mimetypes.best_match(offered) if request.accept_mimetypes else JSON
        if wanted is None:
            raise Problem(406, "not-acceptable", "Not acceptable", f"this sheet is told as {', '.join(offered)}")
        if wanted == NDJSON:
            return _tagged(one, b"".join(line + b"\n" for line in one.lines), NDJSON)
        if wanted == PGN:
            return _tagged(one, answers.chess_pgn(desk, one).encode(), PGN)
        return _tagged(one, msgspec.json.encode(answers.sheet(one)), JSON)


def _tagged(one: answers.Read, content: bytes, mimetype: str) -> Response:
    """The content with an ETag of the game's own, as its sheet grows while the tournament's stands."""
    response = Response(status=304) if unchanged(request, one.tag) else Response(content, mimetype=mimetype)
    response.headers["ETag"] = one.tag
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept")
    return response
