import { Script } from 'node:vm'
import { second } from '@souk/contract'
import fc from 'fast-check'
import { cpuLimit, ownCpuTime } from './cpuTime.ts'
import type { World } from './server/world.ts'
import { type AsyncTarget, type FunctionTarget, type ServerTarget, type Target, Violation } from './target.ts'

/** An input that violates an invariant. */
export interface Finding {
  target: string
  /** Seed of the generator that created the input. */
  seed: number
  where: string
  message: string
  /** Reduced to what is needed to fail, as far as that was possible. */
  input: unknown
}

/** Input and limits of a search. */
export interface Plan {
  seed: number
  /** Maximum number of inputs. */
  count: number
  /** Time of `performance.now()` to stop at. */
  deadline?: number
}

/** The result of a search. */
export interface Searched {
  inputs: number
  findings: Finding[]
}

/** Inputs per generator seed. The deadline is checked after each block. */
const blockSize = 500
const blockTimeout = 20 * second
/** Inputs of a server target have many requests each. */
const serverBlockSize = 20
/** Attempts to reduce an input that fails. */
const maxReductions = 400
/** Time to reduce an input that fails. Without a limit, a test would time out before it can report the input. */
const reductionTimeout = 60 * second

/**
 * Remembers the first failure of a block, and reduces it: afterwards only failures at the same place count. Places that
 * failed in an earlier block do not count.
 */
class Failure {
  readonly #known: ReadonlySet<string>
  #reductions = 0
  #since = 0
  violation: Violation | undefined
  input: unknown

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  /** Returns whether another input is to be checked: any number to find a failure, few to reduce it. */
  admitsInput(): boolean {
    if (!this.violation) return true
    return ++this.#reductions <= maxReductions && performance.now() < this.#since + reductionTimeout
  }

  /** Throws the violation if it counts. */
  record(input: unknown, violation: Violation): void {
    if (this.#known.has(violation.where)) return
    if (this.violation && violation.where !== this.violation.where) return
    if (!this.violation) this.#since = performance.now()
    this.violation = violation
    this.input = violation.input ?? input
    throw violation
  }
}

/** Generates inputs for a target and checks them. `openWorld` returns a running server. */
export async function search(target: Target, plan: Plan, openWorld: () => Promise<World>): Promise<Searched> {
  const findings: Finding[] = []
  const seen = new Set<string>()
  let inputs = 0
  for (let block = 0; inputs < plan.count && performance.now() < (plan.deadline ?? Infinity); block++) {
    const part = { seed: (plan.seed + block) | 0, count: plan.count - inputs }
    const failure = new Failure(seen)
    if (target.kind === 'function') inputs += searchFunction(target, part, failure)
    else inputs += await searchAsync(target, part, failure, openWorld)
    const { violation, input } = failure
    if (violation) {
      seen.add(violation.where)
      findings.push({ target: target.name, seed: part.seed, where: violation.where, message: violation.message, input })
    }
  }
  return { inputs, findings }
}

type Block = Pick<Plan, 'seed' | 'count'>

/** Returns the number of checked inputs. */
function searchFunction(target: FunctionTarget, { seed, count }: Block, failure: Failure): number {
  let inputs = 0
  const property = fc.property(target.inputs, (input) => {
    if (!failure.admitsInput()) return
    if (!failure.violation) inputs++
    const violation = checkFunction(target, input)
    if (violation) failure.record(input, violation)
  })
  const hang = interruptible(() => fc.check(property, { seed, numRuns: Math.min(blockSize, count) }))
  if (hang && !failure.violation) {
    failure.violation = new Violation('hang', `The input takes more than ${blockTimeout / second} s`)
    failure.input = hang.input
  }
  return inputs
}

async function searchAsync(
  target: AsyncTarget | ServerTarget,
  { seed, count }: Block,
  failure: Failure,
  openWorld: () => Promise<World>,
): Promise<number> {
  let inputs = 0
  const property = fc.asyncProperty(target.inputs, async (input) => {
    if (inputs >= count || !failure.admitsInput()) return
    if (!failure.violation) inputs += target.kind === 'server' ? target.sizeOf(input) : 1
    const violation = await checkAsync(target, input, openWorld)
    if (violation) failure.record(input, violation)
  })
  await fc.check(property, { seed, numRuns: target.kind === 'server' ? serverBlockSize : Math.min(blockSize, count) })
  return inputs
}

/** Checks one input of any target. Returns the violation, if any. */
export async function check(
  target: Target,
  input: unknown,
  openWorld: () => Promise<World>,
): Promise<Violation | undefined> {
  if (target.kind !== 'function') return checkAsync(target, input as never, openWorld)
  let violation: Violation | undefined
  const hang = interruptible(() => {
    violation = checkFunction(target, input as never)
  })
  return hang ? new Violation('hang', `The input takes more than ${blockTimeout / second} s`) : violation
}

/** The input that is being checked, and the CPU time when its check started. */
let current: { input: unknown; start: number } | undefined

function checkFunction(target: FunctionTarget, input: never): Violation | undefined {
  const start = ownCpuTime()
  current = { input, start }
  try {
    target.check(input)
  } catch (error) {
    return asViolation(error)
  } finally {
    current = undefined
  }
  return tooSlow(ownCpuTime() - start)
}

async function checkAsync(
  target: AsyncTarget | ServerTarget,
  input: never,
  openWorld: () => Promise<World>,
): Promise<Violation | undefined> {
  const world = target.kind === 'server' ? await openWorld() : undefined
  const start = ownCpuTime()
  try {
    if (target.kind === 'server') await target.check(input, world!)
    else await target.check(input)
  } catch (error) {
    return asViolation(error)
  }
  // The CPU time of a server is part of its own check.
  return target.kind === 'server' ? undefined : tooSlow(ownCpuTime() - start)
}

function tooSlow(used: number): Violation | undefined {
  if (used <= cpuLimit) return undefined
  return new Violation('slow', `The input takes ${Math.round(used)} ms of CPU time; ${cpuLimit} ms are allowed`)
}

function asViolation(error: unknown): Violation {
  if (error instanceof Violation) return error
  // Only a script that is interrupted throws this; it is not caused by the input alone.
  if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const frame = /(?:packages|apps)\/[^\s)]*?:\d+/.exec(stack)?.[0] ?? ''
  return new Violation(`${name} ${frame}`, `${name}: ${message}\n${stack}`)
}

const entry = Symbol.for('souk.fuzz.block')
const script = new Script(`globalThis[Symbol.for('souk.fuzz.block')]()`)

/**
 * Runs synchronous work and interrupts it after `blockTimeout`, even within a regular expression. Returns the input
 * that was being checked if that is what took the time.
 */
function interruptible(work: () => void): { input: unknown } | undefined {
  Object.assign(globalThis, { [entry]: work })
  try {
    script.runInThisContext({ timeout: blockTimeout })
    return undefined
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return current && ownCpuTime() - current.start > cpuLimit ? { input: current.input } : undefined
  } finally {
    current = undefined
  }
}
