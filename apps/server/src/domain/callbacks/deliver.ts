import { callbackAcknowledged, minute, retryDelay, second } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { notify } from '../../kernel/outbox.ts'
import type { Context, SendCallback } from '../context.ts'
import { withFault } from './faults.ts'
import { enqueueDelivery } from './queue.ts'
import { signCallback } from './sign.ts'
import { mayDeliverTo, startDelivery } from './slowHosts.ts'
import {
  type AttemptRecord,
  type Callback,
  claimCallback,
  claimDueCallbacks,
  claimFault,
  findCallback,
  lockCallback,
  recordAttempt,
} from './store.ts'

type DeliveryResult = Awaited<ReturnType<SendCallback>>

/** How long a process has to complete an attempt before another one retries it, in ms. An attempt takes at most 5 s. */
const attemptLease = minute

/** Tolerated difference between the clocks of the database and this process, in ms. */
const clockSkew = second

const batchSize = 100

/** Minimum delay of a delivery that exceeds the limit of a slow host, in ms. The maximum is twice that. */
const slowHostDelay = second

/**
 * The job `deliverCallback`: makes a scheduled attempt if the callback is due. Concurrent runs send it once. An attempt
 * that a dying process had claimed is due again after 60 s and is found by `deliverDueCallbacks`: delivery is at least
 * once (ADR 12).
 */
export async function deliverCallback(
  context: Context,
  { notifyId, host }: { notifyId: string; host: string },
): Promise<void> {
  if (!mayDeliverTo(host)) {
    const callback = await findCallback(context.sql, notifyId)
    if (!callback) return
    const at = context.clock.now() + slowHostDelay * (1 + Math.random())
    await context.sql.begin((tx) => enqueueDelivery(context, tx, callback, Math.round(at)))
    return
  }
  const finish = startDelivery(host)
  let duration = 0
  try {
    duration = await deliverIfDue(context, notifyId)
  } finally {
    finish(duration)
  }
}

/** Returns the receiver's response time in ms; 0 if the callback was not due. */
async function deliverIfDue(context: Context, notifyId: string): Promise<number> {
  const claimed = await context.sql.begin(async (tx) => {
    const now = context.clock.now()
    const callback = await claimCallback(tx, notifyId, { due: now + clockSkew, until: now + attemptLease })
    if (callback) await announceAttempt(tx, callback)
    return callback
  })
  return claimed ? makeScheduledAttempt(context, claimed) : 0
}

/** The recurring job `deliverDueCallbacks`: delivers all due callbacks. One that fails does not block the others. */
export async function deliverDueCallbacks(context: Context): Promise<void> {
  while (!context.stopping.aborted) {
    const claimed = await context.sql.begin(async (tx) => {
      const now = context.clock.now()
      const callbacks = await claimDueCallbacks(tx, { due: now, until: now + attemptLease, limit: batchSize })
      for (const callback of callbacks) await announceAttempt(tx, callback)
      return callbacks
    })
    if (claimed.length === 0) return
    await Promise.all(
      claimed.map((callback) =>
        makeScheduledAttempt(context, callback).catch((error: unknown) => {
          context.log.error({ err: error, notifyId: callback.notifyId }, 'callback delivery failed')
        }),
      ),
    )
  }
}

/**
 * Makes an attempt outside the schedule, which continues unless the callback is acknowledged. Returns whether it was.
 */
export async function deliverNow(context: Context, callback: Callback): Promise<boolean> {
  await context.sql.begin((tx) => announceAttempt(tx, callback))
  const time = context.clock.now()
  const result = await post(context, callback)
  const attempt = toAttemptRecord('notifyUrl', time, result)
  await context.sql.begin((tx) => recordUnscheduledAttempt(context, tx, callback, attempt))
  return attempt.acknowledged
}

/** Records an attempt outside the schedule. An acknowledgement counts however the callback was delivered. */
export async function recordUnscheduledAttempt(
  context: Context,
  tx: Tx,
  { appid, notifyId }: Callback,
  attempt: AttemptRecord,
): Promise<void> {
  const callback = await lockCallback(tx, { appid, notifyId })
  const attempts = callback.attempts + 1
  const delivered = { state: 'delivered', nextAttempt: null } as const
  await recordAttempt(tx, { ...callback, attempts, ...(attempt.acknowledged && delivered) }, attempt)
  context.metrics.callbackAttempts.inc({ acknowledged: String(attempt.acknowledged) })
}

/** Converts the result of an attempt that started at `time`. */
export function toAttemptRecord(
  via: AttemptRecord['via'],
  time: number,
  { status, reply, error, duration }: Omit<DeliveryResult, 'retryAfter'>,
): AttemptRecord {
  return {
    via,
    time,
    duration: Math.round(duration),
    acknowledged: status !== null && callbackAcknowledged(status, reply ?? ''),
    status,
    // PostgreSQL cannot store NUL in text.
    reply: reply?.replaceAll('\0', '\ufffd') ?? null,
    error,
  }
}

async function makeScheduledAttempt(context: Context, claimed: Callback): Promise<number> {
  const time = context.clock.now()
  const result = await post(context, claimed)
  const attempt = toAttemptRecord('notifyUrl', time, result)
  await context.sql.begin(async (tx) => {
    const callback = await lockCallback(tx, claimed)
    const next = advanceSchedule(callback, attempt.acknowledged, result.retryAfter, context.clock.now())
    await recordAttempt(tx, next, attempt)
    if (next.nextAttempt !== null) await enqueueDelivery(context, tx, next, next.nextAttempt)
  })
  context.metrics.callbackAttempts.inc({ acknowledged: String(attempt.acknowledged) })
  return result.duration
}

/** Returns a callback after a scheduled attempt. Another attempt may have been acknowledged in the meantime. */
function advanceSchedule(callback: Callback, acknowledged: boolean, retryAfter: number | null, now: number): Callback {
  const attempts = callback.attempts + 1
  const scheduledAttempts = callback.scheduledAttempts + 1
  if (acknowledged || callback.state === 'delivered') {
    return { ...callback, attempts, scheduledAttempts, state: 'delivered', nextAttempt: null }
  }
  const delay = retryDelay(scheduledAttempts, Math.random(), retryAfter ?? 0)
  if (delay === null) return { ...callback, attempts, scheduledAttempts, state: 'dead', nextAttempt: null }
  return { ...callback, attempts, scheduledAttempts, nextAttempt: now + delay }
}

async function post(context: Context, { appid, notifyUrl, fields }: Callback): Promise<DeliveryResult> {
  const { headers, body } = await signCallback(context, fields)
  const privateHosts = (await context.apps.find(appid))?.callbackHosts ?? []
  const send = () => context.sendCallback({ url: notifyUrl, headers, body, privateHosts })
  const fault = context.settings.sandbox ? await claimFault(context.sql, appid) : undefined
  return fault === undefined ? send() : withFault(fault, send)
}

/** Notifies `souk listen`, which forwards attempts to developers' machines. */
async function announceAttempt(tx: Parameters<typeof notify>[0], { notifyId, appid }: Callback): Promise<void> {
  await notify(tx, 'souk_callback', JSON.stringify({ notifyId, appid }))
}
