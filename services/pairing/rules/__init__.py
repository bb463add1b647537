"""The rules of pairing: entries, officials, byes and the rounds."""

from services.pairing.rules.command_rows import ROWS
from services.pairing.rules.rounds import engine_of, long, pair_by_other_engines, remark_on
from services.pairing.rules.withdrawals import EXPULSION_EVENTS, following_rulings, undecided
from services.pairing.rules.without_engine import problem_without_engine
from shared.core.terms import PAIRING
from shared.desk.rules_port import Rules

RULES = Rules(
    source=PAIRING,
    rows=ROWS,
    long=long,
    due=following_rulings,
    due_after=EXPULSION_EVENTS,
    undecided=undecided,
    engine_of=engine_of,
    by_other_engines=pair_by_other_engines,
    problem_without_engine=problem_without_engine,
    remark_on=remark_on,
)
