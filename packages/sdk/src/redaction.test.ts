import { inspect } from 'node:util'
import { type Operation, openOperations, platformOperations } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostileServer, invalidBaseUrls, marker, secrets, startHostileServer } from '../test/hostileServer.ts'
import { markedNumber, secretOperations, secretResult } from '../test/secretOperations.ts'
import { decodeResult } from './decode.ts'
import * as sdk from './index.ts'
import { hideFromInspection } from './redaction.ts'
import type { Fetch } from './runtime.ts'

const { Souk, SoukPlatform } = sdk
const appid = 'aaaaaaaaaaaaaaa'
const tradeNo = '2123456789abcdef0123456789abcdef'

let server: HostileServer
beforeAll(async () => {
  server = await startHostileServer()
})
afterAll(() => server.close())

/** Every way in which JavaScript writes a value as text. */
function textsOf(value: unknown): string[] {
  const chain: unknown[] = []
  for (let next = value; next !== undefined && !chain.includes(next); next = (next as { cause?: unknown })?.cause) {
    chain.push(next)
  }
  return chain.flatMap((each) => [
    String(each),
    inspect(each, { depth: 9 }),
    inspect({ nested: [each] }, { depth: 9, showHidden: true }),
    JSON.stringify(each) ?? '',
    ...(each instanceof Error
      ? [each.stack ?? '', JSON.stringify(each, Object.getOwnPropertyNames(each)), inspect(Object.entries(each))]
      : []),
  ])
}

function expectNoSecret(value: unknown, about: string): void {
  for (const text of textsOf(value)) {
    expect(text.toUpperCase(), about).not.toContain(marker)
    for (const sign of server.signs) expect(text, about).not.toContain(sign)
  }
}

/** A `fetch` whose errors contain the request, as those of other implementations do. */
const talkativeFetch: Fetch = async (url, init) => {
  const error = Object.assign(new Error(`request to ${url} failed`), { config: { url, ...init }, code: 'ECONNRESET' })
  throw new Error('failed', { cause: Object.assign(error, { cause: `${url} ${init.body}` }) })
}

/** Calls operations that send secrets in all places, and returns their errors. */
async function failures(baseUrl: string, fetch?: Fetch): Promise<[string, unknown][]> {
  const options = {
    baseUrl,
    timeout: baseUrl === server.urls.silent ? 100 : 20_000,
    maxRetries: 0,
    ...(fetch && { fetch }),
  }
  const souk = new Souk({ ...options, appid, secret: secrets.secret })
  const platforms = [{ apiKey: secrets.apiKey }, { token: secrets.token }].map(
    (it) => new SoukPlatform({ ...options, ...it }),
  )
  // Two batches only where the second one fails, because the server repeats them.
  const count = baseUrl === server.urls['second-append'] ? 1001 : 1
  const records = Array.from({ length: count }, () => ({ title: 'tea' }))
  const calls: Record<string, () => Promise<unknown>> = {
    accessToken: () => souk.accessToken({ code: secrets.code }),
    userInfo: () => souk.userInfo(secrets.accessToken),
    tradedetail: () => souk.tradedetail(tradeNo),
    tradeclose: () => souk.tradeclose(tradeNo),
    fileUpload: () => souk.fileUpload(new Uint8Array(8)),
    waitForTrade: () => souk.waitForTrade(tradeNo, { timeout: 0 }),
  }
  for (const [index, platform] of platforms.entries()) {
    calls[`me ${index}`] = () => platform.me()
    calls[`append ${index}`] = () => platform.datasets.append('d', records)
    calls[`export ${index}`] = async () => {
      for await (const _ of platform.datasets.export('d'));
    }
  }
  return Promise.all(
    Object.entries(calls).map(async ([name, call]): Promise<[string, unknown]> => {
      return [name, await call().catch((error) => error)]
    }),
  )
}

