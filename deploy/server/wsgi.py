"""The app for a WSGI server: all four services, or the service in ``ARBITER_SERVICE``.

It is made when a gunicorn worker imports this module, after the fork. If a setting, key or database is unusable, the reason is
logged in one line and gunicorn ends.
"""

import sys

from flask import Flask
from gunicorn.arbiter import Arbiter as Gunicorn

from deploy.server.settings import BadSetting, Settings, settings
from shared import structured_log
from shared.audit.keys.key_files import BadKeys
from shared.http.reads.child_answers import answer_by_child
from shared.log.port import BadDatabase, LogUnavailable
from shared.regulations.typed_toml import TomlError


def _app(chosen: Settings) -> Flask:
    if chosen.distributed is None:
        from deploy.server.embedded import make_served_app
        from shared.regulations import load_all

        load_all()
        return make_served_app(chosen.data, chosen.limits)
    from deploy.server import distributed

    app = distributed.make_app(chosen)
    answer_by_child(app, distributed.make_reading_app)
    return app


structured_log.configure()
try:
    app = _app(settings())
except (BadDatabase, BadKeys, BadSetting, LogUnavailable, TomlError) as problem:
    structured_log.logger().error("not-started", why=str(problem))
    sys.exit(Gunicorn.WORKER_BOOT_ERROR)
