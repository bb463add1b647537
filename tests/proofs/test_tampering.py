"""Whoever changes, drops, doubles or swaps a line is found, and the line is named or lies in the range told."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from deploy.server.rules import RULES
from shared.audit.audit import Evidence, Report, audit
from shared.audit.checkpoints.checkpoint import parse
from shared.core.language.messages import say
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded
from tests.stories.rich_event import tell_rich_event

SEEDS = range(4)


@dataclass(frozen=True)
class Case:
    """A log that audits whole, and what is held beside it."""

    lines: tuple[bytes, ...]
    evidence: Evidence

    def audited(self, lines: list[bytes]) -> Report:
        return audit(lines, RULES, self.evidence)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """A tournament with every kind of decision: games to mate and flag, fouls, an appeal, a late one, a publication."""
    hall = Embedded(tmp_path_factory.mktemp("tampered"))
    story = Story(hall)
    tell_rich_event(story)
    story.tell(f"{T}/arrivals", {"player": 5, "round": 2, "late": 1000}, "arbiter")
    lines = tuple(hall.lines("T"))
    note = parse(story.ask("GET", f"{T}/checkpoint").text)
    made = Case(lines, Evidence(hall.sheets("T"), (note,), (hall.signer.verifier,)))
    hall.close()
    report = made.audited(list(lines))
    assert (report.findings, report.unchecked, report.uncovered) == ([], {}, 0)
    yield made


def named(report: Report, *lines: int) -> bool:
    """Whether the first finding, or the range that the roots allow, holds one of these lines."""
    first, between = report.first, report.between
    ranges = ([(first.first, first.last)] if first else []) + ([between] if between else [])
    return report.verdict == "differs" and any(a <= line <= b for a, b in ranges for line in lines)


def flipped(line: bytes, position: int, rng: Random) -> bytes:
    """The line with another byte at a position, drawn from all others but LF (that would make two lines)."""
    byte = rng.choice([b for b in range(256) if b not in (line[position], 0x0A)])
    return line[:position] + bytes([byte]) + line[position + 1 :]


@pytest.mark.parametrize("seed", SEEDS)
def test_one_byte_flipped_in_any_line_is_found_and_the_line_named(case: Case, seed: int) -> None:
    rng = Random(seed)
    for n, line in enumerate(case.lines, 1):
        changed = list(case.lines)
        changed[n - 1] = flipped(line, rng.randrange(len(line)), rng)
        report = case.audited(changed)
        assert named(report, n), (n, report.findings, changed[n - 1])


@pytest.mark.parametrize("seed", SEEDS)
def test_one_digit_or_letter_exchanged_for_another_is_found_and_the_line_named(case: Case, seed: int) -> None:
    """Most such lines still parse, so that order, roots and decisions must find them."""
    rng = Random(seed)
    for n, line in enumerate(case.lines, 1):
        places = [i for i, byte in enumerate(line) if chr(byte).isalnum() and byte < 128]
        place = rng.choice(places)
        alike = b"0123456789" if chr(line[place]).isdigit() else b"abcdefghijklmnopqrstuvwxyz"
        other = rng.choice([b for b in alike if b != line[place]])
        changed = list(case.lines)
        changed[n - 1] = line[:place] + bytes([other]) + line[place + 1 :]
        report = case.audited(changed)
        assert named(report, n), (n, report.findings, changed[n - 1])


@pytest.mark.parametrize("of", ["arbiter.ruling.annulled.v1", "arbiter.result", "last"])
def test_every_single_byte_of_a_whole_line_counts(case: Case, of: str) -> None:
    """The last line has no later one that its hash is part of. In the others every fourth byte is tried."""
    found = [n for n, line in enumerate(case.lines, 1) if json.loads(line)["type"].startswith(of)]
    n = found[0] if found else len(case.lines)
    rng = Random(of)
    for position in range(0, len(case.lines[n - 1]), 1 if of == "last" else 4):
        changed = list(case.lines)
        changed[n - 1] = flipped(case.lines[n - 1], position, rng)
        report = case.audited(changed)
        assert named(report, n), (n, report.findings, changed[n - 1])


def test_a_line_dropped_is_missed_where_it_stood(case: Case) -> None:
    for n in range(1, len(case.lines) + 1):
        assert named(case.audited([*case.lines[: n - 1], *case.lines[n:]]), n), n


def test_last_lines_cut_off_are_missed_by_the_checkpoint_alone(case: Case) -> None:
    for left in range(1, len(case.lines)):
        report = case.audited(list(case.lines[:left]))
        assert report.first is not None and report.first.kind in ("checkpoint", "decision")
        assert named(report, left + 1)


def test_a_line_doubled_is_named(case: Case) -> None:
    for n in range(1, len(case.lines) + 1):
        assert named(case.audited([*case.lines[:n], *case.lines[n - 1 :]]), n + 1), n


def test_two_lines_that_change_places_are_named(case: Case) -> None:
    for n in range(1, len(case.lines)):
        swapped = [*case.lines[: n - 1], case.lines[n], case.lines[n - 1], *case.lines[n + 1 :]]
        assert named(case.audited(swapped), n, n + 1), n


@pytest.mark.parametrize("seed", SEEDS)
def test_a_byte_flipped_on_a_score_sheet_is_found(case: Case, seed: int) -> None:
    rng = Random(seed)
    sheets = case.evidence.sheets
    assert sheets
    for game, lines in sheets.items():
        for n, line in enumerate(lines):
            changed = [*lines[:n], flipped(line, rng.randrange(len(line)), rng), *lines[n + 1 :]]
            report = audit(list(case.lines), RULES, Evidence(sheets={**sheets, game: changed}))
            assert report.verdict == "differs", changed[n]


# ---------------------------------------------------------------- logs that no desk wrote


def altered(case: Case, kind: str, **data: object) -> tuple[list[bytes], int]:
    """The log with other values in the data of the first line of a kind, and that line's number."""
    for n, line in enumerate(case.lines, 1):
        event = json.loads(line)
        if event["type"].rpartition(".")[0] == f"arbiter.{kind}":
            event["data"] |= data
            written = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
            return [*case.lines[: n - 1], written, *case.lines[n:]], n
    raise AssertionError(f"the log has no {kind}")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("ruling.made", {"because": ["r1"]}),
        ("ruling.made", {"effect": {"kind": "set_marks"}, "game": "T.1.1"}),
        ("ruling.made", {"effect": {"kind": "exclude"}}),
        ("ruling.annulled", {"annuls": "r7", "ruling": "r7"}),
        ("round.paired", {"boards": []}),
        ("round.paired", {"round": -1, "pairing": 10**15}),
        ("player.entered", {"player": 99}),
        ("tournament.announced", {"format": "knockout", "rounds": 0}),
        ("finding.made", {"game": "T.9.9"}),
        ("tournament.announced", {"name": "a\u0000b"}),
    ],
)
def test_a_line_that_breaks_the_fold_or_a_rule_is_a_finding_and_never_an_exception(
    case: Case, kind: str, data: dict[str, object]
) -> None:
    lines, n = altered(case, kind, **data)
    report = case.audited(lines)
    assert named(report, n)
    assert report.decided + report.differ + sum(report.unchecked.values()) == len(lines)