test('errors contain no secret and no query of a URL, whatever answers', async () => {
  const seen = new Set<unknown>()
  const { success: _, ...urls } = server.urls
  const results = Object.entries(urls).map(async ([fault, url]) => [fault, await failures(url)] as const)
  for (const [fault, errors] of await Promise.all(results)) {
    for (const [call, error] of errors) {
      // Some results have no numbers.
      if (fault === 'invalid-result' && !(error instanceof Error)) continue
      expect(error, `${call} at ${fault}`).toBeInstanceOf(Error)
      seen.add((error as Error).name)
      expectNoSecret(error, `${call} at ${fault}`)
    }
  }
  for (const [call, error] of await failures('http://127.0.0.1:9', talkativeFetch)) expectNoSecret(error, call)
  expect([...seen].sort()).toEqual([
    'AppendInterruptedError',
    'SoukApiError',
    'SoukConnectionError',
    'SoukResponseError',
    'TradeStillProcessingError',
  ])
})

test('says where a redirect leads, without its query', async () => {
  const souk = new Souk({ baseUrl: server.urls.redirect!, appid, secret: secrets.secret, maxRetries: 0 })
  const error = await souk.userInfo(secrets.accessToken).catch((error) => error)
  expect(error.message).toContain('redirects to https://elsewhere.example/sign-in; ')
})

test('says what an address lacks, without its password and query', async () => {
  for (const baseUrl of invalidBaseUrls) {
    const errors = [
      () => new Souk({ baseUrl, appid, secret: secrets.secret }),
      () => new SoukPlatform({ baseUrl, apiKey: secrets.apiKey }),
    ].map((create) => {
      try {
        create()
      } catch (error) {
        return error
      }
      return undefined
    })
    for (const error of errors) expectNoSecret(error, baseUrl)
    if (errors.includes(undefined)) for (const [call, error] of await failures(baseUrl)) expectNoSecret(error, call)
  }
})

test('clients and errors of settings and callbacks contain no secret', () => {
  const souk = new Souk({ baseUrl: 'http://localhost', appid, secret: secrets.secret })
  const platform = new SoukPlatform({ baseUrl: 'http://localhost', apiKey: secrets.apiKey })
  const instances: unknown[] = [souk, souk.callbacks, platform, platform.datasets, platform.projects]
  for (const wrong of [` ${secrets.secret}`, `${secrets.secret}\n`]) {
    for (const create of [
      () => new Souk({ baseUrl: 'http://localhost', appid, secret: wrong }),
      () => new SoukPlatform({ baseUrl: 'http://localhost', apiKey: wrong }),
      () => new SoukPlatform({ baseUrl: 'http://localhost', token: wrong }),
      () => new SoukPlatform({ baseUrl: 'http://localhost', apiKey: secrets.apiKey, token: secrets.token }),
      () => souk.callbacks.verify(`appid=${appid}&sign=${secrets.secret}&payNo=${secrets.code}`),
      () => souk.callbacks.verify(`sign=%${secrets.secret}`),
      () => souk.callbacks.verify({ sign: secrets.secret, amount: 1 }),
    ]) {
      try {
        create()
        expect.fail('It is accepted')
      } catch (error) {
        instances.push(error)
      }
    }
  }
  for (const each of instances) expectNoSecret(each, String(each))
  const classes = Object.entries(sdk).filter(
    ([, value]) => typeof value === 'function' && /^class /.test(String(value)),
  )
  // Each class is an instance here or an error above, except the one without values.
  expect(classes.map(([name]) => name).sort()).toEqual([
    'AmbiguousParametersError',
    'AppendInterruptedError',
    'CallbackVerificationError',
    'Datasets',
    'Projects',
    'Souk',
    'SoukApiError',
    'SoukConnectionError',
    'SoukPlatform',
    'SoukResponseError',
    'TradeStillProcessingError',
  ])
})

