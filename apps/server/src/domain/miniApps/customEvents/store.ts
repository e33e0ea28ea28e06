import type { CustomEventDeclaration, CustomEventDeclarations, consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

type CustomEventRow = ResultOf<typeof consoleOperations.listCustomEvents>[number]

/** An event that is stored. */
type StoredCustomEvent = Omit<CustomEventRow, 'fields'> & Pick<CustomEventDeclaration, 'fields'>

export async function listCustomEventRows(sql: Sql | Tx, appid: string): Promise<CustomEventRow[]> {
  return sql<CustomEventRow[]>`
    select name, description, fields, set_by, version, mtime from custom_events where appid = ${appid} order by name`
}

/** Returns what a mini app may report, by name. */
export async function listDeclarations(sql: Sql | Tx, appid: string): Promise<CustomEventDeclarations> {
  const rows = await sql<Pick<CustomEventRow, 'name' | 'fields'>[]>`
    select name, fields from custom_events where appid = ${appid}`
  return Object.fromEntries(rows.map(({ name, fields }) => [name, { fields }]))
}

/** Adds an event, or replaces it. */
export async function upsertCustomEvent(tx: Tx, appid: string, event: StoredCustomEvent): Promise<void> {
  const { name, description, fields, setBy, version, mtime } = event
  await tx`
    insert into custom_events (appid, name, description, fields, set_by, version, mtime)
    values (
      ${appid}, ${name}, ${description}, ${JSON.stringify(fields)}::text::jsonb, ${setBy}, ${version}, ${mtime})
    on conflict (appid, name) do update set
      description = excluded.description, fields = excluded.fields, set_by = excluded.set_by,
      version = excluded.version, mtime = excluded.mtime`
}

/** Returns false if there is none. */
export async function deleteCustomEvent(tx: Tx, appid: string, name: string): Promise<boolean> {
  const { count } = await tx`delete from custom_events where appid = ${appid} and name = ${name}`
  return count > 0
}

/** Returns the alert rules that watch an event. */
export async function listRulesOfEvent(
  tx: Tx,
  appid: string,
  event: string,
): Promise<{ ruleId: string; threshold: number; window: number }[]> {
  return tx<{ ruleId: string; threshold: number; window: number }[]>`
    select rule_id, threshold, window_minutes as window from alert_rules
    where appid = ${appid} and event = ${event} order by rule_id`
}
