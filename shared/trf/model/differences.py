"""The places at which a report file contradicts itself."""

from typing import NamedTuple

from shared.core.language.messages import Message


class Difference(NamedTuple):
    """A place of the file, from 1, that contradicts its results or another record, or that is not used."""

    line: int
    column: int
    detail: Message
