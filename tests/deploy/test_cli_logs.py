"""A file played into a tournament, and what can be asked of the log that it leaves."""

import json
from base64 import b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.checkpoints.checkpoint import Signer
from shared.log.texts import salted

FILE = """012 Harbour Open
001    1      Albrecht,Nora                     2400                             2.5    1     4 w 1     2 b =  0000 - F
001    2      Bruun,Ole                         2300                             2.0    2     5 b 1     1 w =     3 b =
001    3      Castro,Ines                       2200                             2.5    3  0000 - U     4 b 1     2 w =
001    4      Duval,Lea                         2100                             0.0    4     1 b 0     3 w 0     5 w -
001    5      Eriksen,Kai                       2000                             1.0    5     2 w 0  0000 - Z     4 b +
XXR 4
XXC white1
"""
AGAIN = """012 Again
001    1      Albrecht,Nora                     2400                             2.0    1     2 w 1     2 b 1
001    2      Bruun,Ole                         2300                             0.0    2     1 b 0     1 w 0
XXR 2
"""


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "harbour.trf"
    made.write_text(FILE)
    return made


@pytest.fixture
def imported(arbiter, file, tmp_path):
    """A data folder into which the file was played as ``harbour``."""
    code, _, err = arbiter("import", file, "--data", tmp_path / "data")
    assert code == 0, err
    return tmp_path / "data"


@pytest.fixture
def log(arbiter, imported, tmp_path):
    made = tmp_path / "log.ndjson"
    made.write_bytes(arbiter("log", "harbour", "--data", imported)[1].encode())
    return made


def rows(out: str) -> list[tuple]:
    return [(p["id"], p["rank"], p["points"], p["tb"]) for p in json.loads(out)["players"]]


def test_an_imported_file_replays_to_its_own_table(arbiter, file, log):
    order = ("--tiebreaks", "BH/C1,BH,PS,WIN", "--json")
    assert rows(arbiter("replay", log, *order)[1]) == rows(arbiter("standings", file, *order)[1])


def test_the_hall_is_heard_event_by_event(log):
    types = [json.loads(line)["type"] for line in log.read_text().splitlines()]
    assert types[:2] == ["arbiter.tournament.announced.v5", "arbiter.regulations.adopted.v5"]
    assert types.count("arbiter.player.entered.v2") == 5 and types.count("arbiter.round.paired.v2") == 3
    assert types.count("arbiter.result.reported.v1") == 6 and types.count("arbiter.bye.granted.v1") == 2


def test_importing_again_changes_nothing(arbiter, file, imported):
    before = arbiter("log", "harbour", "--data", imported)[1]
    code, _, err = arbiter("import", file, "--data", imported)
    assert code == 0, err
    assert arbiter("log", "harbour", "--data", imported)[1] == before


def test_a_rematch_is_imported_as_played_and_told(arbiter, tmp_path):
    file = tmp_path / "again.trf"
    file.write_text(AGAIN)
    code, _, err = arbiter("import", file, "--data", tmp_path / "data")
    assert code == 0 and "waiving rematch" in err
    paired = [json.loads(x)["data"] for x in arbiter("log", "again", "--data", tmp_path / "data")[1].splitlines()]
    assert [d.get("overrides") for d in paired if "boards" in d] == [[], ["rematch"]]


def test_a_point_system_of_its_own_is_pinned_into_the_log(arbiter, tmp_path):
    file = tmp_path / "three.trf"
    file.write_text(FILE + "XXS W=3.0 D=1.0 HPB=1.0\n")
    code, _, err = arbiter("import", file, "--data", tmp_path / "data")
    assert code == 0, err
    log = tmp_path / "log.ndjson"
    log.write_bytes(arbiter("log", "three", "--data", tmp_path / "data")[1].encode())
    adopted = json.loads(log.read_text().splitlines()[1])["data"]["regulations"]
    assert (adopted["points"]["win"], adopted["articles"]["points.win"]) == (6, "the announcement")
    order = ("--tiebreaks", "BH/C1,BH,PS,WIN", "--json")
    assert rows(arbiter("replay", log, *order)[1]) == rows(arbiter("standings", file, *order)[1])
    assert arbiter("verify", log)[0] == 0


