import { EventEmitter } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { type InspectionEnd, type InstallationList, type ProjectList, second } from '@souk/contract'
import type { FastifyReply } from 'fastify'
import type { FullContext } from '../domain/context.ts'
import type { UserNews } from '../kernel/outbox.ts'

/** A list that has changed: one of the mini app's project, or of all projects. */
export interface ChangedList {
  appid: string
  list: ProjectList | InstallationList
}

/** Events of this installation, from any server process. */
interface Events {
  /** A notification, activity message or trade of a host user changed, its feedback was answered, or a card arrived. */
  user: [UserNews]
  /** A list of the console changed. */
  list: [ChangedList]
  /** The clock of the sandbox was moved. */
  clock: []
  /** An inspection has a message or another state, or has ended. */
  inspection: [{ inspectionId: string; ended?: InspectionEnd }]
  /** A callback is about to be sent. */
  callback: [{ notifyId: string; appid: string }]
  /** Events may have been missed, because the connection to the database was lost. */
  resync: []
  /** The server stops; streams end, so that clients connect elsewhere. */
  stopping: []
}

/** Maximum number of streams of one caller at a process: more tabs and devices than people use. */
export const maxStreams = 100

/** Emits the events in this process; `followAnnouncements` feeds it. */
export class Live extends EventEmitter<Events> {
  isStopping = false
  /** The functions that end the streams of a caller, oldest first. */
  readonly #streams = new Map<string, Set<() => void>>()

  constructor() {
    super()
    this.setMaxListeners(0)
  }

  /**
   * Counts a stream of a caller until the returned function is called. Ends the oldest one above `maxStreams`:
   * otherwise one caller could hold all connections of the process.
   */
  countStream(caller: string, end: () => void): () => void {
    const streams = this.#streams.get(caller) ?? new Set()
    this.#streams.set(caller, streams.add(end))
    const remove = (each: () => void) => {
      streams.delete(each)
      if (streams.size === 0) this.#streams.delete(caller)
    }
    const [oldest] = streams
    if (streams.size > maxStreams && oldest) {
      remove(oldest)
      oldest()
    }
    return () => remove(end)
  }

  /** Ends all streams, also those that are opened later: their requests may still be checked. */
  stop(): void {
    this.isStopping = true
    this.emit('stopping')
  }
}

/**
 * Emits what any process of the installation announces. While the connection to the database is lost, announcements are
 * lost too: then caches are cleared, and clients are asked to read again.
 */
export async function followAnnouncements(
  { sql, apps, catalogue }: Pick<FullContext, 'sql' | 'apps' | 'catalogue'>,
  live: Live,
): Promise<void> {
  await sql.listen(
    'souk_app',
    (appid) => {
      apps.forget(appid)
      catalogue.forget(appid)
    },
    () => {
      apps.forgetAll()
      catalogue.forgetAll()
    },
  )
  await sql.listen(
    'souk_user',
    (news) => live.emit('user', JSON.parse(news)),
    () => live.emit('resync'),
  )
  await sql.listen('souk_list', (news) => live.emit('list', JSON.parse(news)))
  await sql.listen('souk_inspection', (news) => live.emit('inspection', JSON.parse(news)))
  await sql.listen('souk_callback', (news) => {
    // Processes of the previous version announce one at a time.
    const { appid, notifyId, notifyIds = [notifyId] } = JSON.parse(news)
    for (const each of notifyIds) live.emit('callback', { appid, notifyId: each })
  })
}

const heartbeat = 15 * second
/** Maximum bytes buffered for a client that does not read. */
const maxUnread = 1024 * 1024

/**
 * Turns the response into a stream of server-sent events, which ends when the client disconnects, the server stops, its
 * caller opens too many others, or `mayContinue`, called every 15 s, returns false.
 *
 * @param caller under whose name its streams are counted
 * @returns `send`, which drops what comes after the end, and `onClose` to register clean-up
 */
export function openEventStream(
  reply: FastifyReply,
  live: Live,
  caller: string,
  mayContinue: () => Promise<boolean> = async () => true,
): {
  send(event: string, data: unknown): void
  onClose(cleanUp: () => void): void
} {
  reply.hijack()
  const { raw } = reply
  // The response of a client that does not read closes long after its end. A write in between would end the process.
  const write = (text: string) => {
    if (!raw.writableEnded) raw.write(text)
  }
  const onClose = (cleanUp: () => void) => {
    // The client may have left while its request was checked.
    if (raw.closed) cleanUp()
    else raw.once('close', cleanUp)
  }
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // A kept-alive connection would delay the stop of the server.
    Connection: 'close',
    'X-Accel-Buffering': 'no',
  })
  write(': connected\n\n')
  // Comments keep proxies from closing an idle connection.
  const timer = setInterval(() => {
    write(':\n\n')
    // Without the database the next heartbeat checks again.
    mayContinue().then(
      (allowed) => allowed || raw.end(),
      () => {},
    )
  }, heartbeat)
  const end = () => raw.end()
  if (live.isStopping) end()
  else live.once('stopping', end)
  const stopCounting = live.countStream(caller, end)
  onClose(() => {
    clearInterval(timer)
    stopCounting()
    live.off('stopping', end)
  })
  return {
    send: (event, data) => {
      // Events for a client that stopped reading would pile up; it can reconnect.
      if (raw.writableLength > maxUnread) raw.destroy()
      else write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    onClose,
  }
}
