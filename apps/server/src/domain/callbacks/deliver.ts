import { callbackAcknowledged, retryDelay } from '@souk/contract'
import { notify } from '../../kernel/outbox.ts'
import type { Context, SendCallback } from '../context.ts'
import { withFault } from './faults.ts'
import { enqueueDelivery } from './queue.ts'
import { sign } from './sign.ts'
import { begins, mayBegin } from './slowHosts.ts'
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

type Answer = Awaited<ReturnType<SendCallback>>

/** How long an attempt may be under way before it counts as lost, with its process, in ms. An attempt takes 5 s at most. */
const attemptLease = 60_000

/** How much earlier than planned a job may begin: the clocks of the database and of this process are two, ms. */
const clockSkew = 1_000

const batch = 100

/** How long a delivery beyond its host's share waits for another look at least, ms; twice that at most. */
const nextLook = 1_000

/**
 * The job `deliverCallback`: one attempt of the schedule, where the callback is due. Of runs that come at once, one sends.
 * What a dying process had claimed is due again after 60 s, and `deliverDueCallbacks` finds it: the receiver may get a
 * callback twice, never not at all (ADR 12).
 */
export async function deliverCallback(
  context: Context,
  { notifyId, host }: { notifyId: string; host: string },
): Promise<void> {
  if (!mayBegin(host)) {
    const callback = await findCallback(context.sql, notifyId)
    if (!callback) return
    const at = context.clock.now() + nextLook * (1 + Math.random())
    await context.sql.begin((tx) => enqueueDelivery(context, tx, callback, Math.round(at)))
    return
  }
  const ended = begins(host)
  let duration = 0
  try {
    duration = await deliverIfDue(context, notifyId)
  } finally {
    ended(duration)
  }
}

/** How long the receiver took, ms; 0 where the callback was not due. */
async function deliverIfDue(context: Context, notifyId: string): Promise<number> {
  const claimed = await context.sql.begin(async (tx) => {
    const now = context.clock.now()
    const callback = await claimCallback(tx, notifyId, { due: now + clockSkew, until: now + attemptLease })
    if (callback) await announceAttempt(tx, callback)
    return callback
  })
  return claimed ? attemptBySchedule(context, claimed) : 0
}

/** The sweep: delivers whatever is due, until nothing is or the server stops. One that cannot be sent holds up no other. */
export async function deliverDueCallbacks(context: Context): Promise<void> {
  while (!context.stopping.aborted) {
    const claimed = await context.sql.begin(async (tx) => {
      const now = context.clock.now()
      const callbacks = await claimDueCallbacks(tx, { due: now, until: now + attemptLease, limit: batch })
      for (const callback of callbacks) await announceAttempt(tx, callback)
      return callbacks
    })
    if (claimed.length === 0) return
    await Promise.all(
      claimed.map((callback) =>
        attemptBySchedule(context, callback).catch((error: unknown) => {
          context.log.error({ err: error, notifyId: callback.notifyId }, 'a callback could not be sent')
        }),
      ),
    )
  }
}

/**
 * One attempt outside the schedule, now, which leaves the schedule as it is unless the callback is acknowledged. Whether it
 * was.
 */
export async function attemptNow(context: Context, callback: Callback): Promise<boolean> {
  await context.sql.begin((tx) => announceAttempt(tx, callback))
  const time = context.clock.now()
  const answer = await post(context, callback)
  const attempt = attemptRecord('notifyUrl', time, answer)
  await record(context, callback, attempt)
  return attempt.acknowledged
}

/** Adds an attempt outside the schedule to the ledger. An acknowledgement is one, whichever way it came. */
export async function record(context: Context, { appid, notifyId }: Callback, attempt: AttemptRecord): Promise<void> {
  await context.sql.begin(async (tx) => {
    const callback = await lockCallback(tx, { appid, notifyId })
    const attempts = callback.attempts + 1
    const delivered = { state: 'delivered', nextAttempt: null } as const
    await recordAttempt(tx, { ...callback, attempts, ...(attempt.acknowledged && delivered) }, attempt)
  })
  context.metrics.callbackAttempts.inc({ acknowledged: String(attempt.acknowledged) })
}

/** An attempt's line of the ledger. `time` is when it began. */
export function attemptRecord(
  via: AttemptRecord['via'],
  time: number,
  { status, reply, error, duration }: Omit<Answer, 'retryAfter'>,
): AttemptRecord {
  return {
    via,
    time,
    duration: Math.round(duration),
    acknowledged: status !== null && callbackAcknowledged(status, reply ?? ''),
    status,
    // PostgreSQL's texts hold no NUL, and a receiver may answer anything.
    reply: reply?.replaceAll('\0', '\ufffd') ?? null,
    error,
  }
}

async function attemptBySchedule(context: Context, claimed: Callback): Promise<number> {
  const time = context.clock.now()
  const answer = await post(context, claimed)
  const attempt = attemptRecord('notifyUrl', time, answer)
  await context.sql.begin(async (tx) => {
    const callback = await lockCallback(tx, claimed)
    const next = afterScheduled(callback, attempt.acknowledged, answer.retryAfter, context.clock.now())
    await recordAttempt(tx, next, attempt)
    if (next.nextAttempt !== null) await enqueueDelivery(context, tx, next, next.nextAttempt)
  })
  context.metrics.callbackAttempts.inc({ acknowledged: String(attempt.acknowledged) })
  return answer.duration
}

/** Where an attempt of the schedule leaves a callback, which may have been acknowledged another way meanwhile. */
function afterScheduled(callback: Callback, acknowledged: boolean, retryAfter: number | null, now: number): Callback {
  const attempts = callback.attempts + 1
  const scheduledAttempts = callback.scheduledAttempts + 1
  if (acknowledged || callback.state === 'delivered') {
    return { ...callback, attempts, scheduledAttempts, state: 'delivered', nextAttempt: null }
  }
  const delay = retryDelay(scheduledAttempts, Math.random(), retryAfter ?? 0)
  if (delay === null) return { ...callback, attempts, scheduledAttempts, state: 'dead', nextAttempt: null }
  return { ...callback, attempts, scheduledAttempts, nextAttempt: now + delay }
}

async function post(context: Context, { appid, notifyUrl, fields }: Callback): Promise<Answer> {
  const { headers, body } = await sign(context, fields)
  const privateHosts = (await context.apps.find(appid))?.callbackHosts ?? []
  const send = () => context.sendCallback({ url: notifyUrl, headers, body, privateHosts })
  const fault = context.settings.sandbox ? await claimFault(context.sql, appid) : undefined
  return fault === undefined ? send() : withFault(fault, send)
}

/** Lets those who listen forward the attempt to their own machines. */
async function announceAttempt(tx: Parameters<typeof notify>[0], { notifyId, appid }: Callback): Promise<void> {
  await notify(tx, 'souk_callback', JSON.stringify({ notifyId, appid }))
}
