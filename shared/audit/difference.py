"""The difference between a command's stored events and those of its re-evaluation."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from typing import Any

from shared.core import events as ev
from shared.core.event_types.registry import MASKED, NAMES
from shared.core.events import Decision, Event, PlayerWithdrew, RoundPaired, RulingMade
from shared.core.language.messages import Message, say
from shared.core.state.grounds import AS_WRITTEN, english_text, written_grounds
from shared.core.state.removals import REMOVAL
from shared.core.state.tournament import TournamentState
from shared.core.terms import RULEBOOK, Refusal, Seq

MISSING = say("events are missing: the log must contain {must} events of this decision, but contains {stored}")
BROKEN = say("the decision cannot be re-evaluated: {failure}")
PARTIAL = say("the decision cannot be re-evaluated: its events are incomplete, or do not form a command")


def difference(outcome: Decision | Refusal, group: Sequence[Event], lines: Sequence[Event]) -> Message | None:
    """Return why one command's events in the log (``group``) and on a sheet (``lines``) differ from the ``outcome``, or None.

    The ``outcome`` is what the rules decide on the command now.
    Fields that the command handler fills in are ignored. Role and token of the events are compared too.
    """
    if isinstance(outcome, Refusal):
        return say("the rules refuse it: {code}: {detail}", code=outcome.code, detail=outcome.detail)
    expected = [_without_masked(d) for d in (*outcome.events, *outcome.brought)]
    stored = [_without_masked(e.data) for e in group]
    written = [e.data for e in lines]
    if written != [_in_stored_form(*pair) for pair in zip_longest(outcome.lines, written)]:
        return say("the score sheet should contain other events")
    if expected != stored:
        return _describe_difference(expected, stored)
    if {e.role for e in group[len(outcome.events) :]} - {RULEBOOK.role}:
        return say("an automatic event of the rulebook must have the role rulebook, but has a different one")
    if any(_takes_out(e.data) for e in group):
        return say("a result report excludes a game from the standings, which a report cannot do")
    commanded = group[: len(outcome.events)]
    if len({e.role for e in commanded}) > 1:
        return say("the events of one command are recorded with two different roles")
    if commanded and commanded[0].role == RULEBOOK.role and commanded[0].tokenid:
        return say("a command of the rulebook has a token ID, but the rulebook has no token")
    return None


def _takes_out(data: Any) -> bool:
    """Return whether an event is a reported or corrected result that excludes its game from the standings."""
    return isinstance(data, ev.ResultReported | ev.ResultCorrected) and not (data.white.counted and data.black.counted)


def _in_stored_form(expected: Any, stored: Any) -> Any:
    """Return the ``expected`` event in the form of the ``stored`` one.

    Old versions stored the grounds of a claim's decision as one English sentence. Other events are returned unchanged.
    """
    if not isinstance(expected, ev.ClaimDecided) or not isinstance(stored, ev.ClaimDecided):
        return expected
    if [one.code for one in stored.grounds] != [AS_WRITTEN]:
        return expected
    return replace(expected, grounds=written_grounds(english_text(expected.grounds)))


def _without_masked(data: Any) -> Any:
    """Return data without the fields that the command handler fills in."""
    masked = MASKED.get(type(data))
    return data if masked is None else replace(data, **dict.fromkeys(masked, None))


def _describe_difference(expected: Sequence[Any], stored: Sequence[Any]) -> Message:
    for a, b in zip(expected, stored, strict=False):
        if type(a) is not type(b):
            return say("expected {must}, but the log contains {stored}", must=NAMES[type(a)], stored=NAMES[type(b)])
        if a != b:
            names = [n for n in a.__slots__ if getattr(a, n) != getattr(b, n)]
            return say("{must} must have other values in {names}", must=NAMES[type(a)], names=tuple(names))
    if len(stored) < len(expected):
        return Message(MISSING.text, {"must": len(expected), "stored": len(stored)})
    return say(
        "the log must contain {must} events of this decision, but contains {stored}",
        must=len(expected),
        stored=len(stored),
    )


class RemovalsByGame:
    """The rulings on games of removed players, and the withdrawals that forfeit games, in a log."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def unread_by(self, t: TournamentState, game: str, line: Event) -> tuple[Seq, Message] | None:
        """Return the sequence number of the removal of a player that a sheet event ignored, and a message, or None.

        The removal had ended the game before the sheet event was written, but the event's ``basis`` is lower: its writer
        had not read the removal yet. Each removal is returned only once.
        """
        ends = self._by_game.get(game, ()) if t.removals_lapse() else ()
        unread = next((e for e in ends if e.seq > line.basis and e.time < line.time), None)
        if unread is None:
            return None
        self._by_game[game] = [e for e in ends if e is not unread]
        return unread.seq, say(
            "the score sheet of {game} continues at {time}, after a player was removed from the game",
            game=game,
            time=line.time,
        )

    @cached_property
    def _by_game(self) -> dict[str, list[Event]]:
        removals: dict[str, list[Event]] = defaultdict(list)
        seated: dict[int, str] = {}
        for e in self._events:
            match e.data:
                case RoundPaired():
                    seated |= {player: board.game for board in e.data.boards for player in (board.white, board.black)}
                case RulingMade() if e.data.infraction == REMOVAL and e.data.game is not None:
                    removals[e.data.game].append(e)
                case PlayerWithdrew() if e.data.player in seated and e.data.unplayed == "forfeit":
                    removals[seated[e.data.player]].append(e)
        return removals


def one_line(failure: Exception) -> str:
    """Return the failure in one line of at most 200 characters."""
    return f"{type(failure).__name__}: {failure}".replace("\n", " ")[:200]


def broken(failure: Exception) -> Message:
    """Return that a decision cannot be re-evaluated because of this failure."""
    return Message(BROKEN.text, {"failure": one_line(failure)})
