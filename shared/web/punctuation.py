"""Chinese punctuation: the marks between Chinese characters in full width (GB/T 15834), as print has them.

The texts at hand of the rulebooks, and the names that regulations took from them, are written with half-width marks; sets
that were adopted keep theirs, so they are made full where somebody reads them.
"""

import re

_FULL = str.maketrans(",:;?!()", "，：；？！（）")
_HAN = r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef“”]"
_BETWEEN = re.compile(rf"(?<={_HAN})[,:;?!()]|[,:;?!()](?={_HAN})")
_NUMBERED = re.compile(rf"(?<={_HAN})\((\w{{1,3}})\)")
_QUOTED = re.compile(r'"([^"]*[\u3400-\u9fff][^"]*)"')
_PLACE = re.compile(r"\{\w*\}")
_MARK = re.compile(r"([,:;])(?: |(?!\d))")


def full_width(text: str) -> str:
    """A Chinese text with its marks in full width; those within numbers and foreign words stay."""
    paired = _QUOTED.sub(r"“\1”", _NUMBERED.sub(r"（\1）", text))
    return _BETWEEN.sub(lambda mark: mark[0].translate(_FULL), paired)


def full_width_around(template: str) -> str:
    """A message's template that has no word of a foreign language, as where an article stands beside the Chinese of its text,
    with its marks in full width; any other as it is."""
    if re.search("[A-Za-z]", _PLACE.sub("", template)):
        return template
    return full_width(_MARK.sub(lambda mark: mark[1].translate(_FULL), template))
