import {
  type Action,
  type ConsoleLanguage,
  day,
  hour,
  type MailKind,
  may,
  type Role,
  roles,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import type { SealContext } from '../../../kernel/sealedColumns.ts'
import type { ConsoleCaller, SystemCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import {
  countMailsBy,
  existsMailAbout,
  findRecipient,
  insertMail,
  listAdministrators,
  listMembers,
  lockMails,
} from './store.ts'
import type { MailValues, Notice } from './values.ts'

/** Mails that one account can have sent to addresses of its choice per day. */
const maxPerDay = 50
/** Time after which a mail is no longer sent. Links have their own. */
const lifetime = 3 * day
/** All mail jobs share a queue, so that a mail server that hangs delays mail only. */
const queue = 'mail'

/** The part of the context that queueing a mail needs. */
type MailContext = Pick<FullContext, 'clock' | 'vault' | 'mailer'>

/** A mail to queue. */
export interface QueuedMail<K extends MailKind> {
  kind: K
  recipient: string
  language: ConsoleLanguage
  values: MailValues[K]
  /** The account that chose the recipient. */
  requestedBy?: string | undefined
  /** Mails about the same topic are sent to an address once per hour. */
  topic?: string
}

/** Rejects operations that need mail if it is not configured. @throws SoukError `mail_not_configured` */
export function requireMail({ mailer }: Pick<FullContext, 'mailer'>): void {
  if (!mailer) throw new SoukError('mail_not_configured', 'Set SOUK_SMTP_URL, or hand over a link.')
}

/**
 * Queues a mail in the caller's transaction; it is sent by a job. Does nothing if mail is not configured.
 *
 * @throws SoukError `rate_limited` if the account that chose the recipient has had too many mails sent
 */
export async function queueMail<K extends MailKind>(
  { clock, vault, mailer }: MailContext,
  tx: Tx,
  { kind, recipient, language, values, requestedBy, topic }: QueuedMail<K>,
): Promise<void> {
  if (!mailer) return
  const now = clock.real()
  for (const limit of [topic, requestedBy]) if (limit !== undefined) await lockMails(tx, limit)
  if (topic !== undefined && (await existsMailAbout(tx, recipient, topic, now - hour))) return
  if (requestedBy !== undefined && (await countMailsBy(tx, requestedBy, now - day)) >= maxPerDay) {
    throw new SoukError('rate_limited', `You have had ${maxPerDay} mails sent today; hand over links instead.`, {
      data: { retryAfter: hour / 1000 },
    })
  }
  const mailId = newId()
  const content = vault.seal(JSON.stringify(values), contextOf(mailId))
  const validUntil = 'validUntil' in values ? Number(values.validUntil) : now + lifetime
  await insertMail(
    tx,
    { mailId, kind, recipient, language, content, validUntil, requestedBy: requestedBy ?? null, topic: topic ?? null },
    now,
  )
  await enqueue(tx, { name: 'deliverMail', payload: { mailId }, key: `mail ${mailId}`, queue })
}

/** Returns what the content of a mail is encrypted for. */
export function contextOf(mailId: string): SealContext {
  return `mail ${mailId}`
}

/**
 * Sends an account a mail about a change of its security settings, in the transaction of the change. Does nothing if
 * the account has no confirmed address or mail is not configured.
 *
 * @param caller the account, and the address of the request
 */
export async function sendNotice(
  context: MailContext,
  tx: Tx,
  { accountId, address }: { accountId: string; address?: string | undefined },
  { kind, ...values }: Notice,
): Promise<void> {
  const recipient = context.mailer && (await findRecipient(tx, accountId))
  if (!recipient) return
  const { email, language, username } = recipient
  await queueMail(context, tx, {
    kind,
    recipient: email,
    language,
    values: { ...values, username, address: address ?? null, time: context.clock.real() } as never,
  })
}

/** Sends a mail to an account, if it has a confirmed address. Returns whether it has one. */
export async function sendToAccount<K extends MailKind>(
  context: MailContext,
  tx: Tx,
  accountId: string,
  mail: Pick<QueuedMail<K>, 'kind' | 'values'>,
): Promise<boolean> {
  const recipient = context.mailer && (await findRecipient(tx, accountId))
  if (!recipient) return false
  await queueMail(context, tx, { ...mail, recipient: recipient.email, language: recipient.language })
  return true
}

/** Sends a mail to all administrators except the caller, once per hour and topic. */
export async function sendToAdministrators<K extends MailKind>(
  context: MailContext,
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  mail: Pick<QueuedMail<K>, 'kind' | 'values' | 'topic'>,
): Promise<void> {
  if (!context.mailer) return
  const others = (await listAdministrators(tx)).filter(
    ({ accountId }) => caller.kind !== 'account' || accountId !== caller.accountId,
  )
  for (const { email: recipient, language } of others) await queueMail(context, tx, { ...mail, recipient, language })
}

/** Sends a mail to the members of a project that may do an action, except the caller if given. */
export async function sendToMembers<K extends MailKind>(
  context: MailContext,
  tx: Tx,
  { projectId, action }: { projectId: string; action: Action },
  mail: Pick<QueuedMail<K>, 'kind' | 'values'>,
  caller?: ConsoleCaller | SystemCaller,
): Promise<void> {
  if (!context.mailer) return
  const permitted = roles.filter((role) => may(role, action))
  const members = (await listMembers(tx, projectId, permitted)).filter(
    ({ accountId }) => caller?.kind !== 'account' || accountId !== caller.accountId,
  )
  for (const { email: recipient, language } of members) await queueMail(context, tx, { ...mail, recipient, language })
}

/** Sends a mail to the members of a project that have one of these roles or are one of these accounts. */
export async function sendToRecipients<K extends MailKind>(
  context: MailContext,
  tx: Tx,
  { projectId, ...recipients }: { projectId: string; roles: readonly Role[]; accountIds: readonly string[] },
  mail: Pick<QueuedMail<K>, 'kind' | 'values'>,
): Promise<void> {
  if (!context.mailer) return
  const members = await listMembers(tx, projectId, recipients.roles, recipients.accountIds)
  for (const { email: recipient, language } of members) await queueMail(context, tx, { ...mail, recipient, language })
}
