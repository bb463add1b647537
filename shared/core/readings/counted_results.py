"""The results that a published table counts, so that a later change of one of them is found. Standard library only."""

from collections.abc import Hashable, Iterable, Mapping

from shared.core.events import RulingMade
from shared.core.rulebook.regulations import FOUL_COUNTER
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId, Seq

Counted = Mapping[Hashable, object]
CROSSED = "crossed"
"""The value of a result that changed between the last event read for a table and its publication. It equals no other value."""


def counted_results(t: Tournament, rounds: int, basis: Seq | None = None) -> Counted:
    """Return what a table after ``rounds`` rounds counts: pairings, marks of games, penal points, fouls and punishments.

    ``basis``: the last event read for the table, or None to count all events. A result changed later has the value `CROSSED`.
    """
    counted: dict[Hashable, object] = {}
    for number in range(1, rounds + 1):
        pairing = t.current(number)
        if pairing is None:
            continue
        counted[number] = pairing.event.pairing if basis is None or pairing.seq <= basis else CROSSED
        for board in pairing.event.boards:
            game = t.games[board.game]
            crossed = basis is not None and latest_event(t, (game,)) > basis
            counted[board.game] = CROSSED if crossed else _marks(t, game)
    for id, entry in t.rulings.items():
        ruling = entry.event
        if ruling.player is None or ruling.round > rounds or not _ranks(t, ruling):
            continue
        if basis is not None and latest_event_on_ruling(t, id) > basis:
            counted[id] = CROSSED
        elif t.has_effect(id):
            key = ruling.player, ruling.infraction, ruling.effect.kind, ruling.effect.points
            number_of_them = counted.get(key, 0)
            assert isinstance(number_of_them, int)
            counted[key] = number_of_them + 1
    return counted


def latest_event(t: Tournament, games: Iterable[Game]) -> Seq:
    """Return the sequence number of the last event that may have changed the results of these games, or 0 if none did."""
    last = Seq(0)
    for game in games:
        setting = t.setting(game)
        last = max(
            [last, *([] if setting is None else [setting.seq]), *(latest_event_on_ruling(t, r) for r in game.rulings)]
        )
        for player in (game.white, game.black):
            entry = t.players[player]
            last = max([last, entry.withdrawal_seq or Seq(0), *(absence.seq for absence in entry.absences)])
            if t.own_setting(game) is None:
                last = max([last, *(latest_event_on_ruling(t, r) for r in t.removals.get(player, ()))])
    return last


def latest_event_on_ruling(t: Tournament, ruling: RulingId) -> Seq:
    """Return the sequence number of the last event about a ruling: itself, its causes and every annulment of any of them."""
    visited, waiting, last = set[RulingId](), [ruling], Seq(0)
    while waiting:
        id = waiting.pop()
        entity = t.rulings.get(id) or t.annulments.get(id)
        if entity is None or id in visited:
            continue
        visited.add(id)
        last = max(last, entity.seq)
        waiting += t.annulled_by.get(id, ())
        if id in t.rulings:
            waiting += t.rulings[id].event.because
    return last


def _marks(t: Tournament, game: Game) -> object:
    setting = t.setting(game)
    return None if setting is None else (setting.white, setting.black, t.annulling_event(game) is not None)


def _ranks(t: Tournament, ruling: RulingMade) -> bool:
    """Return whether a ruling changes the table: by points, or as a foul or misconduct in tie-breaks (002-X 15, 18.4)."""
    discipline = t.regulations.ranking.discipline
    misconduct = () if discipline is None else discipline.infractions
    return ruling.effect.points is not None or ruling.counter == FOUL_COUNTER or ruling.infraction in misconduct
