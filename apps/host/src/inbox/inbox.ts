import { asProblem, type Problem } from '@souk/web'
import { computed, ref, shallowRef, watch } from 'vue'
import { call } from '../api/client.ts'
import { onNews } from '../api/events.ts'
import { user } from '../api/session.ts'
import { type InboxItem, withNewest } from './inboxItems.ts'

/** How many the server gives at a time. */
const pageSize = 50

/** The notifications of the user that have been read from the server, newest first; undefined before. */
export const notifications = shallowRef<readonly InboxItem[]>()
export const inboxProblem = shallowRef<Problem>()
/** Whether there may be older ones. */
export const hasOlder = ref(false)
export const unread = computed(() => notifications.value?.filter(({ read }) => !read).length ?? 0)
/** Whether more may be unread than is known here. */
export const hasMoreUnread = computed(() => hasOlder.value && notifications.value?.at(-1)?.read === false)
/** The one that has just arrived. */
export const arrived = shallowRef<InboxItem>()

/** Keeps the inbox as it is at the server, for whoever is signed in; called once, by the app. */
export function followInbox(): void {
  watch(
    () => user.value?.uid,
    () => {
      notifications.value = undefined
      arrived.value = undefined
      hasOlder.value = false
      inboxProblem.value = undefined
      void readNewest()
    },
    { immediate: true },
  )
  onNews('notification', (id) => void readNewest(id))
}

/** Reads the newest ones. `id` is of one that has just arrived. */
export async function readNewest(id?: string): Promise<void> {
  const { value: reader } = user
  if (!reader) return
  try {
    const newest = await call('inbox')
    if (user.value !== reader) return
    const known = notifications.value ?? []
    notifications.value = withNewest(known, newest)
    // Nothing of what was known is left behind the newest page: what is older has to be asked for again.
    if (notifications.value === newest) hasOlder.value = newest.length === pageSize
    inboxProblem.value = undefined
    if (id !== undefined) arrived.value = newest.find(({ notificationId }) => notificationId === id)
  } catch (error) {
    inboxProblem.value = asProblem(error)
  }
}

/** Reads the next older ones. @throws Problem */
export async function readOlder(): Promise<void> {
  const before = notifications.value?.at(-1)?.notificationId
  const older = await call('inbox', before === undefined ? {} : { before })
  if (notifications.value?.at(-1)?.notificationId !== before) return
  notifications.value = [...(notifications.value ?? []), ...older]
  hasOlder.value = older.length === pageSize
}

/** Marks notifications as read: here at once, at the server as soon as it answers. @throws Problem */
export async function markRead(read: readonly InboxItem[]): Promise<void> {
  const ids = new Set(read.filter((one) => !one.read).map(({ notificationId }) => notificationId))
  notifications.value = notifications.value?.map((one) => (ids.has(one.notificationId) ? { ...one, read: true } : one))
  if (arrived.value && ids.has(arrived.value.notificationId)) arrived.value = undefined
  await Promise.all([...ids].map((notificationId) => call('markRead', { notificationId })))
}

/** Marks all as read, also those that are not known yet, as far back as there are unread ones. @throws Problem */
export async function markAllRead(): Promise<void> {
  for (;;) {
    const goesOn = hasMoreUnread.value
    await markRead(notifications.value ?? [])
    if (!goesOn) return
    await readOlder()
  }
}
