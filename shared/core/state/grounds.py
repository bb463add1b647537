"""The grounds of decisions in words: one row per code, with the sentence that an arbiter reads out.

A log stores codes and facts (`Ground`), so it says the same in every language and forever. The words are made when
somebody reads it. A row is never removed, and its code and facts never change, because logs contain them.
"""

import re
from collections.abc import Iterable, Sequence

from shared.core.events.event import Ground, GroundFact
from shared.core.language.messages import Message, MessageFact, and_more, in_turn, say

AS_WRITTEN = "as_written"
"""The code of a sentence from before there were codes, which is shown as it was written."""
NAMED_AT_MOST = 12
"""Maximum number of moves that are listed."""
GROUNDS: dict[str, Message] = {
    AS_WRITTEN: say("{text}"),
    # Claims that no score sheet can show, and resignations
    "not_upheld": say("the arbiter does not uphold it"),
    "gone_on": say("the game has continued since then, so no move is due any more"),
    "confirmed_after": say("confirmed after {seconds} seconds; {limit} are allowed"),
    "clock_gained": say("{side}'s clock shows {shown} seconds, {over} more than the {most} it can"),
    # Illegal moves
    "legal": say("{move} is legal"),
    "illegal": say("{move} is not legal"),
    "no_piece": say("{square} is empty"),
    "not_own": say("{piece} is the opponent's"),
    "not_own_on": say("the piece on {square} is the opponent's"),
    "does_not_reach": say("{piece} does not move to {square}"),
    "does_not_move_so": say("the {man} on {square} cannot move like this"),
    "left_in_check": say("the king would be left in check"),
    "kings_face": say("the kings would face each other"),
    "promotion_missing": say("the move does not state the piece to which the pawn is promoted"),
    "no_point": say("a move must be a point from a1 to o15"),
    "no_vertex": say("neither a vertex of a {size} x {size} board nor PASS"),
    "occupied": say("there is a stone on {point}"),
    "ko": say("{point} takes back a ko at once; a move elsewhere must come first"),
    "suicide": say("{point} is a forbidden point: the stone would have no liberty"),
    "superko": say("a stone on {point} repeats an earlier position"),
    "not_centre": say("Black's first stone must be on the centre (h8)"),
    "not_own_half": say("White's first stone must be in White's half, lines 9 to 15"),
    "stone_goes_back": say("the stone goes back"),
    "turn_lost": say("void, and one turn is lost"),
    # Touch-move
    "not_stated": say("no arbiter states that these pieces were touched to be moved"),
    "released": say("no piece was touched to be moved: any legal move"),
    "takes": say("{square} takes {other}: {moves}"),
    "cannot_take": say("{square} cannot take {other}"),
    "moves": say("{square} moves: {moves}"),
    "is_taken": say("{square} is taken: {moves}"),
    "any_move": say("no piece touched can be moved or taken: any legal move"),
    "unmovable_touch": say("{square}: cannot move"),
    "uncapturable_touch": say("{square}: no piece can take it"),
    "announced": say("{move} was announced and must be played"),
    "king_then_rook": say("king, then rook: {move}"),
    "king_moves": say("the king moves: {moves}"),
    "king_stays": say("no move of the king is legal: any move"),
    # Draws claimed
    "occurrence": say("this is occurrence {times} of the position; {limit} are needed"),
    "occurrence_after": say("after {move}, this is occurrence {times} of the position; {limit} are needed"),
    "quiet": say("{number} moves of each side without a capture or a pawn move; {limit} are needed"),
    "quiet_after": say(
        "after {move}, {number} moves of each side without a capture or a pawn move; {limit} are needed"
    ),
    "natural_limit": say("{rounds} rounds without a capture; {limit} are needed"),
    "natural_limit_checks": say(
        "{rounds} rounds without a capture; of {checks} own checks at most {counted} count; {limit} are needed"
    ),
    "could_win": say("a side has pieces that could win; no arbiter has found otherwise"),
    "no_piece_can_win": say("no piece left can win"),
    "neither_can_win": say("the arbiter finds that neither side can win"),
    "dead_not_stated": say("no arbiter states that the position is dead"),
    # Forbidden points and fours
    "was_forbidden": say("{point} was forbidden to Black"),
    "not_forbidden": say("{point} does not have a stone of Black that was forbidden"),
    "answered": say("{point}: White has answered it, so it cannot lose any more"),
    "has_ended": say("the game has ended, so a forbidden move can no longer be pointed out"),
    "no_fours": say("rows of four do not decide this game: the clocks decide"),
    "time_not_stated": say("no arbiter states that the game's time is up"),
    "more_fours": say("more fours: {side}"),
    "equal_fours": say("neither side has more fours"),
    # Repetitions in xiangqi
    "not_often": say("the position has not occurred often enough for a verdict; {article}"),
    "deed_check": say("{side} {text} ({move}) gives check, 002-X 28.1"),
    "deed_mate": say("{side} {text} ({move}) threatens mate, 002-X 28.2"),
    "deed_chase": say("{side} {text} ({move}) chases, 002-X 28.3, 29"),
    "deed_idle": say("{side} {text} ({move}) is idle, 002-X 28.9"),
    "attacks_king": say("it attacks {piece}"),
    "mates_by": say("mate by {line}"),
    "mate_stood": say(
        "the threat of mate by {line} existed before this move and still exists, so it is not new (29.2)"
    ),
    "defends_point": say("it chases only advisors or elephants while a defence point is taken (27.3)"),
    "does_nothing": say("the move neither gives check, nor threatens mate, nor begins a new chase"),
    "through_checks": say("it attacks {prey}, which has no root (28.16), by first giving checks: {line} (29.1)"),
    "pawn_in_mutual_attacks": say("{piece} is a pawn in mutual attacks (27.2)"),
    "unprotected": say("{piece} attacks {prey}, which has no root: no piece protects it (28.16)"),
    "false_root": say("{piece} attacks {prey}, which has only a false root: {roots} cannot legally take back (28.16)"),
    "worth_more": say("{piece} attacks {prey}, protected by {roots}, but worth more than its taker (25.3)"),
    "few_roots": say(
        "{piece} attacks {prey}, which has too few roots: {roots} cannot protect it through a "
        "full exchange (28.16, 29.1)"
    ),
    "side_always": say("{side}: always {kinds}, {status}; 002-X 25.2"),
    "side_pauses": say("{side}: {kinds} in turn with an idle move, {status}; 002-X 25.2"),
    "side_idle": say("{side}: idle moves, {status}; 002-X 25.2"),
    "nobody_varies": say("neither side has to vary: the game is drawn; {article}"),
    "loses_at_once": say("{side} loses at once; {article}"),
    "must_vary": say("{side} must vary, and loses if the cycle occurs once more; {article}"),
    "decided_by": say("decided by {articles}"),
    "turns_not_named": say("the reason of the verdict needs too many moves to be listed"),
    "turns_on_chase_within": say(
        "depends on how 002-X 29.1 treats chases through checks; by the other interpretation: {otherwise}"
    ),
    "turns_on_sound_within": say(
        "depends on how 002-X 29.4 treats captures after which the capturing side would be "
        "mated; by the other interpretation: {otherwise}"
    ),
    "turns_on_mate_within": say(
        "depends on how 002-X 28.2 treats mates by more than one check; by the other interpretation: {otherwise}"
    ),
    "turns_on_mate_threat": say(
        "depends on how 002-X 29.2 treats threats of mate that existed before; by the other interpretation: {otherwise}"
    ),
}
_FORMER = {
    "not_often": "the position has not come often enough to be judged; {article}",
    "does_nothing": "neither check, nor threat of mate, nor new chase",
    "nobody_varies": "nobody varies, the game is drawn; {article}",
    "must_vary": "{side} must vary, and loses if the cycle comes once more; {article}",
    "occurrence": "this is occurrence {times} of the position; it takes {limit}",
    "occurrence_after": "after {move}, this is occurrence {times} of the position; it takes {limit}",
    "quiet": "{number} moves of each side without a capture or a pawn move; it takes {limit}",
    "quiet_after": "after {move}, {number} moves of each side without a capture or a pawn move; it takes {limit}",
    "natural_limit": "{rounds} rounds without a capture; it takes {limit}",
    "natural_limit_checks": (
        "{rounds} rounds without a capture; of {checks} own checks at most {counted} count; it takes {limit}"
    ),
    "no_piece": "there is no piece on {square}",  # prose: ok: recorded in logs
    "no_vertex": "this is no vertex of a {size} x {size} board, and not PASS",  # prose: ok: recorded in logs
    "not_own_half": "White's first stone goes to his own half, lines 9 to 15",  # prose: ok: recorded in logs
    "turns_not_named": "what the verdict turns on takes too many moves to be named",  # prose: ok: recorded in logs
    "gone_on": "the game has gone on since, and nothing is due",
    "does_not_move_so": "the {man} on {square} does not move so",
    "promotion_missing": "the move does not say what the pawn becomes",
    "no_point": "a move is a point from a1 to o15",
    "ko": "{point} takes a ko back before a move elsewhere",
    "not_centre": "Black's first stone goes to the centre (h8)",
    "not_forbidden": "{point}: no forbidden stone of Black's",
    "has_ended": "the game has ended; nothing is pointed out any more",
    "no_fours": "no game is decided by fours here: the clocks decide",
    "mate_stood": "it leaves a threat of mate by {line} standing, which was there before (29.2)",
    "through_checks": "it attacks {prey}, without a root (28.16), by way of checks: {line} (29.1)",
    "unprotected": "{piece} attacks {prey}, without a root: nothing protects it (28.16)",
    "false_root": "{piece} attacks {prey}, of a false root: {roots} may not legally take back (28.16)",
    "few_roots": (
        "{piece} attacks {prey}, of few roots: {roots} protects it too little for a full exchange (28.16, 29.1)"
    ),
    "side_pauses": "{side}: {kinds}, and an idle move, {status}; 002-X 25.2",
    "turns_on_chase_within": "turns on 002-X 29.1, chases through checks: else {otherwise}",
    "turns_on_sound_within": "turns on 002-X 29.4, takers that would be mated: else {otherwise}",
    "turns_on_mate_within": "turns on 002-X 28.2, mates beyond one check: else {otherwise}",
    "turns_on_mate_threat": "turns on 002-X 29.2, threats of mate that stood before: else {otherwise}",
}
"""The sentences of reworded rows as logs stored them before there were codes. An audit compares old logs with them."""
_OWN_LINE = re.compile(r"deed_|side_|nobody_|loses_at|must_vary|decided_by|turns_")
"""Grounds that begin a new line. Any other ground continues after a semicolon."""
_WORDS: dict[str, Message] = {
    "white": say("White"),
    "black": say("Black"),
    "red": say("Red"),
    "allowed": say("allowed"),
    "forbidden": say("forbidden"),
    "perpetual_check": say("perpetual check"),
    "check": say("check"),
    "mate": say("threat of mate"),
    "chase": say("chase"),
    "red_wins": say("Red wins"),
    "black_wins": say("Black wins"),
    "draw": say("a draw"),
    "none": say("no verdict"),
    "pawn": say("pawn"),
    "knight": say("knight"),
    "bishop": say("bishop"),
    "rook": say("rook"),
    "queen": say("queen"),
    "king": say("king"),
}
_WORDED = frozenset({"side", "status", "kinds", "otherwise", "man"})
"""Facts whose values are codes of a closed set, with words in `_WORDS`."""
_RED = ("xiangqi",)
"""Games in which the side on White's seat is red."""


