import { type AlertMetric, type consoleOperations, day, hour, minute, type ParametersOf } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createTradeFixture } from '../../../../test/tradeFixture.ts'
import { createApp } from '../apps/index.ts'
import { listCustomEvents, putCustomEvent, removeCustomEvent } from '../customEvents/index.ts'
import {
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  muteAlertRule,
  updateAlertRule,
  watchAlerts,
} from './index.ts'

const admin = { kind: 'admin' } as const
const noon = Date.UTC(2030, 0, 7, 12)
const release = '0'.repeat(32)

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string

beforeAll(async () => {
  database = await freshDatabase()
  context = Object.assign(identityContext(database.sql), { stopping: new AbortController().signal })
})
afterAll(() => database.drop())
beforeEach(async () => {
  context.clock.time = noon
  await database.sql`truncate analytics_events, alert_rules, alerts, event_deliveries, events, event_endpoints cascade`
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
})

type Rule = ParametersOf<typeof consoleOperations.createAlertRule>
const ruleOf = (metric: AlertMetric, threshold: number, more: Partial<Rule> = {}): Rule => ({
  appid,
  metric,
  threshold,
  window: 60,
  minCount: 10,
  roles: ['owner'],
  accountIds: [],
  ...more,
})
const create = (metric: AlertMetric, threshold: number, more: Partial<Rule> = {}) =>
  createAlertRule(context, admin, ruleOf(metric, threshold, more))

/** Stores an event of each of `count` users, the first of whom has the number `first`. */
async function happen(
  kind: string,
  count: number,
  { age = 0, value = null as number | null, first = 1, name = '' } = {},
) {
  await database.sql`
    insert into analytics_events (time, appid, release_id, user_id, kind, name, value)
    select ${context.clock.time - age}, ${appid}, ${release}, lpad(n::text, 32, '0')::uuid, ${kind}, ${name}, ${value}
    from generate_series(${first}::integer, ${first + count - 1}::integer) n`
}

/** Checks the rules and returns the value and state of the first one. */
async function check() {
  await watchAlerts(context)
  const { rules, alerts } = await listAlertRules(context, admin, { appid })
  return {
    value: rules[0]!.value,
    isRaised: rules[0]!.isRaised,
    alerts: alerts.length,
    open: alerts.filter(isOpen).length,
  }
}
const isOpen = ({ resolvedTime }: { resolvedTime: number | null }) => resolvedTime === null

test('raises an alert once when a rule is crossed, and resolves it once when it has been back for a while', async () => {
  await create('errors', 10)
  await happen('open', 9)
  await happen('error', 9)
  expect(await check()).toEqual({ value: null, isRaised: false, alerts: 0, open: 0 })
  await happen('open', 11, { first: 10 })
  expect(await check()).toEqual({ value: 45, isRaised: true, alerts: 1, open: 1 })
  await Promise.all([watchAlerts(context), watchAlerts(context)])
  expect(await check()).toMatchObject({ alerts: 1, open: 1 })

  context.clock.time += 14 * minute
  await happen('open', 200, { first: 21 })
  const back = { value: 4.1, alerts: 1 }
  expect(await check()).toEqual({ ...back, isRaised: true, open: 1 })
  context.clock.time += minute
  expect(await check()).toEqual({ ...back, isRaised: false, open: 0 })
  expect(await check()).toEqual({ ...back, isRaised: false, open: 0 })

  await happen('error', 100)
  expect(await check()).toMatchObject({ isRaised: true, alerts: 2, open: 1 })
})

