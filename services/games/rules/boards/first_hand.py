"""The first hand 先后手 of renju and gomoku: a guess at hidden stones gives each seat its colour."""

from services.games.rules.boards.port.position import IllegalMove, LegalStep, Seats, not_due
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import FirstHand
from shared.core.terms import Side, other

MOST_STONES = 225
"""Number of points of the board."""
ARTICLES: dict[FirstHand, str] = {
    "as_paired": "house: colours are as they were paired",  # prose: ok: recorded in logs
    "white_grabs": "000-B 3",
    "either_grabs": "000-E 五子棋, 1",
    "both_grab": "004 3.2: 猜先",
}
_ODD_OR_EVEN = say("a guess must be odd or even, followed by the number of stones grabbed, at least 1")


def guess(rule: FirstHand, seats: Seats, side: Side, values: tuple[str, ...]) -> tuple[LegalStep, Seats] | IllegalMove:
    """Return the guess of ``side`` as a step before the first stone, and the seats with the colours that result.

    ``rule``: the ruleset's form of guessing. ``values``: ``odd`` or ``even``, and the number of stones that the
    opponent holds hidden. If both sides hide stones, ``values`` are Black's number and White's. If the guess is not
    possible, the result is the reason.
    """
    article = ARTICLES[rule]
    if rule == "as_paired":
        return IllegalMove(say("colours are not guessed in this tournament: the pairing assigns them"), article)
    if rule == "both_grab":
        return _difference(seats, values, article)
    if rule == "white_grabs" and side != "black":
        return not_due(side, "black", say("guessing"), article)
    match values:
        case ["odd" | "even" as word, number] if _is_stone_count(number):
            right = (int(number) % 2 == 1) == (word == "odd")
            black = side if right else other(side)
            return LegalStep((word, str(int(number)))), Seats(black == "white")
    return IllegalMove(_ODD_OR_EVEN, article)


def _difference(seats: Seats, values: tuple[str, ...], article: str) -> tuple[LegalStep, Seats] | IllegalMove:
    """Return the step and the seats if both sides hide stones: an odd difference of the numbers exchanges the colours.

    The rule text: 大数减小数,单数双方交换,偶数不换.
    """
    if len(values) != 2 or not all(_is_stone_count(number) for number in values):
        return IllegalMove(
            say("both sides grab stones: give the number of Black's stones and that of White's, each at least 1"),
            article,
        )
    one, two = (int(number) for number in values)
    return LegalStep((str(one), str(two))), seats.exchanged() if (one - two) % 2 else seats


def _is_stone_count(number: str) -> bool:
    return number.isascii() and number.isdigit() and len(number) <= 3 and 1 <= int(number) <= MOST_STONES
