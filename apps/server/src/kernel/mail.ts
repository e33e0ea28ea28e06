import { second } from '@souk/contract'
import { SpanKind, traced } from './tracing.ts'

/** The mail server of the operator, and the sender of all mails. */
export interface MailSettings {
  host: string
  port: number
  /**
   * `immediate`: TLS from the start; `required`: STARTTLS, or no mail; `off`: plain text, which is for a relay on the
   * same machine or network.
   */
  tls: 'immediate' | 'required' | 'off'
  user?: string | undefined
  password?: string | undefined
  from: { name: string; address: string }
}

/** A mail to one person. */
interface Mail {
  /** Unique; becomes the Message-ID, so that receivers recognize duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** Sends mail. */
export interface Mailer {
  /** URL of the mail server without credentials. */
  readonly server: string
  /** The sender address. */
  readonly from: string
  /** Sends a mail. @throws MailError */
  send(mail: Mail): Promise<void>
  /** Connects, says EHLO, and signs in if there are credentials. @throws MailError */
  check(): Promise<void>
}

/** A mail was not sent. The message is for operators; it can contain the address of the recipient. */
export class MailError extends Error {
  override name = 'MailError'
  /** SMTP status, or a code such as ECONNECTION. Safe to log. */
  readonly code: string
  /** True if the server refused this mail, so that a repetition fails too. */
  readonly permanent: boolean

  constructor(message: string, { code, permanent }: { code: string; permanent: boolean }) {
    super(message)
    this.code = code
    this.permanent = permanent
  }
}

/** Maximum length of the answer of a server that is stored. */
const maxAnswer = 300

/** @param timeout ends an attempt at a server that accepts a connection and then hangs, ms */
export async function createMailer(
  { host, port, tls, user, password, from }: MailSettings,
  timeout = 15 * second,
): Promise<Mailer> {
  // Takes several MB of memory, so it is only loaded if there is a mail server.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: tls === 'immediate',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.split('@')[1]

  return {
    server: `${tls === 'immediate' ? 'smtps' : 'smtp'}://${host}:${port}`,
    from: from.address,
    async send({ id, to, subject, text, html }) {
      try {
        const sent = () =>
          transport.sendMail({
            from,
            // An object, so that the address is never parsed as a list.
            to: { name: '', address: to },
            subject,
            text,
            html,
            messageId: `<${id}@${domain}>`,
            // Keeps vacation programs from answering.
            headers: { 'Auto-Submitted': 'auto-generated' },
          })
        await traced('send mail', sent, SpanKind.CLIENT)
      } catch (error) {
        throw asMailError(error)
      }
    },
    async check() {
      try {
        await transport.verify()
      } catch (error) {
        throw asMailError(error)
      }
    },
  }
}

function asMailError(error: unknown): MailError {
  const {
    message,
    code = 'unknown',
    command,
    responseCode,
    response,
  } = error as Error & Record<string, string | undefined>
  const status = responseCode === undefined ? undefined : Number(responseCode)
  // A wrong password or sender is corrected in the settings; mails wait for it.
  const isRefused = (code === 'EENVELOPE' && command === 'RCPT TO') || code === 'EMESSAGE'
  const permanent = isRefused && status !== undefined && status >= 500
  const answer = (response ?? message).replace(/\p{Cc}+/gu, ' ').slice(0, maxAnswer)
  const place = response !== undefined && command !== undefined ? `${command}: ` : ''
  return new MailError(place + answer, { code: status === undefined ? code : String(status), permanent })
}
