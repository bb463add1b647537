"""Whether a round is legal and the best there is, or its refusal true."""

from collections import Counter

from shared.core import events as ev
from shared.core.rounds.matches import matches, members_of, teams_meet
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId
from tests.pairings.field import BYE, colours, has_a_round, least, legal, must_have, points

SMALL = 20
"""Fields of up to so many are paired a second time."""
LOSSES = {"knockout": 1, "match": 1, "double_knockout": 2}


def round_of(t: Tournament, paired: ev.RoundPaired) -> list[str]:
    """What is wrong with a round that is about to be published."""
    assert t.announced is not None
    seats = Counter([p for b in paired.boards for p in (b.white, b.black)] + [s.player for s in paired.byes])
    wrong = [f"round {paired.round}: {p} has {n} seats" for p, n in seats.items() if n > 1]
    wrong += [f"round {paired.round}: board {b.board} twice" for b in paired.boards if _boards(paired)[b.board] > 1]
    if teams_meet(t):
        return wrong + _teams(t, paired)
    if t.announced.format == "swiss":
        return wrong + _swiss(t, paired, set(seats))
    if t.announced.format in LOSSES:
        return wrong + _bracket(t, paired)
    return wrong if FORMATS[t.announced.format].paired_freely else wrong + _table(t, paired)


def refusal_of(t: Tournament, detail: str) -> list[str]:
    """Wrong, if there is a legal round after all."""
    present = _present(t)
    if teams_meet(t) or not has_a_round(legal(t, present, _fits(t))):
        return []
    return [f"round {t.rounds_paired() + 1} refused, and there is one: {detail}"]


def _boards(paired: ev.RoundPaired) -> Counter[int]:
    return Counter(b.board for b in paired.boards)


def _present(t: Tournament) -> set[PlayerId]:
    """Who is to be seated in the next round of a Swiss."""
    round = t.rounds_paired() + 1
    return {
        p
        for p, entry in t.players.items()
        if entry.first_round <= round
        and (entry.left_after is None or entry.left_after >= round)
        and (p, round) not in t.byes
    }


def _fits(t: Tournament):  # type: ignore[no-untyped-def]
    """In the Dutch: whether two, no topscorers of the last round, do not both need the same colour (C3)."""
    assert t.announced is not None and t.regulations is not None
    if t.regulations.pairing.system != "dutch":
        return lambda one, other: True
    needs = {p: must_have(colours(t, p)) for p in t.players}
    rounds, won = t.rounds_paired(), points(t)
    last = rounds + 1 >= t.announced.rounds
    top = {p for p in t.players if last and 2 * won[p] > t.regulations.points.win * rounds}

    def fits(one: int, other: int) -> bool:
        return one in top or other in top or not needs[PlayerId(one)] or needs[PlayerId(one)] != needs[PlayerId(other)]

    return fits


def _swiss(t: Tournament, paired: ev.RoundPaired, seats: set[PlayerId]) -> list[str]:
    assert t.announced is not None and t.regulations is not None
    if any(m.leg > 1 for m in paired.matches):
        return _second_game(t, paired)
    present, wrong = _present(t), []
    if seats != present:
        wrong.append(f"seated {sorted(seats)}, present {sorted(present)}")
    graph = legal(t, present, _fits(t))
    free = [s.player for s in paired.byes]
    made = [(b.white, b.black) for b in paired.boards] + [(BYE, p) for p in free]
    wrong += [f"{one} and {other} may not meet" for one, other in made if not graph.has_edge(one, other)]
    if t.regulations.pairing.system == "campus" and len(present) <= SMALL and paired.round > 1:
        table = points(t)
        told = sum(table[p] for p in free), sum(abs(table[a] - table[b]) for a, b in made if a != BYE)
        best = least(graph, table)
        if told != best:
            wrong.append(f"bye and sum of differences {told}, and {best} can be had")
    return [f"round {paired.round}: {w}" for w in wrong]


def _second_game(t: Tournament, paired: ev.RoundPaired) -> list[str]:
    before = t.current(paired.round - 1)
    assert before is not None
    first = {(b.white, b.black) for b in before.event.boards}
    other = [b for b in paired.boards if (b.black, b.white) not in first]
    return [f"round {paired.round}: board {b.board} is no second game with colours changed" for b in other]


