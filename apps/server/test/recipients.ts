import { randomBytes } from 'node:crypto'
import type { App } from '../src/domain/app.ts'
import type { AppCaller } from '../src/domain/caller.ts'
import type { FullContext } from '../src/domain/context.ts'
import { OffsetClock } from '../src/kernel/clock.ts'
import type { Sql } from '../src/kernel/db/pool.ts'
import { newAppid, newId, newOpaqueId } from '../src/kernel/id.ts'
import { createLog } from '../src/kernel/log.ts'
import { testSettings } from './context.ts'

/** A user of the host application, as seen by one mini app. */
export interface Recipient {
  uid: number
  openId: string
}

/** Creates the context of messages and files, with a clock that the test moves. */
export function messageContext(sql: Sql, clock = new OffsetClock()): FullContext {
  const stopping = new AbortController().signal
  const used: Partial<FullContext> = { sql, clock, log: createLog('silent'), ...testSettings(), stopping }
  return used as FullContext
}

/** Creates a mini app; the returned function creates a caller with a new sign, like a new request. */
export async function newMiniApp(sql: Sql, name = 'Tea House'): Promise<() => AppCaller> {
  const appid = newAppid()
  const projectId = newId()
  await sql`insert into projects (project_id, name, ctime) values (${projectId}, 'Project', 0)`
  await sql`
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
    values (${appid}, ${projectId}, ${name}, '{}', 'en_US', 0)`
  return () => ({ kind: 'app', app: { appid } as App, sign: randomBytes(32).toString('hex') })
}

/** Creates users, each with an openId under the mini app. */
export async function newRecipients(sql: Sql, caller: AppCaller, count: number): Promise<Recipient[]> {
  const users = await sql<{ uid: number }[]>`
    insert into users (nickname, ctime) select 'Layla ' || n, 0 from generate_series(1, ${count}::int) as n returning uid`
  const recipients = users.map(({ uid }) => ({ uid, openId: newOpaqueId() }))
  await sql`
    insert into open_ids (appid, open_id, uid)
    select ${caller.app.appid}, open_id, uid
    from unnest(${recipients.map((r) => r.openId)}::uuid[], ${recipients.map((r) => r.uid)}::bigint[]) as r (open_id, uid)`
  return recipients
}

/** Returns the payloads announced on `souk_user` while `act` ran, in order. */
export async function announcedWhile(sql: Sql, act: () => Promise<unknown>): Promise<unknown[]> {
  const heard: string[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const listening = await sql.listen('souk_user', (payload) => {
    if (payload === 'end') end()
    else heard.push(payload)
  })
  await act()
  await sql`select pg_notify('souk_user', 'end')`
  await ended
  await listening.unlisten()
  return heard.map((payload) => JSON.parse(payload))
}
