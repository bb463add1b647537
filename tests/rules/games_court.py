"""A hall of games in which penalties answers what is found, as the worker does.

court = Court("xiangqi", "xiangqi-1999")
court.play("h2e2 h9g7")
court.claims("natural_limit", "white")          # decided, rebuilt, decided again; the data of what was written
court.rulings()                                 # [(infraction, effect kind, seconds or None, article)]
"""

from typing import Any

from services.games.rules.commands import MakeClaim, MakeOffer, Offer, PlayMoves
from services.penalties.rules import RULES as PENALTY_RULES
from shared.core import events as ev
from shared.core.events.sheets import Claim
from shared.core.terms import PENALTIES, Actor, Ply, Refusal, Side
from tests.rules.games_hall import ARBITER, BOARD, G1, PLAYER, Hall, moves


class Court(Hall):
    def __init__(self, game: str = "chess", regulations: str = "campus") -> None:
        super().__init__(game=game, regulations=regulations)
        self.world.rules[PENALTIES] = PENALTY_RULES

    def play(self, said: str, clock: int | None = None) -> list[Any]:
        """The next moves."""
        return self.do(PlayMoves(BOARD, G1, Ply(len(self.sheet().plies) + 1), moves(said, clock)))

    def claims(self, claim: Claim, side: Side | None, move: str | None = None, by: Actor = PLAYER) -> list[Any]:
        return self.do(MakeClaim(by if side else ARBITER, G1, side, claim, move))

    def no_claim(self, claim: Claim, side: Side | None, move: str | None = None, by: Actor = PLAYER) -> Refusal:
        return self.refused(MakeClaim(by, G1, side, claim, move))

    def offers(self, side: Side, offer: Offer = "draw") -> list[Any]:
        return self.do(MakeOffer(PLAYER, G1, side, offer))

    def rulings(self) -> list[tuple[str, str, int | None, str]]:
        """What was ruled, in the log's order."""
        events = [r.event for r in self.t.rulings.values()]
        return [(m.infraction, m.effect.kind, m.effect.clock, m.article) for m in events]

    def counted(self, player: int, counter: str) -> int:
        """Standing rulings that move a player's counter."""
        return sum((r.event.player, r.event.counter) == (player, counter) for r in self.t.rulings_with_effect())


def decided(written: list[Any]) -> ev.ClaimDecided:
    """The decision among what was written."""
    return next(data for data in written if isinstance(data, ev.ClaimDecided))


def findings(written: list[Any]) -> list[tuple[str, int]]:
    """What was found, and on which player."""
    return [(data.kind, data.player) for data in written if isinstance(data, ev.FindingMade)]


def end(written: list[Any]) -> ev.GameEnded | None:
    """The end of the game among what was written."""
    return next((data for data in written if isinstance(data, ev.GameEnded)), None)
