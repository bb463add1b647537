"""A chunked body as it comes in (RFC 9112, 7.1): decoded piece by piece, no byte looked at twice."""

import re

from gunicorn.http.body import CHUNK_EXT_RE

from deploy.server.front.refusals import Refused

_SIZE_LINE = re.compile(rb"([0-9A-Fa-f]{1,16})" + CHUNK_EXT_RE.pattern)
_TRAILER = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*")
_LINE_AT_MOST = 1024  # a line is a length in hexadecimal digits: a longer one is an attack
_FRAMING_AT_MOST = 64 * 1024
"""Bytes of size lines and trailers beyond as many as the content has."""


class Chunked:
    """``body`` is what was decoded so far, at most ``limit`` bytes; trailers are read over."""

    def __init__(self, limit: int) -> None:
        self.body = bytearray()
        self._limit = limit
        self._left = 0
        self._framing = 0
        self._within = False
        self._trailers = False

    def take(self, buffer: bytearray) -> bool:
        """Take out of ``buffer`` what is there; whether the body has ended. Raises `Refused` 400 and 413."""
        while True:
            if self._left:
                piece = buffer[: self._left]
                if not piece:
                    return False
                self.body += piece
                self._left -= len(piece)
                del buffer[: len(piece)]
                continue
            line = self._line(buffer)
            if line is None:
                return False
            if self._within:
                if line:
                    raise Refused(400, "a chunk is longer than its size says")
                self._within = False
            elif self._trailers:
                if not line:
                    return True
                if _TRAILER.fullmatch(line) is None:
                    raise Refused(400, "a trailer of the chunked body cannot be read")
            else:
                self._begin(line)

    def _begin(self, line: bytes) -> None:
        size_line = _SIZE_LINE.fullmatch(line)
        if size_line is None:
            raise Refused(400, "a chunk's size cannot be read")
        self._left = int(size_line[1], 16)
        self._within, self._trailers = self._left > 0, self._left == 0
        if len(self.body) + self._left > self._limit:
            raise Refused(413, f"a body may have {self._limit} bytes")

    def _line(self, buffer: bytearray) -> bytes | None:
        end = buffer.find(b"\n", 0, _LINE_AT_MOST)
        if end < 0:
            if len(buffer) >= _LINE_AT_MOST:
                raise Refused(400, "a line of the chunked body does not end")
            return None
        line = bytes(buffer[: end + 1])
        if not line.endswith(b"\r\n"):
            raise Refused(400, "a line of the chunked body ends without CR")
        self._framing += len(line)
        if self._framing > _FRAMING_AT_MOST + len(self.body):
            raise Refused(400, "the chunks are too small")
        del buffer[: end + 1]
        return line[:-2]
