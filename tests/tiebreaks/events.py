"""Random events told twice: as lines of a log to the product, and as bare rounds to the oracle."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from shared import regulations
from shared.core import events as ev
from shared.core.rulebook.regulations import Points
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, PAIRING, GameId, HalfPoints, Mark, PlayerId, TextRef
from tests.rules.standings_field import Told
from tests.rules.team_hall import RESULTS, TeamHall
from tests.tiebreaks.oracle import HALF, Event, Round
from tests.tiebreaks.oracle_teams import TeamEvent

PUBLISHED = 1200
SYSTEMS = (((2, 1), 0.7), ((6, 2), 0.15), ((4, 2), 0.15))
"""Half-points of a win and of a draw, and how often."""


class Players(Told):
    """A Swiss or a round robin of players: byes of every kind, forfeits, double forfeits, games lost by both, late entries and
    withdrawals."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        rng = self.rng = Random(seed)
        self.round_robin = seed % 5 == 4
        self.win, self.draw = rng.choices([s for s, _ in SYSTEMS], [w for _, w in SYSTEMS])[0]
        self.unplayed = rng.choice((0.02, 0.1, 0.3))
        players = rng.randint(3, 9) if self.round_robin else rng.randint(4, 22)
        self.unrated = rng.random() < 0.3
        self.ratings: dict[int, int | None] = {
            p: None if self.unrated and rng.random() < 0.2 else rng.randint(1000, 2600) for p in range(1, players + 1)
        }
        self.rounds: dict[int, list[Round]] = {p: [] for p in self.ratings}
        self.met: set[frozenset[int]] = set()
        self.left: set[int] = set()
        set_, points = regulations.load("fide-2026"), self._points()
        format = "round_robin" if self.round_robin else "swiss"
        self.tell(PAIRING, ev.TournamentAnnounced("Cup", "chess", format, 12))
        self.tell(PAIRING, ev.RegulationsAdopted(replace(set_, points=points)))
        late = set() if self.round_robin else {p for p in self.ratings if p > 2 and rng.random() < 0.08}
        for p in self.ratings:
            if p not in late:
                self._enter(p, 1)
        number = players + players % 2 - 1 if self.round_robin else rng.randint(2, 8)
        for n in range(1, number + 1):
            if n == 2:
                for p in sorted(late):
                    self._enter(p, 2)
            self._round(n, self._table(n, players) if self.round_robin else None)

    def _points(self) -> Points:
        win, draw, none = HalfPoints(self.win), HalfPoints(self.draw), HalfPoints(0)
        return Points(win, draw, none, win, win, draw, none)

    def _enter(self, p: int, first: int) -> None:
        self.tell(PAIRING, ev.PlayerEntered(PlayerId(p), TextRef(f"{p:064x}"), p, first, rating=self.ratings[p]))

    @staticmethod
    def _table(n: int, players: int) -> list[tuple[int, int]]:
        """A round of a round robin, by turning all but the last; who meets the number that is missing rests."""
        size = players + players % 2
        ring = [(n + k) % (size - 1) + 1 for k in range(size - 1)]
        pairs = [(ring[0], size), *((ring[k], ring[-k]) for k in range(1, size // 2))]
        return [(a, b) if (n + k) % 2 else (b, a) for k, (a, b) in enumerate(pairs)]

    def _round(self, n: int, table: list[tuple[int, int]] | None) -> None:
        rng, here = self.rng, [p for p in self.t.players if p not in self.left]
        cells: dict[int, Round] = {p: Round("Z") for p in self.rounds}
        rests: list[int] = []
        if table is None:
            for p in here:
                if n > 1 and rng.random() < self.unplayed / 6:
                    self.left.add(p)
                    self.tell(PAIRING, ev.PlayerWithdrew(p, n - 1, True, n - 1, "20.4"))
            here = [p for p in here if p not in self.left]
            for p in list(here):
                if rng.random() < self.unplayed / 2:
                    kind = rng.choice("HHZF")
                    here.remove(p)
                    worth = {"H": self.draw, "Z": 0, "F": self.win}[kind]
                    cells[p] = Round(kind, Fraction(worth, 2))
                    self.tell(PAIRING, ev.ByeGranted(p, n, kind))  # type: ignore[arg-type]
            pairs, rests = self._drawn(here)
        else:
            pairs = [pair for pair in table if max(pair) <= len(self.ratings)]
        self._seat(n, pairs, rests, cells)
        for p, cell in cells.items():
            self.rounds[p].append(cell)

    def _drawn(self, here: list[PlayerId]) -> tuple[list[tuple[int, int]], list[int]]:
        """Random pairs, nobody twice with one whom he played; who finds nobody has a bye."""
        free, pairs, rests = list(here), [], []
        self.rng.shuffle(free)
        while free:
            one = free.pop()
            other = next((q for q in free if frozenset((one, q)) not in self.met), None)
            if other is None:
                rests.append(int(one))
            else:
                free.remove(other)
                pairs.append((int(one), int(other)))
        return pairs, rests

    def _seat(self, n: int, pairs: list[tuple[int, int]], rests: list[int], cells: dict[int, Round]) -> None:
        pairing, rng = len(self.t.pairings) + 1, self.rng
        boards = tuple(
            ev.Board(k, GameId(f"T.{pairing}.{k}"), PlayerId(w), PlayerId(b)) for k, (w, b) in enumerate(pairs, 1)
        )
        self.tell(PAIRING, ev.RoundPaired(n, pairing, boards, tuple(ev.ByeSeat(PlayerId(p), "U") for p in rests)))
        for p in rests:
            cells[p] = Round("U", Fraction(self.win, 2))
        for board, (white, black) in zip(boards, pairs, strict=True):
            played = rng.random() >= self.unplayed
            usual = [(self.win, 0), (self.draw, self.draw), (0, self.win), (0, 0)]
            made = rng.choices(usual, (10, 10, 9, 1) if played else (6, 0, 6, 3))[0]
            self.tell(GAMES, ev.ResultReported(board.game, *(Mark(HalfPoints(x), played) for x in made)))
            how = "played" if played else "forfeit"
            if played:
                self.met.add(frozenset((white, black)))
            cells[white] = Round(how, Fraction(made[0], 2), black)
            cells[black] = Round(how, Fraction(made[1], 2), white, black=True)

    def event(self, edition: str, *, published: bool) -> Event:
        known = {p: tuple(self.rounds[p]) for p in self.t.players}
        return Event(known, self.ratings, Fraction(self.win, 2), Fraction(self.draw, 2), edition, self.round_robin,
                     PUBLISHED if published else None)  # fmt: skip

    @property
    def tournament(self) -> Tournament:
        assert isinstance(self.t, Tournament)
        return self.t


class Teams:
    """A Swiss of teams: matches with forfeited boards, forfeited matches, byes, and teams that stay away."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = Random(seed)
        teams, self.boards, rounds = rng.randint(4, 9), rng.randint(2, 4), rng.randint(2, 6)
        self.hall = TeamHall(teams, boards=self.boards, book="fide-2026")
        self.met: set[frozenset[int]] = set()
        self.matches: dict[int, list[Round]] = {t: [] for t in range(1, teams + 1)}
        self.games: dict[int, list[Round]] = {t: [] for t in self.matches}
        self.singles: dict[int, list[Round]] = {t: [] for t in self.matches}
        self.by_board: dict[int, list[list[Fraction]]] = {t: [] for t in self.matches}
        for _ in range(rounds):
            self._round()

    def _round(self) -> None:
        rng = self.rng
        free = [t for t in self.matches if rng.random() > 0.06]
        rng.shuffle(free)
        told, bye, cells = [], 0, dict[int, tuple[Round, Round, list[Fraction]]]()
        none = [Fraction(0)] * self.boards
        while free:
            one = free.pop()
            other = next((q for q in free if frozenset((one, q)) not in self.met), None)
            if other is not None:
                free.remove(other)
                told.append(self._match(one, other, cells))
            elif not bye:
                bye = one
                drawn = Fraction(self.boards, 2)  # C.04.6 1.4
                cells[one] = (Round("U", Fraction(1)), Round("U", drawn), [Fraction(1)] * self.boards)
        if not told:
            return
        self.hall.round(*told, bye=bye)
        for t in self.matches:
            match, game, boards = cells.get(t, (Round("Z"), Round("Z"), none))
            self.matches[t].append(match)
            self.games[t].append(game)
            self.by_board[t].append(boards)

    def _match(self, one: int, other: int, cells: dict[int, Any]) -> str:
        rng = self.rng
        forfeited = rng.random() < 0.12
        marks = (
            rng.choice("+-") * self.boards
            if forfeited
            else "".join(rng.choices("1=0+-x", (8, 6, 8, 1, 1, 1), k=self.boards))
        )
        if all(mark in "+-x" for mark in marks) and not forfeited:
            marks = "1" + marks[1:]
        self.met |= set() if forfeited else {frozenset((one, other))}
        for side, team, against in ((0, one, other), (1, other, one)):
            made = [Fraction(RESULTS[mark][side][0], 2) for mark in marks]
            theirs = [Fraction(RESULTS[mark][1 - side][0], 2) for mark in marks]
            points = Fraction(2 if sum(made) > sum(theirs) else 1 if sum(made) == sum(theirs) else 0)
            how, black = "forfeit" if forfeited else "played", side == 1
            cells[team] = (
                Round(how, points, against, black),
                Round(how, sum(made, Fraction(0)), against, black),
                made,
            )
            for n, (mark, x) in enumerate(zip(marks, made, strict=True), 1):
                single = "played" if mark in "1=0" else "forfeit"
                self.singles[team].append(Round(single, x, 10 * against + n, black=(n % 2 == 0) != (side == 1)))
        return f"{one}-{other} {marks}"

    def event(self, edition: str) -> TeamEvent:
        def of(rounds: dict[int, list[Round]], win: Fraction, draw: Fraction) -> Event:
            return Event({t: tuple(rs) for t, rs in rounds.items()}, dict.fromkeys(rounds), win, draw, edition)

        matches = of(self.matches, Fraction(2), Fraction(1))
        games = of(self.games, Fraction(self.boards), self.boards * HALF)
        return TeamEvent(matches, games, self.singles, self.by_board)
