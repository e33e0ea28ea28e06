#!/usr/bin/env python3
"""The backend of a mini app, in plain Python: nothing but the standard library.

It walks through the flows of the open API document: login, payment with its callback, notification, activity message.
Every step prints what it does; the first surprise ends the walk with exit status 1.

    SOUK_URL     where Souk is            (default http://localhost:7070)
    APPID        the mini app's id
    SECRET       the mini app's secret
    ADMIN_TOKEN  for the other side only: it plays the host application and its user, who logs in and pays
"""

import hashlib
import hmac
import json
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SOUK_URL = os.environ.get("SOUK_URL", "http://localhost:7070").rstrip("/")
APPID = os.environ.get("APPID", "")
SECRET = os.environ.get("SECRET", "")
ADMIN_TOKEN = os.environ.get("ADMIN_TOKEN", "")

PROCESSING, SUCCEEDED, CLOSED = 1, 2, 6


# --- The open API: what a backend needs -------------------------------------------------------------------------------


def text(value):
    """A value as it is sent and signed: lists joined with commas, None as the empty string (4.1)."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ",".join(value)
    return str(value)


def utf16(name):
    """Sorting key: the order of UTF-16 code units, which is the order of characters for all names of the document."""
    return name.encode("utf-16-be", "surrogatepass")


def sign(parameters, secret):
    """The signature of 4.1: sorted pairs with the secret among them, nothing in between, SHA-256 in lowercase hex."""
    pairs = {name: value for name, value in parameters.items() if name not in ("sign", "fileData")}
    pairs["secret"] = secret
    canonical = "".join(f"{name}={text(pairs[name])}" for name in sorted(pairs, key=utf16))
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


class Refused(Exception):
    """An answer whose status is not 200."""

    def __init__(self, header):
        super().__init__(f"{header['status']} {header.get('code')}: {header['msg']}")
        self.status = header["status"]
        self.code = header.get("code")


def send(method, path, parameters):
    """Sends parameters as they are and opens the envelope (2.2)."""
    encoded = urllib.parse.urlencode({name: text(value) for name, value in parameters.items()})
    if method == "GET":
        request = urllib.request.Request(f"{SOUK_URL}{path}?{encoded}")
    else:
        request = urllib.request.Request(f"{SOUK_URL}{path}", data=encoded.encode("ascii"), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            envelope = json.load(answer)
    except urllib.error.HTTPError as error:
        envelope = json.load(error)
    header = envelope["responseHeader"]
    if header["status"] != 200:
        raise Refused(header)
    return envelope["response"]


def call(method, path, parameters):
    """Signs and sends."""
    parameters = {"appid": APPID, "timestamp": int(time.time() * 1000), **parameters}
    return send(method, path, {**parameters, "sign": sign(parameters, SECRET)})


# --- The callback (6): signed like a request, with the same secret ---------------------------------------------------


class CallbackHandler(BaseHTTPRequestHandler):
    received = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        fields = dict(urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=True))
        genuine = hmac.compare_digest(fields.get("sign", ""), sign(fields, SECRET))
        fresh = abs(int(fields["timestamp"]) - time.time() * 1000) < 300_000
        reply = b"success" if genuine and fresh else b"fail"
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)
        self.received.put((genuine and fresh, fields))

    def log_message(self, *_):
        pass


# --- The other side: the host application and its user, played through the sandbox ----------------------------------


def sandbox(method, path, values=None):
    request = urllib.request.Request(
        f"{SOUK_URL}/console/v1{path}",
        data=None if values is None else json.dumps(values).encode("utf-8"),
        method=method,
        headers={"Authorization": f"Bearer {ADMIN_TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


# --- The walk -----------------------------------------------------------------------------------------------------------


def step(title):
    print(f"\n{title}")


def expect(condition, statement):
    if not condition:
        print(f"  SURPRISE: not so: {statement}")
        sys.exit(1)
    print(f"  {statement}")


def expect_refusal(status, code, action, statement):
    try:
        action()
    except Refused as refusal:
        expect((refusal.status, refusal.code) == (status, code), f"{statement}: {refusal}")
    else:
        expect(False, statement)


def login(uid, scope):
    """Steps 1 to 3 of the login flow: code from the frontend, access token, user profile."""
    code = sandbox("POST", "/sandbox/codes", {"appid": APPID, "uid": uid, "scope": scope})["code"]
    exchange = {"code": code, "grantType": "authorization_code", "scope": scope}
    token = call("POST", "/neuopenapi/oauth/mini/accessToken", exchange)
    expect(token["tokenType"] == "bearer" and token["expire"] > 0, f"a token for {scope}, good for {token['expire']} s")
    profile = send("GET", "/neuopenapi/oauth/mini/user/info", {"accessToken": token["accessToken"]})
    return exchange, token["accessToken"], profile


def walk(notify_url):
    user = {"nickname": "ليلى", "country": "+966", "phone": "512345678"}
    uid = sandbox("POST", "/sandbox/users", user)["uid"]

    step("Login: neu.login() gives the frontend a code, the backend exchanges it")
    _, _, profile = login(uid, "user.info")
    expect(profile["nickName"] == "ليلى", f"the user is {profile['nickName']}, openId {profile['openId']}")
    expect(profile["phone"] is None, "the phone number is not shown to a token of user.info")
    exchange, _, profile = login(uid, "user.info,user.phone")
    expect((profile["country"], profile["phone"]) == ("+966", "512345678"), "it is to one of user.info,user.phone")
    expect_refusal(
        400,
        "code_used",
        lambda: call("POST", "/neuopenapi/oauth/mini/accessToken", exchange),
        "a code works once",
    )
    open_id = profile["openId"]

    step("Payment: the backend creates a trade")
    order = {
        "outTradeNo": f"order-{uuid.uuid4().hex}",
        "description": "قهوة × 2",
        "notifyUrl": notify_url,
        "amount": 1250,
        "currency": "SAR",
        "openId": open_id,
    }
    first = call("POST", "/neuopenapi/pay/transactions/trade", order)
    expect(first["outTradeNo"] == order["outTradeNo"], f"trade {first['tradeNo']} for {first['outTradeNo']}")
    again = call("POST", "/neuopenapi/pay/transactions/trade", order)
    expect(again == first, "the same request again gives the same trade")
    trade = call("GET", "/neuopenapi/pay/transactions/tradedetail", {"tradeNo": first["tradeNo"]})
    expect(trade["transactionStatus"] == PROCESSING, "its transactionStatus is 1, processing")
    expect(trade["amountStrWithYuan"] == "12.50", f"the user is asked for {trade['amountStrWithYuan']} {trade['currency']}")

    step("The order changes: close the trade, create another")
    closed = call("POST", "/neuopenapi/pay/transactions/tradeclose", {"tradeNo": first["tradeNo"]})
    expect(closed is True, "the trade is closed")
    trade = call("GET", "/neuopenapi/pay/transactions/tradedetail", {"tradeNo": first["tradeNo"]})
    expect((trade["transactionStatus"], trade["failReasonType"]) == (CLOSED, 22), "transactionStatus 6, failReasonType 22")
    order = {**order, "outTradeNo": f"order-{uuid.uuid4().hex}", "amount": 1800}
    trade_no = call("POST", "/neuopenapi/pay/transactions/trade", order)["tradeNo"]
    expect(trade_no != first["tradeNo"], f"trade {trade_no} takes its place")

    step("neu.requestPayment(): the user pays in a moment, the backend polls while the status is 1")
    payment = {"tradeNo": trade_no, "uid": uid, "payMethod": "wallet-a", "outcome": "succeeded"}
    payer = threading.Timer(0.5, lambda: sandbox("POST", "/sandbox/payments", payment))
    payer.start()
    polls = 0
    deadline = time.monotonic() + 30
    while True:
        polls += 1
        trade = call("GET", "/neuopenapi/pay/transactions/tradedetail", {"tradeNo": trade_no})
        if trade["transactionStatus"] != PROCESSING:
            break
        expect(time.monotonic() < deadline, "still processing")
        time.sleep(0.2)
    payer.join()
    expect(trade["transactionStatus"] == SUCCEEDED, f"transactionStatus 2, succeeded, after {polls} looks")
    expect((trade["payMethod"], trade["amount"]) == (1, 1800), f"paid 18.00 with mobile wallet A, payNo {trade['payNo']}")

    step("The payment result arrives at notifyUrl")
    genuine, fields = CallbackHandler.received.get(timeout=15)
    expect(genuine, f"callback {fields['notifyId']} is signed with the secret of this mini app")
    for name in ("tradeNo", "outTradeNo", "transactionStatus", "amount", "currency", "openId", "payNo"):
        expect(fields[name] == text(trade[name]), f"its {name} is {fields[name]}")
    expect(CallbackHandler.received.empty(), "the trade that was closed brought none")

    step("A notification to the user")
    notification = {
        "notifyType": 1,
        "openIds": [open_id],
        "title": "طلبك جاهز",
        "text": "Your coffee is ready ☕",
        "navigateType": "1",
        "link": "pages/order/order",
        "language": "ar_SA",
    }
    expect(call("POST", "/neuopenapi/notify/sendNotify", notification) is True, "sent")
    inbox = sandbox("GET", f"/sandbox/users/{uid}/inbox")
    expect([item["title"] for item in inbox] == ["طلبك جاهز"], "the user sees it in the inbox")

    step("An activity message on the home page")
    message = {
        "activityId": f"pickup-{uuid.uuid4().hex}",
        "openIds": [open_id],
        "color": "FF8800",
        "templateId": "1",
        "title": "Coffee",
        "text": "Ready at the counter",
        "iconUrl": "https://cdn.example.com/cup.png",
        "path": "pages/index/index",
        "validityTime": 3600,
        "language": "en_US",
    }
    path = "/neuopenapi/activity/sendActivity"
    expect(call("POST", path, {**message, "status": 1}) is True, "shown")
    home = sandbox("GET", f"/sandbox/users/{uid}/home")
    expect([item["activityId"] for item in home] == [message["activityId"]], "the user sees it on the home page")
    expect(call("POST", path, {**message, "status": 0}) is True, "removed")
    expect(sandbox("GET", f"/sandbox/users/{uid}/home") == [], "it is gone")

    step("A request that is not signed by this mini app")
    forged = {"appid": APPID, "timestamp": int(time.time() * 1000), "tradeNo": trade_no}
    forged["sign"] = sign(forged, "0" * 48)
    expect_refusal(
        401,
        "sign_mismatch",
        lambda: send("GET", "/neuopenapi/pay/transactions/tradedetail", forged),
        "is refused",
    )


def main():
    missing = [name for name in ("APPID", "SECRET", "ADMIN_TOKEN") if not os.environ.get(name)]
    if missing:
        sys.exit(f"Set {', '.join(missing)}; README.md says how.")
    server = ThreadingHTTPServer(("127.0.0.1", 0), CallbackHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"Mini app {APPID} at {SOUK_URL}; its callbacks arrive at port {server.server_port}")
    walk(f"http://127.0.0.1:{server.server_port}/payment-result")
    server.shutdown()
    server.server_close()
    print("\nEverything as documented.")


if __name__ == "__main__":
    main()
