"""Whoever writes in a service's name without its key; and keys that are rotated, lost, or of another house."""

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.rules import RULES
from services.games.rules import commands as games
from services.pairing.rules import commands as pairing
from services.penalties.rules import commands as penalties
from services.standings.rules.commands import PublishStandings
from shared import regulations
from shared.audit.audit import audit
from shared.audit.keys import service_key_files
from shared.core.event_types.evolve import fold_decided
from shared.core.events import ByeGranted, KeyAnnounced, OfficialAppointed, TextErased
from shared.core.language.messages import say
from shared.core.readings.key_announcement import AnnounceKey
from shared.core.state.outcomes import NOTATION
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    RULEBOOK,
    SOURCES,
    STANDINGS,
    Actor,
    PlayerId,
    Refusal,
    Source,
    TextRef,
)
from shared.core.trust.service_keys import ServiceKey, parse_key
from shared.core.trust.verifier_key import VerifierKey
from shared.desk.desk import Desk, Stopped
from shared.desk.requests import Receipt, Request, Stale
from shared.log.distributed import DistributedLog
from shared.log.sqlite import SqliteLog
from shared.log.worker.acceptance import place_in_log
from shared.log.worker.ledger import Book
from shared.log.worker.records.record_signatures import RestoredSignatures
from shared.signing.recovery import sign_recovery
from shared.signing.service_keys import OwnKey, ServiceKeys, signed, signer
from shared.wire.envelope import read, split_signature
from tests.played import CHIEF, SIGNER, Played

