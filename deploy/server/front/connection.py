"""One connection: its socket, what it is waited for, and the answer that goes out."""

import resource
import socket
from typing import Any, Literal

from deploy.server.front.intake import Intake, Whole
from shared.http.reads.stream import Stream
from shared.http.requests.waits import Awaiting

Doing = Literal["idle", "head", "body", "working", "sending", "ending"]
"""``working`` is a thread's, or a live stream; everything else waits in the loop until ``deadline``."""


class Connection:
    """A connection that the server took from ``client``; its socket does not block.

    ``stream`` is what it is answered with where that goes on, ``chunked`` whether its pieces are chunks; ``awaiting`` the
    line that its request, ``whole``, waits for.
    """

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, body_limit: int) -> None:
        sock.setblocking(False)
        self.sock, self.client, self.server = sock, client, sock.getsockname()
        self.intake = Intake(cfg, client, body_limit)
        self.doing: Doing = "working"
        self.deadline = 0.0
        self.out = bytearray()
        self.keep = False
        self.stream: Stream | None = None
        self.chunked = False
        self.whole: Whole | None = None
        self.awaiting: Awaiting | None = None
        self.drained = 0

    @property
    def held(self) -> int:
        """Bytes in memory."""
        return self.intake.held + len(self.out)

    def send(self) -> bool:
        """Send what the socket takes now of ``out``; whether all is gone. Raises OSError where nobody reads."""
        try:
            while self.out:
                del self.out[: self.sock.send(self.out)]
        except BlockingIOError:
            return False
        return True


def allow_open_files(number: int) -> None:
    """Let this process have so many open files, or as many as it may: each connection is one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, most), most))
