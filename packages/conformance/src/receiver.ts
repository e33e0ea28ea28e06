import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One callback as it arrived. */
export interface Arrival {
  method: string
  headers: IncomingHttpHeaders
  body: string
  /** The form, decoded, in the order of arrival. */
  fields: [string, string][]
}

/** How a mailbox answers what arrives: status, body, headers; or 'never' for a backend that hangs. */
export type Answer = { status: number; body?: string; headers?: Record<string, string> } | 'never'

/** One address under which a backend receives callbacks, with what arrived there so far. */
export interface Mailbox {
  /** For `notifyUrl`. */
  url: string
  arrivals: Arrival[]
  /** What the next arrivals are answered; the last one stands. */
  answers: Answer[]
  /** Resolves when `count` callbacks have arrived; rejects after `patience` ms. */
  until(count: number, patience?: number): Promise<Arrival[]>
}

/** The backend that receives payment results. */
export interface Receiver {
  mailbox(): Mailbox
  close(): Promise<void>
}

const HANG_MS = 8_000

/**
 * Listens for callbacks. `base` is the address under which the server under test reaches this machine, when it is
 * not the one listened on.
 */
export async function startReceiver(host = '127.0.0.1', port = 0, base?: string): Promise<Receiver> {
  const boxes = new Map<string, { box: Mailbox; arrived: Set<() => void> }>()
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    const entry = boxes.get(incoming.url ?? '')
    if (!entry) return void outgoing.writeHead(404).end()
    const { box, arrived } = entry
    box.arrivals.push({
      method: incoming.method ?? '',
      headers: incoming.headers,
      body,
      fields: [...new URLSearchParams(body)],
    })
    const answer = box.answers.length > 1 ? box.answers.shift() : box.answers[0]
    for (const check of arrived) check()
    reply(outgoing, answer ?? { status: 200, body: 'success' })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = base ?? `http://${host}:${(server.address() as AddressInfo).port}`

  return {
    mailbox() {
      const path = `/callbacks/${boxes.size + 1}`
      const arrived = new Set<() => void>()
      const box: Mailbox = {
        url: address + path,
        arrivals: [],
        answers: [{ status: 200, body: 'success' }],
        until(count, patience = 10_000) {
          return new Promise((resolve, reject) => {
            const check = () => {
              if (box.arrivals.length < count) return
              clearTimeout(timer)
              arrived.delete(check)
              resolve(box.arrivals)
            }
            const timer = setTimeout(() => {
              arrived.delete(check)
              reject(
                new Error(`${box.arrivals.length} callbacks arrived at ${box.url} in ${patience} ms, not ${count}`),
              )
            }, patience)
            arrived.add(check)
            check()
          })
        },
      }
      boxes.set(path, { box, arrived })
      return box
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function reply(outgoing: ServerResponse, answer: Answer): void {
  if (answer === 'never') return void setTimeout(() => outgoing.destroy(), HANG_MS).unref()
  outgoing.writeHead(answer.status, answer.headers).end(answer.body ?? '')
}
