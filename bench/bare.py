"""A bare handler of the same framework under the same server: it returns fixed bytes, nothing else.

python -m bench.bare FILE
"""

import sys
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from roundsman.cli.server import open_listener, reach, serve_app


def main() -> None:
    """Serve the file's bytes under every path."""
    body = Path(sys.argv[1]).read_bytes()

    async def answer(_request: Request) -> Response:
        return Response(body, media_type="application/json")

    app = Starlette(routes=[Route("/{path:path}", answer)])
    listener = open_listener("127.0.0.1", 0)
    serve_app(app, listener, lambda: print(f"bare on {reach(listener).here}", flush=True))


if __name__ == "__main__":
    main()
