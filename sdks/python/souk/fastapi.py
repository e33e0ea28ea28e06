"""Routes of FastAPI that receive the results of payments and refunds."""

from __future__ import annotations

import logging
from typing import Callable, Mapping, Optional

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse

from .callbacks import MAX_BODY, Callbacks, Handler, RefundHandler

log = logging.getLogger("souk")


def callback_router(path: str, callbacks: Callbacks, handler: Handler) -> APIRouter:
    """Returns a router: ``app.include_router(callback_router("/souk/callback", souk.callbacks, on_payment))``.

    ``handler`` runs in a thread, so it may block.
    """
    return _router(path, lambda body, headers: callbacks.respond(body, headers, handler))


def refund_router(path: str, callbacks: Callbacks, handler: RefundHandler) -> APIRouter:
    """Returns a router for the results of refunds, like ``callback_router``."""
    return _router(path, lambda body, headers: callbacks.respond_refund(body, headers, handler))


def _router(
    path: str, respond: Callable[[bytes, Mapping[str, str]], tuple[int, str, Optional[Exception]]]
) -> APIRouter:
    router = APIRouter()

    async def receive(request: Request) -> PlainTextResponse:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:  # It is refused below, without reading the rest.
                break
        headers = dict(request.headers)
        status, text, error = await run_in_threadpool(respond, bytes(body), headers)
        if error:
            log.error("callback not acknowledged", exc_info=error)
        return PlainTextResponse(text, status_code=status)

    router.add_api_route(path, receive, methods=["POST"], include_in_schema=False)
    return router
