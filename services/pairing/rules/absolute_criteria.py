"""The absolute rules, checked on every pairing, whether an engine or a person made it (C.04.1, C.04.3 C1-C3)."""

from collections import Counter
from dataclasses import dataclass

from services.pairing.rules.engine_adapters.record import PlayerRecord
from services.pairing.rules.pairing_input import colour_record, input_of, players_to_seat
from services.pairing.rules.sides.stages import FINALS
from shared.core.events import Board, ByeSeat
from shared.core.language.messages import Message, in_turn, say
from shared.core.readings.removal_refusals import barred_words
from shared.core.readings.team_scoring import team_scores
from shared.core.rounds.matches import plays, rounds_of_a_match, team_of, teams_meet
from shared.core.rounds.stages import stage_named
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId

SEATED_ONCE = "seated-once"
"""The only rule that cannot be overridden: a player has one seat, and only present players have one."""
OVERRIDABLE = ("rematch", "forbidden-pair", "bye-eligibility", "bye-count", "colours", "unseated")


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken absolute rule: its slug, the players concerned, and what is wrong."""

    rule: str
    players: tuple[PlayerId, ...]
    detail: Message
    article: str


def violations(
    t: Tournament,
    round: int,
    boards: tuple[Board, ...],
    byes: tuple[ByeSeat, ...],
    *,
    stage: str = "",
    drawn: bool = False,
) -> tuple[Violation, ...]:
    """Return the absolute criteria that a pairing of ``round`` breaks, judged on the rounds before it.

    - Swiss, and formats without a pairing procedure: all criteria. Colour limits apply only to the FIDE Dutch system.
    - Team event or round robin, paired manually: the seats, and earlier meetings in the ``stage``.
    - A pairing ``drawn`` from a table or a bracket, or the second of two games: the seats only.
    """
    broken = _seats(t, round, boards, byes, stage, drawn)
    traits = FORMATS[stage_named(t, stage).format]
    if drawn or not (is_bound_by_format(t) or traits.paired_freely):
        return broken
    if teams_meet(t):
        return broken + _team_rematches(t, round, boards, stage)
    seats = {s.player: s for s in input_of(t, round, "white").players}
    judged = traits.paired_freely
    if judged:
        broken += _unseated_players(seats, boards, byes) + _byes(seats, tuple(s.player for s in byes if s.kind == "U"))
    for board in boards:
        white, black = seats.get(board.white), seats.get(board.black)
        if white is not None and black is not None and white is not black:
            broken += _rematch(t, white, black, stage) + _forbidden(t, white, black)
            if judged and t.regulations is not None and t.regulations.pairing.system == "dutch":
                broken += _colours(t, white, black)
    return broken


def is_bound_by_format(t: Tournament) -> bool:
    """Return whether a pairing by hand is bound by its format: if the regulations in force say so, and always with stages."""
    return t.regulations.pairing.by_hand == "format" or bool(t.regulations.stages)


def describe(broken: tuple[Violation, ...]) -> Message:
    """Return the broken rules in one sentence."""
    return in_turn(say("{rule}: {detail}", rule=v.rule, detail=v.detail) for v in broken)


def _seats(
    t: Tournament, round: int, boards: tuple[Board, ...], byes: tuple[ByeSeat, ...], stage: str, drawn: bool
) -> tuple[Violation, ...]:
    """Return the violations of seats: players seated twice, unknown players and absent players."""
    taken = Counter([p for b in boards for p in (b.white, b.black)] + [s.player for s in byes])
    present = _may_be_seated(t, round, stage, drawn) | {
        s.player for s in byes if (s.player, round) in t.byes and s.kind != "U"
    }
    broken = []
    for player, times in taken.items():
        if player not in t.players:
            broken.append(Violation(SEATED_ONCE, (player,), say("{player} is not entered", player=player), "C.04.1"))
        elif player not in present:
            broken.append(_not_present(t, player, round))
        if times > 1:
            broken.append(
                Violation(
                    SEATED_ONCE, (player,), say("{player} has {times} seats", player=player, times=times), "C.04.1"
                )
            )
    return tuple(broken)


def _not_present(t: Tournament, player: PlayerId, round: int) -> Violation:
    """Return the violation that an absent player is seated in this round.

    Its article is that of the ruling that removed the player from the round, if any, else C.04.1.
    """
    detail = say("{player} is not present in round {round}", player=player, round=round)
    removal = t.removal_from_round(player, round) if t.removals_lapse() else None
    if removal is None:
        return Violation(SEATED_ONCE, (player,), detail, "C.04.1")
    return Violation(SEATED_ONCE, (player,), in_turn((detail, barred_words(t, removal))), removal.article)


def _may_be_seated(t: Tournament, round: int, stage: str, drawn: bool) -> set[PlayerId]:
    """Return the players who may have a seat.

    In a pairing drawn before, and in a team, a barred player keeps the seat and loses the game.
    """
    if not is_bound_by_format(t) or (
        FORMATS[stage_named(t, stage).format].paired_freely and not drawn and not teams_meet(t)
    ):
        return {p.player for p in players_to_seat(t, round)}
    return {p for p, entry in t.players.items() if entry.first_round <= round and plays(t, round, p)}


def _unseated_players(
    seats: dict[PlayerId, PlayerRecord], boards: tuple[Board, ...], byes: tuple[ByeSeat, ...]
) -> tuple[Violation, ...]:
    taken = {p for b in boards for p in (b.white, b.black)} | {s.player for s in byes}
    return tuple(
        Violation("unseated", (p,), say("{p} is present and has no seat", p=p), "C.04.1")
        for p in seats
        if p not in taken
    )


def _byes(seats: dict[PlayerId, PlayerRecord], allocated: tuple[PlayerId, ...]) -> tuple[Violation, ...]:
    """Return the violations of byes (C2).

    If the number of players is odd, one bye is allowed, otherwise none. A player who had a bye or a win's points
    unplayed is not eligible.
    """
    broken = []
    if len(allocated) > len(seats) % 2:
        detail = say(
            "{allocated} pairing-allocated byes for {seats} present", allocated=len(allocated), seats=len(seats)
        )
        broken.append(Violation("bye-count", allocated, detail, "C.04.1"))
    for player in allocated:
        if player in seats and seats[player].bye_barred:
            detail = say("{player} had a pairing-allocated bye or a win's points unplayed already", player=player)
            broken.append(Violation("bye-eligibility", (player,), detail, "C.04.3 C2"))
    return tuple(broken)


def _rematch(t: Tournament, white: PlayerRecord, black: PlayerRecord, stage: str) -> tuple[Violation, ...]:
    """Return the violation of a second meeting. Only played games count, so a forfeited pair may meet again (C1)."""
    if white.met.count(black.player) < _games_allowed(t, stage):
        return ()
    pair = (white.player, black.player)
    return (
        Violation(
            "rematch",
            pair,
            say("{pair} and {pair2} have already met, and players must not meet twice", pair=pair[0], pair2=pair[1]),
            "C.04.3 C1",
        ),
    )


def _forbidden(t: Tournament, white: PlayerRecord, black: PlayerRecord) -> tuple[Violation, ...]:
    pair = min(white.player, black.player), max(white.player, black.player)
    if pair not in t.forbidden:
        return ()
    detail = say("{pair} and {pair2} are not to be paired", pair=pair[0], pair2=pair[1])
    return (Violation("forbidden-pair", pair, detail, "C.04.2"),)


def _team_rematches(t: Tournament, round: int, boards: tuple[Board, ...], stage: str) -> tuple[Violation, ...]:
    teams = team_of(t)
    strangers = tuple(
        Violation(
            SEATED_ONCE,
            (b.white, b.black),
            say("{white} and {black} are not of two teams", white=b.white, black=b.black),
            "002-X 12",
        )
        for b in boards
        if len({teams.get(b.white, 0), teams.get(b.black, 0)} - {0}) < 2
    )
    records = team_scores(t, round - 1).values()
    met = Counter(
        frozenset((s.team, r.opponent)) for s in records for r in s.rounds if r.kind == "played" and s.team < r.opponent
    )
    pairs = {frozenset((teams.get(b.white, 0), teams.get(b.black, 0))) for b in boards}
    games = rounds_of_a_match(t, stage)
    return strangers + tuple(
        Violation("rematch", (), say("teams {p} and {p2} have met", p=min(p), p2=max(p)), "C.04.6")
        for p in sorted(pairs, key=sorted)
        if met[p] * games >= _games_allowed(t, stage)
    )


def _games_allowed(t: Tournament, stage: str) -> int:
    """Return how many games between two sides rule out another one.

    It is 1, and more only with a second cycle, or in finals or later stages of their own.
    """
    rule = stage_named(t, stage)
    finals = (stage == FINALS and not t.announced.conditions.carried) or rule in t.regulations.stages[1:]
    cycles = max(FORMATS[rule.format].cycles, 2 if finals else 1)
    return rounds_of_a_match(t, stage) * cycles if cycles > 1 else 1


def _colours(t: Tournament, white: PlayerRecord, black: PlayerRecord) -> tuple[Violation, ...]:
    """Return the violations of colour difference and of same colours in a row.

    In the last round, a topscorer's board is exempt (C3).
    """
    if white.topscorer or black.topscorer:
        return ()
    limits = t.regulations.pairing
    broken = []
    for seat, colour in ((white, "w"), (black, "b")):
        difference, in_a_row = colour_record(seat.colours + colour)
        if difference > limits.max_colour_difference:
            detail = say(
                "{player} would have a colour difference of {difference}", player=seat.player, difference=difference
            )
            broken.append(Violation("colours", (seat.player,), detail, "C.04.1"))
        if in_a_row > limits.max_same_colour:
            detail = say(
                "{player} would have the same colour {in_a_row} times in a row", player=seat.player, in_a_row=in_a_row
            )
            broken.append(Violation("colours", (seat.player,), detail, "C.04.1"))
    return tuple(broken)
