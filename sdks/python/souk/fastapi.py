"""A route of FastAPI that receives payment results."""

from __future__ import annotations

import logging

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse

from .callbacks import MAX_BODY, Callbacks, Handler

log = logging.getLogger("souk")


def callback_router(path: str, callbacks: Callbacks, handler: Handler) -> APIRouter:
    """Returns a router: ``app.include_router(callback_router("/souk/callback", souk.callbacks, on_payment))``.

    ``handler`` runs in a thread, so it may block.
    """
    router = APIRouter()

    async def receive(request: Request) -> PlainTextResponse:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:  # It is refused below, without reading the rest.
                break
        headers = dict(request.headers)
        status, text, error = await run_in_threadpool(callbacks.respond, bytes(body), headers, handler)
        if error:
            log.error("callback not acknowledged", exc_info=error)
        return PlainTextResponse(text, status_code=status)

    router.add_api_route(path, receive, methods=["POST"], include_in_schema=False)
    return router
