"""What a command's lines say otherwise than what follows when it is decided again."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from shared.core import events as ev
from shared.core.event_types.registry import MASKED, NAMES
from shared.core.events import Decision, Event
from shared.core.language.messages import Message, say
from shared.core.state.grounds import AS_WRITTEN, as_written, in_english
from shared.core.terms import RULEBOOK, Refusal

MISSING = say("lines are missing: {must} events follow, {stored} stand there")


def difference(outcome: Decision | Refusal, group: Sequence[Event], lines: Sequence[Event]) -> Message | None:
    """Why the lines of one command, on the log (``group``) and on a sheet (``lines``), are not what the rules answer; None
    where they are, but for what the desk fills in. Whose role and token they bear is compared too."""
    if isinstance(outcome, Refusal):
        return say("the rules refuse it: {code}: {detail}", code=outcome.code, detail=outcome.detail)
    expected = [_unsealed(d) for d in (*outcome.events, *outcome.brought)]
    stored = [_unsealed(e.data) for e in group]
    written = [e.data for e in lines]
    if written != [_as_written(*pair) for pair in zip_longest(outcome.lines, written)]:
        return say("the score sheet should contain other events")
    if expected != stored:
        return _what_differs(expected, stored)
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
    """Whether a result as told by a person says that it does not count: only the regulations do."""
    return isinstance(data, ev.ResultReported | ev.ResultCorrected) and not (data.white.counted and data.black.counted)


def _as_written(expected: Any, stored: Any) -> Any:
    """A decided claim with its grounds as a sentence, where it was written down so."""
    if not isinstance(expected, ev.ClaimDecided) or not isinstance(stored, ev.ClaimDecided):
        return expected
    if [one.code for one in stored.grounds] != [AS_WRITTEN]:
        return expected
    return replace(expected, grounds=as_written(in_english(expected.grounds)))


def _unsealed(data: Any) -> Any:
    """Data without what the desk fills in."""
    masked = MASKED.get(type(data))
    return data if masked is None else replace(data, **dict.fromkeys(masked, None))


def _what_differs(expected: Sequence[Any], stored: Sequence[Any]) -> Message:
    for a, b in zip(expected, stored, strict=False):
        if type(a) is not type(b):
            return say("expected {must}, but the log contains {stored}", must=NAMES[type(a)], stored=NAMES[type(b)])
        if a != b:
            names = [n for n in a.__slots__ if getattr(a, n) != getattr(b, n)]
            return say("{must} follows with other values in {names}", must=NAMES[type(a)], names=tuple(names))
    if len(stored) < len(expected):
        return Message(MISSING.text, {"must": len(expected), "stored": len(stored)})
    return say("{must} events follow, {stored} stand there", must=len(expected), stored=len(stored))
