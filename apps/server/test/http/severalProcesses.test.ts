import { inspectionsLimits, minute, signParameters } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKeyRingFollower } from '../../src/domain/installation/index.ts'
import { pruneInspections, pruneUsedSigns } from '../../src/domain/miniApps/index.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

const detail = '/neuopenapi/pay/transactions/tradedetail'
const close = '/neuopenapi/pay/transactions/tradeclose'
const tradeNo = '1'.repeat(32)

/** Two server processes of one installation. */
let one: TestSouk
let other: TestSouk
let app: { appid: string; secret: string }
let lastTimestamp = 0

beforeAll(async () => {
  one = await startTestSouk({ rateLimit: 20 })
  other = await startTestSouk({ rateLimit: 20, database: one.database })
  app = (await one.console('POST', '/console/v1/apps', { name: 'Shared' })).body
})
afterAll(async () => {
  await other.stop()
  await one.stop()
})
beforeEach(passTime)

/** Advances the clocks until limits of what was before are over. */
function passTime(): void {
  for (const { clock } of [one, other]) clock.stop()
  lastTimestamp = Math.max(one.clock.real(), lastTimestamp + 10_000)
  for (const { clock } of [one, other]) clock.advance(lastTimestamp - clock.real())
}

/** Returns signed parameters that are valid for a query and a close of a trade. */
function signed(): string {
  const own: [string, string][] = [
    ['appid', app.appid],
    ['timestamp', String(++lastTimestamp)],
    ['tradeNo', tradeNo],
  ]
  return new URLSearchParams([...own, ['sign', signParameters(own, app.secret)]]).toString()
}

/** Waits until the database knows as many signs. */
const untilBound = (count: number) =>
  expect.poll(async () => (await one.database.sql`select from bound_signs`).length).toBe(count)

