"""Go 围棋: all that generic code asks of the game."""

from services.games.rules.boards.go.claims import CLAIMS
from services.games.rules.boards.go.default_rules import default_rules
from services.games.rules.boards.go.set_up import set_up
from services.games.rules.boards.go.sheet_position import GoGame
from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from shared.core.language.messages import say

GO = BoardGame(
    name="go",
    passing="PASS",
    start=GoGame,
    set_up=set_up,
    default_rules=default_rules,
    clock_fault="000-E 围棋 5(5)",
    turn="000-A 围棋, 违例 4",
    resignation="000-A 围棋: house, no article tells how a game is resigned",
    agreement="000-A 围棋: house, no article tells how a draw is agreed",
    offering="000-A 围棋, 违例 6, 7",
    reasons={"takes_back": "000-A 围棋, 行棋 2", "scattered": "000-A 围棋, 行棋 3"},
    steps=(
        *CLOCK_STEPS,
        Step("confirm_end", say("confirms the end")),
        Step("dead", say("calls dead")),
        Step("dispute", say("disputes what was called dead")),
        Step("correct_colours", say("the colours are put right"), act="take moves back", permanent=True),
        Step("give_up", say("gives up the contest on the board")),
        Step("settle", say("the board is settled; dead"), act="settle boundaries"),
        Step("lose_turn", say("loses the turn"), is_ply=True, commanded=False, places=True),
    ),
    claims=CLAIMS,
)
