"""The app for a WSGI server, made when the worker loads it, after the fork: all four services, or the one
that ``ARBITER_SERVICE`` names."""

from deploy.server.settings import settings
from shared import structured_log as logs

logs.configure()
_chosen = settings()
if _chosen.apart is None:
    from deploy.server.embedded import make_app

    app = make_app(_chosen.data, _chosen.limits)
else:
    from deploy.server import distributed as apart

    app = apart.make_app(_chosen)
