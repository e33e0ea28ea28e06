import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import type { Place } from './target.ts'

/** Delay before the next host is tried as well, while a host does not answer, ms. */
const nextHostDelay = 500

/** Index of the host that last accepted writes, by the list of hosts: shared by all pools of the process. */
const writableHosts = new Map<string, number>()

type OpenPlace = (place: Place, signal: AbortSignal) => Promise<Connection>

/**
 * Opens a connection to the first host that accepts writes. Starts with the one that last did, so that a dead host
 * costs no time.
 * @throws the error of the last host that failed; the signal's reason
 */
export async function openAtWritableHost(places: Place[], open: OpenPlace, signal: AbortSignal): Promise<Connection> {
  const [only] = places
  if (only && places.length === 1) return open(only, signal)
  const key = keyOf(places)
  const known = writableHosts.get(key) ?? 0
  const decided = new AbortController()
  const anySignal = AbortSignal.any([signal, decided.signal])
  const pending = new Set<Promise<void>>()
  let opened: Connection | undefined
  let failure: unknown = new Error('the database URL does not name a host')

  async function attempt(index: number): Promise<void> {
    try {
      const connection = await open(places[index]!, anySignal)
      if (opened) return connection.abandon()
      opened = connection
      writableHosts.set(key, index)
    } catch (error) {
      failure = error
    }
  }

  const order = [known, ...places.keys().filter((index) => index !== known)]
  for (const index of order) {
    const attempting = attempt(index).finally(() => pending.delete(attempting))
    pending.add(attempting)
    const delay = wait(nextHostDelay, undefined, { signal: decided.signal }).catch(() => {})
    await Promise.race([...pending, delay])
    if (opened || signal.aborted) break
  }
  while (!opened && pending.size > 0) await Promise.race(pending)
  decided.abort()
  if (opened) return opened
  signal.throwIfAborted()
  throw failure
}

/** Returns the index of the host that last accepted writes. */
export function writableHostIndex(places: Place[]): number {
  return writableHosts.get(keyOf(places)) ?? 0
}

function keyOf(places: Place[]): string {
  return places.map(({ host, port }) => `${host}:${port}`).join()
}
