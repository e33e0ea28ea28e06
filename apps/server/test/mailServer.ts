import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { FullContext } from '../src/domain/context.ts'
import { deliverMail } from '../src/domain/messages/index.ts'

/** A mail as its receiver gets it. `to` is from the envelope. */
interface ReceivedMail extends ParsedMail {
  recipients: string[]
  /** True if it came over TLS. */
  encrypted: boolean
  /** The mail as it was sent. */
  raw: string
}

export interface MailServer {
  /** Value of `SOUK_SMTP_URL`. */
  url: string
  port: number
  received: ReceivedMail[]
  /** Returns the last mail to an address. @throws Error if there is none */
  last(recipient: string): ReceivedMail
  /** Number of connections so far. */
  connections(): number
  /** Response to a recipient, with its status; undefined to accept. */
  refuse: { status: number; text: string } | undefined
  /** Keeps silent after the connection has been opened. */
  hang: boolean
  stop(): Promise<void>
}

/** Starts a mail server on localhost that keeps what it receives. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  let connections = 0
  const waiting: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: options.onAuth === undefined,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    logger: false,
    ...options,
    onConnect: (_session, callback) => {
      connections++
      if (fixture.hang) waiting.push(() => callback())
      else callback()
    },
    onRcptTo: (_address, _session, callback) => {
      if (!fixture.refuse) return callback()
      callback(Object.assign(new Error(fixture.refuse.text), { responseCode: fixture.refuse.status }))
    },
    onData: (stream, { envelope, secure }, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const recipients = envelope.rcptTo.map(({ address }) => address)
        fixture.received.push({ ...(await simpleParser(raw)), recipients, encrypted: secure, raw })
        callback()
      })
    },
  })
  // Clients that give up are part of the tests.
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as AddressInfo
  const fixture: MailServer = {
    url: `smtp://localhost:${port}`,
    port,
    received: [],
    refuse: undefined,
    hang: false,
    connections: () => connections,
    last(recipient) {
      const found = fixture.received.findLast(({ recipients }) => recipients.includes(recipient))
      if (!found) throw new Error(`no mail to ${recipient}`)
      return found
    },
    stop: () => {
      for (const resume of waiting) resume()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return fixture
}

/** Trusts the certificate below in this process. Returns a function that restores what was trusted. */
export function trustLocalhost(): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, localhost.cert])
  return () => setDefaultCACertificates(before)
}

/** A self-signed certificate for localhost, valid from 2020 to 2120; used only here. */
export const localhost = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvvJoMDq3vdAUM6de
HECi61H6/TTcO8IMZTL3ltbTuF2hRANCAAS47vNXlevV1yCdPV4obDZURPY6SrCI
qcVtozQ3+odC8Ndsh3IJnPuO4RPxA+I9JQMih1n+Bqfm6CCBTjLTEZ0O
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLju81eV69XXIJ09
XihsNlRE9jpKsIipxW2jNDf6h0Lw12yHcgmc+47hE/ED4j0lAyKHWf4Gp+boIIFO
MtMRnQ6jTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBT/dGoaDpjGELm5DttunoEwQ4V6DjAKBggqhkjOPQQD
AgNJADBGAiEAoKIhYIlWgcfQ9UinGDV3al9WVzSiJIY1He4XSGfJw3ICIQCVfEHS
HChOTw5NA5llqn4caP4xTKtBuoPXcTovzlqNmA==
-----END CERTIFICATE-----
`,
}

/** Lists the mailIds of mails that wait, oldest first. */
export async function listWaitingMails({ sql }: FullContext): Promise<string[]> {
  const rows = await sql<{ mailId: string }[]>`
    select mail_id from mails where state = 'waiting' order by ctime`
  return rows.map(({ mailId }) => mailId)
}

/** Sends all mails that wait, like the jobs of a worker. */
export async function deliverMails(context: FullContext): Promise<void> {
  for (const mailId of await listWaitingMails(context)) await deliverMail(context, mailId)
}
