import { readStored, writeStored } from '@souk/web'
import { computed, ref, watch } from 'vue'
import type { Router } from 'vue-router'
import { user } from './api/session.ts'
import { scriptOf } from './i18n/script.ts'
import { incoming } from './inbox/inbox.ts'
import type { InboxItem } from './inbox/inboxItems.ts'
import { notificationRoute } from './messageRoutes.ts'

const storageKey = 'souk.host.systemNotifications'

/** Permission granted by the browser; undefined if it does not support notifications. */
const permission = ref(typeof Notification === 'undefined' ? undefined : Notification.permission)
const wanted = ref(readStored(storageKey) === 'on')

/** State of the system notifications. `denied` can only be changed in the browser's settings. */
export const systemNotifications = computed(() => {
  if (permission.value === undefined || !('serviceWorker' in navigator)) return 'unsupported'
  if (permission.value === 'denied') return 'denied'
  return permission.value === 'granted' && wanted.value ? 'on' : 'off'
})

/** Turns system notifications on or off. Turning them on may open a permission prompt. */
export async function setSystemNotifications(on: boolean): Promise<void> {
  if (on && permission.value === 'default') permission.value = await Notification.requestPermission()
  wanted.value = on
  writeStored(storageKey, on ? 'on' : 'off')
}

/**
 * Registers the service worker and shows notifications that arrive while the host is not focused, until their user
 * signs out. Called once, by App.vue.
 */
export function startSystemNotifications(router: Router): void {
  if (!('serviceWorker' in navigator)) return
  void navigator.serviceWorker.register(`${import.meta.env.BASE_URL}service-worker.js`).catch(console.warn)
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open) void router.push(data.open)
  })
  watch(incoming, (notification) => {
    if (notification && !document.hasFocus() && systemNotifications.value === 'on') void show(notification, router)
  })
  watch(
    () => user.value?.uid,
    () => void closeAll(),
  )
}

async function closeAll(): Promise<void> {
  const registration = await navigator.serviceWorker.ready
  for (const notification of await registration.getNotifications()) notification.close()
}

async function show(notification: InboxItem, router: Router): Promise<void> {
  const registration = await navigator.serviceWorker.ready
  const { lang, dir } = scriptOf(notification.language)
  await registration.showNotification(notification.title, {
    body: notification.text,
    icon: `${import.meta.env.BASE_URL}icon-192.png`,
    // Prevents duplicates from several windows of the host.
    tag: notification.notificationId,
    lang,
    dir,
    data: { open: router.resolve(notificationRoute(notification)).fullPath },
  })
}
