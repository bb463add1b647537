"""The catalogues of other languages: every text of the source, each with its words, and nothing besides."""

import re
from pathlib import Path

import pytest

from deploy.catalogues import LANGUAGES, PACKAGES, ROOT, collected, folder, read

ONES = [(language, domain) for language in LANGUAGES for domain in PACKAGES]
_PLACEHOLDER = re.compile(r"%\((\w+)\)s|(?<!\{)\{(\w+)\}(?!\})")


def both(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(text: str) -> set[str]:
    return {"".join(found) for found in _PLACEHOLDER.findall(text)}


@pytest.mark.parametrize(("language", "domain"), ONES)
def test_a_catalogue_has_every_text_of_its_package_and_no_other(language, domain):
    kept = {message.id for message in read(domain, language)}
    wanted = {message.id for message in collected(domain, language)}
    assert kept ^ wanted <= {""}, "`make messages` brings it up to date"
    assert not read(domain, language).obsolete


@pytest.mark.parametrize(("language", "domain"), ONES)
def test_every_text_is_translated_with_the_same_facts(language, domain):
    for message in read(domain, language):
        if not message.id:
            continue
        assert all(both(message.string)), message.id
        assert not message.fuzzy, message.id
        for translation in both(message.string):
            assert placeholders(translation) == placeholders(both(message.id)[-1]), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_of_two_packages_has_the_same_words_in_both(language):
    words: dict[object, set[object]] = {}
    for domain in PACKAGES:
        for message in read(domain, language):
            words.setdefault(message.id, set()).add(message.string)
    words.pop("", None)
    assert {id: translations for id, translations in words.items() if len(translations) > 1} == {}


def test_every_folder_with_texts_is_a_package_of_the_catalogues():
    said = {
        str(file.relative_to(ROOT))
        for room in ("shared", "services", "deploy")
        for file in Path(ROOT / room).rglob("*.py")
        if re.search(r"\bsay\(", file.read_text(encoding="utf-8"))
    }
    assert [f for f in said if not f.startswith(tuple(f"{folder}/" for folder in PACKAGES.values()))] == []


def test_catalogues_are_merged_easily():
    """One text after another by the alphabet, without the lines of the source or the day."""
    for language, domain in ONES:
        file = folder(language) / f"{domain}.po"
        if file.exists():
            text = file.read_text(encoding="utf-8")
            assert "#: " not in text and "POT-Creation-Date" not in text
