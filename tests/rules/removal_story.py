"""Removals in every format: one event, one removal, and what a player or an arbiter then finds.

case = Case("knockout", "expel", "in progress", "annulled")
story = Story(case)                    # announces, plays the rounds before, removes the player, takes the removal away
story.marks()                          # of the games of the round: "0-1" played, "-/+" unplayed, None open
"""

from dataclasses import dataclass, replace
from typing import Any

from services.games.rules.boards.registry import variant_of
from services.games.rules.commands import Move, PlayMoves, ReportResults, Result, StartGame
from services.pairing.rules import commands as pairing
from services.penalties.rules import commands as penalties
from services.standings.rules.table.table import standings
from shared import regulations
from shared.core import events as ev
from shared.core.readings.scoring import scores
from shared.core.rounds.matches import matches, places
from shared.core.state.outcomes import NOTATION, mark_of, notation_of
from shared.core.state.tournament import Tournament
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    Actor,
    Conditions,
    PlayerId,
    Refusal,
    RulingId,
    TeamConditions,
    TextRef,
)
from tests.builders import World
from tests.offices import appointing

CHIEF, ORGANISER = Actor("chief", "chief_arbiter", "t1"), Actor("organiser", "organiser", "t2")
ARBITER, APPEALS = Actor("arbiter", "arbiter", "t3"), Actor("committee", "appeals", "t4")
OFFICIALS = appointing(CHIEF, ARBITER, APPEALS)
WHY = TextRef("a" * 64)
CIRCLE_OF_SIX = (
    ((1, 6), (2, 5), (3, 4)),
    ((6, 4), (5, 3), (1, 2)),
    ((2, 6), (3, 1), (4, 5)),
    ((6, 5), (1, 4), (2, 3)),
    ((3, 6), (4, 2), (5, 1)),
)
FORMATS = ("swiss", "round robin, early", "round robin, late", "knockout", "teams")
KINDS = ("expel", "exclude", "withdraw")
TIMINGS = ("before", "in progress", "after")


@dataclass(frozen=True)
class Case:
    """``kind`` None: nobody is removed. ``fate``: in force, annulled, appealed, retracted, lapsed, or returned."""

    format: str
    kind: str | None
    timing: str
    fate: str = "in force"

    @property
    def by_fouls(self) -> bool:
        """Whether the expulsion is that of the third technical foul (000-B 注意 8), which can lapse."""
        return self.fate == "lapsed"

    def __str__(self) -> str:
        return "-".join((self.format, self.kind or "nobody", self.timing, self.fate))


def team(player: int) -> int:
    """The team of a player, two by two."""
    return (player + 1) // 2


