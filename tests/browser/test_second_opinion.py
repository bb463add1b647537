"""Check the auditor's page, opened as a file without a server.

Verdicts and sentences come from the page's program in Node.js. Chromium shows the parts that need a browser.
"""

import json
import re
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from deploy.cli.main import run
from shared.core.terms import SOURCES, Source
from shared.core.trust.merkle import Tree, short_digest
from tests.browser.serving import Wait
from tests.browser.sound import narrow, unsound
from tests.foreign.event import forger, joined, played, vkey
from tests.foreign.event import rotated as event_of_new_keys
from tests.foreign.tampering import (
    CHECKPOINT,
    KEY,
    LOG,
    QUORUMS,
    RECEIPT,
    SHEETS,
    TAMPERINGS,
    UNCHECKED,
    Files,
    archive,
    by_a_stranger,
    house_files,
    known_witnesses,
    place,
    rotated,
    signed,
    without_last_signature,
    written,
)
from tests.programs import program
from tests.stories.conftest import Story, T

pytestmark = pytest.mark.xdist_group("browser")
PAGE = Path(__file__).parents[2] / "deploy" / "docs" / "verify.html"
IN_NODE = Path(__file__).parents[1] / "verifiers" / "opened_page.mjs"
GOLDEN = Path(__file__).parents[1] / "golden" / "log-1.0.0"
Checked = tuple[str, int, str]
"""The verdict of the page, the line that its first fault names (0: none), and all that it says."""


@pytest.fixture(scope="session")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    with played(tmp_path_factory.mktemp("event")) as story:
        yield story


@pytest.fixture
def given(event: Story) -> Files:
    """What the house gives out of a played event: its score sheets, too."""
    return house_files(event)


@pytest.fixture(scope="session")
def copy(event: Story) -> bytes:
    """The event's archive."""
    return event.ask("GET", f"{T}/archive").data


class Opened:
    """The page's program in one Node.js process. The page is opened again for each check."""

    def __init__(self, node: Popen[str]) -> None:
        self.node = node

    def checked(self, folder: Path, given: Files, **typed: str) -> Checked:
        """Give the page these files, and type into its fields, which are named."""
        assert self.node.stdin is not None and self.node.stdout is not None
        names = [str(name) for name in written(given, folder)]
        self.node.stdin.write(json.dumps({"files": names, **typed}) + "\n")
        self.node.stdin.flush()
        answer = json.loads(self.node.stdout.readline())
        return answer["verdict"], _line(answer["said"]), answer["said"]


@pytest.fixture(scope="session")
def opened() -> Iterator[Opened]:
    with Popen([program("node"), str(IN_NODE), str(PAGE)], stdin=PIPE, stdout=PIPE, text=True) as node:
        yield Opened(node)


@pytest.fixture
def open_page(browser: Chrome) -> Chrome:
    """The page as it lies on a disk, in English; what pages before it wrote to the browser's log is gone."""
    browser.get_log("browser")
    browser.get(PAGE.as_uri())
    browser.find_element(By.CSS_SELECTOR, "[data-speak=en]").click()
    return browser


def _line(said: str) -> int:
    line = re.search(r"line (\d+)|lines \d+ to (\d+)", said.partition("First fault")[2].partition("\n")[0])
    return int(line[1] or line[2]) if line else 0


def checked(page: Chrome, folder: Path, given: Files) -> Checked:
    names = written(given, folder)
    page.find_element(By.ID, "files").send_keys("\n".join(map(str, names)))
    wait = Wait(page, 60)
    wait.until(lambda b: len(b.find_elements(By.CSS_SELECTOR, "#given tbody tr")) == len(names))
    page.find_element(By.ID, "check").click()
    report = page.find_element(By.ID, "report")
    wait.until(lambda _: report.get_attribute("data-verdict"))
    return str(report.get_attribute("data-verdict")), _line(report.text), report.text


def test_it_lets_nothing_in_and_nothing_out() -> None:
    page = PAGE.read_text(encoding="utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', page)
    hashed = {
        tag: b64encode(sha256(re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.S)[0].encode()).digest()).decode()
        for tag in ("script", "style")
    }
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashed['script']}'; style-src 'sha256-{hashed['style']}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert not re.findall(r"\b(?:src|href|action)=|fetch\(|import\s*\(|https?:", page)


