import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { day, externalProviderNames, minute } from '@souk/contract'
import { fakeProviders } from '@souk/fake-providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeSuspended } from '../../src/domain/console/index.ts'
import { collectObjects, moveContents, verifyObjects } from '../../src/domain/installation/index.ts'
import { queryPendingAttempts, startPayment, updateProviderAccount } from '../../src/domain/money/index.ts'
import { expectedOf } from '../../src/domain/money/payments/adapters/expected.ts'
import { forgetProvider } from '../../src/domain/users/index.ts'
import { createObjectStorage } from '../../src/kernel/objectStorage.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { ProviderBrowser, startOidcProvider, type TestProvider } from '../oidcProvider.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

/**
 * Answers of other systems that say nothing: none of them deletes, ends or closes anything (ADR 350). A system that is
 * asked is added here.
 */
const answers: Record<string, { status: number; body: string }> = {
  'an error 500': { status: 500, body: '' },
  'an error 403': { status: 403, body: '{"error":"forbidden"}' },
  'an error 404': { status: 404, body: '' },
  'a web page': { status: 200, body: '<!doctype html><title>Maintenance</title>' },
  'a web page with 404': { status: 404, body: '<!doctype html><title>Not found</title>' },
  nothing: { status: 200, body: '' },
  null: { status: 200, body: 'null' },
  'an empty list': { status: 200, body: '[]' },
  'an empty object': { status: 200, body: '{}' },
  'a text': { status: 200, body: '"ok"' },
  'a document that is cut off': { status: 200, body: '{"keys":[{"kty":"RSA","issuer":"' },
  'an object with empty lists': { status: 200, body: '{"keys":[],"data":[],"items":[],"groups":[]}' },
}
type Answer = (typeof answers)[string]

const publicUrl = 'http://souk.test'
let souk: TestSouk
let project: FurnishedProject
beforeAll(async () => {
  souk = await startTestSouk({ publicUrl })
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  project = await furnish(souk, projectId)
})
afterAll(() => souk.stop())

/** Everything that an answer could destroy: rows by table, and the states that do not come back. */
async function valuables() {
  const { sql } = souk.context
  const rows = (table: string, columns: string) =>
    sql.unsafe(
      `select ${columns} from ${table} order by ${columns
        .split(',')
        .map((_, index) => index + 1)
        .join(', ')}`,
    )
  return {
    accounts: await rows('accounts', 'account_id, administrator, enabled, password'),
    members: await rows('project_members', 'project_id, account_id, role, given_role'),
    keys: await rows('api_keys', 'account_id, key_hash'),
    passkeys: await rows('account_passkeys', 'passkey_id'),
    users: await rows('users', 'uid, nickname, phone, email, disabled_time, erased_time'),
    openIds: await rows('open_ids', 'open_id'),
    hostSessions: await rows('host_sessions', 'token_hash'),
    refreshTokens: await rows('host_refresh_tokens', 'family_id, token_hash'),
    issuers: await rows('issuers', 'issuer_id'),
    trades: await rows('all_trades', 'trade_no, transaction_status, attempt_in_flight'),
    attempts: await rows('payment_attempts', 'attempt_id, state'),
    refunds: await rows('refunds', 'refund_no, state'),
    ledger: await rows('ledger_entries', 'reference, movement, amount'),
    files: await rows('files', 'file_id, content, object'),
    objects: await rows(`(select hash from stored_objects where state <> 'uploading') known`, 'hash'),
  }
}

/** Calls `act` under each answer, and compares what could have been destroyed. */
async function expectUnchanged(except: string[], act: (answer: Answer, name: string) => Promise<unknown>) {
  for (const [name, answer] of Object.entries(answers)) {
    if (except.includes(name)) continue
    const before = await valuables()
    await act(answer, name)
    expect(await valuables(), name).toEqual(before)
  }
}