class Story:
    """The removed player is the White player of the first board of the last round paired."""

    def __init__(self, case: Case, by_fouls: bool | None = None) -> None:
        self.case, self.world = case, World()
        self.by_fouls = case.by_fouls if by_fouls is None else by_fouls
        self._announce()
        self._play_before()
        board = self.paired.boards[0]
        self.game, self.player, self.opponent = board.game, board.white, board.black
        if case.timing != "before":
            self.do(GAMES, StartGame(ARBITER, self.game))
        if case.timing == "after":
            self.report(self.game, "1-0")
        self.removal = self._remove()
        self._take_away()

    @property
    def t(self) -> Tournament:
        assert isinstance(self.world.tournament, Tournament)
        return self.world.tournament

    @property
    def paired(self) -> ev.RoundPaired:
        current = self.t.current(self.t.rounds_paired())
        assert current is not None
        return current.event

    def do(self, source: Any, command: Any) -> list[Any]:
        """Follow a command; it is rebuilt from its events and decided again, as an audit does."""
        rules, saw = self.world.rules[source], self.t.fork() if self.t.announced else None
        sheet = rules.sheet_of(command)
        written = self.world.do(source, command)
        if saw is not None and sheet is None:
            again = rules.decide(saw, rules.command_of(written, ()), None)
            assert not isinstance(again, Refusal), again
            assert [*again.events, *again.brought] == [e.data for e in written]
        return [e.data for e in written]

    def refused(self, source: Any, command: Any) -> Refusal:
        return self.world.refused(source, command)

    # ------------------------------------------------------------ before the removal

    def _announce(self) -> None:
        name, _, _ = self.case.format.partition(",")
        format: Any = {"round robin": "round_robin", "teams": "knockout"}.get(name, name)
        book = regulations.load("gomoku-campus" if self.by_fouls else "xiangqi-1999")
        if name == "knockout":
            book = replace(book, pairing=replace(book.pairing, drawn_match="lots"))
        said = Conditions(team=TeamConditions("fixed", 2)) if name == "teams" else Conditions()
        game = "gomoku" if self.by_fouls else "xiangqi"
        announced = pairing.AnnounceTournament(
            ORGANISER, "Cup", game, format, 5, book, conditions=said, officials=OFFICIALS
        )
        self.world.do(PAIRING, announced)
        numbers = range(1, {"round_robin": 7, "teams": 9}.get(format if name != "teams" else name, 5))
        entries = (pairing.Entry(PlayerId(n), TextRef(f"{n:064x}"), 2400 - 10 * n) for n in numbers)
        self.do(PAIRING, pairing.EnterPlayers(ORGANISER, tuple(entries)))
        if name == "teams":
            members = ((1, 2), (3, 4), (5, 6), (7, 8))
            teams = (pairing.TeamEntry(n, TextRef(f"{n:063x}f"), m) for n, m in enumerate(members, 1))  # type: ignore[arg-type]
            self.do(PAIRING, pairing.EnterTeams(ORGANISER, tuple(teams)))

    def _play_before(self) -> None:
        before = {"round robin, early": 1, "round robin, late": 3}.get(self.case.format)
        if before is None:
            self.pair()
            return
        for boards in CIRCLE_OF_SIX[:before]:
            self.pair(*boards)
            self.finish()
        self.pair(*CIRCLE_OF_SIX[before])

    def pair(self, *boards: tuple[int, int]) -> ev.RoundPaired:
        by_hand = tuple((PlayerId(w), PlayerId(b)) for w, b in boards) or None
        command = pairing.PairRound(CHIEF, by_hand, reason=WHY if by_hand else None, seed=1)
        paired = self.do(PAIRING, command)[0]
        assert isinstance(paired, ev.RoundPaired)
        return paired

    def report(self, game: Any, result: str) -> None:
        self.do(GAMES, self.reporting(game, result))

    def reporting(self, game: Any, result: str) -> ReportResults:
        white, black = (mark_of(self.t.regulations.points, one) for one in NOTATION[result])
        return ReportResults(ARBITER, (Result(game, white, black),))

    def finish(self) -> None:
        """Report a win of the smaller number on every open board; of a team match, of the team that won its first board."""
        for board in self.paired.boards:
            if self.t.setting(self.t.games[board.game]) is None:
                self.report(board.game, "1-0" if self._white_wins(board) else "0-1")

    def _white_wins(self, board: ev.Board) -> bool:
        first = self.t.setting(self.t.games[self.paired.boards[0].game])
        if self.case.format != "teams" or board.board != 2 or first is None:
            return board.white < board.black
        won = self.paired.boards[0].white if first.white.points else self.paired.boards[0].black
        return team(board.white) == team(won)

    # ------------------------------------------------------------ the removal and its fate

    def _remove(self) -> RulingId | None:
        if self.by_fouls:
            foul = penalties.MakeRuling(ARBITER, self.player, self.paired.round, "repeated_draw_offer")
            first = self._ruling(foul)
            if self.case.kind is None:
                self.do(PENALTIES, penalties.AnnulRuling(APPEALS, first))
            self._ruling(foul)
            self._ruling(foul)
            return first
        if self.case.kind is None:
            return None
        if self.case.kind == "withdraw":
            self.do(PAIRING, pairing.WithdrawPlayer(ORGANISER, self.player, WHY))
            return None
        effect = ev.Effect("expel") if self.case.kind == "expel" else ev.Effect("exclude", rounds=(self.paired.round,))
        by = ORGANISER if self.case.kind == "expel" else CHIEF
        return self._ruling(penalties.MakeRuling(by, self.player, self.paired.round, "grave_misconduct", effect=effect))

    def _ruling(self, command: Any) -> RulingId:
        made = self.do(PENALTIES, command)[0]
        assert isinstance(made, ev.RulingMade)
        return made.ruling

    def _take_away(self) -> None:
        ruling, by = self.removal, ORGANISER if self.case.kind == "expel" else CHIEF
        match self.case.fate:
            case "in force":
                return
            case "returned":
                self.do(PAIRING, pairing.ReturnPlayer(ORGANISER, self.player, WHY))
                return
        assert ruling is not None
        match self.case.fate:
            case "annulled" | "lapsed":
                self.do(PENALTIES, penalties.AnnulRuling(APPEALS, ruling))
            case "retracted":
                self.do(PENALTIES, penalties.RetractRuling(by, ruling, WHY))
            case "appealed":
                player = Actor(str(self.player), "player", "t5")
                lodged = penalties.LodgeAppeal(player, ruling, self.player, WHY, self.world.time)
                appeal = self.do(PENALTIES, lodged)[0].appeal
                self.do(PENALTIES, penalties.DecideAppeal(APPEALS, appeal, True))

    def next_round(self) -> tuple[list[tuple[int, int]], list[int]]:
        """Pair the next round by its format: boards, and players with a bye."""
        paired = self.pair()
        return [(b.white, b.black) for b in paired.boards], [seat.player for seat in paired.byes]

    # ------------------------------------------------------------ what is seen

    def result(self, game: Any) -> str | None:
        setting = self.t.setting(self.t.games[game])
        if setting is None:
            return None
        return notation_of(self.t.regulations.points, setting.white, setting.black)

    def points(self) -> dict[int, float]:
        return {int(p): s.points / 2 for p, s in scores(self.t).items()}

    def move(self) -> PlayMoves:
        """The first move of the game, from the token of the player to move: in gomoku the Black seat's."""
        player, move = (self.opponent, "h8") if self.by_fouls else (self.player, "h2e2")
        return PlayMoves(Actor(str(player), "player", "t5"), self.game, 1, (Move(move, None),))  # type: ignore[arg-type]

    def plays_on(self) -> bool:
        """Whether the game takes its next move."""
        return not isinstance(self.world.decide(GAMES, self.move()), Refusal)

    def essence(self) -> dict[str, Any]:
        """All that must be equal where an annulled removal was never made; no numbers of events."""
        t, variant = self.t, variant_of(self.t, self.t.games[self.game])
        assert variant is not None
        table = None if self.case.format == "teams" else standings(t)
        return {
            "results": {game.game: self.result(game.game) for game in t.games_in_force()},
            "points": self.points(),
            "ranks": table and [(r.rank, r.player, [v.quarters for v in r.values.values()]) for r in table.rows],
            "there": {p: t.may_play(p, t.rounds_paired() + 1) for p in t.players},
            "matches": matches(t),
            "places": places(t),
            "plays on": self.plays_on(),
            "clocks": self.world.sheet(GAMES, self.game).state(variant).readings,
        }
