"""Pairings withdrawn, voided or upheld: the acts that settle a pairing on an outdated basis."""

from services.pairing.rules.commands import UpholdPairing, WithdrawPairing
from shared.core.events import Decision, PairingWithdrawn, RoundPaired
from shared.core.language.messages import Message, say
from shared.core.readings.outdated_bases import find_outdated_bases
from shared.core.readings.settlement import sides_of
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

EDITION = 3
"""The decision edition from which on a begun pairing can be voided, and a pairing be upheld."""


def withdraw(t: Tournament, c: WithdrawPairing) -> Decision | Refusal:
    """Withdraw the last pairing: before any game of it has begun, or later if the command voids it.

    Refusals: ``unknown-round``, ``later-round-paired``, ``round-begun`` with the boards, ``edition-before``,
    ``reason-missing``.
    """
    current = t.current(c.round)
    if current is None:
        detail = say("round {round} has not been paired", round=c.round)
        return Refusal("unknown", "unknown-round", detail, where="round")
    if c.round != t.rounds_paired():
        detail = say("round {rounds_paired} was already paired from its results", rounds_paired=t.rounds_paired())
        return Refusal("rule", "later-round-paired", detail, where="round")
    if c.played:
        refusal = _refuse_older_edition(t, say("to void a pairing after a game of it has begun"), "played")
        if refusal is not None:
            return refusal
        if c.reason is None:
            return Refusal("invalid", "reason-missing", say("voiding a pairing requires a reason"), where="reason")
    boards = boards_begun(t, current.event)
    if boards and not c.played:
        return _refuse_begun(t, boards)
    return Decision((PairingWithdrawn(c.round, current.event.pairing, c.reason, bool(boards)),))


def _refuse_begun(t: Tournament, boards: list[int]) -> Refusal:
    named = tuple(boards)
    detail = say("games have begun or have rulings; boards: {named}", named=named)
    if t.regulations.decisions >= EDITION:
        detail = say(
            "play has begun, or a ruling is in force, on board {named}; the chief arbiter can void the pairing: send "
            "played: true and a reason",
            named=named,
        )
    return Refusal("rule", "round-begun", detail, "C.04.2")


def boards_begun(t: Tournament, paired: RoundPaired) -> list[int]:
    """Return the numbers of the boards of this pairing on which play has begun, or a result or ruling exists."""
    return [b.board for b in paired.boards if t.has_begun(t.games[b.game])]


def uphold(t: Tournament, c: UpholdPairing) -> Decision | Refusal:
    """Decide to keep a pairing in force although other sides would be seated now. It settles exactly this difference.

    Refusals: ``edition-before``, ``unknown-pairing``, ``pairing-upheld``, ``basis-not-outdated``.
    """
    refusal = _refuse_older_edition(t, say("upholding a pairing"), None)
    if refusal is not None:
        return refusal
    if not 0 < c.event.pairing <= len(t.pairings) or t.pairings[c.event.pairing - 1].withdrawn is not None:
        detail = say("pairing {pairing} is not in force", pairing=c.event.pairing)
        return Refusal("unknown", "unknown-pairing", detail, where="pairing")
    key = c.event.pairing, c.event.match, c.event.seated, c.event.due
    round = t.pairings[c.event.pairing - 1].event.round
    if any((b.pairing, b.match, b.seated, b.due) == key for b in find_outdated_bases(t) if b.kind != "publication"):
        return Decision((c.event,))
    see = f"/v1/tournaments/{t.id}/integrity"
    if key in t.upheld:
        detail = say("this difference was upheld already (event {seq})", seq=t.upheld[key])
        return Refusal("rule", "pairing-upheld", detail, where="due", see=see)
    detail = say(
        "round {round} does not have this difference ({seated} seated, {due} due); the open differences are "
        "listed under integrity",
        round=round,
        seated=sides_of(t, c.event.seated),
        due=sides_of(t, c.event.due),
    )
    return Refusal("rule", "basis-not-outdated", detail, where="due", see=see)


def _refuse_older_edition(t: Tournament, act: Message, where: str | None) -> Refusal | None:
    """Return the refusal ``edition-before`` if the tournament's decision edition is too old for this ``act``, or None.

    ``where``: the field of the command that asks for the act.
    """
    if t.regulations.decisions >= EDITION:
        return None
    detail = say(
        "{act} requires decision edition {edition}, but this tournament has edition {decisions}: "
        "adopt its regulations again",
        act=act,
        edition=EDITION,
        decisions=t.regulations.decisions,
    )
    return Refusal("rule", "edition-before", detail, where=where, see=f"/v1/tournaments/{t.id}/regulations")
