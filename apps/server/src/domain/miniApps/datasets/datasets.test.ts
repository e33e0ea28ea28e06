import type { FilterCondition } from '@souk/contract'
import { builtInDatasets, formatFilter } from '@souk/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { defaultLimits } from '../../../kernel/db/limits.ts'
import { connect } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { AccountCaller, AdminCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import { appendRecords, createDataset, exportRecords, getDataset, listDatasets, listRecords } from './index.ts'

type Json = Record<string, unknown>

const admin: AdminCaller = { kind: 'admin' }
let database: FreshDatabase
let context: FullContext
let projectId: string

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  projectId = await newProject()
})
afterAll(() => database.drop())

async function newProject(): Promise<string> {
  const id = newId()
  await database.sql`insert into projects (project_id, name, ctime) values (${id}, 'P', 0)`
  return id
}

const fields = [
  { name: 's', type: 'string' },
  { name: 'i', type: 'integer' },
  { name: 'n', type: 'number' },
  { name: 'b', type: 'boolean' },
  { name: 't', type: 'time' },
  { name: 'j', type: 'json' },
] as const
const names = fields.map(({ name }) => name as string)

let datasets = 0
async function datasetOf(records: readonly Json[]): Promise<string> {
  const { datasetId } = await createDataset(context, admin, { projectId, name: `d${++datasets}`, fields: [...fields] })
  for (let from = 0; from < records.length; from += 3) {
    await appendRecords(context, admin, { datasetId, records: records.slice(from, from + 3) })
  }
  return datasetId
}

/** Returns all records that match the filter, read page by page. */
async function paged(
  datasetId: string,
  filter: string | undefined,
  limit: number,
  fieldNames = names,
): Promise<Json[]> {
  const seen: Json[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listRecords(context, admin, {
      datasetId,
      limit,
      fields: fieldNames,
      ...(filter === undefined ? {} : { filter }),
      ...(cursor ? { cursor } : {}),
    })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    seen.push(...page.items)
    cursor = page.next
  }
  return seen
}

async function exported(datasetId: string, filter: string | undefined, fieldNames = names): Promise<Json[]> {
  const { stream } = await exportRecords(context, admin, {
    datasetId,
    fields: fieldNames,
    ...(filter === undefined ? {} : { filter }),
  })
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Json)
}

// Few distinct values, so that filters match.
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'A',
    'ab',
    'b',
    'é',
    'ä',
    '中',
    '\u{1F642}',
    '\uFFFD',
    "'",
    '"',
    '\\',
    '%',
    ',',
    'null',
    '$1',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }).filter((value) => !value.includes('\0') && value.isWellFormed()),
)
const whole = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.maxSafeInteger())
const real = fc
  .oneof(fc.constantFrom(0, 0.1, -0.1, 1e-7, 1e21, 1.5), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (Object.is(value, -0) ? 0 : value))
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })
const record = fc.record({
  s: optional(text),
  i: optional(whole),
  n: optional(real),
  b: optional(fc.boolean()),
  t: optional(whole),
  j: optional(fc.constantFrom<unknown>([], {}, { a: null }, 'x', 0, false)),
})

const written = (value: string | number | boolean | null) => (value === null ? null : String(value))
const condition: fc.Arbitrary<FilterCondition> = fc.oneof(
  fc.record({ field: fc.constant('s'), operator: fc.constantFrom('=', '!=', '<', '<=', '>', '>=', '~'), value: text }),
  ...(['i', 't'] as const).map((field) =>
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
      value: whole.map(written),
    }),
  ),
  fc.record({
    field: fc.constant('n'),
    operator: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
    value: real.map(written),
  }),
  fc.record({ field: fc.constant('b'), operator: fc.constantFrom('=', '!='), value: fc.boolean().map(written) }),
  fc.record({ field: fc.constantFrom(...names), operator: fc.constantFrom('=', '!='), value: fc.constant(null) }),
) as fc.Arbitrary<FilterCondition>

