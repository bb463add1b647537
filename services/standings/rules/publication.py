"""The publication of a table: which one may be published, and which places must first be decided."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from services.standings.rules.commands import PublishStandings
from services.standings.rules.published_table import published_codes, published_tiebreaks, publishes_teams
from services.standings.rules.table.table import EDITIONS, standings
from services.standings.rules.teams.table import is_team_event, team_standings
from shared.core.events import Decision, StandingsPublished
from shared.core.language.messages import and_more, say, term
from shared.core.readings.claims import pending_claims
from shared.core.readings.settlement import refuse_outdated, sides_of
from shared.core.rounds.further_games import match_to_play
from shared.core.rounds.matches import teams_meet
from shared.core.rounds.rounds_to_come import is_another_round_due, planned_rounds
from shared.core.rounds.stages import begun_stages, rounds_of, stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import PARTING
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, Refusal

NAMED_AT_MOST = 12
PLAY_OFF_ARTICLE = "002-X 15.6"
BRACKET_ARTICLE = "000-B 4"
NOBODY = Actor("", "chief_arbiter", "")
"""The actor of a publication that is computed and never written."""


def publish(t: Tournament, c: PublishStandings) -> Decision | Refusal:
    """Decide a publication, without its digest and checkpoint, which `seal` fills in.

    A command with an unknown tie-break, edition or round is refused as invalid. A final table is refused by rule if it
    leaves out a paired round, or while one of these is not settled: an outdated basis, an open game, a pending claim, an
    unplayed match of a bracket, or a shared place that requires a play-off.
    """
    refusal = _refuse_invalid(t, c) or (_refuse_final(t, c) if c.final else None)
    if refusal is not None:
        return refusal
    return Decision((StandingsPublished(c.tiebreaks, c.rules, c.round, c.final, order=_order(t, c)),))


def _order(t: Tournament, c: PublishStandings) -> tuple[tuple[int, ...], ...]:
    """Return all sides by rank if the published table decides who plays in the finals or the next stage, else ``()``.

    See 002-X 11.3. Sides that share a rank are in one tuple. In a team event these are the ranks of the teams. Before
    decision edition 3, the tie-breaks of the command are nevertheless those of the players.
    """
    if not t.regulations.stages and not FORMATS[t.announced.format].finals:
        return ()
    places: dict[int, list[int]] = {}
    for rank, side in _ranked_sides(t, c):
        places.setdefault(rank, []).append(side)
    return tuple(tuple(places[rank]) for rank in sorted(places))


def _ranked_sides(t: Tournament, c: PublishStandings) -> list[tuple[int, int]]:
    """Return (rank, side) for every player, or for every team in a team event with boards."""
    if teams_meet(t):
        codes = c.tiebreaks if publishes_teams(t) else None
        return [(r.rank, r.team) for r in team_standings(t, codes, rules=c.rules, after_round=c.round).rows]
    return [(r.rank, r.player) for r in standings(t, c.tiebreaks, rules=c.rules, after_round=c.round).rows]


def _refuse_invalid(t: Tournament, c: PublishStandings) -> Refusal | None:
    known = published_codes(t)
    faults = (known.fault(c.tiebreaks, n) for n in range(len(c.tiebreaks)))
    fault = next((fault for fault in faults if fault is not None), None)
    if fault is not None:
        return Refusal("invalid", "unknown-tiebreak", fault, "C.07", "tiebreaks")
    if c.rules not in EDITIONS:
        return Refusal(
            "invalid",
            "unknown-edition",
            say("{rules} is not an edition of the tie-break rules C.07", rules=c.rules),
            "C.07",
            "rules",
        )
    if not 0 <= c.round <= t.rounds_paired():
        return Refusal(
            "invalid",
            "no-such-round",
            say("only {rounds_paired} rounds have been paired", rounds_paired=t.rounds_paired()),
            None,
            "round",
        )
    return None


def _refuse_final(t: Tournament, c: PublishStandings) -> Refusal | None:
    if c.round < t.rounds_paired():
        return Refusal(
            "rule",
            "not-the-last-round",
            say("{rounds_paired} rounds were paired", rounds_paired=t.rounds_paired()),
            None,
            "round",
        )
    outdated = refuse_outdated(t, table_of=c.round, where="final")
    if outdated is not None:
        return outdated
    waiting = pending_claims(t)
    if waiting:
        claims = (say("{claim} of {game}", claim=term(one.event.claim), game=one.event.game) for one in waiting)
        detail = say("first decide the claims that wait for an arbiter: {named}", named=and_more(claims, NAMED_AT_MOST))
        see = f"/v1/tournaments/{t.id}/claims?state=pending"
        return Refusal("rule", "claims-pending", detail, waiting[0].event.article, "final", see)
    for game in t.games_in_force():
        if t.setting(game) is None:
            detail = say("round {round}, board {board} has no result yet", round=game.round, board=game.board)
            return Refusal("rule", "game-open", detail, None, "final")
    return _refuse_unfinished_bracket(t) or _refuse_shared_place(t, c)


def _refuse_unfinished_bracket(t: Tournament) -> Refusal | None:
    """Return the refusal ``bracket-unfinished`` if a match must still be played for first place (000-B 4, 002-X 11.1)."""
    sides = match_to_play(t) if t.regulations.decisions >= 3 else None
    if sides is None:
        return None
    detail = say(
        "the match of {sides} is still to be played, and the table is final only after the last match of the bracket;"
        " pair the next round",
        sides=sides_of(t, tuple(sorted(sides))),
    )
    return Refusal("rule", "bracket-unfinished", detail, BRACKET_ARTICLE, "final", f"/v1/tournaments/{t.id}/rounds")


def _refuse_shared_place(t: Tournament, c: PublishStandings) -> Refusal | None:
    """Return the refusal ``place-shared`` if sides share a place that a play-off or a lot must decide before the final table."""
    shared = place_to_part(t, c)
    if shared is None:
        return None
    sides = and_more(shared.sides, NAMED_AT_MOST)
    whose = say("teams") if teams_meet(t) else say("players")
    by_lot = t.regulations.ranking.parted_by == "lot"
    how, path = (say("a lot"), "lots") if by_lot else (say("a play-off"), "play-offs")
    detail = say(
        "{whose} {sides} share place {rank}: it must be decided by {how} before the table can be final",
        whose=whose,
        sides=sides,
        rank=shared.rank,
        how=how,
    )
    return Refusal("rule", "place-shared", detail, PLAY_OFF_ARTICLE, "final", f"/v1/tournaments/{t.id}/{path}")


def place_to_part(t: Tournament, c: PublishStandings) -> "SharedPlace | None":
    """Return the first shared place that a play-off or a lot must still decide, or None if all places are decided."""
    return next(iter(places_to_part(t, c)), None)


def places_to_part(t: Tournament, c: PublishStandings) -> list["SharedPlace"]:
    """Return the shared places that must be played off before this table is final (002-X 15.6), from decisions 2 on.

    The list is empty if no play-off can be paired: before the last round, in a bracket, and after a final table, which a
    ruling may have changed.
    """
    if t.regulations.decisions < 2 or t.closed() or not all_rounds_paired(t):
        return []
    return list(shared_first_places(t, _ranked_sides(t, c)))


def first_places_not_parted(t: Tournament) -> list["SharedPlace"]:
    """Return the first places that are shared although the regulations let nobody share them (002-X 15.6).

    They are those of the table that would be final now; after a final table, those of that table as it is now.
    """
    if not t.regulations.ranking.unshared:
        return []
    published = next((p for p in reversed(t.publications) if p.event.final), None)
    if published is None:
        return places_to_part(t, own_table(t, NOBODY, final=True))
    final = published.event
    query: dict[str, Any] = {"rules": final.rules, "after_round": final.round}
    if is_team_event(t):
        if publishes_teams(t, published.basis):
            query["tiebreaks"] = final.tiebreaks
        return list(shared_first_places(t, [(row.rank, row.team) for row in team_standings(t, **query).rows]))
    rows = standings(t, final.tiebreaks, **query).rows
    return list(shared_first_places(t, [(row.rank, row.player) for row in rows]))


def own_table(t: Tournament, actor: Actor, *, final: bool, round: int | None = None) -> PublishStandings:
    """Return the command that publishes the table by the tournament's own tie-breaks, after ``round`` (None: the last)."""
    after = t.rounds_paired() if round is None else round
    return PublishStandings(actor, published_tiebreaks(t), t.regulations.ranking.rules, after, final)


