import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hour, minute } from '@souk/contract'
import { startEmbedded } from '../../apps/server/src/kernel/db/embedded.ts'
import { connect, type Sql } from '../../apps/server/src/kernel/db/pool.ts'
import { createLog } from '../../apps/server/src/kernel/log.ts'
import { archiveOf, build } from '../../apps/server/test/archive.ts'
import { type RunningServer, startServer } from '../../apps/server/test/server.ts'
import { runAsSuperuser } from '../../apps/server/test/superuser.ts'
import { secretNames } from '../grammar/call.ts'
import type { Caller, ServerSurface } from './callers.ts'
import { createClient, type Person } from './client.ts'
import type { Fill } from './request.ts'
import { createResources, type Identifiers } from './resources.ts'
import { type State, storeState } from './state.ts'

/** A running server with two projects, everyone who calls it, and its stored state. */
export interface World {
  url: string
  pid: number
  agent: Agent
  callers: Record<ServerSurface, Record<string, Caller>>
  /** Values of `{{own.…}}`, `{{foreign.…}}`, `{{secret.…}}` and `{{file.…}}`. */
  fill: Fill
  /** Secrets by name. */
  secrets: ReadonlyMap<string, string>
  /** Part of all names in the foreign project. */
  foreignMarker: string
  state: State
  sql: Sql
  /** Number of calls since the state was restored. */
  calls: number
  /** Returns what was logged since the last call. */
  readLog(): string
  /** Returns whether the server process still runs. */
  isRunning(): boolean
  close(): Promise<void>
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const hex = (bytes: number) => randomBytes(bytes).toString('hex')
/** Restoring the state takes long on a busy machine, and is not part of the fuzzed input. */
const patientLimits = { statement: minute, lock: minute, idleInTransaction: minute }
/** Requests in flight at a time. */
const connections = 8

/** Starts a server on its own database and fills it. Jobs do not run, so that only requests change its state. */
export async function openWorld(): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'souk-fuzz-'))
  const options = {
    directory,
    log: createLog('error'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  }
  await (await startEmbedded(options)).stop()
  // Restoring the state skips triggers.
  runAsSuperuser(directory, ['grant set on parameter session_replication_role to souk'])
  const database = await startEmbedded(options)
  const dataDir = join(directory, 'souk')
  const preload = pathToFileURL(join(import.meta.dirname, 'loopbackOnly.mjs')).href
  let server: RunningServer | undefined
  let sql: Sql | undefined
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const close = async () => {
    agent.destroy()
    await sql?.end({ timeout: 1 })
    await server?.stop()
    await database.stop()
    await rm(directory, { recursive: true })
  }
  try {
    server = await startServer({
      dataDir,
      env: {
        DATABASE_URL: database.url,
        SOUK_ROLE: 'api',
        SOUK_RATE_LIMIT: '0',
        NODE_OPTIONS: `--import=${preload}`,
      },
    })
    sql = connect(database.url, { max: 2, applicationName: 'fuzz', limits: patientLimits })
    const furnished = await furnish(server, sql)
    const { url, pid, log } = server
    let read = log().length
    const readLog = () => {
      const added = log().slice(read)
      read += added.length
      return added
    }
    return {
      ...furnished,
      url,
      pid,
      agent,
      sql,
      state: await storeState(sql),
      calls: 0,
      readLog,
      isRunning: () => isRunning(pid),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Creates projects, accounts and resources through the server's own operations. */
async function furnish(
  server: RunningServer,
  sql: Sql,
): Promise<Pick<World, 'callers' | 'fill' | 'secrets' | 'foreignMarker'>> {
  const client = createClient(server)
  const foreignMarker = `foreign${hex(8)}`
  const password = `Secret-${hex(12)}`
  const setupToken = (await readFile(join(server.dataDir, 'setup-token'), 'utf8')).trim()
  const administrator = await client.person('/console/v1/setup', setupToken, password)
  const own = await client.project('Own', 'own')
  const foreign = await client.project(`Foreign ${foreignMarker}`, foreignMarker)
  const elsewhere = await client.project('Elsewhere', 'elsewhere')
  const people: Record<string, Person> = { administrator }
  for (const role of ['owner', 'editor', 'viewer'] as const) people[role] = await client.join(own, role, password)
  people.nonMember = await client.join(elsewhere, 'viewer', password)

  const secrets = new Map<string, string>()
  const identifiers = {
    own: await createResources(client, own, { sql, marker: 'own', password, secrets }),
    foreign: await createResources(client, foreign, { sql, marker: foreignMarker, password, secrets: new Map() }),
  }
  for (const [name, value] of Object.entries({
    adminToken: server.adminToken,
    password,
    apiKey: people.owner!.key,
    session: people.owner!.cookie.replace(/^.*?=/, ''),
    cardNumber: '4929123456789016',
  })) {
    secrets.set(name, value)
  }
  const missing = secretNames.filter((name) => !secrets.has(name))
  if (missing.length > 0) throw new Error(`There is no secret named ${missing.join(', ')}`)

  const app = { appid: String(identifiers.own.appid), secret: secrets.get('appSecret')! }
  const bare = await client.admin('POST', '/console/v1/apps', { name: 'Bare', projectId: own })
  await client.admin('PATCH', `/console/v1/apps/${bare.appid}`, { capabilities: [] })
  const values: Record<string, unknown> = {
    'file.png': png,
    'file.archive': await archiveOf(build()),
    ...prefixed('own', identifiers.own),
    ...prefixed('foreign', identifiers.foreign),
    ...prefixed('secret', Object.fromEntries(secrets)),
  }
  return {
    callers: callersOf({ people, adminToken: server.adminToken, app, bare: bare as typeof app, own: identifiers.own }),
    fill: (name) => values[name] ?? '',
    secrets,
    foreignMarker,
  }
}

function prefixed(prefix: string, values: Identifiers): Identifiers {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]))
}