def test_a_genuine_event_agrees_and_what_was_checked_is_told(open_page: Chrome, tmp_path: Path, given: Files) -> None:
    verdict, _, said = checked(open_page, tmp_path, given)
    assert verdict == "agrees", said
    size = len(given[LOG].splitlines())
    for told in (
        f"{size} lines of T",
        "records, each signed",
        "2 checkpoints",
        "1 receipts",
        "references of the log to a score sheet match",
    ):
        assert told in said
    assert open_page.get_log("browser") == []


def arbiter_verify(folder: Path, given: Files) -> str:
    """The verdict of ``arbiter verify`` on the same files."""
    options = {CHECKPOINT: "--checkpoint", KEY: "--key", SHEETS: "--sheets", RECEIPT: "--receipt"}
    written(given, folder)
    named = [part for name, option in options.items() if name in given for part in (option, str(folder / name))]
    return {0: "agrees", 1: "differs", 2: "unreadable", 3: "incomplete"}[run(["verify", str(folder / LOG), *named])]


@pytest.mark.parametrize("what", TAMPERINGS)
def test_what_is_falsified_is_noticed_as_by_our_own_program_and_the_line_named(
    opened: Opened, tmp_path: Path, given: Files, what: str
) -> None:
    tamper, offsets = TAMPERINGS[what]
    held = tamper(given)
    verdict, line, said = opened.checked(tmp_path, held)
    assert verdict == "differs" == arbiter_verify(tmp_path, held), said
    assert not offsets or line - place(given[LOG].splitlines()) in offsets, said


@pytest.mark.parametrize("what", [*UNCHECKED, "nothing"])
def test_its_verdict_is_that_of_our_own_program(opened: Opened, tmp_path: Path, given: Files, what: str) -> None:
    held = UNCHECKED.get(what, dict)(given)
    assert opened.checked(tmp_path, held)[0] == arbiter_verify(tmp_path, held)


def test_each_record_must_be_signed_by_the_service_that_the_log_names(
    opened: Opened, tmp_path: Path, event: Story
) -> None:
    genuine = signed(event.hall.lines("T"), forger(event))
    verdict, _, said = opened.checked(tmp_path, genuine)
    assert verdict == "incomplete" and "records, each signed by the service" in said and "no signature" not in said
    verdict, _, said = opened.checked(tmp_path, without_last_signature(genuine, forger(event)))
    assert verdict == "incomplete" and "1 records have no signature" in said, said


@pytest.mark.parametrize("source", SOURCES)
def test_a_record_signed_by_another_key_is_noticed(
    opened: Opened, tmp_path: Path, event: Story, source: Source
) -> None:
    """The forger has the house's key of checkpoints, and of this service none: all but its signatures is as it must be."""
    forged = signed(event.hall.lines("T"), forger(event), source)
    verdict, line, said = opened.checked(tmp_path, forged)
    assert verdict == "differs" and f"the signature is not by {source}" in said
    assert json.loads(forged[LOG].splitlines()[line - 1])["source"] == source


def test_a_key_is_good_until_the_service_has_announced_the_next(opened: Opened, tmp_path: Path, event: Story) -> None:
    lines, house = event.hall.lines("T"), forger(event)
    assert opened.checked(tmp_path, rotated(lines, house))[0] == "incomplete"
    verdict, line, said = opened.checked(tmp_path, rotated(lines, house, stolen=True))
    assert (verdict, line) == ("differs", len(lines) + 2), said


