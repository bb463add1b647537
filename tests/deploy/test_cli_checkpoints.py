"""The command line around checkpoints: receipts, rotation, restarts, witnesses, and watching a server."""

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
from flask import Flask

from deploy.cli.client import local
from deploy.cli.log_watch import Changed, Watch
from deploy.cli.main import run
from deploy.cli.verbs.audit import watch
from deploy.failure import Failure
from deploy.server.keys.house_signer import HouseSigner, memory_of
from shared.audit.checkpoints.note import SignedHead
from shared.client import Answer, Client, Problem
from shared.desk.signer_port import History
from tests.deploy.test_cli_logs import FILE
from tests.played import SIGNER, Played, a_desk, an_app, spring_cup
from tests.proofs.witness import Cosigner

W1, W2 = (Cosigner(f"witness.example/w{n}", n) for n in (1, 2))


@pytest.fixture
def house(arbiter, tmp_path) -> Path:
    file = tmp_path / "harbour.trf"
    file.write_text(FILE)
    data = tmp_path / "data"
    assert arbiter("import", file, "--data", data, "--id", "H")[0] == 0
    return data


def test_a_receipt_is_checked_alone_and_with_its_log(arbiter, house, tmp_path):
    receipt, log, key = tmp_path / "line.tlog-proof", tmp_path / "log", house / "arbiter.vkey"
    code, out, _ = arbiter("receipt", "H", 3, "--data", house)
    receipt.write_text(out)
    log.write_text(arbiter("log", "H", "--data", house)[1])
    assert code == 0 and out.startswith("c2sp.org/tlog-proof@v1\n")
    code, out, _ = arbiter("verify", "--receipt", receipt, "--key", key)
    assert code == 0 and "agrees: event 3 of arbiter/H" in out and '"subject": "tournaments/H"' in out
    assert arbiter("verify", "--receipt", receipt)[0] == 3
    assert arbiter("verify", "--receipt", receipt, "--strict")[0] == 1
    told = json.loads(arbiter("verify", "--receipt", receipt, "--key", key, "--json")[1])
    assert (told["verdict"], told["seq"], told["origin"]) == ("agrees", 3, "arbiter/H")
    code, out, _ = arbiter("verify", log, "--receipt", receipt, "--key", key, "--json")
    assert json.loads(out)["verdict"] == "agrees" and code == 0
    cut = tmp_path / "cut"
    cut.write_text("".join(log.read_text().splitlines(keepends=True)[:2]))
    code, out, _ = arbiter("verify", cut, "--receipt", receipt, "--key", key)
    assert code == 1 and "event 3 differs from the event in the receipt" in out


def test_the_service_that_wrote_a_receipts_line_is_checked_by_its_key(arbiter, house, tmp_path):
    receipts = []
    for seq in (1, 2):
        receipts += ["--receipt", tmp_path / str(seq)]
        receipts[-1].write_text(arbiter("receipt", "H", seq, "--data", house)[1])
    alone = ("verify", *receipts[2:], "--key", house / "arbiter.vkey")
    both = ("verify", *receipts, "--key", house / "arbiter.vkey")
    pairing, games = (house / "keys" / f"{name}.vkey" for name in ("pairing", "games"))
    code, out, _ = arbiter(*alone)
    assert code == 0 and "remark: the writer of the event was not checked" in " ".join(out.split())
    code, out, _ = arbiter(*both, "--service-key", pairing)
    assert code == 0 and out.count("written by pairing") == 2, out
    told = json.loads(arbiter(*receipts_of(both, 1), "--service-key", pairing, "--json")[1])
    assert told["incomplete"] and told["written_by"] is None and told["verdict"] == "incomplete"
    assert arbiter(*both, "--service-key", games)[0] == 3
    assert arbiter(*both, "--service-key", pairing.read_text().strip())[0] == 0
    other = tmp_path / "other"
    assert arbiter("keys", "--data", other)[0] == 0
    foreign = other / "keys" / "pairing.vkey"
    code, out, _ = arbiter(*both, "--service-key", foreign)
    assert code == 1 and "is not by any given key of pairing" in " ".join(out.split())
    log = tmp_path / "log"
    log.write_text(arbiter("log", "H", "--data", house)[1])
    assert arbiter("verify", log, "--service-key", pairing, "--service-key", games)[0] == 0
    code, out, _ = arbiter("verify", log, "--service-key", foreign)
    assert code == 1 and "that is not among the given keys" in " ".join(out.split())


def receipts_of(words: tuple[Any, ...], number: int) -> tuple[Any, ...]:
    """A call of verify with the first receipts alone."""
    return (*words[: 1 + 2 * number], *words[-2:])


