import { readFile } from 'node:fs/promises'
import { Souk, SoukApiError } from '@souk/sdk'
import express, { type ErrorRequestHandler } from 'express'

const { SOUK_URL = '', SOUK_APPID = '', SOUK_SECRET = '', SHOP_URL = '', PORT } = process.env
const souk = new Souk({ baseUrl: SOUK_URL, appid: SOUK_APPID, secret: SOUK_SECRET })

/** Statuses of trades and refunds that callbacks have brought. In a real shop, a table with a unique `notifyId`. */
const received = new Map<string, number>()

const app = express()
app.post(
  '/souk/payments',
  souk.callbacks.node(({ tradeNo, transactionStatus }) => void received.set(tradeNo, transactionStatus)),
)
app.post(
  '/souk/refunds',
  souk.callbacks.nodeRefund(({ refundNo, refundStatus }) => void received.set(refundNo, refundStatus)),
)

app.use(express.json())

// The page has called neu.login().
app.post('/sign-in', async (request, response) => {
  const { accessToken } = await souk.accessToken({ code: request.body.code })
  const { openId, nickName } = await souk.userInfo(accessToken)
  response.json({ openId, nickName })
})

// The page calls neu.requestPayment() with the tradeNo.
app.post('/orders', async (request, response) => {
  const { id, cents, openId } = request.body
  const notifyUrl = `${SHOP_URL}/souk/payments`
  const { tradeNo } = await souk.trade({ outTradeNo: id, notifyUrl, amount: cents, currency: 'SAR', openId })
  response.json({ tradeNo })
})

app.get('/orders/:tradeNo', async (request, response) => {
  const { tradeNo, transactionStatus } = await souk.tradedetail(request.params.tradeNo)
  response.json({ status: transactionStatus, received: received.get(tradeNo) ?? null })
})

app.post('/orders/:tradeNo/close', async (request, response) => {
  response.json({ closed: await souk.tradeclose(request.params.tradeNo) })
})

app.post('/orders/:tradeNo/refunds', async (request, response) => {
  const { refundNo } = await souk.refund({
    tradeNo: request.params.tradeNo,
    outRefundNo: request.body.id,
    amount: request.body.cents,
    notifyUrl: `${SHOP_URL}/souk/refunds`,
  })
  response.json({ refundNo })
})

app.get('/refunds/:refundNo', async (request, response) => {
  const { refundNo, refundStatus } = await souk.refunddetail(request.params.refundNo)
  response.json({ status: refundStatus, received: received.get(refundNo) ?? null })
})

app.post('/messages', async (request, response) => {
  const { openId, text } = request.body
  const sent = await souk.sendNotify({
    openIds: [openId],
    title: 'Your order',
    text,
    navigateType: '1',
    language: 'en_US',
  })
  response.json({ sent })
})

app.post('/deliveries', async (request, response) => {
  const { id, openId, text } = request.body
  const { url } = await souk.fileUpload(await readFile('icon.png'))
  const shown = await souk.sendActivity({
    activityId: id,
    openIds: [openId],
    color: 'FF8800',
    templateId: 'delivery',
    title: 'On its way',
    text,
    iconUrl: url,
    status: 1,
    validityTime: 600,
    language: 'en_US',
  })
  response.json({ shown })
})

// Express knows an error handler by its four parameters.
const explain: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof SoukApiError)) return next(error)
  console.error(error.message)
  response.status(error.status).json({ error: error.code })
}
app.use(explain)

app.listen(Number(PORT))
