import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { day, errorRecordingLimits, type hostOperations, hour, minute, type ParametersOf } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../test/archive.ts'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createTradeFixture } from '../../../../test/tradeFixture.ts'
import { defaultLimits } from '../../../kernel/db/limits.ts'
import { connect, type Sql } from '../../../kernel/db/pool.ts'
import { showTrade } from '../../money/index.ts'
import { createUser } from '../../users/index.ts'
import { createApp } from '../apps/index.ts'
import { listCustomEvents, putCustomEvent, removeCustomEvent } from '../customEvents/index.ts'
import { uploadRelease, uploadSourceMaps } from '../releases/index.ts'
import {
  countEvents,
  countFunnels,
  countRecentTrades,
  countReturningUsers,
  countTodaysTrades,
  createFunnel,
  deleteFunnel,
  downloadErrorRecording,
  getAnalytics,
  getCustomEventCounts,
  getCustomEventSeries,
  getErrorStack,
  listErrorRecordings,
  listReleaseHealth,
  pruneAnalytics,
  recordEvents,
  sendErrorRecording,
  switchAnalytics,
} from './index.ts'

type Event = ParametersOf<(typeof hostOperations)['recordEvents']>['events'][number]

const admin = { kind: 'admin' } as const
/** A Monday. */
const monday = Date.UTC(2030, 0, 7, 10)

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string
let releaseId: string
let uid: number

beforeAll(async () => {
  database = await freshDatabase()
  await database.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
  context = identityContext(database.sql)
})
afterAll(() => database.drop())
beforeEach(async () => {
  context.clock.time = monday
  await database.sql`truncate analytics_events, analytics_counts, analytics_user_days, analytics_users, analytics_days`
  await database.sql`update analytics_progress set counted_to = 0`
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
  releaseId = await upload('1.0.0')
  uid = (await createUser(context, admin, { nickname: 'Layla' })).uid
})

/** Uploads a release, with what its custom-events.json declares. */
async function upload(version: string, customEvents?: object): Promise<string> {
  const files = build('Mini App', {}, ['pages/home', 'pages/cart'])
  const manifest = JSON.parse(String(files['souk-app.json']))
  const archive = await archiveOf({ ...files, 'souk-app.json': JSON.stringify({ ...manifest, customEvents }) })
  return (await uploadRelease(context, admin, { appid, version, archive })).releaseId
}
const record = (events: Event[], by = uid, release = releaseId) =>
  recordEvents(context, { kind: 'hostUser', uid: by, session: '' }, { appid, releaseId: release, events })
const open: Event = { kind: 'open', age: 0 }
const error = (message: string, stack = ''): Event => ({ kind: 'error', age: 0, message, stack })

/** Returns the counts of a kind as `name count`, in order. */
async function counts(kind: string, span = 'hour'): Promise<string[]> {
  const rows = await database.sql<{ name: string; count: number }[]>`
    select name, sum(count)::integer as count from analytics_counts
    where appid = ${appid} and kind = ${kind} and span = ${span} group by name order by name`
  return rows.map(({ name, count }) => `${name} ${count}`)
}

test('stores events with pseudonyms that differ per project', async () => {
  expect(await record([open, { kind: 'launch', age: 0, duration: 800 }])).toEqual({ stored: 2 })
  const other = (await createApp(context, admin, { name: 'Other' })).appid
  const rows = await database.sql<{ userId: string; name: string; value: number | null }[]>`
    select user_id::text as user_id, name, value from analytics_events order by kind`
  expect(rows.map(({ value }) => value)).toEqual([800, null])
  expect(rows[0]!.userId).not.toContain(String(uid).padStart(8, '0'))
  await database.sql`update projects set analytics_salt = gen_random_uuid()`
  await record([open])
  const [known] = await database.sql<[{ users: number }]>`
    select count(*)::integer as users from analytics_users where appid = ${appid}`
  expect(known.users).toBe(2)
  await expect(
    recordEvents(context, { kind: 'hostUser', uid, session: '' }, { appid: other, releaseId, events: [open] }),
  ).rejects.toMatchObject({ code: 'release_not_found' })
})

test('stores nothing for a project that has switched analytics off', async () => {
  const { projectId } = (await context.apps.find(appid))!
  await switchAnalytics(context, admin, { projectId, enabled: false })
  expect(await record([open])).toEqual({ stored: 0 })
  await switchAnalytics(context, admin, { projectId, enabled: true })
  await countEvents(context)
  expect(await counts('open')).toEqual([])
})

