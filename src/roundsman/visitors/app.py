"""The visitors' door put together: attachments behind stable addresses, ratings behind links."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

import msgspec
from starlette.responses import Response

from roundsman.domain.customer_rating import RatingDraft
from roundsman.domain.errors import InvalidArgument, NotFound, ResourceExhausted
from roundsman.doors.bodies import require_json
from roundsman.doors.door import Arrival, Door, Endpoint
from roundsman.doors.rate_limiting import micros
from roundsman.doors.responses import JsonResponse
from roundsman.doors.transport import Transport
from roundsman.kit.leaky_bucket import Buckets, Rate
from roundsman.operations import attachments, ratings
from roundsman.operations.work import Tools
from roundsman.wire.reading import read_body

PREFIXES = ("/attachments", "/files", "/ratings")
VISITOR_RATE = Rate(capacity=240, interval_micros=50_000)
"""20 requests a second for each address, bursts of 240: a page of photos is many at once."""

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
            verdict = self.buckets.take(f"visitor:{arrival.address}", now, VISITOR_RATE)
            if not verdict.is_allowed:
                raise ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)
            return handle(arrival)

        return run

    def open_attachment(self, arrival: Arrival) -> Response:
        """Lead from the stable address to a link that soon expires."""
        link = attachments.make_link(self.tools, arrival.parameters["token"])
        headers = {"Location": link, "Referrer-Policy": "no-referrer"}
        return Response(b"", 307, headers=headers)

    def show_file(self, arrival: Arrival) -> Response:
        """Show the picture that a link names."""
        asked = parse_qs(arrival.query)
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

    def show_rating(self, arrival: Arrival) -> Response:
        """Say what has been rated, if anything."""
        stop = ratings.find_rated_stop(self.tools, arrival.parameters["token"])
        shown = {"done": stop.is_done(), "customerRating": stop.customer_rating}
        return _answer({name: value for name, value in shown.items() if value is not msgspec.UNSET})

    def rate(self, arrival: Arrival) -> Response:
        """Keep a rating."""
        require_json(arrival.headers)
        if not arrival.body.strip():
            raise InvalidArgument("body is missing; send JSON")
        draft = read_body(arrival.body, RatingDraft)
        kept = ratings.rate_stop(self.tools, arrival.parameters["token"], draft)
        return _answer({"customerRating": kept})


def _answer(body: object) -> Response:
    return JsonResponse(msgspec.json.encode(body))


def open_visitors_door(tools: Tools, buckets: Buckets, transport: Transport) -> Door:
    """Return the visitors' door on these tools."""
    visits = _Visits(tools=tools, buckets=buckets)
    endpoints = tuple(
        Endpoint(
            id=id_,
            method=method,
            path=path,
            handle=visits.limited(handle),
            most_body_bytes=64 * 1024,
        )
        for id_, method, path, handle in (
            ("openAttachment", "GET", "/attachments/{token}", visits.open_attachment),
            ("showFile", "GET", "/files/{attachmentId}", visits.show_file),
            ("showRating", "GET", "/ratings/{token}", visits.show_rating),
            ("rateStop", "POST", "/ratings/{token}", visits.rate),
        )
    )
    return Door(endpoints=endpoints, transport=transport, ids=tools.ids)
