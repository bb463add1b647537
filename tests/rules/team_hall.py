"""A team event told line by line, for the rules of its table: which teams meet, and what each board brought.

t = TeamHall(4, boards=2).round("1-2 1=", "3-4 0+").t     # per board, as the team named first has it
"""

from typing import Any

from shared import regulations
from shared.core import events as ev
from shared.core.terms import (
    GAMES,
    PAIRING,
    Conditions,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    RulingId,
    TeamConditions,
    TextRef,
)
from tests.rules.standings_field import MARKS, Told

RESULTS = {**MARKS, "x": MARKS["--"]}


class TeamHall(Told):
    """``teams`` teams of ``boards`` players; team n has the members 10n + 1, 10n + 2, … Every call adds lines."""

    def __init__(
        self,
        teams: int,
        boards: int = 2,
        format: Any = "swiss",
        kind: Any = "fixed",
        book: str = "campus",
        rounds: int = 9,
        substitutes: int = 0,
        **conditions: Any,
    ) -> None:
        super().__init__()
        self.boards, self.matches = boards, 0
        announced = Conditions(team=TeamConditions(kind, boards, substitutes), **conditions)
        self.tell(PAIRING, ev.TournamentAnnounced("Cup", "xiangqi", format, rounds, (), announced))
        self.tell(PAIRING, ev.RegulationsAdopted(regulations.load(book)))
        for team in range(1, teams + 1):
            members = [PlayerId(10 * team + n) for n in range(1, boards + 1 + substitutes)]
            for p in members:
                self.tell(PAIRING, ev.PlayerEntered(p, TextRef(f"{p:064x}"), p, rating=2500 - p))
            self.tell(PAIRING, ev.TeamEntered(team, TextRef(f"{team:063x}f"), tuple(members)))

    def round(self, *told: str, bye: int = 0, leg: int = 1) -> "TeamHall":
        """``"1-2 1=0"``: the teams, and each board's result as the first has it; ``.`` open, ``a``/``b`` only it came."""
        number, pairing = self.t.rounds_paired() + 1, len(self.t.pairings) + 1
        boards: list[ev.Board] = []
        matches: list[ev.Match] = []
        results: list[ev.ResultReported] = []
        byes: list[ev.ByeSeat] = []
        first_match = self.matches + 1 if leg == 1 else self.matches - len(told) + 1
        for k, text in enumerate(told):
            sides, _, marks = text.partition(" ")
            one, _, two = sides.partition("-")
            held = []
            for n, mark in enumerate(marks, 1):
                place = k * self.boards + n
                held.append(place)
                seats = PlayerId(10 * int(one) + n), PlayerId(10 * int(two) + n)
                if mark in "ab":
                    byes.append(ev.ByeSeat(seats["ab".index(mark)], "F"))
                    continue
                white, black = seats if n % 2 else seats[::-1]
                game = GameId(f"T.{pairing}.{place}")
                boards.append(ev.Board(place, game, white, black))
                if mark != ".":
                    made = RESULTS[mark] if n % 2 else RESULTS[mark][::-1]
                    first, second = (Mark(HalfPoints(p), played) for p, played in made)
                    results.append(ev.ResultReported(game, first, second))
            matches.append(ev.Match(first_match + k, int(one), int(two), tuple(held), leg))
        self.matches = first_match + len(told) - 1
        if bye:
            byes += [ev.ByeSeat(PlayerId(10 * bye + n), "U") for n in range(1, self.boards + 1)]
        self.tell(PAIRING, ev.RoundPaired(number, pairing, tuple(boards), tuple(byes), matches=tuple(matches)))
        for result in results:
            self.tell(GAMES, result)
        return self

    def foul(self, player: int, round: int) -> RulingId:
        return self.rule(player, round, ev.Effect("foul"), counter="foul")
