import type { BridgeMethods } from '@souk/contract/bridge'

type Params<M extends keyof BridgeMethods> = BridgeMethods[M]['params']

/** A dialog that waits for an answer. */
export type Dialog = { id: number } & (
  | { kind: 'modal'; params: Params<'showModal'>; answer: (result: BridgeMethods['showModal']['result']) => void }
  /** Answered with undefined if nothing was chosen. */
  | { kind: 'actionSheet'; params: Params<'showActionSheet'>; answer: (tapIndex: number | undefined) => void }
  /** Answered with the reason if nothing was scanned. */
  | { kind: 'scanner'; params: Params<'scanCode'>; answer: (scanned: Scan | { reason: string }) => void }
  /** Answered with the reason if nothing was chosen. */
  | { kind: 'place'; params: Params<'chooseLocation'>; answer: (chosen: ChosenPlace | { reason: string }) => void }
)

/** The text of a code and its type, such as QR_CODE. */
export interface Scan {
  result: string
  scanType: string
}

export type ChosenPlace = BridgeMethods['chooseLocation']['result']

/** The overlays to show. */
export interface OverlayState {
  toast: Params<'showToast'> | null
  loading: Params<'showLoading'> | null
  /** Only the first one is visible. */
  dialogs: Dialog[]
  preview: Params<'previewImage'> | null
  place: Params<'openLocation'> | null
  /** True while nothing is visible. */
  isHeld: boolean
}
