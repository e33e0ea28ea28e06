import type { Currency, PayMethod, Provider } from '@souk/contract'
import type { Sql, Tx } from '../../../../kernel/db/pool.ts'
import type { SealContext } from '../../../../kernel/sealedColumns.ts'
import { DamagedValueError, MissingKeyError, type Vault } from '../../../../kernel/vault.ts'

/** A provider account without its secrets. Identifiers as 32 hexadecimal digits. */
export interface AccountRow {
  providerAccountId: string
  /** Null for an account shared by all merchants. */
  merchantId: string | null
  /** The mini app of the merchant. */
  appid: string | null
  name: string
  provider: Provider
  settings: Record<string, string>
  /** True if it accepts new payments. */
  enabled: boolean
  /** Consecutive failures. */
  failures: number
  /** End of its suspension because of failures, real time, ms. */
  outUntil: number | null
  ctime: number
  mtime: number
}

/** An account with its secrets. Never log it. */
export interface AccountWithSecrets extends AccountRow {
  secrets: Record<string, string>
}

/** A routing rule. Null conditions match everything. Amounts in cents, inclusive; share in percent. */
export interface RoutingRule {
  ruleId: string
  merchantId: string | null
  currency: Currency | null
  amountFrom: number | null
  amountTo: number | null
  payMethod: PayMethod | null
  share: number
  providerAccountIds: string[]
  shadowAccountId: string | null
}

type EncryptedAccount = AccountRow & { keyId: string; ciphertext: Buffer }

export async function findAccount(
  sql: Sql | Tx,
  vault: Vault,
  providerAccountId: string,
): Promise<AccountWithSecrets | undefined> {
  const [row] = await sql<EncryptedAccount[]>`
    select ${accountColumns(sql)}, key_id, ciphertext
    from provider_accounts a left join merchants m using (merchant_id)
    where provider_account_id = ${providerAccountId}`
  return row && decrypt(vault, row)
}

/** Finds an account without its secrets, which may be unreadable. */
export async function findAccountRow(sql: Sql, providerAccountId: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    select ${accountColumns(sql)}
    from provider_accounts a left join merchants m using (merchant_id)
    where provider_account_id = ${providerAccountId}`
  return row
}

/**
 * Locks an account until the transaction ends, and returns it. Secrets that cannot be decrypted are left out, so that
 * they can be entered again.
 */
export async function lockAccount(
  tx: Tx,
  vault: Vault,
  providerAccountId: string,
): Promise<AccountWithSecrets | undefined> {
  const [row] = await tx<EncryptedAccount[]>`
    select ${accountColumns(tx)}, key_id, ciphertext
    from provider_accounts a left join merchants m using (merchant_id)
    where provider_account_id = ${providerAccountId} for no key update of a`
  if (!row) return undefined
  const { keyId: _id, ciphertext: _text, ...account } = row
  return decryptIfPossible(vault, row) ?? { ...account, secrets: {} }
}

/** Lists the enabled accounts for payments of a merchant, oldest first. */
export async function listUsableAccounts(sql: Sql, merchantId: string): Promise<EncryptedAccount[]> {
  return sql<EncryptedAccount[]>`
    select ${accountColumns(sql)}, key_id, ciphertext
    from provider_accounts a left join merchants m using (merchant_id)
    where enabled and (merchant_id = ${merchantId} or merchant_id is null)
    order by provider_account_id`
}

/**
 * Serializes additions of accounts of a merchant, or of shared ones, until the transaction ends, and returns their
 * number.
 */
export async function lockAdditions(tx: Tx, merchantId: string | null): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtext(${`provider_accounts ${merchantId ?? 'shared'}`}))`
  const [row] = await tx<[{ count: number }]>`
    select count(*)::integer as count from provider_accounts where merchant_id is not distinct from ${merchantId}`
  return row.count
}

/** Lists the accounts of a mini app's merchant, or the shared ones (null), oldest first. */
export async function listAccounts(sql: Sql, appid: string | null): Promise<AccountRow[]> {
  return sql<AccountRow[]>`
    select ${accountColumns(sql)}
    from provider_accounts a left join merchants m using (merchant_id)
    where m.appid is not distinct from ${appid}
    order by provider_account_id`
}

export async function insertAccount(
  tx: Tx,
  vault: Vault,
  account: Pick<AccountWithSecrets, 'providerAccountId' | 'merchantId' | 'name' | 'provider' | 'settings' | 'secrets'>,
  now: number,
): Promise<void> {
  const { providerAccountId, merchantId, name, provider, settings, secrets } = account
  const { keyId, ciphertext } = encrypt(vault, providerAccountId, secrets)
  await tx`
    insert into provider_accounts
      (provider_account_id, merchant_id, name, provider, settings, key_id, ciphertext, ctime, mtime)
    values
      (${providerAccountId}, ${merchantId}, ${name}, ${provider}, ${tx.json(settings)}, ${keyId}, ${ciphertext}, ${now},
       ${now})`
}

/** Updates the mutable columns of an account and ends its suspension. */
export async function updateAccount(
  tx: Tx,
  vault: Vault,
  account: Pick<AccountWithSecrets, 'providerAccountId' | 'name' | 'settings' | 'secrets' | 'enabled'>,
  now: number,
): Promise<void> {
  const { providerAccountId, name, settings, secrets, enabled } = account
  const { keyId, ciphertext } = encrypt(vault, providerAccountId, secrets)
  await tx`
    update provider_accounts
    set name = ${name}, settings = ${tx.json(settings)}, key_id = ${keyId}, ciphertext = ${ciphertext},
        enabled = ${enabled}, failures = 0, out_until = null, mtime = ${now}
    where provider_account_id = ${providerAccountId}`
}

