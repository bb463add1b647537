"""The records of an exported file in their order: tournament, players, teams, and what pairing needs."""

from collections.abc import Mapping, Sequence

from shared.core.readings.scoring import Score
from shared.core.readings.team_scoring import TeamRound, team_scores
from shared.core.rounds.matches import teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints, PlayerId
from shared.trf.model.abnormal import comments_on_points, lines_of_299
from shared.trf.model.acceleration import records_of
from shared.trf.model.model import AllocatedByes, Settings, TrfPlayer
from shared.trf.model.points import points_text
from shared.trf.model.reader_state import SCORE_CODES

WORDS = {
    "swiss": "Individual: Swiss-System",
    "round_robin": "Individual: Round-Robin",
    "double_round_robin": "Individual: Double Round-Robin",
    "knockout": "Individual: Knock-Out",
    "double_knockout": "Individual: Double Knock-Out",
}
"""Record 092 of a format."""

COMMENT = "###"
"""The record of a comment, for people."""
STATED_REGULATIONS = f"{COMMENT} regulations: "
"""Before the title of the set that an exported event was played by."""


def lines_of(
    t: Tournament,
    players: Sequence[TrfPlayer],
    made: Mapping[PlayerId, Score],
    settings: Settings,
    edition: str,
    *,
    numbered_teams: bool,
    comments: Sequence[str],
) -> tuple[list[str], dict[int, int]]:
    """The lines, the last one empty so that the file ends with a line end; and by line whose 001 record it is. ``made``: the
    players' scores. ``comments``: on what touched the integrity of the pairings."""
    new = edition == "26"
    rated = sum(p.rating is not None for p in players)
    said = (("012", settings.name), ("022", settings.city), ("042", settings.begins), ("052", settings.ends))
    lines = [f"{code} {text}" for code, text in said if text or code == "012"]
    lines += [f"062 {len(players)}", f"072 {rated}", f"082 {len(settings.teams)}"]
    words = WORDS.get(t.announced.format)
    if words is not None and teams_meet(t):
        words = words.replace("Individual", "Team")
    if words is not None:
        lines.append(f"092 {words}")
    lines.append(f"{STATED_REGULATIONS}{t.regulations.title}")
    lines += [f"{COMMENT} {text}" for text in comments]
    lines += _new_settings(settings) if new else []
    if settings.tiebreaks:
        lines.append(f"212 PTS,{','.join(settings.tiebreaks)}")
    if new and settings.time:
        lines.append(f"222 {settings.time}")
    if new and settings.teams:
        lines += _team_settings(t, settings)
    line_players = {len(lines) + n: p.id for n, p in enumerate(players, 1)}
    lines += [""] * len(players)
    lines += _teams(t, settings, numbered_teams)
    lines += _byes(t, players) if new else _old_settings(settings)
    by_number = {t.players[player].starting_number: score for player, score in made.items()}
    byes_of_teams: dict[tuple[int, str], list[int]] = {}
    for team, round, kind in settings.team_byes:
        byes_of_teams.setdefault((round, kind), []).append(team)
    lines += _records_240(byes_of_teams)
    if settings.allocated is not None:
        lines.append(_allocated_byes(settings.allocated))
    if teams_meet(t):
        lines += [f"{COMMENT} {text}" for text in comments_on_points(t, players, by_number)]
    else:
        lines += lines_of_299(t, players, by_number, settings.points)
    lines += _forbidden_pairs(settings, new)
    lines += records_of(settings.accelerated, [p.id for p in players], new)
    if teams_meet(t):
        lines += _matches(t, settings)
    return [*lines, ""], line_players


def _new_settings(settings: Settings) -> list[str]:
    """142, 152, 162, 192: rounds, first colour, points, system."""
    lines = [f"142 {settings.rounds}"]
    if settings.initial_colour is not None:
        lines.append(f"152 {settings.initial_colour[0].upper()}")
    worth = dict(settings.points)
    if worth:
        symbols = {symbol: worth[codes[0]] for symbol, codes in SCORE_CODES.items()}
        lines.append("162 " + "   ".join(f"{symbol}{points / 2:5.1f}" for symbol, points in symbols.items()))
        if any(worth[code] != symbols[symbol] for symbol, codes in SCORE_CODES.items() for code in codes):
            lines.append(_xxs(worth))
    if settings.system is not None:
        lines.append(f"192 {settings.system.code}")
    return lines


def _old_settings(settings: Settings) -> list[str]:
    """XXR, XXC, XXS: rounds, first colour, points; and 192, where the days alone would tell of today's rules."""
    lines = [f"XXR {settings.rounds}"]
    if settings.system is not None and settings.system.code == "FIDE_DUTCH_2017":
        lines.append(f"192 {settings.system.code}")
    if settings.initial_colour is not None:
        lines.append(f"XXC {settings.initial_colour}1")
    if settings.points:
        lines.append(_xxs(dict(settings.points)))
    return lines


