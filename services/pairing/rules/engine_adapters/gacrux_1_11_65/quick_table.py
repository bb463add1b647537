"""gacrux's cross table with the same weights, without the record of each criterion that explains them.

gacrux keeps for each possible pair a dictionary with the value of every criterion, of which its pairing reads the sum only. Here
the sum is computed alone, once for all pairs of players with the same properties.
"""

from collections import defaultdict
from decimal import Decimal
from functools import partial
from operator import itemgetter
from typing import Any

from .lazy_edges import Meetings, Row

_KEPT = itemgetter("quality", "qcweight", "qc", "colordiff")
_OUTCOMES = {"nc": "n", "w0": "w", "w1": "W", "w2": "W", "b0": "b", "b1": "B", "b2": "B"}
"""gacrux's letters for colour preferences in ``colordiff``."""
_NAMES = (
    *("QC6", "QC7", "QN8", "QC8", "QC9", "QMM", *(f"QC{n}" for n in range(10, 22))),
    *("HE1", "HE2", "HO1", "HO2", "HO3", "HO4", "HO5"),
)
"""gacrux's names of criteria, by their numbers in its enumeration ``qdefs``."""
_DOWN, _UP, _DOWN_BEFORE, _UP_BEFORE = 1, 2, 4, 8
"""The bits of a float history: of the last round, and of the round before it."""
_OTHER_TWICE = {"w": "bb", "b": "ww"}


_MET = 4
"""The place of the opponents met among the values of a record."""
_NOBODY: dict[str, Any] = {
    "pts": Decimal(0), "ptx": Decimal(-1), "acc": Decimal(-1), "acx": Decimal(-1), "hst": {}, "num": {}, "cod": 0,
    "csq": " ", "flt": 0, "top": False, "cop": "  ",
}  # fmt: skip
"""The properties of the bye, and of the place for downfloaters."""


