"""Connections to the server, which are reused while they are idle."""

from __future__ import annotations

import contextlib
import http.client
import io
import os
import platform
import select
import socket
import ssl
import threading
import time
import urllib.request
from base64 import b64encode
from typing import Any, Iterator, Optional
from urllib.parse import unquote, urlsplit

from .operations import VERSION

MAX_IDLE = 15.0
"""How long a connection may be idle, in seconds; Souk closes one after 20 seconds at the earliest."""
MAX_KEPT = 32
"""How many idle connections are kept."""
USER_AGENT = f"souk-python/{VERSION} ({platform.python_implementation()} {platform.python_version()})"


class _Reader(io.RawIOBase):
    """Reads from a socket until the deadline of its connection."""

    def __init__(self, connection: Connection, sock: socket.socket) -> None:
        self._connection = connection
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._connection.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Source:
    """What ``http.client`` reads a response from."""

    def __init__(self, connection: Connection, sock: socket.socket) -> None:
        self._reader = _Reader(connection, sock)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._reader)


class Canceled(Exception):
    """Ends the thread of a call that another thread has canceled, and whose result is not needed."""


class Cancellation:
    """Cancels a call from another thread."""

    def __init__(self) -> None:
        self._canceled = threading.Event()
        self._lock = threading.Lock()
        self._connection: Optional[Connection] = None

    def cancel(self) -> None:
        self._canceled.set()
        with self._lock:
            if self._connection is not None:
                self._connection.abort()

    def check(self) -> None:
        if self._canceled.is_set():
            raise Canceled

    def sleep(self, seconds: float) -> None:
        self._canceled.wait(seconds)
        self.check()

    @contextlib.contextmanager
    def uses(self, connection: Connection) -> Iterator[None]:
        """Ends the request of a connection that is made in the block when the call is canceled."""
        connection.cancellation = self
        with self._lock:
            self._connection = connection
        try:
            yield
        finally:
            # Before another call takes the connection.
            with self._lock:
                self._connection = None


class Connection:
    """A connection, and the request that is made with it."""

    def __init__(self, http_connection: http.client.HTTPConnection, proxy_headers: dict[str, str]) -> None:
        self._http = http_connection
        self._http.response_class = self._response  # type: ignore[assignment]
        self._proxy_headers = proxy_headers
        self._deadline = 0.0
        self.idle_since = 0.0
        self.cancellation = Cancellation()

    def wait_for(self, seconds: float) -> None:
        """Sets the time that the server may take from now."""
        self._deadline = time.monotonic() + seconds

    def left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left

    def send(self, request: urllib.request.Request, target: str) -> http.client.HTTPResponse:
        """Sends a request, and returns the response when its headers have arrived."""
        self._http.timeout = self.left()
        if self._http.sock is None:
            self._http.connect()
        self.cancellation.check()
        self._http.sock.settimeout(self.left())
        headers = {"User-Agent": USER_AGENT, **dict(request.header_items()), **self._proxy_headers}
        self._http.request(request.get_method(), target, body=request.data, headers=headers)
        return self._http.getresponse()

    def close(self) -> None:
        self._http.close()

    def abort(self) -> None:
        """Ends the request, from another thread."""
        sock = self._http.sock
        if sock is not None:
            with contextlib.suppress(OSError):  # The server may have closed it.
                sock.shutdown(socket.SHUT_RDWR)

    def is_usable(self) -> bool:
        """Whether the server has kept the connection open, and sent nothing that nobody asked for."""
        sock = self._http.sock
        if sock is None or time.monotonic() - self.idle_since > MAX_IDLE:
            return False
        if not hasattr(select, "poll"):
            return select.select([sock], [], [], 0)[0] == []
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return poll.poll(0) == []

    def _response(self, sock: socket.socket, *arguments: Any, **options: Any) -> http.client.HTTPResponse:
        return http.client.HTTPResponse(_Source(self, sock), *arguments, **options)  # type: ignore[arg-type]


class Connections:
    """The connections of a client to its server, or to a proxy. Threads may share them.

    :param ssl_context: Certificates that are trusted, and that of the client; None for those of the system.
    :param proxy: URL of a proxy, empty for none; None for that of the environment.
    """

    def __init__(
        self, base_url: str, ssl_context: Optional[ssl.SSLContext] = None, proxy: Optional[str] = None
    ) -> None:
        self._url = urlsplit(base_url)
        self._ssl_context = ssl_context
        self._own_proxy = proxy
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._process = os.getpid()

    def take(self) -> Connection:
        """Returns a connection for one request."""
        while True:
            with self._lock:
                # A forked process must not write to the connections of its parent.
                if self._process != os.getpid():
                    self._process, self._idle = os.getpid(), []
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._open()
            if connection.is_usable():
                return connection
            connection.close()

    def give_back(self, connection: Connection, response: http.client.HTTPResponse) -> None:
        """Keeps a connection whose response has been read to its end."""
        connection.idle_since = time.monotonic()
        with self._lock:
            if not response.will_close and len(self._idle) < MAX_KEPT and self._process == os.getpid():
                self._idle.append(connection)
                return
        connection.close()

    def __del__(self) -> None:
        for connection in self._idle:
            connection.close()

    def send(self, connection: Connection, request: urllib.request.Request) -> http.client.HTTPResponse:
        return connection.send(request, request.full_url if self._is_forwarded() else request.selector)

    def _proxy(self) -> Optional[str]:
        if self._own_proxy is not None:
            return self._own_proxy or None
        host = self._url.hostname or ""
        return None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(self._url.scheme.lower())

    def _is_forwarded(self) -> bool:
        return self._url.scheme.lower() == "http" and self._proxy() is not None

    def _open(self) -> Connection:
        host, port = self._url.hostname or "", self._url.port
        is_secure = self._url.scheme.lower() == "https"
        address = self._proxy()
        if address is None:
            return Connection(self._new(host, port), {})
        proxy = urlsplit(address if "//" in address else f"http://{address}")
        headers = {}
        if proxy.username is not None:
            credentials = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
            headers["Proxy-Authorization"] = "Basic " + b64encode(credentials.encode()).decode()
        connection = self._new(proxy.hostname or "", proxy.port)
        if not is_secure:
            return Connection(connection, headers)
        connection.set_tunnel(host, port, headers)
        return Connection(connection, {})

    def _new(self, host: str, port: Optional[int]) -> http.client.HTTPConnection:
        if self._url.scheme.lower() == "https":
            return http.client.HTTPSConnection(host, port, context=self._ssl_context)
        return http.client.HTTPConnection(host, port)