@pytest.mark.parametrize("content", [b"", b"\xff", b"nothing", b"services/games+00000000+AA=="])
def test_what_is_no_key_of_a_service_is_one_line(arbiter, house, tmp_path, content):
    (tmp_path / "key").write_bytes(content)
    (tmp_path / "r").write_text(arbiter("receipt", "H", 3, "--data", house)[1])
    code, _, err = arbiter("verify", "--receipt", tmp_path / "r", "--service-key", tmp_path / "key")
    assert code == 2 and err.count("\n") == 1 and str(tmp_path / "key")[:20] in err


def test_receipts_alone_take_nothing_that_is_of_a_log(arbiter, house, tmp_path):
    receipt = tmp_path / "r"
    receipt.write_text(arbiter("receipt", "H", 3, "--data", house)[1])
    for more in (("--digest", "3:" + "0" * 40), ("--checkpoint", receipt)):
        assert arbiter("verify", "--receipt", receipt, *more)[0] == 2
    assert arbiter("verify")[0] == 2


@pytest.mark.parametrize("content", [b"", b"\xff", b"nothing", b"c2sp.org/tlog-proof@v1\n"])
def test_what_is_no_receipt_is_one_line(arbiter, tmp_path, content):
    (tmp_path / "r").write_bytes(content)
    code, _, err = arbiter("verify", "--receipt", tmp_path / "r")
    assert code == 2 and err.count("\n") == 1 and str(tmp_path / "r") in err


def test_a_receipt_of_a_line_that_is_not_there_is_refused(arbiter, house, tmp_path):
    assert arbiter("receipt", "H", 999, "--data", house)[0] == 2
    assert arbiter("receipt", "H", 1, "--data", tmp_path / "nowhere")[0] == 2


def test_a_quorum_of_witnesses_is_demanded_of_the_newest_checkpoint(arbiter, house, tmp_path):
    log, note, key = tmp_path / "log", tmp_path / "note", house / "arbiter.vkey"
    log.write_text(arbiter("log", "H", "--data", house)[1])
    plain = arbiter("checkpoint", "H", "--data", house)[1]
    note.write_text(W1.cosign(plain))
    given = ("verify", log, "--checkpoint", note, "--key", key)
    assert arbiter(*given, "--witness", W1.witness)[0] == 0
    code, out, _ = arbiter(*given, "--witness", W1.witness, "--witness", W2.witness)
    assert code == 1 and "1 of 2 witnesses" in out and "w2" in out
    assert arbiter(*given, "--witness", W1.witness, "--witness", W2.witness, "--quorum", 1)[0] == 0
    for wrong in (("--quorum", 1), ("--witness", W1.witness, "--quorum", 2), ("--witness", "a+b+c")):
        assert arbiter(*given, *wrong)[0] == 2
    assert arbiter("verify", log, "--witness", W1.witness)[0] == 2


def test_a_checkpoint_key_is_rotated_and_both_keys_are_in_the_one_file(arbiter, house, tmp_path):
    old, key = tmp_path / "old", house / "arbiter.vkey"
    old.write_text(arbiter("checkpoint", "H", "--data", house)[1])
    before = key.read_text()
    code, _, err = arbiter("keys", "--rotate", "checkpoint", "--data", house)
    assert code == 0 and "former keys" in err
    assert key.read_text().endswith(before) and key.read_text().count("\n") == 2
    log, new = tmp_path / "log", tmp_path / "new"
    new.write_text(arbiter("checkpoint", "H", "--data", house)[1])
    log.write_text(arbiter("log", "H", "--data", house)[1])
    assert arbiter("verify", log, "--checkpoint", old, "--checkpoint", new, "--key", key)[0] == 0
    (tmp_path / "former.vkey").write_text(before)
    assert arbiter("verify", log, "--checkpoint", new, "--key", tmp_path / "former.vkey")[0] == 1


