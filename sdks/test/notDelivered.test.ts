import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Driver, startDriver } from './driver.ts'
import { languages, typescript } from './languages.ts'

/** A response: its body, and what differs from a usual one. */
interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

const message = {
  openIds: ['0'.repeat(32)],
  title: 'Paid',
  text: 'Thank you',
  navigateType: '1',
  language: 'en_US',
}

/** Returns a successful response with `notDelivered` as JSON text, which can have numbers that no client reads. */
const sent = (notDelivered: string, response = 'true'): Answer => ({
  body: `{"responseHeader":{"status":200,"msg":"OK","notDelivered":${notDelivered}},"response":${response}}`,
})

/** What is reported for `notDelivered` of a response; undefined if nothing is. */
const cases: readonly (readonly [notDelivered: string, reported: { count: number; reasons: object } | undefined])[] = [
  ['{"count":3,"reasons":{"off":2,"daily_limit":1}}', { count: 3, reasons: { off: 2, daily_limit: 1 } }],
  ['{"count":1,"reasons":{"asleep":1}}', { count: 1, reasons: { asleep: 1 } }],
  ['{"count":1,"reasons":{"off":1},"since":{}}', { count: 1, reasons: { off: 1 } }],
  ['{"count":2.0,"reasons":{"off":2.0}}', { count: 2, reasons: { off: 2 } }],
  ['{"reasons":{"off":2,"unknown":1}}', { count: 3, reasons: { off: 2, unknown: 1 } }],
  ...['null', '"3"', '1.5', '-1', '0', 'true', '[]', '{}', '1e400', '2147483648'].map(
    (count) => [`{"count":${count},"reasons":{"off":2}}`, { count: 2, reasons: { off: 2 } }] as const,
  ),
  ['{"count":2}', { count: 2, reasons: {} }],
  ...['null', '"off"', '2', 'true', '[]', '[2]', '{}', '{"off":0}'].map(
    (reasons) => [`{"count":2,"reasons":${reasons}}`, { count: 2, reasons: {} }] as const,
  ),
  ...['null', '"1"', '1.5', '-1', '0', 'true', '[]', '{}', '1e400', '2147483648'].map(
    (number) => [`{"count":2,"reasons":{"off":2,"other":${number}}}`, { count: 2, reasons: { off: 2 } }] as const,
  ),
  ...['null', 'true', '3', '"off"', '[]', '[1]', '{}', '{"count":0}', '{"count":0,"reasons":{"off":0}}'].map(
    (notDelivered) => [notDelivered, undefined] as const,
  ),
]

describe.each([typescript, ...languages])('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'reports' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let server: Server
      let folder: string
      let client: Driver
      let answers: Answer[] = []
      let requests = 0

      beforeAll(async () => {
        server = createServer((request, response) => {
          requests++
          const { status = 200, headers, body } = answers.shift()!
          request.resume().on('end', () => {
            response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
          })
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        folder = await mkdtemp(join(tmpdir(), 'souk-sdk-'))
        client = startDriver(language.driver(folder), {
          SOUK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          SOUK_APPID: 'aaaaaaaaaaaaaaa',
          SOUK_SECRET: '0'.repeat(48),
          SOUK_API_KEY: 'key',
        })
      })
      afterAll(async () => {
        await client?.close()
        server?.closeAllConnections()
        server?.close()
        await rm(folder, { recursive: true, force: true })
      })
      beforeEach(() => {
        requests = 0
      })

      /** Makes a call that gets these responses, and returns its answer and what was reported during it. */
      async function call(name: string, parameters: object, ...given: Answer[]) {
        answers = given
        const answer = await client.call(name, parameters)
        const { result } = await client.call('notDelivered', {})
        return { ...answer, reported: result as object[] }
      }

      test.each(cases)('%s', async (notDelivered, found) => {
        const { result, error, reported } = await call('sendNotify', message, sent(notDelivered))
        expect([result, error, requests]).toEqual([true, undefined, 1])
        expect(reported).toEqual(found ? [{ ...found, operation: 'sendNotify' }] : [])
      })

      test('once after retries, for the response that is the result', async () => {
        const busy = { status: 503, body: '' }
        // The result of a request of another process, which has the same sign.
        const foreign = { ...sent('{"count":1,"reasons":{"off":1}}'), headers: { 'Idempotent-Replayed': 'true' } }
        const last = sent('{"count":2,"reasons":{"off":2}}')
        const { result, reported } = await call('sendNotify', message, foreign, busy, last)
        expect([result, requests]).toEqual([true, 3])
        expect(reported).toEqual([{ count: 2, reasons: { off: 2 }, operation: 'sendNotify' }])
      })

      test('nothing for an error response or an invalid result', async () => {
        const found = '{"count":2,"reasons":{"off":2}}'
        const header = `{"status":400,"msg":"No.","code":"parameter_invalid","notDelivered":${found}}`
        const refused = { status: 400, body: `{"responseHeader":${header},"response":null}` }
        expect(await call('sendNotify', message, refused)).toMatchObject({ error: { kind: 'api' }, reported: [] })
        const foreign = await call('sendNotify', message, sent(found, '{}'))
        expect(foreign).toMatchObject({ error: { kind: 'api' }, reported: [] })
        const order = {
          outTradeNo: 'order-1',
          notifyUrl: 'http://127.0.0.1:9/paid',
          amount: 1250,
          currency: 'SAR',
          openId: '0'.repeat(32),
        }
        const invalid = await call('trade', order, sent(found, '{"outTradeNo":"order-1","tradeNo":5}'))
        expect(invalid).toMatchObject({ error: { kind: 'response', path: 'tradeNo' }, reported: [] })
      })

      test('to a function whose failure reaches the caller, and sends nothing again', async () => {
        await client.call('failOnNotDelivered', { fails: true })
        const found = sent('{"count":2,"reasons":{"off":2}}')
        const { error, reported } = await call('sendNotify', message, found, found, found)
        await client.call('failOnNotDelivered', { fails: false })
        expect(error).toMatchObject({ kind: 'connection', notSent: true })
        expect(error!.message).toContain('the callback failed')
        expect([requests, reported.length]).toEqual([1, 1])
      })
    },
  )
})
