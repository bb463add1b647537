"""Pages, styles, scripts and drawings are sent compressed, where the reader takes that.

JSON is not: its strong ETags name its bytes, and go back as ``If-Match``. What is ``no-store`` bears a secret, and stays as it
is: beside a text that another chose, its length would tell of it (BREACH).
"""

from flask import Flask, Response, current_app
from flask_compress import Compress

_NAME = "compress"
MEDIA = ("text/html", "text/css", "text/javascript", "image/svg+xml")
_LEAST_BYTES = 1000  # a shorter answer fits into one packet as it is


def configure(app: Flask) -> None:
    """Set the compression up; `compressed` is called where an answer is ready."""
    app.config.update(
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_MIMETYPES=list(MEDIA),
        COMPRESS_MIN_SIZE=_LEAST_BYTES,
        COMPRESS_REGISTER=False,
        COMPRESS_STREAMS=False,
    )
    app.extensions[_NAME] = Compress(app)


def compressed(response: Response) -> Response:
    """Return a response of one of `MEDIA`, compressed if its reader accepts that and it contains no secret."""
    if response.cache_control.no_store:
        return response
    compress: Compress = current_app.extensions[_NAME]
    return compress.after_request(response)
