import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hour, minute, signParameters } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../src/kernel/id.ts'
import { readKeyRing } from '../src/kernel/keyRing.ts'
import { masterKeyId, Vault } from '../src/kernel/vault.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { type RunningServer, startServer } from './server.ts'

let database: FreshDatabase
let folder: string
const running = new Set<RunningServer>()

beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'souk-rotation-'))
})
afterAll(async () => {
  await Promise.all([...running].map((server) => server.kill()))
  await database.drop()
  await rm(folder, { recursive: true })
})

const dataDirOf = (name: string) => join(folder, name)
const ringFileOf = (name: string) => join(dataDirOf(name), 'master-key')

async function start(name: string, env: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({
    dataDir: dataDirOf(name),
    env: { DATABASE_URL: database.url, SOUK_RATE_LIMIT: '0', ...env },
  })
  running.add(server)
  return server
}

async function call(server: RunningServer, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/console/v1/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${server.adminToken}`,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own result type; wrong accesses fail the test.
  const result: any = await answer.json()
  return { status: answer.status, body: result }
}

const statusOf = async (server: RunningServer) => (await call(server, 'GET', 'key-ring')).body
const statesOf = async (server: RunningServer) =>
  (await statusOf(server)).keys.map(({ state }: { state: string }) => state)
// Most waits take seconds, as keys are distributed. A request every 20 ms would keep the machine busy meanwhile.
const patiently = { timeout: 2 * minute, interval: 250 }

/** Time between the rounds of traffic (ms). */
const pause = 50

/** Calls that seal on one server, open and sign on another, and verify on the first; each problem is recorded. */
class Traffic {
  servers: RunningServer[] = []
  readonly problems: string[] = []
  rounds = 0
  #stopped = false
  #uid: number
  #round: Promise<void> = Promise.resolve()
  #finished: Promise<void>

  constructor(servers: RunningServer[], uid: number) {
    this.servers = servers
    this.#uid = uid
    this.#finished = this.#run()
  }

  /** Sends the next rounds to these servers, once the current round is over. */
  async use(servers: RunningServer[]): Promise<void> {
    this.servers = servers
    await this.#round
  }

  async finish(): Promise<void> {
    this.#stopped = true
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const [first, second = first] = this.rounds % 2 === 0 ? this.servers : this.servers.toReversed()
      this.#round = this.#sendRound(first!, second!).catch((error) => void this.problems.push(String(error)))
      await this.#round
      this.rounds++
      await wait(pause)
    }
  }

  async #sendRound(first: RunningServer, second: RunningServer): Promise<void> {
    const app = await this.#expectOk(call(first, 'POST', 'apps', { name: 'Tea' }))
    const input = { appid: app.appid, uid: this.#uid, scope: 'user.info' }
    const { code } = await this.#expectOk(call(second, 'POST', 'sandbox/codes', input))
    const parameters = Object.entries({
      appid: app.appid,
      timestamp: Date.now(),
      code,
      grantType: 'authorization_code',
      scope: 'user.info',
    })
    const form = new URLSearchParams()
    for (const [name, value] of parameters) form.append(name, String(value))
    form.append('sign', signParameters(parameters, app.secret))
    const exchanged = await fetch(`${second.url}/neuopenapi/oauth/mini/accessToken`, { method: 'POST', body: form })
    const { response, responseHeader } = (await exchanged.json()) as {
      response?: { accessToken: string }
      responseHeader: object
    }
    if (!response?.accessToken) throw new Error(`no access token: ${JSON.stringify(responseHeader)}`)
    const query = new URLSearchParams({ accessToken: response.accessToken })
    const read = await fetch(`${first.url}/neuopenapi/oauth/mini/user/info?${query}`)
    if (!read.ok) throw new Error(`user info: ${await read.text()}`)
  }

  async #expectOk(answer: ReturnType<typeof call>) {
    const { status, body } = await answer
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }
}

/** Stores sealed values. Returns their ids in order. */
async function storeValues(count: number): Promise<string[]> {
  const vault = new Vault(() => readKeyRing(ringFileOf('a')))
  const ids = Array.from({ length: count }, newId)
  const sealed = ids.map((id) => vault.seal(`secret of ${id}`, `provider account ${id}`).ciphertext.toString('hex'))
  await database.sql`
    insert into provider_accounts
      (provider_account_id, name, provider, settings, key_id, ciphertext, enabled, ctime, mtime)
    select id::uuid, 'Old', 'stripe', '{}', ${vault.keyId}, decode(ciphertext, 'hex'), false, 0, 0
    from unnest(${ids}::text[], ${sealed}::text[]) as v (id, ciphertext)`
  return ids.sort()
}

/** Stops the transaction that seals this value again at it, until `release`. */
async function holdUp(id: string): Promise<{ release(): Promise<unknown> }> {
  await database.sql`create table held (id uuid)`
  await database.sql`insert into held values (${id})`
  await database.sql`
    create function hold_up() returns trigger language plpgsql as $$ begin
      while exists (select from held where id = old.provider_account_id) loop perform pg_sleep(0.02); end loop;
      return new;
    end $$`
  await database.sql`
    create trigger hold_up before update on provider_accounts for each row execute function hold_up()`
  return { release: () => database.sql`delete from held` }
}

/** Copies the ring of a to b, as an operator does. */
async function copyRing(): Promise<void> {
  await copyFile(ringFileOf('a'), `${ringFileOf('b')}.copy`)
  await rename(`${ringFileOf('b')}.copy`, ringFileOf('b'))
}

test('two processes rotate the keys under traffic, one of which is killed, without an error', async () => {
  let a = await start('a', { SOUK_ACCESS_TOKEN_LIFETIME: '3600' })
  const { users } = JSON.parse(await readFile(join(a.dataDir, 'demo.json'), 'utf8'))
  await mkdir(dataDirOf('b'))
  await copyRing()
  const b = await start('b', { SOUK_ROLE: 'api', SOUK_ACCESS_TOKEN_LIFETIME: '3600' })
  // Three batches. The second one is not completed before `a` is killed.
  const ids = await storeValues(300)
  const held = await holdUp(ids[150]!)
  const traffic = new Traffic([a, b], users[0].uid)

  // The new key waits for b.
  expect((await call(a, 'POST', 'key-ring/rotate', {})).body.phase).toBe('distributing')
  const ready = async () => (await statusOf(b)).processes.map((it: { ready: boolean }) => it.ready).sort()
  await expect.poll(ready, patiently).toEqual([false, true])
  const roundsBefore = traffic.rounds
  await expect.poll(() => traffic.rounds, patiently).toBeGreaterThan(roundsBefore + 5)
  expect(await statesOf(b)).toEqual(['current', 'added'])
  await copyRing()

  // a seals the values again, and is killed in the middle.
  const valuesByKey = async () => {
    const rows = await database.sql<{ count: number }[]>`
      select count(*)::int as count from provider_accounts group by key_id order by 1`
    return rows.map(({ count }) => count)
  }
  await expect.poll(valuesByKey, patiently).toEqual([100, 200])
  expect(await statesOf(b)).toEqual(['old', 'current'])
  await traffic.use([b])
  await a.kill()
  await held.release()
  const { phase } = await statusOf(b)
  expect(phase).toBe('resealing')
  const roundsAlone = traffic.rounds
  await expect.poll(() => traffic.rounds, patiently).toBeGreaterThan(roundsAlone + 5)

  // Unlocks the jobs, as heartbeats do 20 seconds after the last one of a dead worker.
  await database.sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_by is not null`
  running.delete(a)
  a = await start('a', { SOUK_ACCESS_TOKEN_LIFETIME: '3600' })
  await traffic.use([a, b])
  await expect.poll(async () => (await statusOf(a)).phase, patiently).toBe('retiring')

  // An hour later the access tokens of the old key have expired.
  await database.sql`update master_keys set replaced_at = replaced_at - ${hour} where replaced_at is not null`
  await expect.poll(() => statesOf(b), patiently).toEqual(['retired', 'current'])
  const ring = () => [ringFileOf('a'), ringFileOf('b')].map((file) => readKeyRing(file).length)
  await expect.poll(ring, patiently).toEqual([1, 1])
  const roundsAfter = traffic.rounds
  await expect.poll(() => traffic.rounds, patiently).toBeGreaterThan(roundsAfter + 5)
  await traffic.finish()
  expect(traffic.problems).toEqual([])

  const vault = new Vault(() => readKeyRing(ringFileOf('b')))
  const rows = await database.sql<{ id: string; keyId: string; ciphertext: Buffer }[]>`
    select provider_account_id as id, key_id, ciphertext from provider_accounts`
  expect(rows.map(({ id }) => id).sort()).toEqual(ids)
  for (const { id, ...sealed } of rows) expect(vault.open(sealed, `provider account ${id}`)).toBe(`secret of ${id}`)

  // A process that was stopped and has the old ring does not start.
  await Promise.all([a, b].map((server) => server.stop()))
  for (const server of [a, b]) running.delete(server)
  const refusal = await start('c').catch((error: unknown) => String(error))
  expect(refusal).toContain(`${ringFileOf('c')} is missing or empty`)
})

test('a ring from the environment is rotated in two steps', async () => {
  const current = readKeyRing(ringFileOf('a'))[0]!
  const added = randomBytes(32)
  const keys = [current, added].map((key) => key.toString('hex'))
  const before = await start('d', { SOUK_MASTER_KEY: keys[0]! })
  const { status, body } = await call(before, 'POST', 'key-ring/rotate', {})
  expect([status, body.code]).toEqual([409, 'key_ring_fixed'])
  expect(body.detail).toContain('Add a new key')
  await before.stop()
  running.delete(before)

  const after = await start('d', { SOUK_MASTER_KEY: keys.join(',') })
  expect((await call(after, 'POST', 'key-ring/rotate', {})).body).toMatchObject({ source: 'environment' })
  await expect.poll(async () => (await statusOf(after)).phase, patiently).toBe('retiring')
  const { keys: all } = await statusOf(after)
  expect(all.at(-1)).toMatchObject({ keyId: masterKeyId(added), state: 'current' })
})