def test_names_are_texts_beside_the_log(arbiter, imported, log, tmp_path):
    texts = tmp_path / "texts.ndjson"
    texts.write_bytes(arbiter("texts", "harbour", "--data", imported)[1].encode())
    assert "Albrecht" not in log.read_text() and "Albrecht,Nora" in texts.read_text()
    nameless = json.loads(arbiter("replay", log, "--json")[1])["players"]
    named = json.loads(arbiter("replay", log, "--texts", texts, "--json")[1])["players"]
    assert {p["name"] for p in nameless} == {None} and "Albrecht,Nora" in {p["name"] for p in named}


def test_a_forged_text_is_not_believed(arbiter, imported, log, tmp_path):
    texts = tmp_path / "texts.ndjson"
    texts.write_text(arbiter("texts", "harbour", "--data", imported)[1].replace("Albrecht", "Somebody"))
    code, _, err = arbiter("replay", log, "--texts", texts)
    assert code == 1 and "its hash" in err


def test_the_audit_agrees_with_an_imported_log(arbiter, imported, log, tmp_path):
    checkpoint = tmp_path / "checkpoint"
    checkpoint.write_text(arbiter("checkpoint", "harbour", "--data", imported)[1])
    code, out, _ = arbiter("verify", log, "--checkpoint", checkpoint, "--key", imported / "arbiter.vkey", "--json")
    report = json.loads(out)
    assert code == 0 and report["verdict"] == "agrees" and report["uncovered"] == 0
    assert report["checked"] + report["unchecked"] == len(log.read_text().splitlines())


def test_without_a_checkpoint_the_audit_says_what_no_root_covers(arbiter, log):
    code, out, _ = arbiter("verify", log)
    assert code == 0 and "no root hash covers the last" in out and "events were re-evaluated and match." in out


def changed(lines: list[bytes]) -> dict[str, list[bytes]]:
    digit = lines[5].replace(b'"player":', b'"player":9', 1)
    return {
        "a changed digit": [*lines[:5], digit, *lines[6:]],
        "a missing line": lines[:7] + lines[8:],
        "a doubled line": [*lines[:7], lines[6], *lines[7:]],
        "two lines swapped": [*lines[:7], lines[8], lines[7], *lines[9:]],
        "no JSON": [*lines[:7], b"{", *lines[8:]],
    }


@pytest.mark.parametrize("how", ["a changed digit", "a missing line", "a doubled line", "two lines swapped", "no JSON"])
def test_the_audit_finds(arbiter, log, how):
    lines = changed(log.read_bytes().split(b"\n")[:-1])[how]
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    code, out, _ = arbiter("verify", log, "--json")
    assert code == 1 and 5 <= json.loads(out)["first"]["line"] <= 10


def test_the_audit_finds_a_line_cut_in_half(arbiter, log):
    log.write_bytes(log.read_bytes()[:-20])
    code, out, _ = arbiter("verify", log)
    assert code == 1 and "the last line is cut off" in out


def checkpointed(arbiter, imported, tmp_path):
    checkpoint = tmp_path / "checkpoint"
    checkpoint.write_text(arbiter("checkpoint", "harbour", "--data", imported)[1])
    return checkpoint


def test_a_checkpoint_without_a_key_covers_nothing_and_the_audit_is_incomplete(arbiter, imported, log, tmp_path):
    checkpoint = checkpointed(arbiter, imported, tmp_path)
    code, out, _ = arbiter("verify", log, "--checkpoint", checkpoint, "--json")
    report = json.loads(out)
    assert (code, report["verdict"]) == (3, "incomplete") and report["uncovered"] > 0
    assert any("was not checked" in why for why in report["incomplete"])
    code, out, _ = arbiter("verify", log, "--checkpoint", checkpoint)
    assert code == 3 and out.startswith("incomplete") and "was not checked" in out
    assert arbiter("verify", log, "--checkpoint", checkpoint, "--strict")[0] == 1


