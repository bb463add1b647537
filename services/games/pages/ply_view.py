"""A game stepped through: its board after each ply that counts."""

from dataclasses import dataclass

from services.games.pages import page_history
from services.games.rules.boards.registry import Variant
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.language.messages import say
from shared.core.terms import Ply
from shared.http.problems import Problem


@dataclass(frozen=True, slots=True)
class Step:
    """The ``ply`` that a page stands at, of ``plies``; the position after it as text, and the move that led there."""

    ply: Ply
    plies: int
    text: str
    last: str | None

    @property
    def links(self) -> list[tuple[str, str, int | None]]:
        """The ways from here, each with its sign, its key, and the ply that it leads to: None where it leads nowhere."""
        back, on = self.ply > 0, self.ply < self.plies
        return [
            ("|◀", "Home", 0 if back else None),
            ("◀", "ArrowLeft", self.ply - 1 if back else None),
            ("▶", "ArrowRight", self.ply + 1 if on else None),
            ("▶|", "End", self.plies if on else None),
        ]


def step_at(variant: Variant, sheet: Sheet, ply: int | None) -> Step:
    """The step at a ply, None for the last. Raises `Problem` 404 for one that was not played."""
    plies = len(sheet.plies)
    wanted = plies if ply is None else ply
    if wanted > plies:
        raise Problem(404, "no-such-ply", say("No such ply"), say("the game has {plies} plies", plies=plies))
    past = sheet if wanted == plies else _until(sheet, wanted)
    return Step(Ply(wanted), plies, past.position(variant).text(), page_history.last_move(past))


def _until(sheet: Sheet, ply: int) -> Sheet:
    """The sheet as it counts before the ply after this one."""
    past = Sheet(sheet.game)
    for entry in sheet.entries:
        if len(past.plies) == ply and entry is sheet.plies[ply]:
            break
        past.evolve(entry)
    return past
