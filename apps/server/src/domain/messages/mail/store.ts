import type { ConsoleLanguage, MailKind, Role } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Sealed } from '../../../kernel/vault.ts'

/** An account that mail can be sent to. */
export interface Recipient {
  accountId: string
  username: string
  email: string
  language: ConsoleLanguage
}

const recipientColumns = (sql: Sql | Tx) => sql`
  account_id, username, email, language`

/** Returns an account if it is active and has a confirmed address. */
export async function findRecipient(sql: Sql | Tx, accountId: string): Promise<Recipient | undefined> {
  const [row] = await sql<Recipient[]>`
    select ${recipientColumns(sql)} from accounts where account_id = ${accountId} and active and email is not null`
  return row
}

/** Returns the active administrators that have a confirmed address. */
export async function listAdministrators(sql: Sql | Tx): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select ${recipientColumns(sql)} from accounts where administrator and active and email is not null`
}

/** Returns the active members of a project with one of these roles or ids that have a confirmed address. */
export async function listMembers(
  sql: Sql | Tx,
  projectId: string,
  roles: readonly Role[],
  accountIds: readonly string[] = [],
): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select ${recipientColumns(sql)} from accounts join project_members using (account_id)
    where project_id = ${projectId} and (role = any(${roles as Role[]}) or account_id = any(${accountIds as string[]}::uuid[]))
      and active and email is not null`
}

/** A mail that waits to be sent. Times are real time in ms. */
export interface WaitingMail {
  mailId: string
  kind: MailKind
  recipient: string
  language: ConsoleLanguage
  content: Sealed
  validUntil: number
}

export async function insertMail(
  tx: Tx,
  mail: WaitingMail & { requestedBy: string | null; topic: string | null },
  now: number,
): Promise<void> {
  await tx`
    insert into mails
      (mail_id, kind, recipient, language, key_id, ciphertext, requested_by, topic, state, valid_until, ctime, mtime)
    values (
      ${mail.mailId}, ${mail.kind}, ${mail.recipient}, ${mail.language}, ${mail.content.keyId},
      ${mail.content.ciphertext}, ${mail.requestedBy}, ${mail.topic}, 'waiting', ${mail.validUntil}, ${now}, ${now})`
}

/** Serializes mails that have the same limit until the transaction ends, so that they count each other. */
export async function lockMails(tx: Tx, limit: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`mails ${limit}`}))`
}

/** Returns whether a mail about this topic was created for the address since `time`. */
export async function existsMailAbout(tx: Tx, recipient: string, topic: string, time: number): Promise<boolean> {
  const rows = await tx`
    select from mails where recipient = ${recipient} and topic = ${topic} and ctime > ${time} limit 1`
  return rows.length > 0
}

/** Returns how many mails an account has had sent to addresses of its choice since `time`. */
export async function countMailsBy(tx: Tx, accountId: string, time: number): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int as count from mails where requested_by = ${accountId} and ctime > ${time}`
  return row.count
}

/** Returns a mail that has neither been sent nor failed. */
export async function findWaitingMail(sql: Sql, mailId: string): Promise<WaitingMail | undefined> {
  const [row] = await sql<(Omit<WaitingMail, 'content'> & { keyId: string; ciphertext: Buffer })[]>`
    select mail_id, kind, recipient, language, key_id, ciphertext, valid_until
    from mails where mail_id = ${mailId} and state = 'waiting'`
  if (!row) return undefined
  const { keyId, ciphertext, ...mail } = row
  return { ...mail, content: { keyId, ciphertext } }
}

/** Records the end of a mail, and deletes its content. */
export async function updateMailEnd(
  sql: Sql,
  mailId: string,
  { state, error }: { state: 'sent' | 'failed'; error: string | null },
  now: number,
): Promise<void> {
  await sql`
    update mails set state = ${state}, error = ${error}, ciphertext = null, key_id = null, attempts = attempts + 1,
      mtime = ${now}
    where mail_id = ${mailId} and state = 'waiting'`
}

/** Records an attempt after which the mail still waits. */
export async function updateMailAttempt(sql: Sql, mailId: string, error: string, now: number): Promise<void> {
  await sql`
    update mails set error = ${error}, attempts = attempts + 1, mtime = ${now}
    where mail_id = ${mailId} and state = 'waiting'`
}

/** Marks mails that have waited too long as failed. */
export async function updateOverdueMails(sql: Sql, now: number): Promise<void> {
  await sql`
    update mails set state = 'failed', error = coalesce(error, 'It was not sent in time.'), ciphertext = null,
      key_id = null, mtime = ${now}
    where state = 'waiting' and valid_until <= ${now}`
}

export async function deleteMailsBefore(sql: Sql, time: number): Promise<void> {
  await sql`delete from mails where state <> 'waiting' and mtime < ${time}`
}

export async function findMailTotals(sql: Sql): Promise<{ waiting: number; lastSent: number | null }> {
  const [row] = await sql<[{ waiting: number; lastSent: number | null }]>`
    select count(*) filter (where state = 'waiting')::int as waiting,
      max(mtime) filter (where state = 'sent') as last_sent
    from mails`
  return row
}

/** A mail whose last attempt failed. */
export interface MailProblem {
  mailId: string
  kind: MailKind
  recipient: string
  state: 'waiting' | 'failed'
  attempts: number
  error: string | null
  ctime: number
}

/** Returns mails whose last attempt failed, newest first. */
export async function listMailProblems(sql: Sql, limit: number): Promise<MailProblem[]> {
  return sql<MailProblem[]>`
    select mail_id, kind, recipient, state, attempts, error, ctime
    from mails where state = 'failed' or (state = 'waiting' and error is not null)
    order by mtime desc limit ${limit}`
}
