"""Pairing over HTTP: the tournament's office and its entries."""

from functools import partial

from services.pairing import answers, requests, responses, schemas
from services.pairing.entries import entry_schemas
from services.pairing.requests import entry_correction
from services.pairing.rules import commands as co
from shared.core.events import ByeGranted, OfficialDismissed, StartingNumber, TextErased
from shared.core.language.messages import say
from shared.core.terms import PAIRING, PlayerId
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute, seed
from shared.http.operations import Creation, Operation
from shared.http.problems import Problem


def dismissal(sent: Submission, t: str, name: str) -> co.DismissOfficial:
    return co.DismissOfficial(sent.actor, OfficialDismissed(requests.handle_in_path(name), sent.text("reason")))


def erasure(sent: Submission, t: str, hash: str) -> co.EraseText:
    """Raise `Problem` 404 for an unknown text. No rule reads texts, so that this is checked here."""
    view = sent.desk.view(t)
    decided_by_rules = view is None or hash in view.state.erased
    if not decided_by_rules and all(text.hash != hash for text in sent.desk.log.tournament_texts(t)):
        raise Problem(404, "unknown-text", say("No such text"), say("{t} has no erasable text with this hash", t=t))
    return co.EraseText(sent.actor, TextErased(hash))


def entries(sent: Submission, t: str) -> co.EnterPlayers:
    return co.EnterPlayers(sent.actor, tuple(requests.entry(p, sent.texts) for p in sent["players"]))


def starting_numbers(sent: Submission, t: str) -> co.AssignNumbers:
    if sent["numbers"] is None:
        return co.AssignNumbers(sent.actor, seed=seed() if sent["lot"] else 0)
    return co.AssignNumbers(sent.actor, tuple(StartingNumber(n["player"], n["number"]) for n in sent["numbers"]))


def correction(sent: Submission, t: str, p: int) -> co.CorrectEntry:
    view = sent.desk.view(t)
    return entry_correction(
        sent.desk, None if view is None else view.state, sent.actor, PlayerId(p), sent.fields, sent.texts
    )


def identity(sent: Submission, t: str, p: int) -> co.StateIdentity:
    view = sent.desk.view(t)
    return requests.identity(
        sent.desk, None if view is None else view.state, sent.actor, PlayerId(p), sent.fields, sent.texts
    )


def withdrawal(sent: Submission, t: str, p: int) -> co.WithdrawPlayer:
    return co.WithdrawPlayer(sent.actor, PlayerId(p), sent.text("reason"))


def return_(sent: Submission, t: str, p: int) -> co.ReturnPlayer:
    return co.ReturnPlayer(sent.actor, PlayerId(p), sent.text("reason"))


def check_in(sent: Submission, t: str) -> co.CheckInPlayers:
    return co.CheckInPlayers(sent.actor, tuple(map(PlayerId, sent["came"])), tuple(map(PlayerId, sent["absent"])))


def bye(sent: Submission, t: str) -> co.GrantBye:
    return co.GrantBye(sent.actor, ByeGranted(PlayerId(sent["player"]), sent["round"], sent["kind"]))


_route = partial(WriteRoute, PAIRING)
WRITES = (
    _route(
        f"{T}/officials/<name>/dismissal",
        dismissal,
        Creation(
            "Dismiss an official",
            name="dismissOfficial",
            description=(
                "Removes all roles of an official, who can do nothing more in this tournament. Officials cannot "
                "dismiss themselves. The official who created the tournament and the last chief arbiter cannot be "
                "dismissed. If the official is appointed again, tokens that have not expired are valid again."
            ),
            body=schemas.ReasonSchema,
            optional_body=True,
        ),
    ),
    _route(
        f"{T}/texts/<hash>",
        erasure,
        Operation(
            "Erase a text",
            name="eraseText",
            description=(
                "Deletes a name or another text from every server. Its hash stays in the event log, so the log can "
                "still be verified. The text cannot be restored."
            ),
        ),
        method="DELETE",
    ),
    _route(
        f"{T}/entries",
        entries,
        Creation(
            "Register players",
            name="enterPlayers",
            description=(
                "Registers all of the players, or none of them. Omitted player numbers are the next free ones. Late "
                "entries are paired from the next round; to rank them by their rating, assign starting numbers again. A "
                "round robin or a bracket accepts no late entries."
            ),
            answer=answers.EnteredAnswer,
            body=entry_schemas.EntriesSchema,
        ),
        responses.players_entered,
    ),
    _route(
        f"{T}/starting-numbers",
        starting_numbers,
        Creation(
            "Assign starting numbers",
            name="assignStartingNumbers",
            description=(
                "Without `numbers`, numbers all players by strength, or by lot if `lot` is true. With `numbers`, "
                "corrects only the starting numbers that are listed. Starting numbers can be changed until the "
                "ruleset fixes them, in a round robin or bracket until the first round is paired."
            ),
            body=schemas.NumbersSchema,
            optional_body=True,
        ),
    ),
    _route(
        f"{T}/entries/<int:p>/correction",
        correction,
        Creation(
            "Correct a player's entry",
            name="correctEntry",
            description=(
                "Changes only the fields that are sent. Published pairings stay as they are. Before the first round "
                "is paired, starting numbers assigned by strength are assigned again."
            ),
            body=entry_schemas.EntryCorrectionSchema,
        ),
    ),
    _route(
        f"{T}/entries/<int:p>/identity",
        identity,
        Creation(
            "Record a player's national ID and consent",
            name="stateIdentity",
            description=(
                "States the number or licence that the player's federation gave, and whether the player has consented that "
                "everyone sees the player's results across tournaments (`GET /v1/people`). Consent can be withdrawn at any "
                "time, also after the final standings."
            ),
            body=entry_schemas.IdentitySchema,
        ),
    ),
    _route(
        f"{T}/entries/<int:p>/withdrawal",
        withdrawal,
        Creation(
            "Withdraw a player",
            name="withdrawPlayer",
            description=(
                "The player is not paired in later rounds. A pairing that is already published stays in force. The "
                "ruleset decides whether the player's results still count."
            ),
            body=schemas.ReasonSchema,
            optional_body=True,
        ),
    ),
    _route(
        f"{T}/entries/<int:p>/return",
        return_,
        Creation(
            "Return a withdrawn player",
            name="returnPlayer",
            description=(
                "The player is paired again from the next round. Annulled results count again, and forfeited games "
                "stay forfeited."
            ),
            body=schemas.ReasonSchema,
            optional_body=True,
        ),
    ),
    _route(
        f"{T}/check-in",
        check_in,
        Creation(
            "Record which players are present",
            name="checkIn",
            description=(
                "Records the players who are present, and removes the record of players listed under `absent`. All "
                "changes are written, or none. Players who are already recorded are skipped. Pairing does not depend on "
                "this: withdraw an absent player, or grant a bye."
            ),
            body=schemas.CheckInSchema,
        ),
    ),
    _route(
        f"{T}/byes",
        bye,
        Creation(
            "Grant a bye for a later round",
            name="grantBye",
            description=(
                "Grants a half-point, zero-point or full-point bye that a player requested. The round must not be "
                "paired yet. If teams meet, grant a zero-point bye to an absent member. A half-point bye is refused "
                "(`bye-of-a-member`), and a full-point bye is for members who win a board without an opponent. If no "
                "substitute takes the board of an absent member, the opponent wins it by forfeit and is listed under "
                "`byes` of the round with the kind F. If the regulations allow players to take half-point byes, a "
                "player may take one of their own."
            ),
            body=schemas.ByeSchema,
        ),
    ),
)