def test_a_memory_that_was_deleted_is_asked_for_and_takes_only_what_the_house_signed(arbiter, house, tmp_path):
    # given a log that was published, a checkpoint that somebody keeps, and a memory that is gone
    published(house)
    kept, foreign, other = tmp_path / "kept", tmp_path / "foreign", tmp_path / "other"
    kept.write_text(arbiter("checkpoint", "H", "--data", house)[1])
    memory_of(house).path.unlink()
    remember = ("checkpoint", "H", "--data", house, "--remember")
    code, _, err = arbiter("checkpoint", "H", "--data", house)
    assert (
        code == 1
        and "the signer has no memory of this log" in err
        and "--remember NOTE" in err
        and err.count("\n") == 1
    )
    assert "checkpoint H --remember NOTE" in arbiter("doctor", "--data", house)[1]
    # then neither a stranger's note, nor another log's, nor what is none is taken
    foreign.write_text(SIGNER.sign("arbiter/H", 999, bytes(32)))
    other.write_text(HouseSigner(house).sign("arbiter/I", 3, bytes(32), History(lambda n: bytes(32))))
    for wrong, code in (
        (foreign, 1),
        (other, 1),
        (house / "arbiter.key", 2),
        (house / "arbiter.db", 2),
        (tmp_path / "no", 2),
    ):
        told = arbiter(*remember, wrong)
        assert (told[0], told[2].count("\n")) == (code, 1), told
    assert arbiter(*remember, kept, "--restart", "--reason", "x")[0] == 2
    # and with the one that the house signed the log goes on, and a shorter one is refused again
    assert arbiter(*remember, kept)[0] == 0
    assert arbiter(*remember, kept)[0] == 1
    assert arbiter("checkpoint", "H", "--data", house)[0] == 0
    # or, where nobody has kept one, it says for ever that it begins anew
    memory_of(house).path.unlink()
    assert arbiter("checkpoint", "H", "--data", house, "--restart", "--reason", "the disk is gone")[0] == 0
    assert arbiter("checkpoint", "H", "--data", house)[0] == 0
    log = tmp_path / "log"
    log.write_text(arbiter("log", "H", "--data", house)[1])
    assert "checkpoints started again" in "".join(arbiter("verify", log)[1:])


def published(house: Path) -> None:
    with local(house, "import", "chief_arbiter") as chief:
        seen = chief.get("/v1/tournaments/H").etag
        chief.post("/v1/tournaments/H/publications", {"round": 1, "final": False}, if_match=seen)


def test_a_log_that_was_cut_is_named_by_doctor_and_signed_after_a_restart_with_a_reason(arbiter, house, tmp_path):
    arbiter("checkpoint", "H", "--data", house)
    memory = memory_of(house)
    assert memory.remember("arbiter/H", memory.largest_head("arbiter/H"), SignedHead(999, bytes(32)))
    code, _, err = arbiter("checkpoint", "H", "--data", house)
    assert code == 1 and "999 events was signed" in err and err.count("\n") == 1
    code, out, _ = arbiter("doctor", "--data", house)
    assert code == 1 and "checkpoints of H: " in out and " 999 " in out and "checkpoint H --restart" in out
    assert arbiter("checkpoint", "H", "--data", house, "--restart")[0] == 2
    code, out, err = arbiter("checkpoint", "H", "--data", house, "--restart", "--reason", "a backup was put back")
    assert code == 0 and out.startswith("arbiter/H\n"), err
    assert "checkpoints of H" not in arbiter("doctor", "--data", house)[1]
    assert arbiter("checkpoint", "H", "--data", house, "--restart", "--reason", "again")[0] == 1
    log = tmp_path / "log"
    log.write_text(arbiter("log", "H", "--data", house)[1])
    assert "checkpoints started again" in arbiter("verify", log)[1]


# ---------------------------------------------------------------- watching


def server_of(app: Flask) -> Client:
    """The application in this process, as a server that is watched."""
    return Client("http://house", transport=httpx.WSGITransport(app))


@pytest.fixture
def cup(tmp_path) -> Iterator[tuple[Played, Client]]:
    (tmp_path / "cup").mkdir()
    desk = a_desk(tmp_path / "cup")
    played = spring_cup(desk)
    yield played, server_of(an_app(tmp_path / "cup", desk))
    desk.close()


@pytest.fixture
def other(tmp_path) -> Iterator[Client]:
    """The same tournament, told otherwise."""
    (tmp_path / "other").mkdir()
    desk = a_desk(tmp_path / "other")
    spring_cup(desk).enter_late("别人")
    yield server_of(an_app(tmp_path / "other", desk))
    desk.close()


def key_file(tmp_path: Path) -> str:
    (tmp_path / "key").write_text(f"{SIGNER.verifier}\n")
    return str(tmp_path / "key")


def test_a_log_that_grows_is_watched_and_its_last_checkpoint_kept(cup, tmp_path):
    played, server = cup
    last = played.desk.view("cup").seq
    state, keys = tmp_path / "state", [key_file(tmp_path)]
    assert str(Watch(server, state, keys).look("cup")) == f"cup: the first checkpoint has size {last}"
    played.enter_late("José Núñez")
    assert f"continues the last one, of size {last}" in str(Watch(server, state, keys).look("cup"))
    assert set(json.loads(state.read_text())) == {"cup"}


class Mirror:
    """A server whose tiles are what ``tile`` makes of them (None: there are none), and that notes what it was asked for."""

    def __init__(self, server: Client, tile: Callable[[bytes], bytes | None]) -> None:
        self.server, self.tile, self.asked = server, tile, []

    def get(self, path: str) -> Answer:
        answer = self.server.get(path)
        if "/tlog/tile/" not in path:
            self.asked.append(path.rpartition("/")[2].partition("?")[0])
            return answer
        self.asked.append("tile")
        content = self.tile(answer.content)
        if content is None:
            raise Problem(404, answer.headers, b"", command=False)
        return Answer(answer.status, answer.headers, content)


