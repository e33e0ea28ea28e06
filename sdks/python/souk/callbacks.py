"""Verifies callbacks with results of payments (open-api §6) and of refunds."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
import typing
import uuid
from typing import Any, Callable, Mapping, Optional, Sequence, TypeVar
from urllib.parse import parse_qsl

from .errors import CallbackVerificationError
from .operations import PaymentEvent, RefundEvent
from .redaction import Secret
from .transport import require_text
from .wire import camel_case, encode_form, sign

TOLERANCE = 300.0
"""The default of the largest difference between a callback's timestamp and this machine's clock, in seconds."""
MAX_BODY = 64 * 1024
"""The largest body in bytes; a callback has about 600."""

Handler = Callable[[PaymentEvent], None]
RefundHandler = Callable[[RefundEvent], None]
Event = TypeVar("Event", PaymentEvent, RefundEvent)


class Callbacks:
    """Verifies the callbacks of one mini app; available as ``souk.callbacks``.

    :param other_secrets: Further secrets with which callbacks may be signed, such as the previous one during a rotation.
    :param tolerance: The maximum age of a callback in seconds, in either direction of the clock.
    :raises ValueError: for a missing or invalid setting: anyone can sign with an empty secret.
    """

    def __init__(
        self,
        appid: str,
        secret: str,
        clock: Callable[[], float] = time.time,
        *,
        other_secrets: Sequence[str] = (),
        tolerance: float = TOLERANCE,
    ) -> None:
        if isinstance(other_secrets, str):
            raise ValueError("the further secrets of callbacks must be a list of secrets, not one")
        if not tolerance > 0:
            raise ValueError("the tolerance of callbacks must be a positive number of seconds")
        self._appid = require_text("appid", appid)
        self._secret = Secret(require_text("secret", secret))
        self._secrets = [self._secret, *(Secret(require_text("secret", other)) for other in other_secrets)]
        self._tolerance = tolerance
        self._clock = clock

    def verify(self, body: bytes, headers: Optional[Mapping[str, str]] = None) -> PaymentEvent:
        """Returns the result if Souk sent it for this mini app, unchanged, within the last 5 minutes or the
        tolerance.

        :param body: The raw body as it arrived.
        :param headers: The request's headers. During a secret rotation they allow verification with
            either secret.
        :raises CallbackVerificationError: with the reason.
        """
        return self._verify(PaymentEvent, body, headers)

    def verify_refund(self, body: bytes, headers: Optional[Mapping[str, str]] = None) -> RefundEvent:
        """Returns the result of a refund, verified like that of a payment.

        :raises CallbackVerificationError: with the reason.
        """
        return self._verify(RefundEvent, body, headers)

    def respond(
        self, body: bytes, headers: Optional[Mapping[str, str]], handler: Handler
    ) -> tuple[int, str, Optional[Exception]]:
        """Verifies a callback and calls ``handler``. Returns status, text and error of the response.

        200 after the handler has returned; 400 if the verification fails; 500 if the handler raises,
        after which Souk sends the callback again.
        """
        return _respond(lambda: handler(self.verify(body, headers)))

    def respond_refund(
        self, body: bytes, headers: Optional[Mapping[str, str]], handler: RefundHandler
    ) -> tuple[int, str, Optional[Exception]]:
        """Verifies the callback of a refund and calls ``handler``, like ``respond``."""
        return _respond(lambda: handler(self.verify_refund(body, headers)))

    def sign_test_callback(self, **fields: Any) -> tuple[bytes, dict[str, str]]:
        """Returns body and headers of a callback signed with this secret, to test your own handler.

        Fields that are not given are those of a succeeded trade. Each callback has its own
        ``notify_id``, since handlers process a ``notify_id`` once.
        """
        payment = {
            "transactionStatus": 2,
            "failReasonType": -1,
            "payType": 2,
            "payMethod": 3,
            "payNo": "test-payment",
        }
        return self._sign_test(payment, fields)

    def sign_test_refund(self, **fields: Any) -> tuple[bytes, dict[str, str]]:
        """Returns body and headers of the callback of a refund, like ``sign_test_callback``."""
        refund = {
            "refundNo": "4123456789abcdef0123456789abcdef",
            "outRefundNo": "test-refund",
            "refundStatus": 2,
            "failReason": None,
        }
        return self._sign_test(refund, fields)

    def _sign_test(self, own: Mapping[str, Any], fields: Mapping[str, Any]) -> tuple[bytes, dict[str, str]]:
        now = round(self._clock() * 1000)
        event = {
            "notifyId": uuid.uuid4().hex,
            "notifyTime": now,
            "appid": self._appid,
            "merchantId": "1123456789abcdef0123456789abcdef",
            "tradeNo": "2123456789abcdef0123456789abcdef",
            "outTradeNo": "test-order",
            "amount": 100,
            "currency": "SAR",
            "openId": "3123456789abcdef0123456789abcdef",
            "timestamp": now,
            **own,
        }
        event.update({camel_case(name): value for name, value in fields.items()})
        body = encode_form({**event, "sign": sign(event, self._secret.reveal())})
        timestamp = str(now // 1000)
        headers = {
            "content-type": "application/x-www-form-urlencoded",
            "webhook-id": str(event["notifyId"]),
            "webhook-timestamp": timestamp,
            "webhook-signature": _webhook_signature(str(event["notifyId"]), timestamp, body, self._secret.reveal()),
        }
        return body.encode(), headers

    def _verify(self, model: type[Event], body: bytes, headers: Optional[Mapping[str, str]]) -> Event:
        fields = _parse(body)
        signed = fields.get("sign", "")
        if not signed:
            raise CallbackVerificationError("callback_malformed", "the body has no sign")
        is_signed = any([_equal(signed, sign(fields, secret.reveal())) for secret in self._secrets])
        if not is_signed and not self._vouched_by(headers, body):
            raise self._mismatch(fields)
        event = _event(model, fields)
        skew = round(self._clock() * 1000) - event.timestamp
        if abs(skew) > self._tolerance * 1000:
            side = "before" if skew > 0 else "after"
            raise CallbackVerificationError(
                "callback_stale",
                f"the callback was signed {abs(skew) // 1000} s {side} the current time of this machine; "
                f"more than {self._tolerance:g} s means a replayed body or a wrong clock",
            )
        return event

    def _vouched_by(self, headers: Optional[Mapping[str, str]], body: bytes) -> bool:
        """Whether the Standard Webhooks headers contain a signature with one of the secrets."""
        given = {name.lower(): value for name, value in (headers or {}).items()}
        identifier, timestamp = given.get("webhook-id"), given.get("webhook-timestamp")
        signatures = given.get("webhook-signature")
        if not identifier or not timestamp or not signatures:
            return False
        text = body.decode("utf-8")
        expected = [_webhook_signature(identifier, timestamp, text, secret.reveal()) for secret in self._secrets]
        return any([_equal(signature, one) for signature in signatures.split(" ") for one in expected])

    def _mismatch(self, fields: Mapping[str, str]) -> CallbackVerificationError:
        if fields.get("appid") != self._appid:
            return CallbackVerificationError(
                "other_app",
                f"it is not for {self._appid}; use a separate notifyUrl per mini app, "
                "or select the client by the appid in the body",
            )
        return CallbackVerificationError(
            "sign_mismatch",
            "the secret does not yield the sign; either it belongs to another app, or the body was changed "
            "in transit: verify the raw body as it arrived",
        )


def _parse(body: bytes) -> dict[str, str]:
    if not body:
        raise CallbackVerificationError(
            "body_missing", "there is no body; a parser may have read it already: hand over the raw body"
        )
    if len(body) > MAX_BODY:
        raise CallbackVerificationError("callback_malformed", "the body is larger than a callback")
    if body.lstrip()[:1] == b"{":
        raise CallbackVerificationError(
            "callback_malformed", "the body is JSON; pass the raw body as it arrived, which is form-encoded"
        )
    try:
        text = body.decode("utf-8")
        if re.search(r"%(?![0-9A-Fa-f]{2})", text):
            raise ValueError("a % is not followed by two hexadecimal digits")
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, errors="strict")
    except ValueError as error:
        raise CallbackVerificationError("callback_malformed", f"the body is not a form: {error}") from error
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise CallbackVerificationError("callback_malformed", "a field is repeated")
    return fields


def _respond(receive: Callable[[], None]) -> tuple[int, str, Optional[Exception]]:
    try:
        receive()
    except CallbackVerificationError as error:
        # Souk stores the response, so the developer sees the reason in the list of callbacks.
        return 400, str(error), error
    except Exception as error:  # Whatever the handler raises, the callback is not acknowledged.
        return 500, "fail", error
    return 200, "success", None


def _event(model: type[Event], fields: Mapping[str, str]) -> Event:
    values: dict[str, Any] = {}
    for name, hint in typing.get_type_hints(model).items():
        wire_name = camel_case(name)
        text = fields.get(wire_name)
        kinds = typing.get_args(hint) or (hint,)
        nullable = type(None) in kinds
        if text is None or (text == "" and not nullable):
            raise CallbackVerificationError("callback_malformed", f"{wire_name} is missing")
        if text == "":
            values[name] = None
        elif kinds[0] is int:
            if not re.fullmatch(r"-?[0-9]{1,16}", text):
                raise CallbackVerificationError("callback_malformed", f"{wire_name} is not an integer")
            values[name] = int(text)
        else:
            values[name] = text
    return model(**values)


def _webhook_signature(identifier: str, timestamp: str, body: str, secret: str) -> str:
    """Returns the signature of Standard Webhooks; its key is the secret's bytes."""
    digest = hmac.new(secret.encode(), f"{identifier}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def _equal(left: str, right: str) -> bool:
    return hmac.compare_digest(left.encode(), right.encode())
