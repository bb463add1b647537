"""Whose log a checkpoint is of: the origin, the house's name and the tournament's (c2sp.org/tlog-checkpoint)."""

HOUSE = "arbiter"
"""The name of a house that has chosen none; logs whose announcement names no origin are of it."""
_LONGEST = 128


def origin(tournament: str, house: str = HOUSE) -> str:
    """The origin of a tournament's log in a house of this name."""
    return f"{house}/{tournament}"


def house_of(origin: str) -> str:
    """The house's name in an origin; a tournament's own name has no slash."""
    return origin.rpartition("/")[0]


def is_house(name: str) -> bool:
    """Whether a house may be called so: an address without a scheme, as ``club.example/chess``; no space, no plus."""
    return valid_key_name(name) and len(name) <= _LONGEST and "://" not in name and all(name.split("/"))


def is_origin(text: str, tournament: str) -> bool:
    """Whether a text is the origin of this tournament's log in some house."""
    return text == origin(tournament, house_of(text)) and is_house(house_of(text))


def valid_key_name(name: str) -> bool:
    """Whether a key may be called so (c2sp.org/signed-note): not empty, no space of any script, no plus, nothing unseen."""
    return bool(name) and "+" not in name and name.isprintable() and not any(c.isspace() for c in name)
