"""A file is paired and checked by the Dutch rules that it names, or that were in force when its event began."""

import json
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.trf.trf_pairing import as_lists, own_pairing
from services.pairing.rules import commands as co
from services.pairing.rules.engine_adapters import py4swiss_0_3_1 as py4swiss
from services.pairing.rules.engine_adapters.record import NoPairing, PairingInput, PlayerRecord
from services.pairing.rules.engines import registry
from services.pairing.rules.engines.versions import PY4SWISS, PY4SWISS_ALONE
from services.pairing.rules.pairing_input import input_of
from services.standings.files.trf.export import trf_of
from services.standings.files.trf.to_events import tournament_of
from shared import regulations
from shared.core.terms import HalfPoints, PlayerId, Refusal
from shared.trf.reader import read
from shared.trf.rounds import dutch_edition
from shared.trf.writer import write
from tests.deploy.test_cli_files import FOUR_PLAYERS
from tests.rules.pairing_story import CHIEF, Office, seats

FIFTH = "001    5      Egger,Mia                         2000                             1.0    3  0000 - F\n"
"""One who asked for a full-point bye."""
PLAYED = FOUR_PLAYERS.split("XXR")[0] + FIFTH


def file_of(*head: str) -> bytes:
    return "\n".join([*head, "XXR 3", "XXC white1", PLAYED]).encode()


@pytest.mark.parametrize(
    ("head", "edition"),
    [
        ((), "2026"),
        (("042 2025/12/31",), "2017"),
        (("042 2026/01/31",), "2017"),
        (("042 2026/02/01",), "2026"),
        (("042 28. 07. 2005",), "2017"),
        (("052 2025-08-02",), "2017"),
        (("042 2026/02/01", "192 FIDE_DUTCH_2017"), "2017"),
        (("042 2025/12/31", "192 FIDE_DUTCH_2026"), "2026"),
        (("042 2025/12/31", "192 FIDE_DUTCH"), "2017"),
        (("192 FIDE_DUTCH_2017_BAKU",), "2017"),
    ],
)
def test_a_file_s_code_or_else_its_days_say_which_rules_it_means(head: tuple[str, ...], edition: str) -> None:
    assert dutch_edition(read(file_of(*head), "f.trf")) == edition


@pytest.mark.parametrize(("day", "barred"), [("2025/12/31", set()), ("2026/02/01", {5})])
def test_a_full_point_bye_that_was_asked_for_bars_from_the_bye_since_2026_alone(day: str, barred: set[int]) -> None:
    """C.04.1 d of 2017 bars whom nobody came to meet; C.04.1, 4 of 2026 whoever had a win's points unplayed."""
    t = tournament_of(read(file_of(f"042 {day}"), "f.trf"))
    assert {s.player for s in input_of(t, 2, "white").players if s.bye_barred} == barred


@pytest.mark.parametrize(("day", "float"), [("2025/12/31", "down"), ("2026/02/01", None)])
def test_whoever_did_not_play_has_floated_down_by_the_rules_of_2017(day: str, float: str | None) -> None:
    """C.04.3 of 2017, A.4; since 2026 only who had more than a loss gives (1.4)."""
    absent = file_of(f"042 {day}").replace(b"1.0    3  0000 - F", b"0.0    3  0000 - Z")
    start = input_of(tournament_of(read(absent, "f.trf")), 2, "white")
    assert next(s.floats[0] for s in start.players if s.player == 5) == float


def seat(number: int, colours: str, met: tuple[int, ...], score: int = 2) -> PlayerRecord:
    return PlayerRecord(
        PlayerId(number), number, HalfPoints(score), colours, tuple(map(PlayerId, met)), (None, None), False, False
    )


def test_the_rules_of_2017_pair_and_give_colours() -> None:
    first = PairingInput(1, 5, tuple(seat(n, "", (), 0) for n in range(1, 6)), "black")
    assert py4swiss.pair(first) == [(3, 1), (2, 4), (5, 0)]
    second = PairingInput(
        2, 5, (seat(1, "w", (3,)), seat(2, "b", (4,)), seat(3, "b", (1,), 0), seat(4, "w", (2,), 0)), "white"
    )
    assert py4swiss.pair(second) == [(2, 1), (3, 4)]


def test_where_no_pairing_is_legal_that_is_said() -> None:
    start = PairingInput(2, 5, (seat(1, "w", (2,)), seat(2, "b", (1,))), "white")
    with pytest.raises(NoPairing, match="no-legal-pairing"):
        py4swiss.pair(start)
    refusal = registry.run(PY4SWISS, start)
    assert isinstance(refusal, Refusal) and refusal.code == "no-legal-pairing"
    assert str(refusal.detail) == "round 2 has no pairing that meets the absolute criteria"


