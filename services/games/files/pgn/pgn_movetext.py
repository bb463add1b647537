"""The movetext of one game of PGN: its moves, their annotations, and the words that chess.pgn must read."""

from dataclasses import dataclass, field

import chess.pgn

from services.games.files.game_file import FileMove, Places, Spot, StatedFact, Unreadable, check_length
from services.games.files.pgn.pgn_tokens import MARKS, Token
from shared.core.language.messages import say
from shared.core.terms import Seconds

_CLOCK = chess.pgn.CLOCK_REGEX


@dataclass(slots=True)
class Movetext:
    """The result of a game's tokens, taken one by one: its moves, and its items by the number of moves before them.

    ``words`` are the words of all lines for chess.pgn, each with whether it is a move of the main line.
    """

    places: Places
    setup: StatedFact | None
    moves: list[FileMove] = field(default_factory=list)
    items: dict[int, list[str]] = field(default_factory=dict)
    words: list[tuple[Token, bool]] = field(default_factory=list)
    _open: list[int] = field(default_factory=list)
    _variation: list[str] = field(default_factory=list)
    _first_number: int | None = None

    def take(self, token: Token) -> None:
        if token.kind in ("open", "close"):
            self._bracket(token)
        elif self._open:
            self._in_variation(token)
        elif token.kind == "word":
            self._move(token)
        elif token.kind == "number":
            self._number(token)
        elif token.kind == "comment":
            self._comment(token)
        elif token.kind in ("nag", "marks"):
            self._mark(token)
        elif token.kind != "result":
            self._keep(token.text if token.kind == "escape" else f";{token.text}")

    def _keep(self, item: str) -> None:
        self.items.setdefault(len(self.moves), []).append(item)

    def _bracket(self, token: Token) -> None:
        spot = self.places.of(token.at)
        if token.kind == "open":
            if not (self._open[-1] if self._open else self.moves):
                raise Unreadable(say("a variation is before the first move"), spot)
            self._open.append(0)
            self._variation.append("(")
            self.words.append((token, False))
            return
        if not self._open.pop():
            raise Unreadable(say("a variation has no move"), spot)
        self._variation.append(")")
        self.words.append((token, False))
        if not self._open:
            self._keep(" ".join(self._variation))
            self._variation = []

    def _in_variation(self, token: Token) -> None:
        if token.kind == "word":
            self._open[-1] += 1
            self.words.append((token, False))
        self._variation.append(_raw(token))

    def _move(self, token: Token) -> None:
        check_length(len(self.moves) + 1, self.places.of(token.at))
        self.words.append((token, True))
        self.moves.append(FileMove(token.text, None, self.places.of(token.at)))

    def _number(self, token: Token) -> None:
        """Check the number of a move. Numbers count from 1, or from any number if a position is set up."""
        digits = token.text.rstrip(".").rstrip()
        second = self.setup is not None and self.setup.value.split()[1:2] == ["b"]
        full, half = divmod(len(self.moves) + second, 2)
        if not digits:
            return
        if self._first_number is None:
            self._first_number = int(digits[:9]) - full if self.setup is not None else 1
        if len(digits) > 6 or int(digits) != self._first_number + full:
            due = self._first_number + full
            why = say("the move has the number {digits}, but must have {due}", digits=digits[:9], due=due)
            raise Unreadable(why, self._at(token))
        if not half and token.text.count(".") > 1:
            why = say(
                "{number} is the number of a move of the second side, but the first side is to move", number=token.text
            )
            raise Unreadable(why, self._at(token))

    def _mark(self, token: Token) -> None:
        if not self.moves:
            raise Unreadable(say("an annotation symbol is before the first move"), self._at(token))
        number = MARKS[token.text] if token.kind == "marks" else int(token.text[1:])
        if number > 255:
            raise Unreadable(say("an annotation mark must be $ and a number up to 255"), self._at(token))
        self._keep(f"${number}")

    def _comment(self, token: Token) -> None:
        text, reading = _split_clock(token.text)
        if reading is not None and self.moves:
            last = self.moves[-1]
            if last.clock is not None and last.clock != reading:
                why = say(
                    "a move must have one clock reading, but this one has two: {first} and {second} seconds",
                    second=reading,
                    first=last.clock,
                )
                raise Unreadable(why, self._at(token))
            self.moves[-1] = last._replace(clock=reading)
        else:
            text = token.text
        if text.strip() or reading is None:
            self._keep(f"{{{text}}}")

    def _at(self, token: Token) -> Spot:
        return self.places.of(token.at)


def _split_clock(comment: str) -> tuple[str, Seconds | None]:
    """Return a comment without its clock reading, and the reading in whole seconds, or None if it has no reading.

    The comment keeps a reading with parts of a second. It also keeps a reading if other text could be taken for one.
    """
    match = _CLOCK.search(comment) if "[%clk" in comment else None
    if match is None:
        return comment, None
    seconds = match["seconds"]
    whole = Seconds(int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + int(seconds.partition(".")[0]))
    rest = (comment[: match.start()] + " " + comment[match.end() :]).strip()
    return (comment if seconds.partition(".")[2].strip("0") or "[%clk" in rest else rest), whole


def _raw(token: Token) -> str:
    match token.kind:
        case "comment":
            return f"{{{token.text}}}"
        case "rest":
            return f"{{{token.text}}}" if "}" not in token.text else f";{token.text}\n"
        case "marks":
            return f"${MARKS[token.text]}"
        case "escape":
            return f"\n{token.text}\n"
    return token.text
