import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A trusted issuer. `clockTolerance` in seconds, `ctime` in ms. */
export type Issuer = Omit<ResultOf<typeof consoleOperations.addIssuer>, 'signIn'> & { signIn: SignIn | null }

/** Settings of the sign-in to the host application at an issuer. The secret is encrypted. */
export interface SignIn {
  name: string
  clientId: string
  scopes: string[]
  keyId: string | null
  /** Base64. */
  ciphertext: string | null
}

const issuers = (sql: Sql | Tx) => sql`
  select
    issuer_id, issuer, audience, jwks_url, pem, algorithms, claims, clock_tolerance,
    case when c.client_id is not null then json_build_object(
      'name', c.name, 'clientId', c.client_id, 'scopes', c.scopes, 'keyId', c.key_id,
      'ciphertext', encode(c.ciphertext, 'base64')) end as sign_in,
    ctime
  from issuers left join issuer_clients c using (issuer_id)`

export async function listIssuerRows(sql: Sql): Promise<Issuer[]> {
  return sql<Issuer[]>`${issuers(sql)} order by ctime, issuer_id`
}

export async function findIssuer(sql: Sql | Tx, issuerId: string): Promise<Issuer | undefined> {
  const [issuer] = await sql<Issuer[]>`${issuers(sql)} where issuer_id = ${issuerId}`
  return issuer
}

/** Prevents the removal of an issuer until the transaction ends. Returns false if it has been removed. */
export async function lockIssuer(tx: Tx, issuerId: string): Promise<boolean> {
  const rows = await tx`select from issuers where issuer_id = ${issuerId} for key share`
  return rows.length > 0
}

/** Returns the issuers with this name, which differ in their audience. */
export async function listIssuersByName(sql: Sql, issuer: string): Promise<Issuer[]> {
  return sql<Issuer[]>`${issuers(sql)} where issuer = ${issuer} order by ctime, issuer_id`
}

/** Serializes additions of issuers until the transaction ends, so that they count each other. */
export async function lockAdditions(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('issuers'))`
}

export async function countIssuers(tx: Tx): Promise<number> {
  const [row] = await tx<[{ count: number }]>`select count(*)::int as count from issuers`
  return row.count
}

/** Returns false if there is one with this name and audience. */
export async function insertIssuer(tx: Tx, issuer: Issuer): Promise<boolean> {
  const { count } = await tx`
    insert into issuers (issuer_id, issuer, audience, jwks_url, pem, algorithms, claims, clock_tolerance, ctime)
    values (${issuer.issuerId}, ${issuer.issuer}, ${issuer.audience}, ${issuer.jwksUrl}, ${issuer.pem},
      ${issuer.algorithms as string[]}, ${tx.json(issuer.claims)}, ${issuer.clockTolerance}, ${issuer.ctime})
    on conflict do nothing`
  return count === 1
}

/** Deletes an issuer with the sessions that its tokens started, and returns its name. */
export async function deleteIssuer(tx: Tx, issuerId: string): Promise<string | undefined> {
  const [row] = await tx<{ issuer: string }[]>`delete from issuers where issuer_id = ${issuerId} returning issuer`
  return row?.issuer
}

/** Stores how users sign in at an issuer, and replaces what was stored before. */
export async function upsertSignIn(
  tx: Tx,
  issuerId: string,
  { name, clientId, scopes, keyId, ciphertext }: Omit<SignIn, 'ciphertext'> & { ciphertext: Buffer | null },
): Promise<void> {
  await tx`
    insert into issuer_clients (issuer_id, name, client_id, key_id, ciphertext, scopes)
    values (${issuerId}, ${name}, ${clientId}, ${keyId}, ${ciphertext}, ${scopes})
    on conflict (issuer_id) do update set
      name = excluded.name, client_id = excluded.client_id, key_id = excluded.key_id,
      ciphertext = excluded.ciphertext, scopes = excluded.scopes`
}

export async function deleteSignIn(tx: Tx, issuerId: string): Promise<void> {
  await tx`delete from issuer_clients where issuer_id = ${issuerId}`
}
