import type { InspectionEnd } from '@souk/contract'
import type { FastifyReply } from 'fastify'
import type { FullContext } from '../domain/context.ts'
import {
  connectSide,
  disconnectSide,
  type InspectionSide,
  listMessages,
  readState,
  updateSideSeen,
} from '../domain/miniApps/index.ts'
import { type Live, openEventStream } from './live.ts'

interface Watched extends Pick<InspectionSide, 'inspectionId' | 'side'> {
  /** The name under which streams of the caller are counted. */
  caller: string
  /** False for an inspection that has ended, or never existed for the caller. */
  exists: boolean
  /** messageId of the last message that the client has; undefined for a client without any. */
  after: number | undefined
  mayContinue(): Promise<boolean>
}

/** Streams the messages to one side of an inspection, and the state of the other side. */
export async function streamInspection(
  context: FullContext,
  live: Live,
  reply: FastifyReply,
  { inspectionId, side, caller, exists, after, mayContinue }: Watched,
): Promise<void> {
  if (!exists) {
    openEventStream(reply, live, caller, async () => false).send('ended', { reason: 'stopped' })
    return
  }
  const own = await connectSide(context, { inspectionId, side, after })
  const stream = openEventStream(reply, live, caller, async () => {
    if (reader.isOver() || !(await mayContinue())) return false
    await updateSideSeen(context.sql, own, context.clock.real())
    // The other side may have fallen silent.
    reader.read()
    return true
  })
  const reader = createReader(context, own, stream)

  const onNews = (news: { inspectionId: string; ended?: InspectionEnd }) => {
    if (news.inspectionId !== inspectionId) return
    if (news.ended) reader.finish(news.ended)
    else reader.read()
  }
  live.on('inspection', onNews)
  live.on('resync', reader.read)
  reader.read()
  stream.onClose(() => {
    live.off('inspection', onNews)
    live.off('resync', reader.read)
    reader.stop()
    disconnectSide(context, own).catch((error: unknown) =>
      context.log.warn({ inspectionId, error: String(error) }, 'the end of a connection was not recorded'),
    )
  })
}

/** Creates what reads the state and the messages for one side, and sends what is new. */
function createReader(
  context: FullContext,
  own: Awaited<ReturnType<typeof connectSide>>,
  stream: Pick<ReturnType<typeof openEventStream>, 'send'>,
) {
  let last = own.after
  let lastState = ''
  let isOver = false
  /** Readings follow one another, so that messages stay in order. */
  let reading = Promise.resolve()

  function finish(reason: InspectionEnd): void {
    if (isOver) return
    isOver = true
    stream.send('ended', { reason })
  }
  async function report(): Promise<void> {
    if (isOver) return
    const state = await readState(context, own)
    if (typeof state === 'string') return finish(state)
    const text = JSON.stringify(state)
    if (text !== lastState) stream.send('state', { ...state, after: last })
    lastState = text
    for (;;) {
      const messages = await listMessages(context.sql, own, last)
      for (const message of messages) {
        stream.send('message', message)
        last = message.messageId
      }
      if (messages.length === 0) return
    }
  }
  function read(): void {
    reading = reading
      .then(report)
      .catch((error: unknown) =>
        context.log.warn(
          { inspectionId: own.inspectionId, error: String(error) },
          'an inspection was not read; trying again',
        ),
      )
  }
  function stop(): void {
    isOver = true
  }

  return { read, finish, stop, isOver: () => isOver }
}
