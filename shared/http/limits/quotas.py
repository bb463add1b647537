"""What is taken of callers' allowances while a request is answered, and what each answer says of it: the fields ``RateLimit``
and ``RateLimit-Policy`` (draft-ietf-httpapi-ratelimit-headers-10)."""

from math import ceil

from flask import Response, g

from shared.core.language.messages import Message
from shared.http.limits.rate_limits import Buckets, Quota
from shared.http.problems import retry_after, too_many

POLICY, LEFT = "RateLimit-Policy", "RateLimit"


def take(buckets: Buckets, caller: str, cost: float, refusal: Message) -> None:
    """Take what this request costs, and keep what is left for its answer. Raises `Problem` 429 where there is less."""
    quota = buckets.take(caller, cost)
    if not buckets.limited:
        return
    if "quotas" not in g:
        g.quotas = {}
    g.quotas[buckets] = quota
    if quota.wait:
        raise too_many(refusal, quota.wait)


def tell(response: Response) -> None:
    """Say on an answer by which policies it was limited and what is left: nothing at an address that has no limit.

    ``q`` is the size of the bucket and ``w`` the seconds in which it fills; ``r`` is what is left, whole, and ``t`` when all of
    it is there again: of a refusal, when what was refused is, as its ``Retry-After`` says.
    """
    quotas: dict[Buckets, Quota] = g.get("quotas", {})
    if quotas:
        response.headers[POLICY] = ", ".join(f'"{of.name}";q={of.burst};w={of.window}' for of in quotas)
        response.headers[LEFT] = ", ".join(
            f'"{of.name}";r={int(left.left)};t={_reset(left)}' for of, left in quotas.items()
        )


def _reset(quota: Quota) -> int:
    return retry_after(quota.wait) if quota.wait else ceil(quota.full)
