"""Rulings and appeals as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from shared.core.events import AppealLodged, Effect, Event, RulingAnnulled, RulingMade
from shared.core.language.messages import Message
from shared.core.readings.reasons_without_effect import annulled_by, reason_without_effect
from shared.core.rulebook.regulations import ARRIVAL_INFRACTIONS
from shared.core.state.entities import Annulment, Appeal, Arrival, Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import Mark, RulingId
from shared.desk.desk import View
from shared.http.language.language import words


def ruling_and_consequences(events: Sequence[Event]) -> dict[str, Any]:
    """The first ruling (or annulment) that a command wrote, and those that it brought."""
    ids = [e.data.ruling for e in events if isinstance(e.data, RulingMade | RulingAnnulled)]
    return {"ruling": ids[0] if ids else None, "brought": ids[1:]}


def consequences(events: Sequence[Event]) -> dict[str, Any]:
    """The rulings that a command brought which makes none itself."""
    return {"brought": [e.data.ruling for e in events if isinstance(e.data, RulingMade | RulingAnnulled)]}


def appeal_id(events: Sequence[Event]) -> dict[str, Any]:
    """The appeal that a command wrote."""
    return {"appeal": next(e.data.appeal for e in events if isinstance(e.data, AppealLodged))}


def rulings(view: View) -> list[dict[str, Any]]:
    """Return all rulings and annulments, in the log's order."""
    every: list[Ruling | Annulment] = [*view.state.rulings.values(), *view.state.annulments.values()]
    return [_either(view.tournament, one) for one in sorted(every, key=lambda one: one.seq)]


def ruling(view: View, id: str) -> dict[str, Any] | None:
    """Return a ruling or annulment, or None if its id does not exist."""
    one = view.state.rulings.get(RulingId(id)) or view.state.annulments.get(RulingId(id))
    return None if one is None else _either(view.tournament, one)


def _either(t: Tournament, one: Ruling | Annulment) -> dict[str, Any]:
    return _ruling(t, one) if isinstance(one, Ruling) else _annulment(t, one)


def _ruling(t: Tournament, ruling: Ruling) -> dict[str, Any]:
    m = ruling.event
    return {
        "ruling": m.ruling,
        "seq": ruling.seq,
        "role": ruling.role,
        "actor": ruling.actor,
        "player": m.player,
        "round": m.round,
        "game": m.game,
        "infraction": m.infraction,
        "article": m.article,
        "counter": m.counter,
        "effect": _effect(m.effect),
        "ply": m.ply,
        "facts": m.facts,
        "because": list(m.because),
        "arrival": m.arrival,
        "breaks": list(m.breaks),
        "rung": None if m.rung is None else asdict(m.rung),
        "finding": m.finding,
        "note": None if m.note is None else asdict(m.note),
        "standing": t.stands(m.ruling),
        "effective": t.effective(m.ruling),
        "why": _words(reason_without_effect(t, ruling)),
    } | _lateness(t, m)


def _lateness(t: Tournament, ruling: RulingMade) -> dict[str, Any]:
    """The seconds of who came too late (None: did not come), those that count, and the limit that he was held to."""
    if ruling.infraction not in ARRIVAL_INFRACTIONS or ruling.game is None or ruling.player is None:
        return {}
    named = None if ruling.arrival is None else t.arrivals.get(ruling.arrival)
    arrival = named or t.arrival_of(ruling.game, ruling.player)
    if arrival is None:
        return {}
    limit = t.regulations_at(arrival.noted).rulebook.lateness.limit
    return {"late": arrival.late, "limit": limit, "counted": counted(t, arrival)}


def counted(t: Tournament, arrival: Arrival) -> int | None:
    """The seconds of lateness that are held against the limit, 0 for one who was there in time; None: did not come."""
    if arrival.late is None:
        return None
    return max(0, t.regulations_at(arrival.noted).rulebook.lateness.counted(arrival.late, arrival.turn))


def _annulment(t: Tournament, annulment: Annulment) -> dict[str, Any]:
    m = annulment.event
    standing = t.stands(m.ruling)
    return {
        "ruling": m.ruling,
        "seq": annulment.seq,
        "role": annulment.role,
        "actor": annulment.actor,
        "annuls": m.annuls,
        "article": m.article,
        "appeal": m.appeal,
        "retracted": m.retracted,
        "reason": None if m.reason is None else asdict(m.reason),
        "standing": standing,
        "effective": standing,
        "why": _words(annulled_by(t, m.ruling)),
    }


def _words(why: Message | None) -> str | None:
    """In the language of the request."""
    return None if why is None else words(why)


def _effect(effect: Effect) -> dict[str, Any]:
    """An effect with its kind's fields, points as numbers."""
    members: dict[str, Any] = {"kind": effect.kind}
    for side, mark in (("white", effect.white), ("black", effect.black)):
        if mark is not None:
            members[side] = _mark(mark)
    if effect.points is not None:
        members["points"] = effect.points / 2
    if effect.clock is not None:
        members["clock"] = effect.clock
    if effect.rounds:
        members["rounds"] = list(effect.rounds)
    return members


def _mark(mark: Mark) -> dict[str, Any]:
    return {"points": mark.points / 2, "played": mark.played, "counted": mark.counted}


def appeal(appeal: Appeal) -> dict[str, Any]:
    """An appeal, with the committee's decision where there is one."""
    event, decision = appeal.event, appeal.decision
    return {
        "appeal": event.appeal,
        "seq": appeal.seq,
        "ruling": event.ruling,
        "by": event.by,
        "lodged": event.lodged or None,
        "upheld": None if decision is None else decision.upheld,
        "article": None if decision is None else decision.article,
    }