def test_signatures_of_witnesses_are_counted_and_one_that_is_not_theirs_is_noticed(
    opened: Opened, tmp_path: Path, given: Files
) -> None:
    """C2SP ``cosignature/v1``: a time, and Ed25519 over it and the checkpoint's text."""
    private, name = Ed25519PrivateKey.generate(), "witness.example/w1"
    key = vkey(name, 4, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
    text = given[CHECKPOINT].decode().partition("\n\n")[0] + "\n"
    for time, signed_time, verdict in ((1700000000, 1700000000, "agrees"), (1700000000, 1700000001, "differs")):
        signature = private.sign(f"cosignature/v1\ntime {signed_time}\n{text}".encode())
        blob = bytes.fromhex(key.split("+")[1]) + time.to_bytes(8, "big") + signature
        cosigned = given[CHECKPOINT] + f"— {name} {b64encode(blob).decode()}\n".encode()
        told = opened.checked(tmp_path, given | {CHECKPOINT: cosigned, "witness.vkey": key.encode()})
        assert told[0] == verdict and ("1 signatures of witnesses" in told[2]) == (verdict == "agrees"), told


@pytest.mark.parametrize("what", QUORUMS)
def test_as_many_witnesses_as_are_asked_for_cosigned_the_newest_checkpoint(
    opened: Opened, tmp_path: Path, event: Story, given: Files, what: str
) -> None:
    change, quorum, why = QUORUMS[what]
    held = change(known_witnesses(event, given))
    verdict, _, said = opened.checked(tmp_path, held, quorum=str(quorum or ""))
    assert (verdict, why in said) == ("differs" if why else "agrees", True), said


def test_keys_of_witnesses_without_a_checkpoint_are_told(
    opened: Opened, tmp_path: Path, event: Story, given: Files
) -> None:
    held = known_witnesses(event, given)
    verdict, _, said = opened.checked(tmp_path, {name: held[name] for name in (LOG, "witnesses.vkey")})
    assert verdict == "incomplete" and "no given file could have been signed by it" in said, said


def test_page_says_that_a_key_came_from_the_same_file(
    open_page: Chrome, opened: Opened, tmp_path: Path, event: Story, copy: bytes
) -> None:
    key = (event.hall.data / "arbiter.vkey").read_bytes()
    verdict, _, said = checked(open_page, tmp_path, {"T.zip": copy})
    own = open_page.find_element(By.ID, "own")
    assert verdict == "agrees" and said.startswith("Agrees; names and notes are not included")
    assert "comes from the same file" in own.text and key.decode().strip() in own.text
    assert own.value_of_css_property("color") != open_page.find_element(By.TAG_NAME, "h1").value_of_css_property(
        "color"
    )
    assert "comes from the same file" not in opened.checked(tmp_path, {"T.zip": copy, KEY: key})[2]


def test_what_lies_in_an_archive_agrees_and_is_noticed_where_it_was_altered(
    opened: Opened, tmp_path: Path, event: Story
) -> None:
    held = archive(event)
    verdict, _, said = opened.checked(tmp_path, held)
    assert verdict == "agrees" and "1 checkpoints" in said and "references of the log to a score sheet match" in said, (
        said
    )
    assert opened.checked(tmp_path, TAMPERINGS["a line is altered"][0](held))[0] == "differs"


def zipped(files: Files) -> bytes:
    """An archive of these files."""
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return held.getvalue()


def whole(copy: bytes) -> Files:
    """Every file of an archive."""
    with zipfile.ZipFile(BytesIO(copy)) as held:
        return {name: held.read(name) for name in held.namelist()}


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_one_forged_line_in_an_archive_is_found_and_named_by_the_page_that_an_auditor_saved(
    open_page: Chrome, tmp_path: Path, event: Story, copy: bytes, tongue: str
) -> None:
    saved = tmp_path / "verify.html"
    saved.write_bytes(event.ask("GET", "/verify.html").data)
    speak = f"[data-speak={tongue}]"
    with narrow(open_page):
        open_page.get(saved.as_uri())
        open_page.find_element(By.CSS_SELECTOR, speak).click()
        verdict, _, told = checked(open_page, tmp_path / "genuine", {"T.zip": copy})
        assert verdict == "agrees" and "standings.csv" in told, told
        assert unsound(open_page, tongue) == []
    files = whole(copy)
    number = place(files[LOG].splitlines())
    forged = zipped(files | {LOG: TAMPERINGS["a line is altered"][0](files)[LOG]})
    with narrow(open_page):
        open_page.refresh()
        open_page.find_element(By.CSS_SELECTOR, speak).click()
        verdict, _, told = checked(open_page, tmp_path / "forged", {"T.zip": forged})
        assert unsound(open_page, tongue) == []
    named = {"en": f"T.zip, log.ndjson, line {number}", "zh": f"T.zip, log.ndjson，第 {number} 行"}[tongue]
    assert verdict == "differs" and named in told, told


@pytest.mark.parametrize(
    "broken",
    [b"PK\x03\x04", zipped({"README.txt": b"x"}), zipped({LOG: b"{}"})[:-30]],
    ids=["nothing but its mark", "without a log", "cut short"],  # Theirs would hold the time at which they were made.
)
def test_what_is_no_archive_is_named(opened: Opened, tmp_path: Path, given: Files, broken: bytes) -> None:
    verdict, _, said = opened.checked(tmp_path, {LOG: given[LOG], "T.zip": broken})
    assert verdict == "unreadable" and "T.zip: not an archive of an event as the server writes it" in said, said


def test_the_digest_of_a_printed_sheet_is_compared(opened: Opened, tmp_path: Path, event: Story, copy: bytes) -> None:
    digest = short_digest(5, Tree.of(event.hall.lines("T")).root(5))
    for printed, verdict, words in (
        (digest, "agrees", "1 printed digest"),
        (digest[:22], "agrees", "80 bits"),
        (digest[:-1] + ("0" if digest[-1] != "0" else "1"), "differs", "the printed digest does not match this log"),
        ("999999" + digest[1:], "differs", "the printed digest does not match this log"),
        ("5", "differs", "the printed digest does not match this log"),
    ):
        said = opened.checked(tmp_path, {"T.zip": copy}, printed=printed)
        assert said[0] == verdict and words in said[2], (printed, said)


def test_a_log_is_good_whose_house_changed_keys_of_its_services(opened: Opened, tmp_path: Path) -> None:
    held = {LOG: joined(event_of_new_keys(tmp_path / "data"))}
    files = tmp_path / "files"
    verdict, _, said = opened.checked(files, held)
    assert verdict == arbiter_verify(files, held) == "agrees", said


def test_a_signature_in_a_log_without_keys_is_noticed(opened: Opened, tmp_path: Path, given: Files) -> None:
    lines = [re.sub(rb'"keys":\[.*?\]', b'"keys":[]', line) for line in given[LOG].splitlines()]
    verdict, _, said = opened.checked(tmp_path, {LOG: joined(lines)})
    assert verdict == "differs" and "the log contains no key of a service" in said, said


def test_a_service_that_the_log_does_not_name_is_noticed(opened: Opened, tmp_path: Path, event: Story) -> None:
    verdict, _, said = opened.checked(tmp_path, by_a_stranger(event.hall.lines("T"), forger(event)))
    assert verdict == "differs" and "the log contains no key of a service /services/other" in said, said


def test_no_check_is_switched_off_by_an_unknown_announcement(opened: Opened, tmp_path: Path, event: Story) -> None:
    """All is made anew, with the house's key of checkpoints: only the announcement's type is one that there is not."""
    lines = [
        line.replace(b"arbiter.tournament.announced.", b"arbiter.tournament.told.") for line in event.hall.lines("T")
    ]
    verdict, line, said = opened.checked(tmp_path, signed(lines, forger(event)))
    assert (verdict, line) == ("differs", 1) and "does not begin with the creation" in said, said


def test_a_restart_of_checkpoints_is_told(opened: Opened, tmp_path: Path, given: Files) -> None:
    """Whatever else is wrong with a line that was made by hand: that checkpoints began anew is said."""
    lines = given[LOG].splitlines()
    last = json.loads(lines[-1]) | {
        "type": "arbiter.checkpoint.restarted.v1",
        "data": {"size": 7, "root": "", "reason": None},
    }
    _, _, said = opened.checked(tmp_path, {LOG: joined([*lines[:-1], json.dumps(last).encode()])})
    assert f"In line {len(lines)}, {last['actor']} restarted the checkpoints: a checkpoint of 7 lines" in said, said


@pytest.mark.parametrize("log", ["hall", "spring-cup"])
def test_a_log_of_the_first_release_agrees_and_what_it_never_promised_is_told(
    opened: Opened, tmp_path: Path, log: str
) -> None:
    names = (f"{log}.ndjson", f"{log}.sheets.ndjson", f"{log}.checkpoint", "arbiter.vkey")
    held = {name: (GOLDEN / name).read_bytes() for name in names if (GOLDEN / name).exists()}
    verdict, _, said = opened.checked(tmp_path, held)
    assert verdict == "agrees" and "created without keys of services" in said, said


def test_a_receipt_is_checked_alone(opened: Opened, tmp_path: Path, given: Files) -> None:
    alone = {name: given[name] for name in (RECEIPT, KEY)}
    assert opened.checked(tmp_path, alone)[0] == "agrees"
    other = TAMPERINGS["the receipt has another line"][0](given)
    assert opened.checked(tmp_path, {name: other[name] for name in (RECEIPT, KEY)})[0] == "differs"


def test_a_receipt_alone_shows_which_service_wrote_its_line_to_whoever_has_that_service_s_key(
    opened: Opened, tmp_path: Path, given: Files, event: Story
) -> None:
    lines = [json.loads(line) for line in event.hall.lines("T")]
    alone = [e for e in lines if sum(e["causationid"] == other["causationid"] for other in lines) == 1]
    source, number = alone[-1]["source"], lines.index(alone[-1]) + 1
    held_keys = (event.hall.data / "keys").glob("*.vkey")
    keys = {one.name: one.read_bytes() for one in held_keys if one.read_bytes().startswith(b"services/")}
    own = {name: key for name, key in keys.items() if key.startswith(source[1:].encode() + b"+")}
    held = {RECEIPT: event.ask("GET", f"{T}/receipts/{number}").data, KEY: given[KEY]}
    for more, verdict, words in (
        ({}, "agrees", f"No signature shows which service wrote line {number}"),
        (keys, "agrees", "1 lines of receipts, each signed by the service that wrote it"),
        ({name: foreign_key(key) for name, key in own.items()}, "differs", f"the signature is not by {source}"),
        (
            {LOG: given[LOG], SHEETS: given[SHEETS], **keys},
            "agrees",
            "This page does not check whether decisions result",
        ),
        (
            {LOG: given[LOG], **{name: foreign_key(key) for name, key in own.items()}},
            "differs",
            "is a key of another operator",
        ),
    ):
        said = opened.checked(tmp_path, {**held, **more})
        assert said[0] == verdict and words in said[2], said


def foreign_key(key: bytes) -> bytes:
    """The key of another house for the same service."""
    return vkey(key.decode().partition("+")[0], 1, bytes(range(32))).encode() + b"\n"


def test_keys_digest_and_number_of_witnesses_are_typed_in(
    open_page: Chrome, tmp_path: Path, event: Story, given: Files
) -> None:
    held = QUORUMS["two of three cosigned"][0](known_witnesses(event, given))
    digest = short_digest(5, Tree.of(event.hall.lines("T")).root(5))
    for field, typed in (("keys", held.pop(KEY).decode()), ("printed", digest), ("quorum", "2")):
        open_page.find_element(By.ID, field).send_keys(typed)
    verdict, _, said = checked(open_page, tmp_path, held)
    assert verdict == "agrees" and "1 printed digest" in said, said


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("holiday.txt", b"palms", "not a log, checkpoint, receipt or key"),
        ("other.vkey", b"arbiter+00000000+AAAA", "not a key, or miscopied"),
        (
            "bad.checkpoint",
            "arbiter/T\nmany\n\n— arbiter AAAA\n".encode(),
            "does not match the format of its first line",
        ),
        ("bad.tlog-proof", b"c2sp.org/tlog-proof@v1\nindex 3\n", "does not match the format of its first line"),
        ("second.ndjson", b'{"specversion":"1.0"}\n', "a second log was given"),
    ],
)
def test_a_file_that_is_none_of_them_is_named(
    opened: Opened, tmp_path: Path, given: Files, name: str, content: bytes, why: str
) -> None:
    verdict, _, said = opened.checked(tmp_path, {LOG: given[LOG], name: content})
    assert verdict == "unreadable" and why in said, said