def test_a_key_that_signed_none_of_the_checkpoints_is_a_finding(arbiter, imported, log, tmp_path):
    checkpoint, key = checkpointed(arbiter, imported, tmp_path), imported / "arbiter.vkey"
    signer = Signer("stranger", Ed25519PrivateKey.generate())
    (tmp_path / "stranger.vkey").write_text(f"{signer.verifier}\n")
    given = ("verify", log, "--checkpoint", checkpoint)
    assert arbiter(*given, "--key", key)[0] == 0
    for keys in (("--key", tmp_path / "stranger.vkey"), ("--key", key, "--key", tmp_path / "stranger.vkey")):
        code, out, _ = arbiter(*given, *keys)
        assert code == 1 and "none of the given checkpoints is signed with the key stranger" in out


def test_a_printed_digest_covers_what_stands_before_it_and_one_of_eighty_bits_is_told_to_be_such(
    arbiter, imported, log
):
    note = arbiter("checkpoint", "harbour", "--data", imported)[1].split("\n")
    size, root = int(note[1]), b64decode(note[2]).hex()
    code, out, _ = arbiter("verify", log, "--digest", f"{size}:{root[:40]}", "--json")
    assert (code, json.loads(out)["uncovered"], json.loads(out)["remarks"]) == (0, 0, {})
    assert arbiter("verify", log, "--digest", f"{size}:{root[:40]}", "--strict")[0] == 0
    former = f"{size}:{root[:20]}"
    code, out, _ = arbiter("verify", log, "--digest", former)
    assert code == 0 and f"the digest {former} has 80 bits, which can be forged" in out
    assert arbiter("verify", log, "--digest", former, "--strict")[0] == 1
    for wrong in (f"{size}:{root[1:41]}", f"{size + 1}:{root[:40]}", f"{size}:{root[:8]}"):
        code, out, _ = arbiter("verify", log, "--digest", wrong)
        assert code == 1 and f"the log does not have the digest {wrong}" in out


def test_a_key_without_a_checkpoint_cannot_be_used(arbiter, imported, log):
    code, out, _ = arbiter("verify", log, "--key", imported / "arbiter.vkey")
    assert code == 3 and "--key was given without a checkpoint to verify" in out


def test_an_audit_by_no_root_is_told_and_agrees_but_not_strictly(arbiter, imported, log, tmp_path):
    code, out, _ = arbiter("verify", log, "--json")
    report = json.loads(out)
    assert (code, report["verdict"], report["incomplete"]) == (0, "agrees", {})
    assert report["remarks"]["events not yet sealed by a root hash"] == report["uncovered"] > 0
    code, out, _ = arbiter("verify", log, "--strict")
    assert (
        code == 1
        and out.startswith("agrees")
        and "--strict: the audit fails because it is incomplete or has a remark." in out
    )


def test_every_finding_is_printed(arbiter, log):
    lines = log.read_bytes().split(b"\n")[:-1]
    log.write_bytes(b"".join(line.replace(b'"player":', b'"player":9') + b"\n" for line in lines))
    code, out, _ = arbiter("verify", log, "--json")
    found = json.loads(out)["found"]
    assert code == 1 and len(found) > 3
    printed = arbiter("verify", log)[1]
    assert all(finding["why"][:30] in printed for finding in found)


@pytest.fixture
def texts(arbiter, imported, tmp_path):
    file = tmp_path / "texts.ndjson"
    file.write_text(arbiter("texts", "harbour", "--data", imported)[1])
    return file


def test_the_texts_of_a_log_are_those_that_it_names(arbiter, log, texts):
    assert arbiter("verify", log, "--texts", texts)[0] == 0


