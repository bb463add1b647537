"""Checks of an announcement: whether rounds and conditions make sense for the format."""

from dataclasses import replace

from services.pairing.rules.commands import AnnounceTournament
from services.pairing.rules.engines.versions import GACRUX
from services.pairing.rules.formats.registry import PAIRED_FORMATS
from services.pairing.rules.stage_checks import stage_faults
from shared.core.formats import FORMATS
from shared.core.regulations import Regulations
from shared.core.service_keys import whole
from shared.core.terms import Conditions, Refusal
from shared.core.time_faults import time_faults
from shared.core.tournament import Tournament


def check_announcement(c: AnnounceTournament) -> Refusal | None:
    """Why this cannot be announced, naming the part that is wrong. Codes: ``no-rounds``, ``bad-keys``, ``conditions-do-not-fit``,
    ``stages-do-not-fit``, and that of `check_changes`."""
    refusal = check_stages(c)
    if refusal is not None:
        return refusal
    why = whole(c.keys) if c.keys else None
    if why is not None:
        return Refusal("invalid", "bad-keys", why, where="keys")
    if c.rounds < (1 if FORMATS[c.format].rounds_announced else 0):
        return Refusal("invalid", "no-rounds", f"{c.rounds} rounds; a tournament has at least one", where="rounds")
    alone = () if c.regulations.stages else (*_matches(c), *_groups(c))
    for wrong, where, detail, article in (*alone, *_teams(c), *_time(c)):
        if wrong:
            return Refusal("invalid", "conditions-do-not-fit", detail, article, f"conditions.{where}")
    return check_changes(c.regulations, c.game)


def check_stages(c: AnnounceTournament) -> Refusal | None:
    """Refusal ``stages-do-not-fit``, naming the stage and the key that is wrong."""
    for where, detail, article in stage_faults(c.regulations.stages, c.format, c.rounds, c.conditions):
        return Refusal("invalid", "stages-do-not-fit", detail, article, where)
    for n, stage in enumerate(c.regulations.stages):
        of_groups = stage.qualifiers if FORMATS[stage.format].finals else 0
        said = Conditions(
            stage.groups,
            of_groups,
            games=stage.games,
            best=stage.best,
            extra=stage.extra,
            places=stage.places,
            team=c.conditions.team,
            time=stage.time,
        )
        alone = replace(c, format=stage.format, rounds=stage.rounds, conditions=said)
        for wrong, where, detail, article in (*_matches(alone), *_groups(alone), *_time(alone)):
            if wrong:
                return Refusal("invalid", "stages-do-not-fit", detail, article, f"stages[{n}].{where}")
    return None


def check_changes(regulations: Regulations, game: str) -> Refusal | None:
    """Refusal ``change-of-another-game``: nothing would read the value."""
    for path in regulations.changes:
        table, _, rest = path.partition(".")
        name = rest.partition(".")[0]
        if table == "game" and name in regulations.game.rules and name != game:
            detail = f"{path} is a rule of {name}; {game} is played"
            return Refusal("invalid", "change-of-another-game", detail, where=f"changes.{path}")
    return None


def check_adoption(t: Tournament, regulations: Regulations) -> Refusal | None:
    """Why other regulations cannot be adopted for this tournament.

    Refusals: ``no-rules-for-the-game`` and ``no-rules-for-teams``, where those in force have them; that of `check_changes`.
    """
    game, now, team = t.announced.game, t.regulations, t.announced.conditions.team
    if regulations.decisions >= 2:
        if game in now.game.rules and game not in regulations.game.rules:
            detail = f"{regulations.name} has no table game.{game}, which is played"
            return Refusal("invalid", "no-rules-for-the-game", detail, where="regulations")
        if team is not None and team.kind != "members" and regulations.teams is None:
            detail = f"the regulations {regulations.name} say nothing of matches of teams"
            return Refusal("invalid", "no-rules-for-teams", detail, "002-X 14.2", "regulations")
    return check_changes(regulations, game)


Checks = tuple[tuple[bool, str, str, str | None], ...]


def _matches(c: AnnounceTournament) -> Checks:
    conditions, traits = c.conditions, FORMATS[c.format]
    winner = traits.winner_needed
    dutch = conditions.team is None and PAIRED_FORMATS[c.format].engine(c.regulations, conditions) == GACRUX
    return (
        (conditions.games < 1, "games", f"{conditions.games} games; two who meet play at least one", "002-X 13.5"),
        (
            conditions.best and conditions.games % 2 == 0,
            "games",
            f"best of {conditions.games}: the number is odd",
            "000-B 4",
        ),
        (
            conditions.best and not winner,
            "best",
            f"in the format {c.format} all games of a match are played",
            "000-B 4",
        ),
        (conditions.extra < 0, "extra", f"{conditions.extra} extra games", "000-B 4"),
        (conditions.extra > 0 and not winner, "extra", f"in the format {c.format} a match may end drawn", "000-B 9"),
        (conditions.games > 1 and dutch, "games", "the FIDE Dutch is played with one game a round", "C.04.3"),
        (
            conditions.games > 1 and traits.rounds_announced and c.rounds % conditions.games != 0,
            "games",
            f"{c.rounds} rounds are no multiple of {conditions.games} games: every game counts as a round",
            "002-X 13.5",
        ),
        (
            conditions.places and not traits.places,
            "places",
            f"the format {c.format} has no matches for places",
            "002-X 11.1",
        ),
    )


def _groups(c: AnnounceTournament) -> Checks:
    conditions, grouped = c.conditions, FORMATS[c.format].finals
    article = "002-X 11.3"
    return (
        (grouped and conditions.groups < 2, "groups", f"{conditions.groups} groups; it takes two", article),
        (grouped and conditions.qualifiers < 1, "qualifiers", "nobody would go on to the finals", article),
        (not grouped and conditions.groups != 0, "groups", f"the format {c.format} has no groups", article),
        (
            not grouped and conditions.qualifiers != 0,
            "qualifiers",
            f"in the format {c.format} nobody qualifies",
            article,
        ),
        (not grouped and conditions.carried, "carried", f"the format {c.format} carries nothing over", article),
    )


def _teams(c: AnnounceTournament) -> Checks:
    team = c.conditions.team
    if team is None:
        return ()
    spare = team.kind in ("substitutes", "lineup")
    return (
        (team.boards < 1, "team.boards", f"{team.boards} boards; a match of teams has at least one", "002-X 12"),
        (team.substitutes < 0, "team.substitutes", f"{team.substitutes} substitutes", "002-X 12.2"),
        (team.substitutes > 0 and not spare, "team.substitutes", f"in {team.kind} nobody is replaced", "002-X 12"),
        (
            team.kind == "everybody" and c.conditions.games > 1,
            "games",
            "the match has a round for each board",
            "002-X 12.4",
        ),
        (
            team.kind != "members" and c.regulations.teams is None,
            "team",
            f"the regulations {c.regulations.name} say nothing of matches of teams",
            "002-X 14.2",
        ),
    )


def _time(c: AnnounceTournament) -> Checks:
    time = c.conditions.time
    if time is None:
        return ()
    faults = (
        (True, ".".join(filter(None, ("time", where))), detail, time.article) for where, detail in time_faults(time)
    )
    return (
        (time.game != c.game, "time.game", f"a time for {time.game} in a tournament of {c.game}", time.article),
        *faults,
    )
