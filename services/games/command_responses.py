"""The own members of answers to commands on games."""

from collections.abc import Mapping, Sequence
from typing import Literal

from services.games import answers
from services.games.responses import read_out
from services.games.rules.boards.port.position import SIDES
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.state.grounds import lines_of
from shared.core.terms import Seconds, Side
from shared.http.commands.write_routes import Submission

AWAITS_ARBITER = say("no sheet shows it; an arbiter upholds or denies it")
AWAITS_CONFIRMATION = say("it counts once it is confirmed in time")


def game_written(events: Sequence[ev.Event], sent: Submission) -> answers.GameWrittenAnswer:
    """Return the game that a command wrote on."""
    return answers.GameWrittenAnswer(sent.ids["g"])


def claim_decision(events: Sequence[ev.Event], sent: Submission) -> answers.ClaimDecisionAnswer:
    """Return a claim after a command on it: its ID, ``state``, article, grounds, the moves due, and the readings that the
    clocks are set to (null: unchanged, or unknown)."""
    g: str = sent.ids["g"]
    data = [e.data for e in events]
    decision = next((d for d in data if isinstance(d, ev.ClaimDecided)), None)
    if decision is not None:
        grounds = lines_of(decision.grounds)
        return _decided(
            g,
            decision.id,
            "upheld" if decision.upheld else "denied",
            decision.article,
            grounds,
            decision.due,
            decision.clocks,
        )
    pending = next((d for d in data if isinstance(d, ev.ClaimPending)), None)
    if pending is not None:
        return _decided(g, pending.claim, "pending", pending.article, (AWAITS_ARBITER,))
    made = next(d for d in data if isinstance(d, ev.ClaimMade))
    return _decided(g, made.id, "pending", None, (AWAITS_CONFIRMATION,))


def _decided(
    game: str,
    claim: str,
    state: Literal["upheld", "denied", "pending"],
    article: str | None,
    grounds: Sequence[Message],
    due: Sequence[str] = (),
    clocks: Mapping[Side, Seconds] | None = None,
) -> answers.ClaimDecisionAnswer:
    shown = answers.ClocksAnswer(**{side: (clocks or {}).get(side) for side in SIDES})
    return answers.ClaimDecisionAnswer(game, claim or None, state, article, read_out(grounds), due, shown)
