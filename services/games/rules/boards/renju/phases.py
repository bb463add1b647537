"""The opening of renju, step by step: the agreed opening 指定打法, the swap 三手交换, several fifth stones 五手N打."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from services.games.rules.boards.fifteen import CENTRE, Point, name, place
from services.games.rules.boards.renju.openings import (
    SYMMETRIES,
    Opening,
    opening_by_name,
    opening_of,
    second_stones,
    turn,
)
from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import RenjuRules
from shared.core.terms import Side

CENTRE_FIRST = "000-A 五子棋, A"
AGREED = "004 3.2 (1)"
SWAP = "000-A 五子棋, J, 2.C; 004 3.2 (2)"
FIFTH = "000-A 五子棋, J, 2.D; 004 3.2 (3)"
NAMING = "004 line 516"

Step: TypeAlias = Literal["agree", "stone", "swap", "offer", "choose", "play"]


def announced(rules: RenjuRules) -> Opening | None:
    """Return the opening that the regulations set for every game, or None."""
    return opening_by_name(rules.opening)


@dataclass(frozen=True, slots=True)
class Phase:
    """The phase of the opening. ``agreed``: the opening that must be played, or None. ``placed``: the stones so far.

    ``swap_said``: White has swapped or declined. ``offered``: the offered fifth stones. ``over``: True for a position
    that was set up, without an opening.
    """

    agreed: Opening | None = None
    placed: tuple[Point, ...] = ()
    swap_said: bool = False
    offered: tuple[Point, ...] = ()
    over: bool = False

    def step(self, rules: RenjuRules) -> Step:
        """Return what the opening waits for next. A ``swap`` may be declined by placing the fourth stone.

        ``stone``: one of the first five stones must be placed. ``play``: the opening is over.
        """
        if self.over:
            return "play"
        stones = len(self.placed)
        if stones == 0 and rules.opening == "agreed" and self.agreed is None:
            return "agree"
        if stones == 3 and rules.opening == "swap" and not self.swap_said:
            return "swap"
        if stones == 4 and rules.fifth_moves > 1:
            return "choose" if self.offered else "offer"
        return "stone" if stones < 5 else "play"

    def colour(self, rules: RenjuRules) -> Side:
        """Return the side to act, by the colour of the stones. White chooses the fifth stone."""
        if self.step(rules) == "choose":
            return "white"
        return "white" if len(self.placed) % 2 else "black"

    def agree(self, text: str, rules: RenjuRules) -> "Phase | Message":
        """Return the phase with the agreed opening of this name, or a message if the opening is unknown or not permitted."""
        opening = opening_by_name(text)
        if opening is None:
            return say("unknown opening {of_text}", of_text=text[:20])
        if opening.barred and rules.professional:
            return say("{name} is not allowed in professional games", name=opening.name)
        return replace(self, agreed=opening)

    def place(self, point: Point, rules: RenjuRules) -> "Phase | Message":
        """Place one of the first stones on an empty point, or return a message why it may not go there."""
        placed = (*self.placed, point)
        wrong = self._placing_fault(placed, rules)
        return wrong or replace(self, placed=placed, swap_said=self.swap_said or len(placed) > 3, offered=())

    def swap_over(self, rules: RenjuRules) -> bool:
        """Return whether no swap 三手交换 is possible any more."""
        return self.over or rules.opening != "swap" or self.swap_said

    def swap(self) -> "Phase":
        return replace(self, swap_said=True)

    def offer(self, points: Sequence[Point], rules: RenjuRules) -> "Phase | Message":
        """Offer the fifth stones, or return a message that says what is wrong with them."""
        if len(points) != rules.fifth_moves or len(set(points)) != len(points):
            return say(
                "exactly {fifth_moves} different points must be offered for the fifth stone",
                fifth_moves=rules.fifth_moves,
            )
        if not rules.symmetric_fifths:
            for n, one in enumerate(points):
                for two in points[n + 1 :]:
                    if self._symmetric(one, two):
                        return say(
                            "{name} and {name2} are the same point of a symmetric position",
                            name=name(one),
                            name2=name(two),
                        )
        return replace(self, offered=tuple(points))

    def article(self, rules: RenjuRules) -> str:
        """Return the article of the next step."""
        if not self.placed and self.step(rules) == "stone":
            return CENTRE_FIRST
        if self.agreed is not None and len(self.placed) < 3:
            return AGREED
        return {"agree": AGREED, "swap": SWAP, "offer": FIFTH, "choose": FIFTH}.get(self.step(rules), NAMING)

    def _placing_fault(self, placed: tuple[Point, ...], rules: RenjuRules) -> Message | None:
        if len(placed) == 1:
            return None if placed[0] == CENTRE else say("Black's first stone must be on the centre (天元, h8)")
        if len(placed) > 3 or not (rules.professional or self.agreed):
            return None
        line = say("{name}", name=self.agreed.name) if self.agreed else say("a named opening")
        if len(placed) == 2:
            return (
                None
                if placed[1] in second_stones(self.agreed)
                else say("{name} cannot lead to {line}", name=name(placed[1]), line=line)
            )
        opening = opening_of(placed[1], placed[2])
        if opening is None or (self.agreed and opening != self.agreed):
            made = say("{name}", name=opening.name) if opening else say("these stones do not form a named opening")
            return say("these stones make {made}, not {line}", made=made, line=line)
        return (
            say("{name} is not allowed in professional games", name=opening.name)
            if opening.barred and rules.professional
            else None
        )

    def _symmetric(self, one: Point, two: Point) -> bool:
        """Return whether a symmetry that maps the four stones onto themselves maps one point to the other."""
        black = sorted(place(p) for p in self.placed[0::2])
        white = sorted(place(p) for p in self.placed[1::2])
        for symmetry in SYMMETRIES:
            moved = [turn(symmetry, place(p)) for p in (*self.placed, one)]
            least = min(moved[0], moved[2])
            right, up = black[0][0] - least[0], black[0][1] - least[1]
            moved = [(column + right, row + up) for column, row in moved]
            if sorted(moved[0:4:2]) == black and sorted(moved[1:4:2]) == white and moved[4] == place(two):
                return True
        return False
