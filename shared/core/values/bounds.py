"""The bounds of values: of numbers, of lists, and of texts. The event types and the HTTP schemas take them from here.

Each bound is declared once. A value that is derived from others, such as the number of a pairing, has a wide bound: the audit
derives it again.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Annotated, Any

from shared.core.language.characters import is_blank, unseen_in_line, unseen_in_name
from shared.core.language.messages import Message, say

HIGHEST = 2**53
"""Numbers up to this are exact in every reader of JSON."""


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers from ``low`` to ``high``."""

    low: int
    high: int

    def fault(self, value: Any) -> Message | None:
        """Return why a number is out of bounds, or None."""
        if self.low <= value <= self.high:
            return None
        return say("{value} is out of bounds: use {low} to {high}", value=shown(value), low=self.low, high=self.high)


@dataclass(frozen=True, slots=True)
class Items:
    """Lists of ``least`` to ``most`` items."""

    most: int
    least: int = 0

    def fault(self, value: Any) -> Message | None:
        """Return why a list is too long or too short, or None."""
        if self.least <= len(value) <= self.most:
            return None
        return say("{count} items: use {least} to {most}", count=len(value), least=self.least, most=self.most)


@dataclass(frozen=True, slots=True)
class Text:
    """Texts of ``shortest`` to ``longest`` characters, in one line, of the ``pattern`` if there is one."""

    longest: int
    shortest: int = 0
    pattern: str = ""

    def fault(self, value: Any) -> Message | None:
        """Return why a text is out of bounds, or None."""
        if not self.shortest <= len(value) <= self.longest:
            return _wrong_length(value, self.shortest, self.longest)
        if self.pattern and (value or self.shortest) and not _compiled(self.pattern).fullmatch(value):
            return say("{value} is not of the form {pattern}", value=shown(value), pattern=self.pattern)
        character = unseen_in_line(value)
        if character is None and not self.shortest:
            return None
        return _unseen(character) or _blank(value, self.shortest)


@dataclass(frozen=True, slots=True)
class Name(Text):
    """Names of persons and teams: visible characters and spaces in one line, and not only spaces."""

    def fault(self, value: Any) -> Message | None:
        """Return why a text is not such a name, or None."""
        if not self.shortest <= len(value) <= self.longest:
            return _wrong_length(value, self.shortest, self.longest)
        return _unseen(unseen_in_name(value)) or _blank(value, self.shortest)


@dataclass(frozen=True, slots=True)
class Lines(Text):
    """Texts of several lines, which end in LF."""

    def fault(self, value: Any) -> Message | None:
        """Return why a text is out of bounds, or None."""
        if not self.shortest <= len(value) <= self.longest:
            return _wrong_length(value, self.shortest, self.longest)
        return _unseen(unseen_in_line(value.replace("\n", "")))


@dataclass(frozen=True, slots=True)
class Day(Text):
    """Days as ISO 8601 writes them, or nothing."""

    def fault(self, value: Any) -> Message | None:
        """Return why a text is not a day, or None."""
        try:
            written = not value or date.fromisoformat(value).isoformat() == value
        except ValueError:
            written = False
        return None if written else say("invalid date {day}: use for example 2026-03-07", day=shown(value))


Bound = Whole | Items | Text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def shown(value: object) -> str:
    """Return a value for a message: escaped, and at most 60 characters."""
    return ascii(value)[:60]


def _wrong_length(value: str, shortest: int, longest: int) -> Message:
    return say(
        "{length} characters: use {shortest} to {longest}", length=len(value), shortest=shortest, longest=longest
    )


def _blank(value: str, shortest: int) -> Message | None:
    if shortest and is_blank(value):
        return say("the text is blank: give at least one visible character")
    return None


def _unseen(character: str | None) -> Message | None:
    if character is None:
        return None
    return say("the character U+{code} is invisible, breaks the line or is unassigned", code=f"{ord(character):04X}")


# ---------------------------------------------------------------- numbers

ENTRY = Whole(1, 9999)
"""The number of an entry, or of a team (TRF, columns 5-8)."""
ENTRY_OR_NOBODY = Whole(0, ENTRY.high)
ROUND = Whole(1, 100)
"""A round that can be announced."""
ROUNDS = Whole(0, ROUND.high)
"""A number of rounds, of groups, or of games."""
COUNT = Whole(0, 1_000_000)
"""A number that is derived: of a pairing, a match, a round that results from the entries."""
BOARD = Whole(1, 5_000)
DAY = Whole(0, 86_400)
"""Seconds up to a day."""
AROUND_START = Whole(-DAY.high, DAY.high)
"""Seconds before or after the start, or added to a clock or taken from it."""
ABSENCE = Whole(1, DAY.high)
"""Seconds away from the board."""
SECONDS = Whole(-(10**9), 10**9)
"""Seconds that are derived, such as those of a clock after several penalties."""
POINTS = Whole(0, 2_000)
"""Half-points of a result, or added for a pairing."""
ADJUSTMENT = Whole(-19_999, 19_999)
"""Half-points that a ruling adds or takes."""
MOVES = Whole(0, 500)
"""The moves of a period."""
QUALIFIERS = Whole(0, 1_000)
PLY = Whole(0, 100_000)
RATING = Whole(0, 9999)
SEED = Whole(0, 2**48)
"""The seed of a draw (0: nothing was drawn)."""
INTEGER = Whole(-HIGHEST, HIGHEST)
SEQ = Whole(0, HIGHEST)

