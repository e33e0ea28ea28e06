import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openOperations, platformOperations } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type HostileServer,
  invalidBaseUrls,
  marker,
  secrets,
  startHostileServer,
} from '../../packages/sdk/test/hostileServer.ts'
import { describe as describeOperations } from '../generator/model.ts'
import { languages } from './languages.ts'

/** A line that the program of a language prints: an object or an error, in every way that the language can write it. */
interface Printed {
  readonly about: string
  readonly type: string
  readonly texts: Readonly<Record<string, string>>
}

const { models, open, platform } = describeOperations()
const run = promisify(execFile)

/** Names of fields that are never logged, by model. */
const secretFields = Object.fromEntries(
  models.map(({ name, fields }) => [name, fields.filter(({ secret }) => secret).map((field) => field.name)]),
)

test('the contract declares which fields of models and which parameters are secret', () => {
  expect(secretFields).toMatchObject({
    AccessToken: ['accessToken'],
    UserProfile: ['nickName', 'avatar', 'email', 'country', 'phone', 'attributes'],
    TradeDetail: [],
  })
  const found = new Set([...Object.values(secretFields).flat(), ...[...open, ...platform].flatMap((it) => it.secrets)])
  const declared = [...Object.values(openOperations), ...Object.values(platformOperations)].flatMap((it) => it.redact)
  expect([...found].sort()).toEqual([...new Set(declared)].sort())
})

describe.each(languages)('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'with a hostile server' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let server: HostileServer
      let folder: string
      let printed: Printed[]

      beforeAll(async () => {
        server = await startHostileServer()
        folder = await mkdtemp(join(tmpdir(), 'souk-redaction-'))
        const settings = {
          marker,
          secrets,
          appid: 'aaaaaaaaaaaaaaa',
          tradeNo: '2123456789abcdef0123456789abcdef',
          urls: server.urls,
          invalidUrls: invalidBaseUrls,
          timeouts: { silent: 0.1 },
          models: secretFields,
          callbacks: [
            '',
            `appid=aaaaaaaaaaaaaaa&sign=${secrets.code}&payNo=${secrets.secret}`,
            `appid=other&sign=${secrets.code}`,
            `sign=%${secrets.secret}`,
            `sign=${secrets.code}&sign=${secrets.secret}`,
            `{"sign":"${secrets.code}"}`,
          ],
        }
        const { command, args, cwd, env } = language.redaction(folder)
        const { stdout } = await run(command, args, {
          cwd,
          env: { PATH: process.env.PATH, ...env, REDACTION: JSON.stringify(settings) },
          maxBuffer: 2 ** 28,
        })
        printed = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Printed)
      })
      afterAll(async () => {
        await server?.close()
        await rm(folder, { recursive: true, force: true })
      })

      test('prints no secret, no sign and no query of a URL in any object or error', () => {
        const found: string[] = []
        for (const { about, type, texts } of printed) {
          for (const [way, text] of Object.entries(texts)) {
            const leaks = text.toUpperCase().includes(marker) || [...server.signs].some((sign) => text.includes(sign))
            if (leaks) found.push(`${about}: ${type} as ${way}: ${text.slice(0, 500)}`)
          }
        }
        expect(found.slice(0, 20)).toEqual([])
        expect(server.signs.size).toBeGreaterThan(20)
      })

      test('says where a redirect leads', () => {
        const { texts } = printed.find(({ about }) => about === 'userInfo redirect')!
        expect(Object.values(texts).join()).toContain('redirects to https://elsewhere.example/sign-in; ')
      })

      test('was asked to print every public type', () => {
        const types = new Set(printed.map(({ type }) => type))
        expect(language.publicTypes().filter((name) => !types.has(name))).toEqual([])
        for (const { name } of models) expect(types).toContain(name)
      })
    },
  )
})
