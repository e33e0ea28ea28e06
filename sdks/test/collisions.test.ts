import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, soukSandbox } from '@souk/conformance'
import { minute } from '@souk/contract'
import { Souk } from '@souk/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../../apps/server/test/souk.ts'
import { type Driver, startDriver } from './driver.ts'
import { type FaultyProxy, startFaultyProxy } from './faultyProxy.ts'
import { languages, typescript } from './languages.ts'

/** Pairs of requests at the same time, for each way to make them. */
const pairs = 100

describe.each([typescript, ...languages])('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'beside others of the mini app' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let souk: TestSouk
      let sandbox: Sandbox
      let proxy: FaultyProxy
      let folder: string
      let processes: [Driver, Driver]
      let createTrade: () => Promise<string>
      let notification: Record<string, unknown>
      let uid: number
      let created = 0

      beforeAll(async () => {
        souk = await startTestSouk()
        sandbox = soukSandbox(souk.url, souk.adminToken)
        const app = await sandbox.createApp('Teas')
        uid = await sandbox.createUser({ nickname: 'Layla' })
        proxy = await startFaultyProxy(souk.url)
        folder = await mkdtemp(join(tmpdir(), 'souk-sdk-'))
        const program = language.driver(folder)
        const settings = { SOUK_APPID: app.appid, SOUK_SECRET: app.secret, SOUK_API_KEY: 'unused' }
        processes = [proxy.url, souk.url].map((url) => startDriver(program, { ...settings, SOUK_URL: url })) as never
        const client = new Souk({ baseUrl: souk.url, ...app })
        const { accessToken } = await client.accessToken({ code: await sandbox.createCode(app.appid, uid) })
        const { openId } = await client.userInfo(accessToken)
        const order = { notifyUrl: 'http://127.0.0.1:9/', amount: 100, currency: 'SAR', openId } as const
        createTrade = async () => (await client.trade({ ...order, outTradeNo: `${++created}` })).tradeNo
        notification = { openIds: [openId], title: 'Tea', text: 'It is ready', navigateType: '1', language: 'en_US' }
      }, 2 * minute)
      afterAll(async () => {
        for (const process of processes ?? []) await process.close()
        await proxy?.close()
        await souk?.stop()
        await rm(folder, { recursive: true, force: true })
      })
      afterEach(() => {
        proxy.faults.length = 0
        proxy.seen.length = 0
      })

      const count = async () => {
        const [row] = await souk.context.sql<{ n: number }[]>`select count(*)::int as n from notifications`
        return row!.n
      }
      const ok = async (answer: ReturnType<Driver['call']>) => expect((await answer).error).toBeUndefined()

      test('queries and closes trades at the same time as another client', { timeout: 2 * minute }, async () => {
        const [first] = processes
        for (let n = 0; n < pairs; n++) await ok(first.call('queryAndClose', { tradeNo: await createTrade() }))
      })

      test('queries and closes trades at the same time as another process', { timeout: 2 * minute }, async () => {
        const [first, second] = processes
        for (let n = 0; n < pairs; n++) {
          const tradeNo = await createTrade()
          await Promise.all([ok(first.call('tradedetail', { tradeNo })), ok(second.call('tradeclose', { tradeNo }))])
        }
      })

      test('sends each of many notifications with the same text', { timeout: 2 * minute }, async () => {
        const before = await count()
        for (let n = 0; n < pairs; n++) {
          await Promise.all(processes.map((process) => ok(process.call('notifyTwice', notification))))
        }
        expect((await count()) - before).toBe(4 * pairs)
      })

      test('signs again what Souk did not execute because another request has the same sign', async () => {
        const [first] = processes
        const tradeNo = await createTrade()
        const body = '{"responseHeader":{"status":409,"code":"sign_reused","msg":"The sign is used."},"response":null}'
        proxy.faults.push({ status: 409, body }, { status: 409, body })
        await ok(first.call('tradeclose', { tradeNo }))
        expect(new Set(proxy.seen.map(({ parameters }) => parameters.sign)).size).toBe(3)
        proxy.seen.length = 0
        proxy.faults.push(...Array.from({ length: 6 }, () => ({ status: 409, body })))
        expect((await first.call('tradeclose', { tradeNo })).error).toMatchObject({ code: 'sign_reused' })
        expect(proxy.seen).toHaveLength(6)
      })

      test('sends a notification again that was taken for that of another process, but no retry', async () => {
        const [first] = processes
        const body = '{"responseHeader":{"status":200,"msg":"OK"},"response":true}'
        const replayed = { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body }
        proxy.faults.push(replayed)
        await ok(first.call('sendNotify', notification))
        expect(new Set(proxy.seen.map(({ parameters }) => parameters.sign)).size).toBe(2)
        proxy.seen.length = 0
        proxy.faults.push('break', replayed)
        await ok(first.call('sendNotify', notification))
        expect(proxy.seen).toHaveLength(2)
      })
    },
  )
})
