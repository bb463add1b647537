"""The absolute rules, checked on every pairing whoever made it (C.04.1, C.04.3 C1-C3)."""

from collections import Counter
from dataclasses import dataclass

from services.pairing.rules.position import Seat, position, seated
from shared.events import Board, ByeSeat
from shared.terms import PlayerId
from shared.tournament import Tournament

SEATED_ONCE = "seated-once"
"""The one rule that nobody may set aside: a player has one seat, and only who is there has one."""
OVERRIDABLE = ("rematch", "bye-eligibility", "bye-count", "colours", "unseated")


@dataclass(frozen=True, slots=True)
class Violation:
    """An absolute rule broken: its slug, by whose seats, and how."""

    rule: str
    players: tuple[PlayerId, ...]
    detail: str
    article: str


def violations(
    t: Tournament, round: int, boards: tuple[Board, ...], byes: tuple[ByeSeat, ...]
) -> tuple[Violation, ...]:
    """What a pairing of ``round`` breaks, judged on the rounds before it.

    Of formats other than the Swiss only the seats are judged: there meetings may be
    repeated and not everybody need play.
    """
    assert t.announced is not None
    allocated = tuple(s.player for s in byes if s.kind == "U")
    found = _seats(t, round, boards, byes)
    if t.announced.format != "swiss":
        return found
    seats = {s.player: s for s in position(t, round, "white").seats}
    found += _unseated(seats, boards, byes) + _byes(seats, allocated)
    for board in boards:
        white, black = seats.get(board.white), seats.get(board.black)
        if white is not None and black is not None and white is not black:
            found += _rematch(white, black) + _colours(t, white, black)
    return found


def _seats(t: Tournament, round: int, boards: tuple[Board, ...], byes: tuple[ByeSeat, ...]) -> tuple[Violation, ...]:
    """Nobody twice, nobody unknown, nobody who is not there."""
    taken = Counter([p for b in boards for p in (b.white, b.black)] + [s.player for s in byes])
    present = {p.player for p in seated(t, round)}
    asked = {s.player for s in byes if s.kind != "U"}
    found = []
    for player, times in taken.items():
        if player not in t.players:
            found.append(Violation(SEATED_ONCE, (player,), f"{player} is not entered", "C.04.1"))
        elif player not in present | asked:
            found.append(Violation(SEATED_ONCE, (player,), f"{player} is not present in round {round}", "C.04.1"))
        if times > 1:
            found.append(Violation(SEATED_ONCE, (player,), f"{player} has {times} seats", "C.04.1"))
    return tuple(found)


def _unseated(
    seats: dict[PlayerId, Seat], boards: tuple[Board, ...], byes: tuple[ByeSeat, ...]
) -> tuple[Violation, ...]:
    taken = {p for b in boards for p in (b.white, b.black)} | {s.player for s in byes}
    return tuple(
        Violation("unseated", (p,), f"{p} is present and has no seat", "C.04.1") for p in seats if p not in taken
    )


def _byes(seats: dict[PlayerId, Seat], allocated: tuple[PlayerId, ...]) -> tuple[Violation, ...]:
    """One bye where the number is odd, none where it is even; never to who had one or won unplayed (C2)."""
    found = []
    if len(allocated) > len(seats) % 2:
        detail = f"{len(allocated)} pairing-allocated byes for {len(seats)} present"
        found.append(Violation("bye-count", allocated, detail, "C.04.1"))
    for player in allocated:
        if player in seats and seats[player].bye_barred:
            detail = f"{player} had a pairing-allocated bye or a win's points unplayed already"
            found.append(Violation("bye-eligibility", (player,), detail, "C.04.3 C2"))
    return tuple(found)


def _rematch(white: Seat, black: Seat) -> tuple[Violation, ...]:
    """Only games played count as a meeting: a forfeited pair may meet again (C1)."""
    if black.player not in white.met:
        return ()
    pair = (white.player, black.player)
    return (Violation("rematch", pair, f"{pair[0]} and {pair[1]} have met", "C.04.3 C1"),)


def _colours(t: Tournament, white: Seat, black: Seat) -> tuple[Violation, ...]:
    """Colour difference and same colours in a row; in the last round a topscorer's board is excused (C3)."""
    assert t.regulations is not None
    if white.topscorer or black.topscorer:
        return ()
    limits = t.regulations.pairing
    found = []
    for seat, colour in ((white, "w"), (black, "b")):
        colours = seat.colours + colour
        difference = abs(colours.count("w") - colours.count("b"))
        in_a_row = len(colours) - len(colours.rstrip(colour))
        if difference > limits.max_colour_difference:
            detail = f"{seat.player} would have a colour difference of {difference}"
            found.append(Violation("colours", (seat.player,), detail, "C.04.1"))
        if in_a_row > limits.max_same_colour:
            detail = f"{seat.player} would have the same colour {in_a_row} times in a row"
            found.append(Violation("colours", (seat.player,), detail, "C.04.1"))
    return tuple(found)
