import { onScopeDispose, type Ref, ref, shallowRef, watch } from 'vue'
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
  return track(read).markSaved
}

function track<T>(read: () => T) {
  let saved = JSON.stringify(read())
  const isChanged = () => JSON.stringify(read()) !== saved
  forms.add(isChanged)
  onScopeDispose(() => forms.delete(isChanged))
  return {
    isChanged,
    markSaved(sent = read()) {
      saved = JSON.stringify(sent)
    },
  }
}

/** Content of a form that starts with stored data. */
interface Draft<Stored, Content> {
  content: Ref<Content>
  /** The data that the content started with. If others are stored now, someone else has saved them. */
  basis: () => Stored
  /** Call when the content has been saved. */
  markSaved: () => void
}

/**
 * Returns the content of a form, which `read` makes of what is stored. It starts again when that changes, but keeps
 * what was entered. Asks before the page is left, like `useUnsaved`.
 */
export function useDraft<Stored, Content>(
  stored: () => Stored,
  read: (stored: Stored) => Content,
): Draft<Stored, Content> {
  let basis = stored()
  const content = ref(read(basis)) as Ref<Content>
  const { isChanged, markSaved } = track(() => content.value)
  watch(stored, (now) => {
    if (isChanged()) return
    basis = now
    content.value = read(now)
    markSaved()
  })
  return { content, basis: () => basis, markSaved: () => markSaved() }
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
