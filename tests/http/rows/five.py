"""Games of five in a row that rows are proved by."""

from typing import Any

FAR = ("h9", "c1", "e1", "g1", "a15", "c15", "e15", "g15", "i15", "k15")
"""Where White plays when it does not matter: beside the centre first, as the named openings ask."""
THREE_THREE = ("h8", "g8", "i9", "i10", "i8")


def end(answer: Any) -> tuple[str, str]:
    data = answer["events"][-1]["data"]
    return data["termination"], data["article"]


def full_board() -> str:
    """Moves that fill all 225 points without five in a row."""
    points = [(x, y) for y in range(15) for x in range(15) if (x, y) != (7, 7)]
    dark = [p for p in points if (p[0] + 2 * p[1]) % 4 in (0, 1)]
    light = sorted((p for p in points if p not in dark), key=lambda p: -p[1])
    name = lambda p: f"{'abcdefghijklmno'[p[0]]}{p[1] + 1}"  # noqa: E731
    return " ".join(["h8", *(name(p) for pair in zip(light, dark, strict=True) for p in pair)])