/** Evaluates a condition without a database. */
function holds({ field, operator, value }: FilterCondition, of: Json): boolean {
  const has = of[field] ?? null
  if (value === null) return (operator === '=') === (has === null)
  if (has === null) return operator === '!='
  if (operator === '~') return String(has).includes(value)
  const order =
    typeof has === 'string'
      ? Buffer.compare(Buffer.from(has), Buffer.from(value))
      : typeof has === 'boolean'
        ? Number(String(has) !== value)
        : Math.sign(Number(has) - Number(value)) || Number(Number(has) !== Number(value))
  return { '=': order === 0, '!=': order !== 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[
    operator
  ]
}

describe('any data, any filter, any page size', () => {
  test('pages return each matching record exactly once, newest first, and the export equals the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 25 }),
        fc.array(fc.array(condition, { maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (records, filters, limit) => {
          const id = await datasetOf(records)
          for (const conditions of filters) {
            const filter = conditions.length > 0 ? formatFilter(conditions) : undefined
            const expected = records.filter((each) => conditions.every((it) => holds(it, each))).toReversed()
            const pages = await paged(id, filter, limit)
            expect(pages, filter).toEqual(expected)
            expect(await exported(id, filter), filter).toEqual(pages)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('returns any selection of fields in the requested order', async () => {
    const all = ['recordId', 'recordTime', ...names]
    const id = await datasetOf([{ s: 'x', j: [1] }, { i: 5 }])
    const whole = await paged(id, undefined, 10, all)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(all, { minLength: 1 }), async (fieldNames) => {
        const expected = whole.map((each) => fieldNames.map((name) => [name, each[name]]))
        for (const found of [await paged(id, undefined, 1, fieldNames), await exported(id, undefined, fieldNames)]) {
          expect(found.map((each) => Object.entries(each))).toEqual(expected)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('filters a field whose name has another type in another dataset', async () => {
    const clash = await createDataset(context, admin, {
      projectId,
      name: `d${++datasets}`,
      fields: names.map((name) => ({ name, type: 'string' as const })),
    })
    const records = Array.from({ length: 50 }, () => Object.fromEntries(names.map((name) => [name, 'no number'])))
    await appendRecords(context, admin, { datasetId: clash.datasetId, records })
    const id = await datasetOf([{ i: 1, b: true, n: 0.5, t: 5 }])
    await database.sql`analyze dataset_records`
    expect(await paged(id, 'i>0,b=true,n<1,t>=5', 10)).toHaveLength(1)
    expect(await exported(id, 'i>0,b=true,n<1,t>=5')).toHaveLength(1)
  })

  test('returns every earlier record exactly once while others append', async () => {
    const before = Array.from({ length: 60 }, (_, i) => ({ i }))
    const id = await datasetOf(before)
    let going = true
    const appending = Promise.all(
      [1, 2].map(async () => {
        while (going) await appendRecords(context, admin, { datasetId: id, records: [{ i: -1 }, { i: -2 }] })
      }),
    )
    const seen = await paged(id, undefined, 7, ['recordId', 'i'])
    going = false
    await appending
    expect(new Set(seen.map(({ recordId }) => recordId)).size).toBe(seen.length)
    const old = seen.map(({ i }) => i as number).filter((i) => i >= 0)
    expect(old).toEqual(before.map(({ i }) => i).toReversed())
  })
})

describe('built-in datasets', () => {
  const merchant = newId()
  let apps: string[]
  let foreign: string

  beforeAll(async () => {
    const elsewhere = await newProject()
    apps = ['aaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbb', 'ccccccccccccccc']
    foreign = 'ddddddddddddddd'
    for (const appid of [...apps, foreign]) {
      await database.sql`
        insert into apps (appid, project_id, name, capabilities, default_language, ctime)
        values (${appid}, ${appid === foreign ? elsewhere : projectId}, 'A', '{}', 'en_US', 0)`
    }
    await database.sql`insert into merchants (merchant_id, appid, ctime) values (${merchant}, ${foreign}, 0)`
    await database.sql`insert into users (nickname, phone, email, ctime) values ('=Layla', '5551234567', 'l@x.test', 1), ('Omar', null, null, 2)`
    for (const appid of [...apps, foreign]) {
      await database.sql`
        insert into open_ids (appid, open_id, uid) select ${appid}, gen_random_uuid(), uid from users`
      await database.sql`
        insert into notifications (appid, notification_id, title, text, navigate_type, language, skipped, ctime)
        select ${appid}, uuidv7(), 'T' || n, 'text', '1', 'en_US', 0, n from generate_series(1, 4) as n`
      await database.sql`
        insert into activities
          (appid, activity_id, open_id, uid, color, template_id, title, text, icon_url, language, valid_until, ctime, mtime)
        select ${appid}, 'ä' || (n % 3), gen_random_uuid(), (select min(uid) from users), 'ffffff', '1', 'T', 'text', 'u', 'en_US', 9, n / 3, n
        from generate_series(1, 7) as n`
      await database.sql`
        insert into analytics_counts (appid, span, kind, start, release_id, name, count)
        select ${appid}, span, kind, 86400000, md5(${appid})::uuid, name, 5
        from (values ('day'), ('hour')) as spans (span), (values
          ('custom', 'order'), ('customValue', 'order.kind=a=b'), ('customSum', 'order.price'), ('page', 'pages/home')
        ) as names (kind, name)`
    }
  })

  const trade = fc.record({
    app: fc.integer({ min: 0, max: 3 }),
    ctime: fc.integer({ min: 1, max: 4 }),
    amount: fc.integer({ min: 1, max: 3 }),
    status: fc.integer({ min: 1, max: 6 }),
    refund: fc.option(fc.constantFrom('owed', 'returned', 'refused', 'unapplied')),
  })

  test('returns simultaneous trades and refunds of several mini apps once each, but none of another project', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trade, { maxLength: 25 }), fc.integer({ min: 1, max: 5 }), async (trades, limit) => {
        await database.sql`truncate trades, refunds cascade`
        for (const { app, ctime, amount, status, refund } of trades) {
          const [appid, tradeNo] = [[...apps, foreign][app]!, newId()]
          await database.sql`
            insert into trades
              (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
               transaction_status, ctime, mtime)
            values (
              ${appid}, ${tradeNo}, ${merchant}, ${newId()}, ${amount}, 'SAR',
              gen_random_uuid(), 1, 'https://x.test', 9, ${status}, ${ctime}, ${ctime})`
          if (refund === null) continue
          await database.sql`
            insert into refunds
              (appid, trade_no, refund_no, attempt_id, initiator, reason, note, amount, currency, state, merchant_id, out_trade_no,
               open_id, payer, pay_type, pay_method, ctime, mtime)
            values (
              ${appid}, ${tradeNo}, ${newId()}, ${newId()}, ${refund === 'unapplied' ? 'system' : 'operator'},
              ${refund === 'unapplied' ? 'tradeFinal' : 'requested'}, 'Sent twice', ${amount}, 'SAR', ${refund === 'unapplied' ? 'owed' : refund}, ${merchant}, 'o', gen_random_uuid(), 1, 2, 3,
              ${ctime}, ${ctime})`
        }
        const id = `${projectId}.trades`
        const fieldNames = ['tradeNo', 'appid', 'amount', 'transactionStatus', 'ctime', 'transactionFlow', 'refundOf']
        const all = await paged(id, undefined, limit, fieldNames)
        const own = trades.filter(({ app }) => app < 3)
        const refunded = own.filter(({ refund }) => refund !== null && refund !== 'unapplied')
        expect(all).toHaveLength(own.length + refunded.length)
        const payments = new Set(all.filter((it) => it.transactionFlow === 2).map((it) => it.tradeNo))
        const refunds = all.filter((it) => it.transactionFlow === 1)
        expect(refunds).toHaveLength(refunded.length)
        expect(refunds.every((it) => payments.has(it.refundOf))).toBe(true)
        expect(new Set(all.map(({ tradeNo }) => tradeNo)).size).toBe(all.length)
        expect(all.every(({ appid }) => appid !== foreign)).toBe(true)
        const key = ({ ctime, tradeNo }: Json) => `${ctime} ${tradeNo}`
        expect(all.map(key)).toEqual(all.map(key).toSorted().toReversed())
        expect(await exported(id, undefined, fieldNames)).toEqual(all)

        const filter = `amount>=2,transactionStatus!=1,appid=${apps[1]}`
        const matching = all.filter(
          (it) => Number(it.amount) >= 2 && it.transactionStatus !== 1 && it.appid === apps[1],
        )
        expect(await paged(id, filter, limit, fieldNames)).toEqual(matching)
        expect(await exported(id, filter, fieldNames)).toEqual(matching)
        const first = all[0]
        if (first) expect(await paged(id, `tradeNo=${first.tradeNo}`, limit, fieldNames)).toEqual([first])
      }),
      { numRuns: 15 },
    )
  })

  test.each([
    ['users', 6],
    ['notifications', 12],
    ['activities', 21],
    ['callbacks', 0],
    ['events', 9],
  ])('returns %s of the project once each, in pages and in the export', async (name, count) => {
    const id = `${projectId}.${name}`
    const { fields: schema } = await getDataset(context, admin, { datasetId: id })
    const fieldNames = schema.map((field) => field.name)
    const all = await paged(id, undefined, 2, fieldNames)
    expect(all).toHaveLength(count)
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(count)
    expect(all.some(({ appid }) => appid === foreign)).toBe(false)
    expect(await exported(id, undefined, fieldNames)).toEqual(all)
    for (const each of all) expect(Object.keys(each)).toEqual(fieldNames)
  })

  test('returns custom events with the fields and values that were counted', async () => {
    const records = await exported(`${projectId}.events`, `appid=${apps[0]}`, [
      'event',
      'field',
      'value',
      'count',
      'sum',
    ])
    expect(records).toEqual([
      { event: 'order', field: 'price', value: null, count: null, sum: 5 },
      { event: 'order', field: 'kind', value: 'a=b', count: 5, sum: null },
      { event: 'order', field: null, value: null, count: 5, sum: null },
    ])
  })

  test('returns records that match type and required of the schema', async () => {
    for (const name of builtInDatasets) {
      const id = `${projectId}.${name}`
      const { fields: schema } = await getDataset(context, admin, { datasetId: id })
      for (const each of await exported(
        id,
        undefined,
        schema.map((field) => field.name),
      )) {
        for (const { name: field, type, required } of schema) {
          const value = each[field]
          if (value === null) expect([name, field, required]).toEqual([name, field, false])
          else
            expect([name, field, typeof value]).toEqual([
              name,
              field,
              type === 'integer' || type === 'time' ? 'number' : type,
            ])
        }
      }
    }
  })

  test('filters every field of every dataset with every operator', async () => {
    for (const name of builtInDatasets) {
      const id = `${projectId}.${name}`
      const { fields: schema } = await getDataset(context, admin, { datasetId: id })
      for (const { name: field, type } of schema) {
        const value = type === 'boolean' ? 'true' : type === 'string' ? 'x' : '1'
        const operators = type === 'boolean' ? ['=', '!='] : ['=', '!=', '<', '<=', '>', '>=']
        for (const operator of type === 'string' ? [...operators, '~'] : operators) {
          await exported(id, `${field}${operator}${value},${field}!=null`, [field])
          await paged(id, `${field}${operator}${value}`, 50, [field])
        }
      }
    }
  })

  test('includes no phone number or e-mail address of a user in any dataset', async () => {
    for (const name of builtInDatasets) {
      const { stream } = await exportRecords(context, admin, { datasetId: `${projectId}.${name}` })
      const text = Buffer.concat(await stream.toArray()).toString()
      expect(text).not.toMatch(/5551234567|l@x\.test/)
    }
  })
})

test('a required field is required whatever its name', async () => {
  const names = ['constructor', 'toString']
  const { datasetId } = await createDataset(context, admin, {
    projectId,
    name: 'inherited',
    fields: names.map((name) => ({ name, type: 'string', required: true })),
  })
  const mistakes = names.map((field) => ({ record: 0, field, reason: 'is required' }))
  await expect(appendRecords(context, admin, { datasetId, records: [{}] })).rejects.toMatchObject({
    code: 'parameter_invalid',
    data: { mistakes },
  })
})

test('lists no datasets of archived projects, neither on the first page nor on the next one', async () => {
  const accountId = newId()
  const projectIds = [await newProject(), await newProject()]
  await database.sql`
    insert into accounts (account_id, username, name, language, password, administrator, ctime)
    values (${accountId}, 'layla', 'Layla', 'en', '', false, 0)`
  await database.sql`
    insert into project_members (project_id, account_id, role, ctime)
    select project_id, ${accountId}, 'viewer', 0 from unnest(${projectIds}::uuid[]) as project_id`
  await database.sql`update projects set archived_time = 1 where project_id = ${projectIds[0]!}`
  const member: AccountCaller = { kind: 'account', accountId, administrator: false, via: 'apiKey' }
  const first = await listDatasets(context, member, { limit: 3 })
  const next = await listDatasets(context, member, { limit: 3, cursor: first.next! })
  const listed = [...first.items, ...next.items]
  expect(listed.map(({ name }) => name)).toEqual(builtInDatasets.toSorted())
  expect(new Set(listed.map((each) => each.projectId))).toEqual(new Set([projectIds[1]]))
})

test('what a filter cannot answer in time is refused for good, and a page without one may be tried again', async () => {
  const datasetId = `${await newProject()}.trades`
  const hurried = connect(database.url, { limits: { ...defaultLimits, statement: 200 } })
  const listed = (filter?: string) =>
    listRecords(identityContext(hurried), admin, { datasetId, ...(filter && { filter }) })
  try {
    await database.sql.begin(async (tx) => {
      await tx`lock table trades in access exclusive mode`
      await expect(listed('amount>=100')).rejects.toMatchObject({ code: 'filter_too_broad' })
      await expect(listed()).rejects.toMatchObject({ code: '57014' })
    })
  } finally {
    await hurried.end()
  }
})
