"""Random histories: commands of four services, by several processes each, drawn from a seed."""

from collections.abc import Callable
from random import Random
from typing import Any

from services.games.rules.commands import (
    Correct,
    DecideClaim,
    MakeClaim,
    MakeOffer,
    Move,
    PlayMoves,
    ReportResults,
    Result,
    TakeBack,
    TakeStep,
)
from services.pairing.rules.commands import (
    AdoptRegulations,
    AnnounceTournament,
    AppointOfficial,
    DismissOfficial,
    EnterPlayers,
    Entry,
    GrantBye,
    PairRound,
    WithdrawPairing,
    WithdrawPlayer,
)
from services.penalties.rules.commands import (
    AnnulRuling,
    CheckIn,
    CorrectArrival,
    CorrectBreak,
    DecideAppeal,
    LodgeAppeal,
    MakeRuling,
    NoteArrival,
    NoteBreak,
    RetractRuling,
)
from services.standings.rules.commands import PublishStandings
from shared import regulations
from shared.core.events import ByeGranted, OfficialAppointed, OfficialDismissed, RegulationsAdopted
from shared.core.rulebook.effects import Fact
from shared.core.rulebook.regulations import Value
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    STANDINGS,
    Actor,
    HalfPoints,
    Mark,
    Place,
    PlayerId,
    Ply,
    Seconds,
    Side,
    Source,
    TextRef,
)
from shared.desk.desk import Desk, DeskError
from shared.regulations.changeable import changeable_in
from shared.regulations.changes import BadChange, changed
from tests.offices import appointing

