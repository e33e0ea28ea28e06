import { day } from '@souk/contract'
import {
  upsertDays,
  upsertHours,
  upsertLoyalty,
  upsertTotals,
  upsertUsers,
} from '../apps/server/src/domain/miniApps/analytics/counts.store.ts'
import type { Sql } from '../apps/server/src/kernel/db/pool.ts'
import { type Installation, install } from './installation.ts'
import { medianOf } from './report.ts'

/** Response times of the analytics of a busy mini app, in ms. */
interface AnalyticsFigures {
  events: number
  users: number
  /** Rows that the page reads, and seconds that counting a day took. */
  counts: number
  countingSeconds: number
  pages: { page: string; median: number; max: number; kilobytes: number }[]
}

const goal = 300
const days = 365
const requests = 20

/** Counts a year of events of one mini app day by day, as the server's jobs do, and opens its pages. */
export async function benchAnalytics({
  quick,
  log,
}: {
  quick: boolean
  log: (text: string) => void
}): Promise<AnalyticsFigures> {
  const events = quick ? 1_000_000 : 10_000_000
  const installation = await install(1, log)
  const { sql, appid } = installation
  try {
    // Keeps the server from counting these events: its jobs continue from `counted_to`.
    const today = Math.floor(Date.now() / day)
    await sql`update analytics_progress set counted_to = ${(today + 2) * day}`
    await sql`
      insert into analytics_errors (appid, fingerprint, message, stack, page, release_id, first_time, last_time)
      select ${appid}, md5(n::text), 'Error ' || n, repeat('at f (assets/index.js:1:1)' || chr(10), 20), 'pages/home',
        md5('1')::uuid, 0, ${Date.now()}
      from generate_series(0, 299) n`
    let counting = 0
    for (let number = today - days + 1; number <= today; number++) {
      await insertDay(sql, appid, number, Math.ceil(events / days))
      const started = performance.now()
      await sql.begin(async (tx) => {
        await upsertHours(tx, number * day, (number + 1) * day)
        await upsertDays(tx, number * day, (number + 1) * day)
        await upsertTotals(tx, number * day, (number + 1) * day)
        await upsertUsers(tx, number)
      })
      await upsertLoyalty(sql, number)
      counting += performance.now() - started
      await sql`truncate analytics_events`
      if ((today - number) % 50 === 0) log(`  ${days - (today - number)} of ${days} days`)
    }
    await installation.settle()
    const [stored] = await sql<[{ users: number; counts: number }]>`
      select (select count(*)::integer from analytics_users) as users,
        (select count(*)::integer from analytics_counts) as counts`
    const paths = [
      ...[1, 7, 30, 90, 365].map((length) => `apps/${appid}/analytics?days=${length}`),
      `apps/${appid}/analytics?days=365&releaseId=${await oneRelease(sql)}`,
      `projects/${installation.projectId}/release-health`,
    ]
    const pages: AnalyticsFigures['pages'] = []
    for (const path of paths) pages.push({ page: path.replace(appid, '{appid}'), ...(await open(installation, path)) })
    return { events, ...stored, countingSeconds: counting / 1000 / days, pages }
  } finally {
    await installation.stop()
  }
}

/** Inserts the events of a day: 40,000 users who come on some days, 50 pages, 300 errors, a release per two weeks. */
async function insertDay(sql: Sql, appid: string, number: number, count: number): Promise<void> {
  await sql`
    insert into analytics_events (time, appid, release_id, user_id, kind, name, value)
    select ${number * day}::bigint + (random() * ${day - 1})::bigint, ${appid},
      md5((${Math.floor(number / 14)}::integer + (random() < 0.1)::integer)::text)::uuid,
      md5((random() * random() * 40000)::integer::text)::uuid, kind,
      case kind when 'page' then 'pages/' || (random() * random() * 50)::integer
        when 'error' then md5((random() * random() * 299)::integer::text)
        when 'request' then 'GET api.example.com/' || (random() * 100)::integer || ' 500'
        when 'launchFailure' then 'timeout' else '' end,
      case kind when 'launch' then (300 * exp(random() * 3))::integer end
    from (
      select case when share < 0.15 then 'open' when share < 0.29 then 'launch' when share < 0.3 then 'launchFailure'
        when share < 0.9 then 'page' when share < 0.95 then 'error' else 'request' end as kind
      from (select random() as share from generate_series(1, ${count}::integer)) as shares
    ) as kinds`
  await sql`
    insert into analytics_user_days (appid, day, user_id, events)
    select appid, ${number}, user_id, count(*) from analytics_events group by appid, user_id`
  await sql`
    insert into analytics_users as known (appid, user_id, first_day, last_day)
    select appid, user_id, day, day from analytics_user_days where day = ${number}
    on conflict (appid, user_id) do update set last_day = excluded.last_day`
}

async function oneRelease(sql: Sql): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    select release_id as id from analytics_counts where span = 'day' and kind = 'open'
    order by start limit 1`
  return row.id
}

/** Opens a page several times after a first time. */
async function open({ url, adminToken }: Installation, path: string) {
  const times: number[] = []
  let size = 0
  for (let count = 0; count <= requests; count++) {
    const started = performance.now()
    const response = await fetch(`${url}/console/v1/${path}`, { headers: { authorization: `Bearer ${adminToken}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    if (count > 0) times.push(performance.now() - started)
    size = text.length
  }
  return {
    median: Math.round(medianOf(times)),
    max: Math.round(Math.max(...times)),
    kilobytes: Math.round(size / 1024),
  }
}

/** Prints the figures. */
export function printAnalytics({ events, users, counts, countingSeconds, pages }: AnalyticsFigures): void {
  const number = (value: number) => value.toLocaleString('en')
  console.log(`${number(events)} events of ${number(users)} users in ${days} days: ${number(counts)} rows of counts`)
  console.log(`counting a day: ${countingSeconds.toFixed(2)} s`)
  for (const { page, median, max, kilobytes } of pages) {
    const result = max < goal ? 'met' : 'missed'
    console.log(`${page}: median ${median} ms, max ${max} ms (goal ${goal} ms, ${result}), ${kilobytes} KB`)
  }
}
