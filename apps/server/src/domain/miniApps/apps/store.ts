import type { Capability, Category, consoleOperations, Domains, Language, ResultOf } from '@souk/contract'
import { containsText, directionOf, scannedRows } from '../../../kernel/db/page.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { hex, newId } from '../../../kernel/id.ts'
import type { SealContext } from '../../../kernel/sealedColumns.ts'
import type { Vault } from '../../../kernel/vault.ts'
import type { App, AppSecret, Merchant } from '../../app.ts'

type AppRow = Omit<App, 'capabilities' | 'secrets' | 'merchant'> & {
  capabilities: Capability[]
  secrets: { secretId: string; keyId: string; ciphertext: string; validUntil: number | null }[]
  merchantId: string | null
  merchantName: string | null
  merchantLogoUrl: string | null
}

/** Returns a mini app with its decrypted secrets and its merchant. */
export async function findApp(sql: Sql, vault: Vault, appid: string): Promise<App | undefined> {
  const [row] = await sql<AppRow[]>`
    select
      a.appid, a.project_id, a.name, a.enabled, a.archived_time, a.capabilities, a.default_language, a.icon_url,
      a.ctime, a.languages, a.callback_hosts, a.domains, a.names, a.category, a.keywords, a.recommended,
      a.open_api_always_200, ${onlyTesters(sql)} as only_testers,
      (
        select array_agg(distinct page) from releases r cross join unnest(r.pages) as page
        where r.appid = a.appid
          and (r.current or not exists (select from releases p where p.appid = a.appid and p.current))
      ) as pages,
      m.merchant_id, m.name as merchant_name, m.logo_url as merchant_logo_url,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'secretId', secret_id, 'keyId', key_id, 'ciphertext', encode(ciphertext, 'hex'), 'validUntil', valid_until
            ) order by valid_until desc nulls first, secret_id desc
          ),
          '[]'
        )
        from app_secrets s where s.appid = a.appid
      ) as secrets
    from apps a left join merchants m on m.appid = a.appid
    where a.appid = ${appid} and a.deleted_time is null`
  if (row === undefined) return undefined

  const { merchantId, merchantName, merchantLogoUrl, ...app } = row
  return {
    ...app,
    capabilities: new Set(app.capabilities),
    secrets: app.secrets.map(({ secretId, keyId, ciphertext, validUntil }): AppSecret => {
      const sealed = { keyId, ciphertext: Buffer.from(ciphertext, 'hex') }
      return { secret: vault.open(sealed, sealContext(appid, hex(secretId))), validUntil }
    }),
    merchant: merchantId === null ? null : { merchantId, name: merchantName, logoUrl: merchantLogoUrl },
  }
}

type ConsoleApp = ResultOf<typeof consoleOperations.listApps>['items'][number]

/** Where a list of mini apps continues: after one with this time of creation, name and appid. */
interface Position {
  ctime: number
  sortedName: string
  appid: string
}

/** Returns the statement of a list of mini apps that are not deleted. */
export function listAppRows(
  sql: Sql,
  {
    projectIds,
    archived,
    appids,
    text,
    sort = '-ctime',
    before,
    limit,
  }: {
    projectIds: 'all' | readonly string[]
    archived?: boolean | undefined
    appids?: readonly string[] | undefined
    text?: string | undefined
    sort?: string | undefined
    before?: Position | undefined
    limit: number
  },
) {
  const { direction, follows } = directionOf(sql, sort)
  const isByName = sort.endsWith('name')
  const order = isByName ? sql`lower(a.name)` : sql`a.ctime`
  const conditions = sql`
    a.deleted_time is null
      and ${projectIds === 'all' ? sql`true` : sql`a.project_id = any(${projectIds as string[]}::uuid[])`}
      and ${archived === undefined ? sql`true` : sql`(a.archived_time is not null) = ${archived}`}
      and ${appids === undefined ? sql`true` : sql`a.appid = any(${appids as string[]})`}`
  const searched = sql`
    select * from apps a where ${conditions} order by a.ctime desc, a.appid desc limit ${scannedRows(1)}`
  const names = sql`a.appid, a.name, (select string_agg(value, E'\\n') from jsonb_each_text(a.names))`
  return sql<(ConsoleApp & { sortedName: string })[]>`
    select
      a.appid, a.name, a.enabled, a.capabilities, m.merchant_id, a.archived_time, a.ctime, a.project_id,
      p.name as project_name, a.icon_url, lower(a.name) as sorted_name
    from ${text === undefined ? sql`apps a` : sql`(${searched}) a`}
      join projects p using (project_id) left join merchants m on m.appid = a.appid
    where ${text === undefined ? conditions : containsText(sql, text, names)}
      and ${before === undefined ? sql`true` : sql`(${order}, a.appid) ${follows} (${isByName ? before.sortedName : before.ctime}, ${before.appid})`}
    order by ${order} ${direction}, a.appid ${direction} limit ${limit}`
}

