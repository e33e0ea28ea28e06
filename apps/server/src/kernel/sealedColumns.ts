/** A table with a sealed value per row, in the columns `key_id` and `ciphertext`. */
export interface SealedColumn {
  table: string
  /** The columns of its primary key, in order, and their types. */
  key: Readonly<Record<string, 'text' | 'uuid'>>
}

/**
 * All columns that contain sealed values, by the name that a context starts with. Rotating the master key re-seals
 * them; a test compares them with the schema.
 */
export const sealedColumns = {
  'totp secret': { table: 'account_totp', key: { account_id: 'uuid' } },
  'app secret': { table: 'app_secrets', key: { appid: 'text', secret_id: 'uuid' } },
  'event secret': { table: 'event_secrets', key: { endpoint_id: 'uuid', secret_id: 'uuid' } },
  'issuer client': { table: 'issuer_clients', key: { issuer_id: 'uuid' } },
  mail: { table: 'mails', key: { mail_id: 'uuid' } },
  'sign-on provider': { table: 'sign_on_providers', key: { provider_id: 'uuid' } },
  'provider account': { table: 'provider_accounts', key: { provider_account_id: 'uuid' } },
} as const satisfies Record<string, SealedColumn>

/**
 * The row that a sealed value belongs to: the name of its column and the values of the row's primary key, separated by
 * spaces; a `uuid` as 32 hexadecimal digits.
 */
export type SealContext = `${keyof typeof sealedColumns} ${string}`

/** Returns the table and row of a context, for errors: `app_secrets (appid a…, secret_id 0…)`. */
export function describeSealed(context: SealContext): string {
  const [name, { table, key }] = Object.entries(sealedColumns).find(([each]) => context.startsWith(`${each} `))!
  const values = context.slice(name.length + 1).split(' ')
  return `${table} (${Object.keys(key)
    .map((column, index) => `${column} ${values[index]}`)
    .join(', ')})`
}
