"""Exports that break off."""

import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from souk import SoukConnectionError, SoukPlatform


class Truncating(BaseHTTPRequestHandler):
    """Announces ten bytes, and sends five."""

    def do_GET(self) -> None:
        self.send_response(503 if "busy" in self.path else 200)
        self.send_header("Content-Length", "10")
        self.end_headers()
        self.wfile.write(b"a\r\nb\r")

    def log_message(self, *_: object) -> None:
        pass


class Exports(unittest.TestCase):
    def setUp(self) -> None:
        server = HTTPServer(("127.0.0.1", 0), Truncating)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}"
        self.platform = SoukPlatform(url, api_key="key", max_retries=0)

    def test_an_incomplete_export_is_an_error(self) -> None:
        with self.assertRaises(SoukConnectionError):
            list(self.platform.export_records(dataset_id="orders"))

    def test_an_incomplete_refusal_is_an_error_of_the_connection(self) -> None:
        with self.assertRaises(SoukConnectionError):
            self.platform.export_records(dataset_id="busy")


if __name__ == "__main__":
    unittest.main()
