"""Sends requests, and repeats them where that is safe."""

from __future__ import annotations

import contextlib
import errno
import http.client
import json
import random
import re
import socket
import time
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Iterator, NoReturn, Optional, TypeVar

from .connections import Canceled, Cancellation, Connections
from .errors import SoukApiError, SoukConnectionError
from .operations import RETRIED_CONFLICTS
from .redaction import Redaction, shown_url
from .wire import Operation

Result = TypeVar("Result")

TIMEOUTS = (TimeoutError, socket.timeout)  # Two classes before Python 3.10.

LONGEST_RETRY_AFTER = 30.0
"""The longest ``Retry-After`` to wait for, in seconds. A longer one is left to the caller."""
LONGEST_QUOTABLE = 10_000
"""Bytes of a response that are searched for secrets before its start is quoted."""
NOT_SENT = (errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH)


ADVICE = {
    "sign_mismatch": "Check that the secret belongs to this appid at this server, and that it was not rotated.",
    "appid_invalid": "Check that the mini app exists and is enabled at this server.",
    "timestamp_out_of_window": "Synchronize the clock of this machine with NTP; 5 minutes of difference are allowed.",
    "code_used": "Exchange each code once, and request a new code on the page with neu.login().",
    "code_expired": "A code is valid for 5 minutes: exchange it at once.",
    "access_token_invalid": "Exchange a new code instead of retrying.",
    "open_id_unknown": "An openId is valid under one appid only: use the one that user_info returned.",
    "recipients_unknown": "An openId is valid under one appid only: use those that user_info returned.",
    "api_key_invalid": "An account has one key, which becomes invalid when it is refreshed.",
}
"""What a developer can do about an error, where the server's message does not say it."""


def require_text(name: str, value: Any) -> str:
    """Returns a setting. Raises ValueError if it is missing or has white space around it."""
    if not isinstance(value, str) or value == "":
        raise ValueError(f"{name} is missing or empty; check the setting that it is read from")
    if value != value.strip():
        raise ValueError(f"{name} has surrounding white space or a line break; trim it where it is read")
    return value


def require_header(name: str, value: Any) -> str:
    """Returns a setting that is sent in a header. The library's own error would contain it. Raises ValueError."""
    if not re.fullmatch("[!-~]+", require_text(name, value)):
        raise ValueError(f"{name} contains a character that cannot be sent in a header")
    return value


def require_base_url(value: Any, prefix: str) -> str:
    """Returns the URL before ``prefix``, without a slash at its end. Raises ValueError."""
    url = require_text("base_url", value)
    if re.match(r"(?i)https?://[^/?#]*@", url):  # It would be taken for a part of the host, and shown in an error.
        raise ValueError("base_url contains a user name or a password, which Souk does not use")
    is_valid = re.fullmatch(r"(?i)https?://(\[[^]]+\]|[^/?#:]+)(:\d+)?(/[^?#]*)?", url)
    if not is_valid or prefix in url:
        raise ValueError(
            f"base_url must be the http or https URL before {prefix}, such as http://localhost:7070, not {shown_url(url)}"
        )
    return url.rstrip("/")


def is_temporary(error: Exception) -> bool:
    """Returns whether an error is temporary. A conflict without a code comes from a proxy."""
    if isinstance(error, SoukConnectionError):
        return True
    if not isinstance(error, SoukApiError):
        return False
    is_retried_conflict = error.status == 409 and (error.code is None or error.code in RETRIED_CONFLICTS)
    return is_overload(error.status) or is_retried_conflict


def is_overload(status: int) -> bool:
    """Returns whether a status says that a server, or a proxy in front of it, cannot respond now."""
    return status == 429 or status >= 500


def may_retry(error: Exception, rule: str) -> bool:
    if rule != "ifNotExecuted":
        return is_temporary(error)
    if isinstance(error, SoukConnectionError):
        return error.not_sent
    return isinstance(error, SoukApiError) and error.status == 429


