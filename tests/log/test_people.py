"""The stored records of people on every backend: replaced as a whole, never by earlier ones, and gone with their texts."""

import pytest

from shared.core.readings.person_records import PersonEntry, PersonResult, TournamentRecord
from shared.log.port import Log
from shared.log.texts import salted
from tests.log.conftest import Backend

VERSION = 3


class Hall:
    """A log with the texts of two players, whose records are stored."""

    def __init__(self, log: Log) -> None:
        self.log, self.people = log, log.people
        self.texts = {text: salted(text, "T") for text in ("Anna", "Berta", "101", "102")}
        with log.transaction() as tx:
            tx.put_texts(list(self.texts.values()))

    def store(self, t: str = "T", seq: int = 9, winner: int = 1, rank: int | None = None, begins: str = "") -> None:
        """Store a tournament in which Anna (1) and Berta (2) play one game."""
        entries = tuple(
            PersonEntry(n, self.texts[id].hash, None, self.texts[name].hash, 2000, None, None, place, None, 0, (n,))
            for n, name, id, place in ((1, "Anna", "101", rank), (2, "Berta", "102", None))
        )
        results = tuple(
            PersonResult(
                n,
                f"{t}.1.1",
                1,
                3 - n,
                self.texts[name].hash,
                "white",
                "1" if n == winner else "0",
                int(n == winner),
                (5, 8),
            )
            for n, name in ((1, "Berta"), (2, "Anna"))
        )
        self.people.store([TournamentRecord(t, seq, t, "chess", begins, entries, results)], VERSION)

    def erase(self, text: str) -> None:
        with self.log.transaction() as tx:
            tx.erase_text(self.texts[text].hash)

    def id(self, fide_id: str) -> str:
        return self.people.person_of_fide_id(fide_id)


@pytest.fixture
def hall(backend: Backend) -> Hall:
    return Hall(backend.open())


def test_records_are_read_with_names_and_positions(hall: Hall):
    hall.store(rank=1)
    anna, berta = hall.people.ranked(0, 10)
    assert (anna.person, anna.first, anna.name) == (hall.id("101"), 1, "Anna")
    assert hall.people.identifiers([anna.person]) == {anna.person: ("101", ())}
    (row,) = hall.people.results(anna.person, berta.person, 0, 10)
    assert (row.of.seq, row.opponent, row.opponent_name, row.result.won, row.result.events) == (
        9, berta.person, "Berta", 1, (5, 8),
    )  # fmt: skip
    assert hall.people.totals(berta.person, anna.person) == (1, 0, 1)
    assert [row.entry.rank for row in hall.people.best_places([anna.person], 5)[anna.person]] == [1]


def test_erased_identifier_hides_the_person_before_any_projection(hall: Hall):
    hall.store(rank=1)
    anna, berta = hall.id("101"), hall.id("102")
    hall.erase("101")
    assert hall.people.person(anna) is None and hall.people.person_of_entry("T", 1) is None
    assert [one.name for one in hall.people.ranked(0, 10)] == ["Berta"]
    assert hall.people.entries(anna, 0, 10) == hall.people.results(anna, None, 0, 10) == []
    assert dict(hall.people.best_places([anna], 5)) == {}
    (row,) = hall.people.results(berta, None, 0, 10)
    assert (row.opponent, row.opponent_name) == (None, "Anna")
    assert hall.people.totals(berta, anna).games == 0
    hall.store(seq=10, rank=1)
    assert hall.people.counts() == (1, 1)


def test_erased_name_is_missing_and_an_older_entry_does_not_replace_a_later_name(hall: Hall):
    hall.store("A", begins="2026-01-01")
    hall.store("B", begins="2026-02-01")
    hall.erase("Anna")
    anna = hall.people.person(hall.id("101"))
    assert anna is not None and (anna.name, anna.tournaments) == (None, 2)
    assert [row.of.tournament for row in hall.people.entries(anna.person, 0, 10)] == ["B", "A"]
    assert [row.of.tournament for row in hall.people.entries(anna.person, 1, 1)] == ["A"]


def test_earlier_records_of_the_same_version_are_not_stored(hall: Hall):
    hall.store(seq=9, winner=1)
    hall.store(seq=8, winner=2)
    assert hall.people.totals(hall.id("101")).won == 1
    hall.store(seq=10, winner=2)
    hall.store(seq=10, winner=2)
    assert hall.people.totals(hall.id("101")) == (1, 0, 1)


def test_outdated_are_tournaments_with_later_events_or_another_version(backend: Backend, hall: Hall):
    backend.append(hall.log, count=3)
    backend.settle()
    assert hall.people.outdated(VERSION) == {"T": 3}
    hall.store(seq=3)
    assert hall.people.outdated(VERSION) == {}
    assert hall.people.outdated(VERSION + 1) == {"T": 3}
    hall.store("gone", seq=1)
    hall.people.mark_outdated()
    assert hall.people.outdated(VERSION) == {"T": 3}
    assert hall.people.counts() == (1, 2)
    assert [row.of.tournament for row in hall.people.entries(hall.id("101"), 0, 10)] == ["T"]
