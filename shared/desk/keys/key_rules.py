"""What the rules of every service have in common: each announces keys."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from shared.core.events import Decision, Event
from shared.core.readings.key_announcement import AnnounceKey, announce_key
from shared.core.readings.key_announcement import command_of as key_command_of
from shared.core.state.tournament import TournamentState
from shared.core.terms import Refusal, Source
from shared.desk.rules_port import Rules


def announcing_keys(rules: Rules) -> Rules:
    """A service's rules, and with them the announcing of keys."""
    decide = partial(_decide, rules.decide, rules.source)
    command_of = partial(_command_of, rules.command_of)
    sheet_of, long, engine_of = rules.sheet_of, rules.long, rules.engine_of
    return replace(
        rules,
        decide=decide,
        command_of=command_of,
        sheet_of=lambda command: None if type(command) is AnnounceKey else sheet_of(command),
        long=lambda t, command: type(command) is not AnnounceKey and long(t, command),
        engine_of=lambda command: None if type(command) is AnnounceKey else engine_of(command),
    )


def _decide(
    of_service: Callable[[TournamentState, Any, Any], Decision | Refusal],
    source: Source,
    t: TournamentState,
    command: Any,
    sheet: Any = None,
) -> Decision | Refusal:
    if type(command) is AnnounceKey:
        return announce_key(t, command, source)
    return of_service(t, command, sheet)


def _command_of(
    of_service: Callable[[Sequence[Event], Sequence[Event]], Any],
    events: Sequence[Event],
    lines: Sequence[Event] = (),
) -> Any:
    return key_command_of(events) or of_service(events, lines)