@pytest.mark.parametrize("line", [b'{"id":"a","id":"b"}', b'{"id": "a"}', b'{"id":"\\u0061"}'])
def test_a_line_that_could_be_read_otherwise_is_named(
    opened: Opened, tmp_path: Path, given: Files, line: bytes
) -> None:
    """A name that stands twice, a space, a letter written as its number: two programs may read two things."""
    lines = given[LOG].splitlines()
    odd = lines[3].replace(b'"data":{', b'"data":{"more":' + line + b",", 1)
    _, first, said = opened.checked(tmp_path, {LOG: joined([*lines[:3], odd, *lines[4:]])})
    assert first == 4 and "it is ambiguous" in said, said


def test_it_speaks_chinese(open_page: Chrome, tmp_path: Path, given: Files) -> None:
    checked(open_page, tmp_path, given)
    open_page.find_element(By.CSS_SELECTOR, "[data-speak=zh]").click()
    assert open_page.find_element(By.CSS_SELECTOR, "#report h2").text == "相符：所给材料没有矛盾"
    assert open_page.find_element(By.TAG_NAME, "h1").text == "赛事日志复核"
    assert open_page.find_element(By.TAG_NAME, "html").get_attribute("lang") == "zh"


def test_it_is_used_without_a_mouse_and_what_it_found_is_focused(
    open_page: Chrome, tmp_path: Path, given: Files
) -> None:
    reached = set()
    for _ in range(12):
        ActionChains(open_page).send_keys(Keys.TAB).perform()
        reached.add(open_page.switch_to.active_element.get_attribute("id"))
    assert {"files", "keys"} <= reached
    checked(open_page, tmp_path, given)
    assert open_page.switch_to.active_element.get_attribute("id") == "report"
