import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hour, minute, second } from '@souk/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { soukSandbox } from '../../../packages/conformance/src/sandbox.ts'
import { Souk } from '../../../packages/sdk/src/index.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { type RunningServer, startServer } from './server.ts'

const [libfaketime] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
const reason = libfaketime ? '' : ' (skipped: needs apt-get install faketime)'

/** Two processes of an installation. The second one runs the jobs, and has a clock that the tests set. */
describe.skipIf(!libfaketime)(`a process whose clock is set${reason}`, () => {
  let folder: string
  let database: FreshDatabase
  let right: RunningServer
  let wrong: RunningServer
  let createTrade: () => Promise<string>

  const clockFile = () => join(folder, 'clock')
  const setClock = (ahead: number) => writeFile(clockFile(), `${ahead < 0 ? '' : '+'}${ahead / second}\n`)
  const env = () => ({ DATABASE_URL: database.url, SOUK_MASTER_KEY: 'ab'.repeat(32), SOUK_DRAIN_DELAY: '0' })
  const startWrong = () =>
    startServer({
      env: {
        ...env(),
        LD_PRELOAD: libfaketime!,
        FAKETIME_TIMESTAMP_FILE: clockFile(),
        FAKETIME_NO_CACHE: '1',
        // Nobody sets it.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
      endpoint: '/healthz',
    })
  const readiness = async ({ url }: RunningServer) => (await fetch(`${url}/readyz`)).status

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'souk-clock-'))
    database = await freshDatabase()
    right = await startServer({ env: { ...env(), SOUK_ROLE: 'api' } })
    const sandbox = soukSandbox(right.url, right.adminToken)
    const app = await sandbox.createApp('Tea')
    const souk = new Souk({ baseUrl: right.url, ...app })
    const uid = await sandbox.createUser({ nickname: 'Layla' })
    const { accessToken } = await souk.accessToken({ code: await sandbox.createCode(app.appid, uid, 'user.info') })
    const { openId } = await souk.userInfo(accessToken)
    let trades = 0
    createTrade = async () => {
      const outTradeNo = String(++trades)
      const order = { outTradeNo, amount: 100, currency: 'SAR', openId, notifyUrl: 'http://127.0.0.1:9/' } as const
      return (await souk.trade(order)).tradeNo
    }
  }, 2 * minute)
  afterEach(async () => {
    await wrong.stop()
    await database.sql`delete from trades`
    await database.sql`delete from callbacks`
  })
  afterAll(async () => {
    await right.stop()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const statusesOf = async (...trades: string[]) =>
    Promise.all(
      trades.map(async (tradeNo) => {
        const [trade] = await database.sql`select transaction_status as status from trades where trade_no = ${tradeNo}`
        return trade!.status
      }),
    )
  const countWorkers = async () => (await database.sql`select from worker_heartbeats`).length
  const countLogged = (message: string) => wrong.log().split(message).length - 1
  const patient = { timeout: 30 * second }

  test.each([3 * hour, -3 * hour])(
    'by %i ms while it runs starts nothing that depends on time, is not ready, and resumes by itself',
    async (ahead) => {
      await setClock(0)
      wrong = await startWrong()
      await expect.poll(countWorkers, patient).toBe(1)
      const open = await createTrade()
      const due = await createTrade()

      await setClock(ahead)
      await expect.poll(() => readiness(wrong), patient).toBe(503)
      await expect.poll(countWorkers, patient).toBe(0)
      await database.sql`update trades set time_expire = ${Date.now() - minute} where trade_no = ${due}`
      expect(await readiness(right)).toBe(200)
      expect(await statusesOf(open, due)).toEqual([1, 1])
      expect(await database.sql`select from callbacks`).toHaveLength(0)

      await setClock(0)
      await expect.poll(() => readiness(wrong), patient).toBe(200)
      await expect.poll(() => statusesOf(open, due), patient).toEqual([1, 4])
      expect(countLogged('The clock of this process')).toBe(1)
      expect(countLogged('agree again')).toBe(1)
    },
    2 * minute,
  )

  test(
    'before it starts runs no jobs until the clock is right',
    async () => {
      await setClock(3 * hour)
      wrong = await startWrong()
      expect(await readiness(wrong)).toBe(503)
      expect(await countWorkers()).toBe(0)
      const refusal = await fetch(`${wrong.url}/neuopenapi/pay/transactions/tradeclose`, { method: 'POST' })
      expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '10'])
      await setClock(0)
      await expect.poll(countWorkers, patient).toBe(1)
      expect(await readiness(wrong)).toBe(200)
    },
    2 * minute,
  )
})
