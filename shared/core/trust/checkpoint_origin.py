"""The origin of a checkpoint: the installation's name and the tournament's (c2sp.org/tlog-checkpoint)."""

DEFAULT_NAME = "arbiter"
"""The name of an installation that has not chosen one. Logs whose announcement has no origin belong to it."""
_LONGEST = 128


def origin(tournament: str, installation: str = DEFAULT_NAME) -> str:
    """Return the origin of a tournament's log in an installation of this name."""
    return f"{installation}/{tournament}"


def installation_name_of(origin: str) -> str:
    """Return the installation's name in an origin. The tournament's own name contains no slash."""
    return origin.rpartition("/")[0]


def is_installation_name(name: str) -> bool:
    """Return whether an installation may have this name: an address without a scheme, such as ``club.example/chess``.

    It contains no spaces and no plus sign.
    """
    return valid_key_name(name) and len(name) <= _LONGEST and "://" not in name and all(name.split("/"))


def is_origin(text: str, tournament: str) -> bool:
    """Return whether a text is the origin of this tournament's log in any installation."""
    return text == origin(tournament, installation_name_of(text)) and is_installation_name(installation_name_of(text))


def valid_key_name(name: str) -> bool:
    """Return whether a key may have this name (c2sp.org/signed-note).

    It is not empty and contains no space of any script, no plus sign and no invisible characters.
    """
    return bool(name) and "+" not in name and name.isprintable() and not any(c.isspace() for c in name)
