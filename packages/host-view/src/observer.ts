import type { LaunchMark } from '@souk/contract/inspection'
import type { BarEvent } from '@souk/shell/host'

/** Watches a mini app for an inspector. `createInspection` makes one. */
export interface MiniAppObserver {
  /** Called when a document of the mini app starts. */
  onStart(): void
  onMark(mark: LaunchMark, time: number): void
  /** Called with each valid call of the mini app. Returns a function that takes the outcome. */
  onCall(method: string, params: unknown): (outcome: { result: unknown } | { errMsg: string }) => void
  /** Called with what the user does with the bars. */
  onBarEvent(event: BarEvent): void
  /** Returns the port for the agent in a new document of the mini app. */
  connect(): MessagePort
}
