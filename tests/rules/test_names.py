"""A name says its language by its script, and turns nobody else's writing."""

import pytest

from shared.web.names import isolated, language_of


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("赵一鸣", "zh"),
        ("春日杯 Spring Cup", "zh"),
        ("羽生はな", "ja"),
        ("김민지", "ko"),
        ("Nguyễn Thị Hoa", "und"),
        ("Ольга", "und"),
        ("", "und"),
    ],
)
def test_a_name_is_of_the_language_whose_letters_it_has(name: str, language: str):
    assert language_of(name) == language


def test_a_name_is_a_text_in_a_sentence_and_an_element_on_a_page():
    name = isolated("<b>陈</b>")
    assert f"{name}" == "<b>陈</b>"
    assert name.__html__() == '<bdi lang="zh">&lt;b&gt;陈&lt;/b&gt;</bdi>'
