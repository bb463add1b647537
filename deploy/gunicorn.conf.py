"""gunicorn's settings: `gunicorn -c deploy/gunicorn.conf.py deploy.server.wsgi:app`, embedded or one service."""

import sys

from deploy.server.gunicorn_app import JSON_LOG, OPTIONS
from deploy.server.settings import BadSetting, settings

globals().update(OPTIONS)
try:
    _chosen = settings()
except BadSetting as fault:
    sys.exit(f"arbiter: {fault}")
bind = [f"{_chosen.host}:{_chosen.port}"]
workers = 1 if _chosen.distributed is None else _chosen.distributed.workers
logconfig_dict = JSON_LOG
