"""The language of a command line: what rules and problems say to people in it.

As gettext has it: of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` the first that is set says the locale, and where that is not C
or POSIX, ``LANGUAGE`` may name languages that are rather read. What programs read (JSON, codes) never changes.
"""

import os
from collections.abc import Mapping

from shared.core.language.messages import Message
from shared.http.language.catalogue import ENGLISH, LANGUAGES, in_language


def chosen(environ: Mapping[str, str] = os.environ) -> str:
    """The language that is read, one of `LANGUAGES`."""
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "C")
    if _primary(locale) in ("c", "posix"):
        return ENGLISH
    for wanted in (*environ.get("LANGUAGE", "").split(":"), locale):
        for one in LANGUAGES:
            if _primary(wanted) == _primary(one):
                return one
    return ENGLISH


def words(message: Message | str) -> str:
    """A message in that language; a text as it is."""
    return in_language(message, chosen())


def accepted() -> dict[str, str]:
    """The header that asks a server for that language; none for English, which it speaks unasked."""
    return {} if chosen() == ENGLISH else {"Accept-Language": chosen()}


def _primary(name: str) -> str:
    """The language alone: ``zh`` of zh_CN.UTF-8 and of zh-Hans."""
    return name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()
