"""Announcing a tournament, and the regulations that it is played by."""

from services.pairing.rules.announcement_checks import check_adoption, check_announcement
from services.pairing.rules.commands import AdoptRegulations, AnnounceTournament
from shared.core.events import Decision, RegulationsAdopted, TournamentAnnounced
from shared.core.terms import Refusal
from shared.core.tournament import Tournament, TournamentState


def announce(t: TournamentState, c: AnnounceTournament) -> Decision | Refusal:
    """A new tournament with its regulations pinned. Refusals: ``tournament-exists``, those of `check_announcement`."""
    if t.announced is not None:
        return Refusal(
            "rule", "tournament-exists", f"a tournament {t.id} was announced already", see=f"/v1/tournaments/{t.id}"
        )
    announced = TournamentAnnounced(c.name, c.game, c.format, c.rounds, c.tiebreaks, c.conditions)
    return check_announcement(c) or Decision((announced, RegulationsAdopted(c.regulations)))


def adopt(t: Tournament, c: AdoptRegulations) -> Decision | Refusal:
    """Other regulations from here on. They need a reason: those in force were announced to the players.

    Refusals: ``reason-missing``; ``older-decisions``, as no log goes back to an edition of decisions that it has left;
    those of `check_adoption`.
    """
    if c.reason is None:
        return Refusal("invalid", "reason-missing", "a change of regulations is given a reason", where="reason")
    if c.regulations.decisions < t.regulations.decisions:
        detail = f"decisions are made by edition {t.regulations.decisions}, not again by {c.regulations.decisions}"
        return Refusal("rule", "older-decisions", detail, where="regulations")
    return check_adoption(t, c.regulations) or Decision((RegulationsAdopted(c.regulations, c.reason),))
