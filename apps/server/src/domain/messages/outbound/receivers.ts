import type { Tx } from '../../../kernel/db/pool.ts'
import { applyVerdicts, type Verdict } from './breaker.ts'
import type { QueueName, SendResult } from './queue.ts'
import { deleteReceivers, lockFailing, upsertFailing } from './receivers.store.ts'

/** Statuses with which a gateway reports that the host behind it does not respond. */
const gatewayFailures = new Set([502, 503, 504])

/** Returns what a result says about the receiver; undefined if nothing was sent. */
export function verdictOf({ status, unsent }: SendResult, acknowledged: boolean): Verdict | undefined {
  if (unsent) return undefined
  return { acknowledged, responded: status !== null && !gatewayFailures.has(status) }
}

/** Updates the state of receivers after attempts, in the transaction that records these. */
export async function recordVerdicts(
  tx: Tx,
  queue: QueueName,
  verdicts: ReadonlyMap<string, readonly Verdict[]>,
  now: number,
): Promise<void> {
  if (verdicts.size === 0) return
  const before = new Map((await lockFailing(tx, queue, [...verdicts.keys()])).map((each) => [each.receiver, each]))
  const after = [...verdicts].map(([receiver, each]) => applyVerdicts(receiver, before.get(receiver), each, now))
  const failing = after.filter((each) => each !== undefined)
  if (failing.length > 0) await upsertFailing(tx, queue, failing)
  const recovered = [...before.keys()].filter((receiver) => !failing.some((each) => each.receiver === receiver))
  if (recovered.length > 0) await deleteReceivers(tx, queue, recovered)
}
