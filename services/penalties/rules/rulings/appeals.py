"""Appeals against rulings, and their decision by the appeals committee."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import DecideAppeal, LodgeAppeal
from services.penalties.rules.game_lookup import unknown_player
from services.penalties.rules.rulings.annulments import annullers, annulment, refuse_lapsed
from services.penalties.rules.rulings.cited_article import refuse_article
from services.penalties.rules.rulings.parties import concerned_players, deciders
from shared.core.events import AppealDecided, AppealLodged, Decision, Official
from shared.core.language.handles import is_named
from shared.core.language.messages import Instant, say, term, together
from shared.core.readings.authority import DECIDE_APPEAL, LODGE_APPEAL, authority_rule
from shared.core.readings.claims import deadline, instant
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, RefusalKind, RulingId


def lodge_appeal(t: Tournament, c: LodgeAppeal) -> Decision | Refusal:
    """Decide that an appeal against a ruling in force is lodged.

    It must be lodged by the player concerned or for them, in time, and once. Refusals: ``another-players``,
    ``unknown-ruling``, ``not-standing``, ``unknown-player``, ``not-concerned``, ``appealed-before``,
    ``appeal-too-late``. In decision edition 1 any player may appeal at any time, except with ``appeal-open``: an open
    appeal of that player against the ruling.
    """
    bound = t.regulations.decisions >= 2
    refusal = (_refuse_other_player(t, c) if bound else None) or refuse_lapsed(t, c.ruling)
    if refusal is not None:
        return refusal
    if c.by not in t.players:
        return unknown_player(c.by, "by")
    refusal = _refuse_unconcerned(t, c) or _refuse_repeated(t, c) or _refuse_late(t, c) if bound else _refuse_open(t, c)
    lodged = c.lodged if bound else ""
    return refusal or Decision((AppealLodged(f"a{rulebook.next_number(t)}", c.ruling, c.by, c.grounds, lodged),))


def _refuse_other_player(t: Tournament, c: LodgeAppeal) -> Refusal | None:
    """Return the refusal ``another-players`` if a player appeals for another, or None.

    A player's token name is their entry number.
    """
    name = c.actor.name
    if c.actor.role != "player" or (name.isascii() and name.isdigit() and int(name) == c.by):
        return None
    detail = say(
        "player {name} cannot appeal for player {by}: only player {by} or an official can",
        name=c.actor.name,
        by=c.by,
    )
    return Refusal("authority", "another-players", detail, _article(t, LODGE_APPEAL), "by")


def _refuse_unconcerned(t: Tournament, c: LodgeAppeal) -> Refusal | None:
    """Return the refusal ``not-concerned`` for a player who is not concerned, or None.

    It is 403 if players appeal themselves, 409 if an official appeals for them.
    """
    players = concerned_players(t, c.ruling)
    if c.by in players:
        return None
    whose = together(say("player {player}", player=player) for player in players)
    kind: RefusalKind = "authority" if c.actor.role == "player" else "rule"
    detail = say(
        "{ruling} does not concern player {by}: only {whose} may appeal against it",
        ruling=c.ruling,
        by=c.by,
        whose=whose,
    )
    return Refusal(kind, "not-concerned", detail, _article(t, LODGE_APPEAL), "by", _ruling(t, c))


def _refuse_repeated(t: Tournament, c: LodgeAppeal) -> Refusal | None:
    for id, appeal in t.appeals.items():
        if (appeal.event.ruling, appeal.event.by) == (c.ruling, c.by):
            open, upheld = appeal.decision is None, appeal.decision is not None and appeal.decision.event.upheld
            state = say("is open") if open else say("was upheld") if upheld else say("was rejected")
            detail = say(
                "player {by} has already appealed against {ruling}: appeal {id} {state}",
                by=c.by,
                ruling=c.ruling,
                id=id,
                state=state,
            )
            see = f"/v1/tournaments/{t.id}/appeals"
            return Refusal("rule", "appealed-before", detail, _article(t, LODGE_APPEAL), "ruling", see)
    return None


def _refuse_open(t: Tournament, c: LodgeAppeal) -> Refusal | None:
    """Return the refusal ``appeal-open`` or None: in decision edition 1, one open appeal of a player against a ruling."""
    for id, appeal in t.appeals.items():
        if appeal.decision is None and (appeal.event.ruling, appeal.event.by) == (c.ruling, c.by):
            detail = say("appeal {id} against {ruling} is not decided yet", id=id, ruling=c.ruling)
            return Refusal("rule", "appeal-open", detail, where="ruling")
    return None


def _refuse_late(t: Tournament, c: LodgeAppeal) -> Refusal | None:
    """Return the refusal for an appeal beyond the deadline 期限 of the regulations, counted from the ruling, or None.

    Refusals: ``bad-time``, ``appeal-too-late``.
    """
    rule = t.regulations.rulebook.appeals
    if rule is None or rule.within is None:
        return None
    end, lodged = deadline(t, c.ruling), instant(c.lodged)
    if end is None or lodged is None:
        return Refusal(
            "invalid", "bad-time", say("{lodged} is not a time (RFC 3339)", lodged=repr(c.lodged[:40])), where="lodged"
        )
    if lodged <= end:
        return None
    until = Instant(end.isoformat(timespec="seconds"), t.announced.time_zone)
    detail = say(
        "{ruling} could be appealed against until {until}; now it can only be annulled by {who}",
        ruling=c.ruling,
        until=until,
        who=annullers(t),
    )
    return Refusal("rule", "appeal-too-late", detail, rule.article, "ruling", _ruling(t, c))


def _article(t: Tournament, act: str) -> str | None:
    row = authority_rule(t, act)
    return None if row is None else row.article


def _ruling(t: Tournament, c: LodgeAppeal) -> str:
    return f"/v1/tournaments/{t.id}/rulings/{c.ruling}"


def _has_decided(t: Tournament, actor: str, ruling: RulingId) -> bool:
    return any(is_named(actor, name) for name in deciders(t, ruling))


def decide_appeal(t: Tournament, c: DecideAppeal) -> Decision | Refusal:
    """Decide an appeal. If it is upheld, the ruling is annulled with it, unless it is already out of force.

    Refusals: ``unknown-appeal``, ``own-decision``, ``appeal-decided``, ``unknown-article``.
    """
    appeal = t.appeals.get(c.appeal)
    if appeal is None:
        return Refusal(
            "unknown", "unknown-appeal", say("appeal {appeal} does not exist", appeal=c.appeal[:40]), where="appeal"
        )
    row = authority_rule(t, DECIDE_APPEAL)
    assert row is not None, "this row permits the decision"
    if t.regulations.decisions >= 2 and _has_decided(t, c.actor.name, appeal.event.ruling):
        detail = say(
            "{name} made the decision that {appeal} is against, in this or another role: another of {roles} must "
            "decide it",
            name=c.actor.name,
            appeal=c.appeal,
            roles=term(row.roles[0]),
        )
        return Refusal("authority", "own-decision", detail, row.article, "appeal")
    if appeal.decision is not None:
        return Refusal(
            "rule", "appeal-decided", say("appeal {appeal} was decided already", appeal=c.appeal), where="appeal"
        )
    refusal = refuse_article(t, c.article)
    if refusal is not None:
        return refusal
    article = c.article or row.article
    events: tuple[Official, ...] = (AppealDecided(c.appeal, c.upheld, article, c.grounds),)
    if c.upheld and t.is_in_force(appeal.event.ruling):
        events += (annulment(t, appeal.event.ruling, article, c.grounds, c.appeal, ahead=1),)
    return Decision(events=events)
