import { createHash } from 'node:crypto'
import { capabilities, day, hour, minute, noDomains, SoukError } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityContext, TestClock } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { type App, activeSecrets, retiredSecrets } from '../../app.ts'
import type { AdminCaller, ConsoleCaller } from '../../caller.ts'
import {
  AppDirectory,
  archiveApp,
  createApp,
  ensureMerchant,
  findApprovedDomains,
  listApps,
  listEnabledApps,
  lockApp,
  restoreApp,
  rotateSecret,
  updateApp,
} from './index.ts'

const admin: AdminCaller = { kind: 'admin' }
const unknown = 'zzzzzzzzzzzzzzz'

let database: FreshDatabase
let context: ReturnType<typeof identityContext>

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
})
afterAll(() => database.drop())

async function appOf(appid: string): Promise<App> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new Error(`no app ${appid}`)
  return app
}

async function active(appid: string): Promise<string[]> {
  return activeSecrets(await appOf(appid), context.clock.now())
}

/** Returns the payloads of `souk_app` notifications sent while `act` runs. */
async function announcedWhile(act: () => Promise<unknown>): Promise<string[]> {
  const payloads: string[] = []
  const ended = Promise.withResolvers<void>()
  const listening = await database.sql.listen('souk_app', (appid) => {
    if (appid === 'end') ended.resolve()
    else payloads.push(appid)
  })
  await act()
  await database.sql`select pg_notify('souk_app', 'end')`
  await ended.promise
  await listening.unlisten()
  return payloads
}

async function auditOf(appid: string) {
  return database.sql<{ actor: string; action: string; detail: Record<string, unknown> }[]>`
    select actor, action, detail from audit_log where subject = ${appid} order by audit_id`
}

function soukError(code: string) {
  return expect.objectContaining({ name: SoukError.name, code })
}

