import type { Router } from 'vue-router'
import { useCommon } from './i18n/index.ts'
import { toast } from './toasts.ts'

/**
 * Loads the target page from the server if its code is missing after an upgrade. If the server has the same build, or
 * does not respond, the navigation fails with a message. So a page reloads at most once.
 */
export function reloadAfterUpgrade(router: Router): void {
  router.onError(async (error: Error, to) => {
    if (!/imported module|Importing a module|Unable to load/.test(error.message)) throw error
    if (await isUpgraded()) location.assign(router.resolve(to).href)
    else toast(useCommon()('problems.unreachable'), 'error')
  })
}

/** Returns whether the server sends a page that starts with other scripts than this one. */
async function isUpgraded(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src')
  const page = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).then(
    (response) => (response.ok ? response.text() : undefined),
    () => undefined,
  )
  return page !== undefined && entry != null && !page.includes(entry)
}
