"""The hall as penalties sees it: one round paired, its own commands decided, the rest told by the others.

hall = Hall()                       # T.1.1: 1 v 2, T.1.2: 3 v 4, player 5 has the bye
hall.ruling(1)                      # a foul by player 1; the data of what was written
assert hall.result() is None        # of T.1.1: "2-0" in half-points, "+/-" unplayed, None open
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from services.pairing.rules.pairing_input import players_to_seat
from services.penalties.rules import RULES
from services.penalties.rules import commands as co
from shared import regulations as books
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    Actor,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    Ply,
    Refusal,
    RulingId,
    Seconds,
    Seq,
    Source,
    TextRef,
)
from tests.builders import World

ORGANISER = Actor("organiser", "organiser", "t1")
CHIEF = Actor("chief", "chief_arbiter", "t2")
ARBITER = Actor("arbiter", "arbiter", "t3")
DEPUTY = Actor("deputy", "deputy_chief_arbiter", "t6")
APPEALS = Actor("committee", "appeals", "t4")
PLAYER = Actor("player", "player", "t5")
G1, G2 = GameId("T.1.1"), GameId("T.1.2")


class Hall(World):
    """A `World` with penalties' rules; lines of other services bear the command ``other``."""

    def __init__(self, regulations: str = "campus", game: str = "xiangqi", decisions: int = 2) -> None:
        super().__init__({PENALTIES: RULES})
        self.happened(PAIRING, ev.TournamentAnnounced("Cup", game, "swiss", 3))
        self.happened(PAIRING, ev.RegulationsAdopted(replace(books.load(regulations), decisions=decisions)))
        for n in range(1, 6):
            self.happened(PAIRING, ev.PlayerEntered(PlayerId(n), TextRef(f"{n:064x}"), n))
        one, two, three, four, five = map(PlayerId, range(1, 6))
        boards = (ev.Board(1, G1, one, two), ev.Board(2, G2, three, four))
        self.happened(PAIRING, ev.RoundPaired(1, 1, boards, (ev.ByeSeat(five, "U"),)))

    def happened(self, source: Source, data: ev.Data) -> None:
        """A line that comes through the log, and what penalties then has to do."""
        seq, number = self.tournament.seq + 1, self.tournament.counts.get(source, 0) + 1
        event = ev.NewEvent(Seq(seq), source, number, Seq(seq - 1), "other", "somebody", "arbiter", "", data, self.time)
        evolve(self.tournament, event)
        self.events.append(event)
        self._due()

    def seated(self, player: int, round: int) -> bool:
        """Whether pairing gives the player a seat in a round."""
        return player in {p.player for p in players_to_seat(self.announced, round)}

    def told(self, command: Any) -> list[Any]:
        """Follow a command; the data of what was written."""
        return [e.data for e in self.do(PENALTIES, command)]

    def no(self, command: Any) -> Refusal:
        return self.refused(PENALTIES, command)

    def ruling(self, player: int, infraction: str = "foul", by: Actor = ARBITER, **more: Any) -> list[Any]:
        return self.told(co.MakeRuling(by, PlayerId(player), 1, infraction, **more))

    def appeal(self, player: int, ruling: str, by: Actor | None = None, lodged: str | None = None) -> co.LodgeAppeal:
        """A player's appeal, by himself where nobody else lodges it for him, at the hall's time."""
        actor = by or Actor(str(player), "player", "t5")
        return co.LodgeAppeal(
            actor, RulingId(ruling), PlayerId(player), TextRef("3" * 64), self.time if lodged is None else lodged
        )

    def standing(self) -> list[str]:
        """The rulings that have effect."""
        return [r.event.ruling for r in self.tournament.rulings_with_effect()]

    def annul(self, ruling: str) -> list[Any]:
        return self.told(co.AnnulRuling(APPEALS, RulingId(ruling)))

    def arrival(self, player: int, late: int | None) -> list[Any]:
        seconds = None if late is None else Seconds(late)
        return self.told(co.NoteArrival(ARBITER, PlayerId(player), seconds, round=1))

    def flag(self, player: int, opponent_can_win: bool = True, finding: str = "f1", game: str = G1) -> None:
        """Games finds that the player's flag fell."""
        self.found("flag", player, finding, game, opponent_can_win, self.announced.regulations.game.flag_article)

    def found(
        self,
        kind: Any,
        player: int,
        finding: str = "f1",
        game: str = G1,
        opponent_can_win: bool = True,
        article: str = "as games found it",
    ) -> None:
        """Games finds something of the player."""
        self.happened(
            GAMES, ev.FindingMade(finding, GameId(game), kind, PlayerId(player), article, Ply(40), opponent_can_win)
        )

    def reported(self, game: str, white: int, black: int) -> None:
        """A result from the hall, in half-points."""
        self.happened(
            GAMES, ev.ResultReported(GameId(game), Mark(HalfPoints(white), True), Mark(HalfPoints(black), True))
        )

    def result(self, game: str = G1) -> str | None:
        setting = self.announced.setting(self.announced.games[GameId(game)])
        if setting is None:
            return None
        if setting.white.played:
            return f"{setting.white.points}-{setting.black.points}"
        return "/".join("+" if mark.points else "-" for mark in (setting.white, setting.black))


def rulings(data: Iterable[Any]) -> list[ev.RulingMade]:
    """The rulings among what was written."""
    return [d for d in data if isinstance(d, ev.RulingMade)]
