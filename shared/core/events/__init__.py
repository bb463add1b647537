"""The event catalogue: what can happen, as frozen data. The newest version of each type.

Standard library only. Each type's name, versions, writer and fold: `shared.core.event_types`. What a module here names
is named here too, so that a new type is written down once.
"""
# ruff: noqa: F403

from shared.core.events.acceleration import *
from shared.core.events.event import *
from shared.core.events.games import *
from shared.core.events.grounds import *
from shared.core.events.keys import *
from shared.core.events.pairing import *
from shared.core.events.penalties import *
from shared.core.events.settlement import *
from shared.core.events.sheets import *
from shared.core.events.standings import *
