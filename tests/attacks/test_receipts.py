"""Whoever alters the line of a receipt, or writes it in a service's name, with the house's key of checkpoints in his hands."""

import json
from collections.abc import Iterator, Sequence

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.games.rules import commands as games
from shared.audit.receipts.receipt_check import Receipt, ReceiptReport, check, receipt
from shared.core.state.outcomes import NOTATION
from shared.core.terms import GAMES, PAIRING, SOURCES
from shared.core.trust.merkle import Tree
from shared.core.trust.service_keys import ServiceKey
from shared.signing.service_keys import OwnKey, signed, signer
from shared.wire.envelope import split_signature
from tests.attacks.test_signatures import HOUSE, a_desk, announced, lines_of
from tests.played import CHIEF, SIGNER

KEYS = tuple(own[0].public for own in HOUSE.values())
RESULTS = tuple(games.Result(games.Place(1, board), *NOTATION["1-0"]) for board in (1, 2))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[bytes]]:
    """A log whose last record is one of games, of two lines."""
    desk = a_desk(tmp_path_factory.mktemp("receipts"), HOUSE)
    cup = announced(desk)
    cup.pair((1, 2), (3, 4))
    cup.do(GAMES, games.ReportResults(CHIEF, RESULTS))
    yield lines_of(desk)
    desk.close()


def receipts(lines: Sequence[bytes], *seqs: int) -> list[Receipt]:
    """Receipts of these lines, of a log that the house has signed as it is."""
    tree = Tree.of(lines)
    note = SIGNER.sign("arbiter/cup", len(lines), tree.root(len(lines)))
    return [receipt(lines[seq - 1], seq, tuple(tree.inclusion(seq - 1, len(lines))), note) for seq in seqs]


def checked(given: Sequence[Receipt], keys: Sequence[ServiceKey] = KEYS) -> ReceiptReport:
    """What is said of the last of some receipts."""
    return check(given[-1], [SIGNER.verifier], services=keys, further=given)


def alone(lines: Sequence[bytes]) -> int:
    """The number of the last line that is a whole record of pairing."""
    said = [json.loads(line) for line in lines]
    return max(
        n
        for n, event in enumerate(said, 1)
        if event["source"] == PAIRING and [e["causationid"] for e in said].count(event["causationid"]) == 1
    )


def altered(line: bytes, old: bytes = b'"chief_arbiter"', new: bytes = b'"organiser"') -> bytes:
    assert old in line
    return line.replace(old, new, 1)


def test_a_line_that_is_a_whole_record_shows_who_wrote_it(log):
    report = checked(receipts(log, alone(log)))
    assert (report.verdict, report.written_by) == ("agrees", HOUSE[PAIRING][0].public)
    assert report.exit_code(strict=True) == 0


def test_a_record_of_two_lines_is_shown_by_the_receipts_of_both(log):
    end = len(log)
    for order in ((end - 1, end), (end, end - 1), (end - 2, end, end - 1)):
        report = checked(receipts(log, *order))
        assert (report.verdict, report.written_by) == ("agrees", HOUSE[GAMES][0].public), report.lacking


def test_a_line_without_the_signature_of_its_record_says_so_and_is_incomplete(log):
    report = checked(receipts(log, len(log) - 1))
    assert (report.verdict, report.exit_code(strict=True)) == ("incomplete", 1)
    assert str(report.lacking[0]).startswith(f"event {len(log) - 1} has no signature of its record")


def test_the_last_line_of_a_longer_record_alone_is_incomplete_and_never_agrees(log):
    report = checked(receipts(log, len(log)))
    assert report.verdict == "incomplete"
    assert f"the receipts of the lines of its record before line {len(log)} must be given too" in str(report.lacking[0])


def test_a_signature_that_was_taken_away_does_not_agree(log):
    seq = alone(log)
    lines = [*log]
    lines[seq - 1] = split_signature(lines[seq - 1])[0]
    assert checked(receipts(lines, seq)).verdict == "incomplete"


def test_a_line_that_was_altered_under_its_signature_differs(log):
    seq = alone(log)
    lines = [*log]
    lines[seq - 1] = altered(lines[seq - 1])
    (why,) = map(str, checked(receipts(lines, seq)).findings)
    assert why == f"the signature of pairing on event {seq} is invalid"


@pytest.mark.parametrize("line", [1, 2])
def test_a_record_of_two_lines_of_which_one_was_altered_differs(log, line):
    lines, end = [*log], len(log)
    lines[-line] = altered(lines[-line])
    for order in ((end - 1, end), (end, end - 1)):
        (why,) = map(str, checked(receipts(lines, *order)).findings)
        assert why == f"the signature of games on event {end} is invalid"


def test_a_line_that_says_it_was_written_on_fewer_lines_hides_nothing(log):
    # given an altered line that does not say any more that its record begins with it
    seq, lines = alone(log), [*log]
    basis = json.loads(lines[seq - 1])["basis"]
    lines[seq - 1] = altered(altered(lines[seq - 1]), b'"basis":%d' % basis, b'"basis":%d' % (basis - 1))
    # then it does not agree, and with the receipt of the line before it differs
    assert checked(receipts(lines, seq)).verdict == "incomplete"
    assert checked(receipts(lines, seq - 1, seq)).verdict == "differs"


def test_a_line_that_another_key_or_another_service_signed_differs(log):
    seq, foreign = alone(log), OwnKey.of(PAIRING, Ed25519PrivateKey.generate())
    for key in (foreign, HOUSE[GAMES][0]):
        lines = [*log]
        lines[seq - 1 : seq] = signed([split_signature(lines[seq - 1])[0]], signer(key.private, key.public))
        (why,) = map(str, checked(receipts(lines, seq)).findings)
        assert why == f"the signature ({key.public.hash}) of event {seq} is not by any given key of pairing"


@pytest.mark.parametrize("source", [source for source in SOURCES if source != PAIRING])
def test_keys_of_other_services_do_not_tell_who_wrote_a_line(log, source):
    report = checked(receipts(log, alone(log)), [HOUSE[source][0].public])
    assert list(map(str, report.lacking)) == ["the signature of pairing was not checked: a key of pairing is not given"]


def test_without_keys_of_services_it_is_told_that_nobody_looked(log):
    report = checked(receipts(log, alone(log)), [])
    assert (report.verdict, report.written_by) == ("agrees", None)
    assert list(map(str, report.remarks)) == ["the writer of the event was not checked: no service key is given"]