def quick_table(table: type[Any]) -> type[Any]:
    """Return a faster version of gacrux's cross table class ``table``."""

    class Table(table):  # type: ignore[misc]  # gacrux has no types
        def list_edges(self, records: Any, meets: int, colour: str, prohibited: Any) -> Any:
            """Return the competitors, the bye as number 0 and a place for downfloaters as the last, and their pairs."""
            self.cmps, self.maxmeets = records, meets
            self.size = self.BLOB = len(records) + 1
            self.ilen = self.numtop = 0
            competitors = self.competitors = [
                self._competitor(number, records.get(number)) for number in range(self.size + 1)
            ]
            competitors[0]["rfp"] = len(records) % 2 == 1
            self.level2score = sorted({c["acc"] for c in competitors if c["rfp"] or c["cid"] == 0})
            self.score2level = {score: level for level, score in enumerate(self.level2score)}
            for c in competitors[1:-1]:
                c["scorelevel"] = self.score2level[c["acc"]]
            competitors[0]["scorelevel"], competitors[-1]["scorelevel"] = 0, -1
            self.assign_tpn(competitors, self.size)
            apart: dict[int, set[int]] = defaultdict(set)
            for c in competitors[1:-1]:
                for place, other in c["num"].items():
                    if place != "val":
                        apart[c["cid"]].add(other)
                        apart[other].add(c["cid"])
            for one, other in (ban["competitors"] for ban in prohibited):
                apart[one].add(other)
                apart[other].add(one)
            self.meetings = Meetings(competitors, apart)
            rows: list[Row] = []
            rows += [Row(number, partial(self._new_pair, rows)) for number in range(self.size + 1)]
            self.opponents = rows
            kinds: dict[Any, int] = {}
            self.kinds = [kinds.setdefault(_kind(c), len(kinds)) for c in competitors]
            return competitors, rows

        def _competitor(self, number: int, record: dict[str, Any] | None) -> dict[str, Any]:
            if record is None:
                return {"cid": number, "rnk": number, "rfp": False, "rip": 0, "tpn": 0} | _NOBODY
            points, virtual, other, present, _, played, difference, colours, floats, top, _ = (
                value["val"] for value in record["tiebreakDetails"]
            )
            return {
                "cid": number, "rnk": record["orgrank"], "pts": points, "ptx": points, "acc": virtual, "acx": other,
                "rfp": True, "hst": {"val": present}, "num": record["tiebreakDetails"][_MET], "rip": played,
                "cod": difference, "csq": f" {colours}", "flt": floats, "top": top,
                "cop": self.color_preference(difference, colours),
            }  # fmt: skip

        def _new_pair(self, rows: list[Row], one: int, other: int) -> dict[str, Any]:
            lower, higher = (one, other) if one <= other else (other, one)
            a, b = self.competitors[lower], self.competitors[higher]
            possible = lower != higher and (higher == self.BLOB or self.meetings.are_not_apart(lower, higher))
            pair: dict[str, Any] = {
                "ca": lower, "cb": higher, "sa": a["scorelevel"], "sb": b["scorelevel"], "canmeet": possible, "qc": possible,
                "unplayed": self.rnd - 1 - b["num"].get("val", 0), "qlevel": -1, "quality": None, "weight": 0, "qcweight": 0,
                "colordiff": "  ",
            }  # fmt: skip
            rows[lower][higher] = rows[higher][lower] = pair
            return pair

        def init_cweights(self, *arguments: Any) -> None:
            self._known: dict[Any, Any] = {}
            super().init_cweights(*arguments)

        def update_edge(self, edge: dict[str, Any]) -> None:
            level = self.scorelevel
            if edge["qlevel"] == level and edge["cb"] < self.BLOB:
                return
            edge["qlevel"] = level
            if not edge["canmeet"]:
                edge["quality"] = {}
                return
            if edge["cb"] == self.BLOB:
                self._weigh(edge)
                return
            kinds = self.kinds[edge["ca"]], self.kinds[edge["cb"]], self.pablevel
            known = self._known.get(kinds)
            if known is None:
                self._weigh(edge)
                self._known[kinds] = _KEPT(edge)
            else:
                edge["quality"], edge["qcweight"], edge["qc"], edge["colordiff"] = known

        def cascade_weights(self, depth: dict[str, Any], start: Any, stop: Any) -> int:
            """Set the weights of the criteria from ``start`` to ``stop``, each larger than any sum of those after it."""
            value = 1
            for name in _NAMES[start.value : stop.value + 1][::-1]:
                sizes = depth[name]
                if isinstance(sizes, int):
                    self.weight[name] = value
                    value *= sizes
                    continue
                values = self.weight[name] = [0] * len(sizes)
                for n in range(len(sizes) - 1, -1, -1):
                    values[n] = value
                    value *= sizes[n]
            return value

        def _weigh(self, edge: dict[str, Any]) -> None:
            """Set the weight of a pair by the quality criteria C6 to C21, and whether it meets all but C6 to C8, C12 and C13."""
            a, b = self.competitors[edge["ca"]], self.competitors[edge["cb"]]
            if a["scorelevel"] < b["scorelevel"]:
                a, b = b, a
            weight, level, most = self.weight, self.scorelevel, self.maxpsd
            higher, lower = a["scorelevel"], b["scorelevel"]
            above = higher - level
            quality = {"QN8": 0, "QC12": 0, "QC13": 0}
            total, faults = 0, 0
            if higher >= level and lower == level:
                if self.pablevel and lower == 0:
                    unplayed = self.rnd - 1 - a["num"].get("val", 0)
                    total += weight["QC9"] * unplayed
                    faults += unplayed
                if (a["top"] or b["top"]) and a["cid"] > 0 and b["cid"] > 0:
                    for name in _topscorer_faults(a, b):
                        total += weight[name]
                        faults += 1
                own, other = a["cop"], b["cop"]
                if own != "nc" and own[0] == other[0]:
                    quality["QC12"] = 1
                    total += weight["QC12"]
                    if own[1] > "0" and other[1] > "0":
                        quality["QC13"] = 1
                        total += weight["QC13"]
                edge["colordiff"] = _OUTCOMES.get(own, own[0].upper()) + _OUTCOMES.get(other, other[0].upper())
                if a["acc"] < b["acc"]:
                    floated = a["flt"]
                else:
                    floated = b["flt"] if a["acc"] > b["acc"] else 0
                for bit, name, by_score in ((_UP, "QC15", "QC19"), (_UP_BEFORE, "QC17", "QC21")):
                    if floated & bit:
                        total += weight[name] + (weight[by_score][most - above] if above > 0 else 0)
                        faults += 1
            elif higher >= level > lower:
                total += weight["QC6"]
                if above > 0:
                    total += weight["QC7"][most - above]
                if self.pablevel and lower == 0:
                    unplayed = self.rnd - 1 - a["num"].get("val", 0)
                    total += weight["QC9"] * unplayed
                    faults += unplayed
                for bit, name, by_score in ((_DOWN, "QC14", "QC18"), (_DOWN_BEFORE, "QC16", "QC20")):
                    if a["flt"] & bit:
                        total += weight[name] if above == 0 else weight[by_score][most - above]
                        faults += 1
            if higher >= level - 1 > lower:
                quality["QN8"] = 1
                total += weight["QN8"]
                if above + 1 > 0:
                    total += weight["QC8"][most - above]
            edge["quality"], edge["qcweight"], edge["qc"] = quality, total, faults == 0

        def update_hetrogenious(self, level: int, nodes: Any, edges: Any, bsn: dict[int, int]) -> None:
            """Set the weights by which players moved down are paired with residents (C.04.3, 3.2)."""
            moved = self.M = sum(self.mdp)
            self.ilen = 0
            last = len(bsn) + 1
            self.init_heweights(level, bsn)
            unpaired, opponents = self.weight["HE1"], self.weight["HE2"]
            competitors, place_of = self.competitors, bsn.get
            for edge in edges:
                self.get_edge_quality(edge)
                one, two = edge["ca"], edge["cb"]
                upper, lower = place_of(one, last), place_of(two, last)
                if upper > lower:
                    one, two, upper, lower = two, one, lower, upper
                value = 0
                if competitors[one]["scorelevel"] > level and competitors[two]["scorelevel"] <= level:
                    value = unpaired[upper - 1] if lower == last else opponents[upper - 1] * (lower - moved)
                edge["heweight"] = value

        def compute_weight(self, pairs: Any, quality: Any) -> Any:
            """Return ``quality``: only a check of an existing pairing reads the values of a bracket."""
            return quality

    return Table