test('computes each metric over its window', async () => {
  const measured = async (metric: AlertMetric, window: Rule['window'] = 60) => {
    await database.sql`delete from alert_rules`
    await create(metric, 0, { window, minCount: 1 })
    return (await check()).value
  }
  await happen('open', 40, { age: 10 * minute })
  await happen('open', 60, { age: 30 * minute, first: 41 })
  await happen('open', 100, { age: 20 * hour, first: 101 })
  await happen('launchFailure', 5)
  await happen('request', 30, { age: 50 * minute })
  for (let n = 1; n <= 100; n++) await happen('launch', 1, { value: n * 10, first: n })
  expect(await measured('failedLaunches')).toBe(5)
  expect(await measured('failedLaunches', 15)).toBe(12.5)
  expect(await measured('failedLaunches', 1440)).toBe(2.5)
  expect(await measured('failedRequests')).toBe(30)
  expect(await measured('launchTime')).toBe(950)
  expect(await measured('openings')).toBeNull()
  await happen('open', 3, { age: day + 30 * minute })
  expect(await measured('openings')).toBe(100)
})

test('compares openings with the same time of the day before', async () => {
  await create('openings', 1)
  await happen('open', 9, { age: day + 5 * minute })
  expect(await check()).toMatchObject({ value: null, isRaised: false })
  await happen('open', 1, { age: day + 5 * minute, first: 10 })
  expect(await check()).toMatchObject({ value: 0, isRaised: true })
})

test('watches for how many payers payments succeed', async () => {
  const fixture = await createTradeFixture(database.sql)
  const rule = { ...ruleOf('paymentSuccess', 60, { minCount: 4 }), appid: fixture.app.app.appid }
  await createAlertRule(fixture.context, admin, rule)
  const payers = await database.sql<{ uid: number }[]>`
    insert into users (nickname, ctime) select 'Payer', 0 from generate_series(1, 4) returning uid`
  const payAs = async (payer: number, outcome: 'succeeded' | 'failed:2') => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, outcome)
    await database.sql`update all_trades set payer = ${payers[payer]!.uid} where trade_no = ${tradeNo}`
  }
  const check = async () => {
    await watchAlerts(Object.assign(fixture.context, { stopping: context.stopping }))
    return (await listAlertRules(fixture.context, admin, { appid: rule.appid })).rules[0]
  }
  // One payer alone is not enough, however often it pays.
  for (let n = 0; n < 5; n++) await payAs(0, 'failed:2')
  expect(await check()).toMatchObject({ value: null, isRaised: false })
  await payAs(0, 'succeeded')
  await payAs(1, 'succeeded')
  await payAs(2, 'succeeded')
  await payAs(3, 'failed:2')
  fixture.context.clock.time += minute
  expect(await check()).toMatchObject({ value: 75, isRaised: false })
})

test('one user can neither raise nor prevent an alert', async () => {
  const metrics = ['errors', 'failedLaunches', 'failedRequests', 'launchTime'] as const
  for (const metric of metrics) await create(metric, metric === 'launchTime' ? 4000 : 5, { minCount: 20 })
  await create('openings', 30, { minCount: 20 })
  await happen('open', 40, { age: day })
  await happen('open', 40)
  await happen('launch', 40, { value: 500 })
  for (let n = 0; n < 50; n++) {
    for (const kind of ['open', 'error', 'launchFailure', 'request']) await happen(kind, 1)
    await happen('launch', 1, { value: 60_000 })
  }
  await watchAlerts(context)
  const values = async () => {
    const { rules } = await listAlertRules(context, admin, { appid })
    return Object.fromEntries(rules.map(({ metric, value, isRaised }) => [metric, [value, isRaised]]))
  }
  expect(await values()).toEqual({
    errors: [2.5, false],
    failedLaunches: [2.5, false],
    failedRequests: [2.5, false],
    launchTime: [500, false],
    openings: [40, false],
  })
  // An hour later only one user opens it, as often as forty before.
  context.clock.time += 2 * hour
  await happen('open', 40, { age: day })
  for (let n = 0; n < 40; n++) await happen('open', 1)
  await watchAlerts(context)
  expect((await values()).openings).toEqual([1, true])
})

