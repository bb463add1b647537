"""Starts, ends, findings, claims and results: the event types of games in the official log, and how they change a state."""

from shared.core import events as ev
from shared.core.event_types.event_type import (
    CORRECTED,
    ENDED,
    POSITION,
    REVERSED,
    SETTLED,
    STARTED,
    EventType,
    game_with,
    new_tuple,
    unchanged,
)
from shared.core.state.entities import Claim, FactsCheck, Finding, Game, Setting
from shared.core.state.tournament import TournamentState
from shared.core.terms import GAMES, GameId


def _game(t: TournamentState, e: ev.Event, game: GameId) -> Game | None:
    """Return the game of an event, or None if the game is unknown.

    Record the event as an orphan if it has no effect now: the game is unknown, its pairing was withdrawn, or a ruling
    decides it.
    """
    g = t.games.get(game)
    if g is None or g.pairing in t.withdrawn_pairings or (g.rulings and t.ruling_on(g) is not None):
        t.orphans.append((e.seq, game))
    return g


def _setting(e: ev.Event, d: ev.GameEnded | ev.ResultReported | ev.ResultCorrected) -> Setting:
    return new_tuple(Setting, (e.seq, d.white, d.black))


def start_game(t: TournamentState, e: ev.Event, d: ev.GameStarted) -> None:
    g = _game(t, e, d.game)
    if g is not None and g.started is None:
        begun = game_with(g, STARTED, e.seq)
        t.games[d.game] = begun if d.position is None else game_with(begun, POSITION, d.position)


def correct_colours(t: TournamentState, e: ev.Event, d: ev.ColoursCorrected) -> None:
    g = _game(t, e, d.game)
    if g is not None:
        t.games[d.game] = game_with(g, REVERSED, e.seq if d.reversed else None)


def settle_colours(t: TournamentState, e: ev.Event, d: ev.ColoursSettled) -> None:
    g = _game(t, e, d.game)
    if g is not None:
        t.games[d.game] = game_with(g, SETTLED, d)


def end_game(t: TournamentState, e: ev.Event, d: ev.GameEnded) -> None:
    g = _game(t, e, d.game)
    if g is not None:
        t.games[d.game] = game_with(g, ENDED, e.seq)
        t.reported[d.game] = _setting(e, d)


def make_finding(t: TournamentState, e: ev.Event, d: ev.FindingMade) -> None:
    _game(t, e, d.game)
    t.findings[d.finding] = Finding(d, e.seq)


def await_arbiter(t: TournamentState, e: ev.Event, d: ev.ClaimPending) -> None:
    _game(t, e, d.game)
    t.claims[d.game, d.claim] = Claim(d, e.seq, e.actor)


def settle_claim(t: TournamentState, e: ev.Event, d: ev.ClaimSettled) -> None:
    _game(t, e, d.game)
    if (d.game, d.claim) in t.claims:
        t.claims[d.game, d.claim] = t.claims[d.game, d.claim]._replace(settled=d)


def withdraw_finding(t: TournamentState, e: ev.Event, d: ev.FindingWithdrawn) -> None:
    finding = t.findings.get(d.finding)
    if finding is not None:
        t.findings[d.finding] = finding._replace(withdrawn=e.seq)
        t.in_force_cache = {}


def check_facts(t: TournamentState, e: ev.Event, d: ev.FactsChecked) -> None:
    t.facts_checks[d.ruling] = FactsCheck(d, e.seq)
    t.in_force_cache = {}


def report_result(t: TournamentState, e: ev.Event, d: ev.ResultReported) -> None:
    game = d.game
    g = t.games.get(game)
    if g is None or g.rulings or t.withdrawn_pairings:
        g = _game(t, e, game)
    if g is not None:
        t.reported[game] = new_tuple(Setting, (e.seq, d.white, d.black))


def make_statement(t: TournamentState, e: ev.Event, d: ev.StatementMade) -> None:
    if _game(t, e, d.game) is not None:
        t.statements[d.game] = (*t.statements.get(d.game, ()), d)


def make_call(t: TournamentState, e: ev.Event, d: ev.CallMade) -> None:
    if _game(t, e, d.game) is not None and d.open:
        t.calls[d.game] = e.seq
    else:
        t.calls.pop(d.game, None)


def correct_result(t: TournamentState, e: ev.Event, d: ev.ResultCorrected) -> None:
    g = t.games.get(d.game)
    if g is not None:
        t.games[d.game] = game_with(g, CORRECTED, _setting(e, d))


EVENT_TYPES = (
    EventType("arbiter.game.started.v2", ev.GameStarted, GAMES, start_game, upcasters=(unchanged,)),
    EventType("arbiter.colours.corrected.v1", ev.ColoursCorrected, GAMES, correct_colours),
    EventType("arbiter.colours.settled.v1", ev.ColoursSettled, GAMES, settle_colours),
    EventType("arbiter.game.ended.v1", ev.GameEnded, GAMES, end_game, masked=("sheet",)),
    EventType(
        "arbiter.finding.made.v3",
        ev.FindingMade,
        GAMES,
        make_finding,
        upcasters=(unchanged, unchanged),
        masked=("sheet",),
    ),
    EventType("arbiter.claim.pending.v1", ev.ClaimPending, GAMES, await_arbiter),
    EventType("arbiter.claim.settled.v1", ev.ClaimSettled, GAMES, settle_claim),
    EventType("arbiter.finding.withdrawn.v1", ev.FindingWithdrawn, GAMES, withdraw_finding),
    EventType("arbiter.facts.checked.v1", ev.FactsChecked, GAMES, check_facts, masked=("sheet",)),
    EventType("arbiter.result.reported.v1", ev.ResultReported, GAMES, report_result),
    EventType("arbiter.statement.made.v1", ev.StatementMade, GAMES, make_statement),
    EventType("arbiter.call.made.v1", ev.CallMade, GAMES, make_call),
    EventType("arbiter.result.corrected.v1", ev.ResultCorrected, GAMES, correct_result),
)
