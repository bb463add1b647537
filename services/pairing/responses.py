"""Between JSON and the rules: fields of requests as entries, events as answers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from services.pairing.rules.commands import Entry
from shared.core.events import Board, ByeSeat, Event, LotDrawn, Match, PlayerEntered, RoundPaired
from shared.core.game_rules import GameRules
from shared.core.regulations import Regulations
from shared.core.terms import Conditions, Period, TeamConditions, TimeControl
from shared.core.tournament import Tournament
from shared.log.texts import Texts
from shared.regulations import load

ANNOUNCED = "the announcement"
"""The source of what no article of the regulations says."""


def entry(sent: dict[str, Any], texts: Texts) -> Entry:
    """One of ``players`` as sent, its name and club put beside the log."""
    name = texts.ref(sent["name"])
    assert name is not None, "the schema takes no empty name"
    return Entry(sent["id"], name, sent["rating"], sent["title"], texts.ref(sent["club"]), sent["federation"])


def conditions(sent: dict[str, Any] | None, game: str, rules: GameRules) -> Conditions:
    """What an announcement says of its format and of the game's time; the defaults where nothing was sent."""
    if sent is None:
        return Conditions()
    team, time = sent["team"], sent["time"]
    team = None if team is None else TeamConditions(**team)
    return Conditions(**sent | {"team": team, "time": None if time is None else _time(time, game, rules)})


def _time(sent: str | dict[str, Any], game: str, rules: GameRules) -> TimeControl | None:
    """The scheme of that name, or what was said, by the article that lets it be said."""
    if isinstance(sent, str):
        return rules.scheme(game, sent)
    article = rules.time_articles.get(game, ANNOUNCED)
    periods = tuple(Period(**one) for one in sent["periods"])
    return TimeControl(game, **sent | {"periods": periods}, article=article)


def regulations(sent: dict[str, Any]) -> Regulations:
    """The regulations named, with the points that the announcement gives in place of theirs, whole."""
    named, points = load(sent["regulations"]), sent["points"]
    if not points:
        return named
    articles = named.articles | {f"points.{name}": ANNOUNCED for name in points}
    return replace(named, points=replace(named.points, **points), articles=articles)


def lot_drawn(events: Sequence[Event]) -> dict[str, Any]:
    """``match`` and the ``winner`` that the lots gave it to."""
    (data,) = [e.data for e in events if isinstance(e.data, LotDrawn)]
    return {"match": data.match, "winner": data.winner}


def players_entered(events: Sequence[Event]) -> dict[str, Any]:
    """``players``: the id and starting number of each who was entered."""
    data = [e.data for e in events if isinstance(e.data, PlayerEntered)]
    return {"players": [{"id": d.player, "starting_number": d.starting_number} for d in data]}


def round_paired(events: Sequence[Event]) -> dict[str, Any]:
    """``round``, ``pairing``, ``boards`` and the byes that the pairing allocated."""
    (data,) = [e.data for e in events if isinstance(e.data, RoundPaired)]
    return _round(data, data.byes)


def round_of(t: Tournament, number: int) -> dict[str, Any] | None:
    """A round's standing pairing with all its byes, those asked for too; None if it has none."""
    current = t.current(number)
    if current is None:
        return None
    granted = [ByeSeat(player, bye.kind) for (player, round), bye in sorted(t.byes.items()) if round == number]
    return _round(current.paired, (*current.paired.byes, *granted))


def _round(data: RoundPaired, byes: Sequence[ByeSeat]) -> dict[str, Any]:
    return {
        "round": data.round,
        "pairing": data.pairing,
        "boards": [_board(b) for b in data.boards],
        "byes": [{"player": s.player, "kind": s.kind} for s in byes],
        "stage": data.stage,
        "matches": [_match(m) for m in data.matches],
        "groups": [list(group) for group in data.groups],
    }


def _match(m: Match) -> dict[str, Any]:
    return {
        "match": m.match,
        "first": m.first,
        "second": m.second,
        "boards": list(m.boards),
        "leg": m.leg,
        "places": list(m.places),
    }


def _board(b: Board) -> dict[str, Any]:
    return {"board": b.board, "game": b.game, "white": b.white, "black": b.black}
