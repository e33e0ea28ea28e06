import { second } from '@souk/contract'
import { Alarm } from '../../../kernel/alarm.ts'
import type { Context } from '../../context.ts'
import { SandboxProvider } from './adapters/sandbox/sandbox.ts'
import type { SandboxDecision } from './adapters/sandbox/store.ts'
import { settle } from './settle.ts'
import { findAttemptKey } from './store.ts'

const batchSize = 500
/** Minimum time between runs in ms: a result that could not be settled is due immediately. */
const minRest = second
/** Maximum time between runs in ms. No payment is decided sooner after its creation. */
const maxRest = 15 * second

/** Decides payments of the sandbox when they are due, until the server stops. The returned function waits for that. */
export async function startSandboxDecisions(context: Context<'ledger' | 'stopping'>): Promise<() => Promise<void>> {
  const { sql, clock, stopping, log } = context
  const alarm = new Alarm()
  const provider = new SandboxProvider(context)

  async function run(): Promise<void> {
    let isHealthy = true
    while (!stopping.aborted) {
      let rest = minRest
      try {
        const left = (await provider.findNextDecision()) - clock.now()
        if (left <= 0) await decideSandboxPayments(context)
        else rest = Math.min(Math.max(left, minRest), maxRest)
        isHealthy = true
      } catch (error) {
        if (isHealthy) log.warn({ err: error }, 'cannot decide payments of the sandbox')
        isHealthy = false
      }
      await alarm.rest(rest)
    }
  }

  const wake = () => alarm.wake()
  stopping.addEventListener('abort', wake, { once: true })
  const { unlisten } = await sql.listen('souk_clock', wake, wake)
  const running = run().finally(() => void unlisten().catch(() => {}))
  return () => running
}

/**
 * Lets the sandbox provider decide due payments and settles the results. A result that could not be settled is retried
 * by the next run, like a webhook.
 */
export async function decideSandboxPayments(context: Context<'ledger'>): Promise<void> {
  if (!context.settings.sandbox) return
  const provider = new SandboxProvider(context)
  for (;;) {
    const decisions = await provider.decideDue(batchSize)
    let settled = 0
    for (const decision of decisions) if (await settleDecision(context, provider, decision)) settled++
    // A late payment is decided twice, so one pass may leave something due. Results that fail must not loop forever.
    if (settled === 0) return
  }
}

/** Settles a decision of the sandbox provider. Returns false if that failed. */
export async function settleDecision(
  context: Context<'ledger'>,
  provider: SandboxProvider,
  decision: SandboxDecision,
): Promise<boolean> {
  try {
    const { attemptId, result } = await provider.webhook(Buffer.from(decision.payNo))
    const key = await findAttemptKey(context.sql, attemptId)
    if (key) await settle(context, key, result)
    else context.log.warn({ provider: provider.name, attemptId }, 'the sandbox provider reported an unknown attempt')
    await provider.markReported(decision)
    return true
  } catch (error) {
    context.log.error({ err: error, payNo: decision.payNo }, 'settling a decision of the sandbox provider failed')
    return false
  }
}
