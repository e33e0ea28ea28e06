import type { Context } from '../context.ts'
import { type SandboxDecision, SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { settle } from './settle.ts'
import { findAttemptKey } from './store.ts'

const batchSize = 500

/**
 * The recurring job `decideSandboxPayments`: lets the sandbox provider decide due payments and settles the results. A
 * result that could not be settled is retried by the next run, like a webhook.
 */
export async function decideSandboxPayments(context: Context): Promise<void> {
  if (!context.settings.sandbox) return
  const provider = new SandboxProvider(context)
  for (;;) {
    const decisions = await provider.decideDue(batchSize)
    let settled = 0
    for (const decision of decisions) if (await settleDecision(context, provider, decision)) settled++
    // A late payment is decided twice, so one pass may leave something due. Results that fail must not loop for ever.
    if (settled === 0) return
  }
}

/** Settles a decision of the sandbox provider. Returns false if that failed. */
export async function settleDecision(
  context: Context,
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