def retry_delay(attempt: int, error: Exception) -> Optional[float]:
    """Returns the delay before the next attempt in seconds; None if the server asks for too long a one."""
    asked = getattr(error, "retry_after", None) or 0.0
    if asked > LONGEST_RETRY_AFTER:
        return None
    backoff = min(0.25 * 2**attempt, 8.0)
    return max(asked, backoff * (0.5 + random.random() / 2))


def repeat(
    operation: Operation,
    max_retries: int,
    attempt_once: Callable[[], Result],
    *,
    cancellation: Cancellation,
    lifetime: float = float("inf"),
) -> Result:
    """Calls ``attempt_once``, and again after failures that the operation's rule allows to repeat.

    :param lifetime: How long the same signed request may be repeated, in seconds.
    """
    started = time.monotonic()
    attempt = 1
    while True:
        try:
            return attempt_once()
        except (SoukApiError, SoukConnectionError) as error:
            if attempt > max_retries or not may_retry(error, operation.retry):
                raise
            delay = retry_delay(attempt, error)
            if delay is None:
                raise
            if operation.retry == "sameSignature" and time.monotonic() + delay - started > lifetime:
                raise
        cancellation.sleep(delay)
        attempt += 1


def exchange(
    operation: Operation,
    connections: Connections,
    request: urllib.request.Request,
    *,
    timeout: float,
    lost: str,
    redaction: Redaction,
    cancellation: Cancellation,
) -> tuple[int, Any, bytes]:
    """Makes one attempt within the timeout, and returns status, headers and body of the response. ``lost`` says what
    to do without one."""
    cancellation.check()
    connection = connections.take()
    connection.wait_for(timeout)
    try:
        with cancellation.uses(connection):
            response = connections.send(connection, request)
            body = response.read()
        connections.give_back(connection, response)
        return response.status, response.headers, body
    except Canceled:
        connection.close()
        raise
    except (OSError, http.client.HTTPException) as error:
        failure = error
    connection.close()
    cancellation.check()
    # Not in the clause, so that the error has no other context than its redacted cause.
    failed = connection_error(operation, failure, request.full_url, timeout, lost, redaction)
    raise failed from redaction.cause(failure)


class Download:
    """A response whose body is read as it arrives."""

    def __init__(
        self,
        operation: Operation,
        connections: Connections,
        request: urllib.request.Request,
        *,
        timeout: float,
        redaction: Redaction,
        cancellation: Cancellation,
    ) -> None:
        """Sends the request. ``timeout`` is how long the server may be silent."""
        cancellation.check()
        self._operation = operation
        self._connections = connections
        self._timeout = timeout
        self._redaction = redaction
        self._cancellation = cancellation
        self._connection = connections.take()
        self._connection.wait_for(timeout)
        self._use = contextlib.ExitStack()
        self._use.enter_context(cancellation.uses(self._connection))
        try:
            self._response = connections.send(self._connection, request)
            self.status, self.headers = self._response.status, self._response.headers
            return
        except Canceled:
            self._close()
            raise
        except (OSError, http.client.HTTPException) as error:
            failure = error
        self._close()
        cancellation.check()
        failed = connection_error(operation, failure, request.full_url, timeout, "", redaction)
        raise failed from redaction.cause(failure)

    def chunks(self) -> Iterator[bytes]:
        """Yields the body. Raises SoukConnectionError if it breaks off."""
        is_complete = False
        try:
            while True:
                self._connection.wait_for(self._timeout)
                chunk = self._response.read1(64 * 1024)
                if not chunk:
                    break
                yield chunk
            if self._response.length:  # Only read() notices that bytes of Content-Length are missing.
                raise http.client.IncompleteRead(b"", self._response.length)
            is_complete = True
            self._response.close()  # read1() leaves it open at the end of Content-Length before Python 3.12.
            self._use.close()
            self._connections.give_back(self._connection, self._response)
            return
        except (OSError, http.client.HTTPException) as error:
            failure = error
        finally:
            if not is_complete:
                self._response.close()
                self._close()
        self._cancellation.check()
        silence = f"the server was silent for {self._timeout:g} s"
        reason = silence if isinstance(failure, TIMEOUTS) else f"the export ended early: {failure}"
        reason = self._redaction.text(reason)
        raise SoukConnectionError(self._operation.name, reason, not_sent=False) from self._redaction.cause(failure)

    def _close(self) -> None:
        self._use.close()
        self._connection.close()


