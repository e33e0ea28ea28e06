import { builtInDatasets } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { rowsRead } from '../../../../test/rowsRead.ts'
import { newId } from '../../../kernel/id.ts'
import { builtIn } from './builtIn.ts'
import { pageStatement } from './statements.ts'

const apps = 200
const rowsPerApp = 60

/**
 * How the rows of a project are spread over its mini apps, as SQL of the time of row `n` of mini app `a`: evenly, one
 * mini app with all that is new, half of them without anything new, and one after the other.
 */
const shapes = {
  even: `n * ${apps} + a`,
  one: `case when a = 1 then 1000000 else 0 end + n * ${apps} + a`,
  dormant: `case when a % 2 = 0 then 1000000 else 0 end + n * ${apps} + a`,
  successive: `a * ${rowsPerApp} + n`,
}

let database: FreshDatabase
const projects = new Map<string, string>()

beforeAll(async () => {
  database = await freshDatabase()
  const { sql } = database
  await sql`insert into users (nickname, ctime) select 'U', 1 from generate_series(1, ${apps * rowsPerApp}::integer)`
  const [{ first }] = await sql<[{ first: number }]>`select min(uid) as first from users`
  for (const [index, [shape, time]] of Object.entries(shapes).entries()) {
    const projectId = newId()
    projects.set(shape, projectId)
    const appid = `'${index}' || lpad(a::text, 14, '0')`
    const rows = `generate_series(1, ${apps}) a, generate_series(1, ${rowsPerApp}) n, lateral (select ${time} as time) t`
    // Without the triggers and references of trades, which are not part of what is measured.
    await sql.unsafe(`
      insert into projects (project_id, name, ctime) values ('${projectId}', 'P', 0);
      insert into apps (appid, project_id, name, capabilities, default_language, ctime)
        select ${appid}, '${projectId}', 'A', '{}', 'en_US', 0 from generate_series(1, ${apps}) a;
      insert into merchants (merchant_id, appid, ctime) select gen_random_uuid(), ${appid}, 0 from generate_series(1, ${apps}) a;
      insert into trades
          (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire, ctime, mtime)
        select m.appid, uuidv7(), m.merchant_id, m.appid || n, 100, 'SAR', gen_random_uuid(), 1, 'https://b.test', 9, t.time, 1
        from ${rows}, merchants m where m.appid = ${appid};
      insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, ctime, mtime)
        select appid, trade_no, trade_no, notify_url, '{}', 'delivered', ctime, 1 from trades where appid like '${index}%';
      insert into notifications (appid, notification_id, title, text, navigate_type, language, skipped, ctime)
        select ${appid}, lpad(to_hex(t.time::bigint), 32, '0')::uuid, 'T', 'text', '1', 'en_US', 0, 1 from ${rows};
      insert into activities
          (appid, activity_id, open_id, uid, color, template_id, title, text, icon_url, language, valid_until, ctime, mtime)
        select ${appid}, 'a' || n, gen_random_uuid(), ${first}, 'ffffff', '1', 'T', 'text', 'u', 'en_US', 9, t.time, 1 from ${rows};
      insert into analytics_counts (appid, span, kind, start, release_id, name, count)
        select ${appid}, 'day', 'custom', t.time, gen_random_uuid(), 'order', 1 from ${rows};
      insert into open_ids (appid, open_id, uid)
        select ${appid}, gen_random_uuid(), ${first} + (row_number() over (order by t.time)) - 1 from ${rows}`)
  }
  await sql.unsafe('analyze')
})
afterAll(() => database.drop())

describe.for(builtInDatasets.map((name) => name))('%s', (name) => {
  test.for(Object.keys(shapes))(
    'a page reads one row of each mini app and few times its own rows (%s)',
    async (shape) => {
      const { sql } = database
      const context = identityContext(sql)
      const projectId = projects.get(shape)!
      const scopes = (await sql<{ appid: string }[]>`select appid from apps where project_id = ${projectId}`).map(
        ({ appid }) => appid,
      )
      const source = builtIn(name, context.settings)!
      const columns = name === 'users' ? 2 : 1
      for (const limit of [10, 50]) {
        const { text, values } = pageStatement({ source, scopes, filter: undefined }, source.fields, {
          after: undefined,
          limit,
        })
        const rows = await sql.unsafe(text, values)
        expect(rows).toHaveLength(limit)
        expect(await rowsRead(sql, text, values)).toBeLessThan(columns * (apps + 12 * limit))
      }
    },
  )
})

/** Returns how many rows a page of trades of the evenly spread project reads with the filter of a trade. */
async function readWith(filterOf: (trade: Record<string, unknown>) => string): Promise<number> {
  const { sql } = database
  const scopes = await sql<{ appid: string }[]>`select appid from apps where project_id = ${projects.get('even')!}`
  const source = builtIn('trades', identityContext(sql).settings)!
  const page = (limit: number, filter?: string) =>
    pageStatement({ source, scopes: scopes.map(({ appid }) => appid), filter }, source.fields, {
      after: undefined,
      limit,
    })
  const newest = page(1)
  const [row] = await sql.unsafe<[{ record: Record<string, unknown> }]>(newest.text, newest.values)
  const { text, values } = page(50, filterOf(row.record))
  return await rowsRead(sql, text, values)
}

describe('a filter of trades that the guide of the platform data API names as served by an index', () => {
  const filters: Record<string, (trade: Record<string, unknown>) => string> = {
    appid: ({ appid }) => `appid=${appid}`,
    ctime: ({ ctime }) => `ctime<${Number(ctime) - 5_000}`,
    tradeNo: ({ tradeNo }) => `tradeNo=${tradeNo}`,
    outTradeNo: ({ outTradeNo }) => `outTradeNo=${outTradeNo}`,
    payer: () => 'payer=2',
    amount: () => 'amount=5',
    transactionStatus: () => 'transactionStatus=3',
  }
  test.for(Object.keys(filters))('%s', async (field) => {
    expect(await readWith(filters[field]!)).toBeLessThan(apps + 12 * 50)
  })
  test('a filter without an index reads all', async () => {
    expect(await readWith(() => 'payNo=none')).toBeGreaterThanOrEqual(apps * rowsPerApp)
  })
})
