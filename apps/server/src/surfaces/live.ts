import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'

/** News of this installation, from any server process, for whoever listens at this one. */
interface News {
  /** Something of a host user changed. */
  user: [{ uid: number; event: 'notification' | 'activity' | 'trade'; id: string }]
  /** Somebody has moved the clock of the sandbox. */
  clock: []
  /** A callback is about to be sent. */
  callback: [{ notifyId: string; appid: string }]
  /** The server stops: streams end, so that their clients connect elsewhere. */
  stopping: []
}

/** The news of this process; `main` feeds it from the database's notifications. */
export type Live = EventEmitter<News>

export function createLive(): Live {
  return new EventEmitter<News>().setMaxListeners(0)
}

const heartbeat = 15_000
/** Bytes that a stream may hold for a client that does not read. */
const mostUnread = 1024 * 1024

/**
 * Turns the answer into a stream of server-sent events that lasts until the client leaves or the server stops, or until
 * `mayGoOn`, which is asked every 15 s, says that whoever listens may no longer.
 *
 * @returns `send`, and `onClose` for what has to be undone
 */
export function openEventStream(
  reply: FastifyReply,
  live: Live,
  mayGoOn: () => Promise<boolean> = async () => true,
): {
  send(event: string, data: unknown): void
  onClose(undo: () => void): void
} {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // A connection that stayed open for another request would hold up the stop of the server.
    Connection: 'close',
    'X-Accel-Buffering': 'no',
    'X-Request-Id': reply.request.id,
  })
  raw.write(': connected\n\n')
  // Proxies cut silent connections; a comment now and then keeps this one.
  const timer = setInterval(() => {
    raw.write(':\n\n')
    // Where the database does not answer, the next beat asks again.
    mayGoOn().then(
      (yes) => yes || raw.end(),
      () => {},
    )
  }, heartbeat)
  const end = () => raw.end()
  live.once('stopping', end)
  raw.on('close', () => {
    clearInterval(timer)
    live.off('stopping', end)
  })
  return {
    send: (event, data) => {
      // A client that has stopped reading would be remembered for without end; it can connect again.
      if (raw.writableLength > mostUnread) raw.destroy()
      else raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    onClose: (undo) => {
      raw.on('close', undo)
    },
  }
}
