"""The printed names of the members of closed sets in events and regulations: formats, facts, findings, claims.

Each set is one table here, with a message for each of its members. Standard library only.
"""

from collections.abc import Mapping
from typing import Any

from shared.core.events.games import FindingKind
from shared.core.events.sheets import Claim
from shared.core.language.messages import Message, say
from shared.core.readings.colours import Colours, seat_colour
from shared.core.rulebook.effects import FactName
from shared.core.rulebook.formats import Format
from shared.core.rulebook.game_rules import Settling
from shared.core.state.removals import REMOVAL
from shared.core.terms import ByeKind, Role, Side, TeamKind

GAMES: dict[str, Message] = {
    "xiangqi": say("xiangqi"),
    "chess": say("chess"),
    "go": say("Go"),
    "renju": say("renju"),
    "gomoku": say("gomoku"),
    "prediction": say("prediction gomoku"),
    "twentyone": say("twenty-one"),
}
"""The games that regulations have rules for. Any other game is printed by the name in its announcement."""
FORMATS: dict[Format, Message] = {
    "swiss": say("Swiss"),
    "round_robin": say("round robin"),
    "double_round_robin": say("double round robin"),
    "groups": say("groups"),
    "knockout": say("knockout"),
    "double_knockout": say("double knockout"),
    "match": say("match"),
    "manual": say("manual"),
    "teams": say("teams"),
}
TEAM_KINDS: dict[TeamKind, Message] = {
    "fixed": say("fixed boards"),
    "substitutes": say("fixed boards with substitutes"),
    "lineup": say("a line-up for each match"),
    "everybody": say("everybody meets everybody"),
    "members": say("the sum of the members"),
}
ROLES: dict[Role, Message] = {
    "organiser": say("organiser"),
    "chief_arbiter": say("chief arbiter"),
    "deputy_chief_arbiter": say("deputy chief arbiter"),
    "arbiter": say("arbiter"),
    "appeals": say("appeals committee"),
    "player": say("player"),
    "auditor": say("auditor"),
    "board": say("board device"),
    "rulebook": say("rulebook"),
}
BYES: dict[ByeKind, Message] = {
    "U": say("the pairing-allocated bye"),
    "F": say("a full-point bye"),
    "H": say("a half-point bye"),
    "Z": say("a zero-point bye"),
}
FACTS: dict[FactName, Message] = {
    "seconds_left": say("seconds left"),
    "missed_in_a_row": say("missed in a row"),
    "opponent_passed": say("opponent passed"),
    "opponent_moved": say("opponent moved"),
    "consent": say("consent"),
    "own_time": say("own time"),
    "repeated": say("repeated"),
    "grave": say("grave"),
    "by": say("done by"),
}
FINDINGS: dict[FindingKind, Message] = {
    "flag": say("flag"),
    "overrun": say("overrun"),
    "illegal_move": say("illegal move"),
    "forbidden_point": say("forbidden point"),
    "bad_sealed_move": say("bad sealed move"),
    "facing_generals": say("facing generals"),
    "false_claim": say("false claim"),
    "false_natural_limit": say("false natural limit"),
    "irregular_offer": say("irregular offer"),
    "consecutive_offer": say("consecutive offer"),
    "unmovable_touch": say("unmovable touch"),
    "uncapturable_touch": say("uncapturable touch"),
    "clock_gained": say("clock gained"),
}
CLAIMS: dict[Claim, Message] = {
    "resignation": say("resignation"),
    "flag": say("flag"),
    "threefold_repetition": say("threefold repetition"),
    "fifty_moves": say("fifty moves"),
    "repetition": say("repetition"),
    "natural_limit": say("natural limit"),
    "drawn_material": say("drawn material"),
    "forbidden_point": say("forbidden point"),
    "illegal_move": say("illegal move"),
    "time_up": say("time up"),
    "touch": say("touch"),
    "dead_position": say("dead position"),
}
PIECES: dict[str, Message] = {
    "Red": say("Red"),
    "Black": say("Black"),
    "White": say("White"),
    "First": say("First"),
    "Second": say("Second"),
}
"""The names of `Colours.pieces`."""
WINS: dict[str, Message] = {
    "Red": say("Red wins"),
    "Black": say("Black wins"),
    "White": say("White wins"),
    "First": say("the first side wins"),
    "Second": say("the second side wins"),
}
SETTLING: dict[Settling, Message] = {
    "guess": say("colours by guess"),
    "swap": say("colours by swap"),
    "prediction": say("colours by prediction"),
}
"""The labels of a seat on pages until its colour is settled."""
_NOT_RECORDED = say("colours not recorded")
COLUMNS: dict[Side, Message] = {"white": say("Left"), "black": say("Right")}
"""The columns of a table of boards: White's seat is on the left in every game."""
_COLUMN_WINS: dict[Side, Message] = {"white": say("left wins"), "black": say("right wins")}
COUNTERS: dict[str, Message] = {
    "foul": say("foul"),
    "violation": say("violation"),
    "technical_foul": say("technical foul"),
    "advice": say("advice"),
}
"""The counters that infractions of a rulebook increase."""
RUNGS: dict[str, Message] = {
    "third_foul": say("third foul"),
    "third_technical_foul": say("third technical foul"),
    "third_violation": say("third violation"),
    "second_illegal_move": say("second illegal move"),
    "repeated_disturbance": say("repeated disturbance"),
    REMOVAL: say("removed from the game"),
}
"""The steps of penalty ladders: the names of the penalties due at a number of infractions."""
UNITS: dict[str, Message] = {
    "points": say("points"),
    "seconds": say("seconds"),
    "plies": say("plies"),
    "rounds": say("rounds"),
    "moves": say("moves"),
}
"""The units of values of regulations, for `shared.regulations.description`."""


