import type { Context } from '../../context.ts'
import { Dispatcher } from './dispatcher.ts'
import type { OutboundQueue, Scheduled } from './queue.ts'
import { recordUnscheduled, toAttempt } from './record.ts'

/** Delivers due messages until `context.stopping`. Call the returned function to wait for the last ones. */
export async function startDispatcher<M extends Scheduled>(
  context: Context<'sendMessage' | 'stopping' | 'vault'>,
  queue: OutboundQueue<M>,
): Promise<() => Promise<void>> {
  const dispatcher = new Dispatcher(context, queue)
  const prefix = `${queue.name} `
  const onNotify = (payload: string) => {
    if (payload.startsWith(prefix)) dispatcher.wake(payload.slice(prefix.length))
  }
  const { unlisten } = await context.sql.listen('souk_delivery', onNotify, () => dispatcher.searchSoon())
  const running = dispatcher.run().finally(() => void unlisten().catch(() => {}))
  return () => running
}

/** Delivers all due messages. One that fails does not block the others. */
export async function deliverDueMessages<M extends Scheduled>(
  context: Context<'sendMessage' | 'stopping' | 'vault'>,
  queue: OutboundQueue<M>,
): Promise<void> {
  await new Dispatcher(context, queue).drain()
}

/**
 * Makes an attempt outside the schedule, which continues unless the message is acknowledged. Returns whether it was.
 */
export async function deliverNow<M extends Scheduled>(
  context: Context<'sendMessage' | 'vault'>,
  queue: OutboundQueue<M>,
  message: M,
): Promise<boolean> {
  await context.sql.begin(async (tx) => queue.announce?.(tx, [message]))
  const time = context.clock.now()
  const result = await queue.send(context, message)
  const attempt = toAttempt(queue, time, result)
  await context.sql.begin((tx) => recordUnscheduled(context, queue, tx, { message, attempt, result }))
  await queue.afterAttempt?.(context, message, attempt)
  return attempt.acknowledged
}
