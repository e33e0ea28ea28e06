import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Driver, startDriver } from './driver.ts'
import { languages, typescript } from './languages.ts'

interface Case {
  readonly name: string
  readonly call: string
  readonly parameters: object
  /** The result as JSON text, which can have numbers that no client reads. */
  readonly response: string
  readonly result?: object
  readonly path?: string
  readonly reason?: string
}

const table = join(import.meta.dirname, '../../packages/contract/vectors/results.json')
const { cases } = JSON.parse(readFileSync(table, 'utf8')) as { cases: readonly Case[] }

describe.each([typescript, ...languages])('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'decodes' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let server: Server
      let folder: string
      let client: Driver
      let response = ''

      beforeAll(async () => {
        server = createServer((request, answer) => {
          const isOpen = request.url?.startsWith('/neuopenapi')
          answer.setHeader('Content-Type', 'application/json')
          answer.end(isOpen ? `{"responseHeader":{"status":200,"msg":"OK"},"response":${response}}` : response)
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        folder = await mkdtemp(join(tmpdir(), 'souk-sdk-'))
        client = startDriver(language.driver(folder), {
          SOUK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          SOUK_APPID: 'aaaaaaaaaaaaaaa',
          SOUK_SECRET: '0'.repeat(48),
          SOUK_API_KEY: 'key',
        })
      }, minute)
      afterAll(async () => {
        await client?.close()
        server?.closeAllConnections()
        server?.close()
        await rm(folder, { recursive: true, force: true })
      })

      test.each(cases)('$name', async ({ call, parameters, response: text, result, path, reason }) => {
        response = text
        const answer = await client.call(call, parameters)
        if (path === undefined) {
          expect(answer.error).toBeUndefined()
          expect(withoutNulls(answer.result)).toEqual(result)
        } else {
          const message = `${call} returned an invalid result: ${path} ${reason}.`
          expect(answer.error).toMatchObject({ kind: 'response', path, message })
        }
      })
    },
  )
})

/** Removes the nulls of models, of which some clients write none. Lists keep theirs. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]))
}