describe('recordings of testers', () => {
  const file = (of = appid) =>
    `${JSON.stringify({ souk: 'recording', version: 1, appid: of, time: 1 })}\n{"kind":"x"}\n`
  const gzipped = (content: string | Buffer) => gzipSync(content).toString('base64')
  let openings = 0
  const send = (more: object = {}, by = uid) => {
    const opening = String(++openings).padStart(32, '0')
    const input = { appid, releaseId, opening, message: 'x', stack: '', recording: gzipped(file()), ...more }
    return sendErrorRecording(context, { kind: 'hostUser', uid: by, session: '' }, input)
  }
  const list = (more: { fingerprint?: string } = {}) => listErrorRecordings(context, admin, { appid, ...more })
  const addTesters = (...uids: number[]) =>
    database.sql`insert into app_testers select ${appid}, unnest(${uids}::bigint[])`
  beforeEach(() => addTesters(uid))

  test('belong to the error that was reported, and are downloaded as they were sent', async () => {
    const stack = `Error\n at https://souk.test/mini/${appid}/${releaseId}/assets/a.js:1:2`
    await record([error('item 7 is undefined', stack)])
    const opening = 'a'.repeat(32)
    expect(await send({ opening, message: 'item 8 is undefined', stack })).toEqual({ stored: true })
    expect(await send({ opening })).toEqual({ stored: false })
    await send({ message: 'other' })
    const [group] = await database.sql<[{ fingerprint: string }]>`
      select fingerprint from analytics_errors where appid = ${appid}`
    const found = await list(group)
    expect(found).toEqual([
      {
        recordingId: expect.stringMatching(/^[0-9a-f]{32}$/),
        fingerprint: group.fingerprint,
        uid,
        releaseId,
        version: '1.0.0',
        size: file().length,
        ctime: monday,
      },
    ])
    expect(await list()).toHaveLength(2)
    const { recordingId } = found[0]!
    const { stream, fileName } = await downloadErrorRecording(context, admin, { appid, recordingId })
    expect([await text(stream), fileName]).toEqual([file(), `${appid}-${recordingId.slice(-8)}.jsonl`])
    const unknown = { code: 'error_recording_not_found' }
    const other = (await createApp(context, admin, { name: 'Other' })).appid
    await expect(downloadErrorRecording(context, admin, { appid: other, recordingId })).rejects.toMatchObject(unknown)
  })

  test('are refused from others than testers, of a published release, and of other content', async () => {
    const stranger = (await createUser(context, admin, { nickname: 'Omar' })).uid
    await expect(send({}, stranger)).rejects.toMatchObject({ code: 'release_not_found' })
    await expect(send({ releaseId: '0'.repeat(32) })).rejects.toMatchObject({ code: 'release_not_found' })
    for (const [content, reason] of [
      [Buffer.from(file()).toString('base64'), 'compressed with gzip'],
      [gzipSync(file()).subarray(0, -9).toString('base64'), 'compressed with gzip'],
      [gzipped('{}\n'), 'must be a recording'],
      [gzipped(file('demoapp00000001')), 'of the mini app'],
      [gzipped(Buffer.alloc(errorRecordingLimits.uncompressed + 1)), 'too large'],
    ]) {
      const refused = { code: 'parameter_invalid', message: expect.stringContaining(reason!) }
      await expect(send({ recording: content })).rejects.toMatchObject(refused)
    }
    const { projectId } = (await context.apps.find(appid))!
    await switchAnalytics(context, admin, { projectId, enabled: false })
    expect(await send()).toEqual({ stored: false })
    await switchAnalytics(context, admin, { projectId, enabled: true })
    await database.sql`update releases set stage = 'published' where release_id = ${releaseId}`
    await expect(send()).rejects.toMatchObject({ code: 'release_not_found' })
    expect(await list()).toEqual([])
  })

  test('are limited per user and mini app, and kept for two weeks', async () => {
    const { perApp, perUser, days } = errorRecordingLimits
    const others = [
      await createUser(context, admin, { nickname: 'A' }),
      await createUser(context, admin, { nickname: 'B' }),
    ]
    await addTesters(...others.map((other) => other.uid))
    for (let count = 0; count <= perUser; count++) {
      await send()
      context.clock.time += hour
    }
    expect(await list()).toHaveLength(perUser)
    for (const { uid } of others) for (let count = 0; count < perUser; count++) await send({}, uid)
    const kept = await list()
    expect(kept).toHaveLength(perApp)
    expect(new Set(kept.map(({ uid }) => uid))).toEqual(new Set(others.map(({ uid }) => uid)))
    const [first, second] = others.map(({ uid }) => uid)
    await expect(send({}, first)).rejects.toMatchObject({ code: 'rate_limited', data: { retryAfter: 3600 } })
    context.clock.time += hour
    await send({}, first)
    // It has displaced one of the same tester.
    expect((await list()).filter(({ uid }) => uid === second)).toHaveLength(perUser)
    context.clock.time += days * day - hour
    await pruneAnalytics(context)
    expect(await list()).toHaveLength(perApp)
    context.clock.time += 1
    await pruneAnalytics(context)
    expect(await list()).toHaveLength(1)
  })
})

test('counts openings by shared cards per page', async () => {
  await record([open, { kind: 'card', age: 0, page: 'pages/cart' }, { kind: 'card', age: 0, page: 'pages/other' }])
  await countEvents(context)
  expect(await counts('card', 'day')).toEqual([' 1', 'pages/cart 1'])
  const { current, cards, series } = await getAnalytics(context, admin, { appid, days: 7 })
  expect(current).toMatchObject({ opens: 1, cardOpens: 2 })
  expect(series.at(-1)).toMatchObject({ cardOpens: 2 })
  expect(cards).toEqual([
    { page: '', count: 1, previous: 0 },
    { page: 'pages/cart', count: 1, previous: 0 },
  ])
})

test('limits the events of a user per day', async () => {
  const batch = Array.from({ length: 50 }, () => open)
  for (let n = 0; n < 39; n++) await record(batch)
  await record(batch.slice(0, 20))
  expect(await record(batch)).toEqual({ stored: 30 })
  expect(await record(batch)).toEqual({ stored: 0 })
  expect(await record([open], uid + 1)).toEqual({ stored: 1 })
  context.clock.time += day
  expect(await record([open])).toEqual({ stored: 1 })
})

test('limits the events of a mini app per day', async () => {
  await database.sql`
    insert into analytics_counts (appid, span, kind, start, release_id, name, count)
    values (${appid}, 'hour', 'all', ${monday - hour}, ${releaseId}, '', 1000000)`
  expect(await record([open])).toEqual({ stored: 0 })
})

test('counts per hour and day, and again when more is reported', async () => {
  await record([open, { kind: 'page', age: 0, page: 'pages/home' }, { kind: 'page', age: 0, page: 'made/up' }])
  await countEvents(context)
  await record([open, { kind: 'page', age: 0, page: 'pages/home' }, { kind: 'page', age: 0, page: 'pages/cart' }])
  await countEvents(context)
  await countEvents(context)
  expect(await counts('open')).toEqual([' 2'])
  expect(await counts('page')).toEqual([' 1', 'pages/cart 1', 'pages/home 2'])
  context.clock.time += hour
  await record([open])
  await countEvents(context)
  expect(await counts('open', 'day')).toEqual([' 3'])
  expect(await counts('all')).toEqual([' 7'])
})

test('counts hours that ended while no process counted', async () => {
  await record([open])
  context.clock.time += 3 * day
  await record([open])
  await countEvents(context)
  const rows =
    await database.sql`select start from analytics_counts where span = 'day' and kind = 'open' order by start`
  expect(rows.map(({ start }) => start)).toEqual([monday - 10 * hour, monday - 10 * hour + 3 * day])
})

test('counts after a clock that was ahead is set back', async () => {
  await record([open])
  context.clock.time += 3 * day
  await countEvents(context)
  context.clock.time -= 3 * day
  await record([open])
  await countEvents(context)
  expect(await counts('open')).toEqual([' 2'])
  context.clock.time += 3 * hour
  await record([open])
  context.clock.time += 9 * hour
  await countEvents(context)
  expect(await counts('open')).toEqual([' 3'])
})

test('counts a long interruption in several transactions', async () => {
  const { sql } = database
  await record([open])
  context.clock.time += 3 * day
  await record([open])
  await sql.unsafe(`
    create trigger refuse before insert on analytics_counts for each row when (new.start > ${monday})
      execute function refuse()`)
  await expect(countEvents(context)).rejects.toThrow('refused')
  expect(await counts('open', 'day')).toEqual([' 1'])
  await sql`drop trigger refuse on analytics_counts`
  await countEvents(context)
  expect(await counts('open', 'day')).toEqual([' 2'])
})

