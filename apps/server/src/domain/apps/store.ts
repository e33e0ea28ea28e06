import type { Capability, consoleOperations, Language, ResultOf } from '@souk/contract'
import type { Vault } from '../../kernel/crypto.ts'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import { hex, newId } from '../../kernel/id.ts'
import type { App, AppSecret, Merchant } from './app.ts'

const DEFAULT_PROJECT = '00000000000070008000000000000001'

/** The project that mini apps belong to when none is named, made when it is missing. 32 hexadecimal digits. */
export async function defaultProject(tx: Tx, now: number): Promise<string> {
  // One fixed id, so that two servers which start together do not make two.
  await tx`
    insert into projects (project_id, name, ctime) values (${DEFAULT_PROJECT}, 'Default', ${now})
    on conflict (project_id) do nothing`
  return DEFAULT_PROJECT
}

type AppRow = Omit<App, 'capabilities' | 'secrets' | 'merchant'> & {
  capabilities: Capability[]
  secrets: { secretId: string; keyId: string; ciphertext: string; validUntil: number | null }[]
  merchantId: string | null
  merchantName: string | null
  merchantLogoUrl: string | null
}

/** A mini app with its secrets, opened, and its merchant: one statement. */
export async function selectApp(sql: Sql, vault: Vault, appid: string): Promise<App | undefined> {
  const [row] = await sql<AppRow[]>`
    select
      a.appid, a.project_id as "projectId", a.name, a.enabled, a.capabilities, a.default_language as "defaultLanguage",
      a.icon_url as "iconUrl", a.ctime,
      m.merchant_id as "merchantId", m.name as "merchantName", m.logo_url as "merchantLogoUrl",
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
    where a.appid = ${appid}`
  if (row === undefined) return undefined

  const { merchantId, merchantName, merchantLogoUrl, ...app } = row
  return {
    ...app,
    projectId: hex(app.projectId),
    capabilities: new Set(app.capabilities),
    secrets: app.secrets.map(({ secretId, keyId, ciphertext, validUntil }): AppSecret => {
      const sealed = { keyId, ciphertext: Buffer.from(ciphertext, 'hex') }
      return { secret: vault.open(sealed, sealContext(appid, hex(secretId))), validUntil }
    }),
    merchant:
      merchantId === null ? null : { merchantId: hex(merchantId), name: merchantName, logoUrl: merchantLogoUrl },
  }
}

export async function selectApps(sql: Sql): Promise<ResultOf<typeof consoleOperations.listApps>> {
  return sql<ResultOf<typeof consoleOperations.listApps>>`
    select
      a.appid, a.name, a.enabled, a.capabilities, replace(m.merchant_id::text, '-', '') as "merchantId", a.ctime
    from apps a left join merchants m on m.appid = a.appid
    order by a.ctime desc, a.appid`
}

export async function selectEnabledApps(sql: Sql): Promise<Pick<App, 'appid' | 'name' | 'iconUrl'>[]> {
  return sql<Pick<App, 'appid' | 'name' | 'iconUrl'>[]>`
    select appid, name, icon_url as "iconUrl" from apps where enabled order by name, appid`
}

export async function insertApp(
  tx: Tx,
  app: {
    appid: string
    projectId: string
    name: string
    capabilities: readonly Capability[]
    defaultLanguage: Language
  },
  now: number,
): Promise<void> {
  await tx`
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
    values (
      ${app.appid}, ${app.projectId}, ${app.name}, ${[...app.capabilities]}::text[], ${app.defaultLanguage}, ${now})`
}

/** Changes what is given and leaves the rest; the app's new name and merchant, or `undefined` when there is no such app. */
export async function changeApp(
  tx: Tx,
  appid: string,
  change: { enabled?: boolean | undefined; capabilities?: readonly Capability[] | undefined },
): Promise<{ name: string } | undefined> {
  const [row] = await tx<{ name: string }[]>`
    update apps set
      enabled = coalesce(${change.enabled ?? null}::boolean, enabled),
      capabilities = coalesce(${change.capabilities ? [...change.capabilities] : null}::text[], capabilities)
    where appid = ${appid}
    returning name`
  return row
}

/** Whether there is such an app, and if so no other transaction changes it until this one ends. */
export async function lockApp(tx: Tx, appid: string): Promise<boolean> {
  const rows = await tx`select from apps where appid = ${appid} for no key update`
  return rows.length > 0
}

/** Stores a secret, sealed to its row. Returns its secretId. */
export async function insertSecret(tx: Tx, vault: Vault, appid: string, secret: string, now: number): Promise<string> {
  const secretId = newId()
  const { keyId, ciphertext } = vault.seal(secret, sealContext(appid, secretId))
  await tx`
    insert into app_secrets (appid, secret_id, key_id, ciphertext, ctime)
    values (${appid}, ${secretId}, ${keyId}, ${ciphertext}, ${now})`
  return secretId
}

/** Ends every secret of the app at `end` or where it ends before; forgets those that have ended at `now`. */
export async function endSecrets(tx: Tx, appid: string, end: number, now: number): Promise<void> {
  await tx`delete from app_secrets where appid = ${appid} and valid_until <= ${now}`
  await tx`update app_secrets set valid_until = least(valid_until, ${end}::bigint) where appid = ${appid}`
}

/** Makes the merchant unless the app has one. Whether it did. */
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

export async function selectMerchant(sql: Sql | Tx, appid: string): Promise<Merchant | undefined> {
  const [row] = await sql<Merchant[]>`
    select merchant_id as "merchantId", name, logo_url as "logoUrl" from merchants where appid = ${appid}`
  return row && { ...row, merchantId: hex(row.merchantId) }
}

export async function changeMerchant(
  tx: Tx,
  appid: string,
  change: { name?: string | undefined; logoUrl?: string | undefined },
): Promise<void> {
  await tx`
    update merchants set name = coalesce(${change.name ?? null}, name), logo_url = coalesce(${change.logoUrl ?? null}, logo_url)
    where appid = ${appid}`
}

/** One line of the audit log. `detail` holds no secret. */
export interface AuditEntry {
  time: number
  actor: string
  action: 'app.create' | 'app.update' | 'app.rotateSecret' | 'merchant.create'
  subject: string
  detail: Record<string, string | number | boolean | readonly string[] | undefined>
}

export async function audit(tx: Tx, { time, actor, action, subject, detail }: AuditEntry): Promise<void> {
  await tx`
    insert into audit_log (time, actor, action, subject, detail)
    values (${time}, ${actor}, ${action}, ${subject}, ${tx.json(detail)})`
}

function sealContext(appid: string, secretId: string): string {
  return `app secret ${appid} ${secretId}`
}
