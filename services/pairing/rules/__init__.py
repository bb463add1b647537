"""The rules of pairing: entries, officials, byes and the rounds."""

from services.pairing.rules.decide import decide
from services.pairing.rules.leaving import following_rulings
from services.pairing.rules.rebuild import command_of
from services.pairing.rules.rounds import engine_of, long
from shared.rules import Rules
from shared.terms import PAIRING

RULES = Rules(
    source=PAIRING, decide=decide, command_of=command_of, long=long, due=following_rulings, engine_of=engine_of
)
