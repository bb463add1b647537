"""The audit of a pairing whose engine, in the recorded version, is unavailable."""

from collections.abc import Sequence
from typing import Any

from shared.audit.difference import difference
from shared.audit.report import Report
from shared.core.events import Decision, Event
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState
from shared.core.terms import Refusal
from shared.desk.rules_port import Rules

ENGINE_MISSING = "engine-not-at-hand"
"""The refusal of rules that lack the engine, or its version, that a decision was made with."""


def judge_without_engine(
    report: Report, rules: Rules, state: TournamentState, command: Any, group: Sequence[Event], missing: Refusal
) -> bool:
    """Judge a pairing whose engine is ``missing`` (the refusal), and return whether another version pairs the same.

    If it does, the report gets a remark. If not, the parts of ``group`` (the command's events) that need no engine are
    checked: a fault is a finding, otherwise the events count as not re-evaluated.
    """
    for remark, outcome in rules.by_other_engines(state, command):
        if difference(outcome, group, ()) is None:
            report.decided += len(group)
            report.remark(remark)
            return True
    problem = rules.problem_without_engine(state, [event.data for event in group])
    if problem is None:
        report.leave_out(say("engine unavailable: {why}", why=missing.detail), len(group))
    else:
        report.differ += len(group)
        report.add(group[0].seq, group[-1].seq, "decision", problem)
    return False


def difference_by_any_engine(
    rules: Rules,
    state: TournamentState,
    command: Any,
    outcome: Decision | Refusal,
    group: Sequence[Event],
    lines: Sequence[Event],
) -> Message | None:
    """Return why events in the log (``group``) and on a sheet (``lines``) differ from the ``outcome``, or None.

    If the outcome is a refusal because the engine is missing, another version that decides as in the log gives None.
    """
    why = difference(outcome, group, lines)
    if not isinstance(outcome, Refusal) or outcome.code != ENGINE_MISSING:
        return why
    others = [difference(other, group, lines) for _, other in rules.by_other_engines(state, command)]
    return None if None in others else why
