import type { Check } from './check.ts'
import { Context } from './context.ts'
import { startReceiver } from './receiver.ts'
import { type Sandbox, soukSandbox } from './sandbox.ts'
import { activities } from './sections/activities.ts'
import { callbacks } from './sections/callbacks.ts'
import { envelope } from './sections/envelope.ts'
import { files } from './sections/files.ts'
import { authentication } from './sections/authentication.ts'
import { limits } from './sections/limits.ts'
import { login } from './sections/login.ts'
import { notifications } from './sections/notifications.ts'
import { states } from './sections/states.ts'
import { trades } from './sections/trades.ts'
import { transport } from './sections/transport.ts'

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
  ...callbacks,
  ...notifications,
  ...activities,
  ...files,
  ...limits,
]

/** What to certify, and how to reach what the open API does not show. */
export interface Target {
  /** Base address of the open API, without `/neuopenapi`. */
  url: string
  /** For a Souk sandbox: its admin token. */
  adminToken?: string
  /** For another server: its own adapter. */
  sandbox?: Sandbox
  /** Where callbacks are received, and how the server reaches it; default 127.0.0.1, any port. */
  callbacks?: { host?: string; port?: number; base?: string }
  /** Runs only checks whose id contains this. */
  only?: string
  /** Told each result as it is known. */
  onResult?: (result: Result) => void
}

/** How one check went; `failure` is absent when it passed. `duration` in ms. */
export interface Result {
  id: string
  section: string
  title: string
  passed: boolean
  failure?: string
  duration: number
}

/** All results, and every error code that the server gave. */
export interface Report {
  url: string
  passed: number
  failed: number
  results: Result[]
  codesSeen: string[]
}

/** After how many ms a check that hangs has failed. */
const patience = 60_000

/** Runs the checks one after the other: they share the server's clock. */
export async function runConformance(target: Target): Promise<Report> {
  const sandbox = target.sandbox ?? soukSandbox(target.url, target.adminToken ?? '')
  const receiver = await startReceiver(target.callbacks?.host, target.callbacks?.port, target.callbacks?.base)
  const context = new Context(target.url, sandbox, receiver)
  const results: Result[] = []
  try {
    for (const check of checks.filter(({ id }) => id.includes(target.only ?? ''))) {
      const result = await runCheck(check, context)
      results.push(result)
      target.onResult?.(result)
    }
  } finally {
    await sandbox.resetClock()
    await receiver.close()
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
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const result = { id, section, title }
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no result after ${patience} ms`)), patience)
    })
    await Promise.race([run(context), late])
    return { ...result, passed: true, duration: performance.now() - began }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    return { ...result, passed: false, failure, duration: performance.now() - began }
  } finally {
    clearTimeout(timer)
  }
}
