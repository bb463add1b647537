"""Rulings due after notes made in the venue: losses by lateness, absence and breaks, and breaks that are counted."""

from collections.abc import Iterator
from typing import NamedTuple

from services.penalties.rules import rulebook
from services.penalties.rules.game_lookup import game_in_force
from services.penalties.rules.rulings.annulments import is_annulled
from services.penalties.rules.rulings.loss_of_game import loss, ruling_that_lost
from shared.core.events import Effect, RulingMade, Rung
from shared.core.rulebook.regulations import ARRIVAL_INFRACTIONS, BREAK_INFRACTIONS, Breaks, InfractionRule, Lateness
from shared.core.state.entities import Arrival, Break, Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GameId, PlayerId, Seconds, Seq


class Infraction(NamedTuple):
    """An infraction recorded in the playing venue: its name, the player, the game, and its ``arrival`` or ``breaks``."""

    name: str
    player: PlayerId
    game: Game
    arrival: str | None = None
    breaks: tuple[str, ...] = ()


def are_correctable(t: Tournament, noted: Seq) -> bool:
    """Return whether arrivals and breaks recorded at event ``noted`` can be corrected: from decision edition 2 on.

    In earlier editions they have no IDs, by which corrections and rulings could refer to them.
    """
    return t.regulations_at(noted).decisions >= 2


def is_too_late(rule: Lateness, late: Seconds | None, turn: Seconds | None = None) -> bool:
    """Return whether an arrival loses the game.

    An absence always does. Otherwise it must be beyond (or at) the limit according to the article, counted from the
    start or from the player's ``turn``.
    """
    return late is None or rulebook.exceeds(rule, rule.counted(late, turn))


def infraction_of_break(rule: Breaks | None, before: int, seconds: Seconds) -> str | None:
    """Return the infraction that a break of ``seconds`` is, or None if it is allowed.

    ``before``: the number of the player's earlier breaks in the game. ``rule``: the ruleset's limits of breaks; None
    allows all. A break above the permitted number is the infraction ``rule.further``. A break beyond the time limit is
    a ``long_break``, unless it is also above the number and ``rule.further`` is ``leaving_the_game``.
    """
    if rule is None:
        return None
    further = rule.further if before >= rule.times else None
    if rulebook.exceeds(rule, seconds) and further != rulebook.LEAVING_THE_GAME:
        return rulebook.LONG_BREAK
    return further


def infraction_of(t: Tournament, arrival: Arrival) -> str | None:
    """Return the infraction that an arrival is, or None if it is in time.

    Only arrivals at the seat are infractions (000-A 8.2, 002-X 21.2).
    """
    rule = t.regulations_at(arrival.noted).rulebook.lateness
    if arrival.place != "seat" or not is_too_late(rule, arrival.late, arrival.turn):
        return None
    return "absence" if arrival.late is None else "lateness"


def next_forfeit(t: Tournament) -> RulingMade | None:
    """Return the first ruling that an arrival or a break in force requires and that is not in force, or None.

    An arrival or a break whose ruling was annulled is pardoned. If the opponent has lost by another ruling, both lose.
    """
    for infraction in _infractions(t):
        note = infraction.arrival or infraction.breaks[-1]
        if t.pardon(note) is None and not _is_ruled(t, infraction, note):
            row = _row(t, infraction)
            return forfeit(t, infraction) if row.effect == "set_marks" else _counted_ruling(t, infraction, row)
    return None


def _row(t: Tournament, infraction: Infraction) -> InfractionRule:
    row = rulebook.infraction_rule(t, infraction.name)
    assert row is not None, "a rulebook knows what it measures"
    return rulebook.ruling_row(t, row)


def _infractions(t: Tournament) -> Iterator[Infraction]:
    """Yield all infractions by arrivals and breaks in force, by game in the order in which they were first recorded."""
    for id, notes in t.notes_at.items():
        game = game_in_force(t, id)
        if game is not None:
            yield from _arrivals(t, game, notes)
            yield from _breaks(t, game, game.white)
            yield from _breaks(t, game, game.black)


def _arrivals(t: Tournament, game: Game, notes: tuple[str, ...]) -> Iterator[Infraction]:
    for arrival in (t.arrivals[id] for id in notes if id in t.arrivals):
        name = infraction_of(t, arrival)
        if name is not None and are_correctable(t, arrival.noted):
            yield Infraction(name, arrival.player, game, arrival=arrival.arrival)


