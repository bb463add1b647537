"""What was written since a form was shown, of the games and players that it is about."""

from typing import NamedTuple

from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.readings.concern import Concern, concern_of
from shared.core.terms import Role, Seq
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.web.result_words import marks
from shared.wire import envelope

WHAT: dict[type[ev.Data], Message] = {
    ev.GameStarted: say("the game began"),
    ev.GameEnded: say("the game ended at the board"),
    ev.ResultReported: say("a result"),
    ev.ResultCorrected: say("a correction"),
    ev.FindingMade: say("a finding on the score sheet"),
    ev.FindingWithdrawn: say("a finding withdrawn"),
    ev.ClaimPending: say("a claim that waits for an arbiter"),
    ev.ClaimSettled: say("a claim settled"),
    ev.ArrivalNoted: say("an arrival"),
    ev.ArrivalCorrected: say("an arrival corrected"),
    ev.BreakTaken: say("a break"),
    ev.BreakCorrected: say("a break corrected"),
    ev.RulingMade: say("a ruling"),
    ev.RulingAnnulled: say("a ruling annulled"),
    ev.AppealLodged: say("an appeal"),
    ev.AppealDecided: say("an appeal decided"),
    ev.EntryCorrected: say("an entry corrected"),
    ev.IdentityStated: say("an identity stated"),
    ev.VisibilitySet: say("the visibility of entries changed"),
    ev.PlayerWithdrew: say("a player left"),
    ev.PlayerReturned: say("a player came back"),
    ev.PlayerCheckedIn: say("a player checked in"),
    ev.ByeGranted: say("a bye"),
    ev.BoardFixed: say("a board fixed"),
    ev.RoundPaired: say("a round paired"),
    ev.PairingWithdrawn: say("a pairing withdrawn"),
    ev.PairingUpheld: say("a pairing upheld"),
    ev.LotDrawn: say("a lot drawn"),
    ev.TeamEntered: say("a team entered"),
    ev.LineupHandedIn: say("a line-up handed in"),
}
"""The lines that others write of a game or a player while a form is open; each leads to its own sentence in the log."""


class LaterLine(NamedTuple):
    """A line that came after: who wrote it, in which office, when (RFC 3339), and what it is. ``result`` is what it sets."""

    seq: Seq
    actor: str
    role: Role
    time: str
    what: Message
    result: str | None


class LaterLines(NamedTuple):
    """The lines that concern what a form is about, and whether the form's own command has been followed before."""

    lines: tuple[LaterLine, ...]
    repeated: bool


def later_lines(desk: Desk, view: View, shown: int, about: Concern, command: str) -> LaterLines:
    """The lines after ``shown``, up to the view, that name a game or a player of ``about``; ``command`` is the form's own."""
    rows = desk.lines(stream_of(view.state.id), shown, view.seq)
    if any(row.command == command for row in rows):
        return LaterLines((), True)
    events = [envelope.read(row.line, row.seq) for row in rows]
    return LaterLines(tuple(_line(e) for e in events if about.meets(concern_of(view.state, e.data))), False)


def _line(event: ev.Event) -> LaterLine:
    data = event.data
    result = None
    if isinstance(data, ev.ResultReported | ev.ResultCorrected | ev.GameEnded):
        result = marks(data.white, data.black)
    return LaterLine(event.seq, event.actor, event.role, event.time, WHAT.get(type(data), say("an event")), result)
