"""Executes calls for the tests of all clients: a JSON object per line, answered by one per line."""

import asyncio
import base64
import json
import os
import ssl
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from souk import (
    AppendInterruptedError,
    AsyncSouk,
    Attempt,
    AttemptResult,
    CallbackVerificationError,
    NotDelivered,
    Souk,
    SoukApiError,
    SoukConnectionError,
    SoukPlatform,
    SoukResponseError,
    TradeStillProcessingError,
)
from souk.operations import NewField
from souk.wire import encode, snake_case

settings = os.environ
timeout = float(settings.get("SOUK_TIMEOUT", 5))
not_delivered: list[NotDelivered] = []
fails_on_not_delivered = False


def on_not_delivered(found: NotDelivered) -> None:
    not_delivered.append(found)
    if fails_on_not_delivered:
        # A failure that the client would retry.
        raise SoukConnectionError("sendNotify", "the callback failed", not_sent=True)


souk = Souk(
    settings["SOUK_URL"],
    settings["SOUK_APPID"],
    settings["SOUK_SECRET"],
    timeout=timeout,
    on_not_delivered=on_not_delivered,
)
other = Souk(settings["SOUK_URL"], settings["SOUK_APPID"], settings["SOUK_SECRET"], timeout=timeout)
platform = SoukPlatform(settings["SOUK_URL"], api_key=settings["SOUK_API_KEY"], timeout=timeout)


def together(first: Callable[[], Any], second: Callable[[], Any]) -> bool:
    """Makes two calls at the same time, each by its own client."""
    with ThreadPoolExecutor(2) as pool:
        for made in [pool.submit(first), pool.submit(second)]:
            made.result()
    return True


def call(name: str, parameters: dict[str, Any]) -> Any:
    if name == "notDelivered":
        reported = [vars(found) for found in not_delivered]
        not_delivered.clear()
        return reported
    if name == "failOnNotDelivered":
        global fails_on_not_delivered
        fails_on_not_delivered = parameters["fails"]
        return True
    if name == "queryAndClose":
        trade_no = parameters["tradeNo"]
        return together(lambda: souk.tradedetail(trade_no), lambda: other.tradeclose(trade_no))
    if name == "notifyTwice":
        given = arguments(parameters)
        return together(lambda: souk.send_notify(**given), lambda: other.send_notify(**given))
    if name == "atOnce":
        return at_once(parameters)
    if name == "secured":
        return secured(parameters)
    if name == "cancel":
        return asyncio.run(cancel(parameters))
    if name == "fileUpload":
        return souk.file_upload(base64.b64decode(parameters["content"]), name=parameters["name"])
    if name == "waitForTrade":
        return souk.wait_for_trade(parameters["tradeNo"], timeout=parameters.get("timeout", 120), interval=0.1)
    if name == "verifyCallback":
        return souk.callbacks.verify(parameters["body"].encode(), parameters["headers"])
    if name == "verifyRefund":
        return souk.callbacks.verify_refund(parameters["body"].encode(), parameters["headers"])
    if name == "createDataset":
        parameters = {**parameters, "fields": [NewField(**field) for field in parameters["fields"]]}
    if name == "append":
        broken = [{"title": object()}] if "broken" in parameters else []  # Not JSON.
        return platform.append(parameters["datasetId"], [*parameters["records"], *broken])
    if name == "exportRecords":
        return b"".join(platform.export_records(**arguments(parameters))).decode()
    client: Any = souk if hasattr(souk, snake_case(name)) else platform
    return getattr(client, snake_case(name))(**arguments(parameters))


def arguments(parameters: dict[str, Any]) -> dict[str, Any]:
    return {snake_case(name): value for name, value in parameters.items()}


def at_once(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Makes a call several times at once with a new client, and returns all answers, with the attempts of the first."""
    attempts: list[dict[str, Any]] = []
    options = {"timeout": given["timeout"], "on_attempt": lambda attempt: observe(attempt, attempts)}
    client = Souk(given["url"], settings["SOUK_APPID"], settings["SOUK_SECRET"], **options)
    data = SoukPlatform(given["url"], api_key=settings["SOUK_API_KEY"], **options)
    if "options" in given:
        options = arguments(given["options"])
        client, data = client.with_options(**options), data.with_options(**options)
    method: Callable[[str], Any] = client.tradedetail if given["call"] == "tradedetail" else data.delete_dataset
    with ThreadPoolExecutor(given["times"]) as pool:
        answers = list(pool.map(lambda _: answer_of(lambda: method(given["id"])), range(given["times"])))
    return [{**answers[0], "attempts": attempts}, *answers[1:]]


def secured(given: dict[str, Any]) -> Any:
    """Queries a trade with the certificates and the proxy that are given."""
    context = ssl.create_default_context(cafile=given.get("ca"))
    if "cert" in given:
        context.load_cert_chain(given["cert"], given["key"])
    client = Souk(
        given["url"],
        settings["SOUK_APPID"],
        settings["SOUK_SECRET"],
        max_retries=0,
        ssl_context=context,
        proxy=given.get("proxy"),
    )
    return client.tradedetail(given["id"])


async def cancel(given: dict[str, Any]) -> bool:
    """Makes a call that gets no answer, cancels it, and returns whether it ended for this reason."""
    async with AsyncSouk(given["url"], settings["SOUK_APPID"], settings["SOUK_SECRET"], timeout=600) as client:
        made = asyncio.ensure_future(client.tradedetail(given["id"]))
        await asyncio.sleep(0.2)
        made.cancel()
        try:
            await made
        except asyncio.CancelledError:
            return True
    return False


def observe(attempt: Attempt, attempts: list[dict[str, Any]]) -> Callable[[AttemptResult], None]:
    # A header of the client, which stays as it is.
    attempt.headers.update({"traceparent": f"00-{attempt.number}", "ACCEPT": "text/html"})
    started = encode(attempt)
    started.pop("headers")

    def end(result: AttemptResult) -> None:
        attempts.append({**started, **encode(result)})

    return end


def answer_of(made: Callable[[], Any]) -> dict[str, Any]:
    try:
        return {"result": encode(made())}
    except SoukApiError as error:
        return failure("api", error, status=error.status, code=error.code)
    except SoukConnectionError as error:
        return failure("connection", error, notSent=error.not_sent)
    except SoukResponseError as error:
        return failure("response", error, path=error.path)
    except AppendInterruptedError as error:
        return failure("interrupted", error, appended=error.appended)
    except TradeStillProcessingError as error:
        return failure("processing", error, trade=encode(error.trade))
    except CallbackVerificationError as error:
        return failure("callback", error, code=error.reason)


def failure(kind: str, error: Exception, **fields: Any) -> dict[str, Any]:
    return {"error": {"kind": kind, "type": type(error).__name__, "message": str(error), **fields}}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(answer_of(lambda: call(request["call"], request["parameters"]))), flush=True)
