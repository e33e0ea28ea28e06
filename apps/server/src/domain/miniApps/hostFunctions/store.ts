import { type consoleOperations, maxListed, type ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A function of the host that the operator has declared. */
export type HostFunction = ResultOf<typeof consoleOperations.putHostFunction>
type Grant = ResultOf<typeof consoleOperations.listHostFunctionGrants>[number]

const columns = (sql: Sql | Tx) => sql`name, input, result, question, examples, failures, ctime`

/** Returns the functions that the operator has declared, by name. */
export async function listHostFunctionRows(sql: Sql | Tx): Promise<HostFunction[]> {
  return sql<HostFunction[]>`select ${columns(sql)} from host_functions order by name`
}

/** Serializes changes of declarations until the transaction ends, so that the limit holds. */
export async function lockHostFunctions(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('host_functions'))`
}

export async function upsertHostFunction(tx: Tx, declared: HostFunction): Promise<void> {
  const { name, input, result, question, examples, failures, ctime } = declared
  await tx`
    insert into host_functions (name, input, result, question, examples, failures, ctime)
    values (
      ${name}, ${JSON.stringify(input)}::text::jsonb, ${JSON.stringify(result)}::text::jsonb,
      ${question && JSON.stringify(question)}::text::jsonb, ${JSON.stringify(examples)}::text::jsonb,
      ${JSON.stringify(failures)}::text::jsonb, ${ctime})
    on conflict (name) do update set
      input = excluded.input, result = excluded.result, question = excluded.question, examples = excluded.examples,
      failures = excluded.failures`
}

/** Deletes a function with its grants. Returns false if there is none. */
export async function deleteHostFunction(tx: Tx, name: string): Promise<boolean> {
  const { count } = await tx`delete from host_functions where name = ${name}`
  return count > 0
}

/** Returns the grants of mini apps that exist, by function and name of the mini app. */
export async function listGrantRows(sql: Sql): Promise<Grant[]> {
  return sql<Grant[]>`
    select g.name, g.appid, apps.name as app_name, g.ctime
    from host_function_grants g join apps using (appid) where apps.deleted_time is null
    order by g.name, apps.name, g.appid limit ${maxListed}`
}

/** Returns the names of the functions that a mini app may call. */
export async function listGrantedNames(sql: Sql | Tx, appid: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from host_function_grants where appid = ${appid} order by name`
  return rows.map(({ name }) => name)
}

/** Returns which of these names no function has, by name. */
export async function listUndeclared(tx: Tx, names: readonly string[]): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select name from unnest(${names as string[]}::text[]) as given (name)
    where not exists (select from host_functions f where f.name = given.name) order by name`
  return rows.map(({ name }) => name)
}

/** Gives functions to a mini app. */
export async function insertGrants(tx: Tx, appid: string, names: readonly string[], now: number): Promise<void> {
  await tx`
    insert into host_function_grants (appid, name, ctime)
    select ${appid}, name, ${now} from unnest(${names as string[]}::text[]) as given (name)
    on conflict do nothing`
}

/** Takes functions from a mini app. Returns how many it had. */
export async function deleteGrants(tx: Tx, appid: string, names: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from host_function_grants where appid = ${appid} and name = any(${names as string[]}::text[])`
  return count
}
