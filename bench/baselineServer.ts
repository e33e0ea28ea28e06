// The baseline for tradedetail: a bare node:http server in its own process that verifies the sign, runs the same select
// with the same driver and pool, and writes the same envelope. It checks nothing else and has neither logs nor metrics.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse } from 'node:querystring'
import { connect } from '../apps/server/src/kernel/db/pool.ts'

const [url = '', appid = '', secret = ''] = process.argv.slice(2)
const sql = connect(url)

function verified(query: Record<string, string | string[] | undefined>): boolean {
  const canonical = Object.entries({ ...query, secret })
    .filter(([name]) => name !== 'sign')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('')
  const sign = Buffer.from(String(query.sign))
  const expected = Buffer.from(createHash('sha256').update(canonical).digest('hex'))
  return sign.length === expected.length && timingSafeEqual(sign, expected)
}

const server = createServer(async (request, response) => {
  const target = request.url ?? ''
  const query = parse(target.slice(target.indexOf('?') + 1))
  if (query.appid !== appid || !verified(query)) return void response.writeHead(401).end()
  const [trade] = await sql`
    select appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, payer, notify_url,
      time_expire_asked, time_expire, transaction_status, fail_reason_type, pay_type, pay_method, pay_no,
      notify_success, attempt_in_flight, ctime, mtime
    from all_trades where appid = ${appid} and trade_no = ${String(query.tradeNo)}`
  const body = JSON.stringify({ responseHeader: { status: 200, msg: 'OK' }, response: trade })
  response
    .writeHead(trade ? 200 : 404, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
})

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
