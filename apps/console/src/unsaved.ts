import { onScopeDispose, shallowRef } from 'vue'
import type { Router } from 'vue-router'
import { session } from './session.ts'

const forms = new Set<() => boolean>()
const hasUnsaved = () => [...forms].some((isChanged) => isChanged())

/** Set while the user decides whether to leave a page with unsaved changes. Resolves to true to leave. */
export const leaving = shallowRef<PromiseWithResolvers<boolean>>()

/**
 * Asks before the page is left while a form has unsaved changes. `read` returns the content of the form. Returns a
 * function to call when it has been saved, with the content that was sent: more may have been entered since.
 */
export function useUnsaved<T>(read: () => T): (sent?: T) => void {
  let saved = JSON.stringify(read())
  const isChanged = () => JSON.stringify(read()) !== saved
  forms.add(isChanged)
  onScopeDispose(() => forms.delete(isChanged))
  return (sent = read()) => {
    saved = JSON.stringify(sent)
  }
}

/** Asks whether to discard unsaved changes, if there are any. Resolves to true to discard them. */
export async function mayDiscard(): Promise<boolean> {
  // Without a session nothing can be saved.
  if (!session.value || !hasUnsaved()) return true
  leaving.value?.resolve(false)
  leaving.value = Promise.withResolvers()
  return leaving.value.promise
}

/** Lets the page be left without asking: its form is that of an account that no longer uses this page. */
export function forgetUnsaved(): void {
  forms.clear()
}

/** Asks before navigations and reloads. Call it once. */
export function guardUnsaved(router: Router): void {
  router.beforeEach((to, from) => to.path === from.path || mayDiscard())
  addEventListener('beforeunload', (event) => {
    if (session.value && hasUnsaved()) event.preventDefault()
  })
}
