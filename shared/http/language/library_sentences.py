"""Sentences of the libraries that we use, as messages: marshmallow's of what a schema refuses, werkzeug's of what HTTP does."""

import re
from functools import cache

from shared.core.language.messages import Message, say

_SENTENCES = (
    # marshmallow's fields and schemas
    say("Missing data for required field."),
    say("Field may not be null."),
    say("Unknown field."),
    say("Invalid value."),
    say("Invalid input."),
    say("Invalid input type."),
    say("Invalid type."),
    say("Not a valid boolean."),
    say("Not a valid integer."),
    say("Not a valid number."),
    say("Number too large."),
    say("Special numeric values (nan or infinity) are not permitted."),
    say("Not a valid string."),
    say("Not a valid utf-8 string."),
    say("Not a valid list."),
    say("Not a valid tuple."),
    say("Not a valid mapping type."),
    say("Not a valid date."),
    # its validators
    say("Must be one of: {choices}.", choices=""),
    say("Shorter than minimum length {min}.", min=""),
    say("Longer than maximum length {max}.", max=""),
    say("Length must be between {min} and {max}.", min="", max=""),
    say("Length must be {equal}.", equal=""),
    say("Must be greater than or equal to {min} and less than or equal to {max}.", min="", max=""),
    say("Must be greater than or equal to {min}.", min=""),
    say("Must be less than or equal to {max}.", max=""),
    say("Must be greater than {min}.", min=""),
    say("Must be less than {max}.", max=""),
    say("String does not match expected pattern."),
    # werkzeug's descriptions
    say("The browser (or proxy) sent a request that this server could not understand."),
    say("The request URI is too large"),
    say("The length of the requested URL exceeds the capacity limit for this server. The request cannot be processed."),
    say("The server could not meet the requirements of the Expect header"),
    say("The server cannot provide the requested range."),
    say(
        "The server closed the network connection because the browser didn't finish the request within the specified time."
    ),
    say("A request with this method requires a valid <code>Content-Length</code> header."),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Message], ...]:
    """Each sentence, and what it looks like when its places are filled."""
    return tuple(
        (re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(one.text)), re.DOTALL), one) for one in _SENTENCES
    )


def library_sentence(text: str) -> Message:
    """A sentence of a library as a message with its facts; what is none of them as it is."""
    for pattern, sentence in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            return Message(sentence.text, match.groupdict())
    return Message(text.replace("{", "{{").replace("}", "}}"))
