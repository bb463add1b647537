"""Names as people look for them: from A to Z, Chinese ones by their pinyin, a family name as it is read as one."""

import unicodedata
from functools import lru_cache

_READINGS = (
    "乐=yue 仇=qiu 佴=nai 区=ou 华=hua 单=shan 卜=bu 句=gou 召=shao 员=yun 折=she 曾=zeng 朴=piao 查=zha 洗=xian "
    "盖=ge 祭=zhai 种=chong 秘=bi 繁=po 缪=miao 翟=zhai 能=nai 解=xie 覃=qin 贠=yun 都=du 重=chong 阚=kan 黑=he"
)
_FAMILY_NAMES = dict(one.split("=") for one in _READINGS.split())
"""Characters that are read otherwise as a family name than elsewhere (《现代汉语词典》, 姓)."""


@lru_cache(maxsize=8192)
def name_key(name: str) -> tuple[str, ...]:
    """What a name is sorted by: its syllables or words, without accents and case."""
    return tuple(plain(part) for part in _syllables(name))


def finds(search: str, name: str) -> bool:
    """Whether ``search`` is in a name as it is written, or in its pinyin: 李文, liwen, "li wen", lwx."""
    wanted = plain(search)
    if not wanted:
        return True
    if wanted in plain(name):
        return True
    parts = name_key(name)
    together = "".join(wanted.split())
    from_here = ("".join(parts[n:]) for n in range(len(parts)))
    return any(one.startswith(together) for one in from_here) or "".join(p[:1] for p in parts).startswith(together)


def _syllables(name: str) -> list[str]:
    """The family name is what stands first, in Chinese; a word of other letters is one syllable."""
    from pypinyin import lazy_pinyin  # its dictionaries take a third of a second to load

    name = name.strip()
    read = lazy_pinyin(name)
    if name[:1] in _FAMILY_NAMES and lazy_pinyin(name[:2]) == lazy_pinyin(name[:1]) + lazy_pinyin(name[1:2]):
        read = [_FAMILY_NAMES[name[0]], *lazy_pinyin(name[1:])]
    return [word for part in read for word in part.split()]


def plain(text: str) -> str:
    """Return a text as searches compare it: without accents and case, full-width characters as the usual ones."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).strip()