describe('an identity provider', () => {
  let provider: TestProvider
  let providerId: string
  let issuerId: string
  let discovery: Record<string, unknown>

  beforeAll(async () => {
    provider = await startOidcProvider()
    await provider.register({
      client_id: 'souk',
      client_secret: 'the secret of the console',
      redirect_uris: [`${publicUrl}/console/signed-on`],
    })
    const client = { issuer: provider.issuer, clientId: 'souk', clientSecret: 'the secret of the console' }
    const roles = [{ group: 'tea', role: 'editor', projectId: project.projectId }]
    providerId = (await souk.console('POST', '/console/v1/sign-on/providers', { name: 'Example', ...client, roles }))
      .body.providerId
    issuerId = (await souk.console('POST', '/console/v1/issuers', { issuer: provider.issuer, audience: 'souk' })).body
      .issuerId
    discovery = (await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()) as typeof discovery
    provider.setClaims('layla', { groups: ['tea'] })
    expect((await signOn()).status).toBe(200)
    expect((await exchange()).status).toBe(200)
  })
  afterAll(() => provider.stop())

  /** Signs on; `before` is called when the browser has come back from the provider. */
  async function signOn(before = () => {}) {
    forgetProvider(providerId)
    provider.recover()
    const started = await souk.raw('POST', '/console/v1/sign-on', {}, { providerId })
    const cookie = started.headers.getSetCookie()[0]!.split(';')[0]!
    const { search } = await new ProviderBrowser().signIn(started.body.url, 'layla')
    forgetProvider(providerId)
    before()
    return souk.raw('POST', '/console/v1/sign-on/complete', { Cookie: cookie }, { response: search })
  }
  let tokens = 0
  async function exchange() {
    const now = Math.floor(souk.clock.real() / 1000)
    const claims = { iss: provider.issuer, aud: 'souk', sub: 'user', jti: String(++tokens), iat: now, exp: now + 300 }
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      subject_token: await provider.sign(claims),
    })
    return fetch(`${souk.url}/host/v1/token`, { method: 'POST', body })
  }
  const pathOf = (name: string) => new URL(String(discovery[name])).pathname
  let addresses = 0
  /** Lets the keys be at an address that this process has not read. */
  function moveKeys(answer: Answer): void {
    const path = `/keys-${++addresses}`
    provider.answer('/.well-known/openid-configuration', {
      status: 200,
      body: JSON.stringify({ ...discovery, jwks_uri: provider.issuer + path }),
    })
    provider.answer(path, answer)
  }

  const sources: [string, (answer: Answer) => void][] = [
    ['its discovery document', (answer) => provider.answer('/.well-known/openid-configuration', answer)],
    ['its keys', moveKeys],
    ['its token endpoint', (answer) => provider.answer(pathOf('token_endpoint'), answer)],
    ['its userinfo endpoint', (answer) => provider.answer(pathOf('userinfo_endpoint'), answer)],
  ]
  test.each(sources)('that says nothing by %s takes nothing from an operator', async (_name, use) => {
    await expectUnchanged([], async (answer, name) => {
      const { status } = await signOn(() => use(answer))
      expect(status, name).toBeGreaterThanOrEqual(400)
    })
  })

  test.each(sources.slice(0, 2))('that says nothing by %s takes nothing from a user', async (_name, use) => {
    await expectUnchanged([], async (answer, name) => {
      provider.recover()
      use(answer)
      forgetProvider(issuerId)
      expect((await exchange()).status, name).toBeGreaterThanOrEqual(400)
    })
  })

  test('that says nothing about a user leaves the profile', async () => {
    provider.recover()
    forgetProvider(issuerId)
    const { sql } = souk.context
    await sql`update users set nickname = 'Layla', email = 'layla@mail.example', phone = '501234567' where issuer is not null`
    const before = (await valuables()).users
    expect((await exchange()).status).toBe(200)
    expect((await valuables()).users).toEqual(before)
  })

  test('without a userinfo endpoint, which had the groups, suspends, and time does not delete', async () => {
    const before = await valuables()
    const { userinfo_endpoint: _, ...without } = discovery
    const answer = { status: 200, body: JSON.stringify(without) }
    const { body } = await signOn(() => provider.answer('/.well-known/openid-configuration', answer))
    expect(body.code).toBe('sign_on_groups_missing')
    souk.clock.stop()
    souk.clock.advance(400 * day)
    await revokeSuspended(souk.context)
    souk.clock.resume()
    expect(await valuables()).toEqual(before)
    expect((await signOn()).status).toBe(200)
  })
})