test('leaves identifiers out of failed requests, and limits their number', async () => {
  const request = (address: string, status = 500): Event => ({
    kind: 'request',
    age: 0,
    request: { method: 'GET', address, status },
  })
  await record([request('api.shop.com/orders/7?token=x'), request('api.shop.com/orders/8#y')])
  await record([request('api.shop.com/u/0197f0a2-6a7c-7000-8000-000000000000', 0), request('api.shop.com/v2/tea')])
  await record([request('api.shop.com/u/layla@mail.example'), request('api.shop.com/u/layla%40mail.example')])
  for (let n = 0; n < 6; n++) {
    context.clock.time += 1000
    await record(
      Array.from({ length: 40 }, (_, m) =>
        request(`${String.fromCharCode(97 + n, 97 + (m >> 4), 97 + (m & 15))}.com/`),
      ),
    )
  }
  await countEvents(context)
  const found = await counts('request')
  expect(found).toHaveLength(201)
  expect(found).toEqual(
    expect.arrayContaining([
      ' 44',
      'GET api.shop.com/orders/* 500 2',
      'GET api.shop.com/u/* 0 1',
      'GET api.shop.com/u/* 500 2',
      'GET api.shop.com/v2/tea 500 1',
    ]),
  )
})

test('groups errors by message and place, regardless of the release and of numbers in the message', async () => {
  const stackIn = (release: string, line = 1) =>
    `TypeError: x\n    at a (https://souk.test/mini/${appid}/${release}/assets/index-B1.js:${line}:77)`
  const next = await upload('1.1.0')
  await record([error('Order 1 is missing', stackIn(releaseId)), error('Order 1 is missing', stackIn(releaseId, 2))])
  context.clock.time += 1000
  await record([error('Order 22 is missing', stackIn(next))], uid, next)
  const rows = await database.sql`
    select message, stack, release_id, last_time - first_time as age
    from analytics_errors where appid = ${appid} order by last_time desc`
  expect(rows).toEqual([
    {
      message: 'Order 22 is missing',
      stack: 'TypeError: x\n    at a (assets/index-B1.js:1:77)',
      releaseId: next,
      age: 1000,
    },
    expect.objectContaining({ message: 'Order 1 is missing', releaseId, age: 0 }),
  ])
})

/** A minified script of two modules, whose functions are `callWithErrorHandling`, `totalOf`, `pay` and `start`. */
const minified =
  'function e(e,...t){e(...t),e(...t)}function t(e){if(e.length===0)throw Error(`The cart is empty`);return ' +
  'e.reduce((e,{price:t})=>e+t,0)}const n=e=>{console.log(t(e)),console.log(t(e.slice(1)))};' +
  'function r(t){e(n,t)}export{r as start};'
const sourceMap = JSON.stringify({
  version: 3,
  names: ['callWithErrorHandling', 'args', 'fn', 'totalOf', 'items', 'sum', 'price', 'pay', 'start'],
  sources: ['src/vue.ts', 'src/cart.ts'],
  mappings:
    'AAAA,SAAgBA,EAAsB,EAA8B,GAAGC,EAAiB,CACtFC,EAAG,GAAGD,CAAI,EACVC,EAAG,GAAGD,CAAI,CACZ,CCGA,' +
    'SAASE,EAAQ,EAAuB,CACtC,GAAIC,EAAM,SAAW,EAAG,MAAU,MAAM,mBAAmB,EAC3D,OAAOA,EAAM,QAAQ,EAAK,CAAE,WAAYC,' +
    'EAAMC,EAAO,CAAC,CACxD,CACA,MAAMC,EAAO,GAAkB,CAC7B,QAAQ,IAAIJ,EAAQC,CAAK,CAAC,EAC1B,QAAQ,IAAID,EAAQC,EAAM,MAAM,CAAC,CAAC,' +
    'CAAC,CACrC,EACA,SAAgBI,EAAM,EAAe,CACnCR,EAAsBO,EAAKH,CAAK,CAClC,C',
})

test('maps the stack of an error by the source maps of its release', async () => {
  const script = 'assets/cart-B1.js'
  const archive = await archiveOf(build('Mini App', { [script]: minified }))
  const { releaseId: mapped } = await uploadRelease(context, admin, { appid, version: '2.0.0', archive })
  const at = (column: number) => `https://souk.test/mini/${appid}/${mapped}/${script}:1:${column}`
  const places = [`t (${at(72)})`, `Proxy.n [as onClick] (${at(161)})`, `async e (${at(20)})`, `new r (${at(209)})`]
  const frames = [...places.map((place) => `at ${place}`), `at ${at(209)}`, 'at own (native)']
  await record([error('The cart is empty', ['Error: The cart is empty', ...frames].join('\n    '))], uid, mapped)
  const [{ fingerprint }] = await database.sql<[{ fingerprint: string }]>`
    select fingerprint from analytics_errors where appid = ${appid}`
  const show = () => getErrorStack(context, admin, { appid, fingerprint })
  const unmapped = await show()
  expect(unmapped).toMatchObject({ sourceMaps: 'missing', releaseId: mapped })
  expect(unmapped.frames[1]).toEqual({ text: `at t (${script}:1:72)`, source: null })

  const maps = await archiveOf({ [`${script}.map`]: sourceMap })
  await uploadSourceMaps(context, admin, { appid, releaseId: mapped, archive: maps })
  const { sourceMaps, frames: found } = await show()
  expect(sourceMaps).toBe('found')
  expect(
    found.map(({ source }) => source && `${source.function} ${source.file}:${source.line}:${source.column}`),
  ).toEqual([
    null,
    'totalOf src/cart.ts:8:37',
    'pay src/cart.ts:12:15',
    'callWithErrorHandling src/vue.ts:2:3',
    'start src/cart.ts:16:3',
    'null src/cart.ts:16:3',
    null,
  ])

  const gecko = [
    `t@${at(72)}`,
    `n/<@${at(161)}`,
    `@${at(209)}`,
    'x@assets/other.js:1:1',
    `t@${script}:9:1`,
    `t@${script}:1:0`,
  ]
  await record([error('In Firefox', gecko.join('\n'))], uid, mapped)
  const [other] = await database.sql<[{ fingerprint: string }]>`
    select fingerprint from analytics_errors where appid = ${appid} and message = 'In Firefox'`
  const ofGecko = await getErrorStack(context, admin, { appid, fingerprint: other.fingerprint })
  expect(ofGecko.frames.map(({ source }) => source?.function)).toEqual([
    'totalOf',
    'n/<',
    null,
    undefined,
    undefined,
    undefined,
  ])

  await expect(getErrorStack(context, admin, { appid, fingerprint: '0'.repeat(32) })).rejects.toMatchObject({
    code: 'error_group_not_found',
  })
})