def _table(t: Tournament, paired: ev.RoundPaired) -> list[str]:
    """Nobody meets more often than the format has it; who is there and has games left in the group has a seat or rests."""
    assert t.announced is not None
    conditions = t.announced.conditions
    most = conditions.games * (2 if t.announced.format == "double_round_robin" else 1)
    if paired.stage == "finals" and not conditions.carried:
        most += 1
    seen = _meetings(t)
    wrong = [
        f"round {paired.round}: {b.white} and {b.black} meet too often"
        for b in paired.boards
        if seen[frozenset((b.white, b.black))] >= most
    ]
    if any(m.leg > 1 for m in paired.matches):
        return wrong + _second_game(t, paired)
    seats = {p for b in paired.boards for p in (b.white, b.black)} | {s.player for s in paired.byes}
    groups = paired.groups or next(p.event.groups for p in reversed(t.pairings) if p.event.groups)
    for group in groups if paired.stage != "finals" or not conditions.carried else ():
        if seats.intersection(group):
            there = {p for p in group if t.players[PlayerId(p)].withdrawal is None}
            wrong += [f"round {paired.round}: {p} has no seat" for p in sorted(there - seats)]
    return wrong


def _meetings(t: Tournament) -> Counter[frozenset[PlayerId]]:
    pairings = (p.event for p in t.pairings if p.withdrawn is None)
    return Counter(frozenset((b.white, b.black)) for paired in pairings for b in paired.boards)


def _nobody_came(t: Tournament, players: list[PlayerId]) -> bool:
    """Whether the last game between these players was given up by both 双方弃权, who then are out (002-X 21.3); False where they
    had none."""
    games = [g for g in t.games.values() if g.white in players and g.black in players]
    setting = t.setting(max(games, key=lambda g: g.round)) if games else None
    return setting is not None and not (
        setting.white.played or setting.black.played or setting.white.points or setting.black.points
    )


def end_of(t: Tournament) -> list[str]:
    """What is wrong with a competition in which no round is left: who was to meet has, and a bracket has a winner."""
    assert t.announced is not None
    conditions, format = t.announced.conditions, t.announced.format
    if format in LOSSES:
        last = max(
            matches(t).values(), key=lambda m: m.match if not conditions.places else -m.places[0] * 10**6 + m.round
        )
        members = [p for side in (last.first, last.second) if side for p in members_of(t, side)]
        stays = [p for p in members if t.players[p].withdrawal is None]
        none_came = last.over and not last.winner and _nobody_came(t, members)
        return (
            []
            if (last.over and (last.winner or not stays)) or none_came
            else [f"nobody has won the last match {last.match}"]
        )
    if teams_meet(t) or FORMATS[format].paired_freely:
        return []
    seen, wrong = _meetings(t), []
    for stage in [p.event for p in t.pairings if p.event.groups]:
        for group in stage.groups:
            entries = {p: t.players[PlayerId(p)] for p in group}
            there = sorted(p for p, entry in entries.items() if entry.withdrawal is None and not entry.absences)
            due = conditions.games * (2 if format == "double_round_robin" else 1)
            pairs = [(a, b) for a in there for b in there if a < b]
            wrong += [
                f"{a} and {b} have not met" for a, b in pairs if seen[frozenset((PlayerId(a), PlayerId(b)))] < due
            ]
    return wrong


def _bracket(t: Tournament, paired: ev.RoundPaired) -> list[str]:
    """Nobody plays on who has lost as often as puts one out, but for a place."""
    assert t.announced is not None
    lost = Counter(m.loser for m in matches(t).values() if m.over)
    out = LOSSES[t.announced.format]
    return [
        f"round {paired.round}: {side} has lost {lost[side]} matches, and plays on"
        for m in paired.matches
        for side in (m.first, m.second)
        if side and lost[side] >= out and not t.announced.conditions.places
    ]


def _teams(t: Tournament, paired: ev.RoundPaired) -> list[str]:
    """No two teams meet twice; no team is in two matches."""
    before = Counter(
        frozenset((m.first, m.second))
        for p in t.pairings
        if p.withdrawn is None
        for m in p.event.matches
        if any(_really(t, p.event, m))
    )
    sides = Counter(s for m in paired.matches for s in (m.first, m.second) if s)
    wrong = [f"round {paired.round}: team {s} is in {n} matches" for s, n in sides.items() if n > 1]
    again = [m for m in paired.matches if m.second and m.leg == 1 and before[frozenset((m.first, m.second))]]
    return wrong + [f"round {paired.round}: teams {m.first} and {m.second} meet again" for m in again]


def _really(t: Tournament, paired: ev.RoundPaired, match: ev.Match) -> list[bool]:
    """Of each board of a match, whether it was played."""
    found = []
    for board in paired.boards:
        said = t.setting(t.games[board.game])
        if board.board in match.boards and said is not None:
            found.append(said.white.played and said.black.played)
    return found
