"""The creation of a tournament, and the regulations that it is played by."""

from dataclasses import replace
from itertools import zip_longest

from services.pairing.rules.announcement.announcement_checks import check_adoption, check_announcement, check_stages
from services.pairing.rules.announcement.occasion import check_occasion
from services.pairing.rules.commands import AdoptRegulations, AnnounceTournament, SetListing
from services.pairing.rules.officials import appointments, refuse_alike_names, refuse_appointment
from shared.core.events import Decision, ListingSet, RegulationsAdopted, TournamentAnnounced
from shared.core.language.messages import say
from shared.core.rounds.stages import begun_stages
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import BOUNDED_OFFICES, Refusal
from shared.core.trust.checkpoint_origin import is_origin
from shared.desk.rules_port import copy_fields


def announce(t: TournamentState, c: AnnounceTournament) -> Decision | Refusal:
    """Decide to create a tournament with all values of its regulations, and to appoint its officials.

    Refusals: ``tournament-exists``; ``foreign-origin``; those of `check_announcement`, `check_occasion`,
    `refuse_appointment` and `refuse_alike_names`.
    """
    if t.announced is not None:
        detail = say("tournament {id} already exists", id=t.id)
        return Refusal("rule", "tournament-exists", detail, see=f"/v1/tournaments/{t.id}")
    if c.origin and not is_origin(c.origin, t.id):
        detail = say("{origin} is not the checkpoint origin of {id}", origin=repr(c.origin), id=t.id)
        return Refusal("invalid", "foreign-origin", detail, where="origin")
    names = (c.actor.name, *(one.official for one in c.officials))
    refusals = (refuse_appointment(one, c.offices) for one in c.officials)
    refusal = check_announcement(c) or check_occasion(c) or next(filter(None, refusals), None)
    if refusal is None and c.offices >= BOUNDED_OFFICES:
        refusal = refuse_alike_names(names)
    if refusal is not None:
        return refusal
    appointed = appointments(c.actor.name, c.actor.role, c.officials)
    # Before the regulations: `TournamentState.unlisted` holds for a reader that has only the first of these events.
    listing = (ListingSet(listed=False),) if c.unlisted else ()
    return Decision((copy_fields(TournamentAnnounced, c), *listing, RegulationsAdopted(c.regulations), *appointed))


def set_listing(t: Tournament, c: SetListing) -> Decision | Refusal:
    """Decide to list an unlisted tournament. Refusals: ``already-listed``, ``never-unlisted``."""
    if not c.event.listed:
        detail = say("a tournament can only be unlisted when it is created: readers may have copies of it")
        return Refusal("rule", "never-unlisted", detail, where="listed")
    if not t.unlisted:
        return Refusal("rule", "already-listed", say("the tournament is already listed"))
    return Decision((c.event,))


def adopt(t: Tournament, c: AdoptRegulations) -> Decision | Refusal:
    """Decide that other regulations apply from here on.

    A reason is required, because the regulations in force were announced to the players. If the new regulations have
    no stages at all, the stages in force remain; otherwise theirs replace them. A stage that has begun cannot change.
    Refusals: ``reason-missing``, ``stage-begun``, those of `check_stages` and `check_adoption`, and
    ``older-decisions``, because a log never returns to an earlier decision edition.
    """
    if c.event.reason is None:
        return Refusal("invalid", "reason-missing", say("a change of regulations requires a reason"), where="reason")
    if c.event.regulations.decisions < t.regulations.decisions:
        detail = say(
            "this log already uses decision edition {decisions}, so it cannot return to edition {decisions2}",
            decisions=t.regulations.decisions,
            decisions2=c.event.regulations.decisions,
        )
        return Refusal("rule", "older-decisions", detail, where="regulations")
    stages = c.event.regulations.stages or t.regulations.stages
    adopted = replace(c.event.regulations, stages=stages)
    a = t.announced
    announced = AnnounceTournament(c.actor, a.name, a.game, a.format, a.rounds, adopted, a.tiebreaks, a.conditions)
    refusal = _refuse_changed_stages(t, stages) or check_stages(announced) or check_adoption(t, adopted)
    return refusal or Decision((replace(c.event, regulations=adopted),))


def _refuse_changed_stages(t: Tournament, stages: tuple[StageRule, ...]) -> Refusal | None:
    """Return the refusal ``stage-begun`` if ``stages`` change a stage that has begun, or are the first after play began."""
    before = begun_stages(t)
    for n, (was, now) in enumerate(zip_longest(before, stages[: len(before)])):
        if was != now:
            detail = say("the stage {name} has begun, so its conditions can no longer be changed", name=was.name)
            return Refusal("rule", "stage-begun", detail, "002-X 11", f"stages[{n}]")
    if stages and not t.regulations.stages and t.rounds_paired():
        return Refusal(
            "rule",
            "stage-begun",
            say("the competition has begun without stages, so stages can no longer be added"),
            "002-X 11",
            "stages",
        )
    return None
