"""Chinese punctuation is in full width where somebody reads it; marks within numbers and foreign words stay."""

from itertools import pairwise

import pytest

from shared.regulations import load, names
from shared.regulations.passages import passages
from shared.web.markup import full_width, full_width_around

HALF = ",:;?!"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("缺席,弃权", "缺席，弃权"),
        ("多走一步(偷步)", "多走一步（偷步）"),
        ("帅(将)被对方“将死”。", "帅（将）被对方“将死”。"),
        ("(五子棋)", "（五子棋）"),
        ("胜者1分,负者0分", "胜者1分，负者0分"),
        ("比分 1:0, 2:1", "比分 1:0, 2:1"),
        ("1,000 points: so", "1,000 points: so"),
        ("对方pass者除外", "对方pass者除外"),
        ("第5条(5)", "第5条（5）"),
        ('作出"警告"处分', "作出“警告”处分"),
        ('the "seats"', 'the "seats"'),
    ],
)
def test_marks_beside_chinese_characters_become_full(written: str, read: str):
    assert full_width(written) == read and full_width(read) == read


def test_no_name_of_an_infraction_keeps_a_half_width_mark():
    called = [full_width(row.chinese) for name in names() for row in load(name).rulebook.infractions]
    assert [name for name in called if set(name) & set(HALF + "()")] == []


def test_no_passage_keeps_one_beside_a_chinese_character():
    shown = [full_width(one.text) for one in set(passages().values())]
    assert [text for text in shown if any("\u4e00" <= a <= "\u9fff" and b in HALF for a, b in pairwise(text))] == []


@pytest.mark.parametrize(
    ("template", "read"),
    [
        ("{a}; {b}: 双方弃权", "{a}；{b}：双方弃权"),
        ("{a}: 60回合, 也可酌减", "{a}：60回合，也可酌减"),
        ("{a} gives two match points for a won match", "{a} gives two match points for a won match"),
        ("{line}:5", "{line}:5"),
    ],
)
def test_marks_between_an_article_and_its_chinese_text_become_full(template: str, read: str):
    assert full_width_around(template) == read and full_width_around(read) == read