/** Starts a server that gives each request the same answer. */
async function startAnswering() {
  let current: Answer = answers['an error 500']!
  let requests = 0
  const server: Server = createServer((request, response) => {
    request.resume()
    requests++
    response.writeHead(current.status, { 'content-type': 'application/json' }).end(current.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (answer: Answer) => {
      current = answer
      requests = 0
    },
    countRequests: () => requests,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('a payment provider', () => {
  const admin = { kind: 'admin' } as const
  test.each(externalProviderNames)(
    '%s that says nothing about a payment leaves it and its trade open',
    async (provider) => {
      const { start, settings, secrets } = fakeProviders[provider]
      const [fake, answering] = [await start(), await startAnswering()]
      const account = { provider, name: provider, settings: { ...settings, baseUrl: fake.url }, secrets }
      const { body } = await souk.console('POST', '/console/v1/provider-accounts', { appid: project.appid, ...account })
      expect(body.providerAccountId, JSON.stringify(body)).toBeDefined()
      const { providerAccountId } = body
      const tradeNo = await project.newTrade()
      await souk.context.sql`
      update provider_accounts set enabled = (provider_account_id = ${providerAccountId}::uuid)`
      const payer = { kind: 'hostUser', uid: project.uid, session: '' } as const
      await startPayment(souk.context, payer, { tradeNo, payMethod: 'card' })
      await updateProviderAccount(souk.context, admin, {
        providerAccountId,
        settings: { ...settings, baseUrl: answering.url },
        secrets,
      })
      souk.clock.stop()
      // A payment that does not exist may still be paid later: it then counts, or is refunded.
      const { absences } = await expectedOf(provider)
      await expectUnchanged([...absences], async (answer) => {
        answering.use(answer)
        souk.clock.advance(minute + 1000)
        await queryPendingAttempts(souk.context)
        expect(answering.countRequests()).toBeGreaterThan(0)
      })
      souk.clock.resume()
      answering.stop()
      await fake.close()
    },
  )
})

describe('an object storage', () => {
  test('that says nothing loses no content', async () => {
    const { sql } = souk.context
    const answering = await startAnswering()
    const credentials = { region: 'us-east-1', accessKeyId: 'tester', secretAccessKey: 'testing' }
    const objects = createObjectStorage({ url: `${answering.url}/souk/`, ...credentials })
    const context = { ...souk.context, objects }
    const hash = createHash('sha256').update('a picture').digest()
    await sql`insert into stored_objects (hash, size, state, time) values (${hash}, 9, 'stored', 0)`
    await sql`
      insert into files (file_id, appid, media_type, object, ctime)
      values (gen_random_uuid(), ${project.appid}, 'image/png', ${hash}, 0)`
    await sql`
      insert into files (file_id, appid, media_type, content, ctime)
      values (gen_random_uuid(), ${project.appid}, 'image/png', 'another picture', 0)`
    await sql`insert into stored_objects (hash, size, state, time) values (sha256('unused'), 6, 'stored', 0)`
    // A bucket that does not exist says nothing about an object in another one.
    const missing = { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }
    const read = async (answer: Answer) => {
      answering.use(answer)
      await verifyObjects(context, () => {}).catch(() => {})
      await moveContents(context, 'database', () => {}).catch(() => {})
      await moveContents(context, 's3', () => {}).catch(() => {})
    }
    await expectUnchanged([], read)
    for (const answer of [missing, answers['an error 500']!, answers['an error 403']!]) {
      const before = await valuables()
      await read(answer)
      await collectObjects(context).catch(() => {})
      souk.clock.stop()
      souk.clock.advance(day)
      expect(await valuables(), answer.body).toEqual(before)
    }
    await objects.close()
    answering.stop()
  })
})
