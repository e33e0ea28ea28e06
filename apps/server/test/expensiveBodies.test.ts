import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { defaultMaxBody, maxArchiveSize, maxFileSize, type Operation, operations, second } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExpensiveRequest, expensiveRequests, sendAtOnce } from './expensiveBodies.ts'
import { type RunningServer, startServer } from './server.ts'

const MiB = 1024 ** 2
/** Connections that a client can open: a sixteenth of SOUK_MAX_CONNECTIONS. */
const connections = 312
/** Requests with a large body at once, several times as many as fit into the memory of a client. */
const largeAtOnce = 48
const memoryLimit = 400 * MiB

let server: RunningServer
/** CPU time in ms that the server may spend before it answers a health check: a second where `parseTime` is 400 ms. */
let maxDelay: number
/** Identifiers in paths. */
const ids: Record<string, string> = {}
/** Headers of a viewer, and of a user of the host, by surface. */
let known: Record<string, Record<string, string>>
let administrator: Record<string, string>

beforeAll(async () => {
  maxDelay = second * Math.max(1, parseTime() / 400)
  server = await startServer({ isBundled: false })
  const admin = { Authorization: `Bearer ${server.adminToken}` }
  const project = await call('POST', '/console/v1/projects', admin, { name: 'Tea' })
  const app = await call('POST', '/console/v1/apps', admin, { projectId: project.projectId, name: 'Tea House' })
  const fields = [{ name: 'title', type: 'string' }]
  const invite = await call('POST', `/console/v1/projects/${project.projectId}/invitations`, admin, { role: 'viewer' })
  const dataset = await call('POST', `/console/v1/projects/${project.projectId}/datasets`, admin, {
    name: 'notes',
    fields,
  })
  administrator = admin
  Object.assign(ids, { projectId: project.projectId, appid: app.appid, datasetId: dataset.datasetId })
  const person = { username: 'viewer', name: 'Viewer', password: `${randomBytes(12).toString('hex')}` }
  const joined = await fetch(`${server.url}/console/v1/invitations/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: invite.token, ...person }),
  })
  const { csrfToken } = (await joined.json()) as { csrfToken: string }
  const session = { Cookie: joined.headers.getSetCookie()[0]!.split(';')[0]!, 'X-Souk-CSRF': csrfToken }
  const { key } = await call('POST', '/console/v1/api-key/show', session, {})
  const user = await call('POST', '/console/v1/sandbox/users', admin, { nickname: 'Layla' })
  const host = await call('POST', '/host/v1/sessions', {}, { uid: user.uid })
  known = {
    console: session,
    platform: { 'X-API-Key': key! },
    host: { Authorization: `Bearer ${host.session}` },
    open: {},
  }
})
afterAll(() => server.stop())

/** CPU time in ms that this machine needs to parse 45 MB of JSON. */
function parseTime(): number {
  const text = JSON.stringify(Array.from({ length: 50_000 }, (_, n) => ({ name: `n${n}`, list: [n, null, 'text'] })))
  const before = process.cpuUsage()
  for (let n = 0; n < 20; n += 1) JSON.parse(text)
  return process.cpuUsage(before).user / 1000
}

async function call(method: string, path: string, headers: Record<string, string>, body: object) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

const withBody = operations.filter(({ method }) => method !== 'GET')
const isLarge = ({ maxBody = defaultMaxBody, file }: Operation) => maxBody > defaultMaxBody || file === true

type Create = () => ExpensiveRequest

/** The most expensive requests of an operation with bodies of the permitted size. */
function requestsOf(operation: Operation, headers: Record<string, string>): Create[] {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'f'.repeat(32))
  const own = Object.keys(operation.parameters.properties).filter((name) => !operation.path.includes(`{${name}}`))
  const { method, surface, maxBody = defaultMaxBody, body = ['json'] } = operation
  const fileSize = surface === 'open' ? maxFileSize : maxArchiveSize / 8
  const sizes = { json: maxBody, form: surface === 'open' ? 256 * 1024 : defaultMaxBody, multipart: fileSize }
  return body.flatMap((kind) => expensiveRequests({ method, path, headers }, kind, { size: sizes[kind], name: own[0] }))
}

/** Requests that are not operations. */
const others: Create[] = [
  ['POST', `/webhooks/${'f'.repeat(32)}`],
  ['POST', '/webhooks/a'],
  ['PUT', '/npm/@souk%2fcli'],
  ['POST', '/npm/-/nothing'],
  ['POST', '/host/v1/return/a'],
  ['POST', '/nothing'],
  ['POST', '/console/v1/nothing'],
  ['POST', '/api/v1/nothing'],
  ['POST', '/neuopenapi/nothing'],
  ['DELETE', '/files/a'],
  ['OPTIONS', '/healthz'],
  ['POST', '/console/'],
].flatMap(([method, path]) =>
  (['json', 'form', 'multipart'] as const).flatMap((kind) =>
    expensiveRequests({ method: method!, path: path!, headers: {} }, kind, { size: 512 * 1024 }),
  ),
)

/** Takes turns in the lists until there are `count` items. */
function mix<T>(lists: readonly (readonly T[])[], count: number): T[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  const mixed = Array.from({ length: longest }, (_, n) => lists.map((list) => list[n % list.length]!)).flat()
  return Array.from({ length: count }, (_, n) => mixed[n % mixed.length]!)
}

const forged: Record<string, Record<string, string>> = {
  console: { Cookie: `souk_session=souk_session_${'A'.repeat(43)}` },
  platform: { 'X-API-Key': 'A'.repeat(43) },
  host: { Authorization: `Bearer ${'A'.repeat(43)}` },
}
const small = withBody.filter((operation) => !isLarge(operation))
const large = withBody.filter(isLarge)

test.runIf(process.platform === 'linux').each<[string, () => Create[]]>([
  [
    'every operation, with forged credentials',
    () =>
      mix(
        small.map((each) => requestsOf(each, forged[each.surface] ?? {})),
        connections,
      ),
  ],
  [
    'every operation, of a viewer',
    () =>
      mix(
        small.map((each) => requestsOf(each, known[each.surface]!)),
        connections,
      ),
  ],
  ['one operation without credentials', () => mix([requestsOf(operationOf('consoleSignIn'), {})], connections)],
  ['one operation of a viewer', () => mix([requestsOf(operationOf('updateProfile'), known.console!)], connections)],
  ['other routes', () => mix([others], connections)],
  [
    'large bodies without credentials',
    () =>
      mix(
        large.map((each) => requestsOf(each, forged[each.surface] ?? {})),
        largeAtOnce,
      ),
  ],
  [
    'large bodies of a viewer',
    () =>
      mix(
        large.map((each) => requestsOf(each, known[each.surface]!)),
        largeAtOnce,
      ),
  ],
  [
    'large bodies of an administrator',
    () =>
      mix(
        large.map((each) => requestsOf(each, administrator)),
        largeAtOnce,
      ),
  ],
  [
    'imports of an administrator',
    () => mix([requestsOf(operationOf('importRecords'), administrator)], largeAtOnce / 2),
  ],
])('the most expensive bodies do not stop the server: %s', async (_what, create) => {
  const requests = create()
  const endWatch = watchHealth()
  for (let start = 0; start < requests.length; start += connections) {
    const bodies = requests.slice(start, start + connections).map((each) => each())
    await sendAtOnce(new URL(server.url), bodies)
  }
  const { delay, peak } = await endWatch()
  expect(delay).toBeLessThan(maxDelay)
  expect(peak).toBeLessThan(memoryLimit)
})

function operationOf(id: string): Operation {
  return operations.find((each) => each.id === id)!
}

/** Watches the server until the returned function is called, which returns what the thread reports. */
function watchHealth(): () => Promise<{ delay: number; peak: number }> {
  const { url, pid } = server
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const watcher = new Worker(new URL('./healthWatch.child.ts', import.meta.url), { workerData: { url, pid } })
  const report = once(watcher, 'message')
  report.catch(() => {})
  return async () => {
    watcher.postMessage('end')
    return (await report)[0]
  }
}
