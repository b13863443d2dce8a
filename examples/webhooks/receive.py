"""Receive webhooks and verify them, with nothing but Python's standard library.

WEBHOOK_SECRET=… python receive.py 9000
"""

import base64
import hashlib
import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"])
seen: set[str] = set()  # a real receiver keeps this in its database, for some days


def is_from_roundsman(body: bytes, signature: str) -> bool:
    """Compare the signature with ours, in constant time, over the bytes as they came."""
    ours = base64.b64encode(hmac.new(KEY, body, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(ours.encode(), signature.encode("latin-1"))


class Receiver(BaseHTTPRequestHandler):
    """Answers 204 at once; work that takes longer belongs in a queue."""

    def do_POST(self) -> None:
        """Take one event."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if not is_from_roundsman(body, self.headers.get("X-Service-Hmac-Sha256", "")):
            self.send_error(401)
            return
        event = json.loads(body)
        if event["eventId"] not in seen:  # the same event may come twice
            seen.add(event["eventId"])
            print(event["eventTimestamp"], event["topic"], event.get("objectId", ""), flush=True)
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver) as server:
        print(f"listening on port {server.server_port}", flush=True)
        server.serve_forever()
