"""Renju 连珠: everything that the game-independent code needs of it."""

from typing import cast

from services.games.rules.boards.fifteen import Stones, make_set_up
from services.games.rules.boards.first_hand import ARTICLES, guess
from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.claim import Claim, ClaimInput, ClaimVerdict, needs_move, needs_side
from services.games.rules.boards.port.position import IllegalMove, LegalMove, LegalStep, no_steps, not_due
from services.games.rules.boards.renju.phases import FIFTH, SWAP
from services.games.rules.boards.renju.position import CLAIM, PLACING, RenjuPosition, default_rules
from shared.core.events.sheets import Step as StepName
from shared.core.language.messages import say, term
from shared.core.rulebook.game_rules import RenjuRules
from shared.core.state.grounds import ground
from shared.core.terms import Refusal, Side

_DUE = {"agree": "opening", "offer": "offer_fifth", "choose": "choose_fifth"}
"""By state of the opening, the step that must be taken, so that no move is possible."""
_STEPS: dict[StepName, str] = {
    "opening": "agree",
    "swap": "swap",
    "keep": "swap",
    "offer_fifth": "offer",
    "choose_fifth": "choose",
}
"""By step, the state that the opening must be in."""


class RenjuGame(RenjuPosition):
    """A `RenjuPosition` for a score sheet."""

    __slots__ = ("_begun", "_kept")

    def __init__(self, rules: RenjuRules, start: tuple[Stones, Side] | None = None) -> None:
        super().__init__(rules, start)
        self._begun = self._kept = False

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a point or ``pass``. A stone also declines a swap."""
        due = _DUE.get(self.waits_for())
        if due is not None:
            detail = say("the opening is not finished: the next step must be {due}", due=due)
            return IllegalMove(detail, FIFTH if "fifth" in due else PLACING)
        if len(move.split()) != 1 or move.lower() == "swap":
            return IllegalMove(say("a move must be one point from a1 to o15, or pass"), PLACING)
        played = super().play(move)
        self._begun |= isinstance(played, LegalMove)
        return played

    def step(self, side: Side, step: StepName, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        taken = self._step(side, step, values)
        self._begun |= isinstance(taken, LegalStep)
        return taken

    def _step(self, side: Side, step: StepName, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if step == "guess":
            return self._guess(side, values)
        if step not in _STEPS:
            return no_steps(step)
        waits = self.waits_for()
        if waits != _STEPS[step] or (self._kept and step in ("swap", "keep")):
            detail = say("the opening does not expect the step {step} now", step=step)
            return IllegalMove(detail, FIFTH if "fifth" in step else SWAP)
        if side != self.to_move():
            return not_due(side, self.to_move(), say("{step}", step=step), FIFTH if "fifth" in step else SWAP)
        if step in ("swap", "keep"):
            return self._answer_swap(step, values)
        words = ["opening", *values] if step == "opening" else list(values)
        if step == "choose_fifth" and len(values) != 1:
            return IllegalMove(say("White must keep one of the stones on offer"), FIFTH)
        taken = super().play(" ".join(words))
        if isinstance(taken, IllegalMove):
            return taken
        return LegalStep(tuple(word for word in taken.move.split() if word != "opening"))

    def _guess(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Take the guess that gives the seats their colours 猜先. It must come before every other step and move."""
        if self._begun:
            detail = say("the guess for colours can be made only once, before the opening")
            return IllegalMove(detail, ARTICLES[self._rules.first_hand])
        guessed = guess(self._rules.first_hand, self._seats, side, values)
        if isinstance(guessed, IllegalMove):
            return guessed
        self._seats = guessed[1]
        return guessed[0]

    def _answer_swap(self, step: StepName, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if values:
            return IllegalMove(say("the step {step} must not have values", step=step), SWAP)
        self._kept = True
        if step == "swap":
            super().play("swap")
        return LegalStep(())

    def colours_settled(self) -> bool:
        """Return whether the first hand has been guessed, and the swap made or declined, as far as the rules have them."""
        guessed = self._begun or self._rules.first_hand == "as_paired"
        return guessed and (self._kept or self.swap_over())

    def facts(self) -> dict[str, str]:
        opening = self.opening()
        return {"black": self.holder("black")} | ({"opening": opening.name} if opening else {})


def forbidden_point(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide White's claim that a stone of Black is forbidden 指出禁手.

    Black loses if it was forbidden and the claim is in time (000-A 五子棋, H, I; 004 3.2 (6)). Refusals: ``side-missing``,
    ``move-missing``, ``own-stone``.
    """
    refusal = needs_side(claim, CLAIM) or needs_move(claim, say("the point (h8)"), CLAIM)
    if refusal is not None:
        return refusal
    assert claim.move is not None
    renju = cast(RenjuGame, claim.position)
    if claim.side != renju.holder("white"):
        detail = say(
            "forbidden moves apply to Black, played by {side}; only White can point them out",
            side=term(claim.side or "black"),
        )
        return Refusal("rule", "own-stone", detail, CLAIM, "side")
    verdict = renju.claim(claim.move)
    if isinstance(verdict, IllegalMove):
        return ClaimVerdict(False, verdict.article, (verdict.ground,) if verdict.ground else (), claim.move)
    return ClaimVerdict(True, verdict.article, (ground("was_forbidden", point=claim.move),), claim.move, end=verdict)


CLAIMS = (Claim("forbidden_point", forbidden_point),)


RENJU = BoardGame(
    name="renju",
    passing="pass",
    start=RenjuGame,
    set_up=make_set_up(RenjuGame),
    default_rules=default_rules,
    turn="000-A 五子棋, A",
    resignation="004 3.1 (8) ②",
    agreement="004 3.1 (9)",
    offering="004 3.1 (9)",
    steps=(
        *CLOCK_STEPS,
        Step("guess", say("guesses")),
        Step("opening", say("names the opening")),
        Step("swap", say("swaps the colours"), is_ply=True),
        Step("keep", say("keeps the colours")),
        Step("offer_fifth", say("offers the fifth stones"), is_ply=True),
        Step("choose_fifth", say("keeps the fifth stone"), places=True),
    ),
    claims=CLAIMS,
)
