"""The callback receivers of Django and FastAPI."""

import asyncio
import logging
import unittest
from typing import Any

from souk import Callbacks, PaymentEvent, RefundEvent

SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef"
callbacks = Callbacks("aaaaaaaaaaaaaaa", SECRET)
received: list[str] = []


def on_payment(event: PaymentEvent) -> None:
    if event.out_trade_no == "unknown":
        raise LookupError("no such order")
    received.append(event.out_trade_no)


def on_refund(event: RefundEvent) -> None:
    received.append(event.out_refund_no)


class Receiver:
    """What holds for every framework."""

    def post(self, body: bytes, headers: dict[str, str], path: str = "/souk/callback") -> tuple[int, str]:
        raise NotImplementedError

    def test_acknowledges_a_refund_but_no_payment_in_its_place(self) -> None:
        received.clear()
        refund = callbacks.sign_test_refund(out_refund_no="refund-1")
        self.assertEqual(self.post(*refund, path="/souk/refunds"), (200, "success"))
        self.assertEqual(self.post(*callbacks.sign_test_callback(), path="/souk/refunds")[0], 400)
        self.assertEqual(received, ["refund-1"])

    def test_acknowledges_a_payment(self) -> None:
        received.clear()
        self.assertEqual(self.post(*callbacks.sign_test_callback(out_trade_no="order-1")), (200, "success"))
        self.assertEqual(received, ["order-1"])

    def test_refuses_a_forgery_and_says_why(self) -> None:
        body, headers = callbacks.sign_test_callback()
        status, text = self.post(body.replace(b"amount=100", b"amount=1"), headers)
        self.assertEqual(status, 400)
        self.assertIn("sign_mismatch", text)

    def test_asks_for_the_callback_again_if_the_handler_raises(self) -> None:
        self.assertEqual(self.post(*callbacks.sign_test_callback(out_trade_no="unknown")), (500, "fail"))


class Django(Receiver, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        import django
        from django.conf import settings
        from django.urls import path

        database = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "ATOMIC_REQUESTS": True}
        settings.configure(
            ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="test", DATABASES={"default": database}
        )
        django.setup()
        from django.db import connection
        from souk.django import callback_view, refund_view

        with connection.cursor() as cursor:
            cursor.execute("create table payments (number text)")

        def store(event: PaymentEvent) -> None:
            with connection.cursor() as cursor:
                cursor.execute("insert into payments values (%s)", [event.out_trade_no])
            on_payment(event)

        global urlpatterns
        urlpatterns = [
            path("souk/callback", callback_view(callbacks, store)),
            path("souk/refunds", refund_view(callbacks, on_refund)),
        ]

    def test_undoes_what_a_handler_has_written_that_raises(self) -> None:
        from django.db import connection

        for number in ("unknown", "order-2"):
            self.post(*callbacks.sign_test_callback(out_trade_no=number))
        with connection.cursor() as cursor:
            cursor.execute("select number from payments")
            numbers = [number for (number,) in cursor.fetchall()]
        self.assertIn("order-2", numbers)
        self.assertNotIn("unknown", numbers)

    def post(self, body: bytes, headers: dict[str, str], path: str = "/souk/callback") -> tuple[int, str]:
        from django.test import Client

        sent = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        answer = Client(enforce_csrf_checks=True).generic(
            "POST", path, body, headers["content-type"], **sent
        )
        return answer.status_code, answer.content.decode()


class FastApi(Receiver, unittest.TestCase):
    def test_does_not_read_a_body_that_is_too_large(self) -> None:
        chunks = [b"a" * 70_000]
        answer: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": chunks.pop(), "more_body": True}

        async def send(message: dict[str, Any]) -> None:
            answer.append(message)

        scope = {"type": "http", "method": "POST", "path": "/souk/callback", "query_string": b"", "headers": []}
        asyncio.run(self.app()(scope, receive, send))
        self.assertEqual(answer[0]["status"], 400)
        self.assertIn(b"larger than a callback", answer[1]["body"])

    def app(self) -> Any:
        from fastapi import FastAPI
        from souk.fastapi import callback_router, refund_router

        app = FastAPI()
        app.include_router(callback_router("/souk/callback", callbacks, on_payment))
        app.include_router(refund_router("/souk/refunds", callbacks, on_refund))
        return app

    def post(self, body: bytes, headers: dict[str, str], path: str = "/souk/callback") -> tuple[int, str]:
        from fastapi.testclient import TestClient

        answer = TestClient(self.app()).post(path, content=body, headers=headers)
        return answer.status_code, answer.text


logging.disable()

if __name__ == "__main__":
    unittest.main()
