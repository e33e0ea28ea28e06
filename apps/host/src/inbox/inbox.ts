import { asProblem, type Problem } from '@souk/web'
import { computed, ref, shallowRef, watch } from 'vue'
import { call } from '../api/client.ts'
import { onServerEvent } from '../api/events.ts'
import { user } from '../api/session.ts'
import { type InboxItem, mergeNewest } from './inboxItems.ts'

/** Page size of the server. */
const pageSize = 50

/** Notifications loaded from the server, newest first; undefined until then. */
export const notifications = shallowRef<readonly InboxItem[]>()
export const inboxProblem = shallowRef<Problem>()
/** True if there may be older notifications on the server. */
export const hasOlder = ref(false)
export const unread = computed(() => notifications.value?.filter(({ read }) => !read).length ?? 0)
/** True if notifications that are not loaded may be unread. */
export const hasMoreUnread = computed(() => hasOlder.value && notifications.value?.at(-1)?.read === false)
/** The notification that has just arrived, until it is dismissed. */
export const incoming = shallowRef<InboxItem>()

/** Keeps the inbox in sync with the server for the signed-in user. Called once, by App.vue. */
export function startInboxSync(): void {
  watch(
    () => user.value?.uid,
    () => {
      notifications.value = undefined
      incoming.value = undefined
      hasOlder.value = false
      inboxProblem.value = undefined
      void readNewest()
    },
    { immediate: true },
  )
  onServerEvent('notification', (id) => void readNewest(id))
}

/** Loads the newest notifications. `id` is the one that has just arrived, if any. */
export async function readNewest(id?: string): Promise<void> {
  if (!user.value) return
  try {
    const newest = await call('inbox')
    const loaded = notifications.value ?? []
    notifications.value = mergeNewest(loaded, newest)
    // Nothing was merged behind the newest page, so older ones must be loaded again.
    if (notifications.value === newest) hasOlder.value = newest.length === pageSize
    inboxProblem.value = undefined
    if (id !== undefined) incoming.value = newest.find(({ notificationId }) => notificationId === id)
  } catch (error) {
    inboxProblem.value = asProblem(error)
  }
}

/** Loads the next page of older notifications. @throws Problem */
export async function readOlder(): Promise<void> {
  const before = notifications.value?.at(-1)?.notificationId
  const older = await call('inbox', before === undefined ? {} : { before })
  if (notifications.value?.at(-1)?.notificationId !== before) return
  notifications.value = [...(notifications.value ?? []), ...older]
  hasOlder.value = older.length === pageSize
}

/** Marks notifications as read, locally first and then on the server. @throws Problem */
export async function markRead(read: readonly InboxItem[]): Promise<void> {
  const ids = new Set(read.filter((one) => !one.read).map(({ notificationId }) => notificationId))
  notifications.value = notifications.value?.map((one) => (ids.has(one.notificationId) ? { ...one, read: true } : one))
  if (incoming.value && ids.has(incoming.value.notificationId)) incoming.value = undefined
  await Promise.all([...ids].map((notificationId) => call('markRead', { notificationId })))
}

/** Marks all as read, loading older pages while they contain unread notifications. @throws Problem */
export async function markAllRead(): Promise<void> {
  for (;;) {
    const hasMore = hasMoreUnread.value
    await markRead(notifications.value ?? [])
    if (!hasMore) return
    await readOlder()
  }
}