/** Returns the appids of these projects, restricted to `appid` if given; with `deleted`, also those of deleted apps. */
export async function listAppids(
  sql: Sql,
  projectIds: readonly string[],
  { appid, deleted = false }: { appid?: string | undefined; deleted?: boolean } = {},
): Promise<string[]> {
  const rows = await sql<{ appid: string }[]>`
    select appid from apps
    where project_id = any(${projectIds as string[]}::uuid[])
      and ${appid === undefined ? sql`true` : sql`appid = ${appid}`}
      and ${deleted ? sql`true` : sql`deleted_time is null`}`
  return rows.map((row) => row.appid)
}

/** The project, name and merchant of a mini app, which stay when it is deleted. */
export interface AppRecord {
  projectId: string
  name: string
  deleted: boolean
  merchant: Merchant | null
}

export async function findAppRecord(sql: Sql, appid: string): Promise<AppRecord | undefined> {
  const [row] = await sql<Omit<AppRecord, 'merchant'>[]>`
    select project_id, name, deleted_time is not null as deleted
    from apps where appid = ${appid}`
  return row && { ...row, merchant: (await findMerchant(sql, appid)) ?? null }
}

/** Returns the names of mini apps, deleted or not, by appid. */
export async function listAppNames(sql: Sql, appids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ appid: string; name: string }[]>`
    select appid, name from apps where appid = any(${appids as string[]})`
  return new Map(rows.map(({ appid, name }) => [appid, name]))
}

/** Returns creation and expiry times of the secrets of an app, the current one first. */
export async function listSecretTimes(
  sql: Sql,
  appid: string,
): Promise<{ secretId: string; ctime: number; validUntil: number | null }[]> {
  return sql<{ secretId: string; ctime: number; validUntil: number | null }[]>`
    select secret_id, ctime, valid_until
    from app_secrets where appid = ${appid}
    order by valid_until desc nulls first, secret_id desc`
}

/** A mini app as hosts list it. */
export type ListedApp = Pick<
  App,
  'appid' | 'name' | 'names' | 'iconUrl' | 'category' | 'recommended' | 'domains' | 'onlyTesters'
> & { keywords: string[]; analytics: boolean; developer: string | null }

/** Returns those of these mini apps that are available. Host users other than testers do not see `onlyTesters`. */
export async function listEnabledAppRows(sql: Sql, appids: readonly string[]): Promise<ListedApp[]> {
  return sql<ListedApp[]>`
    select
      a.appid, a.name, a.names, a.icon_url, a.category, a.keywords, a.recommended, a.domains, p.analytics,
      m.name as developer, ${onlyTesters(sql)} as only_testers
    from apps a join projects p using (project_id) left join merchants m on m.appid = a.appid
    where a.enabled and a.archived_time is null and a.appid = any(${appids as string[]})`
}

/** Builds the condition that only testers may open the mini app `a`: it is not approved, or nothing is published. */
export const onlyTesters = (sql: Sql) => sql`(
  not a.publication_approved
  or (select coalesce(not bool_or(r.current), false) from releases r where r.appid = a.appid)
)`

