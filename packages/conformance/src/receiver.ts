import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { second } from './time.ts'

/** A callback that a mailbox has received. */
export interface ReceivedCallback {
  method: string
  headers: IncomingHttpHeaders
  body: string
  /** The decoded form, in the order of transmission. */
  fields: [string, string][]
}

/** The response of a mailbox, or `hang` for a backend that does not respond. */
export type MailboxResponse = { status: number; body?: string; headers?: Record<string, string> } | 'hang'

/** A URL at which a backend receives callbacks, and the callbacks received so far. */
export interface Mailbox {
  /** Value of `notifyUrl`. */
  url: string
  received: ReceivedCallback[]
  /** Responses to the next callbacks; the last one is repeated. */
  responses: MailboxResponse[]
  /** Resolves when `count` callbacks have been received; rejects after 10 s. */
  waitFor(count: number): Promise<ReceivedCallback[]>
}

/** The server that receives callbacks. */
export interface Receiver {
  mailbox(): Mailbox
  close(): Promise<void>
}

const hangTime = 8 * second
const maxWait = 10 * second

/** Starts a server for callbacks. `base` is its URL for the server under test if that differs from the local one. */
export async function startReceiver(host = '127.0.0.1', port = 0, base?: string): Promise<Receiver> {
  const mailboxes = new Map<string, { mailbox: Mailbox; waiting: Set<() => void> }>()
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    const entry = mailboxes.get(incoming.url ?? '')
    if (!entry) return void outgoing.writeHead(404).end()
    const { mailbox, waiting } = entry
    mailbox.received.push({
      method: incoming.method ?? '',
      headers: incoming.headers,
      body,
      fields: [...new URLSearchParams(body)],
    })
    const response = mailbox.responses.length > 1 ? mailbox.responses.shift() : mailbox.responses[0]
    for (const check of waiting) check()
    respond(outgoing, response ?? { status: 200, body: 'success' })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = base ?? `http://${host}:${(server.address() as AddressInfo).port}`

  return {
    mailbox() {
      const path = `/callbacks/${mailboxes.size + 1}`
      const waiting = new Set<() => void>()
      const mailbox: Mailbox = {
        url: address + path,
        received: [],
        responses: [{ status: 200, body: 'success' }],
        waitFor(count) {
          return new Promise((resolve, reject) => {
            const check = () => {
              if (mailbox.received.length < count) return
              clearTimeout(timer)
              waiting.delete(check)
              resolve(mailbox.received)
            }
            const timer = setTimeout(() => {
              waiting.delete(check)
              const { length } = mailbox.received
              reject(new Error(`${mailbox.url} received ${length} instead of ${count} callbacks in ${maxWait} ms`))
            }, maxWait)
            waiting.add(check)
            check()
          })
        },
      }
      mailboxes.set(path, { mailbox, waiting })
      return mailbox
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function respond(outgoing: ServerResponse, response: MailboxResponse): void {
  if (response === 'hang') return void setTimeout(() => outgoing.destroy(), hangTime).unref()
  outgoing.writeHead(response.status, response.headers).end(response.body ?? '')
}
