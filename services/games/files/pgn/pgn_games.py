"""The games of a PGN file, with a check of the form of each game."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from services.games.files.game_file import Places, Spot, Unreadable
from services.games.files.pgn.pgn_tokens import Token, tokens
from shared.core.language.messages import say

TOKENS_AT_MOST = 60_000
"""Limit of moves, marks and comments of a game with its variations. A score sheet has at most 5,000 moves."""
DEPTH_AT_MOST = 100
"""Limit of variations within variations."""

_BESIDE = ("comment", "rest", "escape")


@dataclass(slots=True)
class PgnGame:
    """The tokens of one game: its tags, each name once, and its body. ``footer``: the lines that XQBase adds below."""

    tags: dict[str, Token] = field(default_factory=dict)
    body: list[Token] = field(default_factory=list)
    result: Token | None = None
    moved: bool = False
    """Whether the body contains a move, a number or a result."""
    footer: str = ""

    @property
    def at(self) -> int:
        """The character, from 0, at which its first tag or token begins."""
        return next(iter([*self.tags.values(), *self.body])).at


class BrokenOff(Unreadable):
    """A fault in the tokens of a file, with the ``game`` as far as it was read, and its number in the file."""

    def __init__(self, fault: Unreadable, game: PgnGame, number: int) -> None:
        super().__init__(fault.why, fault.spot)
        self.game, self.number = game, number


def games(text: str, places: Places) -> Iterator[PgnGame]:
    """Yield the games of a text whose lines end with LF. Raises `BrokenOff`."""
    # Below a line of ``====``, XQBase writes a note about itself.
    at = text.find("\n====")
    text, footer = (text, "") if at < 0 else (text[: at + 1], text[at + 1 :].strip())
    game, number, depth, last_end = PgnGame(), 1, 0, 0
    try:
        for token in tokens(text, places):
            if token.kind == "tag":
                if depth:
                    raise Unreadable(say("a variation is left open"), places.of(token.at))
                if game.moved or (token.name == "Event" and "Event" in game.tags):
                    yield game
                    game, number = PgnGame(), number + 1
                _add_tag(game, token, places)
                continue
            if game.result is not None and token.kind not in _BESIDE:
                gap = text[last_end : token.at].replace(" ", "")
                if token.kind in ("close", "open", "marks", "nag", "result") or "\n\n" not in gap:
                    raise _after_result(game.result, token, places)
                yield game
                game, number = PgnGame(), number + 1
            depth = _depth(depth, token, places)
            _add(game, token, depth, places)
            last_end = token.at + len(token.text)
        if depth:
            raise Unreadable(say("a variation is left open"), places.of(len(text.rstrip()) - 1))
    except Unreadable as fault:
        raise BrokenOff(fault, game, number) from None
    if game.tags or game.body:
        game.footer = footer
        yield game


def _depth(depth: int, token: Token, places: Places) -> int:
    if token.kind == "open":
        if depth == DEPTH_AT_MOST:
            why = say("variations are nested more than {most} levels deep", most=DEPTH_AT_MOST)
            raise Unreadable(why, places.of(token.at))
        return depth + 1
    if token.kind == "close":
        if not depth:
            raise Unreadable(say("a variation ends that did not begin"), places.of(token.at))
        return depth - 1
    return depth


def _add(game: PgnGame, token: Token, depth: int, places: Places) -> None:
    if len(game.body) == TOKENS_AT_MOST:
        why = say("a game must not have more than {most} moves, marks and comments", most=TOKENS_AT_MOST)
        raise Unreadable(why, places.of(token.at))
    game.body.append(token)
    game.moved |= token.kind in ("word", "number", "result")
    if token.kind == "result" and not depth:
        game.result = token


def _add_tag(game: PgnGame, tag: Token, places: Places) -> None:
    first = game.tags.get(tag.name)
    if first is None:
        game.tags[tag.name] = tag
    elif first.text != tag.text:
        why = say(
            "{name} appears twice: {first} in line {line}, and {second}",
            name=tag.name,
            first=repr(first.text[:60]),
            line=places.of(first.at).line,
            second=repr(tag.text[:60]),
        )
        raise Unreadable(why, places.of(tag.at))


def _after_result(result: Token, token: Token, places: Places) -> Unreadable:
    where: Spot = places.of(token.at)
    line = places.of(result.at).line
    why = say("{text} follows the result {result} of line {line}", text=token.text[:20], result=result.text, line=line)
    return Unreadable(why, where)
