"""The three steps of the form that creates a tournament: the fields of each, and those that a step carries along hidden."""

from collections.abc import Iterable, Mapping
from itertools import chain

from werkzeug.datastructures import MultiDict

from services.pairing.announcement.announcement_rows import OWN_SET
from services.pairing.announcement.regulation_fields import FILE
from shared import regulations
from shared.core.language.messages import Message
from shared.core.readings.vocabulary import GAMES
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.regulations import Regulations
from shared.regulations.changeable import changeable_in
from shared.regulations.set_names import set_name

STEP, AT = "step", "at"
"""The fields of buttons that show another step, and of the step that a page shows."""
LAST = 3
SET = "set"
"""The field for a game and a ruleset that has it, as ``GAME/RULESET``."""
CHANGE = "change:"
_OF_STEP = {
    1: (SET, "regulations", "game", "format", "results_only", "other_game", "set_file", FILE),
    2: (
        "name",
        "place",
        "begins",
        "ends",
        "time_zone",
        "rounds",
        "own_name",
        "official",
        "role",
        "person",
        "id",
        "unlisted",
    ),
}
_UNCARRIED = ("seq", "once", "send", STEP, AT, "copy")


def step_of(field: str) -> int:
    """Return the step that has a field, or the field of an error: the third has all others."""
    name = field.partition(".")[0]
    name = {"discipline": "game", "rounds_planned": "rounds", "officials": "official"}.get(name, name)
    return next((step for step, names in _OF_STEP.items() if name in names), LAST)


def step_shown(source: Mapping[str, str], errors: Iterable[str]) -> int:
    """Return the step to show: of the pressed button, else the first with an error, else the same as before."""
    if source.get(STEP, "") in ("1", "2", "3"):
        return int(source[STEP])
    wrong = min(map(step_of, errors), default=0)
    return wrong or (int(source[AT]) if source.get(AT, "") in ("1", "2", "3") else 1)


def carried(source: MultiDict[str, str], step: int, chosen: Regulations, own: str) -> list[tuple[str, str]]:
    """Return the fields of other steps, which this one sends along, by name and value. Values of another ruleset are dropped."""
    paths = {f"{CHANGE}{row.path}" for row in changeable_in(chosen)}
    format = FORMATS.get(source.get("format", "swiss"), FORMATS["swiss"])  # type: ignore[call-overload]
    rows = []
    for name, values in source.lists():
        dropped = name.startswith(CHANGE) and name not in paths
        dropped |= name == "rounds" and not format.rounds_announced
        dropped |= SET in source and (name == "regulations" or (name == "game" and source[SET] != OWN_SET))
        if name != FILE and name not in _UNCARRIED and step_of(name) != step and not dropped:
            rows += [(name, value) for value in values]
    return rows + ([(FILE, own)] if own and step != 1 else [])


def sets_by_game() -> dict[str, list[tuple[str, Message]]]:
    """Return the shipped rulesets of each game, with the value of their choice."""
    loaded = [(name, regulations.load(name)) for name in regulations.names()]
    games = dict.fromkeys(chain.from_iterable(one.game.rules for _, one in loaded))
    order = sorted(games, key=lambda game: list(GAMES).index(game) if game in GAMES else len(GAMES))
    return {
        game: [(f"{game}/{name}", set_name(one)) for name, one in loaded if game in one.game.rules] for game in order
    }


def with_set(said: dict[str, str]) -> dict[str, str]:
    """Return the fields with the chosen game and ruleset as two fields."""
    game, _, name = said.get(SET, "").partition("/")
    if SET not in said:
        return said
    rest = {field: value for field, value in said.items() if field not in (SET, "regulations")}
    return rest | ({"regulations": OWN_SET} if game == OWN_SET else {"game": game, "regulations": name})
