import { createApp, reactive, shallowReactive } from 'vue'
import type { Device, Overlays } from '../../carrier.ts'
import { besideKey } from './dialog.ts'
import './overlays.css'
import OverlayStack from './OverlayStack.vue'
import type { Dialog, Shown } from './overlayState.ts'

/**
 * Draws overlays into an element: into the page on H5, beside the frame in the host. They are `position: fixed`; an element with `contain: layout`
 * keeps them to itself. A toast takes the place of a loading sign and the other way round; modals and action sheets come one after
 * the other. An action sheet that is left without a choice rejects with `errMsg: 'showActionSheet:fail cancel'`. What is in `beside` can be reached by the
 * keyboard while a dialog is there.
 */
export function createOverlays(
  container: HTMLElement,
  device: Device,
  beside?: HTMLElement | null,
): Overlays & { close(): void } {
  const shown: Shown = reactive({ toast: null, loading: null, dialogs: shallowReactive([]), preview: null })
  const element = container.appendChild(document.createElement('div'))
  const app = createApp(OverlayStack, { shown, device })
  if (beside) app.provide(besideKey, beside)
  app.mount(element)
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function hideToast(): void {
    clearTimeout(timer)
    shown.toast = null
  }

  /** Adds a dialog and takes it away when it has its answer, of which there is only one. */
  const ask = <Answer>(dialog: (answer: (value: Answer) => void) => Dialog) =>
    new Promise<Answer>((resolve) => {
      const added = dialog((value) => {
        const place = shown.dialogs.indexOf(added)
        if (place >= 0) shown.dialogs.splice(place, 1)
        resolve(value)
      })
      shown.dialogs.push(added)
    })

  return {
    async showToast(params) {
      hideToast()
      shown.loading = null
      shown.toast = params
      timer = setTimeout(hideToast, params.duration)
      return {}
    },
    async hideToast() {
      hideToast()
      return {}
    },
    async showLoading(params) {
      hideToast()
      shown.loading = params
      return {}
    },
    async hideLoading() {
      shown.loading = null
      return {}
    },
    showModal: (params) => ask((answer) => ({ id: ++count, kind: 'modal', params, answer })),
    async showActionSheet(params) {
      const tapIndex = await ask<number | undefined>((answer) => ({ id: ++count, kind: 'actionSheet', params, answer }))
      if (tapIndex !== undefined) return { tapIndex }
      const errMsg = 'showActionSheet:fail cancel'
      throw Object.assign(new Error(errMsg), { errMsg })
    },
    async previewImage(params) {
      shown.preview = params
      return {}
    },
    close() {
      clearTimeout(timer)
      app.unmount()
      element.remove()
    },
  }
}
