"""The records of people in one tournament, by replay: identified entries, their final places and their results."""

from services.standings.rules.crosstable import letter
from services.standings.rules.records import Field, field_of_scores
from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import standings
from services.standings.rules.tiebreaks.own_record import won_rounds
from shared.core.readings.person_records import PersonEntry, PersonResult, TournamentRecord
from shared.core.readings.scoring import scores
from shared.core.rounds.matches import teams_meet
from shared.core.state.entities import Player, Publication
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PlayerId

VERSION = 2
"""The version of these records. A higher one makes every database compute its records again."""


def identified_players(t: TournamentState) -> list[Player]:
    """Return the entries that state a FIDE ID, or a national ID with the federation that gave it."""
    return [one for one in t.players.values() if one.fide_id is not None or _national_id(one) is not None]


def people_record(t: TournamentState) -> TournamentRecord:
    """Return the records of the `identified_players`, as of the state's last event.

    A result is included if it counts: an annulled or withdrawn one is as if it had never been reported.
    """
    identified = identified_players(t)
    if not isinstance(t, Tournament) or t.unlisted or not identified:
        return TournamentRecord(t.id, t.seq)
    final = final_publication(t)
    rows = {} if final is None else _final_rows(t, final)
    field = field_of_scores(t, t.rounds_paired(), t.regulations.points, False, scores(t))
    return TournamentRecord(
        t.id,
        t.seq,
        t.announced.name,
        t.announced.game,
        t.announced.begins or t.announced.ends,
        tuple(_entry(one, final, rows.get(one.player)) for one in identified),
        tuple(result for one in identified for result in _results(field, one.player)),
    )


def final_publication(t: Tournament) -> Publication | None:
    """Return the last publication of a final table, or None."""
    return next((one for one in reversed(t.publications) if one.event.final), None)


def _final_rows(t: Tournament, final: Publication) -> dict[PlayerId, Row]:
    """Return the rows of the final table as it is now, by player. If teams meet, players have no place in it."""
    if teams_meet(t):
        return {}
    event = final.event
    table = standings(t, event.tiebreaks, rules=event.rules, after_round=event.round)
    return {row.player: row for row in table.rows}


def _entry(player: Player, final: Publication | None, row: Row | None) -> PersonEntry:
    events = sorted(player.lines | ({final.seq} if final is not None and row is not None else set()))
    return PersonEntry(
        player.player,
        None if player.fide_id is None else player.fide_id.text,
        _national_id(player),
        player.name.text,
        player.rating,
        player.title,
        player.federation,
        None if row is None else row.rank,
        None if row is None else row.points,
        int(player.public_history),
        tuple(events),
    )


def _national_id(player: Player) -> str | None:
    return player.national_id.text if player.national_id is not None and player.federation is not None else None


def _results(field: Field, player: PlayerId) -> list[PersonResult]:
    rounds, players = field.scores[player].rounds, field.tournament.players
    won = {r.round for r in won_rounds(rounds, field.points)}
    return [
        PersonResult(
            player,
            r.game,
            r.round,
            r.opponent,
            players[r.opponent].name.text,
            r.side or "",
            letter(field, r),
            int(r.round in won),
            tuple(sorted(field.round_events(r))),
        )
        for r in rounds
        if r.game is not None and r.mark is not None and r.counted
    ]
