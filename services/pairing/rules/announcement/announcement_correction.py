"""Corrections of an announcement: name, place, days, time zone and number of rounds."""

from dataclasses import replace

from services.pairing.rules.announcement.occasion import check_occasion
from services.pairing.rules.commands import CorrectTournament
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def correct(t: Tournament, c: CorrectTournament) -> Decision | Refusal:
    """Decide to correct the announcement. Pairings, results and publications stay as they are.

    Refusals: ``nothing-corrected``, ``rounds-not-announced``, ``round-paired``, ``rounds-of-games`` and those of
    `check_occasion`.
    """
    corrected = replace(t.announced, **c.event.changes)
    if corrected == t.announced:
        return Refusal("rule", "nothing-corrected", say("nothing would change: send a value that differs"))
    refusal = check_occasion(corrected) or _refuse_rounds(t, corrected.rounds)
    return refusal or Decision((c.event,))


def rounds_corrigible(t: Tournament) -> bool:
    """Return whether the number of rounds was announced and play-offs do not follow it yet."""
    announced = FORMATS[t.announced.format].rounds_announced and not t.regulations.stages
    return announced and t.rounds_paired() <= t.announced.rounds


def _refuse_rounds(t: Tournament, rounds: int) -> Refusal | None:
    """Return why the tournament cannot have this number of rounds, or None."""
    if rounds == t.announced.rounds:
        return None
    if not rounds_corrigible(t):
        detail = say(
            "the number of rounds results from the entries, the stages or the play-off, so it cannot be corrected"
        )
        return Refusal("rule", "rounds-not-announced", detail, where="rounds")
    least = max(1, t.rounds_paired())
    if rounds < least:
        detail = say(
            "{rounds} rounds are too few: use at least {least}, the rounds already paired", rounds=rounds, least=least
        )
        return Refusal("rule", "round-paired", detail, where="rounds")
    games = t.announced.conditions.games
    if rounds % games:
        detail = say("{rounds} rounds cannot be divided into matches of {games} games", rounds=rounds, games=games)
        return Refusal("rule", "rounds-of-games", detail, where="rounds")
    return None