test('a sign that queried a trade at one process does not close it at another', async () => {
  const query = signed()
  expect((await one.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
  await untilBound(1)
  const answer = await other.send('POST', `${close}?${query}`)
  expect(answer).toMatchObject({ status: 409, code: 'sign_reused', msg: expect.stringContaining('tradedetail') })
  expect((await other.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
})

test('a sign that closed a trade at one process does not query it at another', async () => {
  const query = signed()
  expect((await one.send('POST', `${close}?${query}`)).code).toBe('trade_not_found')
  expect((await other.send('POST', `${close}?${query}`)).code).toBe('trade_not_found')
  const third = signed()
  expect((await one.send('POST', `${close}?${third}`)).code).toBe('trade_not_found')
  await expect.poll(async () => (await other.send('GET', `${detail}?${third}`)).code).toBe('sign_reused')
})

test('a process that starts later knows the signs that were used before', async () => {
  const query = signed()
  expect((await one.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
  await untilBound(4)
  const later = await startTestSouk({ database: one.database })
  try {
    expect((await later.send('POST', `${close}?${query}`)).code).toBe('sign_reused')
  } finally {
    await later.stop()
  }
})

test('a process that stops tells the others first', async () => {
  const stopped = await startTestSouk({ database: one.database })
  const query = signed()
  expect((await stopped.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
  await stopped.stop()
  expect((await other.send('POST', `${close}?${query}`)).code).toBe('sign_reused')
})

test('signs are forgotten once their timestamps are no longer accepted', async () => {
  one.clock.advance(16 * minute)
  await pruneUsedSigns(one.context)
  expect(await one.database.sql`select from bound_signs`).toHaveLength(0)
})

test('a captured query that is sent to another process at once does not close the trade', async () => {
  // Each process reports itself as at its start.
  const followers = [one, other].map(({ context }) => createKeyRingFollower(context))
  for (const follower of followers) await follower.follow()
  for (let attempt = 0; attempt < 12; attempt++) {
    passTime()
    const query = signed()
    expect((await one.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
    const answer = await other.send('POST', `${close}?${query}`)
    expect(answer).toMatchObject({ status: 409, code: 'sign_reused', msg: expect.stringContaining('tradedetail') })
    // It stays refused, at every process.
    expect((await one.send('POST', `${close}?${query}`)).code).toBe('sign_reused')
    expect((await other.send('POST', `${close}?${query}`)).code).toBe('sign_reused')
  }
  const own = signed()
  expect((await other.send('POST', `${close}?${own}`)).code).toBe('trade_not_found')
  expect((await other.send('POST', `${close}?${own}`)).code).toBe('trade_not_found')
  for (const follower of followers) await follower.leave()
})

test('two processes together admit as many sign-ins of an address as one', async () => {
  const ask = (souk: TestSouk) => souk.raw('GET', '/host/v1/sign-in', {})
  const answers = await Promise.all([one, other].flatMap((souk) => Array.from({ length: 30 }, () => ask(souk))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
  expect(answers.filter(({ body }) => body.code === 'rate_limited')).toHaveLength(20)
})

test('two processes together admit at most a twentieth more requests of a mini app than one', async () => {
  const ask = (souk: TestSouk) => souk.send('GET', `${detail}?${signed()}`)
  const answers = await Promise.all([one, other].flatMap((souk) => Array.from({ length: 45 }, () => ask(souk))))
  const admitted = answers.filter(({ code }) => code === 'trade_not_found').length
  expect(admitted).toBeGreaterThanOrEqual(40)
  expect(admitted).toBeLessThanOrEqual(42)
})

describe('an inspection of a mini app on a phone', () => {
  let appid: string
  let developer: ConsoleUser
  let colleague: ConsoleUser
  let viewer: ConsoleUser
  const phones: string[] = []
  const open: AbortController[] = []

  beforeAll(async () => {
    await one.setUp()
    const { projectId } = (await one.console('POST', '/console/v1/projects', { name: 'Inspected' })).body
    appid = (await one.console('POST', '/console/v1/apps', { name: 'Inspected', projectId })).body.appid
    developer = await one.join(projectId, 'editor')
    colleague = await one.join(projectId, 'editor')
    viewer = await one.join(projectId, 'viewer')
    for (const nickname of ['Layla', 'Omar']) {
      const { uid } = (await one.console('POST', '/console/v1/sandbox/users', { nickname })).body
      phones.push((await one.json('', 'POST', '/host/v1/sessions', { uid })).body.session)
    }
  })
  afterAll(() => {
    for (const stream of open) stream.abort()
  })

  const path = () => `/console/v1/apps/${appid}/inspections`
  const create = async () => (await developer.call('POST', path(), {})).body
  const answer = (code: string, accepted = true, phone = 0) =>
    other.json(phones[phone]!, 'POST', '/host/v1/inspections/answer', { code, accepted })
  const pair = async () => {
    const { inspectionId, code } = await create()
    expect((await answer(code)).status).toBe(200)
    return inspectionId as string
  }
  const report = (inspectionId: string, message: string, phone = 0) =>
    other.json(phones[phone]!, 'POST', `/host/v1/inspections/${inspectionId}/messages`, { message })

  /** Reads a stream and returns its events so far. */
  async function follow(url: string, headers: Record<string, string>) {
    const leave = new AbortController()
    open.push(leave)
    const { body } = await fetch(url, { headers, signal: leave.signal })
    let text = ''
    void (async () => {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk
    })().catch(() => {})
    return {
      leave: () => leave.abort(),
      events: () =>
        [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, event, data]) => ({ event, ...JSON.parse(data!) })),
    }
  }
  const watch = (inspectionId: string, more = '', by = developer) =>
    follow(`${one.url}${path()}/${inspectionId}/messages${more}`, { Cookie: by.cookie })
  const followAs = (inspectionId: string, phone = 0) =>
    follow(`${other.url}/host/v1/inspections/${inspectionId}/messages`, { Authorization: `Bearer ${phones[phone]}` })

  test('passes messages of any size between two processes, in order, and again after a reconnection', async () => {
    const inspectionId = await pair()
    const console = await watch(inspectionId)
    const phone = await followAs(inspectionId)
    await expect.poll(phone.events).toContainEqual(expect.objectContaining({ event: 'state', connected: true }))
    const large = JSON.stringify({ entries: ['☕'.repeat(20_000)] })
    for (const message of ['1', large, '2']) expect((await report(inspectionId, message)).status).toBe(200)
    const messages = () => console.events().flatMap(({ event, message }) => (event === 'message' ? [message] : []))
    await expect.poll(messages).toEqual(['1', large, '2'])

    const command = { message: '{"type":"restart"}' }
    expect((await developer.call('POST', `${path()}/${inspectionId}/messages`, command)).status).toBe(200)
    await expect.poll(phone.events).toContainEqual(expect.objectContaining({ event: 'message', ...command }))

    const [first] = console.events().filter(({ event }) => event === 'message')
    console.leave()
    await expect.poll(phone.events).toContainEqual(expect.objectContaining({ event: 'state', connected: false }))
    const again = await watch(inspectionId, `?after=${first!.messageId}`)
    await expect
      .poll(again.events)
      .toEqual([
        expect.objectContaining({ event: 'state', paired: true, connected: true }),
        expect.objectContaining({ event: 'message', message: large }),
        expect.objectContaining({ event: 'message', message: '2' }),
      ])
    // Another tab takes over, without what was sent before.
    const tab = await watch(inspectionId)
    await expect.poll(again.events).toContainEqual({ event: 'ended', reason: 'replaced' })
    expect((await report(inspectionId, '3')).status).toBe(200)
    await expect.poll(() => tab.events().map(({ message }) => message)).toEqual([undefined, '3'])

    const left = await other.json(phones[0]!, 'DELETE', `/host/v1/inspections/${inspectionId}`)
    expect(left.status).toBe(200)
    expect(await one.context.sql`select from inspection_messages`).toHaveLength(0)
    expect((await report(inspectionId, '4')).body.code).toBe('inspection_not_found')
  })

  test('belongs to one developer and one session of a user', async () => {
    expect((await viewer.call('POST', path(), {})).body.code).toBe('permission_denied')
    const inspectionId = await pair()
    const ended = { event: 'ended', reason: 'stopped' }
    await expect.poll((await watch(inspectionId, '', colleague)).events).toEqual([ended])
    await expect.poll((await followAs(inspectionId, 1)).events).toEqual([ended])
    const foreign = await colleague.call('POST', `${path()}/${inspectionId}/messages`, { message: '{}' })
    expect(foreign.body.code).toBe('inspection_not_found')
    expect((await colleague.call('DELETE', `${path()}/${inspectionId}`)).body.code).toBe('inspection_not_found')
    expect((await report(inspectionId, '{}', 1)).body.code).toBe('inspection_not_found')
    const phone = await followAs(inspectionId)
    await expect.poll(phone.events).not.toEqual([])
    expect((await developer.call('DELETE', `${path()}/${inspectionId}`)).status).toBe(200)
    await expect.poll(phone.events).toContainEqual(ended)
  })

  test('needs a code, which is valid once, for ten minutes, and which declining uses up', async () => {
    const { inspectionId, code } = await create()
    const [row] = await one.context.sql<[{ row: string }]>`
      select i::text as row from inspections i where inspection_id = ${inspectionId}`
    expect(row.row).not.toContain(code)
    const show = (code: string) => other.json(phones[0]!, 'POST', '/host/v1/inspections/show', { code })
    expect((await show(code)).body).toEqual({ appid, developer: expect.any(String), project: 'Inspected' })
    const console = await watch(inspectionId)
    expect((await answer(code, false)).status).toBe(200)
    await expect.poll(console.events).toContainEqual({ event: 'ended', reason: 'declined' })
    for (const used of [code, 'souk_inspect_guessed']) {
      expect((await show(used)).body.code).toBe('inspection_code_invalid')
      expect((await answer(used)).body.code).toBe('inspection_code_invalid')
    }
    const paired = await create()
    await answer(paired.code)
    expect((await answer(paired.code, true, 1)).body.code).toBe('inspection_code_invalid')
    const late = await create()
    other.clock.advance(inspectionsLimits.codeLifetime)
    expect((await answer(late.code)).body.code).toBe('inspection_code_invalid')
  })

  test('ends when it is not used, and its messages are deleted before that', async () => {
    const inspectionId = await pair()
    await report(inspectionId, 'private')
    one.clock.advance(minute)
    await pruneInspections(one.context)
    expect(await one.context.sql`select from inspection_messages`).toHaveLength(0)
    one.clock.advance(inspectionsLimits.idle)
    await pruneInspections(one.context)
    expect(await one.context.sql`select from inspections`).toHaveLength(0)
    const { body } = await one.console('GET', `/console/v1/audit?limit=3`)
    expect(body.items[0]).toMatchObject({ action: 'inspection.end', subject: appid, detail: { reason: 'idle' } })
  })

  test('ends when its user has signed out', async () => {
    const { uid } = (await one.console('POST', '/console/v1/sandbox/users', { nickname: 'Sara' })).body
    const { session } = (await one.json('', 'POST', '/host/v1/sessions', { uid })).body
    const { inspectionId, code } = await create()
    expect((await one.json(session, 'POST', '/host/v1/inspections/answer', { code, accepted: true })).status).toBe(200)
    const console = await watch(inspectionId)
    await pruneInspections(one.context)
    expect((await one.json(session, 'DELETE', '/host/v1/sessions')).status).toBe(200)
    await pruneInspections(one.context)
    await expect.poll(console.events).toContainEqual({ event: 'ended', reason: 'left' })
    expect(console.events()).toContainEqual(expect.objectContaining({ event: 'state', paired: true }))
  })

  test('is limited in number, and in messages a minute', async () => {
    const paired: string[] = []
    for (let number = 0; number < inspectionsLimits.perProject; number++) paired.push(await pair())
    expect((await developer.call('POST', path(), {})).body.code).toBe('inspection_limit_reached')
    await one.context.sql`
      insert into inspection_messages (inspection_id, recipient, message, time)
      select ${paired[0]!}, 'console', 'x', ${other.clock.real()}
      from generate_series(1, ${inspectionsLimits.messagesPerMinute})`
    const refused = await report(paired[0]!, 'one too many')
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect((await report(paired[1]!, 'x')).status).toBe(200)
  })
})
