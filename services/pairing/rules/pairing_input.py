"""The input of a round's pairing: the players present, and the record of each.

Only here does a tournament's history become the terms of C.04: colours, floats, meetings, topscorers. Engines and the
check of the absolute rules both use it.
"""

from collections.abc import Callable
from itertools import accumulate

from services.pairing.rules.engine_adapters.record import Float, PairingInput, PlayerRecord
from shared.core.readings.scoring import RoundScore, Score, scores
from shared.core.state.entities import Player
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints, PlayerId, Side


def entries_by_number(t: Tournament) -> list[Player]:
    """Return all entries in the order of starting numbers."""
    return sorted(t.players.values(), key=lambda p: (p.starting_number, p.player))


def players_to_seat(t: Tournament, round: int) -> list[Player]:
    """Return the players to seat in a round, by starting number: entered, not left, not barred, no requested bye."""
    return [
        p
        for p in entries_by_number(t)
        if p.first_round <= round and (p.player, round) not in t.byes and t.may_play(p.player, round)
    ]


def input_of(
    t: Tournament,
    round: int,
    initial_colour: Side,
    forbidden: frozenset[tuple[PlayerId, PlayerId]] = frozenset(),
) -> PairingInput:
    """Return the engine's input for ``round``: the players to seat, with their records of the rounds before it.

    ``initial_colour`` and ``forbidden`` are copied into it. Later rounds are ignored.
    """
    table = scores(t, round - 1)
    present = {p.player for p in players_to_seat(t, round)}
    totals = {p: _running_totals(t, score) for p, score in table.items()}
    bars, records, number = _bars_from_bye(t), [], 0
    for player in entries_by_number(t):
        # Never paired and absent: the number goes to the next (gacrux and bbpPairings agree).
        if player.player in present or any(map(_was_paired, table[player.player].rounds)):
            number += 1
        if player.player in present:
            records.append(_record_of(t, table[player.player], number, round, totals, bars))
    return PairingInput(round, max(t.announced.rounds, round), tuple(records), initial_colour, forbidden)


def colour_record(colours: str) -> tuple[int, int]:
    """Return the absolute colour difference and the number of last games with the same colour (C.04.1, 6 and 7).

    ``colours``: one ``w`` or ``b`` for each game, in order.
    """
    return abs(colours.count("w") - colours.count("b")), len(colours) - len(colours.rstrip(colours[-1:]))


def initial_colour(t: Tournament) -> Side | None:
    """Return the initial colour recorded by the pairing of round 1, or None if round 1 has no pairing."""
    first = t.current(1)
    return None if first is None else first.event.initial_colour


def _running_totals(t: Tournament, score: Score) -> list[int]:
    """Return the half-points that a player was paired with in round 1, 2, …: those won before, plus virtual points."""
    totals = list(accumulate([r.points for r in score.rounds], initial=0))
    if not t.virtual:
        return totals
    return [won + t.virtual.get((score.player, round), 0) for round, won in enumerate(totals, 1)]


def _was_paired(r: RoundScore) -> bool:
    return r.opponent != 0 or r.bye == "U"


def _record_of(
    t: Tournament,
    score: Score,
    number: int,
    round: int,
    totals: dict[PlayerId, list[int]],
    bars: Callable[[RoundScore], bool],
) -> PlayerRecord:
    win, points = t.regulations.points.win, score.points
    played = [r for r in score.rounds if r.kind == "played"]
    last = [_float(t, r, score.player, totals) for r in reversed(score.rounds[-2:])]
    return PlayerRecord(
        player=score.player,
        number=number,
        score=points,
        colours="".join(["w" if r.side == "white" else "b" for r in played]),
        met=tuple([r.opponent for r in played]),
        floats=(last[0] if last else None, last[1] if len(last) > 1 else None),
        bye_barred=any(map(bars, score.rounds)),
        topscorer=round >= t.announced.rounds and 2 * points > win * (round - 1),
        virtual=t.virtual.get((score.player, round), HalfPoints(0)),
    )


def _bars_from_bye(t: Tournament) -> Callable[[RoundScore], bool]:
    """Return a function that returns whether a player's round excludes them from later pairing-allocated byes.

    A round does if it was such a bye, or gave a win's points without playing (C.04.1, 4). By the rules of 2017, it does if
    it was such a bye, or was won because the opponent did not come (C.04.1 d).
    """
    win = t.regulations.points.win
    asked_for = t.regulations.pairing.edition != "2017"
    return lambda r: r.bye == "U" or (r.kind != "played" and r.points >= win and (asked_for or r.opponent != 0))


def _float(t: Tournament, r: RoundScore, player: PlayerId, totals: dict[PlayerId, list[int]]) -> Float:
    """Return the float of a round (C.04.3, 1.4): down against a lower score, up against a higher score, else None.

    ``totals``: the half-points of each player before round 1, 2, …. An unplayed round with more points than a loss is
    down. By the rules of 2017 (A.4), every unplayed round is down.
    """
    if r.kind != "played" and t.regulations.pairing.edition == "2017":
        return "down"
    if r.kind != "played":
        return "down" if r.bye == "U" or r.points > t.regulations.points.loss else None
    own, other = totals[player][r.round - 1], totals[r.opponent][r.round - 1]
    if own == other:
        return None
    return "down" if own > other else "up"
