import {
  type consoleOperations,
  type DoctorSentence,
  day,
  doctorSentence,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import { MailError } from '../../../kernel/mail.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context, FullContext } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { composeMail } from './compose.ts'
import { requireMail } from './queueMail.ts'
import { deleteMailsBefore, findMailTotals, listMailProblems, updateOverdueMails } from './store.ts'

type Operations = typeof consoleOperations

const maxProblems = 20
/** Time for which operators see the state of a mail, ms. */
const retention = 30 * day

/** Returns the mail server, and the mails that could not be sent. */
export async function getMail({ sql, mailer }: Context<'mailer'>): Promise<ResultOf<Operations['getMail']>> {
  const [totals, problems] = await Promise.all([findMailTotals(sql), listMailProblems(sql, maxProblems)])
  return { server: mailer?.server ?? null, from: mailer?.from ?? null, ...totals, problems }
}

/** Sends a test mail while the caller waits. @throws SoukError `mail_not_configured`, `mail_failed` */
export async function sendTestMail(
  context: Context<'mailer'>,
  caller: ConsoleCaller,
  { email, language = 'en' }: ParametersOf<Operations['sendTestMail']>,
): Promise<true> {
  requireMail(context)
  const id = newId()
  try {
    const mail = composeMail({ kind: 'test', language, values: {} }, context.settings.publicUrl)
    await context.mailer?.send({ id, to: email, ...mail })
  } catch (error) {
    if (error instanceof MailError) throw new SoukError('mail_failed', `${context.mailer?.server}: ${error.message}`)
    throw error
  }
  await context.sql.begin((tx) => audit(context, tx, caller, { action: 'mail.test', subject: id }))
  return true
}

/** Returns why mail cannot be sent now, undefined if it can, or null if it is not configured. */
export async function explainMail({ mailer }: Pick<FullContext, 'mailer'>): Promise<DoctorSentence | null | undefined> {
  if (!mailer) return null
  try {
    await mailer.check()
    return undefined
  } catch (error) {
    if (error instanceof MailError) return doctorSentence('mailFails', { server: mailer.server, reason: error.message })
    throw error
  }
}

/** Job: gives up mails that have waited too long, and deletes old ones. */
export async function pruneMails({ sql, clock }: Context): Promise<void> {
  const now = clock.real()
  await updateOverdueMails(sql, now)
  await deleteMailsBefore(sql, now - retention)
}
