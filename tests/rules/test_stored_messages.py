"""A message that a table keeps is the same when it is read, and what an earlier version kept stays a sentence."""

from hypothesis import given
from hypothesis import strategies as st

from shared.core.language.messages import Message, say
from shared.core.language.stored_messages import message_from, message_to_text

FACTS = st.recursive(
    st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.builds(Message, st.text(), st.dictionaries(st.text(), inner, max_size=3))
    ),
    max_leaves=6,
)


@given(st.builds(Message, st.text(), st.dictionaries(st.text(min_size=1), FACTS, max_size=3)))
def test_a_message_is_read_as_it_was_stored(message: Message):
    assert message_from(message_to_text(message)) == message
    assert message_to_text(message_from(message_to_text(message))) == message_to_text(message)


@given(st.text())
def test_a_sentence_of_an_earlier_version_stays_as_it_is(text: str):
    assert str(message_from(text)) == text or text.lstrip().startswith("{")


def test_a_text_that_only_looks_like_one_is_a_sentence():
    for text in ('{"say": 1}', '{"say": "a"}', "[1]", "1", '"a"'):
        assert message_from(text) == say("{text}", text=text)
