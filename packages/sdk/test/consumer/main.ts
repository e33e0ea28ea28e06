import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failReasonTypes, Souk, SoukApiError, transactionStatus } from '@souk/sdk'

const appid = 'aaaaaaaaaaaaaaa'
const secret = '0123456789abcdef0123456789abcdef0123456789abcdef'
const tradeNo = '2123456789abcdef0123456789abcdef'

const detail = {
  tradeNo,
  appId: appid,
  merchantId: '4123456789abcdef0123456789abcdef',
  merchantLogoUrl: null,
  merchantName: null,
  description: null,
  outTradeNo: 'order-1',
  timeExpire: 1_900_000_000_000,
  amount: 1250,
  amountStrWithYuan: '12.50',
  currency: 'SAR',
  openId: '3123456789abcdef0123456789abcdef',
  payer: 10_001,
  notifySuccess: null,
  payType: null,
  payNo: null,
  payMethod: null,
  transactionFlow: 1,
  transactionStatus: 3,
  failReasonType: 27,
  ctime: 1_900_000_000_000,
  mtime: 1_900_000_000_000,
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const [path = '', query = ''] = (request.url ?? '').split('?')
  if (path === '/neuopenapi/file/upload') {
    const [, boundary] = request.headers['content-type']?.split('boundary=') ?? []
    assert.ok(boundary && body.includes('an image') && body.endsWith(`--${boundary}--\r\n`))
    const answer = { responseHeader: { status: 200, msg: 'OK' }, response: { url: 'https://souk.example/a.png' } }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
  const pairs = [...new URLSearchParams(query), ...new URLSearchParams(body)].filter(([name]) => name !== 'sign')
  const canonical = [...pairs, ['secret', secret]]
    .map((pair) => pair.join('='))
    .sort()
    .join('')
  assert.equal(
    new URLSearchParams(query || body).get('sign'),
    createHash('sha256').update(canonical).digest('hex'),
    `the sign of ${path}`,
  )
  const answers: Record<string, unknown> = {
    '/neuopenapi/pay/transactions/trade': { outTradeNo: 'order-1', tradeNo },
    '/neuopenapi/pay/transactions/tradedetail': detail,
  }
  const status = path in answers ? 200 : 403
  const code = status === 200 ? {} : { code: 'capability_missing' }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ responseHeader: { status, msg: 'OK', ...code }, response: answers[path] ?? null }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

const souk = new Souk({ baseUrl: `http://127.0.0.1:${port}`, appid, secret })
const created = await souk.trade({
  outTradeNo: 'order-1',
  notifyUrl: 'https://shop.example/callback',
  amount: 1250,
  currency: 'SAR',
  openId: '3123456789abcdef0123456789abcdef',
})
const trade = await souk.waitForTrade(created.tradeNo)
assert.equal(trade.transactionStatus, transactionStatus.failed)
const status: 2 | 3 | 4 | 5 | 6 = trade.transactionStatus
assert.equal(failReasonTypes[27], 'Transaction failed')

const file = await souk.fileUpload(new TextEncoder().encode('an image'))
assert.equal(file.url, 'https://souk.example/a.png')

await assert.rejects(
  souk.tradeclose(tradeNo),
  (error) => error instanceof SoukApiError && error.code === 'capability_missing',
)

const { body, headers } = souk.callbacks.signTestCallback({ transactionStatus: status, failReasonType: 27 })
assert.equal(souk.callbacks.verify(body, headers).transactionStatus, 3)

// The following lines must not compile.
// @ts-expect-error amount is in cents, as a number
void (() => souk.trade({ outTradeNo: 'o', notifyUrl: 'u', amount: '12.50', currency: 'SAR', openId: 'o' }))
// @ts-expect-error openIds is missing
void (() => souk.sendNotify({ title: 't', text: 't', navigateType: '1', language: 'en_US' }))

server.close()
console.log('the consumer is content')