# ---------------------------------------------------------------- lists

LIST = Items(2 * ENTRY.high)
"""A list without a bound of its own: at most two values for each entry."""
TIEBREAKS = Items(250)
"""Tie-breaks of an order: more than exist without modifiers."""
VALUES = Items(400)
"""The values of a step."""
SQUARES = Items(32)
"""The squares of a claim: as many as there are pieces."""

# ---------------------------------------------------------------- texts of the log

HASH = Text(64, 64, "[0-9a-f]{64}")
"""A SHA-256, such as that of an erasable text."""
TITLE_OF_EVENT = Text(200, 1)
PLACE = Text(200)
GAME = Text(40, 1, "[a-z0-9][a-z0-9-]{0,39}")
ZONE = Text(131, 0, r"[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,32}){0,3}")
"""The form of an IANA name. Which names exist is checked by the caller, because the list changes from year to year."""
CALENDAR_DAY = Day(10)
LOGIN = Text(100, 1)
"""A login name; `handles` has its form."""
FEDERATION = Text(3, 3, "[A-Z]{3}")
TITLE = Text(3, 1, r"[A-Z]{1,3}|[1-9][0-9]?[dkp]")
STAGE = Text(40, 0, r"[a-z0-9][a-z0-9_-]{0,39}")
PART = Text(80, 0, r"[a-z0-9][a-z0-9 :._-]{0,79}")
"""A stage, or a part of a bracket such as *last 16*."""
TIEBREAK = Text(40, 1)
SLUG = Text(100, 1, r"[A-Za-z0-9_.:+-]+")
"""A word of a closed set."""
RULE_TEXT = Text(2_000)
"""A name, an article or a sentence of a ruleset."""
ARTICLE = Text(200, 1)
"""An article that an official cites."""
INFRACTION = Text(60, 1)
"""The name of an infraction in a report."""
GAME_ID = Text(100, 1, r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\.[1-9]\d{0,8}\.[1-9]\d{0,8}")
RULING_ID = Text(20, 1, r"r[1-9]\d*")
RECORD_ID = Text(20, 0, r"[abcf]\d+")
"""The ID of an appeal, arrival, break, claim or finding."""
TIME = Text(40, 0, r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)")
"""A time (RFC 3339)."""
DIGEST = Text(64, 0, HASH.pattern)
MOVE = Text(16, 1)
STEP_VALUE = Text(100, 1)
POSITION = Text(2_000, 1)
KEY = Text(200, 1)
ORIGIN = Text(200)
RECOVERY_KEY = Text(200)
SIGNATURE = Text(88, 0, r"[A-Za-z0-9+/]{86}==")
"""An Ed25519 signature in base64."""
NOTE = Lines(4_000)
"""A signed note (c2sp.org/signed-note)."""
RECORD_CODE = Text(8)
"""The code of a report file's record: three characters, or none on a blank line."""

# ---------------------------------------------------------------- erasable texts, of which the log holds the hash

PERSON = Name(200, 1)
TEAM = Name(200, 1)
CLUB = Name(200, 1)
REASON = Text(2_000, 1)
"""A reason or a note, in as many lines as its author wants."""
NOTICE = Text(500, 1)
"""An announcement to everybody at the venue, in as many lines as its author wants."""
BIRTH_YEAR = Whole(1900, 2100)
FIDE_ID = Text(11, 1, "[1-9][0-9]{0,10}")
NATIONAL_ID = Text(24, 1, "[0-9A-Z][0-9A-Z./-]{0,23}")
"""A number or licence that a national federation gave. Capital letters, so that one number has one form."""

# ---------------------------------------------------------------- types of the fields of events

Number = Annotated[int, ENTRY]
NumberOrNobody = Annotated[int, ENTRY_OR_NOBODY]
RoundNumber = Annotated[int, COUNT]
Count = Annotated[int, COUNT]
Article = Annotated[str, RULE_TEXT]
Slug = Annotated[str, SLUG]
RecordId = Annotated[str, RECORD_ID]
Hash = Annotated[str, HASH]
