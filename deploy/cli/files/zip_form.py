"""The one form of an archive: the bytes of a ZIP file have a single reading.

Each entry follows the one before it, the first at byte 0. The directory follows the last entry, and the end record follows
the directory and ends the file. `verify.html` and the Go program accept the same form.
"""

import re
import stat
import struct
import zlib
from typing import NamedTuple

from shared.core.language.messages import Message, say

MAGIC = b"PK\x03\x04"
MOST_BYTES, MOST_FILES = 1 << 30, 64
"""Maximum size of the unpacked archive in bytes, and maximum number of its entries."""
MOST_RATIO, FREE_BYTES = 100, 1 << 24
"""Maximum unpacked bytes per packed byte of an entry that unpacks to more than ``FREE_BYTES``."""

_HEADER, _DIRECTORY, _END = struct.Struct("<4s5H3I2H"), struct.Struct("<4s6H3I5H2I"), struct.Struct("<4s4H2IH")
_DIRECTORY_MAGIC, _END_MAGIC = b"PK\x01\x02", b"PK\x05\x06"
_NAME = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ENCRYPTED, _STORED, _DEFLATED = 1, 0, 8


class BadArchive(ValueError):
    """A file that does not have the form of an archive, with the reason."""


def is_archive(content: bytes) -> bool:
    """Return whether a file is a ZIP file."""
    return content.startswith(MAGIC)


class Entry(NamedTuple):
    """A file of an archive: its ``packed`` bytes, and the size and CRC-32 of its content."""

    name: str
    deflated: bool
    packed: memoryview
    size: int
    crc: int

    def content(self) -> bytes:
        """Return the unpacked bytes. Raises `BadArchive` if they differ from the stated size or CRC-32."""
        if not self.deflated:
            content = bytes(self.packed)
        else:
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                content = unpacker.decompress(self.packed, self.size + 1)
            except zlib.error:
                raise BadArchive(say("the content of {name} cannot be unpacked", name=self.name)) from None
            if not unpacker.eof or unpacker.unused_data:
                raise BadArchive(say("the content of {name} cannot be unpacked", name=self.name))
        if len(content) != self.size or zlib.crc32(content) != self.crc:
            raise BadArchive(say("the content of {name} differs from its stated size or CRC-32", name=self.name))
        return content


def read_entries(content: bytes) -> list[Entry]:
    """Return the entries of an archive in their order. Raises `BadArchive` with the first fault of its form."""
    place = len(content) - _END.size
    if place < 0 or content[place : place + 4] != _END_MAGIC:
        raise BadArchive(say("it does not end with the end record of a ZIP file"))
    _, disk, first, here, count, length, directory, comment = _END.unpack_from(content, place)
    if (disk, first, here, comment) != (0, 0, count, 0) or directory + length != place:
        raise BadArchive(say("its end record does not describe one directory directly before it"))
    if count > MOST_FILES:
        raise BadArchive(say("it has {count} files; the limit is {most}", count=count, most=MOST_FILES))
    entries: list[Entry] = []
    names: set[str] = set()
    at, start = directory, 0
    for _ in range(count):
        entry, at, start = _entry(content, at, start, directory)
        if entry.name.casefold() in names:
            raise BadArchive(say("{name} is in the archive twice", name=entry.name))
        names.add(entry.name.casefold())
        entries.append(entry)
    if (start, at) != (directory, place):
        raise BadArchive(say("its entries, its directory and its end record do not follow each other without gaps"))
    if sum(entry.size for entry in entries) > MOST_BYTES:
        raise BadArchive(say("it unpacks to more than {number} MiB", number=MOST_BYTES >> 20))
    return entries


def _entry(content: bytes, at: int, start: int, directory: int) -> tuple[Entry, int, int]:
    """Return the entry whose record is at ``at`` of the directory, and the places of the next record and the next entry."""
    if at + _DIRECTORY.size > len(content) or start + _HEADER.size > directory:
        raise BadArchive(say("its directory is cut off"))
    magic, _, *head, comment, disk, _, attributes, offset = _DIRECTORY.unpack_from(content, at)
    _, flags, method, _, _, crc, packed, size, named, extra = head
    name = content[at + _DIRECTORY.size : at + _DIRECTORY.size + named]
    why = _fault(name, flags, method, attributes >> 16, packed, size)
    if magic != _DIRECTORY_MAGIC:
        raise BadArchive(say("its directory is cut off"))
    if why is not None:
        raise BadArchive(say("{name} {why}", name=name[:80].decode("ascii", "backslashreplace"), why=why))
    begin = start + _HEADER.size + named
    header = _HEADER.unpack_from(content, start)
    if (
        (offset, extra, comment, disk) != (start, 0, 0, 0)
        or header != (MAGIC, *head)
        or content[start + _HEADER.size : begin] != name
        or begin + packed > directory
    ):
        raise BadArchive(say("the header of {name} is not directly after the entry before it", name=name.decode()))
    entry = Entry(name.decode(), method == _DEFLATED, memoryview(content)[begin : begin + packed], size, crc)
    return entry, at + _DIRECTORY.size + named, begin + packed


def _fault(name: bytes, flags: int, method: int, mode: int, packed: int, size: int) -> Message | None:
    """Return why an entry is not accepted, or None if it is."""
    if not _NAME.fullmatch(name):
        return say("has a name that is not valid in an archive")
    if flags & _ENCRYPTED:
        return say("is encrypted")
    if flags or method not in (_STORED, _DEFLATED):
        return say("is packed in an unknown way")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return say("is not a regular file")
    if size > FREE_BYTES and size > MOST_RATIO * packed:
        return say("unpacks to more than {most} times its packed size", most=MOST_RATIO)
    return None
