import { MailError } from '../../../kernel/mail.ts'
import type { Context } from '../../context.ts'
import { composeMail } from './compose.ts'
import { contextOf } from './queueMail.ts'
import { findWaitingMail, updateMailAttempt, updateMailEnd } from './store.ts'

/**
 * Job: sends a mail unless it was sent before. Rejects if it has to be repeated, which the queue does. A mail is sent
 * twice only if the server dies between the answer of the mail server and the record of it; both have the same
 * Message-ID.
 */
export async function deliverMail(context: Context<'mailer' | 'vault'>, mailId: string): Promise<void> {
  const { sql, clock, vault, mailer, settings } = context
  const mail = await findWaitingMail(sql, mailId)
  if (!mail) return
  const { kind, language, recipient, content, validUntil } = mail
  if (validUntil <= clock.real()) {
    return updateMailEnd(sql, mailId, { state: 'failed', error: 'It was not sent in time.' }, clock.real())
  }
  if (!mailer) {
    await updateMailAttempt(sql, mailId, 'SOUK_SMTP_URL is not set.', clock.real())
    throw new Error(`the mail ${mailId} waits: this server process sends no mail`)
  }
  const values = JSON.parse(vault.open(content, contextOf(mailId)))
  try {
    await mailer.send({ id: mailId, to: recipient, ...composeMail({ kind, language, values }, settings.publicUrl) })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    if (error.permanent) {
      context.log.warn({ mailId, kind, code: error.code }, 'the mail server refused a mail')
      return updateMailEnd(sql, mailId, { state: 'failed', error: error.message }, clock.real())
    }
    await updateMailAttempt(sql, mailId, error.message, clock.real())
    throw new Error(`the mail ${mailId} was not sent: ${error.code}`)
  }
  await updateMailEnd(sql, mailId, { state: 'sent', error: null }, clock.real())
}
