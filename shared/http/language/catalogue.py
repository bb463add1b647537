"""The languages that there are, and messages in each of them."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from shared.core.language.messages import Message, Shown

ENGLISH, CHINESE = "en", "zh-CN"
LANGUAGES = (ENGLISH, CHINESE)
COMMAS = {ENGLISH: ", ", CHINESE: "、"}
DOMAIN = "arbiter"
LOCALE = Path(__file__).parents[2] / "web" / "locale"


def catalogue_file(language: str) -> Path:
    """The compiled catalogue of a language, made by ``make setup`` from the ``.po`` files beside it."""
    return LOCALE / language.replace("-", "_") / "LC_MESSAGES" / f"{DOMAIN}.mo"


@cache
def catalogue(language: str) -> NullTranslations:
    """The texts of a language. Raises FileNotFoundError where they were not compiled."""
    if language == ENGLISH:
        return NullTranslations()
    try:
        with catalogue_file(language).open("rb") as file:
            return GNUTranslations(file)
    except FileNotFoundError:
        raise FileNotFoundError(f"{catalogue_file(language)} is not there: `make setup` compiles it") from None


def in_language(message: Message | str, language: str, instant: Shown = str) -> str:
    """A message in a language, its times as ``instant`` shows them; a text as it is."""
    if isinstance(message, str):
        return message
    return message.rendered(catalogue(language).gettext, COMMAS[language], instant)
