"""The point system of a file: JaVaFo's XXS, record 162 of TRF26, and the records of bbpPairings."""

import re

from shared.core.language.messages import say
from shared.trf.model.model import Record
from shared.trf.model.reader_state import ReaderState, half_points

XXS_CODES: dict[str, tuple[str, ...]] = {
    **{code: (code,) for code in ("WW", "BW", "WD", "BD", "WL", "BL", "FW", "FL", "PAB", "FPB", "HPB", "ZPB")},
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
}
"""JaVaFo's code of a point value -> the single values that it sets."""
SCORE_CODES: dict[str, tuple[str, ...]] = {
    "W": XXS_CODES["W"], "D": XXS_CODES["D"], "L": ("WL", "BL"), "P": ("PAB",), "A": ("FL", "ZPB"),
}  # fmt: skip
"""The symbols of record 162: a win, a draw, a loss, the pairing-allocated bye, an absence."""
UNUSED_162 = "X"
"""The symbol of an unknown result, which is no result here."""
BBP_CODES: dict[str, tuple[str, ...]] = {
    "BBW": XXS_CODES["W"], "BBD": XXS_CODES["D"], "BBL": XXS_CODES["L"], "BBZ": ("ZPB",), "BBF": ("FL",), "BBU": ("PAB",),
}  # fmt: skip
"""Records of bbpPairings that say what a win, a draw, a loss, an absence, a forfeit and the allocated bye are worth."""


def points(state: ReaderState, record: Record) -> None:
    """XXS: ``CODE=VALUE`` pairs; 162: a symbol and its value, again and again."""
    javafo = record.text.startswith("XXS")
    pattern, codes = (r"([A-Z]+)\s*=\s*(\S+)", XXS_CODES) if javafo else (r"([A-Z]+)\s*(\d\S*)", SCORE_CODES)
    text, end = record.text[4:].upper(), 0
    for match in re.finditer(pattern, text):
        code, value = match.groups()
        nothing_left(state, record, text, end, match.start())
        end = match.end()
        if code in codes:
            worth = half_points(state, record, match.start(2) + 5, value)
            state.points.update(dict.fromkeys(codes[code], worth))
        elif javafo or code != UNUSED_162:
            raise state.error(record, match.start() + 5, say("unknown point code {code}", code=code))
    nothing_left(state, record, text, end, len(text))
    if not javafo:
        _bye_as_win(state)


def bbp_points(state: ReaderState, record: Record) -> None:
    """BBW and its like: one value each."""
    value = record.text[3:].strip()
    column = len(record.text) - len(record.text[3:].lstrip()) + 1
    state.points.update(dict.fromkeys(BBP_CODES[record.text[:3]], half_points(state, record, column, value)))
    state.allocated_bye_said |= record.text.startswith("BBU")
    _bye_as_win(state)


def _bye_as_win(state: ReaderState) -> None:
    """The pairing-allocated bye is worth a win where it is not said (162, BBU)."""
    state.allocated_bye_said |= "PAB" in state.points and not state.bye_follows_win
    if not state.allocated_bye_said and "WW" in state.points:
        state.points["PAB"] = state.points["WW"]
        state.bye_follows_win = True


def nothing_left(state: ReaderState, record: Record, text: str, start: int, end: int) -> None:
    """Raises `TrfError` where something else than what parts them stands between two pairs; of ``text`` from column 5 on."""
    between = text[start:end]
    if between.strip(" \t,;"):
        column = start + len(between) - len(between.lstrip(" \t,;")) + 5
        raise state.error(record, column, say("{between} is not a code with its points", between=repr(between.strip())))
