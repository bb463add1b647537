"""Random histories of a competition in which the results of the hall, rulings, corrections and removals happen in between."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from services.games.rules.commands import Correct, ReportResults, Result, StartGame
from services.pairing.rules import commands as co
from services.penalties.rules.commands import AnnulRuling, MakeRuling, RetractRuling
from shared.core.events import Effect, PairingUpheld
from shared.core.terms import GAMES, PAIRING, PENALTIES, GameId, HalfPoints, Mark, PlayerId, Refusal, RulingId
from tests.formats.facts import BRACKETS, TABLES
from tests.formats.hall import APPEALS, ARBITER, CHIEF, ORGANISER, WHY, Disagreement, Hall
from tests.formats.oracle import Oracle
from tests.formats.records import Game, Part, Round

KINDS = (
    "correction",
    "ruling annulled at once",
    "ruling annulled later",
    "withdrawal",
    "expulsion",
    "expulsion annulled at once",
    "expulsion annulled later",
    "expulsion retracted",
    "exclusion",
)
WON = [(2, 0)] * 4 + [(0, 2)] * 4
DRAWN = [(1, 1)] * 3
ENDS = ("no-round-left", "too-few-players", "groups-too-small", "no-legal-pairing")
MISCONDUCT = "grave_misconduct"


@dataclass
class Told:
    """The acts of a history, for a report of a disagreement."""

    acts: list[str] = field(default_factory=list)
    happened: Counter[tuple[str, str]] = field(default_factory=Counter)
    rounds: int = 0
    settled: int = 0


class History:
    """A competition from its first round to its end. ``often``: how likely something happens in a gap."""

    def __init__(self, hall: Hall, seed: int, often: float = 0.35, kinds: tuple[str, ...] = KINDS) -> None:
        self.hall, self.rng, self.often, self.kinds = hall, Random(seed), often, kinds
        self.told, self.to_annul = Told(), list[str]()

    @property
    def oracle(self) -> Oracle:
        return self.hall.oracle

    @property
    def paired(self) -> int:
        """The number of rounds paired."""
        return len(self.oracle.rounds)

    def play(self) -> Told:
        """Play to the end; every event is compared."""
        try:
            for _ in range(120):
                if not self._round():
                    return self.told
        except Disagreement as differs:
            acts = "\n    ".join(self.told.acts)
            raise Disagreement(f"{differs}\n  acts:\n    {acts}") from None
        raise AssertionError("the competition does not end")

    def _do(self, source: Any, command: Any, said: str) -> bool:
        refusal = self.hall.attempt(source, command)
        self.told.acts.append(said if refusal is None else f"({said}: {refusal.code})")
        if refusal is None:
            self.hall.compare()
        return refusal is None

    def _round(self) -> bool:
        self._gap("before")
        if not self._pair():
            return False
        self._gap("after")
        self._results()
        return True

    def _pair(self) -> bool:
        for _ in range(40):
            predicted = self.oracle.next_pairs()
            command = (
                self._pair_by_hand() if self._is_manual() else co.PairRound(CHIEF, seed=1 + self.rng.getrandbits(30))
            )
            if command is None:
                return False
            parts = len(self.oracle.parts())
            answer = self.hall.attempt(PAIRING, command)
            if answer is None:
                self.told.acts.append(f"pair {self._seats()}")
                self.told.rounds += 1
                self.hall.compare()
                self._judge(predicted, parts)
                return True
            self.told.acts.append(f"(pair: {answer.code})")
            if answer.code in ENDS:
                self._judge_end(predicted, answer)
                return False
            if not self._goes_on(answer):
                raise Disagreement(f"pairing refused: {answer.code}: {answer.detail}")
        raise Disagreement(f"pairing stays refused: {answer.code}: {answer.detail}")

    def _seats(self) -> str:
        last = self.oracle.rounds[-1]
        boards = " ".join(f"{g.white}-{g.black}" for g in map(self.oracle.games.__getitem__, last.games))
        byes = " ".join(f"{player}{kind}" for player, kind in last.byes.items())
        return f"round {last.number} {last.stage}: {boards} {byes}".strip()

    def _is_manual(self) -> bool:
        """Whether the next round is paired by hand."""
        oracle = self.oracle
        first = oracle.stages[0]
        return first.format == "manual" and (len(oracle.rounds) < first.rounds or len(oracle.stages) == 1)

    def _pair_by_hand(self) -> co.PairRound | None:
        """A legal pairing by hand, found by chance; None if the rounds are over."""
        oracle, round = self.oracle, len(self.oracle.rounds) + 1
        if round > oracle.stages[0].rounds:
            return None
        here = [p for p in self._here() if not oracle.barred(p, round)]
        had = {p for r in oracle.rounds for p in r.byes} | {
            p for g in oracle.games_in_force() for p in (g.white, g.black) if oracle.mark(g.id, p) == (2, False)
        }  # fmt: skip
        met = {frozenset((g.white, g.black)) for g in oracle.games_in_force()}
        for _ in range(3000):
            order = self.rng.sample(here, len(here))
            bye = order.pop() if len(order) % 2 else None
            boards = list(zip(order[::2], order[1::2], strict=True))
            if bye not in had and not any(frozenset(board) in met for board in boards):
                seats = tuple((PlayerId(a), PlayerId(b)) for a, b in boards)
                return co.PairRound(CHIEF, seats, None if bye is None else PlayerId(bye), WHY)
        return None

    def _goes_on(self, refusal: Refusal) -> bool:
        """Do what the refusal asks for."""
        if refusal.code == "standings-not-published":
            return self._publish()
        if refusal.code == "match-drawn":
            drawn = self.oracle.drawn()
            for match in drawn:
                self._do(PAIRING, co.DrawLots(CHIEF, match, 1 + self.rng.getrandbits(30)), f"lot of match {match}")
            return bool(drawn)
        if refusal.code == "basis-outdated":
            return self._settle()
        if refusal.code in ("results-missing", "round-open", "game-open", "round-unfinished"):
            self._results()
            return True
        return False

    def _publish(self) -> bool:
        refusal = self.hall.publish()
        self.told.acts.append(f"publish{'' if refusal is None else f' refused: {refusal.code}'}")
        self.hall.compare()
        return refusal is None

    def _settle(self) -> bool:
        """Settle the first outdated basis: publish again, uphold, or take the pairing back."""
        self.told.settled += 1
        basis = self.hall.open_bases()[0]
        if basis.kind == "publication":
            refusal = self.hall.publish(basis.round)
            self.told.acts.append(f"publish round {basis.round} again{'' if refusal is None else f': {refusal.code}'}")
            self.hall.compare()
            return refusal is None
        if self.rng.random() < 0.5:
            uphold = co.UpholdPairing(CHIEF, PairingUpheld(basis.pairing, basis.match, basis.seated, basis.due, WHY))
            return self._do(PAIRING, uphold, f"uphold {basis.seated} for {basis.due} in match {basis.match}")
        return self._do(PAIRING, co.WithdrawPairing(CHIEF, self.paired, WHY, played=True), f"void round {self.paired}")

    # ------------------------------------------------------------ judging

    def _judge(self, predicted: set[frozenset[int]] | None, parts_before: int) -> None:
        oracle = self.oracle
        if predicted is not None and len(oracle.parts()) == parts_before:
            pairs = self._pairs()
            if pairs != predicted:
                raise Disagreement(f"next pairs\n  product: {_shown(pairs)}\n  oracle:  {_shown(predicted)}\n")
        elif len(oracle.parts()) != parts_before:
            self._judge_seeds()
        self._judge_absolute()

    def _pairs(self) -> set[frozenset[int]]:
        """The pairs of sides of the round paired last that play."""
        oracle, last = self.oracle, self.oracle.rounds[-1]
        if last.bouts:
            return {frozenset(oracle.bouts[n].sides) for n in last.bouts if oracle.bouts[n].second}
        return {frozenset((oracle.games[id].white, oracle.games[id].black)) for id in last.games}

    def _judge_seeds(self) -> None:
        """The sides that begin a part are the best by the published order; in a bracket the first meets the last."""
        oracle = self.oracle
        part = oracle.parts()[-1]
        if part.number == 0:
            return
        if any(not due.match and due.pairing == oracle.rounds[-1].pairing for due in oracle.outdated()):
            raise Disagreement(f"qualifiers of round {part.first}: {part.groups}")

    def _judge_absolute(self) -> None:
        """Nobody has two seats, no removed side plays, nobody who is out plays on; in a Swiss no rematch, one bye."""
        oracle, round = self.oracle, self.oracle.rounds[-1]
        part = oracle.parts()[-1]
        seated = [p for id in round.games for p in (oracle.games[id].white, oracle.games[id].black)] + list(round.byes)
        if len(seated) != len(set(seated)):
            raise Disagreement(f"two seats: {seated}")
        if part.rule.format not in TABLES:
            for id in round.games:
                for player in (oracle.games[id].white, oracle.games[id].black):
                    if oracle.removal(player, round.number) is not None:
                        raise Disagreement(f"{player} was removed and is paired in round {round.number}")
        if part.rule.format in BRACKETS:
            self._judge_bracket(part)
        elif part.rule.format == "swiss":
            self._judge_swiss(part)

    def _judge_bracket(self, part: Part) -> None:
        oracle, last = self.oracle, self.oracle.rounds[-1]
        for number in last.bouts:
            bout = oracle.bouts[number]
            for side in filter(None, bout.sides):
                earlier = [b for b in oracle.bouts_of(part.number) if side in b.sides and b.number < number]
                lost = sum(oracle.outcome(b).over and oracle.outcome(b).winner != side for b in earlier)
                allowed = 2 if part.rule.format == "double_knockout" else 1
                if lost >= allowed and not part.rule.places:
                    raise Disagreement(f"{side} is out and plays in match {number}")

    def _judge_swiss(self, part: Part) -> None:
        """Only the pairs paired now are judged: a correction cannot reach a round already paired (C.04.2)."""
        oracle, round = self.oracle, self.oracle.rounds[-1]
        earlier = [r for r in oracle.rounds[:-1] if r.part == part.number]
        met = {pair for r in earlier for pair in self._sides_that_meet(r, played=True)}
        again = met & self._sides_that_meet(round) if round.began else set()
        if again:
            raise Disagreement(f"rematch in a Swiss: {_shown(again)}")
        free = [{oracle.team_of.get(p, p) for p, kind in r.byes.items() if kind == "U"} for r in (round, *earlier)]
        if len(free[0]) > 1:
            raise Disagreement(f"several byes: {sorted(free[0])}")
        if round.began and free[0] & {side for sides in free[1:] for side in sides}:
            raise Disagreement(f"a second bye: {sorted(free[0])}")

    def _sides_that_meet(self, round: Round, *, played: bool = False) -> set[frozenset[int]]:
        """Return the pairs of sides of a round. ``played``: only of games that were not decided by forfeit (C.04.3, C1)."""
        oracle = self.oracle
        games = (oracle.games[id] for id in round.games)
        now = (g for g in games if not played or any(mark.played for mark in oracle.marks(g.id) or ()))
        return {frozenset(oracle.team_of.get(p, p) for p in (g.white, g.black)) for g in now}

    def _judge_end(self, predicted: set[frozenset[int]] | None, refusal: Refusal) -> None:
        oracle = self.oracle
        if predicted and refusal.code == "no-round-left":
            raise Disagreement(f"no round left, and due are {_shown(predicted)}")
        last = oracle.parts()[-1] if oracle.parts() else None
        self.hall.compare()
        if last is not None and refusal.code == "no-round-left" and oracle.is_bracket(last.number):
            left = [side for side in last.groups[0] if not oracle.is_out(side, last)]
            if len(left) > 1:
                raise Disagreement(f"no round left, and still in are {left}")

    # ------------------------------------------------------------ results

    def _results(self) -> None:
        """A result on every open board."""
        open = [g for g in self.oracle.games_in_force() if self.oracle.marks(g.id) is None]
        said = tuple(Result(GameId(g.id), *self._result()) for g in open)
        if said:
            text = " ".join(
                f"{g.white}-{g.black} {r.white.points}:{r.black.points}" for g, r in zip(open, said, strict=True)
            )
            self._do(GAMES, ReportResults(ARBITER, said), f"results {text}")

    def _result(self, played: float = 0.93) -> tuple[Mark, Mark]:
        if self.rng.random() < played:
            white, black = self.rng.choice(WON + DRAWN)
            return Mark(HalfPoints(white), True), Mark(HalfPoints(black), True)
        white, black = self.rng.choice([(2, 0), (0, 2), (0, 0)])
        return Mark(HalfPoints(white), False), Mark(HalfPoints(black), False)

    # ------------------------------------------------------------ what happens in between

    def _gap(self, when: str) -> None:
        """Before or after a pairing something happens, now and then; a ruling of earlier on may be annulled."""
        if self.to_annul and self.rng.random() < 0.5:
            ruling = self.to_annul.pop()
            self._do(PENALTIES, AnnulRuling(APPEALS, RulingId(ruling), WHY), f"annul {ruling}")
        if self.rng.random() < self.often:
            kind = self.rng.choice(self.kinds)
            if getattr(self, "_" + kind.split()[0])(kind):
                self.told.happened[kind, when] += 1

    def _here(self) -> list[int]:
        round = self.paired + 1
        return [p for p in self.oracle.players if self.oracle.removal(p, round) is None]

    def _some_game(self) -> Game | None:
        games = [g for g in self.oracle.games_in_force() if self.oracle.marks(g.id) is not None]
        return self.rng.choice(games) if games else None

    def _correction(self, kind: str) -> bool:
        games = [g for g in self.oracle.games_in_force() if g.results]
        if not games:
            return False
        game = self.rng.choice(games)
        marks = self._result(0.97)
        text = f"correct {game.id} {game.white}-{game.black} to {marks[0].points}:{marks[1].points}"
        return self._do(GAMES, Correct(CHIEF, (Result(GameId(game.id), *marks),), WHY), text)

    def _ruling(self, kind: str) -> bool:
        game = self._some_game()
        if game is None:
            return False
        loser = self.rng.choice((game.white, game.black))
        marks = [Mark(HalfPoints(0 if p == loser else 2), True) for p in (game.white, game.black)]
        effect = Effect("set_marks", white=marks[0], black=marks[1])
        command = MakeRuling(
            CHIEF, PlayerId(loser), game.round, MISCONDUCT, game=GameId(game.id), effect=effect, note=WHY
        )
        if not self._do(PENALTIES, command, f"rule that {loser} has lost {game.id} {game.white}-{game.black}"):
            return False
        self._annul(kind)
        return True

    def _annul(self, kind: str) -> None:
        """Annul or retract the last ruling made by a person, at once or later."""
        made = [r for r, ruling in self.oracle.rulings.items() if ruling.annuls is None and not ruling.because][-1]
        if kind.endswith("at once"):
            self._do(PENALTIES, AnnulRuling(APPEALS, RulingId(made), WHY), f"annul {made}")
        elif kind.endswith("retracted"):
            self._do(PENALTIES, RetractRuling(CHIEF, RulingId(made), WHY), f"retract {made}")
        elif kind.endswith("later"):
            self.to_annul.append(made)

    def _leaves(self) -> int:
        """A player who may be removed, nobody twice: some remain."""
        before = {leaving.player for leaving in self.oracle.leavings}
        sides = {self.oracle.team_of.get(p, p) for p in self._here()}
        here = [p for p in self._here() if p not in before]
        return self.rng.choice(here) if here and len(sides) > 3 else 0

    def _withdrawal(self, kind: str) -> bool:
        player = self._leaves()
        if not player:
            return False
        if self.oracle.of_teams:
            own = self.oracle.teams.get(self.oracle.team_of.get(player, 0), ())
            going = tuple(PlayerId(p) for p in own if p in self._here())
            return bool(going) and self._do(PAIRING, co.WithdrawPlayers(ORGANISER, going, WHY), f"withdraw {going}")
        return self._do(PAIRING, co.WithdrawPlayer(ORGANISER, PlayerId(player), WHY), f"withdraw {player}")

    def _expulsion(self, kind: str) -> bool:
        player = self._leaves()
        if not player:
            return False
        self._start(player)
        round = max(1, self.paired)
        command = MakeRuling(ORGANISER, PlayerId(player), round, MISCONDUCT, effect=Effect("expel"), note=WHY)
        if not self._do(PENALTIES, command, f"expel {player}"):
            return False
        self._annul(kind)
        return True

    def _start(self, player: int) -> None:
        """Now and then the game of the player is in progress."""
        open = [
            g for g in self.oracle.games_in_force() if player in (g.white, g.black) and self.oracle.marks(g.id) is None
        ]
        if open and not open[0].started and self.rng.random() < 0.5:
            self._do(GAMES, StartGame(ARBITER, GameId(open[0].id)), f"start {open[0].id}")

    def _exclusion(self, kind: str) -> bool:
        player = self._leaves()
        round = self.paired
        if not player or not round:
            return False
        self._start(player)
        effect = Effect("exclude", rounds=(self.rng.choice((round, round + 1)),))
        command = MakeRuling(CHIEF, PlayerId(player), round, MISCONDUCT, effect=effect, note=WHY)
        return self._do(PENALTIES, command, f"exclude {player} from round {effect.rounds[0]}")


def _shown(pairs: set[frozenset[int]]) -> list[list[int]]:
    return sorted(sorted(pair) for pair in pairs)