def ground(code: str, /, **facts: GroundFact) -> Ground:
    """Return a ground of `GROUNDS` with its facts."""
    return Ground(code, facts)


def written_grounds(text: str) -> tuple[Ground, ...]:
    """Return an old sentence as one ground, or an empty tuple for an empty sentence."""
    return (ground(AS_WRITTEN, text=text),) if text else ()


def words_of(one: Ground, game: str | None = None, *, former: bool = False) -> Message:
    """Return a ground in words, with the sides named as in the ``game``. ``former``: in the words that old logs store.

    A ground with an unknown code or other facts than its row is returned as code and facts.
    """
    row = GROUNDS.get(one.code)
    facts = {name: _fact(name, value, game) for name, value in one.facts.items()}
    if row is None or set(re.findall(r"{(\w+)}", row.text)) != set(facts):
        return say("{text}", text=" ".join([one.code, *(f"{name}={value}" for name, value in one.facts.items())]))
    return Message(_FORMER.get(one.code, row.text) if former else row.text, facts)


def lines_of(grounds: Iterable[Ground], game: str | None = None, *, former: bool = False) -> tuple[Message, ...]:
    """Return grounds as they are read out, line by line."""
    lines: list[list[Message]] = []
    for one in grounds:
        if not lines or _OWN_LINE.match(one.code):
            lines.append([])
        lines[-1].append(words_of(one, game, former=former))
    return tuple(in_turn(line) for line in lines)


def english_text(grounds: Sequence[Ground]) -> str:
    """Return grounds in the English sentences that logs stored before there were codes."""
    return "\n".join(map(str, lines_of(grounds, former=True)))


def with_game_colours(message: Message, game: str | None) -> Message:
    """Return a message with the sides named as in a game: red and black 红方, 黑方 in xiangqi."""
    return _with_red(message) if game in _RED else message


def _with_red(message: Message) -> Message:
    if message.text == "white" and not message.facts:
        return say("red")
    return Message(message.text, {name: _renamed(fact) for name, fact in message.facts.items()})


def _renamed(fact: MessageFact) -> MessageFact:
    if isinstance(fact, Message):
        return _with_red(fact)
    return tuple(map(_renamed, fact)) if isinstance(fact, tuple) else fact


def _fact(name: str, value: GroundFact, game: str | None) -> MessageFact:
    if isinstance(value, tuple):
        return and_more((_fact(name, one, game) for one in value), NAMED_AT_MOST)
    if (name, value) == ("side", "white") and game in _RED:
        value = "red"
    return _WORDS.get(str(value), value) if name in _WORDED else value
