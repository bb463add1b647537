"""Chinese punctuation: the marks between Chinese characters in full width (GB/T 15834), as print has them.

The texts at hand of the rulebooks, and the names that regulations took from them, are written with half-width marks; sets
that were adopted keep theirs, so they are made full where somebody reads them.
"""

import re

_FULL = str.maketrans(",:;?!()", "，：；？！（）")
_HAN = r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef“”]"
_BETWEEN = re.compile(rf"(?<={_HAN})[,:;?!()]|[,:;?!()](?={_HAN})")


def full_width(text: str) -> str:
    """A Chinese text with its marks in full width; those within numbers and foreign words stay."""
    return _BETWEEN.sub(lambda mark: mark[0].translate(_FULL), text)
