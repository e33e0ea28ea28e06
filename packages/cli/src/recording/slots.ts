import type { CallEntry, RequestEntry } from '@souk/contract/inspection'
import type { ReplayedRequest } from '@souk/vite-plugin'
import { type Likeness, likenesses } from './patterns.ts'

/** Something that was recorded, which a mini app repeats at most once. */
export interface Slot<T> {
  recorded: T
  isUsed: boolean
}

export const slotsOf = <T>(all: readonly T[]): Slot<T>[] => all.map((recorded) => ({ recorded, isUsed: false }))

/** Takes the first that is not used and is the same, or else differs in times and identifiers only. */
export function takeSlot<T>(
  slots: readonly Slot<T>[],
  isSame: (recorded: T, likeness: Likeness) => boolean,
): Slot<T> | undefined {
  for (const likeness of likenesses) {
    const slot = slots.find(({ recorded, isUsed }) => !isUsed && isSame(recorded, likeness))
    if (!slot) continue
    slot.isUsed = true
    return slot
  }
  return undefined
}

export function isSameCall(recorded: CallEntry, method: string, params: unknown, likeness: Likeness): boolean {
  return recorded.method === method && likeness.value(recorded.params, params)
}

export function isSameRequest(recorded: RequestEntry, given: ReplayedRequest, likeness: Likeness): boolean {
  const isSameBody = recorded.body === undefined || likeness.text(recorded.body, given.body ?? '')
  // A body that was too large was not recorded.
  return recorded.method === given.method && isSameAddress(recorded.url, given.url, likeness) && isSameBody
}

/** The backend may have another address in development. */
export function isSameAddress(recorded: string, given: string, likeness: Likeness): boolean {
  const rest = (url: string) => url.replace(/^https?:\/\/[^/?#]*/i, '')
  return likeness.text(recorded, given) || likeness.text(rest(recorded), rest(given))
}
