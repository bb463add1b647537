"""``arbiter doctor``: each thing that is broken is named, the remedy is typed as it stands, and then all is well.

Nothing is changed by looking.
"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deploy.server import embedded_desk
from shared.audit.keys import service_key_files
from shared.core.terms import GAMES, STANDINGS
from shared.log.distributed import DistributedLog
from shared.log.port import Text
from shared.log.sql import engines
from shared.log.sqlite import SqliteLog
from shared.log.webhooks import Webhook
from tests.log.older_schema import upgraded
from tests.log.test_migrations import newest, older

KAFKA = ("ARBITER_KAFKA", "ARBITER_DATABASES", "ARBITER_SERVICE", "ARBITER_DATABASE_URL", "ARBITER_DATA")


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in KAFKA:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder in which the sample was played and published."""
    from deploy.cli.main import run

    folder = tmp_path_factory.mktemp("played") / "data"
    assert run(["demo", "--data", str(folder)]) == 0
    return folder


@pytest.fixture
def house(played, tmp_path):
    """A copy of it, to be broken, with a backup of its database beside it."""
    shutil.copytree(played, tmp_path / "data")
    shutil.copy(played / "arbiter.db", tmp_path / "backup.db")
    return tmp_path / "data"


@pytest.fixture
def doctor(arbiter, house):
    """What is wrong: name → (what was found, the remedy). A look leaves every byte and file as it was."""

    def look(*args: object) -> dict[str, tuple[str, str]]:
        before = contents(house)
        code, out, err = arbiter("doctor", "--data", house, "--json", *args)
        assert contents(house) == before, "doctor has changed something"
        told = json.loads(out)
        wrong = {f["what"]: (f["found"], f["remedy"]) for f in told["findings"] if f["remedy"]}
        assert (code, told["well"], err) == (1 if wrong else 0, not wrong, "")
        return wrong

    return look


HOLDS = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("PRAGMA locking_mode = EXCLUSIVE")
held.execute("BEGIN EXCLUSIVE")
if sys.argv[2] == "writing":
    held.execute("CREATE TABLE other (x)")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["writing", "only holding"])
