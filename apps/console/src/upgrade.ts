import { ref } from 'vue'
import type { Router } from 'vue-router'
import { useCommon } from './i18n/index.ts'
import { toast } from './toasts.ts'

/** True once the server has sent a response of another build of the console than that of this page. */
export const isUpgraded = ref(false)

/** Compares the build of the server with that of this page. */
export function compareBuild({ headers }: Response): void {
  const served = headers.get('x-souk-console')
  // The development server has no builds.
  isUpgraded.value ||= import.meta.env.PROD && served !== null && served !== findEntry()
}

/**
 * Loads the target page from the server if its code is missing after an upgrade. If the server has the same build, or
 * does not respond, the navigation fails with a message. So a page reloads at most once.
 */
export function reloadAfterUpgrade(router: Router): void {
  router.onError(async (error: Error, to) => {
    if (!/imported module|Importing a module|Unable to load/.test(error.message)) throw error
    if (await servesOtherBuild()) location.assign(router.resolve(to).href)
    else toast(useCommon()('problems.unreachable'), 'error')
  })
}

/** Returns whether the server sends a page that starts with other scripts than this one. */
async function servesOtherBuild(): Promise<boolean> {
  const entry = findEntry()
  const page = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).then(
    (response) => (response.ok ? response.text() : undefined),
    () => undefined,
  )
  return page !== undefined && entry != null && !page.includes(entry)
}

/** Returns the script that this page has started with. Its name changes with each build. */
function findEntry(): string | null | undefined {
  return document.querySelector('script[type=module][src]')?.getAttribute('src')
}
