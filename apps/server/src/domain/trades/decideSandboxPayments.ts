import type { Context } from '../context.ts'
import { type Decided, SandboxProvider } from './providers/sandbox.ts'
import { receiveWebhook } from './settle.ts'

const batch = 500

/**
 * Lets the sandbox's processor decide what has come due on the domain clock, and takes its webhooks. One that could not be
 * taken comes again with the next run, as a processor would repeat it.
 */
export async function decideSandboxPayments(context: Context): Promise<void> {
  if (!context.settings.sandbox) return
  const processor = new SandboxProvider(context)
  for (;;) {
    const decided = await processor.decideDue(batch)
    let taken = 0
    for (const each of decided) if (await takeDecision(context, processor, each)) taken++
    // A late payment is decided twice, so one run may leave something due. What cannot be taken must not be tried for ever.
    if (taken === 0) return
  }
}

/** Delivers the processor's webhook to the door; false where it has to come again. */
export async function takeDecision(context: Context, processor: SandboxProvider, decided: Decided): Promise<boolean> {
  try {
    await receiveWebhook(context, processor, Buffer.from(decided.payNo), {})
    await processor.markTold(decided)
    return true
  } catch (error) {
    context.log.error({ err: error, payNo: decided.payNo }, 'a decision of the sandbox processor could not be taken')
    return false
  }
}
