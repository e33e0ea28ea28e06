import { readFile } from 'node:fs/promises'
import { CallbackVerificationError, Souk, SoukApiError } from '@souk/sdk'
import Fastify, { type FastifyError, type FastifyReply } from 'fastify'

const { SOUK_URL = '', SOUK_APPID = '', SOUK_SECRET = '', SHOP_URL = '', PORT } = process.env
const souk = new Souk({ baseUrl: SOUK_URL, appid: SOUK_APPID, secret: SOUK_SECRET })

/** Statuses of trades and refunds that callbacks have brought. In a real shop, a table with a unique `notifyId`. */
const received = new Map<string, number>()

const app = Fastify({ logger: { level: 'error' } })

// In this plugin, Fastify passes forms as they arrive: the signature covers the raw body.
app.register(async (callbacks) => {
  const form = 'application/x-www-form-urlencoded'
  callbacks.addContentTypeParser(form, { parseAs: 'string', bodyLimit: 65_536 }, (_request, body, done) => {
    done(null, body)
  })
  const acknowledge = (reply: FastifyReply) => reply.type('text/plain').send('success')

  callbacks.post<{ Body: string }>('/souk/payments', async ({ body, headers }, reply) => {
    const { tradeNo, transactionStatus } = souk.callbacks.verify(body, headers)
    received.set(tradeNo, transactionStatus)
    return acknowledge(reply)
  })
  callbacks.post<{ Body: string }>('/souk/refunds', async ({ body, headers }, reply) => {
    const { refundNo, refundStatus } = souk.callbacks.verifyRefund(body, headers)
    received.set(refundNo, refundStatus)
    return acknowledge(reply)
  })
})

// The page has called neu.login().
app.post<{ Body: { code: string } }>('/sign-in', async ({ body }) => {
  const { accessToken } = await souk.accessToken({ code: body.code })
  const { openId, nickName } = await souk.userInfo(accessToken)
  return { openId, nickName }
})

// The page calls neu.requestPayment() with the tradeNo.
app.post<{ Body: { id: string; cents: number; openId: string } }>('/orders', async ({ body }) => {
  const { id, cents, openId } = body
  const notifyUrl = `${SHOP_URL}/souk/payments`
  const { tradeNo } = await souk.trade({ outTradeNo: id, notifyUrl, amount: cents, currency: 'SAR', openId })
  return { tradeNo }
})

app.get<{ Params: { tradeNo: string } }>('/orders/:tradeNo', async ({ params }) => {
  const { tradeNo, transactionStatus } = await souk.tradedetail(params.tradeNo)
  return { status: transactionStatus, received: received.get(tradeNo) ?? null }
})

app.post<{ Params: { tradeNo: string } }>('/orders/:tradeNo/close', async ({ params }) => {
  return { closed: await souk.tradeclose(params.tradeNo) }
})

type RefundRequest = { Params: { tradeNo: string }; Body: { id: string; cents: number } }
app.post<RefundRequest>('/orders/:tradeNo/refunds', async ({ params, body }) => {
  const { refundNo } = await souk.refund({
    tradeNo: params.tradeNo,
    outRefundNo: body.id,
    amount: body.cents,
    notifyUrl: `${SHOP_URL}/souk/refunds`,
  })
  return { refundNo }
})

app.get<{ Params: { refundNo: string } }>('/refunds/:refundNo', async ({ params }) => {
  const { refundNo, refundStatus } = await souk.refunddetail(params.refundNo)
  return { status: refundStatus, received: received.get(refundNo) ?? null }
})

app.post<{ Body: { openId: string; text: string } }>('/messages', async ({ body }) => {
  const sent = await souk.sendNotify({
    openIds: [body.openId],
    title: 'Your order',
    text: body.text,
    navigateType: '1',
    language: 'en_US',
  })
  return { sent }
})

app.post<{ Body: { id: string; openId: string; text: string } }>('/deliveries', async ({ body }) => {
  const { url } = await souk.fileUpload(await readFile('icon.png'))
  const shown = await souk.sendActivity({
    activityId: body.id,
    openIds: [body.openId],
    color: 'FF8800',
    templateId: 'delivery',
    title: 'On its way',
    text: body.text,
    iconUrl: url,
    status: 1,
    validityTime: 600,
    language: 'en_US',
  })
  return { shown }
})

app.setErrorHandler<FastifyError>((error, request, reply) => {
  request.log.error(error)
  if (error instanceof SoukApiError) return reply.code(error.status).send({ error: error.code })
  if (error instanceof CallbackVerificationError) return reply.code(400).send({ error: error.reason })
  return reply.code(error.statusCode ?? 500).send({ error: 'failed' })
})

await app.listen({ port: Number(PORT) })
