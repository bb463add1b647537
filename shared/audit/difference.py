"""The difference between a command's stored events and those of its re-evaluation."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from shared.core import events as ev
from shared.core.event_types.registry import MASKED, NAMES
from shared.core.events import Decision, Event
from shared.core.language.messages import Message, say
from shared.core.state.grounds import AS_WRITTEN, english_text, written_grounds
from shared.core.terms import RULEBOOK, Refusal

MISSING = say("lines are missing: {must} events follow, {stored} stand there")


def difference(outcome: Decision | Refusal, group: Sequence[Event], lines: Sequence[Event]) -> Message | None:
    """Return why one command's events in the log (``group``) and on a sheet (``lines``) differ from the rules' answer, or None.

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
        return say("an event of the rulebook has another role")
    if any(_takes_out(e.data) for e in group):
        return say("a result report excludes a game from the standings, which a report cannot do")
    commanded = group[: len(outcome.events)]
    if len({e.role for e in commanded}) > 1:
        return say("the events of the command have two roles")
    if commanded and commanded[0].role == RULEBOOK.role and commanded[0].tokenid:
        return say("a command of the rulebook bears a token")
    return None


def _takes_out(data: Any) -> bool:
    """Return whether a reported result claims that it does not count: only the regulations can decide that."""
    return isinstance(data, ev.ResultReported | ev.ResultCorrected) and not (data.white.counted and data.black.counted)


def _in_stored_form(expected: Any, stored: Any) -> Any:
    """Return a decided claim with its grounds as a sentence, if they were stored in that form."""
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
            return say("{must} follows with other values in {names}", must=NAMES[type(a)], names=tuple(names))
    if len(stored) < len(expected):
        return Message(MISSING.text, {"must": len(expected), "stored": len(stored)})
    return say("{must} events follow, {stored} stand there", must=len(expected), stored=len(stored))
