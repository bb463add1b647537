"""Restrictions that the tournament office adds to the regulations: forbidden pairs and fixed boards.

A fixed board is for a player who cannot move.
"""

from collections import Counter

from services.pairing.rules.commands import FixBoard, ForbidPairs
from services.pairing.rules.withdrawals import entry_present
from shared.core.events import Decision
from shared.core.language.messages import say, term
from shared.core.rounds.matches import teams_meet
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def forbid(t: Tournament, c: ForbidPairs) -> Decision | Refusal:
    """Set all pairs that may not meet from here on. Pairs of an earlier command are allowed again.

    Refusals: ``pairs-by-table``, ``no-pair``, ``unknown-player``, ``pair-twice``.
    """
    if not FORMATS[stage_now(t).format].paired_freely:
        detail = say("in the format {format}, a fixed table gives the opponents", format=term(stage_now(t).format))
        return Refusal("rule", "pairs-by-table", detail, where="pairs")
    for pair in c.event.pairs:
        if len(pair) != 2 or pair[0] == pair[1]:
            return Refusal("invalid", "no-pair", say("{pair}: a pair is two players", pair=tuple(pair)), where="pairs")
    unknown = sorted({p for pair in c.event.pairs for p in pair if p not in t.players})
    if unknown:
        named = tuple(unknown)
        return Refusal("unknown", "unknown-player", say("not entered: {named}", named=named), where="pairs")
    twice = [pair for pair, times in Counter(frozenset(pair) for pair in c.event.pairs).items() if times > 1]
    if twice:
        pairs = tuple(say("{first} and {second}", first=min(pair), second=max(pair)) for pair in twice)
        return Refusal("invalid", "pair-twice", say("named twice: {named}", named=pairs), where="pairs")
    return Decision((c.event,))


def fix_board(t: Tournament, c: FixBoard) -> Decision | Refusal:
    """Give a player a fixed board for all rounds to come, or remove it (0).

    Refusals: ``unknown-player``, ``player-left``, ``invalid-board``, ``board-taken``, ``boards-of-a-match``.
    """
    player = entry_present(t, c.event.player)
    if isinstance(player, Refusal):
        return player
    if teams_meet(t):
        detail = say("the boards of a match stand together: order the teams instead")
        return Refusal("rule", "boards-of-a-match", detail, where="board")
    if c.event.board < 0:
        return Refusal("invalid", "invalid-board", say("invalid board {board}", board=c.event.board), where="board")
    holder = next((p for p, n in t.fixed_boards.items() if n == c.event.board and p != c.event.player), None)
    if holder is not None:
        return Refusal(
            "rule", "board-taken", say("board {board} is {holder}'s", board=c.event.board, holder=holder), where="board"
        )
    return Decision((c.event,))
