"""Arrangements of the tournament office for rounds to come: forbidden pairs, fixed boards, and acceleration (C.04.7).

A fixed board is for a player who cannot move. Acceleration adds virtual points when a Dutch Swiss is paired.
"""

from collections import Counter

from services.pairing.rules.commands import FixBoard, ForbidPairs, GiveVirtualPoints
from services.pairing.rules.entries.entry_lookup import entry_present, refuse_unentered
from services.pairing.rules.formats.swiss import pairs_by_points
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
        detail = say(
            "forbidden pairs have no effect in the format {format}, because a fixed table gives the opponents",
            format=term(stage_now(t).format),
        )
        return Refusal("rule", "pairs-by-table", detail, where="pairs")
    for pair in c.event.pairs:
        if len(pair) != 2 or pair[0] == pair[1]:
            return Refusal(
                "invalid",
                "no-pair",
                say("a forbidden pair must list two different players, not {pair}", pair=tuple(pair)),
                where="pairs",
            )
    refusal = refuse_unentered(t, (p for pair in c.event.pairs for p in pair), "pairs")
    if refusal is not None:
        return refusal
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
        detail = say("the boards of a match have consecutive numbers: order the teams instead")
        return Refusal("rule", "boards-of-a-match", detail, where="board")
    if c.event.board < 0:
        return Refusal("invalid", "invalid-board", say("invalid board {board}", board=c.event.board), where="board")
    holder = next((p for p, n in t.fixed_boards.items() if n == c.event.board and p != c.event.player), None)
    if holder is not None:
        detail = say("board {board} is {holder}'s", board=c.event.board, holder=holder)
        return Refusal("rule", "board-taken", detail, where="board")
    return Decision((c.event,))


def give_points(t: Tournament, c: GiveVirtualPoints) -> Decision | Refusal:
    """Decide all virtual points from here on. They replace those of an earlier command.

    Refusals: ``not-accelerated``, ``unknown-player``, ``rounds-reversed``, ``points-twice``.
    """
    if stage_now(t).format != "swiss" or pairs_by_points(t.regulations, t.announced.conditions):
        detail = say("virtual points are possible only in a Swiss tournament by the Dutch system")
        return Refusal("rule", "not-accelerated", detail, "C.04.7", where="given")
    refusal = refuse_unentered(t, (v.player for v in c.event.given), "given")
    if refusal is not None:
        return refusal
    reversed_ = next((v for v in c.event.given if v.last < v.first), None)
    if reversed_ is not None:
        detail = say("invalid range of rounds: {first} to {last}", first=reversed_.first, last=reversed_.last)
        return Refusal("invalid", "rounds-reversed", detail, where="given")
    times = Counter((v.player, round) for v in c.event.given for round in range(v.first, v.last + 1))
    twice = next((one for one, count in times.items() if count > 1), None)
    if twice is not None:
        detail = say("player {player} is given points twice in round {round}", player=twice[0], round=twice[1])
        return Refusal("invalid", "points-twice", detail, where="given")
    return Decision((c.event,))
