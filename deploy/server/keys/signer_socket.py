"""The one signer of services apart: standings' worker, whom its web processes ask over a socket beside the signer's memory.

A question names a log and a size; the root that is signed is that of the worker's own ledger. Who may ask can thus have
nothing signed that the log does not say. If several workers run, the one that holds the lock signs, and the others stand by.
"""

import os
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec

from deploy.whole_files import take_lock
from shared import structured_log
from shared.audit.checkpoints.checkpoint import BadCheckpoint, parse
from shared.core.language.messages import message_of, say
from shared.core.language.stored_messages import message_from, message_to_text
from shared.desk.desk import Desk, DeskError
from shared.desk.log_checkpoint import root_at
from shared.desk.signer_port import History, NotSigned, Sign, history_of
from shared.log.port import LogUnavailable

NAME = "signer.sock"
_SECONDS = 3.0
"""Limit of one answer, in seconds. The publication waits for it, and every later command of its process."""
_HANDOVER_SECONDS = 6.0
"""How long the question is asked again, in seconds, if the worker that signs has ended and another one takes over."""
_POLL_SECONDS = 0.1
_LONGEST = 4096


class _Question(msgspec.Struct):
    origin: str
    size: int


class _Answer(msgspec.Struct):
    note: str = ""
    refused: str = ""


class RemoteSigner:
    """Has checkpoints signed by the worker that listens in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def sign(self, origin: str, size: int, root: bytes, history: History) -> str:
        """A note of this log. Raises `NotSigned` where the signer refuses, is not there, or has another log."""
        try:
            answer = msgspec.json.decode(self._ask(msgspec.json.encode(_Question(origin, size))), type=_Answer)
        except msgspec.MsgspecError:
            raise NotSigned(say("the worker of standings, which signs checkpoints, does not answer")) from None
        if answer.refused:
            raise NotSigned(message_from(answer.refused))
        try:
            checkpoint = parse(answer.note)
        except BadCheckpoint as problem:
            raise NotSigned(message_of(problem)) from None
        if (checkpoint.origin, checkpoint.size, checkpoint.root) != (origin, size, root):
            raise NotSigned(
                say(
                    "the root of the first {size} events in the signer's ledger differs from the root in this ledger",
                    size=size,
                )
            )
        return answer.note

    def _ask(self, question: bytes) -> bytes:
        """Return the answer, or b"" if it does not come in time."""
        end = time.monotonic() + _HANDOVER_SECONDS
        while True:
            try:
                answer = self._ask_once(question)
            except OSError:
                answer = b""
            if answer or time.monotonic() > end:
                return answer
            time.sleep(_POLL_SECONDS)

    def _ask_once(self, question: bytes) -> bytes:
        with _short(self._folder) as folder, socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_SECONDS)
            connection.connect(f"{folder}/{NAME}")
            connection.sendall(question + b"\n")
            with connection.makefile("rb") as answer:
                return answer.read()


class SignerServer:
    """Answers `RemoteSigner`s in a folder from a desk's ledger, for as long as ``stop`` is not set and it has the lock."""

    def __init__(self, desk: Desk, sign: Sign, folder: Path, stop: threading.Event) -> None:
        self._desk, self._sign, self._folder, self._stop = desk, sign, folder, stop

    def run(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._folder / f"{NAME}.lock").open("w") as lock, _short(self._folder) as folder:
            while not self._stop.is_set():
                if take_lock(lock):
                    self._serve(f"{folder}/{NAME}")
                else:
                    self._stop.wait(_POLL_SECONDS)

    def _serve(self, path: str) -> None:
        Path(path).unlink(missing_ok=True)
        with _Server(path, self._answer) as server:
            Path(path).chmod(0o600)
            server.timeout = _POLL_SECONDS
            while not self._stop.is_set():
                server.handle_request()

    def _answer(self, question: bytes) -> bytes:
        try:
            asked = msgspec.json.decode(question, type=_Question)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return msgspec.json.encode(_Answer(refused=message_to_text(say("not a question"))))
        try:
            return msgspec.json.encode(_Answer(note=self._signed(asked.origin, asked.size)))
        except (DeskError, LogUnavailable) as refusal:
            return msgspec.json.encode(_Answer(refused=message_to_text(message_of(refusal))))

    def _signed(self, origin: str, size: int) -> str:
        self._desk.folds.refresh()
        view = self._desk.folds.current_view(origin.rpartition("/")[2])
        if view is None or view.state.origin != origin:
            raise NotSigned(say("the signer does not know the log {origin}", origin=origin))
        try:
            root = root_at(self._desk, view.state.id, size)
        except ValueError as problem:
            raise NotSigned(message_of(problem)) from None
        history = history_of(view.state, partial(root_at, self._desk, view.state.id))
        return self._sign(origin, size, root, history)


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, path: str, answer: Callable[[bytes], bytes]) -> None:
        super().__init__(path, _Handler)
        self.answer = answer

    def handle_error(self, request: object, client_address: object) -> None:
        structured_log.crash("signer", sys.exc_info()[1] or RuntimeError("unknown"))


class _Handler(socketserver.StreamRequestHandler):
    timeout = _SECONDS
    server: _Server

    def handle(self) -> None:
        with suppress(OSError):  # Who asks has gone, or says nothing.
            self.wfile.write(self.server.answer(self.rfile.readline(_LONGEST)))


@contextmanager
def _short(folder: Path) -> Iterator[str]:
    """A short name of a folder: the path of a socket has at most 107 bytes."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{opened}"
    finally:
        os.close(opened)
