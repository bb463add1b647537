"""A clock that was ahead: its times stay in the log, and the number says by how much."""

from datetime import UTC, datetime, timedelta

from deploy.server.numbers.metrics import ClockNumbers
from deploy.server.rules import RULES
from services.pairing.rules import commands as pairing
from shared import regulations
from shared.core.events import OfficialAppointed
from shared.core.terms import PAIRING
from shared.desk.desk import Desk
from shared.desk.event_writer import Clock
from shared.log.sqlite import SqliteLog
from tests.played import CHIEF, SIGNER, Played


def test_a_line_from_the_future_is_a_number_until_that_time_has_come(tmp_path):
    ahead = timedelta(0)
    clock = Clock(lambda: datetime.now(UTC) + ahead)
    desk = Desk(SqliteLog(tmp_path / "log.db"), RULES, SIGNER.sign, clock=clock, threads=False)
    cup, numbers = Played(desk), ClockNumbers(desk.log)

    def shown() -> float:
        (metric,) = numbers.collect()
        assert metric.name == "arbiter_clock_ahead_seconds"
        return float(metric.samples[0].value)

    assert shown() == 0
    cup.do(PAIRING, pairing.AnnounceTournament(CHIEF, "Cup", "chess", "swiss", 3, regulations.load("campus")))
    assert shown() == 0
    ahead = timedelta(hours=1)
    cup.enter("one")
    assert 3590 < shown() <= 3600
    # also where the lines behind it are of a clock that was set right, and to who looks for the first time
    ahead = timedelta(0)
    cup.do(PAIRING, pairing.AppointOfficial(CHIEF, OfficialAppointed("lin", "arbiter")))
    assert 3590 < shown() <= 3600
    numbers = ClockNumbers(desk.log)
    assert 3590 < shown() <= 3600
    desk.close()
