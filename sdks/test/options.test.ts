import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FaultServer, startFaultServer } from '../faults/server.ts'
import { type Call, calls, faults, id, long } from '../faults/table.ts'
import { type Driver, startDriver } from './driver.ts'
import { languages, typescript } from './languages.ts'

/** Options of a call, and how it ends at a fault. */
const cases: readonly {
  name: string
  fault: string
  /** The timeout is in s. */
  options: { timeout?: number; maxRetries?: number }
  requests: Readonly<Record<Call, number>>
  error: object
}[] = [
  {
    name: 'no retry',
    fault: 'failed',
    options: { maxRetries: 0 },
    requests: { tradedetail: 1, deleteDataset: 1 },
    error: { kind: 'api', status: 500 },
  },
  {
    name: 'one retry',
    fault: 'alwaysLimited',
    options: { maxRetries: 1 },
    requests: { tradedetail: 2, deleteDataset: 2 },
    error: { kind: 'api', status: 429 },
  },
  {
    name: 'a short timeout',
    fault: 'slow',
    options: { timeout: 0.2, maxRetries: 0 },
    requests: { tradedetail: 1, deleteDataset: 1 },
    error: { kind: 'connection', notSent: false, message: expect.stringMatching(/within|deadline/) },
  },
]

const slow = faults.find(({ id }) => id === 'slow')!
/** PHP cannot do anything else during a call. That for Python is AsyncSouk. */
const cancelable = ['TypeScript', 'Python', 'Go', 'Java']

describe.each([typescript, ...languages])('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'with options of a call' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let folder: string
      let server: FaultServer
      let driver: Driver
      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'souk-options-'))
        server = await startFaultServer((times) => times)
        driver = startDriver(language.driver(folder), {
          SOUK_URL: 'http://127.0.0.1:9',
          SOUK_APPID: 'aaaaaaaaaaaaaaa',
          SOUK_SECRET: '0'.repeat(48),
          SOUK_API_KEY: 'key',
        })
      }, 10 * minute)
      afterAll(async () => {
        await driver?.close()
        await server?.close()
        await rm(folder, { recursive: true, force: true })
      })

      test.each(cases.flatMap((one) => calls.map((call) => ({ ...one, call }))))(
        '$name: $call',
        async ({ fault: faultId, options, requests, error, call }) => {
          const fault = faults.find((one) => one.id === faultId)!
          // The client itself would wait for long, and repeat twice.
          const given = { url: server.urlFor(fault, call), timeout: long, times: 1, call, id, options }
          const { result } = await driver.call('atOnce', given)
          expect(result).toMatchObject([{ error }])
          await expect.poll(() => server.seenOf(fault, call).requests).toBe(requests[call])
        },
        minute,
      )

      test.skipIf(!cancelable.includes(language.name))(
        'ends a call that is canceled, and its request',
        async () => {
          expect((await driver.call('cancel', { url: server.urlFor(slow, 'tradedetail'), id })).result).toBe(true)
          await expect.poll(() => server.seenOf(slow, 'tradedetail').held).toBe(0)
        },
        minute,
      )
    },
  )
})