def test_a_database_that_another_program_has_to_itself_is_told_and_so_say_other_commands(
    arbiter, house, monkeypatch, how
):
    # given a program that holds the database
    monkeypatch.setattr(engines, "_BUSY_SECONDS", 0.1)
    path = house / "arbiter.db"
    command = [sys.executable, "-c", HOLDS, str(path), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        # when the installation is looked at, and a log is read
        code, out, err = arbiter("doctor", "--data", house, "--json")
        log = arbiter("log", "sample", "--data", house)
        holder.stdin.close()
        holder.wait()
    # then both name it, and the remedy is the one that helps
    wrong = {f["what"]: f for f in json.loads(out)["findings"] if f["remedy"]}
    assert (code, err, list(wrong)) == (1, "", ["database"])
    assert wrong["database"]["found"] == f"{path} cannot be read: another process holds the database"
    assert f"`fuser {path}`" in wrong["database"]["remedy"]
    assert log == (2, "", "arbiter: another process holds the database\n")


def test_a_services_key_that_tournaments_name_and_is_not_there_is_told_for_each_of_them(doctor, house):
    (house / "keys" / "games.key").rename(house / "kept")
    found, remedy = doctor()["keys of services"]
    assert "games.key" in found and remedy.startswith("restore ")
    service_key_files.ensure(house)
    wrong = doctor()
    named = [what for what in wrong if what.startswith("keys of ")]
    assert named and all("games signs with services/games+" in wrong[what][0] for what in named)
    assert all("keys/games.key" in wrong[what][1] for what in named)
    (house / "kept").replace(house / "keys" / "games.key")
    assert doctor() == {}


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file; what is in ``-shm`` are SQLite's locks, a reader's too."""
    files = [p for p in folder.rglob("*") if p.is_file()]
    return {str(p): (b"" if p.name.endswith("-shm") else p.read_bytes(), p.stat().st_mode) for p in files}


def typed(arbiter, remedy: str) -> None:
    """Type a remedy as it stands: the shell's part by the shell, ours by ours."""
    for part in remedy.split(" && "):
        if part.startswith("arbiter "):
            assert arbiter(*part.split()[1:])[0] == 0
        else:
            subprocess.run(part, shell=True, check=True)


def put_back(house: Path) -> None:
    """The last copy of the database."""
    for file in house.glob("arbiter.db*"):
        file.unlink()
    shutil.copy(house.parent / "backup.db", house / "arbiter.db")
    (house / "arbiter.db").chmod(0o600)


def changed(house: Path, *statements: str) -> None:
    connection = sqlite3.connect(house / "arbiter.db")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def only(wrong: dict[str, tuple[str, str]]) -> tuple[str, str]:
    (one,) = wrong.values()
    return one


def of_log(wrong: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """What is wrong with the one log itself."""
    (one,) = (found for what, found in wrong.items() if what.startswith("log of "))
    return one


def test_a_house_in_order_is_well(doctor):
    assert doctor() == {}


def test_while_the_server_runs_or_after_it_fell_doctor_reads_what_the_wal_holds_and_makes_no_file(doctor, house):
    log = embedded_desk.open_log(house)
    for name in ("first", "second"):  # the first commit of a process leaves no log of writes
        with log.transaction() as tx:
            tx.put_texts([Text(name, "salt", name, "open")])
    assert (house / "arbiter.db-wal").stat().st_size > 0
    assert doctor() == {}
    log.close()


def test_a_deleted_database_is_named_and_the_backup_mends_it(doctor, house):
    for file in house.glob("arbiter.db*"):
        file.unlink()
    state, remedy = only(doctor())
    assert "is missing" in state and remedy.startswith("restore the database from a backup, or start a new log with")
    put_back(house)
    assert doctor() == {}


def test_a_deleted_database_is_named_and_the_command_begins_another_log(doctor, arbiter, house):
    for file in house.glob("arbiter.db*"):
        file.unlink()
    _, remedy = only(doctor())
    typed(arbiter, re.findall("`(.*)`", remedy)[0])
    assert doctor() == {}


def test_the_database_of_another_house_is_named(doctor, arbiter, house, tmp_path):
    assert arbiter("demo", "--data", tmp_path / "other")[0] == 0
    shutil.copy(tmp_path / "other" / "arbiter.db", house / "arbiter.db")
    state, _ = only(doctor())
    assert "belongs to different keys" in state
    put_back(house)
    assert doctor() == {}


def test_the_database_of_an_older_version_is_named_and_left_as_it_is_until_a_server_starts(doctor, house):
    older(house / "arbiter.db", "0002")
    state, remedy = only(doctor())
    assert state == f"it is at migration 0002 of an earlier version; the newest is {newest()}"
    assert remedy == f"start the server to migrate it: `arbiter serve --data {house}`"
    embedded_desk.open_log(house).close()
    assert doctor() == {}


def test_the_database_of_a_later_version_is_named_and_left_as_it_is(doctor, house):
    changed(house, "UPDATE alembic_version SET version_num = '9999'")
    state, remedy = only(doctor())
    assert "is at migration '9999'" in state and remedy.startswith("start the version of Arbiter that wrote it")


def test_the_database_of_another_program_is_named(doctor, house):
    (house / "arbiter.db").unlink()
    changed(house, "CREATE TABLE recipes (name)")
    (house / "arbiter.db").chmod(0o600)
    assert "it is not a log of Arbiter" in only(doctor())[0]


@pytest.mark.parametrize("table", ["sqlite_schema", "events"])
def test_a_damaged_database_is_named_and_its_copy_mends_it(doctor, house, table):
    connection = sqlite3.connect(house / "arbiter.db")
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone() or (1,)
    connection.close()
    content = bytearray((house / "arbiter.db").read_bytes())
    at = (root[0] - 1) * 4096
    content[at : at + 3000] = b"\xff" * 3000
    (house / "arbiter.db").write_bytes(content)
    state, remedy = only(doctor())
    assert str(house / "arbiter.db") in state and re.search("last (backup|copy)", remedy)
    put_back(house)
    assert doctor() == {}


@pytest.mark.parametrize("verb", ["doctor", "log sample", "archive sample", "serve --port 0"])
def test_schema_damage_that_is_not_utf8_is_one_line(arbiter, house, verb):
    with closing(sqlite3.connect(house / "arbiter.db")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = (house / "arbiter.db").read_bytes()
    damaged = content.replace(b"tableeventsevents", b"table\xef\xffentsevents").replace(
        b"TABLE events", b"TABLX events"
    )
    assert damaged != content
    (house / "arbiter.db").write_bytes(damaged)
    code, out, err = arbiter(*verb.split(), "--data", house)
    assert code in (1, 2)
    (told,) = [line for line in (out + err).splitlines() if "malformed database schema" in line]
    assert str(house / "arbiter.db") in told and "internal error" not in told


def line_with(house: Path, old: bytes, new: bytes) -> None:
    """One line of the log says something else."""
    connection = sqlite3.connect(house / "arbiter.db")
    pos, line = connection.execute("SELECT pos, line FROM events WHERE instr(line, ?) LIMIT 1", (old,)).fetchone()
    connection.execute("UPDATE events SET line = ? WHERE pos = ?", (line.replace(old, new, 1), pos))
    connection.commit()
    connection.close()


def test_a_log_that_is_not_what_its_publication_signed_is_named(doctor, house):
    line_with(house, b'"role":"arbiter"', b'"role":"Arbiter"')
    wrong = doctor()
    state, remedy = of_log(wrong)
    assert any("was signed with a root hash that differs" in found for found, _ in wrong.values()), (
        "the signer remembers it too"
    )
    assert "events differ from those that its publication signed" in state and "last backup" in remedy
    put_back(house)
    assert doctor() == {}


def test_a_publication_whose_signature_does_not_hold_is_named(doctor, house):
    connection = sqlite3.connect(house / "arbiter.db")
    ((line,),) = connection.execute(
        "SELECT line FROM events WHERE instr(line, 'arbiter.standings.published') LIMIT 1"
    ).fetchall()
    connection.close()
    size = json.loads(line)["data"]["checkpoint"].split("\n")[1]
    line_with(house, f"\\n{size}\\n".encode(), f"\\n{int(size) - 1}\\n".encode())
    assert "signature of its publication" in of_log(doctor())[0]


def test_a_log_that_is_shorter_than_what_was_signed_of_it_is_named_with_both_sizes(doctor, house):
    t, size = remembered(house)
    changed(house, f"DELETE FROM events WHERE stream = 'tournaments/{t}' AND seq > {size - 2}")
    state, remedy = doctor()[f"checkpoints of {t}"]
    assert state == f"a checkpoint of {size} events was signed, but this log has only {size - 2}"
    assert f"`arbiter checkpoint {t} --restart" in remedy and remedy.startswith("restore the whole log")
    put_back(house)
    assert doctor() == {}


def test_a_log_that_is_another_than_what_was_signed_of_it_is_named_though_it_was_never_published(doctor, house):
    _, size = remembered(house)
    memory(house, f"UPDATE signed SET root = x'{'00' * 32}'")
    state, _ = only(doctor())
    assert f"of the first {size} events was signed with a root hash that differs from that of this log" in state


def test_a_tournament_that_was_signed_and_is_gone_as_a_whole_is_named(doctor, house):
    memory(house, "INSERT INTO signed VALUES ('arbiter/gone', 7, x'00')")
    assert doctor()["checkpoints of gone"][0] == "a checkpoint of 7 events was signed, but this log has only 0"


def test_a_log_that_was_published_and_of_which_the_signer_remembers_nothing_is_named(doctor, house):
    t, _ = remembered(house)
    memory(house, "DELETE FROM signed")
    state, remedy = doctor()[f"checkpoints of {t}"]
    assert "the signer has no memory of this log" in state and f"`arbiter checkpoint {t} --remember NOTE`" in remedy


@pytest.mark.parametrize("damage", [b"nothing that is a database", b""])
def test_a_memory_that_cannot_be_read_is_named_and_stays_as_it_is(doctor, house, damage):
    (house / "signed.db").write_bytes(damage)
    wrong = doctor()
    assert bool(wrong) == bool(damage)
    for state, remedy in wrong.values():
        assert "signed.db cannot be used" in state and "--remember NOTE" in remedy


def test_a_memory_that_others_may_read_is_named_wherever_it_lies(doctor, arbiter, house, tmp_path, monkeypatch):
    (house / "signed.db").replace(tmp_path / "signed.db")
    monkeypatch.setenv("ARBITER_SIGNED", str(tmp_path / "signed.db"))
    (tmp_path / "signed.db").chmod(0o644)
    state, remedy = only(doctor())
    assert state == f"other users can read {tmp_path / 'signed.db'}"
    typed(arbiter, remedy)
    assert doctor() == {}


def remembered(house: Path) -> tuple[str, int]:
    """A tournament of which something was signed, and how many lines."""
    ((origin, size),) = memory(house, "SELECT origin, size FROM signed WHERE size > 0 LIMIT 1")
    return origin.rpartition("/")[2], size


def memory(house: Path, *statements: str) -> list:
    """Statements on what the signer remembers, and what the last one finds."""
    connection = sqlite3.connect(house / "signed.db")
    found = [connection.execute(statement).fetchall() for statement in statements]
    connection.commit()
    connection.close()
    return found[-1]


def test_a_line_that_is_missing_is_named(doctor, house):
    changed(house, "DELETE FROM events WHERE stream LIKE 'tournaments/%' AND seq = 2")
    assert any("event 2 is missing" in state for state, _ in doctor().values())


def test_a_text_that_a_line_names_and_nobody_has_erased_is_named_where_it_is_missing(doctor, house):
    changed(house, "DELETE FROM texts WHERE hash IN (SELECT min(hash) FROM texts)")
    ((what, (found, remedy)),) = doctor().items()
    assert (
        what.startswith("texts of ")
        and found.startswith("1 text that an event refers to is missing")
        and "backup" in remedy
    )
    put_back(house)
    assert doctor() == {}


def test_a_line_from_the_future_is_named_with_the_moment_when_that_is_over(doctor, house):
    later = (datetime.now(UTC) + timedelta(days=400)).strftime("%Y-%m-%dT%H:%M:%S.%f")
    connection = sqlite3.connect(house / "arbiter.db")
    pos, line = connection.execute(
        "SELECT pos, line FROM events WHERE stream LIKE 'tournaments/%' ORDER BY pos DESC"
    ).fetchone()
    event = json.loads(line)
    changed_line = line.replace(event["time"].encode(), f"{later}Z".encode())
    connection.execute("UPDATE events SET line = ? WHERE pos = ?", (changed_line, pos))
    connection.commit()
    connection.close()
    state, remedy = of_log(doctor())
    assert later[:10] in state and "NTP" in remedy and later[:10] in remedy


@pytest.mark.parametrize("name", ["token.key", "arbiter.key", "arbiter.db"])
def test_a_file_that_others_may_read_is_named_and_the_command_mends_it(doctor, arbiter, house, name):
    (house / name).chmod(0o644)
    state, remedy = doctor()[name]
    assert state == "other users can read it"
    typed(arbiter, remedy)
    assert doctor() == {}


def test_a_folder_that_others_may_enter_is_named_and_the_command_mends_it(doctor, arbiter, house):
    house.chmod(0o755)
    typed(arbiter, doctor()["data folder"][1])
    assert doctor() == {}


@pytest.mark.parametrize("public", [None, "nothing that is a key\n"])
def test_a_public_half_that_is_not_that_of_the_key_is_named_and_the_command_mends_it(doctor, arbiter, house, public):
    (house / "arbiter.vkey").unlink()
    if public is not None:
        (house / "arbiter.vkey").write_text(public)
    typed(arbiter, doctor()["key of checkpoints"][1])
    assert doctor() == {}


def test_a_key_that_is_lost_is_named_and_a_new_one_made_by_the_command(doctor, arbiter, house):
    (house / "arbiter.key").unlink()
    state, remedy = only(doctor())
    assert "its signing key" in state
    typed(arbiter, re.findall("`(.*)`", remedy)[0])
    assert doctor() == {}
    embedded_desk.open_log(house).close()
    assert doctor() == {}


def test_keys_of_tokens_that_are_lost_are_named_and_made_by_the_command(doctor, arbiter, house):
    shutil.rmtree(house / "token-keys")
    typed(arbiter, doctor()["keys of tokens"][1])
    assert doctor() == {}


def test_a_webhook_that_stopped_is_named_with_its_line_and_one_that_is_tried_again_is_well(doctor, house):
    log = SqliteLog(house / "arbiter.db")
    hook = Webhook("w1", "T", "https://hooks.example/secret-path", "whsec_AAAA", "li", 1)
    log.webhooks.add(hook, {"T": 0}, 9)
    log.webhooks.failed(hook._replace(tries=2, due=4_000_000_000, failing="T", seq=3, why="it answers 500"))
    assert doctor() == {}
    log.webhooks.failed(hook._replace(tries=10, failing="T", seq=3, why="it answers 500", stopped=1))
    found, remedy = only(doctor())
    assert found == "hooks.example did not accept event 3 of T (it answers 500); delivery has stopped"
    assert "POST /v1/tournaments/T/webhooks/w1/resume" in remedy
    log.webhooks.resume("T", "w1")
    log.close()
    assert doctor() == {}


def test_of_a_service_the_database_is_read_and_not_migrated(doctor, house, tmp_path):
    path = tmp_path / "games.db"
    upgraded(f"sqlite:///{path}", "0002")
    before = path.read_bytes()
    wrong = doctor("--database", f"games=sqlite:///{path}")
    state, remedy = wrong["database of games"]
    assert state == f"it is at migration 0002; the newest is {newest()}"
    assert remedy == "run `arbiter migrate`"
    assert (path.read_bytes(), sorted(p.name for p in tmp_path.glob("games.db*"))) == (before, ["games.db"])
    DistributedLog(f"sqlite:///{path}", GAMES).close()
    assert "database of games" not in doctor("--database", f"games=sqlite:///{path}")


def test_of_a_service_that_lost_its_key_each_tournament_that_names_it_is_told(doctor, house, tmp_path):
    games = f"games={ledger_of(house, tmp_path / 'games.db', GAMES)}"
    assert not {what for what in doctor("--database", games) if what.startswith("key")}
    (house / "keys" / "games.key").rename(house / "kept")
    found, remedy = doctor("--database", games)["key of games"]
    assert "games.key" in found and remedy.startswith("restore ")
    service_key_files.ensure(house)
    found, remedy = next(said for what, said in doctor("--database", games).items() if what.startswith("keys of "))
    assert "games signs with services/games+" in found and remedy.startswith("restore keys/games.key")
    standings = f"standings={ledger_of(house, tmp_path / 'standings.db', STANDINGS)}"
    assert not {what for what in doctor("--database", standings) if what.startswith("key")}, "it has its own"


def test_the_ledger_of_the_service_that_signs_is_held_against_what_was_signed(doctor, house, tmp_path):
    t, size = remembered(house)
    standings = f"standings={ledger_of(house, tmp_path / 'standings.db', STANDINGS)}"
    assert f"checkpoints of {t}" not in doctor("--database", standings)
    memory(house, f"UPDATE signed SET size = {size + 900}")
    state, _ = doctor("--database", standings)[f"checkpoints of {t}"]
    assert f"a checkpoint of {size + 900} events was signed, but this log has only" in state
    games = f"games={ledger_of(house, tmp_path / 'games.db', GAMES)}"
    assert f"checkpoints of {t}" not in doctor("--database", games), "games signs none"


def ledger_of(house: Path, path: Path, source: str) -> str:
    """The address of a service's database whose ledger holds the log of a house."""
    url = f"sqlite:///{path}"
    DistributedLog(url, source).close()
    connection = sqlite3.connect(path)
    connection.execute("ATTACH ? AS house", (str(house / "arbiter.db"),))
    columns = "pos, stream, seq, source, sourceseq, command, n, line"
    chosen = f"SELECT {columns}, x'' FROM house.events WHERE stream LIKE 'tournaments/%'"
    connection.execute(f"INSERT INTO ledger ({columns}, root) {chosen}")
    connection.commit()
    connection.execute("DETACH house")
    connection.close()
    return url


def test_a_database_that_is_not_there_is_not_made(doctor, tmp_path):
    wrong = doctor("--database", f"games=sqlite:///{tmp_path / 'none.db'}")
    assert "cannot be opened" in wrong["database of games"][0]
    assert not (tmp_path / "none.db").exists()


def test_a_log_that_is_only_read_takes_nothing(house):
    log = SqliteLog(house / "arbiter.db", readonly=True)
    with pytest.raises(Exception, match="readonly"), log.transaction() as tx:
        tx.erase_text("none")
    log.close()