def display_name(table: Mapping[Any, Message], name: str) -> Message:
    """Return the printed name of a member of a closed set (``table``), or the name itself if the table lacks it."""
    return table.get(name) or say("{name}", name=name.replace("_", " "))


def seat_name(colours: Colours, seat: Side) -> Message:
    """Return the name of a seat: the colour that it holds now 红方, 黑方, 白方, or how the colour will be settled 猜先定色.

    After a result without it, the colours were not recorded 颜色未记录.
    """
    colour = seat_colour(seat, colours)
    return _unsettled(colours) if colour is None else PIECES[colours.piece(colour)]


def column_heading(colours: Colours, seat: Side) -> Message:
    """Return the heading of a seat's column. If the right one moves first, as in Go, the heading says so."""
    colour = seat_colour(seat, colours)
    if colour is None:
        return say("{column}, {colours}", column=COLUMNS[seat], colours=_unsettled(colours))
    name = PIECES[colours.piece(colour)]
    if seat == "black" and colour == colours.first:
        return say("{side}, moves first", side=name)
    return name


def _unsettled(colours: Colours) -> Message:
    """Return how the colours will be settled, or that they were not recorded before the result."""
    return _NOT_RECORDED if colours.over or colours.by is None else SETTLING[colours.by]


def win_words(colours: Colours, seat: Side) -> Message:
    """Return a seat's win in words: 红胜, 黑胜, 白胜; by its column until the colours are settled."""
    colour = seat_colour(seat, colours)
    return _COLUMN_WINS[seat] if colour is None else WINS[colours.piece(colour)]


def key_words(colours: Colours, seat: Side) -> Message:
    """Return the meaning of the key that enters a win of a seat: left or right wins, and the present colour."""
    colour = seat_colour(seat, colours)
    wins = _COLUMN_WINS[seat]
    return wins if colour is None else say("{wins} ({side})", wins=wins, side=PIECES[colours.piece(colour)])


def record_name(colours: Colours, side: Side) -> Message:
    """Return a side's name in a record of several games: its colour, or Left or Right if a swap or predictions settle colours."""
    return COLUMNS[side] if colours.by in ("swap", "prediction") else PIECES[colours.piece(side)]


def duration(seconds: int) -> Message:
    """Return a duration of ``seconds`` in minutes and seconds: 8 min, 45 s, 16 min 40 s."""
    minutes, rest = divmod(seconds, 60)
    if rest and minutes:
        return say("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    return say("{seconds} s", seconds=rest) if rest else say("{minutes} min", minutes=minutes)


def fact_words(facts: Mapping[str, bool | int | str]) -> tuple[Message, ...]:
    """Return facts in words: seconds left: 179, opponent passed: no."""
    words = {True: say("yes"), False: say("no"), "outsider": say("outsider")}
    return tuple(
        say(
            "{fact}: {value}",
            fact=display_name(FACTS, name),
            value=words.get(value, value) if _worded(value) else value,
        )
        for name, value in facts.items()
    )


def _worded(value: bool | int | str) -> bool:
    return isinstance(value, (bool, str))