export async function updateFailuresToZero(sql: Sql, providerAccountId: string): Promise<void> {
  await sql`
    update provider_accounts set failures = 0, out_until = null where provider_account_id = ${providerAccountId}`
}

/**
 * Counts a failure of an account. From the `maxFailures`th on it is suspended, for `initialDuration` ms and for twice
 * as long after each further failure, up to `maxDuration` ms.
 */
export async function updateFailures(
  sql: Sql,
  providerAccountId: string,
  options: { now: number; maxFailures: number; initialDuration: number; maxDuration: number },
): Promise<{ failures: number; outUntil: number | null }> {
  const { now, maxFailures, initialDuration, maxDuration } = options
  const [row] = await sql<[{ failures: number; outUntil: number | null }]>`
    update provider_accounts
    set failures = failures + 1,
        out_until = case when failures + 1 >= ${maxFailures}
          then ${now}::bigint + least(${initialDuration}::bigint << least(failures + 1 - ${maxFailures}, 20), ${maxDuration}) end
    where provider_account_id = ${providerAccountId}
    returning failures, out_until`
  return row
}

/** Extends an ended suspension until `until`. Returns false if another payment has already done so. */
export async function claimTrialPeriod(
  sql: Sql,
  providerAccountId: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const { count } = await sql`
    update provider_accounts set out_until = ${until}
    where provider_account_id = ${providerAccountId} and out_until <= ${now}`
  return count === 1
}

/** Lists the rules for payments of a merchant: its own first, then the shared ones. */
export async function listRulesForMerchant(sql: Sql, merchantId: string): Promise<RoutingRule[]> {
  return sql<RoutingRule[]>`
    select ${ruleColumns(sql)} from routing_rules r
    where merchant_id = ${merchantId} or merchant_id is null
    order by merchant_id nulls last, place`
}

/** Lists the rules of one merchant, or the shared ones (null), in order. */
export async function listRules(sql: Sql | Tx, merchantId: string | null): Promise<RoutingRule[]> {
  return sql<RoutingRule[]>`
    select ${ruleColumns(sql)} from routing_rules r where merchant_id is not distinct from ${merchantId} order by place`
}

/** Replaces all rules of a merchant. */
export async function updateRules(tx: Tx, merchantId: string | null, rules: readonly RoutingRule[]): Promise<void> {
  // Without the lock, two concurrent replacements would leave the rules of both.
  await tx`lock table routing_rules in share row exclusive mode`
  await tx`delete from routing_rules where merchant_id is not distinct from ${merchantId}`
  for (const [place, rule] of rules.entries()) {
    await tx`
      insert into routing_rules
        (rule_id, merchant_id, place, currency, amount_from, amount_to, pay_method, share, provider_account_ids,
         shadow_account_id)
      values
        (${rule.ruleId}, ${merchantId}, ${place}, ${rule.currency}, ${rule.amountFrom}, ${rule.amountTo},
         ${rule.payMethod}, ${rule.share}, ${rule.providerAccountIds}::uuid[], ${rule.shadowAccountId})`
  }
}

function encrypt(vault: Vault, providerAccountId: string, secrets: Record<string, string>) {
  return vault.seal(JSON.stringify(secrets), encryptionContext(providerAccountId))
}

function decrypt(vault: Vault, { keyId, ciphertext, ...account }: EncryptedAccount): AccountWithSecrets {
  const secrets = vault.open({ keyId, ciphertext }, encryptionContext(account.providerAccountId))
  return { ...account, secrets: JSON.parse(secrets) }
}

/** Returns an account with its secrets, or undefined if they cannot be decrypted. */
export function decryptIfPossible(vault: Vault, account: EncryptedAccount): AccountWithSecrets | undefined {
  try {
    return decrypt(vault, account)
  } catch (error) {
    if (error instanceof MissingKeyError || error instanceof DamagedValueError) return undefined
    throw error
  }
}

const encryptionContext = (providerAccountId: string): SealContext => `provider account ${providerAccountId}`

const accountColumns = (sql: Sql | Tx) => sql`
  provider_account_id, a.merchant_id, m.appid, a.name, provider, settings, enabled, failures, out_until, a.ctime,
  a.mtime`

const ruleColumns = (sql: Sql | Tx) => sql`
  rule_id, merchant_id, currency, amount_from, amount_to, pay_method, share, provider_account_ids, shadow_account_id`

export async function updateAccountToEnabled(tx: Tx, providerAccountId: string, now: number): Promise<void> {
  await tx`
    update provider_accounts set enabled = true, mtime = ${now} where provider_account_id = ${providerAccountId}`
}

/** Returns whether an operator has disabled an account of a mini app at this provider. */
export async function existsBlockedProvider(tx: Tx, appid: string, provider: Provider): Promise<boolean> {
  const rows = await tx`
    select from blocks b join provider_accounts p on replace(p.provider_account_id::text, '-', '') = b.subject
    where b.state = 'providerAccountDisabled' and b.appid = ${appid} and b.lifted_time is null
      and p.provider = ${provider}
    limit 1`
  return rows.length > 0
}
