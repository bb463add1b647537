"""Sets of one's own that people would take for a shipped one."""

import pytest

from shared.regulations import names
from shared.regulations.editions import parse_federation_set
from shared.regulations.lookalike import lookalike
from shared.regulations.typed_toml import TomlError
from tests.federation import own_set

ALIKE = [
    ("Campus", "campus"),
    ("campus ", "campus"),
    ("ｃampus", "campus"),
    ("campuś", "campus"),
    ("carnpus", "campus"),
    ("ᴄampus", "campus"),
    ("ƒide-2026", "fide-2026"),
    ("ﬁde-2026", "fide-2026"),
    ("fide\u20102026", "fide-2026"),
    ("fide-2O26", "fide-2026"),
    ("fide-٢٠٢٦", "fide-2026"),
    ("fide-2०26", "fide-2026"),
    ("FIDE 2026: Chess", "fide-2026"),
    ("国际棋联（fide-2026）", "fide-2026"),
    ("xiangqi-l999", "xiangqi-1999"),
    ("xiangqi一1999", "xiangqi-1999"),
    ("ɡo-campus", "go-campus"),
]
MIXED = ["\u0441ampus", "c\u0430mpus", "\u0581o-campus", "g\u03bf-campus"]
OTHERS = ["Bergen 2026", "北京队规", "campus-北京", "Регламент РШФ 2026", "Fédération 2026", "Łódź 2026", "campus2"]


@pytest.mark.parametrize(("name", "shipped"), ALIKE)
def test_a_name_that_looks_like_a_shipped_one_is_told_with_it(name: str, shipped: str) -> None:
    assert f"looks like {shipped}," in str(lookalike(name))


@pytest.mark.parametrize("name", MIXED)
def test_a_name_of_two_alphabets_is_told(name: str) -> None:
    assert "mixes alphabets" in str(lookalike(name))


@pytest.mark.parametrize("name", [*OTHERS, *names()])
def test_a_name_of_its_own_is_good_and_so_is_each_shipped_one(name: str) -> None:
    assert lookalike(name) is None


def test_shipped_names_do_not_look_like_each_other() -> None:
    assert {str(lookalike(name.upper())).rpartition("looks like ")[2] for name in names()} == {
        f"{name}, which is shipped" for name in names()
    }


def test_a_file_of_such_a_name_is_refused_saying_so() -> None:
    with pytest.raises(TomlError, match=r"club\.toml: name: the name Campus looks like campus, which is shipped"):
        parse_federation_set(own_set("campus", name="Campus"), "club.toml")