export async function insertApp(
  tx: Tx,
  app: {
    appid: string
    projectId: string
    name: string
    capabilities: readonly Capability[]
    publicationApproved: boolean
    defaultLanguage: Language
  },
  now: number,
): Promise<void> {
  await tx`
    insert into apps
      (appid, project_id, name, capabilities, publication_approved, default_language, languages, ctime)
    values (
      ${app.appid}, ${app.projectId}, ${app.name}, ${[...app.capabilities]}::text[],
      ${app.publicationApproved}, ${app.defaultLanguage}, ${[app.defaultLanguage]}::text[], ${now})`
}

/** Changes to an app. Omitted values stay as they are; null removes a value. */
export interface AppChange {
  name?: string | undefined
  enabled?: boolean | undefined
  capabilities?: readonly Capability[] | undefined
  language?: Language | undefined
  languages?: readonly Language[] | undefined
  iconUrl?: string | null | undefined
  callbackHosts?: readonly string[] | undefined
  domains?: Domains | undefined
  names?: Partial<Record<Language, string>> | undefined
  category?: Category | null | undefined
  keywords?: readonly string[] | undefined
  recommended?: boolean | undefined
  openApiAlways200?: boolean | null | undefined
}

/** Updates the given columns and returns the row. The caller has locked the app. */
export async function updateAppRow(
  tx: Tx,
  appid: string,
  change: AppChange,
): Promise<{ name: string; projectId: string; language: Language; languages: Language[] }> {
  const [row] = await tx<[{ name: string; projectId: string; language: Language; languages: Language[] }]>`
    update apps set
      name = coalesce(${change.name ?? null}, name),
      enabled = coalesce(${change.enabled ?? null}::boolean, enabled),
      capabilities = coalesce(${change.capabilities ? [...change.capabilities] : null}::text[], capabilities),
      default_language = coalesce(${change.language ?? null}, default_language),
      languages = coalesce(${change.languages ? [...change.languages] : null}::text[], languages),
      icon_url = ${change.iconUrl === undefined ? tx`icon_url` : change.iconUrl},
      callback_hosts = coalesce(${change.callbackHosts ? [...change.callbackHosts] : null}::text[], callback_hosts),
      domains = ${change.domains ? tx.json(change.domains) : tx`domains`},
      names = ${change.names ? tx.json(change.names) : tx`names`},
      category = ${change.category === undefined ? tx`category` : change.category},
      keywords = coalesce(${change.keywords ? [...change.keywords] : null}::text[], keywords),
      recommended = coalesce(${change.recommended ?? null}::boolean, recommended),
      open_api_always_200 = ${change.openApiAlways200 === undefined ? tx`open_api_always_200` : change.openApiAlways200}
    where appid = ${appid}
    returning name, project_id, default_language as language, languages`
  return row
}

/** The settings of a mini app that operators approve, whether it is enabled, and its project. */
export interface ApprovedSettings {
  appid: string
  projectId: string
  name: string
  enabled: boolean
  iconUrl: string | null
  capabilities: Capability[]
  domains: Domains
  merchantName: string | null
  merchantLogoUrl: string | null
}

/** Locks an app until the transaction ends and returns its approved settings. */
export async function lockSettings(tx: Tx, appid: string): Promise<ApprovedSettings | undefined> {
  // In a statement of its own: one that waits for the app still reads its merchant from before the wait.
  if ((await lockApp(tx, appid)) === undefined) return undefined
  const [row] = await tx<ApprovedSettings[]>`
    select
      a.appid, a.project_id, a.name, a.enabled, a.icon_url,
      a.capabilities, a.domains, m.name as merchant_name, m.logo_url as merchant_logo_url
    from apps a left join merchants m on m.appid = a.appid
    where a.appid = ${appid}`
  return row
}

/** Returns whether operators have approved that host users see the mini app. */
export async function findPublicationApproval(tx: Tx, appid: string): Promise<boolean> {
  const rows = await tx`select from apps where appid = ${appid} and publication_approved`
  return rows.length > 0
}

export async function updatePublicationApproval(tx: Tx, appid: string): Promise<void> {
  await tx`update apps set publication_approved = true where appid = ${appid}`
}