def refuse(
    operation: Operation,
    url: str,
    status: int,
    headers: Any,
    body: bytes,
    answer: Any,
    message: str,
    redaction: Redaction,
) -> NoReturn:
    """Raises SoukApiError for an error response, whose text is the property ``message`` of ``answer``."""
    address = url.partition("?")[0]
    advice = f"Check base_url: the request went to {address}."
    if is_overload(status):
        advice = "A proxy in front of Souk limits requests or cannot reach it: retry later."
    found = redaction.data(answer) if _is_error(answer, message) else {}
    raise SoukApiError(
        operation.name,
        status=found.get("status", status),
        code=found.get("code"),
        msg=found.get(message) or foreign_response(status, headers, body, redaction),
        request_id=redaction.data(headers.get("X-Request-Id")),
        data=found.get("data"),
        retry_after=retry_after_of(headers),
        advice=ADVICE.get(found.get("code", "")) if found else advice,
    )


def _is_error(answer: Any, message: str) -> bool:
    """Whether JSON is an error of Souk. A proxy may answer with JSON of its own."""
    if not isinstance(answer, dict):
        return False
    is_known = isinstance(answer.get("status"), int) and isinstance(answer.get("code", ""), str)
    return is_known and isinstance(answer.get(message), str)


def connection_error(
    operation: Operation, error: Exception, url: str, timeout: float, lost: str, redaction: Redaction
) -> SoukConnectionError:
    server = server_of(url)
    if isinstance(error, TIMEOUTS):
        return SoukConnectionError(
            operation.name, f"none within {timeout:g} s from {server}. {lost}".rstrip(), not_sent=False
        )
    not_sent = isinstance(error, socket.gaierror) or getattr(error, "errno", None) in NOT_SENT
    hint = f"Check that Souk is running and that base_url is correct: {server}." if not_sent else lost
    reason = f"{redaction.text(str(error))}. {hint}".rstrip()
    return SoukConnectionError(operation.name, reason, not_sent=not_sent)


def server_of(url: str) -> str:
    return "/".join(url.split("/")[:3])


def retry_after_of(headers: Any) -> Optional[float]:
    """Returns ``Retry-After`` in seconds from now. A date is one of the server's clock, which ``Date`` has."""
    header = headers.get("Retry-After", "")
    if re.fullmatch(r"\d{1,9}", header):
        return float(header)
    until = _time_of(header)
    if until is None:
        return None
    sent = _time_of(headers.get("Date", ""))
    return max(0.0, until - (time.time() if sent is None else sent))


def _time_of(header: str) -> Optional[float]:
    try:
        return parsedate_to_datetime(header).timestamp()
    except (TypeError, ValueError):  # TypeError before Python 3.10.
        return None


def json_of(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):  # The second one is for thousands of nested arrays.
        return None


def foreign_response(status: int, headers: Any, body: bytes, redaction: Redaction) -> str:
    """Describes a response that does not come from Souk."""
    if 300 <= status < 400:
        location = headers.get("Location")
        target = "another URL" if location is None else redaction.text(shown_url(location))
        return f"The server redirects to {target}; requests do not follow redirects."
    # Redacted before it is cut, or the start of a secret would remain.
    start = redaction.text(body.strip()[:LONGEST_QUOTABLE].decode("utf-8", "replace"))[:80]
    kind = redaction.text(headers.get("Content-Type", "no content type"))
    beginning = f", starting with {json.dumps(start)}" if start else ", empty"
    return f"The response does not come from Souk: {kind}{beginning}."
