"""What a caller would rather have (RFC 7240), of which one is known: a command's answer with its body or without."""

from flask import Request, Response
from werkzeug.http import parse_list_header

MINIMAL = "return=minimal"
REPRESENTATION = "return=representation"


def applied(request: Request, response: Response) -> Response:
    """A command's answer as ``Prefer`` has it: ``return=minimal`` leaves the body out (204), its header fields stay.

    Of several wishes the first counts; what is not known is passed over (RFC 7240 2).
    """
    wish = _return(request)
    if wish == MINIMAL:
        response.set_data(b"")
        response.status_code = 204
        del response.headers["Content-Type"]
    if wish is not None:
        response.headers["Preference-Applied"] = wish
    return response


def _return(request: Request) -> str | None:
    for header in request.headers.getlist("Prefer"):
        for preference in parse_list_header(header):
            name, _, value = preference.partition(";")[0].partition("=")
            if name.strip().lower() == "return":
                wish = "return=" + value.strip().strip('"').lower()
                return wish if wish in (MINIMAL, REPRESENTATION) else None
    return None