def _breaks(t: Tournament, game: Game, player: PlayerId) -> Iterator[Infraction]:
    taken: list[Break] = t.breaks_of(game.game, player)
    for before, one in enumerate(taken):
        assert one.seconds is not None, "cancelled breaks are left out"
        name = infraction_of_break(t.regulations_at(one.noted).rulebook.breaks, before, one.seconds)
        if name is not None and are_correctable(t, one.noted):
            first = 0 if name == rulebook.LEAVING_THE_GAME else before
            yield Infraction(name, player, game, breaks=tuple(b.id for b in taken[first : before + 1]))


def _is_ruled(t: Tournament, infraction: Infraction, note: str) -> bool:
    """Return whether a ruling on the arrival or break ``note`` is in force and need not be made again.

    It must be made again if it gave the opponent the win, and the rulebook has made the opponent lose since: both then
    lose.
    """
    rulings = [t.rulings[r].event for r in t.consequences.get(note, ()) if t.is_in_force(r)]
    if not rulings or any(r.because or r.effect.kind != "set_marks" for r in rulings):
        return bool(rulings)
    game = infraction.game
    opponents = ruling_that_lost(t, game, game.black if infraction.player == game.white else game.white)
    if opponents is None or not _follows_by_rule(t, opponents.event):
        return True
    effect = opponents.event.effect
    mark = effect.white if infraction.player == game.white else effect.black
    assert mark is not None, "a ruling that loses a game sets its marks"
    return mark.points <= t.regulations.points.loss


def _follows_by_rule(t: Tournament, ruling: RulingMade) -> bool:
    """Return whether the rulebook fixed the results that a ruling gives. Otherwise the arbiter chose them."""
    row = rulebook.infraction_rule(t, ruling.infraction)
    return ruling.rung is not None or (row is not None and row.effect is not None)


def forfeit(t: Tournament, infraction: Infraction) -> RulingMade:
    """Return the ruling that a player loses the game because of lateness, absence or a break (离席).

    After lateness or absence the loss is a forfeit; after a break it counts as a played game. If the opponent has already
    lost the game, both players lose it.
    """
    row, player, game = _row(t, infraction), infraction.player, infraction.game
    lost_game = loss(t, game, player, played=infraction.name not in ARRIVAL_INFRACTIONS)
    return RulingMade(
        rulebook.next_ruling(t),
        player,
        game.round,
        infraction.name,
        row.article,
        lost_game.effect,
        game=game.game,
        counter=row.counter,
        because=lost_game.because,
        rung=Rung(infraction.name, player, game.game, 1),
        arrival=infraction.arrival,
        breaks=infraction.breaks,
    )


def _counted_ruling(t: Tournament, infraction: Infraction, row: InfractionRule) -> RulingMade:
    """Return the ruling for a break that does not lose the game: it increases the counter of its infraction."""
    assert row.effect is not None, "a break leaves no choice"
    game = infraction.game
    return RulingMade(
        rulebook.next_ruling(t),
        infraction.player,
        game.round,
        row.name,
        row.article,
        Effect(row.effect),
        game=game.game,
        counter=row.counter,
        breaks=infraction.breaks,
    )


def forfeit_again(t: Tournament) -> RulingMade | None:
    """Return the first forfeit that lapsed only because the opponent's loss lapsed, made again; or None.

    The opponent now wins. Forfeits that refer to an arrival or a break are left out, because `next_forfeit` returns
    them.
    """
    for id, ruling in t.rulings.items():
        rung = ruling.event.rung
        if (
            rung is None
            or rung.rule not in (*ARRIVAL_INFRACTIONS, *BREAK_INFRACTIONS)
            or ruling.event.notes
            or t.is_in_force(id)
            or is_annulled(t, id)
        ):
            continue
        game = game_in_force(t, GameId(rung.scope))
        of_rung = [r for r, other in t.rulings.items() if other.event.rung == rung]
        if game is not None and not any(t.is_in_force(r) or is_annulled(t, r) for r in of_rung):
            return forfeit(t, Infraction(rung.rule, rung.player, game))
    return None
