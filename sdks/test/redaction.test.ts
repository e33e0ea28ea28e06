import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
import { markedNumber, secretOperations } from '../../packages/sdk/test/secretOperations.ts'
import { clientSources } from '../generate.ts'
import { describe as describeOperations } from '../generator/model.ts'
import { pascalCase } from '../generator/text.ts'
import { type Language, languages, newestGo } from './languages.ts'

/** A line that the program of a language prints: an object or an error, in every way that the language can write it. */
interface Printed {
  readonly about: string
  readonly type: string
  readonly texts: Readonly<Record<string, string>>
}

const run = promisify(execFile)

/** The contract with operations that the clients do not know: nothing about their secrets is written by hand. */
const description = describeOperations({
  open: [...Object.values(openOperations), secretOperations.open],
  platform: [...Object.values(platformOperations), secretOperations.platform],
})
const { models, open, platform } = description
const calls = [...open, ...platform]

/** Names of fields that are never logged, by model and by the types of parameters in Go and Java. */
const secretFields = Object.fromEntries([
  ...models.map(({ name, fields }) => [name, fields.filter(({ secret }) => secret).map((field) => field.name)]),
  ...calls.flatMap(({ name, secrets }) =>
    ['Params', 'Parameters'].map((kind) => [`${pascalCase(name)}${kind}`, secrets]),
  ),
])

/** Copies a client to a folder, and generates it for the contract with more operations. */
async function copyClient({ folder: name }: Language, folder: string): Promise<string> {
  const client = join(folder, name)
  await cp(join(import.meta.dirname, '..', name), client, {
    recursive: true,
    filter: (path) => !/\/(target|__pycache__)$/.test(path),
  })
  for (const [path, text] of Object.entries(clientSources(description))) {
    if (!path.startsWith(`sdks/${name}/`)) continue
    const target = join(folder, path.slice('sdks/'.length))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
  }
  return client
}

test('the contract declares which fields of models and which parameters are secret', () => {
  expect(secretFields).toMatchObject({
    AccessToken: ['accessToken'],
    UserProfile: ['nickName', 'avatar', 'email', 'country', 'phone', 'attributes'],
    TradeDetail: [],
  })
  const operations = [openOperations, platformOperations, secretOperations].flatMap((all) => Object.values(all))
  const found = new Set(Object.values(secretFields).flat())
  const declared = operations.flatMap(({ redact }) => redact)
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
          number: markedNumber,
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
        const { command, args, cwd, env } = language.redaction(await copyClient(language, folder))
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
            const forbidden = [String(markedNumber), markedNumber.toString(16), ...server.signs]
            const leaks = text.toUpperCase().includes(marker) || forbidden.some((secret) => text.includes(secret))
            if (leaks) found.push(`${about}: ${type} as ${way}: ${text.slice(0, 500)}`)
          }
        }
        expect(found.slice(0, 20)).toEqual([])
        expect(server.signs.size).toBeGreaterThan(20)
      })

      test.skipIf(language.name !== 'Go' || newestGo === 'go')(
        'prints nothing with log/slog, either (needs Go 1.21, such as golang-1.22-go from the backports of Debian)',
        () => {
          for (const { texts } of printed) expect(Object.keys(texts)).toEqual(expect.arrayContaining(['slog JSON']))
        },
      )

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
