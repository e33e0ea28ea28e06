import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Driver, startDriver } from './driver.ts'
import { languages, typescript } from './languages.ts'

let fake: ChildProcess
let shown: { url: string; appid: string; secret: string; uid: number }
let backend: Server
let folder: string
const received: { body: string; headers: Record<string, string> }[] = []

/** Starts `souk fake`, as tests of a backend do, and a backend that receives its callbacks. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-fake-'))
  const souk = join(import.meta.dirname, '../../packages/cli/src/main.ts')
  const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
  fake = spawn(process.execPath, [...flags, souk, 'fake', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  shown = JSON.parse(String((await createInterface(fake.stdout!)[Symbol.asyncIterator]().next()).value))
  backend = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    received.push({ body, headers: request.headers as Record<string, string> })
    response.end('success')
  }).listen(0, '127.0.0.1')
  await once(backend, 'listening')
}, minute)
afterAll(async () => {
  fake.kill()
  backend.close()
  await rm(folder, { recursive: true })
})

async function control(path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${shown.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return response.json() as Promise<Record<string, string>>
}

async function nextCallback() {
  await expect.poll(() => received.length).toBe(1)
  return received.pop()!
}

describe.each([typescript, ...languages])('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'with a fake server' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let driver: Driver
      beforeAll(() => {
        driver = startDriver(language.driver(folder), {
          SOUK_URL: shown.url,
          SOUK_APPID: shown.appid,
          SOUK_SECRET: shown.secret,
          SOUK_API_KEY: 'key',
        })
      }, 10 * minute)
      afterAll(() => driver?.close())

      async function ok(name: string, parameters: object) {
        const { result, error } = await driver.call(name, parameters)
        expect(error).toBeUndefined()
        return result
      }

      test(
        'signs in, is paid and refunded, and verifies both results',
        async () => {
          const { uid, appid } = shown
          const { code } = await control('/console/v1/sandbox/codes', { appid, uid, scope: 'user.info' })
          const { accessToken } = await ok('accessToken', { code })
          const { openId, nickName } = await ok('userInfo', { accessToken })
          expect(nickName).toBe('Layla')

          const notifyUrl = `http://127.0.0.1:${(backend.address() as AddressInfo).port}/`
          const outTradeNo = `order-${language.name}`
          const { tradeNo } = await ok('trade', { outTradeNo, notifyUrl, amount: 1250, currency: 'SAR', openId })
          expect(await ok('tradedetail', { tradeNo })).toMatchObject({ transactionStatus: 1, outTradeNo })
          await control('/console/v1/sandbox/payments', { tradeNo, uid })
          expect(await ok('waitForTrade', { tradeNo })).toMatchObject({ transactionStatus: 2, amount: 1250 })
          const payment = await ok('verifyCallback', await nextCallback())
          expect(payment).toMatchObject({ tradeNo, transactionStatus: 2, amount: 1250 })

          const refund = { tradeNo, outRefundNo: `refund-${language.name}`, amount: 400, notifyUrl }
          const { refundNo } = await ok('refund', refund)
          expect(await ok('refunddetail', { refundNo })).toMatchObject({ refundStatus: 2, amount: 400 })
          expect(await ok('verifyRefund', await nextCallback())).toMatchObject({ refundNo, refundStatus: 2 })

          const note = { openIds: [openId], title: language.name, text: 'Thank you', navigateType: '1' }
          expect(await ok('sendNotify', { ...note, language: 'en_US' })).toBe(true)
          const inbox = await fetch(`${shown.url}/console/v1/sandbox/users/${uid}/inbox`)
          expect(((await inbox.json()) as object[])[0]).toMatchObject({ title: language.name })
        },
        minute,
      )

      test('repeats a call that fails on demand', async () => {
        await control('/fake/failures', { operation: 'tradedetail', code: 'internal' })
        const { error } = await driver.call('tradedetail', { tradeNo: '0'.repeat(32) })
        expect(error).toMatchObject({ kind: 'api', status: 404, code: 'trade_not_found' })
      })
    },
  )
})