CHIEF = Actor("wang", "chief_arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001")
ARBITER = Actor("li", "arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002")
APPEALS = Actor("zhao", "appeals", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0003")
SOMEBODY = Actor("sun", "arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0004")
"""Is dismissed now and then."""
OFFICIALS = appointing(ARBITER, APPEALS, SOMEBODY)

WIN, DRAW, LOSS = Mark(HalfPoints(2), True), Mark(HalfPoints(1), True), Mark(HalfPoints(0), True)
FORFEIT_WIN, FORFEIT_LOSS = Mark(HalfPoints(2), False), Mark(HalfPoints(0), False)
RESULTS = ((WIN, LOSS), (LOSS, WIN), (DRAW, DRAW), (FORFEIT_WIN, FORFEIT_LOSS), (FORFEIT_LOSS, FORFEIT_LOSS))
NAME = TextRef("0" * 64)


def begin(desk: Desk, tournament: str, players: int = 8, game: str = "chess", rounds: int = 9) -> None:
    """Announce a tournament and enter its players."""
    book = regulations.load("campus")
    announced = AnnounceTournament(
        CHIEF, "Cup", game, "swiss", rounds, book, officials=OFFICIALS, keys=desk.keys.announced
    )
    desk.submit(PAIRING, tournament, announced)
    entries = tuple(Entry(PlayerId(i), NAME, 2000 - 10 * i) for i in range(1, players + 1))
    desk.submit(PAIRING, tournament, EnterPlayers(CHIEF, entries))


def _game(t: Tournament, rng: Random) -> Game | None:
    games = t.games_in_force()
    return rng.choice(games[-8:]) if games else None


def _open(t: Tournament) -> list[Game]:
    return [g for g in t.games_in_force() if t.setting(g) is None]


def _played(t: Tournament, rng: Random) -> Game | None:
    """A game that is likely to be going on; now and then one that is decided."""
    games = _open(t)
    begun = [g for g in games if g.started is not None]
    return rng.choice(begun or games) if games and rng.random() < 0.9 else _game(t, rng)


def _result(t: Tournament, rng: Random) -> Any:
    games = _open(t)
    if not games:
        return None
    chosen = rng.sample(games, rng.randint(1, min(2, len(games))))
    return ReportResults(rng.choice((ARBITER, SOMEBODY)), tuple(Result(g.game, *rng.choice(RESULTS)) for g in chosen))


def _correction(t: Tournament, rng: Random) -> Any:
    game = _game(t, rng)
    return game and Correct(ARBITER, (Result(game.game, *rng.choice(RESULTS)),), NAME)


def _moves(t: Tournament, rng: Random) -> Any:
    game = _played(t, rng)
    if game is None:
        return None
    if rng.random() < 0.1:
        return MakeClaim(ARBITER, game.game, rng.choice(("white", "black")), rng.choice(("resignation", "flag")))
    ply = rng.choice((1, 1, 1, 3))
    line = (("e2e4", 300), ("e7e5", 290), ("g1f3", 200), ("b8c6", 100), ("f1c4", 0), ("g8f6", 50))
    moves = tuple(Move(m, Seconds(c)) for m, c in line[ply - 1 : ply + rng.randint(0, 5)])
    return PlayMoves(ARBITER, game.game, Ply(ply), moves)


def _said(t: Tournament, rng: Random) -> Any:
    """What is said and done at a board beside its moves, in time or not."""
    game = _played(t, rng)
    if game is None:
        return None
    side: Side = rng.choice(("white", "black"))
    return rng.choice(
        (
            MakeClaim(ARBITER, game.game, None, "touch", squares=rng.choice(((), ("e2",), ("b8",), ("a1", "a8")))),
            MakeClaim(ARBITER, game.game, side, rng.choice(("threefold_repetition", "illegal_move")), "e2e4"),
            MakeOffer(ARBITER, game.game, side, rng.choice(("draw", "draw", "decline"))),
            TakeBack(ARBITER, game.game, Ply(rng.randint(0, 2)), "agreement"),
            TakeStep(ARBITER, game.game, side, "adjourn"),
            TakeStep(ARBITER, game.game, side, "unseal", rng.choice((("g1f3",), ("e7e5",), ("a1a9",)))),
        )
    )


def _break(t: Tournament, rng: Random) -> Any:
    game = _played(t, rng)
    taken = [] if game is None else t.breaks_of(game.game, game.white)
    if taken and rng.random() < 0.4:
        return CorrectBreak(ARBITER, taken[-1].game, taken[-1].id, rng.choice((Seconds(30), None)), NAME)
    return game and NoteBreak(ARBITER, game.game, Seconds(rng.choice((60, 900))), rng.choice((game.white, game.black)))


ACTS: tuple[tuple[str, dict[str, Fact]], ...] = (
    ("foul", {}),
    ("foul", {}),
    ("violation", {}),
    ("disturbing", {"own_time": False}),
    ("advice", {}),
    ("refusal_to_obey", {}),
    ("advice", {"grave": False}),
    ("obstructing", {"grave": True}),
)
"""Infractions, with facts of a report."""


def _foul(t: Tournament, rng: Random) -> Any:
    game = _game(t, rng)
    if game is None:
        return None
    player, (infraction, facts) = rng.choice((game.white, game.black)), rng.choice(ACTS)
    ply = rng.choice((None, None, None, Ply(2), Ply(3)))
    return MakeRuling(rng.choice((ARBITER, SOMEBODY)), player, game.round, infraction, facts=facts, ply=ply)


FACTS: tuple[tuple[str, dict[str, Fact]], ...] = (
    ("advice", {}),
    ("refusal_to_obey", {}),
    ("advice", {"repeated": True}),
    ("obstructing", {"grave": True}),
    ("two_moves_in_a_row", {"opponent_passed": False}),
    ("two_moves_in_a_row", {"opponent_passed": True}),
    ("adjusting", {"consent": False, "own_time": True}),
    ("disturbing", {"own_time": False}),
)


def _facts(t: Tournament, rng: Random) -> Any:
    """A ruling with facts, of an act at a ply: the same one now and then."""
    game = _played(t, rng)
    if game is None:
        return None
    infraction, facts = rng.choice(FACTS)
    player, ply = rng.choice((game.white, game.black)), rng.choice((None, Ply(1), Ply(2)))
    return MakeRuling(ARBITER, player, game.round, infraction, facts=facts, ply=ply)


def _slip(t: Tournament, rng: Random) -> Any:
    rulings = [*t.rulings, *t.annulments]
    actor = rng.choice((ARBITER, CHIEF, APPEALS))
    return RetractRuling(actor, rng.choice(rulings[-4:]), NAME) if rulings else None


def _accusation(t: Tournament, rng: Random) -> Any:
    """A player says of the other what no sheet shows."""
    game = _played(t, rng)
    if game is None:
        return None
    side: Side = rng.choice(("white", "black"))
    player = Actor(str(game.player(side)), "player", f"0190aaaa-bbbb-7ccc-8ddd-{game.player(side):012x}")
    if rng.random() < 0.5:
        return MakeClaim(player, game.game, side, "touch", squares=(rng.choice(("e2", "a8")),))
    return MakeClaim(player, game.game, side, "illegal_move", rng.choice(("e2e5", "e7e4", "e2e4")))


def _claim_decision(t: Tournament, rng: Random) -> Any:
    claims = list(t.claims.values())
    if not claims:
        return None
    event = rng.choice(claims[-4:]).event
    return DecideClaim(rng.choice((ARBITER, CHIEF)), event.game, event.claim, rng.random() < 0.6)


def _annulment(t: Tournament, rng: Random) -> Any:
    rulings = [*t.rulings, *t.annulments]
    return AnnulRuling(APPEALS, rng.choice(rulings[-6:])) if rulings else None


def _appeal(t: Tournament, rng: Random) -> Any:
    open_appeals = [a for a, appeal in t.appeals.items() if appeal.decision is None]
    if open_appeals:
        return DecideAppeal(APPEALS, rng.choice(open_appeals), rng.random() < 0.5)
    if not t.rulings:
        return None
    ruling = rng.choice(list(t.rulings))
    made = t.rulings[ruling]
    return LodgeAppeal(CHIEF, ruling, made.event.player or PlayerId(1), lodged=made.time)


def _arrival(t: Tournament, rng: Random) -> Any:
    game = _game(t, rng)
    if game is None:
        return None
    late = rng.choice((Seconds(60), Seconds(1200), None))
    there = rng.choice([a for a in (t.arrival_of(game.game, p) for p in (game.white, game.black)) if a] or [None])
    if there is not None and rng.random() < 0.6:
        return CorrectArrival(ARBITER, there.arrival, late, NAME)
    if rng.random() < 0.3:
        both = (NoteArrival(ARBITER, p, late, game=game.game) for p in (game.white, game.black))
        return CheckIn(ARBITER, tuple(both))
    place: Place = "hall" if late is not None and rng.random() < 0.2 else "seat"
    return NoteArrival(ARBITER, rng.choice((game.white, game.black)), late, game.round, place=place)


def _pairing(t: Tournament, rng: Random) -> Any:
    return PairRound(CHIEF, seed=rng.randrange(1, 1000))


def _office(t: Tournament, rng: Random) -> Any:
    player = PlayerId(rng.randint(1, 12))
    return rng.choice(
        (
            WithdrawPlayer(CHIEF, player),
            GrantBye(CHIEF, ByeGranted(player, t.rounds_paired() + 1, "H")),
            EnterPlayers(CHIEF, (Entry(None, NAME, rng.randint(1500, 2200)),)),
            DismissOfficial(CHIEF, OfficialDismissed(SOMEBODY.name)),
            AppointOfficial(CHIEF, OfficialAppointed(SOMEBODY.name, "arbiter")),
            WithdrawPairing(CHIEF, max(1, t.rounds_paired())),
        )
    )


def _regulations(t: Tournament, rng: Random) -> Any:
    """A few of the values that an organiser may set, as one of their readings or at a bound."""
    shipped = regulations.load("campus")
    changes: dict[str, Value] = {}
    for row in rng.sample(changeable_in(shipped), rng.randint(0, 4)):
        bounds = () if row.least is None or row.most is None else (row.least, row.most)
        some = tuple(one for one in row.members if rng.random() < 0.5)
        changes[row.path] = some if row.members else rng.choice((*row.values, *bounds))
    try:
        return AdoptRegulations(CHIEF, RegulationsAdopted(changed(shipped, changes), NAME))
    except BadChange:
        return None


def _publication(t: Tournament, rng: Random) -> Any:
    return PublishStandings(CHIEF, ("PTS", "BH", "PS", "WIN"), "2026", t.rounds_paired(), False)


CHOICES: tuple[tuple[Source, Callable[[Tournament, Random], Any], int], ...] = (
    (PAIRING, _pairing, 6),
    (PAIRING, _office, 1),
    (PAIRING, _regulations, 1),
    (GAMES, _result, 4),
    (GAMES, _correction, 2),
    (GAMES, _moves, 10),
    (GAMES, _said, 14),
    (GAMES, _accusation, 5),
    (GAMES, _claim_decision, 3),
    (PENALTIES, _foul, 4),
    (PENALTIES, _facts, 4),
    (PENALTIES, _slip, 2),
    (PENALTIES, _annulment, 3),
    (PENALTIES, _appeal, 2),
    (PENALTIES, _arrival, 3),
    (PENALTIES, _break, 1),
    (STANDINGS, _publication, 1),
)


def chosen(t: Tournament, rng: Random) -> tuple[Source, Any]:
    """A service and a command for it; None where the one chosen makes no sense here."""
    source, choose, _ = rng.choices(CHOICES, [weight for *_, weight in CHOICES])[0]
    return source, choose(t, rng)


def step(desks: dict[Source, list[Desk]], tournament: str, rng: Random) -> bool:
    """One command by one process, on what that process sees; whether it was followed."""
    source, choose, _ = rng.choices(CHOICES, [weight for *_, weight in CHOICES])[0]
    desk = rng.choice(desks[source])
    view = desk.view(tournament)
    command = choose(view.tournament, rng) if view and view.tournament.regulations else None
    if command is None:
        return False
    try:
        return hasattr(desk.submit(source, tournament, command), "status")
    except DeskError:
        return False


def state(t: Tournament) -> dict[str, Any]:
    """Everything a fold holds, for comparing two of them; its memory of what stands left out."""
    return {name: getattr(t, name) for name in TournamentState.__slots__ if name != "in_force_cache"}
