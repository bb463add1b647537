"""The facts of a log: entries, pairings as published, results, rulings, removals. Nothing of the product is imported.

Points are half-points. A *side* is a player, or in a team event a team.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, TypeVar

from tests.formats.records import Game, Leaving, Leg, Mark, Part, Round, Ruling, StageRule

WIN, DRAW, LOSS = 2, 1, 0
"""Half-points of a game (002-X 14.1; 000-A 瑞士制规则)."""
TABLES = ("round_robin", "double_round_robin", "groups")
"""Formats in which everybody meets everybody 循环制 (002-X 11.2, 11.3)."""
BRACKETS = ("knockout", "double_knockout", "match")
"""Formats in which a match needs a winner 淘汰制 (002-X 11.1; 000-B 4)."""

Json = Mapping[str, Any]
Method = TypeVar("Method", bound=Callable[..., Any])


def remembered(method: Method) -> Method:
    """Keep what a method of facts returns until the next event; parts and bouts are told apart by their numbers."""

    @wraps(method)
    def remember(self: "Facts", *args: Any) -> Any:
        key = method, *(getattr(arg, "number", arg) for arg in args)
        if key not in self.memo:
            self.memo[key] = method(self, *args)
        return self.memo[key]

    return remember  # type: ignore[return-value]


class Facts:
    """Everything that a log says, up to the last event that was told."""

    def __init__(self) -> None:
        self.seq = 0
        self.announced: Json = {}
        self.book: Json = {}
        self.players: dict[int, int] = {}
        self.teams: dict[int, tuple[int, ...]] = {}
        self.team_of: dict[int, int] = {}
        self.rounds: list[Round] = []
        self.games: dict[str, Game] = {}
        self.rulings: dict[str, Ruling] = {}
        self.annulments: dict[str, list[str]] = {}
        self.leavings: list[Leaving] = []
        self.lots: dict[int, int] = {}
        self.publications: list[tuple[int, int, tuple[tuple[int, ...], ...]]] = []
        self.upheld: list[Json] = []
        self.granted: dict[tuple[int, int], str] = {}
        self.memo: dict[Any, Any] = {}
        """Values reckoned from the events told so far."""

    # ------------------------------------------------------------ the announcement

    @property
    def of_teams(self) -> bool:
        return self.announced["conditions"]["team"] is not None

    @property
    @remembered
    def stages(self) -> tuple[StageRule, ...]:
        """The stages; a competition announced without stages is one, groups with their finals are two."""
        if self.book.get("stages"):
            return tuple(StageRule(*(s[f] for f in StageRule._fields)) for s in self.book["stages"])
        c = self.announced["conditions"]
        rule = StageRule(
            "", self.announced["format"], self.announced["rounds"],
            *(c[name] for name in ("groups", "qualifiers", "games", "best", "extra", "places")),
        )  # fmt: skip
        finals = rule._replace(format="round_robin", groups=0, qualifiers=0, name="finals")
        return (rule, finals) if rule.format == "groups" else (rule,)

    @remembered
    def parts(self) -> list[Part]:
        """The parts that were paired; a knock-out of several stages is one bracket (000-B 4)."""
        parts: list[Part] = []
        for round in self.rounds:
            if round.stage != "play_off" and (round.seeds or not parts):
                parts.append(Part(len(parts), self._rule(round, len(parts)), round.number, round.seeds))
        return parts

    def _rule(self, round: Round, number: int) -> StageRule:
        stages = self.stages
        named = [stage for stage in stages if stage.name and stage.name == round.stage]
        return named[0] if named else stages[min(number, len(stages) - 1)]

    def rule_of(self, round: int) -> StageRule:
        """The stage that a round was paired in: a bracket may have several."""
        paired = self.rounds[round - 1]
        return self._rule(paired, paired.part)

    def members(self, side: int) -> tuple[int, ...]:
        return self.teams.get(side, ()) if self.of_teams else (side,)

    def sides(self) -> tuple[int, ...]:
        """All sides by starting number."""
        if self.of_teams:
            return tuple(sorted(self.teams))
        return tuple(sorted(self.players, key=lambda p: (self.players[p], p)))

    # ------------------------------------------------------------ rulings

    @remembered
    def in_force(self, id: str) -> bool:
        """Whether a ruling has effect: not annulled by an annulment in force, and no cause of it has lapsed."""
        ruling = self.rulings[id]
        if any(self.in_force(annulment) for annulment in self.annulments.get(id, ())):
            return False
        return all(self.in_force(cause) for cause in ruling.because)

    def effective(self, *kinds: str) -> Iterator[Ruling]:
        """Rulings in force of these kinds of effect."""
        return (r for r in self.rulings.values() if r.kind in kinds and r.annuls is None and self.in_force(r.id))

    # ------------------------------------------------------------ removals

    def removal(self, player: int, round: int) -> Leaving | None:
        """The removal in force that a round falls into, also one that is paired again since."""
        for leaving in self.leavings:
            later = round > len(self.rounds) or leaving.first <= round or self.rounds[round - 1].seq > leaving.seq
            here = later and (leaving.back is None or round < leaving.back)
            if leaving.player == player and here and (leaving.ruling is None or self.in_force(leaving.ruling)):
                return leaving
        return None

    def barred(self, player: int, round: int) -> bool:
        """Whether the player is barred from the round 取消当场比赛资格 (002-X 18.2)."""
        return any(r.player == player and round in r.rounds for r in self.effective("exclude"))

    def away(self, side: int, round: int) -> bool:
        """Whether nobody of a side is there for a round."""
        return all(self.removal(member, round) is not None for member in self.members(side))

    @remembered
    def void(self, player: int, part: int) -> bool:
        """Whether the results of a player, or of the team, of a part are annulled 注销 (002-X 20.3); not once it is back."""
        own = self.members(self.team_of.get(player, 0)) if self.of_teams else (player,)
        return any(
            one.void and one.part == part and one.player in own and one.back is None
            and (one.ruling is None or self.in_force(one.ruling))
            for one in self.leavings
        )  # fmt: skip

    # ------------------------------------------------------------ results

    @remembered
    def marks(self, id: str) -> tuple[Mark, Mark] | None:
        """The result in force: of the last ruling that sets it, else as last stated, else by removal; None: no result."""
        game = self.games[id]
        for ruling in reversed(game.rulings):
            if self.in_force(ruling):
                return self.rulings[ruling].marks
        if game.results:
            return game.results[-1]
        gone = [self._removed_from(p, game) for p in (game.white, game.black)]
        since = [seq for seq in gone if seq is not None]
        if not since:
            return None
        decided = max(game.seq, min(since))
        white, black = (Mark(WIN if seq is None or seq > decided else LOSS, game.started) for seq in gone)
        return white, black

    def _removed_from(self, player: int, game: Game) -> int | None:
        """The event since which a player is out of a game without a result of its own, or None.

        未赛对局均作弃权 (002-X 20.3, 20.4), also of an earlier round; a game from which a player is barred is lost (18.2).
        Who leaves once the other has lost the game in this way keeps the win. A game in progress was played (21.4 speaks
        of 未经实际对局).
        """
        gone = self.removal(player, game.round) or self.removal(player, len(self.rounds) + 1)
        bars = [r.seq for r in self.effective("exclude") if r.player == player and game.round in r.rounds]
        return min(bars + ([] if gone is None else [gone.seq]), default=None)

    def mark(self, id: str, player: int) -> Mark | None:
        marks = self.marks(id)
        return None if marks is None else marks[player == self.games[id].black]

    @remembered
    def counts(self, id: str) -> bool:
        """Whether a game counts: its result was not annulled by 20.3."""
        game = self.games[id]
        part = self.rounds[game.round - 1].part if game.round <= len(self.rounds) else 0
        return not self.void(game.white, part) and not self.void(game.black, part)

    def games_in_force(self) -> Iterator[Game]:
        return (self.games[id] for round in self.rounds for id in round.games)

    def game_in(self, player: int, round: int) -> Game | None:
        return next(
            (g for g in map(self.games.__getitem__, self.rounds[round - 1].games) if player in (g.white, g.black)), None
        )

    # ------------------------------------------------------------ telling

    def tell(self, event: Json) -> None:
        """One event of the log, in the order of the log."""
        self.seq = event["seq"]
        self.memo.clear()
        name = event["type"].removeprefix("arbiter.").rpartition(".v")[0].replace(".", "_").replace("-", "_")
        listener = getattr(self, f"_on_{name}", None)
        if listener is not None:
            listener(event["data"])
        self.memo.clear()

    def _on_tournament_announced(self, data: Json) -> None:
        self.announced = data

    def _on_regulations_adopted(self, data: Json) -> None:
        self.book = data.get("regulations", data)

    def _on_player_entered(self, data: Json) -> None:
        self.players[data["player"]] = data["starting_number"]

    def _on_starting_numbers_assigned(self, data: Json) -> None:
        self.players |= {n["player"]: n["number"] for n in data["numbers"]}

    def _on_team_entered(self, data: Json) -> None:
        self.teams[data["team"]] = tuple(data["members"])
        self.team_of |= dict.fromkeys(data["members"], data["team"])

    def _on_bye_granted(self, data: Json) -> None:
        self.granted[data["player"], data["round"]] = data["kind"]

    def _on_round_paired(self, data: Json) -> None:
        number, pairing = data["round"], data["pairing"]
        games = tuple(b["game"] for b in data["boards"])
        self.games |= {b["game"]: Game(b["game"], number, b["white"], b["black"], self.seq) for b in data["boards"]}
        byes = {seat["player"]: seat["kind"] for seat in data["byes"]}
        seeds = tuple(map(tuple, data["groups"]))
        part = self.rounds[-1].part if self.rounds else 0
        part += bool(self.rounds and seeds and data["stage"] != "play_off")
        board_of = {b["board"]: b["game"] for b in data["boards"]}
        legs = {m["match"]: self._leg(m, number, board_of, byes) for m in data["matches"]}
        self.memo.clear()
        self.rounds.append(
            Round(number, pairing, self.seq, part, games, byes, tuple(legs), data["stage"], seeds, legs,
                  all(m["leg"] == 1 for m in data["matches"]), data["seed"])
        )  # fmt: skip
        self.memo.clear()
        self.seats(data)

    def seats(self, data: Json) -> None:
        """Hook: the sides of the matches of a new pairing."""

    def _leg(self, match: Json, round: int, board_of: Mapping[int, str], byes: Mapping[int, str]) -> Leg:
        own = {p for side in (match["first"], match["second"]) for p in self.members(side)}
        return Leg(
            round,
            tuple(board_of[b] for b in match["boards"] if b in board_of),
            tuple(p for p, kind in byes.items() if kind == "F" and p in own) if self.of_teams else (),
            frozenset(p for p, kind in byes.items() if kind == "U" and p in own),
        )

    def _on_pairing_withdrawn(self, data: Json) -> None:
        assert self.rounds[-1].number == data["round"], "the last round first"
        self.rounds.pop()

    def _on_pairing_upheld(self, data: Json) -> None:
        self.upheld.append(data)

    def _on_game_started(self, data: Json) -> None:
        self.games[data["game"]].started = True

    def _on_result_reported(self, data: Json) -> None:
        self.games[data["game"]].results.append((_mark(data["white"]), _mark(data["black"])))

    _on_result_corrected = _on_game_ended = _on_result_reported

    def _on_ruling_made(self, data: Json) -> None:
        effect = data["effect"]
        marks = None
        if effect["white"] is not None:
            marks = _mark(effect["white"]), _mark(effect["black"])
        ruling = Ruling(
            data["ruling"], self.seq, data["player"] or 0, data["round"], effect["kind"], tuple(data["because"]), marks,
            data["game"], data["counter"], data["infraction"], rounds=tuple(effect["rounds"]),
        )  # fmt: skip
        expelled = ruling.kind == "expel" and not self._gone_now(ruling.player)
        self.rulings[ruling.id] = ruling
        if marks is not None and ruling.game is not None:
            self.games[ruling.game].rulings.append(ruling.id)
        if expelled:
            self._leave(ruling.player, ruling.id)
        for one in self.leavings:
            if one.ruling in ruling.because:
                one.void = False
                self.memo.clear()
                one.void = self._below_half(one.player, one.part)

    def _on_ruling_annulled(self, data: Json) -> None:
        id = data["ruling"]
        self.rulings[id] = Ruling(id, self.seq, 0, 0, "annul", (), None, None, None, "", annuls=data["annuls"])
        self.annulments.setdefault(data["annuls"], []).append(id)

    def _gone_now(self, player: int) -> bool:
        return self.removal(player, len(self.rounds) + 1) is not None

    def _on_player_withdrew(self, data: Json) -> None:
        if data["ruling"] is None:
            self._leave(data["player"], None)

    def _on_player_returned(self, data: Json) -> None:
        for leaving in self.leavings:
            if leaving.player == data["player"] and leaving.ruling is None and leaving.back is None:
                leaving.back = len(self.rounds) + 1

    def _leave(self, player: int, ruling: str | None) -> None:
        """A removal now: from the first round whose game has no result yet, else from the next (002-X 20.3, 20.4)."""
        after = len(self.rounds)
        while after and (game := self.game_in(player, after)) is not None and self.marks(game.id) is None:
            after -= 1
        part = self.rounds[-1].part if self.rounds else 0
        leaving = Leaving(player, self.seq, after + 1, ruling, False, part)
        self.leavings.append(leaving)
        self.memo.clear()
        leaving.void = self._below_half(player, part)

    def _below_half(self, player: int, part: int) -> bool:
        """Whether fewer than half of the opponents of a table were met 已赛对手不足半数 (002-X 20.3).

        A team has left once its last member has.
        """
        side = self.team_of.get(player, 0) if self.of_teams else player
        if not self.rounds or any(not self._gone_now(p) for p in self.members(side) if p != player):
            return False
        parts = self.parts()
        if parts[part].rule.format not in TABLES:
            return False
        (group,) = [g for g in parts[part].groups if side in g] or [()]
        others = {one for one in group if one != side and not self.void(self.members(one)[0], part)}
        return bool(group) and 2 * len(self.met_by(side, part)) < len(others)

    def met_by(self, side: int, part: int) -> set[int]:
        """The opponents against which a side played a game that counts, in a part."""
        met = set[int]()
        for round in self.rounds:
            for member in self.members(side) if round.part == part else ():
                game = self.game_in(member, round.number)
                mark = None if game is None else self.mark(game.id, member)
                if game is not None and mark is not None and mark.played and self.counts(game.id):
                    other = game.other(member)
                    met.add(self.team_of[other] if self.of_teams else other)
        return met

    def _on_lot_drawn(self, data: Json) -> None:
        if data["match"]:
            self.lots[data["match"]] = data["winner"]

    def _on_standings_published(self, data: Json) -> None:
        self.publications.append((self.seq, data["round"], tuple(map(tuple, data["order"]))))


def _mark(data: Json) -> Mark:
    return Mark(data["points"], data["played"])


def of_events(facts: Facts, events: Iterable[Json]) -> Facts:
    """The facts with these events told."""
    for event in events:
        facts.tell(event)
    return facts