@pytest.mark.parametrize(("field", "value"), [("basis", -1), ("basis", 10**12), ("sourceseq", -5), ("sourceseq", 0)])
def test_numbers_that_cannot_be_are_findings(case: Case, field: str, value: int) -> None:
    for n, line in enumerate(case.lines, 1):
        event = json.loads(line) | {field: value}
        written = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
        assert named(case.audited([*case.lines[: n - 1], written, *case.lines[n:]]), n)


def test_a_fold_that_cannot_take_a_line_stops_the_audit_there_and_names_it(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the fold may come to break: everything after the line is not decided, and is counted so."""
    from shared.audit import redecision

    evolve = redecision.evolve

    def breaking(t: object, e: object) -> None:
        if e.seq == 12:  # type: ignore[attr-defined]
            raise KeyError("nothing of this kind")
        evolve(t, e)  # type: ignore[arg-type]

    monkeypatch.setattr(redecision, "evolve", breaking)
    report = case.audited(list(case.lines))
    assert [(f.first, f.last) for f in report.findings] == [(12, 12)]
    assert "KeyError" in str(report.findings[0].why)
    assert report.decided + sum(report.unchecked.values()) == len(case.lines)
    assert report.unchecked[say("an event before it cannot be replayed")] > 0


def test_a_score_sheet_of_another_log_is_found_by_its_basisroot(case: Case) -> None:
    # given a sheet whose first line names a root that this log never had
    assert case.evidence.sheets is not None
    game, lines = next(iter(case.evidence.sheets.items()))
    wire = json.loads(lines[0])
    other = wire["basisroot"].translate(str.maketrans("ABCDEFGH", "BCDEFGHA", "="))
    foreign = [lines[0].replace(wire["basisroot"].encode(), other.encode().ljust(44, b"=")), *lines[1:]]
    # when it is given to the audit
    report = audit(case.lines, RULES, Evidence({**case.evidence.sheets, game: foreign}))
    # then the sheet and its line are named
    assert any(f.kind == "sheet" and f.first == 1 and "basisroot" in str(f.why) for f in report.findings)
