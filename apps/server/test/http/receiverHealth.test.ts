import { day, eventTypes, hour } from '@souk/contract'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverDueEvents, disableFailingEndpoints, recordEvent } from '../../src/domain/messages/index.ts'
import { deliverDueCallbacks, disableFailingReceivers } from '../../src/domain/money/index.ts'
import { startBackend, type TestBackend } from '../backend.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { deliverMails, type MailServer, startMailServer } from '../mailServer.ts'
import { type ConsoleUser, type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

let mail: MailServer
let souk: TestSouk
let project: FurnishedProject
let editor: ConsoleUser
let backend: TestBackend
let backendUrl: string
let received: TestBackend['received']
let answers: TestBackend['answers']

beforeAll(async () => {
  backend = await startBackend()
  ;({ url: backendUrl, received, answers } = backend)
  mail = await startMailServer()
  souk = await startTestSouk({ mail: mail.url })
  const administrator = await souk.setUp()
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  project = await furnish(souk, projectId)
  editor = await souk.join(projectId, 'editor')
  const viewer = await souk.join(projectId, 'viewer')
  const { sql } = souk.context
  await sql`update accounts set email = 'admin@mail.example' where account_id = ${administrator.accountId}`
  await sql`update accounts set email = 'editor@mail.example', language = 'ar' where account_id = ${editor.accountId}`
  await sql`update accounts set email = 'viewer@mail.example' where account_id = ${viewer.accountId}`
  await sql`update callbacks set notify_url = ${`${backendUrl}/paid`}`
  // It acknowledges the callback of the furnished trade, which later would end a failure of the same host.
  await deliverDueCallbacks(souk.context)
})
afterAll(async () => {
  backend.stop()
  await souk.stop()
  await mail.stop()
})
beforeEach(async () => {
  await souk.context.sql`truncate event_endpoints, events, callback_receivers cascade`
  await souk.context.sql`delete from mails`
  mail.received.length = 0
  received.length = 0
  answers.clear()
})

/** Delivers what is due, and looks for receivers to disable, like the jobs of a worker. */
async function runJobs(): Promise<void> {
  await deliverDueCallbacks(souk.context)
  await deliverDueEvents(souk.context)
  await disableFailingReceivers(souk.context)
  await disableFailingEndpoints(souk.context)
}

/** Moves the clock on in steps, and runs the jobs after each. */
async function pass(time: number, step = 6 * hour): Promise<void> {
  for (let passed = 0; passed < time; passed += step) {
    souk.clock.offset += step
    await runJobs()
  }
}

async function mails(): Promise<string[]> {
  await deliverMails(souk.context)
  return mail.received.flatMap(({ recipients }) => recipients).sort()
}

const auditOf = async (action: string) =>
  souk.context.sql`select actor, subject, detail from audit_log where action = ${action} order by 1`
const ofPath = (path: string) => received.filter((request) => request.path === path)
/** Adds an endpoint of the company that works and gets notices. */
const addWatcher = () =>
  souk.console('POST', '/console/v1/event-endpoints', {
    url: `${backendUrl}/watcher`,
    types: ['receiver.disabled', 'endpoint.disabled'],
  })
const notices = () => ofPath('/watcher').map(({ body }) => JSON.parse(body))

describe('callbacks', () => {
  const receivers = async () =>
    (await souk.console('GET', `/console/v1/projects/${project.projectId}/callback-receivers`)).body
  const enable = (input: object): Promise<JsonAnswer> =>
    editor.call('POST', `/console/v1/apps/${project.appid}/callback-receivers/enable`, input)
  const stateOf = async (tradeNo: string) => {
    const { body } = await souk.console('GET', `/console/v1/callbacks?appid=${project.appid}&tradeNo=${tradeNo}`)
    return body[0]?.state
  }
  /** Ends a trade, whose callback goes to a path of the backend. */
  async function pay(path: string): Promise<string> {
    const tradeNo = await project.newTrade()
    await souk.context.sql`update trades set notify_url = ${backendUrl + path} where trade_no = ${tradeNo}`
    await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo, uid: project.uid })
    return tradeNo
  }

  test('to a host that fails for five days are disabled with notice, kept, and sent again when it is enabled', async () => {
    await addWatcher()
    answers.set('/down', 500)
    const { host } = new URL(backendUrl)
    const first = await pay('/down')
    await runJobs()
    await pass(day)
    expect(await receivers()).toMatchObject([{ appid: project.appid, host, state: 'failing', disabledAt: null }])
    for (let days = 1; days < 5; days += 1) {
      expect(await receivers()).toMatchObject([{ state: 'failing' }])
      await pay('/down')
      await pass(day)
    }
    await pay('/down')
    await pass(day)
    expect(await receivers()).toMatchObject([{ appid: project.appid, host, state: 'disabled', dead: 6 }])

    const [{ failingSince }] = await receivers()
    await deliverDueEvents(souk.context)
    expect(notices()).toMatchObject([
      { type: 'receiver.disabled', data: { appid: project.appid, appName: 'Tea', host, failingSince } },
    ])
    expect([...Value.Errors(eventTypes['receiver.disabled'].data, notices()[0].data)]).toEqual([])
    expect(await mails()).toEqual(['editor@mail.example'])
    const { text, html } = mail.last('editor@mail.example')
    expect(text).toContain(`http://souk.test/console/projects/${project.projectId}/callbacks`)
    expect(html).toContain('dir="rtl"')
    expect(await auditOf('callbackReceiver.disable')).toMatchObject([
      { actor: 'system', subject: project.appid, detail: { host, failingSince } },
    ])

    const before = ofPath('/down').length
    const since = souk.clock.now()
    const meanwhile = await pay('/down')
    await pass(day)
    expect(await stateOf(meanwhile)).toBe('dead')
    expect(ofPath('/down')).toHaveLength(before)
    // The notice is given once.
    expect(await mails()).toEqual(['editor@mail.example'])

    answers.clear()
    expect((await enable({ host: 'other.example' })).body.code).toBe('callback_receiver_not_found')
    expect((await enable({ host: host.toUpperCase(), since })).body).toEqual({ replayed: 1 })
    expect((await enable({ host })).body.code).toBe('callback_receiver_not_found')
    expect(await receivers()).toEqual([])
    await runJobs()
    expect([await stateOf(first), await stateOf(meanwhile)]).toEqual(['dead', 'delivered'])
    expect(ofPath('/down')).toHaveLength(before + 1)
    expect(await auditOf('callbackReceiver.enable')).toMatchObject([
      { actor: `account ${editor.accountId}`, detail: { host, replayed: 1 } },
    ])
  })

  test('to a host that acknowledges one of them in between are not disabled', async () => {
    answers.set('/down', 500)
    for (let days = 0; days < 7; days += 1) {
      await pay('/down')
      if (days === 3) await pay('/up')
      await pass(day)
    }
    expect(await receivers()).toMatchObject([{ state: 'failing' }])
  })

  test('are not disabled by one failure and silence afterwards', async () => {
    answers.set('/down', 500)
    const tradeNo = await pay('/down')
    await pass(2 * day, hour)
    expect(await stateOf(tradeNo)).toBe('dead')
    await pass(20 * day, day)
    expect((await receivers()).filter(({ state }: { state: string }) => state === 'disabled')).toEqual([])
  })

  test('that developers forward with souk listen say nothing about the host', async () => {
    const tradeNo = await pay('/up')
    const [{ notifyId }] = (
      await souk.console('GET', `/console/v1/callbacks?appid=${project.appid}&tradeNo=${tradeNo}`)
    ).body
    const report = { status: 500, duration: 1 }
    await souk.console('POST', `/console/v1/callbacks/${notifyId}/attempts`, report)
    expect(await souk.context.sql`select from callback_receivers`).toHaveLength(0)
  })
})