describe('stacks of one release', () => {
  const script = 'assets/cart-C1.js'
  let mapped: string
  let versions = 0
  beforeEach(async () => {
    const archive = await archiveOf(build('Mini App', { [script]: minified }))
    const release = { appid, version: `4.${versions++}.0`, archive }
    mapped = (await uploadRelease(context, admin, release)).releaseId
    const maps = await archiveOf({ [`${script}.map`]: sourceMap })
    await uploadSourceMaps(context, admin, { appid, releaseId: mapped, archive: maps })
  })

  /** Records errors at these columns, and returns their fingerprints. */
  async function fingerprintsAt(...columns: number[]): Promise<string[]> {
    const at = (column: number) => `t@https://souk.test/mini/${appid}/${mapped}/${script}:1:${column}`
    for (const column of columns) await record([error(`At ${column}`, at(column))], uid, mapped)
    const rows = await database.sql<{ message: string; fingerprint: string }[]>`
      select message, fingerprint from analytics_errors where appid = ${appid}`
    return columns.map((column) => rows.find(({ message }) => message === `At ${column}`)!.fingerprint)
  }

  test('are mapped once: a repetition reads and computes nothing', async () => {
    const [fingerprint] = await fingerprintsAt(72)
    const first = await getErrorStack(context, admin, { appid, fingerprint: fingerprint! })
    expect(first.sourceMaps).toBe('found')
    // The source map cannot be read any longer.
    const unreadable = {
      ...context,
      sql: onReadingContents(database.sql, () => Promise.reject(new Error('no contents'))),
    }
    expect(await getErrorStack(unreadable, admin, { appid, fingerprint: fingerprint! })).toEqual(first)
    const [other] = await fingerprintsAt(161)
    await expect(getErrorStack(unreadable, admin, { appid, fingerprint: other! })).rejects.toThrow('no contents')
  })

  test('are mapped for a caller up to a limit, and for others in their turn', async () => {
    const fingerprints = await fingerprintsAt(20, 73, 162)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = { ...context, sql: onReadingContents(database.sql, () => released) }
    const show = (fingerprint: string, accountId: string) =>
      getErrorStack(held, { kind: 'account', accountId, administrator: false, via: 'session' }, { appid, fingerprint })
    const own = fingerprints.map((fingerprint) => show(fingerprint, 'a'))
    // The first one is held, the second one waits for it, so one of the three is refused.
    const refusal = await Promise.any(
      own.map((each) =>
        each.then(
          () => Promise.reject(),
          (reason: unknown) => reason,
        ),
      ),
    )
    expect(refusal).toMatchObject({ code: 'rate_limited', data: { retryAfter: 5 } })
    const other = show(fingerprints[2]!, 'b')
    release()
    expect((await other).sourceMaps).toBe('found')
    const results = await Promise.allSettled(own)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  test('are not mapped when the client has left', async () => {
    const [fingerprint] = await fingerprintsAt(74)
    const left = AbortSignal.abort(new Error('gone'))
    await expect(getErrorStack(context, admin, { appid, fingerprint: fingerprint! }, () => left)).rejects.toThrow(
      'gone',
    )
  })
})

/** Returns a pool whose statements wait for `before` if they read contents of releases. */
function onReadingContents(sql: Sql, before: () => Promise<void>): Sql {
  return new Proxy(sql, {
    apply(target, self, [parts, ...values]) {
      const run = () => Reflect.apply(target, self, [parts, ...values])
      const reads = Array.isArray(parts) && parts.some((part) => part.includes('release_content_parts'))
      return reads ? before().then(run) : run()
    },
  })
}

test('answers without places if a source map is damaged or too large to be parsed', async () => {
  const script = 'assets/big-B1.js'
  const archive = await archiveOf(build('Mini App', { [script]: minified }))
  const { releaseId: mapped } = await uploadRelease(context, admin, { appid, version: '3.0.0', archive })
  await record([error('Large', `t@https://souk.test/mini/${appid}/${mapped}/${script}:1:72`)], uid, mapped)
  const [{ fingerprint }] = await database.sql<[{ fingerprint: string }]>`
    select fingerprint from analytics_errors where appid = ${appid}`
  const sendMap = async (mappings: string) => {
    const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings })
    await uploadSourceMaps(context, admin, {
      appid,
      releaseId: mapped,
      archive: await archiveOf({ [`${script}.map`]: map }),
    })
    return getErrorStack(context, admin, { appid, fingerprint })
  }
  for (const damaged of ['!'.repeat(50), 'AUAUA', 'ggggggggggggggggggggggggE', ';;;AAAA']) {
    expect((await sendMap(damaged)).frames).toHaveLength(1)
  }
  expect((await sendMap('AUAUA')).frames[0]!.source).toBeNull()
  expect(['found', 'tooLarge']).toContain((await sendMap('A,'.repeat(4_000_000))).sourceMaps)
  expect((await sendMap('AAAA')).sourceMaps).toBe('found')
})

