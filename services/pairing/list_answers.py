"""Answers of the lists of pairing: entries, officials, teams, byes, lots and rounds, each row with the event that states it."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType

from services.pairing.answers import RoundAnswer
from shared.core.events import PersonalMember
from shared.core.terms import ByeKind, Role
from shared.http.answers import TournamentListAnswer
from shared.wire.answer import Answer, said

Seq = Annotated[int, said(description="Sequence number of the last event that states this row.")]


class EntryAnswer(Answer, kw_only=True):
    """An entry of a player. Personal members are absent if they are not public, except for officials and auditors."""

    id: Annotated[int, said(description="Number of the player in the tournament. It is not the starting number.")]
    name: Annotated[str | None, said(description="Null if the name was erased or is not public.")]
    starting_number: int
    rating: int | None
    title: Annotated[str | None, said(description="Title such as `WGM`, or a rank such as `5d`.")]
    club: Annotated[str | None, said(description="Null if unknown, erased or not public.")]
    federation: str | None
    first_round: Annotated[int, said(description="First round that the player can be paired in.")]
    left_after: Annotated[int | None, said(description="Last round before a withdrawal. Null: not withdrawn.")]
    board: Annotated[int | None, said(description="Fixed board, or null.")]
    seq: Annotated[
        int, said(description="Sequence number of the last event that entered, corrected or withdrew the player.")
    ]
    sex: Annotated[str | None, said(enum=["m", "f", None])] | UnsetType = UNSET
    birth_year: Annotated[int | None, said(description="Year of birth.")] | UnsetType = UNSET
    fide_id: str | UnsetType | None = UNSET
    national_id: Annotated[str | None, said(description="Number or licence that the federation gave.")] | UnsetType = (
        UNSET
    )
    public_history: (
        Annotated[
            bool, said(description="True if the player has consented that everyone sees the results across events.")
        ]
        | UnsetType
    ) = UNSET
    checked_in: Annotated[bool, said(description="True if the player has checked in.")] | UnsetType = UNSET


class EntriesAnswer(TournamentListAnswer):
    """A page of the entries, by player number."""

    entries: Annotated[Sequence[EntryAnswer], said(description="Entries by player number.")]


class VisibilityAnswer(Answer, kw_only=True):
    """The personal members of entries that everyone sees."""

    tournament: str
    public: Annotated[Sequence[PersonalMember], said(description="Members that everyone sees, in their order.")]
    hidden: Annotated[
        Sequence[PersonalMember], said(description="Members that only officials of the tournament and auditors see.")
    ]
    seq: Annotated[int | None, said(description="Event that set this. Null: nobody did, and the default applies.")]


class VenueNoticeAnswer(Answer, kw_only=True):
    """The notice that the screens of the venue show."""

    tournament: str
    text: Annotated[str | None, said(description="Text for everybody at the venue. Null: none, or erased.")]
    round_begins: Annotated[
        str | None, said(format="date-time", description="Time at which the next round begins (RFC 3339), or null.")
    ]
    seq: Annotated[int | None, said(description="Event that set this. Null: nobody did.")]


class OfficialAnswer(Answer, kw_only=True):
    """An official and the roles held now."""

    name: Annotated[str, said(description="Login name.")]
    roles: Annotated[Sequence[Role], said(description="Roles held now.")]
    boards: Annotated[Sequence[int], said(description="Boards that a device feeds. Empty: all.")]
    seq: Seq
    person: Annotated[str | None, said(description="Name of the official. Null if unknown or erased.")]


class OfficialsAnswer(TournamentListAnswer):
    """The officials, by login name."""

    officials: Annotated[Sequence[OfficialAnswer], said(description="Officials.")]


class TeamAnswer(Answer):
    """A team with its members in the order of their boards."""

    id: Annotated[int, said(description="Number of the team.")]
    name: Annotated[str | None, said(description="Null if the name was erased.")]
    members: Annotated[Sequence[int], said(description="Numbers of the players, in the order of their boards.")]
    seq: Seq


class TeamsAnswer(TournamentListAnswer):
    """The teams, by number."""

    teams: Annotated[Sequence[TeamAnswer], said(description="Teams.")]


class RequestedByeAnswer(Answer):
    """A requested bye of a player in a round."""

    player: int
    round: int
    kind: Annotated[ByeKind, said(description="`H`: half a point, `Z`: no point, `F`: a full point.")]
    seq: Seq


class ByesAnswer(TournamentListAnswer):
    """The requested byes, by round and player. Byes that a pairing allocates are in the round."""

    byes: Annotated[Sequence[RequestedByeAnswer], said(description="Requested byes.")]


class LotAnswer(Answer):
    """A lot: the winner of a drawn match, or the order of those who shared a place."""

    match: Annotated[int | None, said(description="Number of the match, or null for a shared place.")]
    order: Annotated[Sequence[int], said(description="Players or teams, the first one drawn first.")]
    seq: Seq


class LotsAnswer(TournamentListAnswer):
    """The lots drawn, in the order of their events."""

    lots: Annotated[Sequence[LotAnswer], said(description="Lots.")]


class ListedRoundAnswer(RoundAnswer):
    """A round whose pairing is in force."""

    seq: Seq


class RoundsAnswer(TournamentListAnswer):
    """The rounds whose pairings are in force, by round."""

    rounds: Annotated[Sequence[ListedRoundAnswer], said(description="Rounds.")]