/** Locks an app and returns what archiving it depends on, or `undefined` if it does not exist. */
export async function lockArchive(
  tx: Tx,
  appid: string,
): Promise<{ projectId: string; name: string; archivedTime: number | null } | undefined> {
  const [row] = await tx<{ projectId: string; name: string; archivedTime: number | null }[]>`
    select project_id, name, archived_time
    from apps where appid = ${appid} and deleted_time is null for no key update`
  return row
}

/** Returns whether the installation has or had a mini app. */
export async function existsAnyApp(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`select exists (select from apps) as found`
  return row.found
}

export async function existsArchivedApp(tx: Tx, appid: string): Promise<boolean> {
  const rows = await tx`select from apps where appid = ${appid} and archived_time is not null`
  return rows.length > 0
}

/** Archives the mini apps of a project, or restores those that were archived with it, and returns their appids. */
export async function updateArchivedApps(tx: Tx, projectId: string, time: number | null): Promise<string[]> {
  const rows = await tx<{ appid: string }[]>`
    update apps set archived_time = ${time}, archived_with_project = ${time !== null}
    where project_id = ${projectId} and deleted_time is null
      and ${time === null ? tx`archived_with_project` : tx`archived_time is null`}
    returning appid`
  return rows.map(({ appid }) => appid)
}

/** Archives a mini app on its own, so that restoring its project does not restore it, or restores it. */
export async function updateArchivedTime(tx: Tx, appid: string, archivedTime: number | null): Promise<void> {
  await tx`update apps set archived_time = ${archivedTime}, archived_with_project = false where appid = ${appid}`
}

/** Locks an app until the transaction ends and returns its project, or `undefined` if it does not exist. */
export async function lockApp(tx: Tx, appid: string): Promise<string | undefined> {
  const [row] = await tx<{ projectId: string }[]>`
    select project_id from apps
    where appid = ${appid} and deleted_time is null for no key update`
  return row?.projectId
}

/** Stores a secret, encrypted for its row, and returns its secretId. */
export async function insertSecret(tx: Tx, vault: Vault, appid: string, secret: string, now: number): Promise<string> {
  const secretId = newId()
  const { keyId, ciphertext } = vault.seal(secret, sealContext(appid, secretId))
  await tx`
    insert into app_secrets (appid, secret_id, key_id, ciphertext, ctime)
    values (${appid}, ${secretId}, ${keyId}, ${ciphertext}, ${now})`
  return secretId
}

/** Sets the end of all secrets of the app to `end` unless it is earlier, and deletes those expired at `now`. */
export async function updateSecretsEnd(tx: Tx, appid: string, end: number, now: number): Promise<void> {
  await tx`delete from app_secrets where appid = ${appid} and valid_until <= ${now}`
  await tx`update app_secrets set valid_until = least(valid_until, ${end}::bigint) where appid = ${appid}`
}

/** Stores the merchant and returns true, unless the app has one. */
export async function insertMerchant(
  tx: Tx,
  merchant: { merchantId: string; appid: string; name: string },
  now: number,
): Promise<boolean> {
  const rows = await tx`
    insert into merchants (merchant_id, appid, name, ctime)
    values (${merchant.merchantId}, ${merchant.appid}, ${merchant.name}, ${now})
    on conflict do nothing
    returning merchant_id`
  return rows.length > 0
}

export async function findMerchant(sql: Sql | Tx, appid: string): Promise<Merchant | undefined> {
  const [row] = await sql<Merchant[]>`
    select merchant_id, name, logo_url from merchants where appid = ${appid}`
  return row
}

export async function updateMerchant(
  tx: Tx,
  appid: string,
  change: { name?: string | undefined; logoUrl?: string | null | undefined },
): Promise<void> {
  await tx`
    update merchants set
      name = coalesce(${change.name ?? null}, name),
      logo_url = ${change.logoUrl === undefined ? tx`logo_url` : change.logoUrl}
    where appid = ${appid}`
}

function sealContext(appid: string, secretId: string): SealContext {
  return `app secret ${appid} ${secretId}`
}
