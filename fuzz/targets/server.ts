import { setTimeout as wait } from 'node:timers/promises'
import { cpuLimit, usageOf } from '../cpuTime.ts'
import { type Batch, batchOf, type Call, type Callable } from '../grammar/call.ts'
import { callerNames, type ServerSurface } from '../server/callers.ts'
import { type Exchange, isSuccess, judge } from '../server/judge.ts'
import { prepare, send } from '../server/request.ts'
import { callablesOf } from '../server/routes.ts'
import type { World } from '../server/world.ts'
import { serverTarget, type Target, Violation } from '../target.ts'

/** Resident memory that a server process may use, bytes. */
const memoryLimit = 400 * 1024 * 1024
/** Calls after which the state is restored, so that most calls find what they refer to. */
const callsPerState = 200
/** The newest rows of the audit log that are searched: more than a batch writes. The log itself only grows. */
const maxAuditRows = 500
/** Time after which the server has written the collected rows of the request log, ms. */
const requestLogDelay = 300
/** Time in which a process exits after its connections have closed, ms. */
const exitDelay = 500

/** Requests to the operations of a surface, with several in flight. */
function requestsTo(surface: ServerSurface): Target {
  const callables = new Map(callablesOf(surface).map((each) => [each.id, each]))
  const run = (call: Call, world: World) => exchange(callables.get(call.operation)!, call, world, surface)
  return serverTarget({
    name: `${surface}/requests`,
    surface,
    weight: 1,
    inputs: batchOf([...callables.values()], callerNames[surface]),
    sizeOf: ({ calls }) => calls.length,
    check: (batch, world) => checkBatch(batch, world, run),
  })
}

type Run = (call: Call, world: World) => Promise<Exchange>

async function checkBatch({ calls, comparesState }: Batch, world: World, run: Run): Promise<void> {
  if (comparesState || world.calls > callsPerState) await restore(world)
  world.calls += calls.length
  const before = usageOf(world.pid)
  const exchanges = await Promise.all(calls.map((call) => run(call, world)))
  for (const each of exchanges) {
    const violation = judge(each, world)
    if (!violation) continue
    const alone = await checkAlone(each.call, world, run)
    if (alone)
      throw new Violation(alone.where, alone.message, { calls: [each.call], comparesState: false } satisfies Batch)
    if (!dependsOnOthers(violation)) throw violation
  }
  searchLog('log', world.readLog(), world.secrets)
  const after = usageOf(world.pid)
  if (after && after.memory > memoryLimit) {
    throw new Violation('memory', `The server uses ${Math.round(after.memory / 1024 / 1024)} MB of memory`)
  }
  if (before && after && after.cpu - before.cpu > cpuLimit) await findSlowCall(calls, world, run)
  if (comparesState) await searchStoredLogs(exchanges, world)
  if (comparesState && !exchanges.some(isSuccess)) {
    const changed = await world.state.listChangedTables()
    if (changed.length > 0) throw new Violation(`state: ${changed}`, `Calls that failed changed ${changed.join(', ')}`)
  }
}

async function exchange(callable: Callable, call: Call, world: World, surface: ServerSurface): Promise<Exchange> {
  const caller = world.callers[surface][call.caller]!
  const request = prepare(callable, call, caller, world.fill)
  try {
    return { callable, call, caller, request, answer: await send(world.url, world.agent, request) }
  } catch (error) {
    if (error instanceof Violation) throw error
    await wait(exitDelay)
    if (!world.isRunning()) throw new Violation('crash', `The server ended:\n${world.readLog().slice(-5000)}`)
    throw new Violation(
      `${callable.id}: connection`,
      `${callable.id}: the connection broke: ${(error as Error).message}`,
    )
  }
}

/** Returns whether earlier calls can cause a violation: they change rights, or use a secret as a name. */
function dependsOnOthers({ where }: Violation): boolean {
  return /: (allowed$|foreign data$|secret )/.test(where)
}

async function checkAlone(call: Call, world: World, run: Run): Promise<Violation | undefined> {
  await restore(world)
  return judge(await run(call, world), world)
}

async function findSlowCall(calls: readonly Call[], world: World, run: Run): Promise<void> {
  for (const call of calls) {
    await restore(world)
    const before = usageOf(world.pid)!
    await run(call, world)
    const used = usageOf(world.pid)!.cpu - before.cpu
    if (used <= cpuLimit) continue
    const alone: Batch = { calls: [call], comparesState: false }
    throw new Violation(`${call.operation}: slow`, `${call.operation} takes ${used} ms of CPU time`, alone)
  }
}

async function restore(world: World): Promise<void> {
  world.calls = 0
  await world.state.restore()
}

/** Searches what the server has stored about calls for secrets. */
async function searchStoredLogs(exchanges: readonly Exchange[], { sql, secrets, fill }: World): Promise<void> {
  const requestIds = exchanges.map(({ answer }) => String(answer.headers['x-request-id'] ?? ''))
  // Only the open API has a request log.
  if (exchanges.some(({ callable }) => callable.surface === 'open')) await wait(requestLogDelay)
  const requests = await sql<{ appid: string | null; text: string }[]>`
    select appid, r::text as text from request_log r where request_id = any(${requestIds})`
  const audits = await sql<{ text: string }[]>`
    select a::text as text from audit_log a order by audit_id desc limit ${maxAuditRows}`
  // The server cannot recognize other secrets in the parameters of a request, which it stores if a sign is wrong.
  const sent = JSON.stringify(exchanges.map(({ call }) => call))
  const unsent = new Map([...secrets].filter(([name]) => !sent.includes(`{{secret.${name}}}`)))
  for (const { text } of [...requests, ...audits]) searchLog('stored log', text, unsent)
  const ofApp = new Map([['appSecret', secrets.get('appSecret')!]])
  for (const { appid, text } of requests) if (appid === fill('own.appid')) searchLog('request log', text, ofApp)
}

function searchLog(name: string, text: string, secrets: World['secrets']): void {
  for (const [secretName, secret] of secrets) {
    const at = text.indexOf(secret)
    if (at === -1) continue
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
    throw new Violation(
      `${name}: ${secretName}`,
      `The ${name} contains the secret ${secretName} after ${line.slice(-300)}`,
    )
  }
}

export const servers = (Object.keys(callerNames) as ServerSurface[]).map(requestsTo)
