"""The visitors' door: attachments behind stable addresses, ratings behind links, and the way in."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.responses import Response

from roundsman.domain.errors import NotFound, ResourceExhausted, RoundsmanError
from roundsman.doors.door import Arrival, Door, Endpoint
from roundsman.doors.pages import prefers_page
from roundsman.doors.rate_limiting import micros
from roundsman.doors.transport import Transport
from roundsman.kit.leaky_bucket import Buckets, Rate
from roundsman.kit.peers import counted_as
from roundsman.operations import attachments
from roundsman.operations.work import Tools
from roundsman.visitors import rating
from roundsman.visitors.start_pages import HELP_PATH, WaysIn

PREFIXES = ("/", "/attachments", "/files", HELP_PATH, "/ratings")
VISITOR_RATE = Rate(capacity=240, interval_micros=50_000)
"""20 requests a second for each address, bursts of 240: a page of photos is many at once."""

_MOST_ARGUMENTS = 10
_FILE_HEADERS = {
    "Cache-Control": "private, max-age=60",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Visits:
    """What visitors may do."""

    tools: Tools
    buckets: Buckets

    def limited(self, handle: Callable[[Arrival], Response]) -> Callable[[Arrival], Response]:
        """Let an address in so often."""

        def run(arrival: Arrival) -> Response:
            now = micros(self.tools.clock.now())
            verdict = self.buckets.take(f"visitor:{counted_as(arrival.address)}", now, VISITOR_RATE)
            if not verdict.is_allowed:
                raise ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)
            return handle(arrival)

        return run

    def asked(self, handle: Callable[[Tools, Arrival], Response]) -> Callable[[Arrival], Response]:
        """Answer a browser with pages, also of what goes wrong, and a script with JSON."""
        run = self.limited(lambda arrival: handle(self.tools, arrival))

        def answer(arrival: Arrival) -> Response:
            try:
                response = run(arrival)
            except RoundsmanError as error:
                if not prefers_page(arrival.headers.get("accept", "")):
                    raise
                response = rating.show_error_page(error)
            response.headers["Vary"] = "Accept"
            return response

        return answer

    def open_attachment(self, arrival: Arrival) -> Response:
        """Lead from the stable address to a link that soon expires."""
        link = attachments.make_link(self.tools, arrival.parameters["token"])
        headers = {"Location": link, "Referrer-Policy": "no-referrer"}
        return Response(b"", 307, headers=headers)

    def show_file(self, arrival: Arrival) -> Response:
        """Show the picture that a link names."""
        try:
            asked = parse_qs(arrival.query, max_num_fields=_MOST_ARGUMENTS)
        except ValueError:
            asked = {}
        expires, signature = (asked.get(name, [""])[0] for name in ("expires", "signature"))
        if not (expires.isascii() and expires.isdigit() and len(expires) <= 12):
            raise NotFound("link has expired")
        id_ = arrival.parameters["attachmentId"]
        picture = attachments.follow_link(self.tools, id_, expires, signature)
        ending = picture.media_type.removeprefix("image/").replace("jpeg", "jpg")
        disposition = f'inline; filename="{id_}.{ending}"'
        return Response(
            picture.data,
            media_type=picture.media_type,
            headers={**_FILE_HEADERS, "Content-Disposition": disposition},
        )


def open_visitors_door(
    tools: Tools, buckets: Buckets, transport: Transport, *, ways_in: WaysIn
) -> Door:
    """Return the visitors' door on these tools; `/` leads to `ways_in`."""
    visits = _Visits(tools=tools, buckets=buckets)
    endpoints = tuple(
        Endpoint(
            id=id_,
            method=method,
            path=path,
            handle=handle,
        )
        for id_, method, path, handle in (
            ("showStart", "GET", "/", ways_in.show_start),
            ("showFirstSteps", "GET", HELP_PATH, ways_in.show_first_steps),
            (
                "openAttachment",
                "GET",
                "/attachments/{token}",
                visits.limited(visits.open_attachment),
            ),
            ("showFile", "GET", "/files/{attachmentId}", visits.limited(visits.show_file)),
            ("showRating", "GET", "/ratings/{token}", visits.asked(rating.show_rating)),
            ("rateStop", "POST", "/ratings/{token}", visits.asked(rating.rate)),
        )
    )
    return Door(endpoints=endpoints, transport=transport, ids=tools.ids)