def test_without_a_build_of_the_engine_it_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "installed_version", lambda package: "")
    trf = read(file_of("042 2025/12/31"), "f.trf")
    refusal = own_pairing(trf, tournament_of(trf, rounds=3), 2)
    assert isinstance(refusal, Refusal) and refusal.code == "engine-not-at-hand"
    assert "the Dutch rules of 2017" in str(refusal.detail)


def test_pair_and_check_go_by_the_rules_of_the_file_s_date(arbiter: Any, tmp_path: Path) -> None:
    old, new = tmp_path / "old.trf", tmp_path / "new.trf"
    old.write_bytes(file_of("042 2025/12/31"))
    new.write_bytes(file_of("042 2026/02/01"))
    for file, edition in ((old, "2017"), (new, "2026")):
        trf = read(file.read_bytes(), str(file))
        answer = own_pairing(trf, tournament_of(trf, rounds=3), 2)
        assert not isinstance(answer, Refusal)
        assert json.loads(arbiter("pair", file, "--json")[1])["boards"] == as_lists(*answer)
        assert json.loads(arbiter("check", file, "--json")[1])["dutch"] == edition
    assert "checked against the Dutch rules of 2017" in arbiter("check", old)[1]
    assert "2017" not in arbiter("check", new)[1]


def test_a_file_of_before_2026_is_imported_under_the_regulations_of_its_time(arbiter: Any, tmp_path: Path) -> None:
    old, new = tmp_path / "old.trf", tmp_path / "new.trf"
    old.write_bytes(file_of("042 2025/12/31"))
    new.write_bytes(file_of("042 2026/02/01"))
    told = arbiter("import", old, "--data", tmp_path / "data")
    assert told[0] == 0 and "by fide-2024, with the Dutch rules of 2017" in told[2]
    assert "2017" not in arbiter("import", new, "--data", tmp_path / "data")[2]
    for name, book, code in (("old", "fide-2024", "2017"), ("new", "fide-2026", "2026")):
        log = arbiter("log", name, "--data", tmp_path / "data")[1]
        adopted = next(line for line in map(json.loads, log.splitlines()) if "regulations.adopted" in line["type"])
        assert adopted["data"]["regulations"]["name"] == book
        exported = arbiter("export", name, "--data", tmp_path / "data", "--trf26")[1]
        assert f"192 FIDE_DUTCH_{code}" in exported


def test_what_goes_out_of_edition_16_says_the_rules_of_2017_where_its_days_would_say_others() -> None:
    for code, said in (("FIDE_DUTCH_2017", ["192 FIDE_DUTCH_2017"]), ("FIDE_DUTCH_2026", [])):
        written = write(trf_of(tournament_of(read(file_of("042 2026/02/01", f"192 {code}"), "f.trf")))).decode()
        assert [line for line in written.splitlines() if line.startswith("192")] == said
        assert dutch_edition(read(written.encode(), "again.trf")) == code[-4:]


def test_a_log_paired_before_a_fault_of_the_engine_was_mended_is_decided_again_by_that_engine(arbiter: Any) -> None:
    """Of seven after three rounds: the bye of round 4 was given to 4, who has two points, in place of 3, who has one."""
    log = Path(__file__).parents[1] / "golden" / "py4swiss-0.3.1.ndjson"
    code, told, _ = arbiter("verify", log, "--json")
    report = json.loads(told)
    assert (code, report["verdict"], report["checked"]) == (0, "agrees", 26)
    assert report["remarks"]["paired by py4swiss 0.3.1, which had a fault that was corrected later"] == 4
    assert arbiter("verify", log, "--strict")[0] == 1


def test_no_round_is_paired_by_the_engine_with_the_fault_once_one_was_paired_by_its_successor() -> None:
    office = Office(7, rounds=6, rules=regulations.load("fide-2024"), offices=2)
    first = office.by_engine(initial_colour="white", engine=PY4SWISS_ALONE)
    assert seats(office.pair(initial_colour="white", engine=PY4SWISS_ALONE)) == [(1, 4), (5, 2), (3, 6)]
    office.do(co.WithdrawPairing(CHIEF, 1))
    assert office.pair(initial_colour="white").engine == PY4SWISS
    office.do(co.WithdrawPairing(CHIEF, 1))
    assert office.refused(first).code == "engine-not-at-hand"