test('leaves out payments and callbacks from before the clock of a sandbox was set back', async () => {
  const fixture = await createTradeFixture(database.sql)
  const { appid } = fixture.app.app
  const watched = Object.assign(fixture.context, { stopping: context.stopping })
  await createAlertRule(watched, admin, { ...ruleOf('paymentSuccess', 60, { minCount: 1 }), appid })
  await createAlertRule(watched, admin, { ...ruleOf('failedCallbacks', 20, { minCount: 1 }), appid })
  const check = async () => {
    await watchAlerts(watched)
    return (await listAlertRules(watched, admin, { appid })).rules.map(({ value, isRaised }) => [value, isRaised])
  }
  watched.clock.ahead = 30 * day
  await fixture.pay(await fixture.create(), 'failed:2')
  await database.sql`update callbacks set attempts = 1 where appid = ${appid}`
  expect(await check()).toEqual(Array(2).fill([expect.any(Number), true]))
  watched.clock.ahead = 0
  watched.clock.time += 15 * minute
  expect(await check()).toEqual(Array(2).fill([null, false]))
})

test('watches how many callbacks fail', async () => {
  const fixture = await createTradeFixture(database.sql)
  const { appid } = fixture.app.app
  for (let count = 0; count < 5; count++) await fixture.pay(await fixture.create(), 'succeeded')
  const rule = { ...ruleOf('failedCallbacks', 20, { minCount: 4 }), appid }
  await createAlertRule(fixture.context, admin, rule)
  const check = async () => {
    await watchAlerts(Object.assign(fixture.context, { stopping: context.stopping }))
    return (await listAlertRules(fixture.context, admin, { appid })).rules[0]
  }
  expect(await check()).toMatchObject({ value: null, isRaised: false })
  await database.sql`
    update callbacks set attempts = 1, state = case when notify_id in (
      select notify_id from callbacks where appid = ${appid} order by notify_id limit 3) then 'delivered' else state end
    where appid = ${appid} and notify_id <> (select max(notify_id::text)::uuid from callbacks where appid = ${appid})`
  fixture.context.clock.time += 5 * minute
  expect(await check()).toMatchObject({ value: 25, isRaised: true })
})

test('records events for the endpoints that subscribe', async () => {
  await database.sql`
    insert into event_endpoints (endpoint_id, url, types, ctime)
    values (${release}, 'http://localhost:9/', ${['alert.raised', 'alert.resolved']}::text[], 0)`
  const { ruleId } = await create('errors', 10)
  await happen('open', 20)
  await happen('error', 20)
  await check()
  context.clock.time += 2 * hour
  await check()
  const events = await database.sql`select type, data from events order by event_id`
  const common = { appid, ruleId, metric: 'errors', threshold: 10, window: 60, raisedTime: noon }
  expect(events).toEqual([
    { type: 'alert.raised', data: expect.objectContaining({ ...common, value: 100 }) },
    {
      type: 'alert.resolved',
      data: expect.objectContaining({ ...common, value: null, resolvedTime: noon + 2 * hour }),
    },
  ])
  expect(events[0]!.data.alertId).toBe(events[1]!.data.alertId)
})

test('does not check a muted rule, nor those of a disabled mini app or a project without analytics', async () => {
  const { ruleId } = await create('errors', 10)
  await happen('open', 20)
  await happen('error', 20)
  await muteAlertRule(context, admin, { appid, ruleId, minutes: 30 })
  expect(await check()).toMatchObject({ value: null, isRaised: false })
  await database.sql`update apps set enabled = false where appid = ${appid}`
  context.clock.time += 31 * minute
  expect(await check()).toMatchObject({ isRaised: false })
  await database.sql`update apps set enabled = true where appid = ${appid}`
  expect(await check()).toMatchObject({ isRaised: true })
  expect((await muteAlertRule(context, admin, { appid, ruleId, minutes: 5 })).mutedUntil).toBe(noon + 36 * minute)
  expect((await muteAlertRule(context, admin, { appid, ruleId, minutes: 0 })).mutedUntil).toBeNull()
})