KEY_OF_A_THIEF = str(ServiceKey(GAMES, bytes(32)))
ORGANISER = Actor("hou", "organiser", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0004")
STREAM = "tournaments/cup"
Record = list[bytes]
House = dict[Source, list[OwnKey]]


def a_house() -> House:
    return {source: [OwnKey.of(source, Ed25519PrivateKey.generate())] for source in SOURCES}


HOUSE = a_house()
RECOVERY = Ed25519PrivateKey.generate()
RECOVERY_KEY = str(VerifierKey("recovery", RECOVERY.public_key().public_bytes_raw()))


def a_desk(folder: Path, house: House) -> Desk:
    folder.mkdir(exist_ok=True)
    keys = ServiceKeys(house, [RECOVERY_KEY])
    return Desk(SqliteLog(folder / "log.db"), RULES, SIGNER.sign, keys=keys, threads=False)


def announced(desk: Desk) -> Played:
    cup = Played(desk)
    book = regulations.load("campus")
    keys, recovery = desk.keys.announced, desk.keys.recovery
    announce = pairing.AnnounceTournament(CHIEF, "Cup", "xiangqi", "swiss", 3, book, keys=keys, recovery=recovery)
    cup.do(PAIRING, announce)
    cup.do(PAIRING, pairing.AppointOfficial(CHIEF, OfficialAppointed(ORGANISER.name, "organiser")))
    cup.enter("one", "two", "three", "four")
    return cup


def write(cup: Played, source: Source) -> None:
    """Something that the service writes in a tournament of which a round is paired."""
    command = {
        PAIRING: pairing.GrantBye(CHIEF, ByeGranted(PlayerId(1), 2, "H")),
        GAMES: games.ReportResults(CHIEF, (games.Result(games.Place(1, 1), *NOTATION["1-0"]),)),
        PENALTIES: penalties.MakeRuling(CHIEF, PlayerId(3), 1, "foul"),
        STANDINGS: PublishStandings(CHIEF, ("BH",), "2026", 1, final=False),
    }[source]
    cup.do(source, command)


def lines_of(desk: Desk) -> Record:
    return [row.line for row in desk.lines(STREAM)]


def records_of(lines: Record) -> list[Record]:
    return [list(record) for _, record in groupby(lines, key=lambda line: read(line, 1).command)]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """A tournament in which every service has written, record by record; the last is one of games."""
    desk = a_desk(tmp_path_factory.mktemp("house"), HOUSE)
    cup = announced(desk)
    cup.pair((1, 2), (3, 4))
    for source in (PENALTIES, STANDINGS, GAMES):
        write(cup, source)
    lines = lines_of(desk)
    desk.close()
    return records_of(lines)


def by(key: OwnKey) -> Callable[[Record], Record]:
    """The record as who holds that key would have written it."""
    sign = signer(key.private, key.public)
    return lambda record: signed([*record[:-1], split_signature(record[-1])[0]], sign)


def of_another_record(record: Record) -> Record:
    signature = by(HOUSE[GAMES][0])([b'{"x":1}'])[0]
    return [*record[:-1], split_signature(record[-1])[0][:-1] + signature[6:]]


def unsigned(record: Record) -> Record:
    return [*record[:-1], split_signature(record[-1])[0]]


FORGERIES = {
    "by a stranger's key": (by(a_house()[GAMES][0]), "is not by the key in force"),
    "by another service's key": (by(HOUSE[PAIRING][0]), "is not by the key in force"),
    "by a key of another house": (by(OwnKey.of(GAMES, Ed25519PrivateKey.generate())), "is not by the key in force"),
    "the signature of another record": (of_another_record, "is not by the key in force"),
    "altered beneath its signature": (
        lambda record: [record[-1].replace(b'"role":"chief_arbiter"', b'"role":"arbiter"')],
        "is not by the key in force",
    ),
    "no signature": (unsigned, "has no signature"),
}


def taken(folder: Path, records: list[Record]) -> tuple[DistributedLog, list[str]]:
    """A ledger that records came into through the topic, and the hashes that it erased."""
    log, erased = DistributedLog(f"sqlite:///{folder / 'ledger.db'}", STANDINGS), []
    book = Book()
    with log.begin() as connection:
        for record in records:
            book.take(connection, b"\n".join(record), erased.append)
        book.flush(connection)
    return log, erased


@pytest.mark.parametrize(("forge", "why"), FORGERIES.values(), ids=FORGERIES)
def test_a_record_without_its_services_signature_stops_one_tournament_and_the_audit_tells(
    records, tmp_path, forge, why
):
    forged = [*records[:-1], forge(records[-1])]
    log, _ = taken(tmp_path, forged)
    assert why in str(log.stopped(STREAM) or "")
    log.close()
    report = audit([line for record in forged for line in record], RULES)
    if forge is unsigned:
        assert report.verdict == "incomplete" and report.lacking == {say("signature missing"): 1}
    else:
        assert report.verdict == "differs" and any(f.kind == "signature" and why in str(f.why) for f in report.findings)


def test_a_genuine_log_is_taken_and_agrees_in_every_record(records, tmp_path):
    log, _ = taken(tmp_path, records)
    assert log.stopped(STREAM) is None
    log.close()
    report = audit([line for record in records for line in record], RULES)
    assert (report.findings, report.lacking) == ([], {})


def test_nothing_is_erased_for_a_record_whose_signature_does_not_hold(tmp_path):
    desk = a_desk(tmp_path / "house", HOUSE)
    cup = announced(desk)
    cup.do(PAIRING, pairing.EraseText(ORGANISER, TextErased(desk.log.tournament_texts("cup")[0].hash)))
    *before, erasure = records_of(lines_of(desk))
    desk.close()
    log, erased = taken(tmp_path, [*before, by(OwnKey.of(PAIRING, Ed25519PrivateKey.generate()))(erasure)])
    assert erased == [] and log.stopped(STREAM) is not None
    log.close()
    (tmp_path / "ledger.db").unlink()
    log, erased = taken(tmp_path, [*before, erasure])
    assert len(erased) == 1
    log.close()


def test_a_ledger_that_is_read_again_knows_the_keys_from_its_own_lines(records, tmp_path):
    log, _ = taken(tmp_path, records[:-1])
    with log.begin() as connection:
        Book().take(connection, b"\n".join(by(a_house()[GAMES][0])(records[-1])), print)
    assert "is not by the key in force" in str(log.stopped(STREAM) or "")
    log.close()


def rotated(house: House, *sources: Source) -> House:
    return {
        source: [OwnKey.of(source, Ed25519PrivateKey.generate()), *keys] if source in sources else keys
        for source, keys in house.items()
    }


def test_each_service_announces_its_own_new_key_by_the_one_before_ahead_of_what_it_writes_next(tmp_path):
    desk = a_desk(tmp_path / "house", HOUSE)
    cup = announced(desk)
    cup.pair((1, 2), (3, 4))
    desk.close()
    house = rotated(HOUSE, *SOURCES)
    desk = a_desk(tmp_path / "house", house)
    again = Played(desk)
    for source in SOURCES:
        write(again, source)
    lines = lines_of(desk)
    desk.close()
    events = [read(line, n) for n, line in enumerate(lines, 1)]
    said = [(e.source, e.data.key, e.role) for e in events if isinstance(e.data, KeyAnnounced)]
    assert said == [(source, str(house[source][0].public), "rulebook") for source in SOURCES]
    log, _ = taken(tmp_path, records_of(lines))
    assert log.stopped(STREAM) is None
    log.close()
    report = audit(lines, RULES)
    assert (report.findings, report.lacking, report.decided) == ([], {}, len(lines))
    # by the old key nobody writes any more
    forged = [*records_of(lines)[:-1], by(HOUSE[STANDINGS][0])(records_of(lines)[-1])]
    assert audit([line for record in forged for line in record], RULES).verdict == "differs"


def test_the_line_that_a_command_announces_a_key_by_makes_no_caller_stale_who_saw_the_log_before_it(tmp_path):
    desk = a_desk(tmp_path / "house", HOUSE)
    announced(desk)
    desk.close()
    desk = a_desk(tmp_path / "house", rotated(HOUSE, PAIRING))
    seen = len(lines_of(desk))
    bye = pairing.GrantBye(CHIEF, ByeGranted(PlayerId(1), 2, "H"))
    # then he is answered, and the next one who comes with what he saw is not
    first = desk.submit(PAIRING, "cup", bye, Request(if_match=seen))
    assert isinstance(first, Receipt) and first.seq == seen + 2
    with pytest.raises(Stale):
        desk.submit(PAIRING, "cup", bye, Request(if_match=seen))
    lines = lines_of(desk)
    desk.close()
    assert [b"arbiter.key.announced" in line for line in lines[seen:]] == [True, False]
    assert audit(lines, RULES).verdict == "agrees"


def test_a_running_server_signs_by_a_key_that_is_rotated_beside_it(tmp_path):
    service_key_files.ensure(tmp_path)
    keys = service_key_files.load(tmp_path)
    desk = Desk(SqliteLog(tmp_path / "log.db"), RULES, SIGNER.sign, keys=keys, threads=False)
    cup = announced(desk)
    for source in (PAIRING, PAIRING, STANDINGS):
        newest = service_key_files.rotate(tmp_path, source)
        keys._due = 0.0  # as if a second had gone by
        if source is PAIRING:
            cup.do(PAIRING, pairing.AppointOfficial(CHIEF, OfficialAppointed(f"lin{newest[-9:-4].lower()}", "arbiter")))
            assert desk.view("cup").tournament.key_of(PAIRING) == newest
    # and it announces the newest ones
    assert keys.announced[-1] == newest
    # a file that is no key changes nothing, and is looked at again once it is another
    (tmp_path / "keys" / "pairing.key").write_text("nothing")
    keys._due = 0.0
    cup.do(PAIRING, pairing.AppointOfficial(CHIEF, OfficialAppointed("wang", "arbiter")))
    lines = lines_of(desk)
    desk.close()
    assert sum(b"arbiter.key.announced" in line for line in lines) == 2
    assert audit(lines, RULES).verdict == "agrees"


def test_a_service_whose_key_is_lost_goes_on_once_another_has_announced_its_new_one(tmp_path):
    desk = a_desk(tmp_path / "house", HOUSE)
    cup = announced(desk)
    cup.pair((1, 2), (3, 4))
    desk.close()
    house = HOUSE | {GAMES: a_house()[GAMES]}
    desk = a_desk(tmp_path / "house", house)
    again = Played(desk)
    with pytest.raises(Stopped, match=r"restore keys/games\.key"):
        write(again, GAMES)
    assert list(desk.foreign_keys()) == ["cup"] and "keys/games.key" in desk.foreign_keys()["cup"]
    write(again, PENALTIES)
    key = str(house[GAMES][0].public)
    again.do(PAIRING, AnnounceKey(ORGANISER, key, again.text("the disk is gone"), sign_recovery(RECOVERY, "", key)))
    write(again, GAMES)
    assert desk.foreign_keys() == {}
    lines = lines_of(desk)
    desk.close()
    report = audit(lines, RULES)
    assert (report.findings, report.lacking) == ([], {})
    assert any("hou announced a new key of services/games" in str(remark) for remark in report.remarks)
    log, _ = taken(tmp_path, records_of(lines))
    assert log.stopped(STREAM) is None
    log.close()


def test_what_was_on_its_way_when_another_announced_the_key_still_counts_and_nothing_after(records, tmp_path):
    """The record of games, decided before the line that announces another key for games, comes behind it."""
    *before, last = records
    desk = a_desk(tmp_path / "house", HOUSE)
    foreign = str(ServiceKey(GAMES, bytes(32)))
    cup = announced(desk)
    cup.do(PAIRING, AnnounceKey(ORGANISER, foreign, cup.text("lost"), sign_recovery(RECOVERY, "", foreign)))
    announcement = records_of(lines_of(desk))[-1]
    desk.close()
    event = read(announcement[0], 1)
    line = announcement[0].replace(
        f'"sourceseq":{event.sourceseq},'.encode(), b'"sourceseq":%d,' % _next(before, PAIRING)
    )
    line = line.replace(f'"basisroot":"{event.basisroot}"'.encode(), f'"basisroot":"{_root(before)}"'.encode())
    line = line.replace(f'"basis":{event.basis},'.encode(), b'"basis":0,')
    crossed = [*before, by(HOUSE[PAIRING][0])([line]), last]
    log, _ = taken(tmp_path, crossed)
    assert log.stopped(STREAM) is None
    log.close()


FORGED_RECOVERIES = {
    "no signature": "",
    "by another key": sign_recovery(Ed25519PrivateKey.generate(), "", KEY_OF_A_THIEF),
    "for another log": sign_recovery(RECOVERY, "arbiter/U", KEY_OF_A_THIEF),
    "for another key": sign_recovery(RECOVERY, "", KEY_OF_A_THIEF.replace("games", "penalties")),
}


@pytest.mark.parametrize("signature", FORGED_RECOVERIES.values(), ids=FORGED_RECOVERIES)
def test_lost_key_is_not_replaced_without_the_recovery_key(records, tmp_path, signature):
    """The holder of pairing's key announces a key of games in an organiser's name, in a record signed as it must be."""
    desk = a_desk(tmp_path / "house", HOUSE)
    cup = announced(desk)
    refused = RULES[PAIRING].decide(
        desk.folds.get("cup").tournament,
        AnnounceKey(ORGANISER, KEY_OF_A_THIEF, cup.text("lost"), signature),
    )
    assert refused.code == "recovery-missing"
    cup.do(
        PAIRING,
        AnnounceKey(ORGANISER, KEY_OF_A_THIEF, cup.text("lost"), sign_recovery(RECOVERY, "", KEY_OF_A_THIEF)),
    )
    *before, announcement = records_of(lines_of(desk))
    desk.close()
    genuine = sign_recovery(RECOVERY, "", KEY_OF_A_THIEF).encode()
    forged = by(HOUSE[PAIRING][0])(
        [announcement[0].replace(b'"recovery":"' + genuine, b'"recovery":"' + signature.encode())]
    )
    assert forged != announcement
    log, _ = taken(tmp_path, [*before, forged])
    assert "the recovery key did not sign that key" in str(log.stopped(STREAM))
    log.close()
    report = audit([line for record in (*before, forged) for line in record], RULES)
    assert report.verdict == "differs"
    assert any("the recovery key did not sign that key" in str(finding.why) for finding in report.findings)


def test_a_key_that_a_service_had_before_is_not_recovered(tmp_path):
    desk = a_desk(tmp_path / "house", HOUSE)
    cup = announced(desk)
    first, second = str(HOUSE[GAMES][0].public), KEY_OF_A_THIEF
    cup.do(PAIRING, AnnounceKey(ORGANISER, second, cup.text("lost"), sign_recovery(RECOVERY, "", second)))
    again = AnnounceKey(ORGANISER, first, cup.text("back"), sign_recovery(RECOVERY, "", first))
    assert RULES[PAIRING].decide(desk.folds.get("cup").tournament, again).code == "former-key"
    desk.close()


def test_tournament_without_a_recovery_key_replaces_no_key(tmp_path):
    t = _tournament(offices=3)
    lost = AnnounceKey(ORGANISER, KEY_OF_A_THIEF, TextRef("0" * 64))
    fold_decided(t, PAIRING, OfficialAppointed(ORGANISER.name, "organiser"))
    assert RULES[PAIRING].decide(t, lost).code == "no-recovery-key"
    older = _tournament(offices=2)
    fold_decided(older, PAIRING, OfficialAppointed(ORGANISER.name, "organiser"))
    assert not isinstance(RULES[PAIRING].decide(older, lost), Refusal)


def _next(records: list[Record], source: Source) -> int:
    return 1 + max(read(line, 1).sourceseq for record in records for line in record if read(line, 1).source == source)


def _root(records: list[Record]) -> str:
    """The root of nothing, as the first line names it."""
    return read(records[0][0], 1).basisroot


def test_who_holds_another_services_key_alone_cannot_announce_one_of_pairing():
    """Games and penalties announce their own key only: by rules, and for who takes the lines in."""
    desk_keys = ServiceKeys(HOUSE)
    assert len(desk_keys.announced) == len(SOURCES)
    for source in (GAMES, PENALTIES):
        refused = RULES[source].decide(
            _tournament(), AnnounceKey(ORGANISER, str(ServiceKey(PAIRING, bytes(32))), None), None
        )
        assert refused.code == "not-its-key"


@pytest.mark.parametrize("source", [PAIRING, GAMES, STANDINGS])
def test_nobody_announces_a_key_that_another_service_has_had(source):
    """Whoever holds the one key would write in the name of both."""
    t, of_penalties = _tournament(), HOUSE[PENALTIES][0].public
    taken = str(ServiceKey(source, of_penalties.key))
    assert RULES[source].decide(t, AnnounceKey(RULEBOOK, taken), None).code == "key-of-another"
    fold_decided(t, PENALTIES, KeyAnnounced(str(OwnKey.of(PENALTIES, Ed25519PrivateKey.generate()).public)))
    assert RULES[source].decide(t, AnnounceKey(RULEBOOK, taken), None).code == "key-of-another"


def _tournament(offices=1):
    from shared.core.events import RegulationsAdopted, TournamentAnnounced
    from shared.core.state.tournament import TournamentState

    t = TournamentState("cup")
    said = TournamentAnnounced("Cup", "xiangqi", "swiss", 3, keys=ServiceKeys(HOUSE).announced, offices=offices)
    fold_decided(t, PAIRING, said)
    fold_decided(t, PAIRING, RegulationsAdopted(regulations.load("campus")))
    return t


def test_an_announcement_names_a_key_of_each_service_or_none():
    book, keys = regulations.load("campus"), ServiceKeys(HOUSE).announced
    command = pairing.AnnounceTournament(CHIEF, "Cup", "xiangqi", "swiss", 3, book, keys=keys)
    from shared.core.state.tournament import TournamentState

    twice = str(ServiceKey(GAMES, parse_key(keys[0]).key))
    wrongs = (keys[:3], keys[::-1], (*keys[:3], keys[0]), ("nothing",), (keys[0][:-4], *keys[1:]))
    for wrong in (*wrongs, (keys[0], twice, *keys[2:])):
        refused = RULES[PAIRING].decide(TournamentState("cup"), replace(command, keys=wrong), None)
        assert refused.code == "bad-keys"


def test_what_a_service_lacks_is_put_back_only_where_its_signature_holds(records, tmp_path):
    # given a service that lost its database: the topic shows the announcement before the service's own records
    log = DistributedLog(f"sqlite:///{tmp_path / 'games.db'}", GAMES)
    *before, last = records
    stranger, other = by(a_house()[GAMES][0]), by(OwnKey.of(GAMES, Ed25519PrivateKey.generate()))
    with log.begin() as connection:
        verifier = RestoredSignatures([HOUSE[GAMES][0].public])
        # when nothing has named the tournament's keys yet, only the service's own count
        assert verifier.why_not(connection, place_in_log(last), last) is None
        assert verifier.why_not(connection, place_in_log(last), unsigned(last)) is not None
        for record in before:
            verifier.passed(connection, place_in_log(record), record)
        assert verifier.why_not(connection, place_in_log(last), last) is None
        for forged in (stranger(last), other(last), unsigned(last)):
            assert verifier.why_not(connection, place_in_log(last), forged) is not None
    log.close()
