"""The bytes of a connection as requests: each is whole, head and body, before anybody works on it."""

import io
import re
from typing import Any, Literal, NamedTuple

from gunicorn.http.body import CHUNK_EXT_RE, ChunkedReader
from gunicorn.http.errors import NoMoreData, ParseException
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader

from deploy.server.front.refusals import Refused, of_parser

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


HEAD_AT_MOST = 32 * 1024
"""Bytes of a request line and all header fields."""

Phase = Literal["idle", "head", "body"]


class Whole(NamedTuple):
    """A request (gunicorn's, its head parsed) whose body lies in memory."""

    request: Any
    body: bytes


class Intake:
    """Takes bytes (`feed`) and gives requests (`next`), one after the other, however they come.

    Heads are parsed by gunicorn, once each; ``cfg`` is its configuration and ``peer`` the address of the sender.
    """

    def __init__(self, cfg: Any, peer: Any, body_limit: int) -> None:
        self._cfg, self._peer, self._limit = cfg, peer, body_limit
        self._buffer = bytearray()
        self._searched = 0
        self._number = 0
        self._request: Any = None
        self._chunked: Chunked | None = None
        self._length = 0

    @property
    def phase(self) -> Phase:
        """What is being waited for: the first byte of a request, the rest of its head, the rest of its body."""
        if self._request is not None:
            return "body"
        return "head" if self._buffer else "idle"

    @property
    def held(self) -> int:
        """Bytes in memory."""
        return len(self._buffer) + (len(self._chunked.body) if self._chunked else 0)

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next(self) -> Whole | None:
        """The next request; None while it is not whole. Raises `Refused`, after which the connection is to end."""
        if self._request is None:
            head = self._head()
            if head is None:
                return None
            self._begin(head)
        if self._chunked is not None:
            if not self._chunked.take(self._buffer):
                return None
            return self._complete(bytes(self._chunked.body))
        if len(self._buffer) < self._length:
            return None
        body = bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        return self._complete(body)

    def wants_continue(self) -> bool:
        """Whether the sender waits for ``100 Continue`` before it sends the body; true once a request."""
        waits = self._request is not None and self._request._expected_100_continue
        if waits:
            self._request._expected_100_continue = False
        return bool(waits)

    def _head(self) -> bytes | None:
        """The bytes of a head that is there in full, or that can be refused already."""
        buffer, start = self._buffer, max(0, self._searched - 3)
        end = buffer.find(b"\r\n\r\n", start)
        if end < 0 and len(buffer) <= HEAD_AT_MOST:
            bare = buffer.count(b"\n", start) != buffer.count(b"\r\n", start)
            if bare and (start == 0 or buffer[start - 1 : start + 1] != b"\r\n"):
                return bytes(buffer)
            line = self._cfg.limit_request_line + 4
            if len(buffer) > line and b"\r\n" not in buffer[2:line]:
                return bytes(buffer)
            self._searched = len(buffer)
            return None
        if end < 0 or end > HEAD_AT_MOST:
            raise Refused(431, f"the head of a request may have {HEAD_AT_MOST} bytes")
        head = bytes(buffer[: end + 4])
        del buffer[: end + 4]
        self._searched = 0
        return head

    def _begin(self, head: bytes) -> None:
        self._number += 1
        try:
            request = Request(self._cfg, IterUnreader([head]), self._peer, self._number)
        except (ParseException, NoMoreData, StopIteration) as problem:
            raise of_parser(problem) from None
        reader = request.body.reader
        if isinstance(reader, ChunkedReader):
            self._chunked = Chunked(self._limit)
        elif reader.length > self._limit:
            raise Refused(413, f"a body may have {self._limit} bytes")
        else:
            self._length = reader.length
        self._request = request

    def _complete(self, body: bytes) -> Whole:
        request, chunked = self._request, self._chunked is not None
        self._request, self._chunked, self._length = None, None, 0
        request.body = io.BytesIO(body)
        request._expected_100_continue = False
        if chunked:  # Whoever reads it sees a body of known length.
            request.headers = [pair for pair in request.headers if pair[0] != "TRANSFER-ENCODING"]
            request.headers.append(("CONTENT-LENGTH", str(len(body))))
        return Whole(request, body)
