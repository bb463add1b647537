"""The end of a listening socket: no connection that the kernel has accepted is reset.

When a listening socket is closed, the kernel resets the connections in its queue. A client may already have sent a request on
them, and does not know whether it was received. So new connections are held back first, then the queue is emptied.
"""

import ctypes
import socket
import struct
from contextlib import suppress

_ATTACH_FILTER = 26
"""``SO_ATTACH_FILTER`` of Linux, which Python's `socket` does not list."""
_SYN_ONLY = (
    (0x30, 0, 0, 13),  # load the flags of the TCP header
    (0x54, 0, 0, 0x12),  # keep SYN and ACK
    (0x15, 0, 1, 0x02),  # if SYN alone is set:
    (0x06, 0, 0, 0),  # drop the packet
    (0x06, 0, 0, 0xFFFF_FFFF),  # else accept it
)
"""A classic BPF program that drops the first packet of each new connection, and nothing else."""


def hold_back_connections(listener: socket.socket) -> None:
    """Drop the first packet of each new connection to a listening socket, also if other processes share it.

    The client sends it again after a second. By then the socket is closed, and the client gets a refusal before it has sent a
    request: a gateway can pass the request on. Handshakes under way complete. Does nothing if the system cannot filter.
    """
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in _SYN_ONLY))
    with suppress(OSError):
        listener.setsockopt(
            socket.SOL_SOCKET, _ATTACH_FILTER, struct.pack("HL", len(_SYN_ONLY), ctypes.addressof(code))
        )
