import { computed, shallowRef } from 'vue'

/** Of browsers that let a page offer its installation; not in the standard library. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

const offer = shallowRef<InstallOffer>()

/** Whether the browser would install the host as an application. */
export const canInstall = computed(() => offer.value !== undefined)

/** Keeps the browser's offer, which comes early or never; called once, by the app. */
export function awaitInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer.value = event as InstallOffer
  })
  addEventListener('appinstalled', () => {
    offer.value = undefined
  })
}

/** Has the browser ask whether to install; it may be asked once. */
export async function install(): Promise<void> {
  const asked = offer.value
  offer.value = undefined
  await asked?.prompt()
}
