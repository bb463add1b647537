"""gunicorn's settings for one embedded process: `gunicorn -c deploy/gunicorn.conf.py deploy.wsgi:app`."""

from deploy.server import OPTIONS
from deploy.settings import settings

globals().update(OPTIONS)
_chosen = settings()
bind = [f"{_chosen.host}:{_chosen.port}"]
