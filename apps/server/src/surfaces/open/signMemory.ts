import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Operation, openOperations, SoukError, second } from '@souk/contract'
import type { FullContext } from '../../domain/context.ts'
import { type BoundSign, claimForOperation, findContestant, upsertBoundSigns } from '../../domain/miniApps/index.ts'

/** Binds signs to the first operation that they are used for, at all processes (ADRs 66 and 282). */
export interface SignMemory {
  /**
   * Binds a sign. The other processes know of reads within `shareInterval`. For other operations, returns a function
   * that claims the sign at all processes, to call before the operation takes effect; with several processes it waits
   * for their reads.
   * @throws SoukError `sign_reused`, as the function does
   */
  bind(sign: string, operation: Operation): (() => Promise<void>) | undefined
  /** Receives the message of another process. */
  onClaimed(message: string): void
  /** Sends the other processes the signs that they do not have yet. */
  stop(): Promise<void>
}

/**
 * Slots of 1.3 MB in total. After 37,000 signs, one in eight is forgotten; those of operations that can be confused are
 * in the database by then.
 */
const slots = 2 ** 18
/** Time until the other processes know of a read, ms. */
const shareInterval = second / 40
/** Time in which another process shares a read that it accepted before it heard of a claim, ms. */
const contestInterval = 3 * shareInterval
/** Pause after the database did not answer, ms. */
const retryInterval = second
/** Maximum number of signs that wait for the database; more are dropped. */
const maxWaiting = 100_000

/** Operations whose parameters are valid for another operation too: Query trade and Close trade. */
const confusable = new Set(
  Object.values(openOperations)
    .filter((one) =>
      Object.values(openOperations).some((other) => other !== one && fits(one, other) && fits(other, one)),
    )
    .map(({ id }) => id as string),
)

/** Returns whether the required parameters of an operation are parameters of another one. */
function fits({ parameters }: Operation, other: Operation): boolean {
  return (parameters.required ?? []).every((name) => Object.hasOwn(other.parameters.properties, name))
}

/**
 * Creates the memory of used signs, so that a captured Query trade cannot be sent again as Close trade, which has the
 * same parameters. Repeating the same operation is allowed.
 *
 * This process remembers all signs. The database remembers those of operations that can be confused: reads in batches,
 * which no request waits for, and others before they take effect.
 */
export function createSignMemory(context: Pick<FullContext, 'sql' | 'clock' | 'log'>): SignMemory {
  const local = createLocalMemory()
  let waiting: BoundSign[] = []
  let timer: NodeJS.Timeout | undefined

  function shareSoon(delay = shareInterval): void {
    timer ??= setTimeout(() => void share(), delay).unref()
  }

  async function share(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const signs = waiting
    waiting = []
    try {
      await upsertBoundSigns(context.sql, signs, context.clock.real())
    } catch (error) {
      context.log.warn({ error: (error as Error).message }, 'used signs are not shared: the database does not answer')
      waiting = [...signs, ...waiting].slice(-maxWaiting)
      shareSoon(retryInterval)
    }
  }

  /**
   * Claims a sign, and waits until the other processes have shared the reads that they had accepted before they heard
   * of the claim. Then nothing but a process that hangs can have used the sign for something else.
   */
  async function claim(sign: string, operation: string): Promise<void> {
    const { operation: first, isShared } = await claimForOperation(
      context.sql,
      { sign, operation },
      context.clock.real(),
    )
    if (first !== operation) {
      local.set(sign, first)
      throw signReused(first)
    }
    if (!isShared) return
    await wait(contestInterval)
    const contestant = await findContestant(context.sql, sign)
    if (contestant !== null) throw signReused(contestant)
  }

  return {
    bind(sign, { id, method }) {
      const first = local.get(sign)
      if (first !== undefined && first !== id) throw signReused(first)
      if (first === undefined) local.set(sign, id)
      if (!confusable.has(id)) return undefined
      // Even if it is known, since an earlier claim may still be on its way.
      if (method !== 'GET') return () => claim(sign, id)
      if (first === undefined) {
        waiting.push({ sign, operation: id })
        shareSoon()
      }
      return undefined
    },
    onClaimed(message) {
      const [start, operation] = message.split(' ') as [string, string]
      local.set(start, operation)
    },
    stop: share,
  }
}

/**
 * Creates a memory with one slot per sign, where a later one replaces it. This takes a fifth of the time of a map, and
 * does not retain the request that the sign is a slice of. Random factors choose the slot, so that another mini app
 * cannot compute signs that replace a given one.
 */
function createLocalMemory() {
  const names = ['', ...Object.keys(openOperations)]
  const ends = new Uint32Array(slots)
  const operations = new Uint8Array(slots)
  const [factor, otherFactor] = [randomInt(2 ** 31) * 2 + 1, randomInt(2 ** 31) * 2 + 1]
  const endOf = (sign: string) => Number.parseInt(sign.slice(8, 16), 16)
  const slotOf = (sign: string) => {
    const start = Number.parseInt(sign.slice(0, 8), 16)
    return (Math.imul(start, factor) + Math.imul(endOf(sign), otherFactor)) >>> 14
  }
  return {
    /** Returns the operation of a sign, or undefined if it is not known. */
    get(sign: string): string | undefined {
      const slot = slotOf(sign)
      return ends[slot] === endOf(sign) ? names[operations[slot]!] || undefined : undefined
    },
    set(sign: string, operation: string): void {
      const slot = slotOf(sign)
      ends[slot] = endOf(sign)
      operations[slot] = names.indexOf(operation)
    },
  }
}

function signReused(first: string): SoukError {
  return new SoukError(
    'sign_reused',
    `It was used for ${first}. This request was not executed: sign it again, with another timestamp in milliseconds.`,
  )
}
