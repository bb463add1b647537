"""Rulings and appeals as they are answered."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from services.penalties.answers import (
    AppealAnswer,
    AppealDecisionAnswer,
    AppealWrittenAnswer,
    ConsequencesAnswer,
    EffectAnswer,
    RulingAnswer,
    RulingWrittenAnswer,
)
from shared.core.events import AppealLodged, Effect, Event, RulingAnnulled, RulingMade
from shared.core.language.messages import Message
from shared.core.readings.reasons_without_effect import annulled_by, reason_without_effect
from shared.core.rulebook.regulations import ARRIVAL_INFRACTIONS
from shared.core.state.appeals import Appeal, AppealDecision
from shared.core.state.entities import Annulment, Arrival, Ruling
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RulingId, TextRef
from shared.desk.desk import Desk
from shared.http.answers import MarkAnswer
from shared.http.commands.write_routes import Submission
from shared.http.language.language import words
from shared.wire.answer import answer_of


def written_rulings(events: Sequence[Event]) -> list[RulingId]:
    """Return the rulings and annulments among the events."""
    return [e.data.ruling for e in events if isinstance(e.data, RulingMade | RulingAnnulled)]


def ruling_and_consequences(events: Sequence[Event], sent: Submission) -> RulingWrittenAnswer:
    """Return the first ruling (or annulment) that a command wrote, and those that followed from it."""
    ids = written_rulings(events)
    return RulingWrittenAnswer(brought=ids[1:], ruling=ids[0] if ids else None)


def consequences(events: Sequence[Event], sent: Submission) -> ConsequencesAnswer:
    """Return the rulings that followed from a command which makes none itself."""
    return ConsequencesAnswer(brought=written_rulings(events))


def appeal_id(events: Sequence[Event], sent: Submission) -> AppealWrittenAnswer:
    """Return the appeal that a command wrote."""
    return AppealWrittenAnswer(next(e.data.appeal for e in events if isinstance(e.data, AppealLodged)))


def rulings(t: TournamentState) -> list[RulingAnswer]:
    """Return all rulings and annulments, in the log's order."""
    if not isinstance(t, Tournament):
        return []
    every: list[Ruling | Annulment] = [*t.rulings.values(), *t.annulments.values()]
    return [_either(t, one) for one in sorted(every, key=lambda one: one.seq)]


def with_texts(desk: Desk, rows: Sequence[RulingAnswer]) -> list[RulingAnswer]:
    """Return rulings with their reasons and notes in words, for a reader of erasable texts."""
    refs = [ref for row in rows for ref in (row.reason, row.note) if isinstance(ref, TextRef)]
    texts = desk.called({ref.text for ref in refs})

    def words_of(ref: TextRef | UnsetType | None) -> str | UnsetType | None:
        return texts.get(ref.text) if isinstance(ref, TextRef) else UNSET

    return [replace(row, reason_text=words_of(row.reason), note_text=words_of(row.note)) for row in rows]


def ruling(t: TournamentState, id: str) -> RulingAnswer | None:
    """Return one ruling or annulment, or None if the ID does not exist."""
    one = t.rulings.get(RulingId(id)) or t.annulments.get(RulingId(id))
    return _either(t, one) if one is not None and isinstance(t, Tournament) else None


def _either(t: Tournament, one: Ruling | Annulment) -> RulingAnswer:
    return _ruling(t, one) if isinstance(one, Ruling) else _annulment(t, one)


def _ruling(t: Tournament, ruling: Ruling) -> RulingAnswer:
    m = ruling.event
    return answer_of(
        RulingAnswer,
        m,
        seq=ruling.seq,
        role=ruling.role,
        actor=ruling.actor,
        effect=_effect(m.effect),
        standing=t.is_in_force(m.ruling),
        effective=t.has_effect(m.ruling),
        why=_words(reason_without_effect(t, ruling)),
        **_lateness(t, m),
    )


def _lateness(t: Tournament, ruling: RulingMade) -> dict[str, Any]:
    """Return the seconds of a late player (None: absent), those that count, and the limit in force."""
    if ruling.infraction not in ARRIVAL_INFRACTIONS or ruling.game is None or ruling.player is None:
        return {}
    named = None if ruling.arrival is None else t.arrivals.get(ruling.arrival)
    arrival = named or t.arrival_of(ruling.game, ruling.player)
    if arrival is None:
        return {}
    limit = t.regulations_at(arrival.noted).rulebook.lateness.limit
    return {"late": arrival.late, "limit": limit, "counted": counted(t, arrival)}


def counted(t: Tournament, arrival: Arrival) -> int | None:
    """Return the seconds of lateness that are compared with the limit, 0 for a punctual player, None for an absent one."""
    if arrival.late is None:
        return None
    return max(0, t.regulations_at(arrival.noted).rulebook.lateness.counted(arrival.late, arrival.turn))


def _annulment(t: Tournament, annulment: Annulment) -> RulingAnswer:
    standing = t.is_in_force(annulment.event.ruling)
    return answer_of(
        RulingAnswer,
        annulment.event,
        seq=annulment.seq,
        role=annulment.role,
        actor=annulment.actor,
        standing=standing,
        effective=standing,
        why=_words(annulled_by(t, annulment.event.ruling)),
    )


def _words(why: Message | None) -> str | None:
    """Return a message in the language of the request."""
    return None if why is None else words(why)


def _effect(effect: Effect) -> EffectAnswer:
    return EffectAnswer(
        kind=effect.kind,
        white=UNSET if effect.white is None else MarkAnswer.of(effect.white),
        black=UNSET if effect.black is None else MarkAnswer.of(effect.black),
        points=UNSET if effect.points is None else effect.points / 2,
        clock=UNSET if effect.clock is None else effect.clock,
        rounds=effect.rounds or UNSET,
    )


def appeals(appeals: Iterable[Appeal], desk: Desk, *, reads_texts: bool) -> list[AppealAnswer]:
    """Return appeals with their decisions, and with the grounds of both for a reader of erasable texts."""
    every = list(appeals)
    grounds = [one.event.grounds for one in every]
    grounds += [one.decision.event.grounds for one in every if one.decision is not None]
    texts = desk.called({ref.text for ref in grounds if ref is not None}) if reads_texts else None
    return [_appeal(one, texts) for one in every]


def _appeal(appeal: Appeal, texts: Mapping[str, str] | None) -> AppealAnswer:
    """Return an appeal. ``texts``: by hash, None for a reader who may not read them."""
    event, made = appeal.event, appeal.decision
    return AppealAnswer(
        appeal=event.appeal,
        seq=appeal.seq,
        ruling=event.ruling,
        by=event.by,
        actor=appeal.actor,
        role=appeal.role,
        time=appeal.time,
        lodged=event.lodged or None,
        grounds=_grounds(event.grounds, texts),
        upheld=None if made is None else made.event.upheld,
        article=None if made is None else made.event.article,
        decision=None if made is None else _decision(made, texts),
    )


def _decision(made: AppealDecision, texts: Mapping[str, str] | None) -> AppealDecisionAnswer:
    return AppealDecisionAnswer(
        seq=made.seq,
        actor=made.actor,
        role=made.role,
        time=made.time,
        upheld=made.event.upheld,
        article=made.event.article,
        grounds=_grounds(made.event.grounds, texts),
    )


def _grounds(ref: TextRef | None, texts: Mapping[str, str] | None) -> str | UnsetType | None:
    if texts is None:
        return UNSET
    return None if ref is None else texts.get(ref.text)
