"""The submission of a line-up by a team. If the round has been paired, its boards are seated again."""

from dataclasses import replace

from services.pairing.rules.commands import HandInLineup
from services.pairing.rules.entries.entry_lookup import refuse_round
from services.pairing.rules.pairing_settlement import boards_begun
from services.pairing.rules.sides.lineups import FIXED, refuse_players
from services.pairing.rules.sides.model import Meeting, Plan
from services.pairing.rules.sides.seating import seating
from shared.core.events import Decision, LineupHandedIn, Match, PairingWithdrawn, RoundPaired
from shared.core.language.messages import say
from shared.core.readings.team_scoring import board_conditions, teams_with_bye
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.entities import Lineup
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, Seq


def hand_in(t: Tournament, c: HandInLineup) -> Decision | Refusal:
    """Decide a team's line-up for a future round, or for the last paired one before any of its games has begun.

    With fewer players than boards, the last boards stay empty and are forfeited. If the round has been paired, a new
    pairing replaces it, with the same matches and the present line-ups. Refusals: ``no-lineups``,
    ``unknown-team``, those of `_refuse_late` and of `lineups.refuse_players`.
    """
    conditions, team = board_conditions(t), t.teams.get(c.event.team)
    if conditions is None or conditions.kind in FIXED:
        article = "002-X 12.5" if conditions is None else FIXED[conditions.kind]
        return Refusal(
            "rule",
            "no-lineups",
            say("line-ups cannot be handed in: in this tournament players have fixed boards, or teams have no boards"),
            article,
        )
    if team is None:
        return Refusal("unknown", "unknown-team", say("team {team} does not exist", team=c.event.team), where="team")
    refusal = _refuse_late(t, c) or refuse_players(t, conditions, team, c.event.round, c.event.players)
    if refusal is not None:
        return refusal
    current = t.current(c.event.round)
    return Decision((c.event,)) if current is None else _reseat(t, c.event, current.event)


def _refuse_late(t: Tournament, c: HandInLineup) -> Refusal | None:
    """Return why a line-up cannot be handed in now, or None.

    Refusals: ``no-such-round``, ``lineup-late``, ``lineup-exists``.
    """
    open_ended = not t.announced.rounds or FORMATS[stage_now(t).format].winner_needed or bool(t.regulations.stages)
    if c.event.round < 1 or (c.event.round > t.announced.rounds and not open_ended):
        return refuse_round(t)
    if c.event.round < t.rounds_paired():
        detail = say("round {rounds_paired} has been paired", rounds_paired=t.rounds_paired())
        return Refusal("rule", "lineup-late", detail, "002-X 12.3", where="round")
    current = t.current(c.event.round)
    if current is not None:
        boards = boards_begun(t, current.event)
        if boards:
            named = tuple(boards)
            detail = say(
                "games of round {round} have begun or have rulings; boards: {named}", round=c.event.round, named=named
            )
            return Refusal("rule", "lineup-late", detail, "002-X 12.3", where="round")
    if (c.event.team, c.event.round) in t.lineups and not _is_withdrawn_since(t, c):
        detail = say(
            "team {team} has already handed in its line-up for round {round}", team=c.event.team, round=c.event.round
        )
        return Refusal("rule", "lineup-exists", detail, "002-X 12.2, 12.3", where="team")
    return None


def _is_withdrawn_since(t: Tournament, c: HandInLineup) -> bool:
    """Return whether the round was paired with the team's line-up, and this pairing was withdrawn and not replaced."""
    seq = t.lineups[c.event.team, c.event.round].seq
    withdrawn = [p.withdrawn for p in t.pairings if p.event.round == c.event.round and p.withdrawn is not None]
    return t.current(c.event.round) is None and any(w > seq for w in withdrawn)


def _reseat(t: Tournament, event: LineupHandedIn, paired: RoundPaired) -> Decision:
    """Decide the line-up in ``event``, the withdrawal of the pairing ``paired``, and a new pairing with all line-ups."""
    after = t.fork()
    after.lineups[event.team, event.round] = Lineup(event.players, Seq(0))
    free, rests = teams_with_bye(t, paired, "U"), teams_with_bye(t, paired, "Z")
    meetings = tuple(
        Meeting(m.first, m.second, m.match, m.leg, m.places, walkover=None if m.boards else _side_alone(m, free))
        for m in paired.matches
    )
    seats = seating(after, event.round, Plan(meetings, rests=tuple(sorted(rests))))
    pairing = len(t.pairings) + 1
    reseated = replace(paired, pairing=pairing, boards=seats.boards, byes=seats.byes, matches=seats.matches)
    return Decision((event,), (PairingWithdrawn(paired.round, paired.pairing), reseated))


def _side_alone(match: Match, free: set[int]) -> int:
    """Return the side of a match that advances without an opponent, or 0 if both are missing. ``free``: sides with a bye."""
    return next((side for side in (match.first, match.second) if side in free), 0)
