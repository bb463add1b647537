"""One random competition in memory, played by chance, and forks of it."""

from collections import Counter
from random import Random
from typing import Any

from services.games.rules import commands as play
from services.pairing.rules import commands as pair
from services.penalties.rules import commands as rule
from services.standings.rules.commands import PublishStandings
from services.standings.rules.published_table import published_tiebreaks
from shared.core.events import Effect, Event, PairingUpheld
from shared.core.readings.settlement import open_bases, settlements
from shared.core.rounds.matches import extra_due, matches
from shared.core.rounds.stages import stage_named
from shared.core.rulebook.effects import CHOSEN, EFFECTS
from shared.core.rulebook.formats import FORMATS
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    STANDINGS,
    Actor,
    HalfPoints,
    Mark,
    PlayerId,
    Refusal,
    RulingId,
    Seconds,
    Source,
    TextRef,
)
from tests.builders import World, all_rules
from tests.metamorphic.kinds import DUTCH, RULESETS, Kind, kinds, ruleset
from tests.offices import appointing

ORGANISER, CHIEF, ARBITER, APPEALS = (
    Actor(name, role, f"t{n}")
    for n, (name, role) in enumerate(
        (("sun", "organiser"), ("wang", "chief_arbiter"), ("li", "arbiter"), ("zhao", "appeals")), 1
    )
)
WHY = TextRef("a" * 64)
WIN, DRAW, LOSS = (Mark(HalfPoints(p), played=True) for p in (2, 1, 0))
FORFEIT_WIN, FORFEIT_LOSS = (Mark(HalfPoints(p), played=False) for p in (2, 0))
RESULTS = (
    *((WIN, LOSS), (LOSS, WIN)) * 4,
    *((DRAW, DRAW), (FORFEIT_WIN, FORFEIT_LOSS), (FORFEIT_LOSS, FORFEIT_LOSS), (LOSS, LOSS), (LOSS, LOSS)),
)
RULES = all_rules()


