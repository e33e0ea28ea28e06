import type { Result } from '../api/client.ts'

export type InboxItem = Result<'inbox'>[number]

/** Merges the newest page into the loaded items. Older items are dropped if there may be a gap between them. */
export function mergeNewest(loaded: readonly InboxItem[], newest: readonly InboxItem[]): readonly InboxItem[] {
  const last = newest.at(-1)?.notificationId
  const overlap = loaded.findIndex(({ notificationId }) => notificationId === last)
  return overlap === -1 ? newest : [...newest, ...loaded.slice(overlap + 1)]
}