describe('one user cannot take the places of others', () => {
  const newUsers = async (count: number) => {
    const rows = await database.sql<{ uid: number }[]>`
      insert into users (nickname, ctime) select 'User', 0 from generate_series(1, ${count}) returning uid`
    return rows.map((each) => each.uid)
  }
  const letters = (n: number) => n.toString(26).replaceAll(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
  /** Sends `count` different events in batches. */
  async function recordMany(count: number, eventOf: (n: number) => Event, by: number) {
    for (let from = 0; from < count; from += 50) {
      await record(
        Array.from({ length: Math.min(50, count - from) }, (_, n) => eventOf(from + n)),
        by,
      )
    }
  }
  const messages = async () => {
    const rows = await database.sql<{ message: string; users: number }[]>`
      select message, users from analytics_errors where appid = ${appid}`
    return new Map(rows.map(({ message, users }) => [message, users]))
  }

  test('in the groups of errors: those of a day are limited, and the rest is counted without a name', async () => {
    const [junk, one, other] = (await newUsers(3)) as [number, number, number]
    await recordMany(1050, (n) => error(`junk ${letters(n)}`), junk)
    await record([error('real')], one)
    await record([error('real'), error('real')], other)
    const found = await messages()
    expect(found.size).toBe(21)
    expect(found.get('real')).toBe(2)
    await countEvents(context)
    expect(await counts('error')).toEqual(expect.arrayContaining([' 1030']))

    context.clock.time += day
    await recordMany(60, (n) => error(`more ${letters(n)}`), junk)
    expect((await messages()).size).toBe(41)
  })

  test('in the groups of errors: a new one replaces the one with the fewest users', async () => {
    await database.sql`
      insert into analytics_errors (appid, fingerprint, message, stack, page, release_id, first_time, last_time, users)
      select ${appid}, n::text, n::text, '', '', ${releaseId}, 0, n, case when n <= 10 then 1 else 2 end
      from generate_series(1, 1000) n`
    const [one, other] = (await newUsers(2)) as [number, number]
    await record([error('first'), error('second')], one)
    const found = await messages()
    expect(found.size).toBe(1000)
    expect([...Array(10)].flatMap((_, n) => (found.has(String(n + 1)) ? n + 1 : []))).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
    expect(found.get('first')).toBe(1)
    await record([error('first')], other)
    // Also if all others have more users.
    await database.sql`update analytics_errors set users = 5 where appid = ${appid}`
    await record([error('third')], other)
    expect((await messages()).get('third')).toBe(1)
    await record([error('first')], other)
    expect((await messages()).size).toBe(1000)
  })

  test('in the groups of errors: users of a group are counted up to a limit, also at the same time', async () => {
    const users = await newUsers(103)
    for (let from = 0; from < users.length; from += 10) {
      await Promise.all(users.slice(from, from + 10).map((by) => record([error('real'), error('rare')], by)))
    }
    expect(Object.fromEntries(await messages())).toEqual({ real: 100, rare: 100 })
    const [row] = await database.sql`select count(*)::integer as rows from analytics_error_users where appid = ${appid}`
    expect(row!.rows).toBe(200)
  })

  test('in the names of an hour and of a day, also when they were counted before', async () => {
    const [junk, one, other] = (await newUsers(3)) as [number, number, number]
    const request = (address: string): Event => ({
      kind: 'request',
      age: 0,
      request: { method: 'GET', address, status: 500 },
    })
    await recordMany(250, (n) => request(`${letters(n)}.com/`), junk)
    await countEvents(context)
    expect(await counts('request', 'day')).toHaveLength(201)
    context.clock.time += minute
    for (const by of [one, other]) await record([request('api.shop.com/pay')], by)
    await countEvents(context)
    for (const span of ['hour', 'day', 'week']) {
      const found = await counts('request', span)
      expect(found, span).toHaveLength(201)
      expect(found, span).toEqual(expect.arrayContaining([' 51', 'GET api.shop.com/pay 500 2']))
    }
    context.clock.time += 2 * hour
    await recordMany(250, (n) => request(`${letters(n)}.net/`), junk)
    await countEvents(context)
    expect(await counts('request', 'day')).toEqual(expect.arrayContaining([' 301', 'GET api.shop.com/pay 500 2']))
  })
})

test('counts users, new ones and those who come back', async () => {
  await record([open])
  await record([open], uid + 1)
  await countEvents(context)
  context.clock.time += 8 * day
  await record([open])
  await record([open], uid + 2)
  await countEvents(context)
  const shown = async () => {
    const { weekUsers, monthUsers } = await getAnalytics(context, admin, { appid })
    return { weekUsers, monthUsers }
  }
  expect(await shown()).toEqual({ weekUsers: 2, monthUsers: 2 })
  await countReturningUsers(context)
  expect(await shown()).toEqual({ weekUsers: 2, monthUsers: 3 })
  const [first, second] = await database.sql`
    select users, new_users, week_users as week, month_users as month
    from analytics_days where appid = ${appid} and users > 0 order by day`
  expect(first).toMatchObject({ users: 2, newUsers: 2 })
  expect(second).toEqual({ users: 2, newUsers: 1, week: 2, month: 3 })
  const cohorts = await database.sql`select age, users from analytics_cohorts where appid = ${appid} order by week, age`
  expect(cohorts.map(({ age, users }) => [age, users])).toEqual([
    [0, 2],
    [1, 1],
    [0, 1],
  ])
  // Nobody has opened it since.
  context.clock.time += 5 * day
  await countReturningUsers(context)
  expect(await shown()).toEqual({ weekUsers: 2, monthUsers: 3 })
  context.clock.time += 20 * day
  await countReturningUsers(context)
  expect(await shown()).toEqual({ weekUsers: 0, monthUsers: 2 })
})

test('takes longer than other statements may to count the users of a month', async () => {
  await record([open])
  await database.sql.unsafe(`
    create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$;
    create trigger wait before insert on analytics_days for each statement execute function wait()`)
  const sql = connect(database.url, { max: 1, limits: { ...defaultLimits, statement: 500 } })
  await countReturningUsers({ ...context, sql })
  await sql.end()
  await database.sql`drop trigger wait on analytics_days`
  const rows = await database.sql`select month_users::integer as month from analytics_days where appid = ${appid}`
  expect(rows).toEqual([{ month: 1 }])
})

test('deletes events after a week, hours after two months and days after the retention', async () => {
  await record([open])
  await countEvents(context)
  const rows = async () => {
    await pruneAnalytics(context)
    const [found] = await database.sql`
      select (select count(*)::integer from analytics_events where appid = ${appid}) as events,
        (select count(*)::integer from analytics_counts where appid = ${appid} and span = 'hour' and kind = 'open') as hours,
        (select count(*)::integer from analytics_counts where appid = ${appid} and span = 'day' and kind = 'open') as days,
        (select count(*)::integer from analytics_users where appid = ${appid}) as users`
    return found
  }
  expect(await rows()).toEqual({ events: 1, hours: 1, days: 1, users: 1 })
  context.clock.time = monday + 9 * day
  expect(await rows()).toEqual({ events: 0, hours: 1, days: 1, users: 1 })
  context.clock.time = monday + 63 * day
  expect(await rows()).toEqual({ events: 0, hours: 0, days: 1, users: 1 })
  context.clock.time = monday + 402 * day
  expect(await rows()).toEqual({ events: 0, hours: 0, days: 0, users: 0 })
})

test('shows a period with the previous one, by release', async () => {
  await record([open, { kind: 'launch', age: 0, duration: 1000 }, { kind: 'page', age: 0, page: 'pages/home' }])
  context.clock.time += 7 * day
  const next = await upload('1.1.0')
  const thrown = error('x is undefined', `Error\n at https://souk.test/mini/${appid}/${next}/assets/a.js:1:2`)
  await record([open, { kind: 'launch', age: 0, duration: 2000 }, thrown, thrown], uid, next)
  await record([open, { kind: 'launchFailure', age: 0, failure: 'timeout' }], uid + 1)
  await countEvents(context)
  await countReturningUsers(context)
  const shown = await getAnalytics(context, admin, { appid, days: 7 })
  expect(shown).toMatchObject({
    span: 'day',
    current: { opens: 2, launches: 1, launchFailures: 1, pageViews: 0, errors: 2, newUsers: 1 },
    previous: { opens: 1, launches: 1, launchFailures: 0, pageViews: 1, errors: 0, newUsers: 1 },
    monthUsers: 2,
    weekUsers: 2,
    pages: [],
    failures: [{ reason: 'timeout', count: 1, previous: 0 }],
    errors: [{ message: 'x is undefined', count: 2, previous: 0, version: '1.1.0', releaseId: next }],
  })
  expect(shown.series).toHaveLength(7)
  expect(shown.series.at(-1)).toMatchObject({ opens: 2, users: 2, newUsers: 1 })
  expect(Math.abs(shown.current.p50! / 2000 - 1)).toBeLessThan(0.15)
  expect(Math.abs(shown.previous.p95! / 1000 - 1)).toBeLessThan(0.15)
  expect(shown.cohorts.map(({ users }) => users)).toEqual([[1, 1], [1]])
  expect(shown.releases.map(({ version, opens }) => [version, opens])).toEqual(
    expect.arrayContaining([
      ['1.0.0', 1],
      ['1.1.0', 1],
    ]),
  )
  const ofRelease = await getAnalytics(context, admin, { appid, days: 1, releaseId: next })
  expect(ofRelease).toMatchObject({ span: 'hour', current: { opens: 1, launchFailures: 0 } })
  expect(ofRelease.series.at(-1)).toMatchObject({ opens: 1, errors: 2 })
  expect(ofRelease.releases.map(({ version }) => version).toSorted()).toEqual(['1.0.0', '1.1.0'])
})

test('shows for long periods what the counts of their days add up to', async () => {
  const next = await upload('1.1.0')
  const today = Math.floor(monday / day)
  await database.sql`
    insert into analytics_errors (appid, fingerprint, message, stack, page, release_id, first_time, last_time)
    values (${appid}, 'e1', 'x is undefined', '', '', ${releaseId}, 0, ${monday})`
  await database.sql`
    insert into analytics_counts (appid, span, kind, start, release_id, name, count)
    select ${appid}, 'hour', kind, day * ${day}::bigint, release::uuid, name, 1 + (day * 7919 + length(kind)) % 97
    from generate_series(${today - 740}::integer, ${today + 9}) as day,
      unnest(array[${releaseId}, ${next}]::text[]) as release,
      (values ('open', ''), ('launch', '12'), ('launch', '20'), ('launchFailure', 'timeout'), ('page', 'a'), ('page', 'b'),
        ('request', 'GET x 500'), ('error', 'e1')) as events (kind, name)`
  const directly = async (kind: string, from: number, to: number, release: string | undefined) => {
    const [row] = await database.sql<[{ count: number }]>`
      select coalesce(sum(count), 0)::integer as count from analytics_counts
      where appid = ${appid} and span = 'day' and kind = ${kind} and start >= ${from} and start < ${to}
        and (${release ?? null}::uuid is null or release_id = ${release ?? null}::uuid)`
    return row.count
  }
  const compare = async (days: 7 | 30 | 90 | 365, release?: string) => {
    const shown = await getAnalytics(context, admin, { appid, days, ...(release && { releaseId: release }) })
    const both = async (kind: string) => {
      const current = await directly(kind, shown.from, shown.to, release)
      return [current, await directly(kind, shown.from - days * day, shown.from, release)]
    }
    const added = (list: { count: number; previous: number }[]) =>
      list.reduce(([count = 0, previous = 0], each) => [count + each.count, previous + each.previous], [0, 0])
    const { current, previous } = shown
    expect([current.opens, previous.opens]).toEqual(await both('open'))
    expect([current.launches, previous.launches]).toEqual(await both('launch'))
    expect([current.pageViews, previous.pageViews]).toEqual(await both('page'))
    expect([current.errors, previous.errors]).toEqual(await both('error'))
    expect(added(shown.pages)).toEqual(await both('page'))
    expect(added(shown.requests)).toEqual(await both('request'))
    expect(added(shown.failures)).toEqual(await both('launchFailure'))
    expect(added(shown.errors)).toEqual(await both('error'))
    const openedAll = await directly('open', shown.from, shown.to, undefined)
    expect(shown.releases.reduce((total, { opens }) => total + opens, 0)).toBe(openedAll)
  }
  for (let later = 0; later < 8; later++) {
    context.clock.time = monday + later * day
    await countEvents(context)
    for (const days of [7, 30, 90, 365] as const) await compare(days)
    await compare(365, next)
    // The retention of 400 days begins on another day of the week each time.
    await pruneAnalytics(context)
    await compare(365)
  }
})

test('compares the failures of a release with those before its publication', async () => {
  const { projectId } = (await context.apps.find(appid))!
  await database.sql`update releases set stage = 'published', current = false, published_time = null`
  await record([open, open, error('a')])
  await countEvents(context)
  context.clock.time += 2 * hour
  const next = await upload('1.1.0')
  await database.sql`
    update releases set stage = 'published', current = true, published_time = ${context.clock.time} where release_id = ${next}`
  await record([open, error('a'), error('b'), { kind: 'launchFailure', age: 0, failure: 'timeout' }], uid, next)
  await record([open, error('a')])
  await countEvents(context)
  const health = () => listReleaseHealth(context, admin, { projectId })
  expect(await health()).toEqual([
    {
      appid,
      name: 'Tea House',
      releaseId: next,
      version: '1.1.0',
      platform: 'Mini App',
      publishedTime: context.clock.time,
      since: { opens: 1, launchFailures: 1, errors: 2 },
      before: { opens: 2, launchFailures: 0, errors: 1 },
    },
  ])
  context.clock.time += 31 * day
  expect(await health()).toEqual([])
})

test('counts how far trades got, and their money by day and currency', async () => {
  const fixture = await createTradeFixture(database.sql)
  const show = (tradeNo: string) => showTrade(fixture.context, fixture.payer, { tradeNo })
  const [paid, declined, opened] = [await fixture.create(), await fixture.create(), await fixture.create()]
  await fixture.create()
  for (const tradeNo of [paid, declined, opened, opened]) await show(tradeNo)
  await fixture.pay(paid, 'succeeded')
  await fixture.pay(declined, 'failed:2')
  await countTodaysTrades(fixture.context)
  await countRecentTrades(fixture.context)
  const { funnel, money } = await getAnalytics(fixture.context, admin, { appid: fixture.app.app.appid, days: 7 })
  expect(funnel.current).toEqual({ created: 4, opened: 3, tried: 2, paid: 1 })
  expect(funnel.previous).toEqual({ created: 0, opened: 0, tried: 0, paid: 0 })
  const { amount, currency } = await fixture.detail(paid)
  const today = fixture.context.clock.time - (fixture.context.clock.time % day)
  expect(money).toEqual(
    Array.from({ length: 7 }, (_, index) => {
      const start = today - (6 - index) * day
      return start === today ? { start, currency, paid: 1, amount } : { start, currency, paid: 0, amount: 0 }
    }),
  )
})

test('counts the trades of each recent day on its own', async () => {
  const { sql } = database
  const { clock, settings } = context
  const today = Math.floor(clock.now() / day)
  await sql`insert into merchants (merchant_id, appid, ctime) values (gen_random_uuid(), ${appid}, 0)`
  // Each number has the time of its trade.
  await sql`
    insert into all_trades
      (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire, ctime, mtime)
    select appid, rpad(lpad(to_hex(time), 12, '0'), 32, '0')::uuid, merchant_id, time, 100, 'SAR', gen_random_uuid(), 1,
      '', 0, time, time
    from merchants, unnest(${[3, 2, 0].map((days) => clock.now() - days * day)}::bigint[]) as time
    where appid = ${appid}`
  const counted = async () => {
    const rows = await sql<{ day: number; created: number }[]>`
      select day, created::integer from analytics_trades where appid = ${appid} order by day`
    return rows.map((row) => `${row.created} on ${row.day - today}`)
  }
  await sql.unsafe(`
    create trigger refuse before insert on analytics_trades for each row when (new.day = ${today - 2})
      execute function refuse()`)
  await expect(countRecentTrades(context)).rejects.toThrow('refused')
  expect(await counted()).toEqual(['1 on -3'])
  await sql`drop trigger refuse on analytics_trades`
  for (const sandbox of [true, false]) {
    await sql`delete from analytics_trades`
    await countRecentTrades({ ...context, settings: { ...settings, sandbox } })
    expect(await counted()).toEqual(['1 on -3', '1 on -2', '1 on 0'])
  }
})

describe('custom events', () => {
  const category = { type: 'enum', values: ['tea', 'a.b=c'] } as const
  const declared = { fields: { category, price: { type: 'integer' }, member: { type: 'boolean' } } } as const
  const custom = (name: string, fields: Record<string, string | number | boolean> = {}): Event => ({
    kind: 'custom',
    age: 0,
    custom: { name, fields },
  })
  const listed = async () =>
    (await listCustomEvents(context, admin, { appid })).map(({ name, setBy, version }) => [name, setBy, version])
  const put = (name: string, description = '') =>
    putCustomEvent(context, admin, { appid, name, description, fields: {} })

  test('are counted per value and release, and what is not declared is refused', async () => {
    const release = await upload('1.1.0', { addToCart: declared, order: {} })
    await record([
      custom('addToCart', { category: 'tea', price: 300, member: true }),
      custom('addToCart', { category: 'a.b=c', price: 200 }),
      custom('addToCart'),
      ...[custom('addToCart', { category: 'milk' }), custom('addToCart', { price: 1.5 })],
      ...[custom('addToCart', { price: 13_800_000_000 }), custom('addToCart', { size: 1 }), custom('leave')],
    ])
    await record([custom('order')], uid, release)
    await countEvents(context)
    const counted = { appid, days: 7 } as const
    const found = await getCustomEventCounts(context, admin, counted)
    expect(found.events.map(({ name, count }) => [name, count])).toEqual([
      ['addToCart', 3],
      ['order', 1],
    ])
    expect(found.values.map(({ field, value, count }) => [field, value, count])).toEqual([
      ['category', 'a.b=c', 1],
      ['category', 'tea', 1],
      ['member', 'true', 1],
    ])
    expect(found.sums).toEqual([{ event: 'addToCart', field: 'price', sum: 500, previous: 0 }])
    expect(found.refused.map(({ reason, name, count }) => [reason, name, count])).toEqual([
      ['value', 'addToCart.price', 2],
      ['event', 'leave', 1],
      ['field', 'addToCart.size', 1],
      ['value', 'addToCart.category', 1],
    ])
    expect(await counts('all')).toEqual([' 9'])
    const ofEvent = async (more: object) =>
      (await getCustomEventSeries(context, admin, { appid, name: 'order', ...more })).series.map(({ count }) => count)
    expect(await ofEvent({ days: 7 })).toEqual([0, 0, 0, 0, 0, 0, 1])
    expect(await ofEvent({ days: 7, releaseId })).toEqual([0, 0, 0, 0, 0, 0, 0])
    const { span, series } = await getCustomEventSeries(context, admin, { appid, name: 'addToCart', days: 1 })
    expect([span, series.length, series.at(-1)]).toEqual(['hour', 24, { start: monday, count: 3 }])
    const ofRelease = await getCustomEventCounts(context, admin, { ...counted, releaseId: release })
    expect(ofRelease.events.map(({ name }) => name)).toEqual(['order'])
    const [texts] = await database.sql<[{ texts: string }]>`
      select string_agg(name || coalesce(fields::text, ''), ' ') as texts from analytics_events where kind <> 'custom'`
    expect(texts.texts).not.toMatch(/milk|13800000000/)
  })

  test('of a project are set by its uploads, unless a member has set them', async () => {
    await upload('1.1.0', { order: {}, addToCart: declared })
    await put('order', 'An order.')
    await upload('1.2.0', { order: declared, share: { description: 'Shared.' } })
    expect(await fieldsOf('order')).toEqual({})
    expect(await listed()).toEqual([
      ['addToCart', 'project', '1.1.0'],
      ['order', 'console', null],
      ['share', 'project', '1.2.0'],
    ])
    await removeCustomEvent(context, admin, { appid, name: 'order' })
    await upload('1.3.0', { order: declared })
    expect(await listed()).toContainEqual(['order', 'project', '1.3.0'])
    await expect(removeCustomEvent(context, admin, { appid, name: 'leave' })).rejects.toMatchObject({
      code: 'custom_event_not_found',
    })
  })

  const fieldsOf = async (event: string) => {
    const found = await listCustomEvents(context, admin, { appid })
    return found.find(({ name }) => name === event)?.fields
  }
  const enumOf = (...values: string[]) => ({ type: 'enum', values })
  const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n}`)

  test('only get fields and values by an upload, since a live release reports the others', async () => {
    const live = await upload('1.1.0', {
      addToCart: { description: 'Added.', fields: { ...declared.fields, constructor: { type: 'boolean' } } },
    })
    await upload('1.2.0', { addToCart: { fields: { category: enumOf('coffee', 'tea'), toString: enumOf('a') } } })
    await upload('1.3.0', { addToCart: {}, order: {} })
    expect(await fieldsOf('addToCart')).toEqual({
      category: enumOf('tea', 'a.b=c', 'coffee'),
      price: { type: 'integer' },
      member: { type: 'boolean' },
      constructor: { type: 'boolean' },
      toString: enumOf('a'),
    })
    const [found] = await listCustomEvents(context, admin, { appid })
    expect(found).toMatchObject({ description: 'Added.', version: '1.3.0' })
    await record([custom('addToCart', { category: 'a.b=c', price: 1, member: false })], uid, live)
    await countEvents(context)
    expect(await counts('custom')).toEqual(['addToCart 1'])
  })

  test.each([
    ['price', enumOf('low'), 'addToCart.price is integer in other releases, not enum'],
    ['price', { type: 'boolean' }, 'addToCart.price is integer in other releases, not boolean'],
    ['category', { type: 'integer' }, 'addToCart.category is enum in other releases, not integer'],
  ])('keep the type of %s: an upload with %j is refused', async (field, type, text) => {
    await upload('1.1.0', { addToCart: declared })
    const before = await fieldsOf('addToCart')
    await expect(upload('1.2.0', { order: {}, addToCart: { fields: { [field]: type } } })).rejects.toMatchObject({
      code: 'release_refused',
      message: expect.stringContaining(`${text}. Choose another name for the field`),
    })
    expect(await listed()).toEqual([['addToCart', 'project', '1.1.0']])
    expect(await fieldsOf('addToCart')).toEqual(before)
    await putCustomEvent(context, admin, { appid, name: 'addToCart', fields: {} })
    await upload('1.2.0', { addToCart: { fields: { [field]: type } } })
  })

  const eventsOf = (letter: string) => Object.fromEntries(numbered(letter, 30).map((name) => [name, {}]))
  const orderOf = (fields: object) => ({ order: { fields } })
  test.each([
    ['an event', eventsOf('a'), eventsOf('b'), 'at most 50 events'],
    [
      'a field',
      orderOf(Object.fromEntries(numbered('a', 6).map((name) => [name, { type: 'integer' }]))),
      orderOf(Object.fromEntries(numbered('b', 6).map((name) => [name, { type: 'integer' }]))),
      'order has more than 10 fields',
    ],
    [
      'a value',
      orderOf({ kind: enumOf(...numbered('a', 30)) }),
      orderOf({ kind: enumOf(...numbered('b', 30)) }),
      'order.kind: a field has',
    ],
    [
      'a field with many values',
      orderOf(Object.fromEntries(numbered('a', 4).map((name) => [name, enumOf(...numbered('v', 40))]))),
      orderOf({ b: enumOf(...numbered('v', 41)) }),
      'its fields have 201 values',
    ],
  ])('stay within the limits when uploads rename %s', async (_, first, renamed, text) => {
    await upload('1.1.0', first)
    const before = await listCustomEvents(context, admin, { appid })
    await expect(upload('1.2.0', renamed)).rejects.toMatchObject({
      code: 'release_refused',
      message: expect.stringMatching(new RegExp(`${text}.* remove events in the console`)),
    })
    expect(await listCustomEvents(context, admin, { appid })).toEqual(before)
    for (const { name } of before) await removeCustomEvent(context, admin, { appid, name })
    await upload('1.2.0', renamed)
  })

  test.each([
    [{ 'add to cart': {} }, 'add to cart: a name is'],
    [{ order: { fields: { email: { type: 'string' } } } }, 'order.email: a field has'],
    [Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`e${n}`, {}])), 'at most 50 events'],
    ...['a\0b', 'a\nb', '\ud800', '\udc00'].flatMap((text): [object, string][] => [
      [{ [text]: {} }, ': a name is'],
      [{ order: { description: text } }, 'order.description must be a text'],
      [{ order: { fields: { [text]: { type: 'integer' } } } }, ': a field has a name'],
      [orderOf({ kind: enumOf(text) }), 'order.kind: a field has'],
    ]),
  ])('refuses a release with invalid ones', async (customEvents, text) => {
    await expect(upload('1.1.0', customEvents)).rejects.toMatchObject({
      code: 'release_refused',
      message: expect.stringContaining(text),
    })
    expect(await listed()).toEqual([])
  })

  test('are limited per mini app, also those of both sources together', async () => {
    await upload('1.1.0', Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`e${n}`, {}])))
    await expect(put('order')).rejects.toMatchObject({ code: 'custom_event_limit_reached' })
    await put('e1')
    await expect(upload('1.2.0', { order: {} })).rejects.toMatchObject({ code: 'release_refused' })
  })

  test('are shown with their values, however many sums and refused reports there are', async () => {
    await database.sql`
      insert into analytics_counts (appid, span, kind, start, release_id, name, count)
      select ${appid}, 'day', kind, ${monday - 10 * hour}, ${releaseId}, prefix || n, count
      from (values ('customSum', 'view.f', 1000000), ('customRefused', 'event e', 1000), ('customValue', 'view.f=v', 10),
          ('custom', 'view', 1)) as counted (kind, prefix, count),
        generate_series(1, case when kind = 'custom' then 5 else 450 end) n`
    const found = await getCustomEventCounts(context, admin, { appid, days: 7 })
    expect(found.events.map(({ name }) => name)).toEqual(['view1', 'view2', 'view3', 'view4', 'view5'])
    expect([found.values.length, found.sums.length, found.refused.length]).toEqual([400, 400, 400])
  })

  test('have totals per day only of kinds that are read', async () => {
    for (const name of ['view', 'order']) await put(name)
    await createFunnel(context, admin, { appid, name: 'Orders', steps: ['view', 'order'] })
    await record([open, custom('view'), custom('leave')])
    await countEvents(context)
    await countFunnels(context)
    await countEvents(context)
    const kinds = await database.sql<{ kind: string }[]>`
      select distinct kind from analytics_counts where appid = ${appid} and span = 'dayTotal'`
    expect(kinds.map(({ kind }) => kind)).toEqual(['open'])
    expect((await getAnalytics(context, admin, { appid, days: 7 })).current.opens).toBe(1)
  })

  describe('in funnels', () => {
    const open = (id: string, place: number, names: string[], at = releaseId) =>
      recordEvents(
        context,
        { kind: 'hostUser', uid, session: '' },
        { appid, releaseId: at, opening: { id: id.repeat(32), place }, events: names.map((name) => custom(name)) },
      )
    const reached = async () => {
      await countFunnels(context)
      const { funnels } = await getCustomEventCounts(context, admin, { appid, days: 7 })
      return funnels.map(({ name, current, days }) => [name, current, days.map((each) => each.reached)])
    }

    test('count openings that report the steps in their order, per day', async () => {
      for (const name of ['view', 'add', 'pay']) await put(name)
      await open('1', 0, ['view', 'add', 'pay'])
      await open('2', 0, ['add', 'view', 'view'])
      // Reports of an opening can overtake each other.
      await open('3', 2, ['add'])
      await open('3', 0, ['view', 'pay'])
      await record([custom('view'), custom('add')])
      const steps = ['view', 'add', 'pay']
      const { funnelId } = await createFunnel(context, admin, { appid, name: 'Orders', steps })
      expect(await reached()).toEqual([['Orders', [3, 2, 1], [[3, 2, 1]]]])
      context.clock.time += day
      await open('4', 0, ['view', 'add'])
      expect(await reached()).toEqual([
        [
          'Orders',
          [4, 3, 1],
          [
            [3, 2, 1],
            [1, 1, 0],
          ],
        ],
      ])
      await deleteFunnel(context, admin, { appid, funnelId })
      expect(await counts('funnel', 'day')).toEqual([])
      await expect(deleteFunnel(context, admin, { appid, funnelId })).rejects.toMatchObject({
        code: 'funnel_not_found',
      })
    })

    test('have steps that are declared, and are limited per mini app', async () => {
      await put('view')
      await put('add')
      const create = (steps: string[]) => createFunnel(context, admin, { appid, name: 'Orders', steps })
      await expect(create(['view', 'pay'])).rejects.toMatchObject({ code: 'custom_event_not_found' })
      for (let n = 0; n < 10; n++) await create(['view', 'add'])
      await expect(create(['view', 'add'])).rejects.toMatchObject({ code: 'funnel_limit_reached' })
    })
  })
})