test('changes and deletes rules, up to a limit', async () => {
  const rules = await Promise.all(Array.from({ length: 20 }, () => create('errors', 10)))
  await expect(create('errors', 10)).rejects.toMatchObject({ code: 'alert_rule_limit_reached' })
  const { ruleId } = rules[0]!
  expect(await updateAlertRule(context, admin, { ...ruleOf('launchTime', 3000, { roles: [] }), ruleId })).toMatchObject(
    {
      metric: 'launchTime',
      threshold: 3000,
      roles: [],
    },
  )
  const [entry] = await database.sql`select detail from audit_log order by audit_id desc limit 1`
  expect(entry!.detail).toMatchObject({ metric: 'launchTime', before: { metric: 'errors' } })
  expect(await updateAlertRule(context, admin, { appid, ruleId, roles: ['viewer'] })).toMatchObject({
    metric: 'launchTime',
    threshold: 3000,
    roles: ['viewer'],
  })
  await deleteAlertRule(context, admin, { appid, ruleId })
  await expect(deleteAlertRule(context, admin, { appid, ruleId })).rejects.toMatchObject({
    code: 'alert_rule_not_found',
  })
  const other = (await createApp(context, admin, { name: 'Other' })).appid
  await expect(deleteAlertRule(context, admin, { appid: other, ruleId: rules[1]!.ruleId })).rejects.toMatchObject({
    code: 'alert_rule_not_found',
  })
})

test('a rule watches the users who report a custom event', async () => {
  const event = 'order'
  await expect(create('customEvent', 5, { event })).rejects.toMatchObject({ code: 'custom_event_not_found' })
  await putCustomEvent(context, admin, { appid, name: event, description: '', fields: {} })
  await expect(create('customEvent', 5)).rejects.toMatchObject({ code: 'parameter_invalid' })
  await expect(create('errors', 5, { event })).rejects.toMatchObject({ code: 'parameter_invalid' })
  const { ruleId } = await create('customEvent', 5, { event })
  await happen('custom', 10, { name: event, age: day })
  await happen('custom', 4, { name: event })
  await happen('custom', 10, { name: 'other' })
  await watchAlerts(context)
  const { rules, alerts } = await listAlertRules(context, admin, { appid })
  expect(rules).toMatchObject([{ event, value: 4, isRaised: true }])
  expect(alerts).toMatchObject([{ metric: 'customEvent', event }])
  const changed = await updateAlertRule(context, admin, { appid, ruleId, metric: 'errors' })
  expect(changed).toMatchObject({ metric: 'errors', event: null })
})

test('an event that a rule watches is not removed, so that the rule does not wait for it for ever', async () => {
  for (const name of ['order', 'share']) await putCustomEvent(context, admin, { appid, name, fields: {} })
  const remove = (name: string) => removeCustomEvent(context, admin, { appid, name })
  const { ruleId } = await create('customEvent', 5, { event: 'order' })
  await expect(remove('order')).rejects.toMatchObject({
    code: 'custom_event_in_use',
    message: expect.stringContaining(`order is watched by the alert rule ${ruleId} (below 5 users in 60 minutes)`),
  })
  await updateAlertRule(context, admin, { appid, ruleId, event: 'share' })
  await remove('order')
  await expect(remove('share')).rejects.toMatchObject({ code: 'custom_event_in_use' })
  await deleteAlertRule(context, admin, { appid, ruleId })
  await remove('share')
  expect(await listCustomEvents(context, admin, { appid })).toEqual([])
})

test('a rule is not created for an event that is removed at the same time', async () => {
  const event = 'order'
  for (let round = 0; round < 5; round++) {
    await putCustomEvent(context, admin, { appid, name: event, fields: {} })
    await Promise.allSettled([
      create('customEvent', 5, { event }),
      removeCustomEvent(context, admin, { appid, name: event }),
    ])
    const isDeclared = (await listCustomEvents(context, admin, { appid })).length === 1
    const { rules } = await listAlertRules(context, admin, { appid })
    expect(isDeclared).toBe(rules.length === 1)
    if (rules[0]) await deleteAlertRule(context, admin, { appid, ruleId: rules[0].ruleId })
  }
})
