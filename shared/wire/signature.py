"""Where a record's signature stands: the last member of the envelope of its last line.

A record is what one command wrote on one topic. ``signature`` reads ``<8 hex digits of the key's hash>:<base64 of 64 bytes>``;
what is signed are the record's lines, joined by LF, without that member.
"""

import re
from collections.abc import Sequence

_MEMBER = b',"signature":"'
_WRITTEN = re.compile(rb',"signature":"([0-9a-f]{8}:[A-Za-z0-9+/]{85}[AQgw]==)"\}')
_LENGTH = len(_MEMBER) + 8 + 1 + 88 + len(b'"}')


def with_signature(line: bytes, signature: str) -> bytes:
    """A line that has none, with the signature as its last member."""
    return line[:-1] + _MEMBER + signature.encode() + b'"}'


def split(line: bytes) -> tuple[bytes, str]:
    """A line without its signature, and that; the line as it is, and "", where its last member is none."""
    written = _WRITTEN.fullmatch(line[-_LENGTH:])
    if written is None or len(line) <= _LENGTH:
        return line, ""
    return line[:-_LENGTH] + b"}", written[1].decode()


def signed_bytes(lines: Sequence[bytes]) -> tuple[bytes, str]:
    """What the signature of a record (its lines without LF) is over, and the signature, "" where its last line has none."""
    last, signature = split(lines[-1])
    return (last if len(lines) == 1 else b"\n".join((*lines[:-1], last))), signature
