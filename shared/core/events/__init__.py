"""The event catalogue: everything that can happen, as frozen data, in the newest version of each type.

Standard library only. `shared.core.event_types` has each type's name, versions, writer and effect on a state. All names of
the modules here are exported from this package, so that a new type is written once.
"""
# ruff: noqa: F403

from shared.core.events.announcement import *
from shared.core.events.event import *
from shared.core.events.games import *
from shared.core.events.pairing import *
from shared.core.events.penalties import *
from shared.core.events.rounds import *
from shared.core.events.settlement import *
from shared.core.events.sheets import *
from shared.core.events.standings import *
