import { computed, ref, watch } from 'vue'
import type { Router } from 'vue-router'
import { scriptOf } from './i18n/script.ts'
import { arrived } from './inbox/inbox.ts'
import type { InboxItem } from './inbox/inboxItems.ts'
import { toNotified } from './messageRoutes.ts'

const remembered = 'souk.host.systemNotifications'

/** What the browser allows; undefined where it has no notifications. */
const permission = ref(typeof Notification === 'undefined' ? undefined : Notification.permission)
const wanted = ref(localStorage.getItem(remembered) === 'on')

/** Whether notifications are shown by the system while nobody looks at the host: `denied` is the browser's word, which only its settings change. */
export const systemNotifications = computed(() => {
  if (permission.value === undefined || !('serviceWorker' in navigator)) return 'unsupported'
  if (permission.value === 'denied') return 'denied'
  return permission.value === 'granted' && wanted.value ? 'on' : 'off'
})

/** Switches them on, for which the browser may ask, or off. */
export async function setSystemNotifications(on: boolean): Promise<void> {
  if (on && permission.value === 'default') permission.value = await Notification.requestPermission()
  wanted.value = on
  localStorage.setItem(remembered, on ? 'on' : 'off')
}

/** Registers the service worker and shows what arrives while nobody looks; called once, by the app. */
export function followNotifications(router: Router): void {
  if (!('serviceWorker' in navigator)) return
  void navigator.serviceWorker.register(`${import.meta.env.BASE_URL}service-worker.js`).catch(console.warn)
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open) void router.push(data.open)
  })
  watch(arrived, (notification) => {
    if (notification && !document.hasFocus() && systemNotifications.value === 'on') void show(notification, router)
  })
}

async function show(notification: InboxItem, router: Router): Promise<void> {
  const registration = await navigator.serviceWorker.ready
  const { lang, dir } = scriptOf(notification.language)
  await registration.showNotification(notification.title, {
    body: notification.text,
    icon: `${import.meta.env.BASE_URL}icon-192.png`,
    // Several windows of the host show it once.
    tag: notification.notificationId,
    lang,
    dir,
    data: { open: router.resolve(toNotified(notification)).fullPath },
  })
}