describe('an event endpoint', () => {
  const stateOf = async (endpointId: string) =>
    (await souk.console('GET', '/console/v1/event-endpoints')).body.find(
      (each: { endpointId: string }) => each.endpointId === endpointId,
    )
  const happen = () =>
    souk.context.sql.begin((tx) => recordEvent(souk.context, tx, { type: 'user.erased', data: {}, uids: [10_001] }))

  test('that fails for five days is disabled with notice, and gets what it missed after it is enabled', async () => {
    const url = `${backendUrl}/down`
    const { endpointId } = (await souk.console('POST', '/console/v1/event-endpoints', { url, types: ['user.erased'] }))
      .body
    await addWatcher()
    answers.set('/down', 503)
    for (let days = 0; days < 6; days += 1) {
      await happen()
      await pass(day)
    }
    expect(await stateOf(endpointId)).toMatchObject({ state: 'failed', pending: 0, dead: 6 })
    const { failingSince } = await stateOf(endpointId)
    await deliverDueEvents(souk.context)
    expect(notices()).toMatchObject([{ type: 'endpoint.disabled', data: { endpointId, url, failingSince } }])
    expect([...Value.Errors(eventTypes['endpoint.disabled'].data, notices()[0].data)]).toEqual([])
    expect(await mails()).toEqual(['admin@mail.example'])
    expect(mail.last('admin@mail.example').text).toContain('http://souk.test/console/platform?view=messages')
    expect(await auditOf('eventEndpoint.disable')).toMatchObject([{ actor: 'system', subject: endpointId }])
    const findings = (await souk.console('GET', '/console/v1/doctor')).body
    expect(findings.find(({ check }: { check: string }) => check === 'events')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('five days'),
    })

    const before = ofPath('/down').length
    await happen()
    await pass(day)
    expect(ofPath('/down')).toHaveLength(before)
    expect(await stateOf(endpointId)).toMatchObject({ state: 'failed', dead: 7 })

    // Still failing after it is enabled: the five days begin again.
    const path = `/console/v1/event-endpoints/${endpointId}`
    expect((await souk.console('PATCH', path, { enabled: true })).body.state).toBe('enabled')
    expect((await souk.console('POST', `${path}/replay`, { since: failingSince })).body).toEqual({ replayed: 7 })
    await pass(3 * day)
    expect(await stateOf(endpointId)).toMatchObject({ state: 'failing', pending: 7 })
    answers.clear()
    await pass(day)
    expect(await stateOf(endpointId)).toMatchObject({ state: 'enabled', dead: 0, failingSince: null })
  })
})