@pytest.mark.parametrize(
    ("tile", "asked"),
    [
        (lambda content: content, ["checkpoint", "tile"]),
        (lambda content: None, ["checkpoint", "tile", "proofs"]),
        (lambda content: content[:-1], ["checkpoint", "tile", "proofs"]),
        (lambda content: bytes(len(content)), ["checkpoint", "tile", "proofs"]),
    ],
    ids=["tiles", "no tiles", "a tile that was cut", "tiles of another tree"],
)
def test_a_log_is_watched_by_its_tiles_and_where_they_show_nothing_by_a_proof(cup, tmp_path, tile, asked):
    played, server = cup
    Watch(server, tmp_path / "state", []).look("cup")
    played.enter_late("José Núñez")
    mirror = Mirror(server, tile)
    assert "continues" in str(Watch(mirror, tmp_path / "state", []).look("cup"))
    assert mirror.asked == asked


def test_tiles_that_another_log_has_prove_nothing(cup, other, tmp_path):
    Watch(cup[1], tmp_path / "state", []).look("cup")
    mirror = Mirror(other, lambda content: content)
    with pytest.raises(Changed, match="do not continue"):
        Watch(mirror, tmp_path / "state", []).look("cup")
    assert mirror.asked == ["checkpoint", "tile", "proofs"]


def evidence(tmp_path: Path) -> list[Path]:
    return list(tmp_path.glob("state.*.evidence"))


def test_a_log_that_was_told_otherwise_is_found_and_both_notes_kept(cup, other, tmp_path):
    Watch(cup[1], tmp_path / "state", []).look("cup")
    before: dict[str, Any] = json.loads((tmp_path / "state").read_text())
    with pytest.raises(Changed, match="do not continue"):
        Watch(other, tmp_path / "state", []).look("cup")
    (kept,) = evidence(tmp_path)
    assert before["cup"] in kept.read_text() and kept.read_text().count("\u2014 arbiter ") == 2
    assert json.loads((tmp_path / "state").read_text()) == before, "the state stays what was seen first"


def test_a_log_that_became_shorter_is_found(cup, other, tmp_path):
    Watch(other, tmp_path / "state", []).look("cup")
    with pytest.raises(Changed, match="do not continue"):
        Watch(cup[1], tmp_path / "state", []).look("cup")


def test_a_log_that_is_there_no_more_is_found_among_all_that_were_seen(cup, tmp_path, monkeypatch, capsys):
    # given a house whose log was seen, and that has begun another in its place
    Watch(cup[1], tmp_path / "state", []).look("cup")
    (tmp_path / "anew").mkdir()
    desk = a_desk(tmp_path / "anew")
    Played(desk, "other").announce()
    anew = server_of(an_app(tmp_path / "anew", desk))
    # when it is looked at, whatever it lists
    monkeypatch.setattr(watch, "remote", lambda *_, **__: nullcontext(anew))
    code = run(["watch", "http://house", "--state", str(tmp_path / "state"), "--once"])
    desk.close()
    # then the one that is gone is named, its note is evidence, and the new one is seen
    told = capsys.readouterr().err
    assert code == 1 and "other: " in told and "the first checkpoint has size" in told, told
    assert "cup was rewritten: " in told and "the server no longer has this log" in told
    (kept,) = evidence(tmp_path)
    assert kept.read_text().count("\u2014 arbiter ") == 1
    with pytest.raises(Problem):
        Watch(anew, tmp_path / "state", []).look("never seen")


def test_a_checkpoint_that_another_key_signed_is_found(cup, tmp_path):
    (tmp_path / "key").write_text(f"{Cosigner('x', 1).witness}\n")
    with pytest.raises(Failure, match="0x01"):
        Watch(cup[1], tmp_path / "state", [str(tmp_path / "key")])
    (tmp_path / "key").write_text(f"{type(SIGNER.verifier)('arbiter', bytes(32))}\n")
    with pytest.raises(Changed, match="none of the given keys"):
        Watch(cup[1], tmp_path / "state", [str(tmp_path / "key")]).look("cup")


@pytest.mark.parametrize("content", ["", "[]", '{"cup": 1}', '{"cup": "no note"}'])
def test_a_state_that_is_none_is_one_line_and_stays(cup, tmp_path, content):
    (tmp_path / "state").write_text(content)
    with pytest.raises(Failure, match="not a state"):
        Watch(cup[1], tmp_path / "state", [])
    assert (tmp_path / "state").read_text() == content


def test_no_server_is_one_line(arbiter, tmp_path):
    code, _, err = arbiter("watch", "http://127.0.0.1:1", "--state", tmp_path / "state", "--once")
    assert code == 2 and "no answer" in err
