"""Checks of an announcement: rounds and conditions must make sense for the format."""

from dataclasses import replace

from services.pairing.rules.announcement.played_game import check_game
from services.pairing.rules.announcement.stage_checks import stage_faults
from services.pairing.rules.commands import AnnounceTournament
from services.pairing.rules.engines.versions import DUTCH
from services.pairing.rules.formats.registry import PAIRED_FORMATS
from shared.core.language.messages import Message, say, term
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.regulations import Regulations
from shared.core.rulebook.time_faults import time_faults
from shared.core.state.tournament import Tournament
from shared.core.terms import Conditions, Refusal
from shared.core.trust.recovery import recovery_key_error
from shared.core.trust.service_keys import key_set_error


def check_announcement(c: AnnounceTournament) -> Refusal | None:
    """Return why this tournament cannot be announced, with the faulty part, or None.

    Codes: ``no-rounds``, ``bad-keys``, ``conditions-do-not-fit``, ``stages-do-not-fit``, and those of `check_game` and
    `check_changes`.
    """
    refusal = (None if c.results_only else check_game(c.game, c.regulations)) or check_stages(c)
    if refusal is not None:
        return refusal
    why = (key_set_error(c.keys) if c.keys else None) or recovery_key_error(c.recovery)
    if why is not None:
        return Refusal("invalid", "bad-keys", why, where="keys")
    if c.rounds < (1 if FORMATS[c.format].rounds_announced else 0):
        return Refusal(
            "invalid",
            "no-rounds",
            say("a tournament must have at least one round, not {rounds}", rounds=c.rounds),
            where="rounds",
        )
    alone = () if c.regulations.stages else (*_matches(c), *_groups(c))
    for wrong, where, detail, article in (*alone, *_teams(c), *_time(c)):
        if wrong:
            return Refusal("invalid", "conditions-do-not-fit", detail, article, f"conditions.{where}")
    return check_changes(c.regulations, c.game)


def check_stages(c: AnnounceTournament) -> Refusal | None:
    """Return the refusal ``stages-do-not-fit`` with the faulty stage and field, or None if all stages are valid."""
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
    """Return the refusal ``change-of-another-game`` if a changed value belongs to a game not played here, or None.

    No rule would read such a value.
    """
    for path in regulations.changes:
        table, _, rest = path.partition(".")
        name = rest.partition(".")[0]
        if table == "game" and name in regulations.game.rules and name != game:
            detail = say(
                "{path} is a rule of {name}, but the game of this tournament is {game}",
                path=path,
                name=name,
                game=term(game),
            )
            return Refusal("invalid", "change-of-another-game", detail, where=f"changes.{path}")
    return None


def check_adoption(t: Tournament, regulations: Regulations) -> Refusal | None:
    """Return why other ``regulations`` cannot be adopted for this tournament, or None.

    Refusals: that of `check_changes`. From decision edition 2 on also that of `check_game`, if the regulations in force
    have rules for the game and score sheets are possible; and ``no-rules-for-teams``, if teams play matches.
    """
    game, now, team = t.announced.game, t.regulations, t.announced.conditions.team
    if regulations.decisions >= 2:
        refusal = check_game(game, regulations, announced=True) if game in now.game.rules else None
        if refusal is not None and not t.announced.excludes_sheets:
            return refusal
        if team is not None and team.kind != "members" and regulations.teams is None:
            detail = say(
                "the ruleset {name} has no rules for team matches: choose one that has, or rank teams by their members",
                name=regulations.name,
            )
            return Refusal("invalid", "no-rules-for-teams", detail, "002-X 14.2", "regulations")
    return check_changes(regulations, game)


Checks = tuple[tuple[bool, str, Message, str | None], ...]


