"""Key rotation: a service's new key is announced before it signs anything. Also checks that there is a key to sign with."""

from collections.abc import Iterable

import uuid_utils

from shared.core.events import Decision
from shared.core.readings.key_announcement import AnnounceKey
from shared.core.state.tournament import TournamentState
from shared.core.terms import RULEBOOK, Source
from shared.desk.batch import Batch, WorkingFold
from shared.desk.event_writer import EventWriter
from shared.desk.requests import Job, Request
from shared.desk.rules_port import Rules
from shared.signing.service_keys import ServiceKeys


def rotate_key(event_writer: EventWriter, rules: Rules, batch: Batch, working: WorkingFold, job: Job) -> None:
    """Announce the service's newer key, signed by the one in force, before the ``job`` is written. Do nothing without one."""
    key = event_writer.keys.rotation(working.tournament, job.source)
    if key is None or isinstance(job.command, AnnounceKey):
        return
    command = AnnounceKey(RULEBOOK, key)
    announcement = Job(job.source, job.tournament, command, Request(), str(uuid_utils.uuid7()), awaited=False)
    outcome = rules.decide(working.tournament, command, None)
    if isinstance(outcome, Decision):
        event_writer.write(batch, announcement, rules, working, outcome, None)


def foreign_keys(keys: ServiceKeys, states: Iterable[TournamentState], sources: Iterable[Source]) -> dict[str, str]:
    """Return the tournaments whose log has another key for one of these services than this installation, with the reason."""
    names = tuple(sources)
    reasons = ((t.id, keys.why_not(t, source)) for t in states for source in names)
    return {t: str(why) for t, why in reasons if why is not None}


def rotations_due(keys: ServiceKeys, t: TournamentState, sources: Iterable[Source]) -> list[tuple[Source, AnnounceKey]]:
    """Return the commands, each with its service, that announce newer keys of services in a tournament."""
    newer = ((source, keys.rotation(t, source)) for source in sources)
    return [(source, AnnounceKey(RULEBOOK, key)) for source, key in newer if key is not None]