test('printing a result hides the fields that the contract never logs, and JSON keeps them', async () => {
  const options = { baseUrl: server.urls.success!, maxRetries: 0 }
  const souk = new Souk({ ...options, appid, secret: secrets.secret })
  const platform = new SoukPlatform({ ...options, apiKey: secrets.apiKey })
  const text = { openIds: [tradeNo], title: 'a', text: 'b', navigateType: '1' as const, language: 'en' as const }
  const fields = [{ name: 'title', type: 'string' as const }]
  const order = { outTradeNo: '1', notifyUrl: 'http://localhost', amount: 1, currency: 'SAR' as const, openId: tradeNo }
  const activity = { activityId: '1', openIds: [tradeNo], color: 'FF8800', templateId: 'a', title: 'a', text: 'b' }
  const calls: Record<string, () => Promise<unknown>> = {
    accessToken: () => souk.accessToken({ code: secrets.code }),
    userInfo: () => souk.userInfo(secrets.accessToken),
    trade: () => souk.trade(order),
    tradedetail: () => souk.tradedetail(tradeNo),
    tradeclose: () => souk.tradeclose(tradeNo),
    sendNotify: () => souk.sendNotify(text),
    sendActivity: () => souk.sendActivity({ ...activity, iconUrl: '', status: 1, validityTime: 1, language: 'en' }),
    fileUpload: () => souk.fileUpload(new Uint8Array(8)),
    whoAmI: () => platform.me(),
    pageProjects: () => platform.projects.list(),
    readProject: () => platform.projects.get('p'),
    listDatasets: () => platform.datasets.list(),
    createDataset: () => platform.datasets.create({ projectId: 'p', name: 'd', fields }),
    getDataset: () => platform.datasets.get('d'),
    deleteDataset: () => platform.datasets.delete('d'),
    listRecords: () => platform.datasets.page('d'),
    exportRecords: () => platform.datasets.exportStream('d'),
    appendRecords: () => platform.datasets.append('d', [{ title: 'tea' }]),
    deleteRecords: () => platform.datasets.deleteRecords('d', 'recordId=1'),
  }
  const operations: Record<string, Operation> = { ...openOperations, ...platformOperations }
  for (const [client, declared] of [
    [souk, openOperations],
    [platform, platformOperations],
  ] as const) {
    const methods = client as unknown as Record<string, (parameters: object) => Promise<unknown>>
    for (const { id, path, example } of Object.values<Operation>(declared)) {
      const inPath = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'p']))
      calls[id] ??= () => methods[id]!({ ...inPath, ...example })
    }
  }
  // The iterators read with the other methods.
  const iterators = ['iterate', 'records', 'export']
  const written = Object.values(calls).join()
  for (const { prototype } of [sdk.SoukPlatform, sdk.Projects, sdk.Datasets]) {
    const own = Object.getOwnPropertyNames(prototype).filter((name) => ![...iterators, 'constructor'].includes(name))
    for (const name of own) expect(written).toContain(`.${name}(`)
  }
  for (const [name, call] of Object.entries(calls)) {
    const result = await call()
    const printed = [String(result), inspect(result, { depth: 9 }), inspect([{ result }], { depth: 9 })]
    for (const each of printed) expect(each, name).not.toContain(marker)
    expect(JSON.stringify(result).includes(marker), name).toBe(
      JSON.stringify(operations[name]!.result).match(
        new RegExp(`"(${operations[name]!.redact.join('|') || '-'})":`),
      ) !== null,
    )
  }
  expect(inspect(await souk.accessToken({ code: secrets.code }))).toMatch(/accessToken: '\*{6}',\s+expire: 1,/)
})

test('printing a result shows no secret of any type, also of operations that the client does not know', () => {
  const { open } = secretOperations
  const result = hideFromInspection(decodeResult(open, secretResult()), open)
  for (const text of [inspect(result, { depth: 9 }), inspect([{ result }], { depth: 9 }), `${result}`]) {
    expect(text).not.toContain(marker)
    expect(text).not.toContain(markedNumber)
  }
  expect(inspect(result)).toMatch(/title: 'text'/)
  expect(JSON.stringify(result)).toContain(marker)
})
