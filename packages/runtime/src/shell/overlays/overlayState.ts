import type { BridgeMethods } from '@souk/contract/bridge'

type Params<M extends keyof BridgeMethods> = BridgeMethods[M]['params']

/** What waits for an answer. */
export type Dialog = { id: number } & (
  | { kind: 'modal'; params: Params<'showModal'>; answer: (result: BridgeMethods['showModal']['result']) => void }
  /** Undefined where nothing was chosen. */
  | { kind: 'actionSheet'; params: Params<'showActionSheet'>; answer: (tapIndex: number | undefined) => void }
)

/** What is shown now. */
export interface OverlayState {
  toast: Params<'showToast'> | null
  loading: Params<'showLoading'> | null
  /** Only the first one is to be seen. */
  dialogs: Dialog[]
  preview: Params<'previewImage'> | null
}