def test_log_of_a_folder_in_words_has_its_names(arbiter, imported):
    code, out, _ = arbiter("log", "harbour", "--words", "--player", 1, "--data", imported)
    assert code == 0 and "Albrecht" in out and "Duval" in out and "Eriksen" not in out


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("missing", "but the given texts do not contain it"),
        ("doubled", "is given 2 times"),
        ("foreign", "no event refers to it"),
    ],
)
def test_a_text_that_is_not_as_the_log_names_it_is_a_finding(arbiter, log, texts, how, why):
    first, *others = texts.read_text().splitlines()
    other = salted("a name of somebody else", "harbour")
    foreign = json.dumps({"hash": other.hash, "salt": other.salt, "text": other.text})
    given = {"missing": others, "doubled": [first, first, *others], "foreign": [first, *others, foreign]}[how]
    texts.write_text("".join(line + "\n" for line in given))
    code, out, _ = arbiter("verify", log, "--texts", texts)
    assert code == 1 and why in out and "(text)" in out


@pytest.mark.parametrize("what", ["--checkpoint", "--key"])
def test_unreadable_evidence_is_wrong_usage(arbiter, log, tmp_path, what):
    (tmp_path / "evidence").write_text("nothing of use\n")
    assert arbiter("verify", log, what, tmp_path / "evidence")[0] == 2


def test_replay_goes_back_in_time(arbiter, log):
    half = len(log.read_text().splitlines()) // 2
    assert json.loads(arbiter("replay", log, "--at", half, "--json")[1])["seq"] == half
    assert json.loads(arbiter("replay", log, "--at", 1, "--json")[1])["players"] == []
    assert arbiter("replay", log, "--at", 9999)[0] == 2
    assert arbiter("replay", log, "--without", "r99")[0] == 2


def test_diff_tells_what_changed_and_through_which_events(arbiter, log):
    last = max(seq for seq, line in enumerate(log.read_text().splitlines(), 1) if "result.reported" in line)
    answer = json.loads(arbiter("diff", log, "--at", last - 2, "--to", last, "--json")[1])
    assert [e["seq"] for e in answer["events"]] == [last - 1, last]
    moved = {p["id"]: (p["before"]["points"], p["after"]["points"]) for p in answer["changes"]}
    assert moved[2] == (1.5, 2) and moved[5] == (0, 1)
    assert " is reported." in arbiter("diff", log, "--at", last - 1, "--to", last)[1]
    assert len(json.loads(arbiter("diff", log, "--at", 0, "--to", last, "--json")[1])["changes"]) == 5
    assert arbiter("diff", log, "--at", last, "--to", 1)[0] == 2


def test_before_the_regulations_there_is_no_table_to_compare(arbiter, log, tmp_path):
    start = tmp_path / "start.ndjson"
    start.write_text(log.read_text().splitlines()[0] + "\n")
    code, _, err = arbiter("diff", start, "--at", 0, "--to", 1)
    assert code == 1 and "the log does not contain a ruleset" in err


@pytest.mark.parametrize(
    ("verb", "why"),
    [("log", "does not exist"), ("texts", "does not exist"), ("checkpoint", "does not exist in this data folder")],
)
def test_what_is_not_there_is_said(arbiter, imported, tmp_path, verb, why):
    code, _, err = arbiter(verb, "nobody", "--data", imported)
    assert code == 2 and f"tournament nobody {why}" in err
    code, _, err = arbiter(verb, "harbour", "--data", tmp_path / "nowhere")
    assert code == 2 and "does not exist" in err and not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("content", ["not json\n", '{"specversion":"1.0"}\n', "", "\ufffd\n"])
def test_junk_is_no_log(arbiter, tmp_path, content):
    junk = tmp_path / "junk.ndjson"
    junk.write_text(content)
    assert arbiter("replay", junk)[0] == 2
    assert arbiter("verify", junk)[0] in (1, 2)
