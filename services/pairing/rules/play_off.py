"""A play-off 加赛 for places that may not be shared (002-X 15.6): games without points that only separate equal sides."""

from collections.abc import Sequence

from services.pairing.rules.commands import PairPlayOff
from services.pairing.rules.engines.fide_dutch import unfinished_games
from services.pairing.rules.formats.manual import pair_manually
from services.pairing.rules.sides.seating import Seats
from shared.core.events import Decision, RoundPaired
from shared.core.language.messages import say
from shared.core.readings.settlement import refuse_outdated
from shared.core.rounds.rounds_to_come import is_stage_over
from shared.core.rounds.stages import begun_stages, stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF, PlayerId, Refusal

ARTICLE = "002-X 15.6"


def pair(t: Tournament, c: PairPlayOff) -> Decision | Refusal:
    """Decide a play-off: the given boards, as a round after the last one. Earlier opponents may meet again.

    Refusals: ``reason-missing``, ``empty-pairing``, ``no-play-off`` if places are decided by matches, ``rounds-left``,
    ``basis-outdated``, ``round-unfinished``, ``absolute-rule`` for a player seated twice or absent.
    """
    round = t.rounds_paired() + 1
    if c.reason is None:
        return Refusal("invalid", "reason-missing", say("a play-off requires a reason"), where="reason")
    if not c.boards:
        return Refusal("invalid", "empty-pairing", say("a play-off seats somebody"), where="boards")
    return refuse_boards(t, c.boards) or Decision((_pairing(t, round, c),))


def refuse_boards(t: Tournament, boards: Sequence[Seats]) -> Refusal | None:
    """Return why these boards cannot be a play-off now, or None. The codes are those of `pair`."""
    return refuse_early(t) or _refuse_seats(t, boards)


def may_play(t: Tournament, player: PlayerId) -> bool:
    """Return whether a player may be seated in a play-off now: entered, and neither withdrawn nor barred."""
    round = t.rounds_paired() + 1
    if t.removals_lapse():
        return player in t.players and t.may_play(player, round)
    return player in t.players and t.absence(player, round) is None


def refuse_early(t: Tournament) -> Refusal | None:
    """Return why equal sides cannot be separated by a play-off or lots yet, or None.

    Refusals: ``no-play-off`` if matches decide the places, ``rounds-left``, ``basis-outdated``, ``round-unfinished``.
    """
    round, last = t.rounds_paired() + 1, t.announced.rounds
    if FORMATS[stage_now(t).format].winner_needed:
        return Refusal(
            "rule",
            "no-play-off",
            say("a play-off or a lot cannot decide places, because in this tournament extra games of the match decide"),
            ARTICLE,
        )
    if (
        round <= last
        or len(begun_stages(t)) < len(t.regulations.stages)
        or (t.regulations.stages and not is_stage_over(t))
    ):
        return Refusal(
            "rule",
            "rounds-left",
            say(
                "all rounds of the tournament must be paired first; {round} of {last} have been",
                round=round - 1,
                last=last,
            ),
            ARTICLE,
        )
    return refuse_outdated(t, table_of=round - 1) or unfinished_games(t, round)


def _pairing(t: Tournament, round: int, c: PairPlayOff) -> RoundPaired:
    seats = pair_manually(t, round, c.boards, None, None)
    assert not isinstance(seats, Refusal), "without a bye and a bracket nothing is refused"
    return RoundPaired(round, len(t.pairings) + 1, seats.boards, reason=c.reason, stage=PLAY_OFF, matches=seats.matches)


def _refuse_seats(t: Tournament, boards: Sequence[Seats]) -> Refusal | None:
    seats = [player for pair in boards for player in pair]
    wrong = sorted({p for p in seats if not may_play(t, p) or seats.count(p) > 1})
    if not wrong:
        return None
    named = tuple(wrong)
    return Refusal(
        "rule",
        "absolute-rule",
        say("each player must be present and be seated once; not so: {named}", named=named),
        ARTICLE,
        where="boards",
    )