class History(World):
    """A competition that is played step by step; ``counts`` says what happened in it, by kind."""

    def __init__(self, seed: int) -> None:
        super().__init__(RULES)
        self.seed, self.chance = seed, Random(seed)
        self.kind: Kind = kinds()[seed % len(kinds())]
        self.game, self.set = self.chance.choice(RULESETS)
        if self.set == DUTCH and self.kind.format == "swiss" and seed % 7:
            self.game, self.set = RULESETS[0]
        self.counts: Counter[str] = Counter()
        self.apart: set[str] = set()
        """Rulings that later steps leave alone, because a relation removes them from the log."""
        self.over = False
        self.faults: list[str] = []
        """Decisions that no rule allows, seen while they were made."""
        self.published: dict[int, list[object]] = {}
        """By round, the marks of the games that the last published table counted."""
        self._create()

    @property
    def t(self) -> Tournament:
        assert isinstance(self.tournament, Tournament)
        return self.tournament

    def fork(self) -> "History":
        """Return an independent copy that goes on with chances of its own."""
        other = object.__new__(History)
        vars(other).update(vars(self))
        other.tournament, other.events, other.counts = self.tournament.fork(), self.events.copy(), Counter()
        other.sheets = {id: self.rules[GAMES].fork_sheet(sheet) for id, sheet in self.sheets.items()}
        other.sheet_lines = {id: lines.copy() for id, lines in self.sheet_lines.items()}
        other.apart, other.chance = self.apart.copy(), Random(self.seed)
        other.faults, other.published = [], self.published.copy()
        return other

    def attempt(self, source: Source, command: Any) -> list[Event] | None:
        """Return the events of a command and of all that is due after it; None if it is refused."""
        if isinstance(self.decide(source, command), Refusal):
            return None
        before = len(self.events)
        self.do(source, command)
        return self.events[before:]

    def _create(self) -> None:
        kind, rng = self.kind, self.chance
        for game, set in ((self.game, self.set), *RULESETS):  # some sets say nothing of teams, or of two games a round
            self.game, self.set = game, set
            announced = pair.AnnounceTournament(
                ORGANISER, "Cup", game, kind.format, kind.rounds, ruleset(set, kind.stages), (), kind.conditions,
                officials=appointing(CHIEF, ARBITER, APPEALS),
            )  # fmt: skip
            if self.attempt(PAIRING, announced):
                break
        team = kind.conditions.team
        size = 0 if team is None else team.boards
        players = rng.randint(kind.least, kind.most)
        players -= players % size if size else 0
        entries = tuple(pair.Entry(PlayerId(n), WHY, 2400 - 10 * n, fide_id=WHY) for n in range(1, players + 1))
        self.do(PAIRING, pair.EnterPlayers(ORGANISER, entries))
        if size:
            groups = [tuple(map(PlayerId, range(n, n + size))) for n in range(1, players + 1, size)]
            self.do(PAIRING, pair.EnterTeams(ORGANISER, tuple(pair.TeamEntry(None, WHY, one) for one in groups)))

    # ------------------------------------------------------------ steps

    def step(self) -> bool:
        """Do one thing by chance; return False if the competition is over."""
        open = self.open_games()
        if not open and not self._pair():
            return False
        draw = self.chance.random()
        if draw < 0.4:
            self._report(open)
        elif draw < 0.5:
            self._start(open)
        else:
            _, act = self.chance.choices(ACTS, WEIGHTS)[0]
            act(self)
        return True

    def open_games(self) -> list[Game]:
        """Return the games in force without a result."""
        return [game for game in self.t.games_in_force() if self.t.setting(game) is None]

    def _pair(self) -> bool:
        """Pair the next round; do what a refusal asks for. Return False if nothing more can be paired."""
        for _ in range(12):
            command = pair.PairRound(CHIEF, seed=1 + self.chance.getrandbits(30))
            answer = self.decide(PAIRING, command)
            if not isinstance(answer, Refusal):
                self._see(answer.events[0])
                self.do(PAIRING, command)
                return True
            if not self._settle(answer.code):
                self.counts[f"end: {answer.code}"] += 1
                self.over = answer.code == "no-round-left"
                return False
        return False

    def _see(self, paired: Any) -> None:
        """Note a stage that is paired from a table which is no longer the published one (002-X 11.3)."""
        before = paired.round - 1
        if paired.groups and before in self.published and self.published[before] != self._marks(before):
            self.faults.append(f"round {paired.round} is paired from an outdated table")

    def _marks(self, last: int) -> list[object]:
        settings = [(g.game, self.t.setting(g)) for g in self.t.games_in_force() if g.round <= last]
        return [(game, one and (one.white, one.black)) for game, one in settings]

    def _settle(self, code: str) -> bool:
        if code == "standings-not-published":
            return self.publish() is not None
        if code == "basis-outdated":
            return self._settle_basis()
        if code == "match-drawn":
            drawn = [m.match for m in matches(self.t).values() if not m.over and not extra_due(self.t, m)]
            self.faults += [f"match {m}, which both sides lost, is decided by lot" for m in drawn if self._both_lost(m)]
            lots = [pair.DrawLots(CHIEF, match, 1 + self.chance.getrandbits(30)) for match in drawn]
            done = [self.attempt(PAIRING, lot) for lot in lots]
            return bool(done) and None not in done
        return False

    def _settle_basis(self) -> bool:
        """Settle the first outdated basis in one of the ways that it has: publish, uphold, or take the rounds back."""
        basis = open_bases(self.t)[0]
        act, rounds = self.chance.choice(settlements(self.t, basis))
        self.counts[f"settled: {act}"] += 1
        if act == "publish":
            return self.publish() is not None
        if act == "uphold":
            keep = pair.UpholdPairing(CHIEF, PairingUpheld(basis.pairing, basis.match, basis.seated, basis.due, WHY))
            return self.attempt(PAIRING, keep) is not None
        done = [self.attempt(PAIRING, pair.WithdrawPairing(CHIEF, n, WHY, played=act == "void")) for n in rounds]
        return None not in done

    def publish(self, final: bool = False) -> list[Event] | None:
        """Publish the table after the rounds paired."""
        names, now = published_tiebreaks(self.t), self.t.rounds_paired()
        done = self.attempt(STANDINGS, PublishStandings(CHIEF, names, "2026", now, final))
        if done:
            self.published[now] = self._marks(now)
        return done

    def _both_lost(self, match: int) -> bool:
        """True if both sides lost every game of a match (000-A 国际象棋 结束 16, 围棋 行棋 3)."""
        pairings = [p.event for p in self.t.pairings if p.withdrawn is None]
        seats = [b for p in pairings for m in p.matches if m.match == match for b in p.boards if b.board in m.boards]
        settings = [self.t.setting(self.t.games[seat.game]) for seat in seats]
        played = any(one is not None and (one.white.played or one.black.played) for one in settings)
        lost = all(one is not None and one.white.points == one.black.points == LOSS.points for one in settings)
        return lost and (played or self.t.regulations.pairing.both_absent == "both_out")

    def _report(self, open: list[Game]) -> None:
        for game in open if self.chance.random() < 0.6 else open[:1]:
            self.attempt(GAMES, play.ReportResults(ARBITER, (play.Result(game.game, *self.chance.choice(RESULTS)),)))

    def _start(self, open: list[Game]) -> None:
        for game in open[:2]:
            if self.attempt(GAMES, play.StartGame(ARBITER, game.game)):
                self.counts["started"] += 1

    def game_by_chance(self) -> Game | None:
        """Return a game in force of the last rounds."""
        games = self.t.games_in_force()
        return self.chance.choice(games[-8:]) if games else None

    def ruling_by_chance(self) -> tuple[Source, Any] | None:
        """Return a ruling that is accepted here, of any kind; None if the chosen one is refused."""
        game = self.game_by_chance()
        if game is None:
            return None
        command = self._decision(game) if self.chance.random() < 0.1 else self._ruling(game)
        for actor in (ARBITER, CHIEF, ORGANISER):
            one = _by(command, actor)
            if not isinstance(self.decide(PENALTIES, one), Refusal):
                return PENALTIES, one
        return None

    def _decision(self, game: Game) -> rule.DecideGame:
        rows = self.t.regulations.rulebook.decisive(self.game)
        name = self.chance.choice(rows).name if rows else "scattered"
        return rule.DecideGame(CHIEF, game.game, name, *self.chance.choice(RESULTS), WHY)

    def _ruling(self, game: Game) -> rule.MakeRuling:
        rng, rows = self.chance, self.t.regulations.rulebook.infraction_rules(self.game)
        player = rng.choice((game.white, game.black))
        left_open = [row for row in rows if row.effect is None]
        if not left_open or rng.random() < 0.4:
            return rule.MakeRuling(ARBITER, player, game.round, rng.choice(rows).name, game=game.game)
        kind = rng.choice((*CHOSEN, "expel", "exclude"))
        fields: dict[str, Any] = {}
        if kind == "set_marks":
            fields["white"], fields["black"] = rng.choice(RESULTS)
        if "points" in EFFECTS[kind].fields:
            fields["points"] = HalfPoints(rng.choice((-2, -1, 1)))
        if "clock" in EFFECTS[kind].fields:
            fields["clock"] = Seconds(rng.choice((-120, 120)))
        if "rounds" in EFFECTS[kind].fields:
            fields["rounds"] = rng.choice(((game.round,), (game.round, game.round + 1), (game.round + 1,)))
        at = game.game if EFFECTS[kind].needs_game or rng.random() < 0.7 else None
        return rule.MakeRuling(
            ARBITER, player, game.round, rng.choice(left_open).name, game=at, effect=Effect(kind, **fields)
        )

    def rule(self) -> list[Event] | None:
        """Make a ruling by chance."""
        chosen = self.ruling_by_chance()
        if chosen is None:
            return None
        _, command = chosen
        in_progress = {p for g in self.open_games() if g.started is not None for p in (g.white, g.black)}
        effect = command.effect.kind if isinstance(command, rule.MakeRuling) and command.effect else None
        done = self.attempt(*chosen)
        if effect in ("expel", "exclude") and command.player in in_progress and done:
            self.counts["removal in progress"] += 1
        return done

    def annul(self, ruling: RulingId) -> list[Event] | None:
        """Annul a ruling by the appeals committee, or retract it."""
        expels = ruling in self.t.rulings and self.t.rulings[ruling].event.effect.kind == "expel"
        for command in (
            rule.AnnulRuling(APPEALS, ruling, WHY),
            *(rule.RetractRuling(actor, ruling, WHY) for actor in (ARBITER, CHIEF, ORGANISER)),
        ):
            done = self.attempt(PENALTIES, command)
            if done is not None:
                self.counts["annulled expulsion"] += expels
                return done
        return None

    def annul_by_chance(self) -> None:
        """Annul one of the last rulings or annulments."""
        rulings = [id for id in (*self.t.rulings, *self.t.annulments) if id not in self.apart]
        if rulings:
            self.annul(self.chance.choice(rulings[-5:]))

    def correct(self) -> None:
        """Correct a result by chance, also behind a bracket."""
        game = self.game_by_chance()
        if game is None:
            return
        marks = self.chance.choice(RESULTS)
        differs = (now := self.t.setting(game)) is not None and (now.white, now.black) != marks
        if self.attempt(GAMES, play.Correct(CHIEF, (play.Result(game.game, *marks),), WHY)) and differs:
            stage = stage_named(self.t, self.t.pairings[game.pairing - 1].event.stage)
            behind = game.round < self.t.rounds_paired() and FORMATS[stage.format].winner_needed
            self.counts["correction behind a bracket"] += behind

    def leave(self) -> None:
        """Let a player leave, or come back."""
        player = PlayerId(self.chance.choice(list(self.t.players)))
        playing = any(player in (g.white, g.black) and g.started is not None for g in self.open_games())
        if self.attempt(PAIRING, pair.WithdrawPlayer(ORGANISER, player, WHY)):
            self.counts["removal in progress"] += playing
        else:
            self.attempt(PAIRING, pair.ReturnPlayer(ORGANISER, player, WHY))

    def arrive(self) -> None:
        """Note that a player is late or absent."""
        game = self.game_by_chance()
        if game is not None:
            late = self.chance.choice((Seconds(60), Seconds(1200), None))
            player = self.chance.choice((game.white, game.black))
            self.attempt(PENALTIES, rule.NoteArrival(ARBITER, player, late, game=game.game))

    def withdraw_pairing(self) -> None:
        """Take the last pairing back, if no game of it has begun."""
        if self.attempt(PAIRING, pair.WithdrawPairing(CHIEF, max(1, self.t.rounds_paired()), WHY)):
            self.counts["pairing withdrawn"] += 1


ACTS = (
    (10, History.rule),
    (4, History.annul_by_chance),
    (4, History.correct),
    (2, History.leave),
    (2, History.arrive),
    (1, History.withdraw_pairing),
    (1, History.publish),
)
WEIGHTS = [weight for weight, _ in ACTS]


def _by(command: Any, actor: Actor) -> Any:
    """The command, given by another official."""
    fields = {name: getattr(command, name) for name in command.__dataclass_fields__}
    return type(command)(**fields | {"actor": actor})