def _xxs(points: Mapping[str, int]) -> str:
    """Every point value by its own code: what the five symbols of 162 cannot tell apart."""
    return "XXS " + " ".join(f"{code}={points_text(worth)}" for code, worth in sorted(points.items()))


def _team_settings(t: Tournament, settings: Settings) -> list[str]:
    """352, 362: the first team's colour on each board, and the points of a match."""
    lines, points = [], t.regulations.teams
    if settings.boards:
        lines.append("352 " + "".join("WB"[n % 2] for n in range(settings.boards)))
    if points is not None and teams_meet(t):
        worth = {"TW": points.win, "TD": points.draw, "TL": points.loss}
        lines.append("362 " + "   ".join(f"{s}{p / 2:4.1f}" for s, p in worth.items()))
    return lines


def _teams(t: Tournament, settings: Settings, numbered: bool) -> list[str]:
    """013, or 310 with the points and the members' mean rating: also where the numbers are not those that 013 counts."""
    members = {team.id: "".join(f" {m:4d}" for m in team.members) for team in settings.teams}
    if not numbered and [team.id for team in settings.teams] == [*range(1, len(settings.teams) + 1)]:
        return [f"013 {team.name[:32]:32s}{members[team.id]}" for team in settings.teams]
    won = team_scores(t) if teams_meet(t) else {}
    ratings = {p.starting_number: p.rating for p in t.players.values()}
    lines = []
    for team in settings.teams:
        known = [r for r in map(ratings.get, team.members) if r]
        mean = str(round(sum(known) / len(known))) if known else ""
        score = won.get(team.id)
        points = ("", "") if score is None else (points_text(score.match_points), points_text(score.game_points))
        head = f"310 {team.id:3d} {team.name[:32]:32s} {'':5s} {mean:>6s} {points[0]:>6s} {points[1]:>6s} {'':3s} "
        lines.append(head + members[team.id])
    return lines


def _byes(t: Tournament, players: Sequence[TrfPlayer]) -> list[str]:
    """240: byes of half and full points, a record for each round and kind."""
    byes: dict[tuple[int, str], list[int]] = {}
    for player in players:
        for round, entry in enumerate(player.rounds, 1):
            if entry is not None and entry.bye in ("F", "H") and not teams_meet(t):
                byes.setdefault((round, entry.bye), []).append(player.id)
    return _records_240(byes)


def _records_240(byes: Mapping[tuple[int, str], Sequence[int]]) -> list[str]:
    """Who has a bye, by its round and kind."""
    return [f"240 {kind} {round:3d}" + "".join(f" {p:4d}" for p in ids) for (round, kind), ids in sorted(byes.items())]


def _allocated_byes(byes: AllocatedByes) -> str:
    """320: match and game points, and the team of each round."""
    teams = "".join(f" {team:3d}" if team else "    " for team in byes.teams)
    return f"320 {byes.match_points / 2:4.1f} {byes.game_points / 2:4.1f}{teams}"


def _forbidden_pairs(settings: Settings, new: bool) -> list[str]:
    """Who may not meet: 260 with the rounds, or XXP."""
    lines = []
    for group in settings.forbidden:
        players = "".join(f" {p:4d}" for p in group.players) if new else " " + " ".join(map(str, group.players))
        lines.append(f"260 {1:3d} {settings.rounds:3d}{players}" if new else f"XXP{players}")
    return lines


def _matches(t: Tournament, settings: Settings) -> list[str]:
    """802: each team's matches, with opponent, colour of the first board and game points; f: won or lost unplayed."""
    lines, won = [], team_scores(t)
    asked = {(team, round): f"{kind}PB" for team, round, kind in settings.team_byes}
    for team in settings.teams:
        score = won[team.id]
        head = f"802 {team.id:3d} {'':5s} {score.match_points / 2:4g} {points_text(score.game_points):>6s}"
        lines.append(
            (head + "".join(f"  {_match(r, asked.get((team.id, r.number), 'PAB'))}" for r in score.rounds)).rstrip()
        )
    return lines


def _match(r: TeamRound, bye: str) -> str:
    if r.kind == "bye":
        return f"{bye}   {points_text(r.game_points):>4s} "
    if not r.opponent:
        return f"ZPB   {points_text(HalfPoints(0)):>4s} "
    colour = "w" if r.side == "white" else "b"
    return f"{r.opponent:3d} {colour} {points_text(r.game_points):>4s}{'f' if r.kind == 'forfeit' else ' '}"
