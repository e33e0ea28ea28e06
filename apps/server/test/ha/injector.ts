import { setTimeout as wait } from 'node:timers/promises'
import { minute, second } from '@souk/contract'
import type { Fault, FaultKind, KillWaves } from './faults.ts'
import { command } from './installation.ts'
import type { Observer } from './observer.ts'

/** A fault and its consequences for clients. Durations in ms. */
export interface Injected {
  kind: FaultKind | 'upgrade'
  /** Commands and the machines that they broke. */
  steps: string[]
  /** Number of steps that were possible: killed programs, and others. */
  done: { kills: number; others: number }
  /** The longest error window. */
  errorWindow: number
  failedRequests: number
  /** From the fault until the installation was whole again. */
  duration: number
  /** Reason why it has not recovered; undefined if it has. */
  broken?: string
}

interface InjectorOptions {
  observer: Observer
  log: (text: string) => void
  /** Ends the faults after the current one. */
  stop: AbortSignal
  /** Folder of the version to which Souk is upgraded in the middle; undefined without an upgrade. */
  nextVersion: string | undefined
  /** Returns what clients were told so far. */
  acknowledged: () => number
}

/** Maximum time to recover from a fault, ms. */
export const recoveryTimeout = 2 * minute
/** Time without failures that counts as a recovery, ms. */
export const quietPeriod = 3 * second
/** Time without errors before a silent machine of a dense plan returns, ms. */
const shortQuietPeriod = second / 2
/** Time that killed programs need at least to restart, ms. Their state is not checked earlier. */
const restartTime = 2 * second

/** Breaks the installation of deploy/ha, and heals it. */
export class Injector {
  readonly #options: InjectorOptions
  readonly #injected: Injected[] = []
  #steps: string[] = []
  #done = { kills: 0, others: 0 }

  constructor(options: InjectorOptions) {
    this.#options = options
  }

  /** Injects the planned faults one after another, with the upgrade in the middle. */
  async injectAll(plan: readonly Fault[]): Promise<Injected[]> {
    const { stop, nextVersion } = this.#options
    const middle = Math.floor(plan.length / 2)
    for (const [index, fault] of plan.entries()) {
      if (stop.aborted) break
      if (nextVersion && index === middle) await this.#record('upgrade', () => this.#upgrade(nextVersion))
      const { kills } = fault
      await this.#record(fault.kind, () => (kills ? this.#injectDensely(fault, kills) : this.#inject(fault)))
      // The remaining faults would say nothing about an installation that is broken already.
      if (this.#injected.some(({ broken }) => broken)) break
    }
    return this.#injected
  }

  /** Runs a round, and records what clients noticed. */
  async #record(kind: Injected['kind'], run: () => Promise<void>): Promise<void> {
    const { observer, log, acknowledged } = this.#options
    this.#steps = []
    this.#done = { kills: 0, others: 0 }
    const from = performance.now()
    const broken = await run().then(
      () => undefined,
      ({ stdout, stderr, message }: { stdout?: string; stderr?: string; message: string }) =>
        `${stdout ?? ''}${stderr ?? message}`,
    )
    const to = performance.now()
    const windows = observer.windows(from, to)
    const errorWindow = Math.max(0, ...windows.map((window) => Math.round(window.to - window.from)))
    const failedRequests = windows.reduce((sum, { failures }) => sum + failures, 0)
    const duration = Math.round(to - from)
    const result = { kind, steps: this.#steps, done: this.#done, errorWindow, failedRequests, duration }
    this.#injected.push({ ...result, ...(broken && { broken }) })

    const seconds = `errors for ${(errorWindow / second).toFixed(1)} s of ${(duration / second).toFixed(0)} s`
    log(`${this.#steps.join(', ')}: ${seconds}, ${failedRequests} requests${broken ? `, NOT HEALED\n${broken}` : ''}`)
    const counts = Object.entries(countInjected(this.#injected)).map(([name, number]) => `${number} ${name}`)
    log(`  so far: ${counts.join(', ')}; ${observer.requests} requests, ${acknowledged()} acknowledged`)
  }

  /** Breaks something, waits until clients have no more errors, heals it, and waits again. */
  async #inject({ steps, hold, needsHealing }: Fault): Promise<void> {
    for (const step of steps) await this.#break(step)
    await wait(hold)
    if (!needsHealing) await this.#quiet(quietPeriod)
    await command('heal')
    await this.#quiet(quietPeriod)
  }

  /** Breaks something, kills programs during the fault and after it is healed, and waits no longer than necessary. */
  async #injectDensely({ steps, hold, needsHealing }: Fault, kills: KillWaves): Promise<void> {
    await Promise.all([...steps, ...kills.together.map(killing)].map((step) => this.#break(step)))
    await wait(hold / 2)
    await Promise.all(kills.meanwhile.map(killing).map((step) => this.#break(step)))
    await wait(hold / 2)
    if (!needsHealing) await this.#quiet(shortQuietPeriod)
    await Promise.all([command('heal'), this.#quiet(quietPeriod)])
    await Promise.all(kills.afterwards.map(killing).map((step) => this.#break(step)))
    await wait(restartTime)
    // Nothing is left to heal, but it waits until the killed programs work.
    await command('heal')
  }

  async #upgrade(folder: string): Promise<void> {
    await command('upgrade', folder)
    this.#steps.push('upgrade')
    this.#done.others++
    await command('heal')
    await this.#quiet(quietPeriod)
  }

  /** Runs deploy/ha/break. A fault that is impossible now must not end a rehearsal of hours. */
  async #break(step: string[]): Promise<void> {
    try {
      const machine = await command('break', ...step)
      this.#steps.push(`${step.join(' ')} (${machine})`)
      const isProgram = step[0] === 'kill' && step[1]!.includes('/')
      this.#done[isProgram ? 'kills' : 'others']++
    } catch (error) {
      this.#steps.push(`${step.join(' ')} (NOT DONE: ${(error as { stderr?: string }).stderr?.trim()})`)
    }
  }

  async #quiet(period: number): Promise<void> {
    if (await this.#options.observer.quiet(period, recoveryTimeout)) return
    this.#steps.push('CLIENTS STILL HAVE ERRORS')
  }
}

const killing = (program: string) => ['kill', program]

/** Counts faults by kind; of kills, the killed programs. */
export function countInjected(injected: readonly Injected[]): Record<string, number> {
  const counts: Record<string, number> = {}
  const add = (kind: string, number: number) => {
    if (number > 0) counts[kind] = (counts[kind] ?? 0) + number
  }
  for (const { kind, done } of injected) {
    add('kill', done.kills)
    add(kind, done.others)
  }
  return counts
}
