"""The embedded app for a WSGI server: made when the worker loads it, after the fork."""

from deploy.embedded import make_app
from deploy.settings import settings
from shared.http import logs

logs.configure()
_chosen = settings()
app = make_app(_chosen.data, _chosen.limits)
