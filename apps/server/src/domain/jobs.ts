import type { FullContext } from './context.ts'

/** What a wing does without a request, by the name of the job. */
export interface Jobs {
  /** Run once per period across all processes, and in none whose clock is wrong (ADR 344). The period is in ms. */
  recurring?: Readonly<Record<string, readonly [run: (context: FullContext) => Promise<void>, every: number]>>
  /** Run at least once for each time that `enqueue` is called. */
  queued?: Readonly<Record<string, (context: FullContext, payload: Record<string, unknown>) => Promise<void>>>
}