def _topscorer_faults(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    """Return which of C10 and C11 a pair with a topscorer breaks."""
    difference, other_difference = a["cod"], b["cod"]
    broken = ["QC10"] if difference == other_difference and abs(difference) >= 2 else []
    own, other = a["cop"], b["cop"]
    colour = own[0]
    if colour != other[0] or colour not in _OTHER_TWICE:
        return broken
    opposite, strength, other_strength = _OTHER_TWICE[colour], int(own[1]), int(other[1])
    last, other_last = a["csq"][-2:], b["csq"][-2:]
    if (
        (last == other_last and (last == "ww" or other_last == "bb"))
        or (strength > other_strength and other_last == opposite)
        or (other_strength > strength and last == opposite)
        or (
            strength == other_strength == 2
            and (
                (abs(difference) > abs(other_difference) and other_last == opposite)
                or (abs(other_difference) > abs(difference) and last == opposite)
            )
        )
    ):
        broken.append("QC11")
    return broken


def _kind(c: dict[str, Any]) -> tuple[Any, ...]:
    """Return all properties of a competitor used by a quality criterion. The bye's competitor equals no other."""
    played = c["num"].get("val", 0)
    return c["scorelevel"], c["acc"], c["cop"], c["cod"], c["csq"][-2:], c["top"], c["flt"], played, c["cid"] == 0
