"""Relations between two histories: annulled at once = never made, corrected to the same result = not corrected, and the pair
of events removed from the log = equal state.

Two states are equal if they show the same to everybody in the hall (`image`). Event numbers, ids and citations differ.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from services.games.responses import status
from services.games.rules import commands as play
from services.games.rules.boards.port.position import SIDES
from services.games.rules.boards.registry import variant_of
from services.games.rules.play.clock_state import clock_state
from services.pairing.rules import commands as pair
from services.standings.rules.commands import PublishStandings
from services.standings.rules.people import people_record
from services.standings.rules.published_table import published_tiebreaks
from services.standings.rules.table.table import standings
from services.standings.rules.teams.table import is_team_event, team_standings
from services.standings.rules.tiebreaks.value import Value
from shared.core.event_types.evolve import fold
from shared.core.events import Event
from shared.core.readings.claims import pending_claims
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, PAIRING, STANDINGS, Refusal
from tests.builders import World
from tests.metamorphic.history import CHIEF, WHY, History

Image = dict[str, Any]


def image(world: World) -> Image:
    """Return what a hall sees: marks, tables, counters, players present, next pairing, open games and clocks."""
    t = world.tournament
    assert isinstance(t, Tournament)
    return of_state(t) | {"clocks": _clocks(world, t)}


def of_state(t: Tournament) -> Image:
    """Return the part of an image that the official log alone gives."""
    settings = {game.game: t.setting(game) for game in t.games_in_force()}
    table, now = standings(t), t.rounds_paired()
    names = published_tiebreaks(t)
    rulings = t.rulings_with_effect()
    return {
        "marks": {id: one and (one.white, one.black) for id, one in settings.items()},
        "status": {game.game: status(t, game) for game in t.games_in_force()},
        "table": [(row.player, row.rank, row.points, _numbers(row.values)) for row in table.rows],
        "teams": [(r.team, r.rank, _numbers(r.values)) for r in team_standings(t).rows] if is_team_event(t) else [],
        "people": _people(t),
        "counters": Counter((r.event.player, r.event.counter) for r in rulings if r.event.counter),
        "effects": Counter((r.event.player, r.event.effect.kind) for r in rulings),
        "present": {id: one.left_after is None for id, one in t.players.items()},
        "findings": [one.event.finding for one in t.findings.values() if one.open],
        "claims": [one.event.claim for one in pending_claims(t)],
        "next": _next(t),
        "withdrawal": _refusal(t, PAIRING, pair.WithdrawPairing(CHIEF, now, WHY)),
        "final": _refusal(t, STANDINGS, PublishStandings(CHIEF, names, "2026", now, final=True)),
    }


def _people(t: Tournament) -> Any:
    """Return the records of people without the events that they come from."""
    record = people_record(t)
    return [one._replace(events=()) for one in (*record.entries, *record.results)]


def _numbers(values: Mapping[str, Value]) -> dict[str, Any]:
    return {name: value.quarters for name, value in values.items()}


def _next(t: Tournament) -> Any:
    """Return who meets whom in the next round, drawn from one seed; or the code of the refusal."""
    answer = _decide(t, PAIRING, pair.PairRound(CHIEF, seed=7))
    if isinstance(answer, Refusal):
        return answer.code
    paired = answer.events[0]
    return [(b.board, b.white, b.black) for b in paired.boards], paired.byes, paired.matches, paired.groups


def _refusal(t: Tournament, source: Any, command: Any) -> str | None:
    answer = _decide(t, source, command)
    return answer.code if isinstance(answer, Refusal) else None


def _decide(t: Tournament, source: Any, command: Any) -> Any:
    from tests.metamorphic.history import RULES

    return RULES[source].follow(t, command, None)


def _clocks(world: World, t: Tournament) -> dict[str, Any]:
    """Return what both clocks show in each open game that has begun."""
    shown = {}
    for game in t.games_in_force():
        variant = variant_of(t, game)
        if game.started is not None and variant is not None and t.setting(game) is None:
            state = world.sheet(GAMES, game.game).state(variant)
            shown[game.game] = [clock_state(t, game, state, side).clock for side in SIDES]
    return shown


def differences(one: Image, other: Image) -> list[str]:
    """Return the names of what two images do not agree in, each with both values."""
    return [f"{name}: {_parted(one[name], other[name])}" for name in one if one[name] != other[name]]


def _parted(one: Any, other: Any) -> str:
    """Return where two values differ, both sides of each place."""
    if isinstance(one, dict) and isinstance(other, dict):
        return "; ".join(f"{k} {one.get(k)} / {other.get(k)}" for k in {**one, **other} if one.get(k) != other.get(k))
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return "; ".join(f"{a} / {b}" for a, b in zip(one, other, strict=True) if a != b)
    return f"{one} / {other}"


def annulled_at_once(history: History) -> tuple[list[str], list[Event]] | None:
    """Make a ruling and annul it at once, in the history itself. Return the differences from a history in which it was never
    made, and the events of both; None if no ruling was accepted."""
    before, first = image(history), len(history.events)
    made = history.rule()
    if made is None or not hasattr(made[0].data, "ruling"):
        return None
    ruling = made[0].data.ruling
    if history.annul(ruling) is None:
        return None
    events = history.events[first:]
    history.apart |= {e.data.ruling for e in events if hasattr(e.data, "ruling") and e.data.ruling}
    return [f"{ruling}: {one}" for one in differences(before, image(history))], events


def corrected_to_the_same(history: History) -> list[str] | None:
    """Correct a reported result to the same one. Return the differences from no correction; None if there was no such game."""
    games = [g for g in history.t.games_in_force() if g.game in history.t.reported and not g.rulings]
    if not games:
        return None
    game = history.chance.choice(games)
    now = history.t.setting(game)
    assert now is not None
    before, other = image(history), history.fork()
    result = play.Result(game.game, now.white, now.black)
    if other.attempt(GAMES, play.Correct(CHIEF, (result,), WHY)) is None:
        return None
    return [f"{game.game}: {one}" for one in differences(before, image(other))]


def removed_from_the_log(history: History, pairs: Iterable[Event]) -> list[str]:
    """Return the differences between the state and that of the same log without these events."""
    removed = {id(event) for event in pairs}
    rest = [event for event in history.events if id(event) not in removed]
    t = fold("T", (event._replace(seq=n) for n, event in enumerate(rest, 1)))
    assert isinstance(t, Tournament)
    return differences(of_state(history.t), of_state(t))