def _matches(c: AnnounceTournament) -> Checks:
    conditions, traits = c.conditions, FORMATS[c.format]
    winner = traits.winner_needed
    dutch = conditions.team is None and PAIRED_FORMATS[c.format].engine(c.regulations, conditions).name in DUTCH
    return (
        (
            conditions.games < 1,
            "games",
            say("a match must have at least one game, not {games}", games=conditions.games),
            "002-X 13.5",
        ),
        (
            conditions.best and conditions.games % 2 == 0,
            "games",
            say('the number of games in "best of" must be odd, not {games}', games=conditions.games),
            "000-B 4",
        ),
        (
            conditions.best and not winner,
            "best",
            say(
                "best cannot be set in the format {format}, because all games of a match are played there",
                format=term(c.format),
            ),
            "000-B 4",
        ),
        (conditions.extra < 0, "extra", say("{extra} extra games", extra=conditions.extra), "000-B 4"),
        (
            conditions.extra > 0 and not winner,
            "extra",
            say(
                "in the format {format} a match may end drawn, so a lot or an extra game cannot decide it",
                format=term(c.format),
            ),
            "000-B 9",
        ),
        (
            conditions.games > 1 and dutch,
            "games",
            say("the FIDE Dutch system allows only one game per round"),
            "C.04.3",
        ),
        (
            conditions.games > 1 and traits.rounds_announced and c.rounds % conditions.games != 0,
            "games",
            say(
                "{rounds} rounds are not a multiple of {games} games: every game counts as a round",
                rounds=c.rounds,
                games=conditions.games,
            ),
            "002-X 13.5",
        ),
        (
            conditions.places and not traits.places,
            "places",
            say("places cannot be set, because the format {format} has no matches for places", format=term(c.format)),
            "002-X 11.1",
        ),
    )


def _groups(c: AnnounceTournament) -> Checks:
    conditions, grouped = c.conditions, FORMATS[c.format].finals
    article = "002-X 11.3"
    return (
        (
            grouped and conditions.groups < 2,
            "groups",
            say("{groups} groups are too few; give at least two", groups=conditions.groups),
            article,
        ),
        (
            grouped and conditions.qualifiers < 1,
            "qualifiers",
            say("the groups must have at least one qualifier, because otherwise the finals have no participants"),
            article,
        ),
        (
            not grouped and conditions.groups != 0,
            "groups",
            say("groups cannot be set, because the format {format} has no groups", format=term(c.format)),
            article,
        ),
        (
            not grouped and conditions.qualifiers != 0,
            "qualifiers",
            say("qualifiers cannot be set, because the format {format} has no qualifiers", format=term(c.format)),
            article,
        ),
        (
            not grouped and conditions.carried,
            "carried",
            say(
                "carried cannot be set, because in the format {format} results are not carried over",
                format=term(c.format),
            ),
            article,
        ),
    )


def _teams(c: AnnounceTournament) -> Checks:
    team = c.conditions.team
    if team is None:
        return ()
    spare = team.kind in ("substitutes", "lineup")
    return (
        (
            team.boards < 1,
            "team.boards",
            say("a team match must have at least one board, not {boards}", boards=team.boards),
            "002-X 12",
        ),
        (
            team.substitutes < 0,
            "team.substitutes",
            say("{substitutes} substitutes", substitutes=team.substitutes),
            "002-X 12.2",
        ),
        (
            team.substitutes > 0 and not spare,
            "team.substitutes",
            say("the team format {kind} does not allow substitutes", kind=term(team.kind)),
            "002-X 12",
        ),
        (
            team.kind == "everybody" and c.conditions.games > 1,
            "games",
            say("games must be 1, because in this team format a match already has a round for each board"),
            "002-X 12.4",
        ),
        (
            team.kind != "members" and c.regulations.teams is None,
            "team",
            say(
                "the ruleset {name} has no rules for team matches: choose one that has, or rank teams by their members",
                name=c.regulations.name,
            ),
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
        (
            time.game != c.game,
            "time.game",
            say(
                "the time control is for {game}, but the tournament is of {game2}",
                game=term(time.game),
                game2=term(c.game),
            ),
            time.article,
        ),
        *faults,
    )
