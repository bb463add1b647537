"""What standings answers of audits and of the integrity list."""

from marshmallow import fields, validate

from shared.core.terms import ROLES
from shared.http.openapi.answers import FACT_VALUES, OPTIONAL, Answer, Described, OutdatedBasisAnswer


class FindingAnswer(Answer):
    """What does not follow, in the lines ``from`` to ``to``."""

    line = fields.Integer()
    from_ = fields.Integer(data_key="from")
    to = fields.Integer()
    kind = fields.String()
    why = fields.String()


class CrossingAnswer(Answer):
    """A command right on what its service saw, that the whole log before it would have decided otherwise."""

    seq = fields.Integer()
    why = fields.String()
    noted = fields.Boolean()


class UnsettledAnswer(Answer):
    """A pairing or table that event ``seq`` contradicts, and that is not settled; `GET …/integrity` has more of it."""

    seq = fields.Integer()
    why = fields.String()


class AuditAnswer(Answer):
    """``incomplete`` and ``remarks``: what was left open, and what is told, each with how often."""

    tournament = fields.String()
    verdict = fields.String(validate=validate.OneOf(("agrees", "differs", "incomplete")))
    size = fields.Integer()
    root = fields.String()
    offices = fields.Integer()
    decisions = fields.Integer()
    checked = fields.Integer()
    differ = fields.Integer()
    unchecked = fields.Integer()
    unchecked_why = fields.Dict(keys=fields.String(), values=fields.Integer())
    uncovered = fields.Integer()
    between = fields.List(fields.Integer(), allow_none=True)
    findings = fields.Integer()
    crossings = fields.List(fields.Nested(CrossingAnswer))
    outdated = fields.List(fields.Nested(UnsettledAnswer))
    first = fields.Nested(FindingAnswer, allow_none=True)
    found = fields.List(fields.Nested(FindingAnswer))
    incomplete = fields.Dict(keys=fields.String(), values=fields.Integer())
    remarks = fields.Dict(keys=fields.String(), values=fields.Integer())


class ListedAnswer(Answer):
    """An entry of the integrity list, by its line."""

    seq = fields.Integer()


class ChangedRegulationsAnswer(ListedAnswer):
    """Regulations changed after play began: the ``values`` that are others now; ``reason``: the hash of its text."""

    actor = fields.String()
    role = fields.String(validate=validate.OneOf((*ROLES, "rulebook")))
    reason = fields.String(allow_none=True)
    values = fields.List(fields.String())


class OverrideAnswer(ListedAnswer):
    """Absolute rules that a pairing set aside."""

    round = fields.Integer()
    actor = fields.String()
    rules = fields.List(fields.String())
    reason = fields.String(allow_none=True)


class SharedPlaceAnswer(ListedAnswer):
    """A place that may not be shared, and is: by these players or teams."""

    rank = fields.Integer()
    players = fields.List(fields.Integer(), metadata=OPTIONAL)
    teams = fields.List(fields.Integer(), metadata=OPTIONAL)


class OrphanAnswer(ListedAnswer):
    game = fields.String()


class BeneathAnswer(ListedAnswer):
    game = fields.String()
    ruling = fields.String()


class LateCorrectionAnswer(ListedAnswer):
    """An arrival or a break corrected, ``by`` another, after a later round was paired."""

    game = fields.String()
    corrects = fields.String()
    by = fields.String()


class WaitingClaimAnswer(ListedAnswer):
    claim = fields.String()
    game = fields.String()


class OpenFindingAnswer(ListedAnswer):
    finding = fields.String()
    game = fields.String()


class ContradictedAnswer(ListedAnswer):
    """A ruling that a score sheet contradicts, with the ``facts`` that it shows."""

    ruling = fields.String()
    game = fields.String()
    article = fields.String(allow_none=True)
    facts = Described(FACT_VALUES)


class LostTextAnswer(ListedAnswer):
    """A text, by its hash, that a line names and that is neither held nor erased; where a ``line`` of the score sheet of
    ``game`` names it, ``seq`` began the game."""

    text = fields.String()
    game = fields.String(metadata=OPTIONAL)
    line = fields.Integer(metadata=OPTIONAL)


class IntegrityAnswer(Answer):
    """Each entry names the line (``seq``) that it is about."""

    tournament = fields.String()
    seq = fields.Integer()
    crossings = fields.List(fields.Nested(CrossingAnswer))
    regulations = fields.List(fields.Nested(ChangedRegulationsAnswer))
    overrides = fields.List(fields.Nested(OverrideAnswer))
    shared = fields.List(fields.Nested(SharedPlaceAnswer))
    orphans = fields.List(fields.Nested(OrphanAnswer))
    beneath = fields.List(fields.Nested(BeneathAnswer))
    arrivals = fields.List(fields.Nested(LateCorrectionAnswer))
    claims = fields.List(fields.Nested(WaitingClaimAnswer))
    findings = fields.List(fields.Nested(OpenFindingAnswer))
    contradicted = fields.List(fields.Nested(ContradictedAnswer))
    texts = fields.List(fields.Nested(LostTextAnswer))
    outdated = fields.List(fields.Nested(OutdatedBasisAnswer))
