"""A file of players from the form of entries: uploaded by the browser, or sent again with a chosen encoding."""

from base64 import b64decode, b64encode
from binascii import Error
from typing import NamedTuple

from flask import request

from services.pairing.entries.entry_sheet import BadEncoding, BadSheet, as_text, text_of
from services.pairing.entries.entry_workbook import cells_of_workbook, is_workbook
from services.pairing.entries.report_file_entries import players_of_file
from shared.core.language.charset import Candidate, Encoding, find_encoding
from shared.core.language.messages import Message, say

LONGEST_NAME = 80


class SentFile(NamedTuple):
    """A file with its name and the encoding chosen for it."""

    content: bytes
    name: str
    told: Encoding | None = None

    @property
    def again(self) -> str:
        """The content as a field of the form, so that the file does not have to be chosen twice."""
        return b64encode(self.content).decode()


class EncodingAsked(Exception):
    """A file whose encoding must be chosen."""

    def __init__(self, file: SentFile, why: Message, candidates: tuple[Candidate, ...]) -> None:
        super().__init__(why)
        self.file, self.why, self.candidates = file, why, candidates


def sent_file() -> SentFile | None:
    """Return the file of the request, or None. An unknown encoding counts as not chosen. Raises `BadSheet`."""
    file = request.files.get("file")
    if file is not None and file.filename:
        return SentFile(file.read(), file.filename[:LONGEST_NAME], None)
    if "file_bytes" not in request.form:
        return None
    try:
        content = b64decode(request.form["file_bytes"], validate=True)
    except (Error, ValueError):
        raise BadSheet(say("the file is not text: save it as CSV in UTF-8")) from None
    return SentFile(
        content, request.form.get("file_name", "")[:LONGEST_NAME], find_encoding(request.form.get("encoding", ""))
    )


def text_of_file(file: SentFile) -> tuple[str, str]:
    """Return the cells of a file, separated by tabs or as in the file, and the format or encoding that was read.

    Raises `BadSheet`, or `EncodingAsked` if the user must choose its encoding.
    """
    if is_workbook(file.content):
        cells, title = cells_of_workbook(file.content)
        return as_text(cells), f"XLSX, {title[:40]}"
    try:
        text, read_as = text_of(file.content, file.told)
    except BadEncoding as problem:
        if not problem.candidates:
            raise
        raise EncodingAsked(file, problem.why, problem.candidates) from problem
    players = players_of_file(file.content, file.name, file.told)
    return (text, read_as) if players is None else (as_text(players), "TRF")
