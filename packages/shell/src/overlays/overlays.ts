import { type MapTiles, toastLimits } from '@souk/contract/bridge'
import { createApp, reactive, shallowReactive } from 'vue'
import type { Device, Overlays } from '../host.ts'
import { capsuleKey } from './dialog.ts'
import './overlays.css'
import OverlayStack from './OverlayStack.vue'
import type { ChosenPlace, Dialog, OverlayState, Scan } from './overlayState.ts'

/**
 * Draws overlays into an element: into the page on H5, beside the frame in the host. They are `position: fixed`; a
 * container with `contain: layout` keeps them inside. A toast and a loading indicator replace each other; dialogs
 * queue. An action sheet closed without a choice rejects with `errMsg: 'showActionSheet:fail cancel'`. The keyboard
 * can reach controls in `capsule` while a dialog is open.
 */
export function createOverlays(
  container: HTMLElement,
  device: Device,
  mapTiles?: MapTiles,
  capsule?: HTMLElement | null,
): Overlays & { back(): boolean; stopCamera(): void; hold(isHeld: boolean): void; close(): void } {
  const state: OverlayState = reactive({
    toast: null,
    loading: null,
    dialogs: shallowReactive([]),
    preview: null,
    place: null,
    isHeld: false,
  })
  /** Settles when overlays may be drawn. */
  let released = Promise.resolve()
  let release = () => {}
  const element = container.appendChild(document.createElement('div'))
  const app = createApp(OverlayStack, { state, device, mapTiles })
  if (capsule) app.provide(capsuleKey, capsule)
  app.mount(element)
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function hideToast(): void {
    clearTimeout(timer)
    state.toast = null
  }

  /** Queues a dialog and removes it when it is answered. */
  async function openDialog<Answer>(dialog: (answer: (value: Answer) => void) => Dialog): Promise<Answer> {
    await released
    return new Promise<Answer>((resolve) => {
      const added = dialog((value) => {
        const place = state.dialogs.indexOf(added)
        if (place >= 0) state.dialogs.splice(place, 1)
        resolve(value)
      })
      state.dialogs.push(added)
    })
  }

  /** Answers a dialog as if the user had closed it. */
  function cancel(dialog: Dialog): void {
    if (dialog.kind === 'modal') dialog.answer({ confirm: false, cancel: true })
    else if (dialog.kind === 'actionSheet') dialog.answer(undefined)
    else dialog.answer({ reason: 'cancel' })
  }

  function cancelAll(kind: Dialog['kind']): void {
    for (const dialog of [...state.dialogs]) if (dialog.kind === kind) cancel(dialog)
  }

  const stopCamera = () => cancelAll('scanner')

  /** Cancels dialogs, also those that were requested before and wait to be drawn. */
  async function hide(kind: Dialog['kind']): Promise<object> {
    await released
    cancelAll(kind)
    return {}
  }

  return {
    async showToast(params) {
      hideToast()
      state.loading = null
      state.toast = params
      timer = setTimeout(hideToast, Math.min(params.duration, toastLimits.duration))
      return {}
    },
    async hideToast() {
      hideToast()
      return {}
    },
    async showLoading(params) {
      hideToast()
      state.loading = params
      return {}
    },
    async hideLoading() {
      state.loading = null
      return {}
    },
    showModal: (params) => openDialog((answer) => ({ id: ++count, kind: 'modal', params, answer })),
    hideModal: () => hide('modal'),
    async showActionSheet(params) {
      const tapIndex = await openDialog<number | undefined>((answer) => ({
        id: ++count,
        kind: 'actionSheet',
        params,
        answer,
      }))
      if (tapIndex !== undefined) return { tapIndex }
      throw failure('showActionSheet:fail cancel')
    },
    hideActionSheet: () => hide('actionSheet'),
    async scanCode(params) {
      const scanned = await openDialog<Scan | { reason: string }>((answer) => ({
        id: ++count,
        kind: 'scanner',
        params,
        answer,
      }))
      if ('result' in scanned) return { ...scanned, charSet: 'UTF-8' }
      throw failure(`scanCode:fail ${scanned.reason}`)
    },
    async previewImage(params) {
      await released
      state.preview = params
      return {}
    },
    async closePreviewImage() {
      await released
      state.preview = null
      return {}
    },
    async openLocation(params) {
      await released
      state.place = params
      return {}
    },
    async chooseLocation(params) {
      const chosen = await openDialog<ChosenPlace | { reason: string }>((answer) => ({
        id: ++count,
        kind: 'place',
        params,
        answer,
      }))
      if ('latitude' in chosen) return chosen
      throw failure(`chooseLocation:fail ${chosen.reason}`)
    },
    /** Closes what is drawn on top, for the system's back button. Returns false if there is nothing. */
    back() {
      if (state.place) {
        state.place = null
        return true
      }
      const [dialog] = state.dialogs
      if (dialog) {
        // Without a cancel button there is only one answer.
        if (dialog.kind !== 'modal' || dialog.params.showCancel) cancel(dialog)
        return true
      }
      const isPreviewed = state.preview !== null
      state.preview = null
      return isPreviewed
    },
    /** Closes the camera, which must not see anything while the user does not see it. */
    stopCamera,
    /**
     * Hides the overlays while the host asks the user something, and lets new ones wait that take the focus. The camera
     * is closed.
     */
    hold(isHeld) {
      if (isHeld === state.isHeld) return
      state.isHeld = isHeld
      if (isHeld) {
        stopCamera()
        released = new Promise((resolve) => {
          release = resolve
        })
      } else release()
    },
    close() {
      clearTimeout(timer)
      app.unmount()
      element.remove()
    },
  }
}

const failure = (errMsg: string) => Object.assign(new Error(errMsg), { errMsg })
