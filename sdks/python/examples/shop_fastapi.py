import logging
import os
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from souk import PaymentEvent, RefundEvent, Souk, SoukApiError
from souk.fastapi import callback_router, refund_router

SHOP_URL = os.environ["SHOP_URL"]
souk = Souk(os.environ["SOUK_URL"], os.environ["SOUK_APPID"], os.environ["SOUK_SECRET"])

# Statuses of trades and refunds that callbacks have brought. In a real shop, a table with a unique notify_id.
received: dict[str, int] = {}

app = FastAPI()


def on_payment(payment: PaymentEvent) -> None:
    received[payment.trade_no] = payment.transaction_status


def on_refund(refund: RefundEvent) -> None:
    received[refund.refund_no] = refund.refund_status


app.include_router(callback_router("/souk/payments", souk.callbacks, on_payment))
app.include_router(refund_router("/souk/refunds", souk.callbacks, on_refund))


class SignIn(BaseModel):
    code: str


class Order(BaseModel):
    id: str
    cents: int
    openId: str


class Refund(BaseModel):
    id: str
    cents: int


class Message(BaseModel):
    openId: str
    text: str


class Delivery(Message):
    id: str


# FastAPI runs functions without async in threads, so that they may wait for Souk. Threads share the client.
@app.post("/sign-in")
def sign_in(request: SignIn):
    """The page has called neu.login()."""
    token = souk.access_token(code=request.code)
    user = souk.user_info(token.access_token)
    return {"openId": user.open_id, "nickName": user.nick_name}


@app.post("/orders")
def create_order(order: Order):
    """The page calls neu.requestPayment() with the tradeNo."""
    trade = souk.trade(
        out_trade_no=order.id,
        notify_url=f"{SHOP_URL}/souk/payments",
        amount=order.cents,
        currency="SAR",
        open_id=order.openId,
    )
    return {"tradeNo": trade.trade_no}


@app.get("/orders/{trade_no}")
def show_order(trade_no: str):
    trade = souk.tradedetail(trade_no)
    return {"status": trade.transaction_status, "received": received.get(trade.trade_no)}


@app.post("/orders/{trade_no}/close")
def close_order(trade_no: str):
    return {"closed": souk.tradeclose(trade_no)}


@app.post("/orders/{trade_no}/refunds")
def refund_order(trade_no: str, refund: Refund):
    requested = souk.refund(
        trade_no=trade_no,
        out_refund_no=refund.id,
        amount=refund.cents,
        notify_url=f"{SHOP_URL}/souk/refunds",
    )
    return {"refundNo": requested.refund_no}


@app.get("/refunds/{refund_no}")
def show_refund(refund_no: str):
    refund = souk.refunddetail(refund_no)
    return {"status": refund.refund_status, "received": received.get(refund.refund_no)}


@app.post("/messages")
def send_message(message: Message):
    sent = souk.send_notify(
        open_ids=[message.openId],
        title="Your order",
        text=message.text,
        navigate_type="1",
        language="en_US",
    )
    return {"sent": sent}


@app.post("/deliveries")
def show_delivery(delivery: Delivery):
    icon = souk.file_upload(Path("icon.png").read_bytes())
    shown = souk.send_activity(
        activity_id=delivery.id,
        open_ids=[delivery.openId],
        color="FF8800",
        template_id="delivery",
        title="On its way",
        text=delivery.text,
        icon_url=icon.url,
        status=1,
        validity_time=600,
        language="en_US",
    )
    return {"shown": shown}


@app.exception_handler(SoukApiError)
def explain(_request: Request, error: SoukApiError) -> JSONResponse:
    logging.error("%s", error)
    return JSONResponse({"error": error.code}, error.status)
