import type { Check } from './check.ts'
import { Context } from './context.ts'
import { startReceiver } from './receiver.ts'
import { type Sandbox, soukSandbox } from './sandbox.ts'
import { activities } from './sections/activities.ts'
import { authentication } from './sections/authentication.ts'
import { callbacks } from './sections/callbacks.ts'
import { envelope } from './sections/envelope.ts'
import { files } from './sections/files.ts'
import { limits } from './sections/limits.ts'
import { login } from './sections/login.ts'
import { notifications } from './sections/notifications.ts'
import { outcomeChecks } from './sections/outcomes.ts'
import { refunds } from './sections/refunds.ts'
import { refusals } from './sections/refusals.ts'
import { repetition } from './sections/repetition.ts'
import { states } from './sections/states.ts'
import { trades } from './sections/trades.ts'
import { transport } from './sections/transport.ts'
import { minute } from './time.ts'

export type { Check } from './check.ts'
export { Context, MiniApp } from './context.ts'
export * from './sandbox.ts'

/** Every check, in the order in which they run. */
export const checks: readonly Check[] = [
  ...envelope,
  ...transport,
  ...authentication,
  ...login,
  ...trades,
  ...states,
  ...outcomeChecks,
  ...callbacks,
  ...refunds,
  ...notifications,
  ...activities,
  ...files,
  ...refusals,
  ...repetition,
  ...limits,
]

/** The server to test and how to control it. */
export interface Target {
  /** Base address of the open API, without `/neuopenapi`. */
  url: string
  /** Admin token, for a Souk sandbox. */
  adminToken?: string
  /** Adapter for another server. */
  sandbox?: Sandbox
  /** Address for callbacks, default 127.0.0.1 and any free port; `base` if the server reaches it under another URL. */
  callbacks?: { host?: string; port?: number; base?: string }
  /** Runs only checks whose id contains this text. */
  only?: string
  /** Skips checks whose id starts with one of these texts. */
  except?: readonly string[]
  /** Called with each result as soon as it is available. */
  onResult?: (result: Result) => void
}

/** The result of a check. `duration` is in ms. */
export interface Result {
  id: string
  section: string
  title: string
  passed: boolean
  failure?: string
  duration: number
}

/** All results and every error code that the server returned. */
export interface Report {
  url: string
  passed: number
  failed: number
  results: Result[]
  codesSeen: string[]
}

const checkTimeout = minute

/**
 * Runs the checks in sequence, because they share the server's clock.
 * @throws Error if no check has an id with the text in `only`, or the sandbox does not reset its clock
 */
export async function runConformance(target: Target): Promise<Report> {
  const { only = '', except = [] } = target
  const chosen = checks.filter(({ id }) => id.includes(only) && !except.some((start) => id.startsWith(start)))
  if (chosen.length === 0) throw new Error(`No check has an id that contains ${target.only}.`)
  const sandbox = target.sandbox ?? soukSandbox(target.url, target.adminToken ?? '')
  const receiver = await startReceiver(target.callbacks?.host, target.callbacks?.port, target.callbacks?.base)
  const context = new Context(target.url, sandbox, receiver)
  const results: Result[] = []
  try {
    for (const check of chosen) {
      const result = await runCheck(check, context)
      results.push(result)
      target.onResult?.(result)
    }
  } finally {
    // Otherwise an unreachable sandbox would keep the process running.
    await receiver.close()
    await sandbox.resetClock()
  }
  const passed = results.filter((result) => result.passed).length
  return {
    url: target.url,
    passed,
    failed: results.length - passed,
    results,
    codesSeen: [...context.codesSeen].sort(),
  }
}

async function runCheck({ id, section, title, run }: Check, context: Context): Promise<Result> {
  const start = performance.now()
  let timer: NodeJS.Timeout | undefined
  const result = { id, section, title }
  try {
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no result after ${checkTimeout} ms`)), checkTimeout)
    })
    await Promise.race([run(context), timeout])
    return { ...result, passed: true, duration: performance.now() - start }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    return { ...result, passed: false, failure, duration: performance.now() - start }
  } finally {
    clearTimeout(timer)
  }
}