function callersOf({
  people,
  adminToken,
  app,
  bare,
  own,
}: {
  people: Record<string, Person>
  adminToken: string
  app: { appid: string; secret: string }
  bare: { appid: string; secret: string }
  own: Identifiers
}): World['callers'] {
  const bearer = (token: unknown) => ({ Authorization: `Bearer ${token}` })
  const unauthenticated = (headers: Caller['headers'] = {}): Caller => ({ headers, is: 'unauthenticated' })
  const { owner } = people as { owner: Person }
  const browsers = Object.entries(people).map(([name, { cookie, csrf }]): [string, Caller] => [
    name,
    { headers: { Cookie: cookie, 'X-Souk-CSRF': csrf }, is: name as Caller['is'] },
  ])
  const keys = Object.entries(people).map(([name, { key }]): [string, Caller] => [
    name,
    { headers: { 'X-API-Key': key }, is: name as Caller['is'] },
  ])
  const admin: Caller = { headers: bearer(adminToken), is: 'adminToken' }
  const forged = {
    anonymous: unauthenticated(),
    forgedToken: unauthenticated(bearer('x'.repeat(43))),
    emptyToken: unauthenticated({ Authorization: 'Bearer ' }),
  }
  return {
    console: {
      ...Object.fromEntries(browsers),
      ...forged,
      adminToken: admin,
      forgedSession: unauthenticated({ Cookie: `souk_session=${'x'.repeat(43)}`, 'X-Souk-CSRF': owner.csrf }),
      withoutCsrf: { ...unauthenticated({ Cookie: owner.cookie }), readsOnly: true },
      apiKey: unauthenticated({ 'X-API-Key': owner.key }),
      hostUser: unauthenticated(bearer(own.session)),
    },
    platform: {
      ...Object.fromEntries(keys),
      ...forged,
      adminToken: admin,
      ownerToken: { headers: bearer(owner.token), is: 'owner' },
      forgedKey: unauthenticated({ 'X-API-Key': 'x'.repeat(43) }),
      consoleSession: unauthenticated({ Cookie: owner.cookie, 'X-Souk-CSRF': owner.csrf }),
      hostUser: unauthenticated(bearer(own.session)),
    },
    host: {
      ...forged,
      payer: { headers: bearer(own.session), is: 'payer' },
      otherUser: { headers: bearer(own.otherSession), is: 'otherUser' },
      adminToken: unauthenticated(bearer(adminToken)),
      apiKey: unauthenticated({ 'X-API-Key': owner.key }),
    },
    open: {
      app: { headers: {}, is: 'app', sign: { ...app, hasCapabilities: true } },
      appWithoutCapabilities: { headers: {}, is: 'app', sign: { ...bare, hasCapabilities: false } },
      forgedSign: {
        headers: {},
        is: 'unauthenticated',
        sign: { appid: app.appid, secret: hex(24), hasCapabilities: true },
      },
      emptySecret: {
        headers: {},
        is: 'unauthenticated',
        sign: { appid: app.appid, secret: '', hasCapabilities: true },
      },
      unsigned: { headers: {}, is: 'unauthenticated', sign: { appid: app.appid, hasCapabilities: true } },
      oldSign: { headers: {}, is: 'unauthenticated', sign: { ...app, age: hour, hasCapabilities: true } },
    },
    releases: { anonymous: unauthenticated() },
  }
}