def deciding_codes(t: Tournament, c: PublishStandings) -> tuple[str, ...]:
    """Return the codes of the tie-breaks play-off and lots, as far as the regulations use them for the table of ``c``.

    The result is empty before the last results, in a bracket and after a final table.
    """
    if (
        t.regulations.decisions < 2
        or t.closed()
        or not all_rounds_paired(t)
        or any(t.setting(game) is None for game in t.games_in_force())
    ):
        return ()
    ranking = t.regulations.ranking
    counted = ranking.with_play_off_or_lots(team_standings(t).tiebreaks if teams_meet(t) else c.tiebreaks)
    return tuple(code for code in PARTING if code in counted)


def shared_places(t: Tournament, c: PublishStandings) -> list["SharedPlace"]:
    """Return every place of this table that more than one side has."""
    by_rank: dict[int, list[int]] = {}
    for rank, side in _ranked_sides(t, c):
        by_rank.setdefault(rank, []).append(side)
    return [SharedPlace(rank, sides) for rank, sides in by_rank.items() if len(sides) > 1]


def all_rounds_paired(t: Tournament) -> bool:
    """Return whether all rounds are paired, so that at most a play-off follows. Always False in a bracket."""
    now, stages = stage_now(t), t.regulations.stages
    if FORMATS[now.format].winner_needed or len(begun_stages(t)) < len(stages):
        return False
    if not stages or not FORMATS[now.format].rounds_announced:
        return t.rounds_paired() >= t.announced.rounds
    return rounds_of(t, now) >= now.rounds


def rounds_left(t: Tournament) -> int | None:
    """Return how many rounds must still be paired before the final table, or None if results or stages decide that."""
    if is_another_round_due(t) is False:
        return 0
    planned = planned_rounds(t)
    return max(planned - t.rounds_paired(), 1) if planned else None


class SharedPlace(NamedTuple):
    """A rank, and the players or teams that share it."""

    rank: int
    sides: list[int]


def shared_first_places(t: Tournament, ranked: Iterable[tuple[int, int]]) -> Iterator[SharedPlace]:
    """Yield the first places that are shared although the regulations forbid it (15.6). ``ranked``: (rank, side)."""
    by_rank: dict[int, list[int]] = {}
    for rank, side in ranked:
        if rank <= t.regulations.ranking.unshared:
            by_rank.setdefault(rank, []).append(side)
    for rank, sides in by_rank.items():
        if len(sides) > 1:
            yield SharedPlace(rank, sides)
