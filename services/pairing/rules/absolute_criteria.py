"""The absolute rules, checked on every pairing, whether an engine or a person made it (C.04.1, C.04.3 C1-C3)."""

from collections import Counter
from dataclasses import dataclass

from services.pairing.rules.engine_adapters.record import PairingInput, PlayerRecord
from services.pairing.rules.pairing_input import colour_record, input_of, players_to_seat
from services.pairing.rules.sides.stages import FINALS
from shared.core.events import Board, ByeSeat
from shared.core.language.messages import Message, in_turn, say
from shared.core.readings.removal_refusals import barred_words
from shared.core.readings.team_scoring import team_scores
from shared.core.rounds.matches import plays, team_of, teams_meet
from shared.core.rounds.stages import rounds_of_a_match, stage_named
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId

SEATED_ONCE = "seated-once"
"""The only rule that cannot be overridden: a player has one seat, and only present players have one."""
OVERRIDABLE = ("rematch", "forbidden-pair", "bye-eligibility", "bye-count", "colours", "unseated")


@dataclass(frozen=True, slots=True)
class Violation:
    """A breach of an absolute rule by a pairing. ``rule``: its code, such as ``rematch``. ``detail``: the breach in words."""

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
    start: PairingInput | None = None,
) -> tuple[Violation, ...]:
    """Return the absolute rules that a pairing of ``round`` breaks, judged on the rounds before it.

    - Players, paired freely (a Swiss, or a format paired by hand): all rules; colour limits only in the Dutch system.
    - Players, paired by hand in a format with a table or a bracket: seats, rematches and forbidden pairs.
    - Teams that meet: seats and rematches.
    - A pairing ``drawn`` by a table, a bracket or an earlier game of the match, or by hand if the regulations do not
      bind it to such a format: seats only.

    Seats: no player is unknown, absent or seated twice. ``stage``: the name of the stage ("" without stages).
    ``start``: the players' records before the round, if they are known.
    """
    broken = _seats(t, round, boards, byes, stage, drawn)
    traits = FORMATS[stage_named(t, stage).format]
    if drawn or not (is_bound_by_format(t) or traits.paired_freely):
        return broken
    if teams_meet(t):
        return broken + _team_rematches(t, round, boards, stage)
    seats = {s.player: s for s in (start or input_of(t, round, "white")).players}
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
    """Return whether a pairing by hand must follow the format: if the regulations say so, and always with stages."""
    return t.regulations.pairing.by_hand == "format" or bool(t.regulations.stages)


def describe(broken: tuple[Violation, ...]) -> Message:
    """Return one message about these breaches of absolute rules: the code of each rule, and what is wrong."""
    return in_turn(say("{rule}: {detail}", rule=v.rule, detail=v.detail) for v in broken)


def _seats(
    t: Tournament, round: int, boards: tuple[Board, ...], byes: tuple[ByeSeat, ...], stage: str, drawn: bool
) -> tuple[Violation, ...]:
    """Return the players who are unknown, absent or seated twice. ``stage`` and ``drawn`` as in `violations`."""
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
    detail = say(
        "{player} must not be seated, because they are not present in round {round}", player=player, round=round
    )
    removal = t.removal_from_round(player, round) if t.removals_lapse() else None
    if removal is None:
        return Violation(SEATED_ONCE, (player,), detail, "C.04.1")
    return Violation(SEATED_ONCE, (player,), in_turn((detail, barred_words(t, removal))), removal.article)


