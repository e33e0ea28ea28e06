import { type consoleOperations, maxEventReplay, type ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { SealContext } from '../../../kernel/sealedColumns.ts'
import type { Vault } from '../../../kernel/vault.ts'
import { nextProbe } from '../outbound/index.ts'

type Listed = ResultOf<typeof consoleOperations.listEventEndpoints>[number]

/**
 * An endpoint as it is stored. Times in ms. `goneTime`: when a response 410 disabled it; `failedTime`: when repeated
 * failures did. Failures before `enabledTime` do not count.
 */
export interface Endpoint extends Pick<Listed, 'endpointId' | 'url' | 'description' | 'types' | 'ctime'> {
  enabled: boolean
  goneTime: number | null
  failedTime: number | null
  enabledTime: number
}

/** An endpoint with what its deliveries say about it. */
export interface EndpointWithHealth
  extends Endpoint,
    Pick<Listed, 'failingSince' | 'pausedUntil' | 'pending' | 'dead' | 'overlapUntil'> {
  lastFailure: number | null
}

const columns = (sql: Sql | Tx) => sql`
  p.endpoint_id, p.url, p.description, p.types, p.enabled, p.gone_time, p.failed_time, p.enabled_time, p.ctime`

/** Counts deliveries of an endpoint in this state, as far as one call replays them. */
const countOf = (sql: Sql | Tx, state: 'pending' | 'dead') => sql`
  (select count(*)::int from (
    select from event_deliveries d where d.endpoint_id = p.endpoint_id and d.state = ${state}
    limit ${maxEventReplay}) counted)`

/** Lists endpoints, oldest first, or returns one. An endpoint fails since the first failure after it last
 * acknowledged an event or was enabled. */
export async function listEndpoints(
  sql: Sql | Tx,
  { endpointId, now }: { endpointId?: string; now: number },
): Promise<EndpointWithHealth[]> {
  return sql<EndpointWithHealth[]>`
    select ${columns(sql)}, ${countOf(sql, 'pending')} as pending, ${countOf(sql, 'dead')} as dead,
      failure.since as failing_since, failure.last as last_failure,
      case when p.enabled then ${nextProbe(sql, 'event', sql`replace(p.endpoint_id::text, '-', '')`)} end as paused_until,
      (select max(valid_until) from event_secrets s where s.endpoint_id = p.endpoint_id and valid_until > ${now})
        as overlap_until
    from event_endpoints p cross join lateral (
      select greatest(max(mtime), p.enabled_time) as time from event_deliveries d
      where d.endpoint_id = p.endpoint_id and d.state = 'delivered') healthy
    left join lateral (
      select greatest(min(d.ctime), healthy.time) as since, max(d.mtime) as last from event_deliveries d
      where d.endpoint_id = p.endpoint_id and d.state in ('pending', 'dead') and d.mtime > healthy.time
        and d.attempts > 0 having count(*) > 0) failure on true
    ${endpointId === undefined ? sql`` : sql`where p.endpoint_id = ${endpointId}`}
    order by p.ctime, p.endpoint_id`
}

/** Counts endpoints that were disabled by failures or a response 410, as a subquery. */
export const countDisabledEndpoints = (sql: Sql) => sql`
  (select count(*)::int from event_endpoints where failed_time is not null or gone_time is not null)`

/** Serializes additions of endpoints until the transaction ends, so that they count each other. */
export async function lockAdditions(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('event_endpoints'))`
}

export async function countEndpoints(tx: Tx): Promise<number> {
  const [row] = await tx<[{ count: number }]>`select count(*)::int as count from event_endpoints`
  return row.count
}

export async function lockEndpoint(tx: Tx, endpointId: string): Promise<Endpoint | undefined> {
  const [row] = await tx<Endpoint[]>`
    select ${columns(tx)} from event_endpoints p where endpoint_id = ${endpointId} for update`
  return row
}

export async function insertEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx`
    insert into event_endpoints (endpoint_id, url, description, types, enabled, gone_time, ctime)
    values (${endpoint.endpointId}, ${endpoint.url}, ${endpoint.description}, ${endpoint.types as string[]},
      ${endpoint.enabled}, ${endpoint.goneTime}, ${endpoint.ctime})`
}

export async function updateEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx`
    update event_endpoints
    set url = ${endpoint.url}, description = ${endpoint.description}, types = ${endpoint.types as string[]},
      enabled = ${endpoint.enabled}, gone_time = ${endpoint.goneTime}, failed_time = ${endpoint.failedTime},
      enabled_time = ${endpoint.enabledTime}
    where endpoint_id = ${endpoint.endpointId}`
}

/** Deletes an endpoint with its secrets and deliveries. Returns its URL, or undefined if it does not exist. */
export async function deleteEndpoint(tx: Tx, endpointId: string): Promise<string | undefined> {
  const [row] = await tx<{ url: string }[]>`
    delete from event_endpoints where endpoint_id = ${endpointId} returning url`
  return row?.url
}

/** Stores a secret, encrypted for its row, and returns its secretId. */
export async function insertSecret(
  tx: Tx,
  vault: Vault,
  endpointId: string,
  secret: string,
  now: number,
): Promise<string> {
  const secretId = newId()
  const { keyId, ciphertext } = vault.seal(secret, sealContext(endpointId, secretId))
  await tx`
    insert into event_secrets (endpoint_id, secret_id, key_id, ciphertext, ctime)
    values (${endpointId}, ${secretId}, ${keyId}, ${ciphertext}, ${now})`
  return secretId
}

/** Sets the end of all secrets of an endpoint to `end` unless it is earlier, and deletes those expired at `now`. */
export async function updateSecretsEnd(tx: Tx, endpointId: string, end: number, now: number): Promise<void> {
  await tx`delete from event_secrets where endpoint_id = ${endpointId} and valid_until <= ${now}`
  await tx`
    update event_secrets set valid_until = least(valid_until, ${end}::bigint) where endpoint_id = ${endpointId}`
}

/** Returns the decrypted secrets that sign at `now`, the current one first. */
export async function listActiveSecrets(sql: Sql, vault: Vault, endpointId: string, now: number): Promise<string[]> {
  const rows = await sql<{ secretId: string; keyId: string; ciphertext: Buffer }[]>`
    select secret_id, key_id, ciphertext from event_secrets
    where endpoint_id = ${endpointId} and (valid_until is null or valid_until > ${now})
    order by valid_until desc nulls first, secret_id desc`
  return rows.map(({ secretId, ...sealed }) => vault.open(sealed, sealContext(endpointId, secretId)))
}

function sealContext(endpointId: string, secretId: string): SealContext {
  return `event secret ${endpointId} ${secretId}`
}
