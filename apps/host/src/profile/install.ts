import { computed, shallowRef } from 'vue'

/** The `BeforeInstallPromptEvent` of Chromium, which TypeScript does not declare. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

const offer = shallowRef<InstallOffer>()

/** True if the browser offers to install the host as an app. */
export const canInstall = computed(() => offer.value !== undefined)

/** Captures the browser's install prompt, which comes early or never. Called once, by App.vue. */
export function awaitInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer.value = event as InstallOffer
  })
  addEventListener('appinstalled', () => {
    offer.value = undefined
  })
}

/** Shows the browser's install prompt; it can be shown only once. */
export async function install(): Promise<void> {
  const prompted = offer.value
  offer.value = undefined
  await prompted?.prompt()
}
