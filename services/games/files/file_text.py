"""The text of a file that a request sends: in the charset that it names, else in the one that its bytes tell."""

from services.games.files.game_file import Spot, Unreadable
from shared.core.language.charset import Encoding, Undecided, decode, find_encoding
from shared.core.language.messages import say


def encoding_of(charset: str | None) -> Encoding | None:
    """The encoding that a Content-Type names; None where it names none. Raises `Unreadable`."""
    encoding = None if charset is None else find_encoding(charset)
    if charset is not None and encoding is None:
        raise Unreadable(say("the Content-Type names no encoding that is known here: {charset}", charset=charset[:40]))
    return encoding


def decoded(content: bytes, told: Encoding | None) -> str:
    """The text of the bytes, as `charset.decode` finds it. Raises `Unreadable`."""
    try:
        return decode(content, told).text
    except Undecided as problem:
        raise Unreadable(problem.why, Spot(problem.line, problem.column)) from None