def _may_be_seated(t: Tournament, round: int, stage: str, drawn: bool) -> set[PlayerId]:
    """Return the players who may have a seat in ``round``: those who are entered, present and not barred.

    If a table or a bracket has ``drawn`` the pairing, and in matches of teams, barred players keep their seats and
    lose the game, and so do withdrawn players whose games are forfeited.
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
        Violation("unseated", (p,), say("{p} is present and must have a seat or a bye, but has neither", p=p), "C.04.1")
        for p in seats
        if p not in taken
    )


def _byes(seats: dict[PlayerId, PlayerRecord], allocated: tuple[PlayerId, ...]) -> tuple[Violation, ...]:
    """Return the breaches by pairing-allocated byes (C2). ``seats``: the present players; ``allocated``: those with a bye.

    If the number of present players is odd, one bye is allowed, otherwise none. A player who already had such a bye, or
    a win's points without playing, is not eligible.
    """
    broken = []
    if len(allocated) > len(seats) % 2:
        detail = say(
            "{allocated} pairing-allocated byes are assigned, but {seats} are present: one bye is "
            "due if their number is odd, otherwise none",
            allocated=len(allocated),
            seats=len(seats),
        )
        broken.append(Violation("bye-count", allocated, detail, "C.04.1"))
    for player in allocated:
        if player in seats and seats[player].bye_barred:
            detail = say(
                "{player} must not have the bye: they already had one, or the points of a win without playing",
                player=player,
            )
            broken.append(Violation("bye-eligibility", (player,), detail, "C.04.3 C2"))
    return tuple(broken)


def _rematch(t: Tournament, white: PlayerRecord, black: PlayerRecord, stage: str) -> tuple[Violation, ...]:
    """Return the breach if these players have already met as often as the ``stage`` allows, else ``()``.

    Only played games count, so players may meet again after a forfeit (C1).
    """
    if white.met.count(black.player) < _games_allowed(t, stage):
        return ()
    pair = (white.player, black.player)
    return (
        Violation(
            "rematch",
            pair,
            say("{pair} and {pair2} have already met as often as this stage allows", pair=pair[0], pair2=pair[1]),
            "C.04.3 C1",
        ),
    )


def _forbidden(t: Tournament, white: PlayerRecord, black: PlayerRecord) -> tuple[Violation, ...]:
    pair = min(white.player, black.player), max(white.player, black.player)
    if pair not in t.forbidden:
        return ()
    detail = say("{pair} and {pair2} must not be paired, because this pair was forbidden", pair=pair[0], pair2=pair[1])
    return (Violation("forbidden-pair", pair, detail, "C.04.2"),)


def _team_rematches(t: Tournament, round: int, boards: tuple[Board, ...], stage: str) -> tuple[Violation, ...]:
    teams = team_of(t)
    strangers = tuple(
        Violation(
            SEATED_ONCE,
            (b.white, b.black),
            say(
                "{white} and {black} must not meet: a board needs players of two different teams",
                white=b.white,
                black=b.black,
            ),
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
        Violation(
            "rematch",
            (),
            say("teams {p} and {p2} have already met as often as this stage allows", p=min(p), p2=max(p)),
            "C.04.6",
        )
        for p in sorted(pairs, key=sorted)
        if met[p] * games >= _games_allowed(t, stage)
    )


def _games_allowed(t: Tournament, stage: str) -> int:
    """Return the number of games after which two sides must not meet again in a stage.

    It is 1. In a format with two cycles, and in finals or a later stage after an earlier meeting, it is the number of
    games of all their matches.
    """
    rule = stage_named(t, stage)
    finals = (stage == FINALS and not t.announced.conditions.carried) or rule in t.regulations.stages[1:]
    cycles = max(FORMATS[rule.format].cycles, 2 if finals else 1)
    return rounds_of_a_match(t, stage) * cycles if cycles > 1 else 1


def _colours(t: Tournament, white: PlayerRecord, black: PlayerRecord) -> tuple[Violation, ...]:
    """Return the breaches of the ruleset's limits of colour difference and of games in a row with the same colour.

    In the last round, a board with a topscorer (more than half of the possible points) is exempt (C3).
    """
    if white.topscorer or black.topscorer:
        return ()
    limits = t.regulations.pairing
    broken = []
    for seat, colour in ((white, "w"), (black, "b")):
        difference, in_a_row = colour_record(seat.colours + colour)
        if difference > limits.max_colour_difference:
            detail = say(
                "{player} must not have a colour difference of {difference}", player=seat.player, difference=difference
            )
            broken.append(Violation("colours", (seat.player,), detail, "C.04.1"))
        if in_a_row > limits.max_same_colour:
            detail = say(
                "{player} must not have the same colour {in_a_row} times in a row",
                player=seat.player,
                in_a_row=in_a_row,
            )
            broken.append(Violation("colours", (seat.player,), detail, "C.04.1"))
    return tuple(broken)
