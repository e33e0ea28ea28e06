import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Driver, startDriver } from './driver.ts'
import { languages, typescript } from './languages.ts'

/** Timeout of the clients in s. */
const timeout = 1

/** Sends lines for twice the timeout, and stalls at paths with `stalled`. */
function createSlowServer(): Server {
  return createServer(async ({ url = '' }, response) => {
    response.writeHead(200, { 'Content-Type': url.includes('stalled') ? 'text/csv' : 'application/x-ndjson' })
    const isStream = url.includes('/datasets/')
    for (let n = 0; n < 10; n++) {
      response.write(isStream ? 'tea\n' : ' ')
      await wait((timeout * 1000) / 5)
    }
    if (!url.includes('stalled')) response.end()
  })
}

describe.each([typescript, ...languages])('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'with a slow server' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let server: Server
      let folder: string
      let client: Driver

      beforeAll(async () => {
        server = createSlowServer()
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        folder = await mkdtemp(join(tmpdir(), 'souk-sdk-'))
        client = startDriver(language.driver(folder), {
          SOUK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          SOUK_APPID: 'aaaaaaaaaaaaaaa',
          SOUK_SECRET: '0'.repeat(48),
          SOUK_API_KEY: 'key',
          SOUK_TIMEOUT: String(timeout),
        })
      }, minute)
      afterAll(async () => {
        await client?.close()
        server?.closeAllConnections()
        server?.close()
        await rm(folder, { recursive: true, force: true })
      })

      test('reads an export that takes longer than the timeout', async () => {
        const { result } = await client.call('exportRecords', { datasetId: 'slow', format: 'ndjson' })
        expect(result).toBe('tea\n'.repeat(10))
      })

      test('ends an export when the server is silent for the timeout', async () => {
        const started = performance.now()
        const { error } = await client.call('exportRecords', { datasetId: 'stalled', format: 'csv' })
        expect(error).toMatchObject({ kind: 'connection' })
        expect(error!.message).toMatch(/silent for|within|deadline/)
        expect(performance.now() - started).toBeLessThan(20_000)
      })

      test('bounds an attempt of which bytes arrive one by one', async () => {
        const started = performance.now()
        const { error } = await client.call('tradedetail', { tradeNo: 'slow' })
        expect(error).toMatchObject({ kind: 'connection', notSent: false })
        // Three attempts and the delays between them.
        expect(performance.now() - started).toBeLessThan(20_000)
      })
    },
  )
})
