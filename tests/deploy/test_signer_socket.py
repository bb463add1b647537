"""The one signer of services apart, asked over its socket: it signs what its own ledger says, and nothing else."""

import json
import socket
import threading
from contextlib import contextmanager
from functools import partial

import pytest

from deploy.server.keys.signer_socket import NAME, RemoteSigner, SignerServer
from shared.audit.checkpoints.checkpoint import parse
from shared.core.language.stored_messages import message_from
from shared.desk.log_checkpoint import root_at
from shared.desk.signer_port import History, NotSigned, history_of
from shared.log.port import LogUnavailable
from tests.log.distributed import until
from tests.stories.conftest import Story
from tests.stories.hall import Embedded


@pytest.fixture
def hall(tmp_path):
    hall = Embedded(tmp_path / "house")
    Story(hall).announced()
    yield hall
    hall.close()


@contextmanager
def listening(hall, folder):
    """A worker that signs in a folder, or stands by."""
    stop = threading.Event()
    server = threading.Thread(target=SignerServer(hall.desk, hall.signer.sign, folder, stop).run)
    server.start()
    try:
        yield stop
    finally:
        stop.set()
        server.join()


def asked(hall, folder, size=None, root=None, origin="arbiter/T"):
    view = hall.desk.view("T")
    size = view.seq if size is None else size
    history = history_of(view.tournament, partial(root_at, hall.desk, "T"))
    return RemoteSigner(folder).sign(origin, size, root or hall.desk.root("T", size), history)


def answers(hall, folder) -> bool:
    try:
        return bool(asked(hall, folder))
    except NotSigned:
        return False


def test_who_has_no_key_shows_what_the_one_signer_has_signed_and_nothing_that_its_ledger_does_not_say(hall, tmp_path):
    folder = tmp_path / ("deep" * 20) / ("folder" * 10)  # Longer than the path of a socket may be.
    with pytest.raises(NotSigned, match="does not answer"):
        asked(hall, folder)
    with listening(hall, folder):
        until(lambda: answers(hall, folder))
        assert (folder / NAME).stat().st_mode & 0o077 == 0
        # a log as it is, and as it was
        note = asked(hall, folder)
        assert hall.signer.verifier.verifies(parse(note)) and parse(note).size == hall.desk.view("T").seq
        assert parse(asked(hall, folder, size=1)).root == hall.desk.root("T", 1)
        # and what is asked of another log, of lines that there are not, or of another root
        with pytest.raises(NotSigned, match="root of the first 1 events"):
            asked(hall, folder, size=1, root=bytes(32))
        with pytest.raises(NotSigned, match="999"):
            asked(hall, folder, size=999, root=bytes(32))
        with pytest.raises(NotSigned, match="does not know the log arbiter/U"):
            asked(hall, folder, size=1, origin="arbiter/U")
        # who says nothing that is a question is told so, who says nothing at all keeps nobody waiting
        with socket.socket(socket.AF_UNIX) as silent, socket.socket(socket.AF_UNIX) as poison:
            for connection in silent, poison:
                connection.connect(short(folder))
            poison.sendall(b'[{"\xff\n')
            refused = json.loads(poison.makefile("rb").read())["refused"]
            assert str(message_from(refused)) == "not a question"
            assert asked(hall, folder) == note


def test_a_question_that_the_database_cannot_answer_is_refused_and_is_no_crash(hall, tmp_path, monkeypatch, capfd):
    with listening(hall, tmp_path):
        until(lambda: answers(hall, tmp_path))

        def away() -> None:
            raise LogUnavailable("the database does not answer")

        monkeypatch.setattr(hall.desk.folds, "refresh", away)
        with pytest.raises(NotSigned, match="the database does not answer"):
            RemoteSigner(tmp_path).sign("arbiter/T", 1, bytes(32), History(lambda n: bytes(32)))
    assert "crash" not in "".join(capfd.readouterr())


def test_a_second_worker_stands_by_and_signs_when_the_first_has_gone(hall, tmp_path):
    with listening(hall, tmp_path) as first:
        until(lambda: answers(hall, tmp_path))
        with listening(hall, tmp_path):
            assert answers(hall, tmp_path)
            first.set()
            until(lambda: answers(hall, tmp_path))


def short(folder) -> str:
    import os

    return f"/proc/self/fd/{os.open(folder, os.O_RDONLY)}/{NAME}"
