"""The characters of names and login names, by the project's own table."""

import unicodedata

import pytest

from shared.core.language.characters import is_blank, skeleton, unseen_in_line, unseen_in_name
from shared.core.language.handles import InvalidLoginName, handle_fault, new_login_name
from shared.core.values.bounds import PERSON, TITLE_OF_EVENT

BLANK = ("   ", "\u3000", "\u00a0 \u2003")
UNSEEN = (
    "Li\nWei", "Li\rWei", "Li\u2028Wei", "Li\u2029Wei", "Li\u0085Wei", "Li\tWei", "Li\u202eWei", "Li\u2066Wei", "Li\u200fWei",
    "Li\u200bWei", "Li\u200dWei", "Li\u2060Wei", "Li\ufeffWei", "Li\u00adWei", "Li\u034fWei", "\u3164", "\u2800", "\uffa0",
    "Li\U000e0041Wei", "Li\ufe0fWei", "Li\U000e0100", "Li\ue000", "Li\u0378", "Li\U0010ffff",
)  # fmt: skip
SEEN = (
    "李伟",
    "O'Neil-Müller 3.",
    "Nguyễn Văn Ánh",
    "علی\u200cرضا",
    "क्\u200dष",
    "山田　太郎",
    "Ivan Иван",
    "🂡 Ace",
    "𱍊",
)
IN_A_LINE = ("♟\ufe0f Cup", "家\u200d族杯")


@pytest.mark.parametrize("name", BLANK)
def test_a_blank_name_is_refused(name: str):
    assert is_blank(name) and "blank" in str(PERSON.fault(name)) and "blank" in str(TITLE_OF_EVENT.fault(name))


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_a_name_with_an_unseen_character_is_refused(name: str):
    unseen = unseen_in_name(name)
    assert unseen is not None and f"U+{ord(unseen):04X}" in str(PERSON.fault(name))


@pytest.mark.parametrize("name", SEEN)
def test_a_name_in_any_writing_is_accepted(name: str):
    assert PERSON.fault(name) is None


@pytest.mark.parametrize("title", IN_A_LINE)
def test_an_emoji_may_be_in_a_title_but_not_in_a_name(title: str):
    assert unseen_in_line(title) is None and unseen_in_name(title) is not None


@pytest.mark.parametrize(
    "name",
    ["rivera" + unseen for unseen in "\u034f\ufe0f\u3164\u115f\u17b5\u2800\U000e0100"] + ["riv\u0435ra"],
    ids=ascii,
)
def test_a_login_name_that_looks_like_another_is_not_one(name: str):
    assert handle_fault(name) is not None
    with pytest.raises(InvalidLoginName):
        new_login_name(name)


@pytest.mark.parametrize(
    ("name", "other"), [("board1", "boardl"), ("аре", "ape"), ("barnes", "bames"), ("ｌi", "li"), ("li-wei", "li‐wei")]
)
def test_login_names_that_look_alike_have_one_skeleton(name: str, other: str):
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(
    ("name", "other"), [("ali", "all"), ("li", "lin"), ("board 1", "board 2"), ("王裁判", "玉裁判"), ("u", "ü")]
)
def test_different_login_names_have_different_skeletons(name: str, other: str):
    assert skeleton(name) != skeleton(other)


def test_the_table_of_characters_agrees_with_unicode():
    held = [chr(n) for n in range(0, 0x110000, 7) if not 0xD800 <= n < 0xE000 and unseen_in_name(chr(n)) is None]
    # Han that this Python's Unicode may not have yet is "Cn".
    assert {unicodedata.category(one) for one in held if unicodedata.category(one)[0] in "CZ"} <= {"Zs", "Cn"}
    assert all(unicodedata.category(one) != "Cn" or 0x20000 <= ord(one) < 0x33500 or ord(one) < 0xA000 for one in held)
    assert len(held) > 20_000