describe('createApp', () => {
  test('creates an app with all capabilities and without a merchant', async () => {
    const { appid, secret } = await createApp(context, admin, { name: 'Tea House', language: 'ar_SA' })
    expect(appid).toMatch(/^[a-z][a-z0-9]{14}$/)
    expect(secret).toMatch(/^[0-9a-f]{48}$/)
    expect(await appOf(appid)).toMatchObject({
      appid,
      name: 'Tea House',
      enabled: true,
      capabilities: new Set(capabilities),
      defaultLanguage: 'ar_SA',
      secrets: [{ secret, validUntil: null }],
      merchant: null,
    })
    expect((await listApps(context, admin, { appids: appid })).items[0]).toMatchObject({
      appid,
      name: 'Tea House',
      enabled: true,
      capabilities: [...capabilities],
      merchantId: null,
      ctime: context.clock.now(),
    })
  })

  test('puts concurrently created apps into one default project', async () => {
    const apps = await Promise.all(Array.from({ length: 8 }, () => createApp(context, admin, { name: 'App' })))
    const projects = await Promise.all(apps.map(async ({ appid }) => (await appOf(appid)).projectId))
    expect(new Set(projects).size).toBe(1)
    expect(projects[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('encrypts each secret for its own row', async () => {
    const one = await createApp(context, admin, { name: 'One' })
    const other = await createApp(context, admin, { name: 'Other' })
    const stored = await database.sql<{ ciphertext: Buffer }[]>`
      select ciphertext from app_secrets where appid in (${one.appid}, ${other.appid})`
    for (const { ciphertext } of stored) expect(ciphertext.toString('latin1')).not.toContain(one.secret)

    await database.sql`
      update app_secrets set ciphertext = (select ciphertext from app_secrets where appid = ${one.appid})
      where appid = ${other.appid}`
    await expect(appOf(other.appid)).rejects.toThrow()
  })
})

describe('archiveApp', () => {
  test('hides the app from hosts, keeps the time of the first call, and is undone by restoreApp', async () => {
    const { appid } = await createApp(context, admin, { name: 'Tea House' })
    const isListed = async () => (await listEnabledApps(context, [appid])).length > 0
    const announced = await announcedWhile(() => archiveApp(context, admin, { appid }))
    expect(announced).toEqual([appid])
    const { archivedTime } = await appOf(appid)
    expect(archivedTime).toBe(context.clock.now())
    expect(await isListed()).toBe(false)
    expect((await listApps(context, admin, { limit: 200 })).items.some((app) => app.appid === appid)).toBe(false)
    context.clock.ahead += minute
    await archiveApp(context, admin, { appid })
    expect((await appOf(appid)).archivedTime).toBe(archivedTime)
    context.clock.ahead = 0

    await restoreApp(context, admin, { appid })
    expect(await isListed()).toBe(true)
    await expect(restoreApp(context, admin, { appid })).rejects.toEqual(soukError('app_not_archived'))
    await expect(archiveApp(context, admin, { appid: unknown })).rejects.toEqual(soukError('app_not_found'))
    expect((await auditOf(appid)).map(({ action }) => action)).toEqual([
      'app.create',
      'app.archive',
      'app.archive',
      'app.restore',
    ])
  })
})

describe('updateApp', () => {
  test('changes the given settings only', async () => {
    const { appid } = await createApp(context, admin, { name: 'Tea House' })
    expect(await updateApp(context, admin, { appid, capabilities: ['login'] })).toBe(true)
    expect(await appOf(appid)).toMatchObject({ enabled: true, capabilities: new Set(['login']), merchant: null })
    await updateApp(context, admin, { appid, enabled: false })
    expect(await appOf(appid)).toMatchObject({ enabled: false, capabilities: new Set(['login']), merchant: null })
    expect((await listEnabledApps(context, [appid])).length > 0).toBe(false)
    await updateApp(context, admin, { appid, merchantLogoUrl: 'https://tea.example/logo.png' })
    expect((await appOf(appid)).merchant).toMatchObject({ name: 'Tea House', logoUrl: 'https://tea.example/logo.png' })
    await updateApp(context, admin, { appid, merchantName: 'Tea Ltd', enabled: true, capabilities: [] })
    expect(await appOf(appid)).toMatchObject({
      enabled: true,
      capabilities: new Set(),
      merchant: { name: 'Tea Ltd', logoUrl: 'https://tea.example/logo.png' },
    })
    expect((await listEnabledApps(context, [appid]))[0]).toEqual({
      appid,
      name: 'Tea House',
      names: {},
      iconUrl: null,
      category: null,
      keywords: [],
      recommended: false,
      analytics: true,
      developer: 'Tea Ltd',
      domains: noDomains,
      onlyTesters: false,
    })
  })

  test('only administrators set how hosts list a mini app', async () => {
    const { appid } = await createApp(context, admin, { name: 'Tea House' })
    const listing = {
      names: { ar_SA: 'بيت الشاي' },
      category: 'food',
      keywords: ['matcha'],
      recommended: true,
    } as const
    await updateApp(context, admin, { appid, ...listing, keywords: [...listing.keywords] })
    const found = async () => (await listEnabledApps(context, [appid]))[0]
    expect(await found()).toMatchObject(listing)
    const owner = { kind: 'account', accountId: 'f'.repeat(32), administrator: false } as ConsoleCaller
    for (const [setting, value] of Object.entries(listing))
      await expect(updateApp(context, owner, { appid, [setting]: value })).rejects.toMatchObject({
        code: 'permission_denied',
      })
    await updateApp(context, admin, { appid, names: {}, category: null, keywords: [] })
    expect(await found()).toMatchObject({ names: {}, category: null, keywords: [], recommended: true })
  })

  test('changes only the given lists of domains', async () => {
    const { appid } = await createApp(context, admin, { name: 'Tea House' })
    expect(await findApprovedDomains(context, appid)).toEqual(noDomains)
    await updateApp(context, admin, {
      appid,
      domains: { request: ['api.tea.example'], upload: ['*.tea.example:8443'] },
    })
    await updateApp(context, admin, { appid, domains: { upload: [] } })
    expect(await findApprovedDomains(context, appid)).toEqual({ ...noDomains, request: ['api.tea.example'] })
    expect(await findApprovedDomains(context, unknown)).toEqual(noDomains)
  })

  test('requests an approval to restore what was replaced while the change waited', async () => {
    const { appid } = await createApp(context, admin, { name: 'Tea House' })
    await updateApp(context, admin, { appid, merchantName: 'Tea' })
    const restricted: typeof context = { ...context, rules: { ...context.rules, approvals: 'required' } }
    let complete: Promise<boolean> | undefined
    await database.sql.begin(async (tx) => {
      await lockApp(tx, appid)
      await tx`update merchants set name = 'Coffee' where appid = ${appid}`
      complete = updateApp(restricted, admin, { appid, merchantName: 'Tea' })
      await untilWaiting(database.sql, 1)
    })
    expect(await complete).toBe(false)
    expect((await appOf(appid)).merchant?.name).toBe('Coffee')
  })

  test('rejects an unknown app and an empty change', async () => {
    await expect(updateApp(context, admin, { appid: unknown, enabled: true })).rejects.toEqual(
      soukError('app_not_found'),
    )
    await expect(updateApp(context, admin, { appid: unknown })).rejects.toEqual(soukError('parameter_missing'))
  })
})

test('announces and audits every change without secrets', async () => {
  const created = Promise.withResolvers<{ appid: string; secret: string }>()
  const rotated = Promise.withResolvers<{ secret: string }>()
  const announced = await announcedWhile(async () => {
    created.resolve(await createApp(context, admin, { name: 'Tea House' }))
    const { appid } = await created.promise
    rotated.resolve(await rotateSecret(context, admin, { appid, overlap: 60 }))
    await updateApp(context, admin, { appid, enabled: false })
    await ensureMerchant(context, await appOf(appid))
  })
  const { appid, secret } = await created.promise
  const rows = await auditOf(appid)
  expect(announced).toEqual([appid, appid, appid, appid])
  expect(rows.map(({ actor, action }) => [actor, action])).toEqual([
    ['admin', 'app.create'],
    ['admin', 'app.rotateSecret'],
    ['admin', 'app.update'],
    [`app ${appid}`, 'merchant.create'],
  ])
  expect(rows[2]?.detail).toEqual({ enabled: false })
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(JSON.stringify(rows)).not.toContain((await rotated.promise).secret)
})

test('neither announces nor audits a rejected change', async () => {
  const announced = await announcedWhile(async () => {
    await expect(rotateSecret(context, admin, { appid: unknown })).rejects.toEqual(soukError('app_not_found'))
    await expect(updateApp(context, admin, { appid: unknown, enabled: true })).rejects.toEqual(
      soukError('app_not_found'),
    )
  })
  expect(announced).toEqual([])
  expect(await auditOf(unknown)).toEqual([])
})

describe('rotateSecret', () => {
  test('accepts the new secret immediately and the old one until the overlap ends', async () => {
    const { appid, secret: old } = await createApp(context, admin, { name: 'App' })
    const { secret: fresh } = await rotateSecret(context, admin, { appid, overlap: 60 })
    expect(fresh).toMatch(/^[0-9a-f]{48}$/)
    expect(await active(appid)).toEqual([fresh, old])
    context.clock.ahead += minute - 1
    expect(await active(appid)).toEqual([fresh, old])
    context.clock.ahead += 1
    // From the cache: the end needs no notification.
    expect(await active(appid)).toEqual([fresh])
    expect(retiredSecrets(await appOf(appid), context.clock.now())).toEqual([old])
    context.clock.ahead = 0
  })

  test('defaults to an overlap of one day', async () => {
    const { appid } = await createApp(context, admin, { name: 'App' })
    await rotateSecret(context, admin, { appid })
    expect((await appOf(appid)).secrets.map(({ validUntil }) => validUntil)).toEqual([null, context.clock.now() + day])
  })

  test('ends the old secret immediately with an overlap of 0, even if the clock is set back', async () => {
    const { appid } = await createApp(context, admin, { name: 'App' })
    context.clock.ahead += hour
    const { secret: fresh } = await rotateSecret(context, admin, { appid, overlap: 0 })
    expect(await active(appid)).toEqual([fresh])
    context.clock.ahead = 0
    expect(await active(appid)).toEqual([fresh])
  })

  test('shortens but never extends an overlap with a later rotation', async () => {
    const { appid, secret: first } = await createApp(context, admin, { name: 'App' })
    const { secret: second } = await rotateSecret(context, admin, { appid, overlap: 60 })
    const { secret: third } = await rotateSecret(context, admin, { appid, overlap: 3600 })
    expect(await active(appid)).toEqual([third, second, first])
    const now = context.clock.now()
    expect((await appOf(appid)).secrets.map(({ validUntil }) => validUntil)).toEqual([null, now + hour, now + minute])
    const { secret: fourth } = await rotateSecret(context, admin, { appid, overlap: 0 })
    expect(await active(appid)).toEqual([fourth])
  })

  test('leaves exactly one secret without an end after concurrent rotations', async () => {
    const { appid } = await createApp(context, admin, { name: 'App' })
    const rotated = await Promise.all(
      Array.from({ length: 8 }, () => rotateSecret(context, admin, { appid, overlap: 60 })),
    )
    const { secrets } = await appOf(appid)
    expect(secrets.filter(({ validUntil }) => validUntil === null)).toHaveLength(1)
    expect(rotated.map(({ secret }) => secret)).toContain(secrets[0]?.secret)
    expect(secrets).toHaveLength(9)
  })
})

describe('ensureMerchant', () => {
  test('creates one merchant for 20 concurrent calls, with an id derived from the appid', async () => {
    const { appid } = await createApp(context, admin, { name: 'Tea House' })
    const app = await appOf(appid)
    const merchants = await Promise.all(Array.from({ length: 20 }, () => ensureMerchant(context, app)))
    const merchantId = createHash('sha256').update(`souk merchant ${appid}`).digest('hex').slice(0, 32)
    for (const merchant of merchants) expect(merchant).toEqual({ merchantId, name: 'Tea House', logoUrl: null })
    expect((await appOf(appid)).merchant).toEqual(merchants[0])
    expect((await auditOf(appid)).filter(({ action }) => action === 'merchant.create')).toHaveLength(1)
  })

  test('keeps an existing merchant', async () => {
    const { appid } = await createApp(context, admin, { name: 'Tea House' })
    const merchantId = 'c'.repeat(32)
    await database.sql`
      insert into merchants (merchant_id, appid, name, ctime) values (${merchantId}, ${appid}, null, 0)`
    const stale = await appOf(appid)
    expect(await ensureMerchant(context, { ...stale, merchant: null })).toEqual({
      merchantId,
      name: null,
      logoUrl: null,
    })
  })
})

describe('AppDirectory', () => {
  const insert = (appid: string) => database.sql`
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
    select ${appid}, project_id, 'New', '{}', 'en_US', 0 from projects limit 1`

  test('serves a known app from memory, without a promise and without the database', async () => {
    const { appid } = await createApp(context, admin, { name: 'App' })
    const directory = new AppDirectory(context)
    const loaded = await directory.find(appid)
    await database.sql`update apps set name = 'Changed' where appid = ${appid}`
    expect(directory.findCached(appid)).toBe(loaded)
    expect(await directory.find(appid)).toBe(loaded)
  })

  test('finds of one appid at once share one load', async () => {
    const { appid } = await createApp(context, admin, { name: 'App' })
    const directory = new AppDirectory(context)
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => directory.find(appid)))
    for (const other of others) expect(other).toBe(first)
  })

  test('an app that was forgotten while it was being loaded is not served as it was', async () => {
    const { appid } = await createApp(context, admin, { name: 'Before' })
    const directory = new AppDirectory(context)
    const early = directory.find(appid)
    await database.sql`update apps set name = 'After' where appid = ${appid}`
    directory.forget(appid)
    expect((await directory.find(appid))?.name).toBe('After')
    await early
    expect((await directory.find(appid))?.name).toBe('After')
  })

  test('a change whose announcement was lost counts after a minute', async () => {
    const { appid } = await createApp(context, admin, { name: 'Before' })
    const clock = new TestClock()
    const directory = new AppDirectory({ ...context, clock })
    await directory.find(appid)
    await database.sql`update apps set name = 'After' where appid = ${appid}`
    clock.time += 59_999
    expect((await directory.find(appid))?.name).toBe('Before')
    clock.time += 2
    expect((await directory.find(appid))?.name).toBe('After')
  })

  test('an unknown appid is remembered as such for a second, and forgotten when it is announced', async () => {
    const clock = new TestClock()
    const directory = new AppDirectory({ ...context, clock })
    expect(await directory.find('n00000000000001')).toBeUndefined()
    expect(await directory.find('n00000000000002')).toBeUndefined()
    await insert('n00000000000001')
    await insert('n00000000000002')
    expect(await directory.find('n00000000000001')).toBeUndefined()
    directory.forget('n00000000000001')
    expect((await directory.find('n00000000000001'))?.name).toBe('New')
    clock.time += 1001
    expect((await directory.find('n00000000000002'))?.name).toBe('New')
  })

  test('a flood of made-up appids does not evict a known app, and only the latest are remembered', async () => {
    const { appid } = await createApp(context, admin, { name: 'App' })
    const directory = new AppDirectory({ ...context, clock: new TestClock() })
    const known = await directory.find(appid)
    const madeUp = Array.from({ length: 10_500 }, (_, index) => `q${String(index).padStart(14, '0')}`)
    for (let from = 0; from < madeUp.length; from += 500) {
      await Promise.all(madeUp.slice(from, from + 500).map((each) => directory.find(each)))
    }
    expect(directory.findCached(appid)).toBe(known)

    const [first, last] = [madeUp[0]!, madeUp.at(-1)!]
    await insert(first)
    await insert(last)
    expect(await directory.find(last)).toBeUndefined()
    expect((await directory.find(first))?.name).toBe('New')
  })

  test('a load that fails is tried again by the next find', async () => {
    const { appid } = await createApp(context, admin, { name: 'App' })
    const directory = new AppDirectory(context)
    await database.sql`alter table apps rename to apps_away`
    await expect(directory.find(appid)).rejects.toThrow()
    await database.sql`alter table apps_away rename to apps`
    expect((await directory.find(appid))?.name).toBe('App')
  })
})
