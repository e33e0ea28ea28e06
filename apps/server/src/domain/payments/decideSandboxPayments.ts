import type { Context } from '../context.ts'
import { type SandboxDecision, SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { settle } from './settle.ts'
import { findAttemptKey } from './store.ts'

const batch = 500

/**
 * Lets the sandbox's provider decide what has come due on the domain clock, and takes its webhooks. One that could not be
 * taken comes again with the next run, as a provider would repeat it.
 */
export async function decideSandboxPayments(context: Context): Promise<void> {
  if (!context.settings.sandbox) return
  const provider = new SandboxProvider(context)
  for (;;) {
    const decided = await provider.decideDue(batch)
    let taken = 0
    for (const each of decided) if (await settleDecision(context, provider, each)) taken++
    // A late payment is decided twice, so one run may leave something due. What cannot be taken must not be tried for ever.
    if (taken === 0) return
  }
}

/** Delivers the provider's webhook to the door; false where it has to come again. */
export async function settleDecision(
  context: Context,
  provider: SandboxProvider,
  decided: SandboxDecision,
): Promise<boolean> {
  try {
    const { attemptId, result } = await provider.webhook(Buffer.from(decided.payNo))
    const key = await findAttemptKey(context.sql, attemptId)
    if (key) await settle(context, key, result)
    else context.log.warn({ provider: provider.name, attemptId }, 'a webhook names an attempt that does not exist')
    await provider.markReported(decided)
    return true
  } catch (error) {
    context.log.error({ err: error, payNo: decided.payNo }, 'a decision of the sandbox provider could not be taken')
    return false
  }
}
