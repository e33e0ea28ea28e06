import type { Result } from '../api/client.ts'

export type InboxItem = Result<'inbox'>[number]

/** The inbox after its newest page was read again: older ones that are known stay where they follow without a gap. */
export function withNewest(known: readonly InboxItem[], newest: readonly InboxItem[]): readonly InboxItem[] {
  const last = newest.at(-1)?.notificationId
  const seam = known.findIndex(({ notificationId }) => notificationId === last)
  return seam === -1 ? newest : [...newest, ...known.slice(seam + 1)]
}
