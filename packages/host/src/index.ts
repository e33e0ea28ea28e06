import { defineElement, type HostState, type MiniAppElement, notifyEnvironment, type tagName } from './element.ts'
import { checkOptions, type HostOptions } from './options.ts'
import type { EmbedEnvironment } from './protocol.generated.ts'

export type { MiniAppElement, MiniAppEventMap } from './element.ts'
export { Failure, Refusal } from './methods.ts'
export type { HostFunctions, HostHandlers, HostOptions, HostStorage } from './options.ts'
export type {
  EmbedApplication,
  EmbedCard,
  EmbedEnvironment,
  EmbedHandler,
  EmbedInsets,
  EmbedReferrer,
} from './protocol.generated.ts'

declare global {
  interface HTMLElementTagNameMap {
    [tagName]: MiniAppElement
  }
}

export interface Host {
  /** Changes language, theme or insets of all mini apps; the other fields stay as they are. */
  setEnvironment(changed: EmbedEnvironment): void
}

let current: HostState

/**
 * Configures `<souk-mini-app>` and defines it. Elements that are already in the document load their mini apps now. If
 * it is called again, for example because another user has signed in, the new options apply to elements that are
 * added afterwards.
 *
 * Without a `document`, it checks the options only.
 * @throws TypeError if an option is invalid
 */
export function createHost(options: HostOptions): Host {
  const state: HostState = { origin: checkOptions(options), options: { ...options } }
  current = state
  defineElement(() => current)
  return {
    setEnvironment(changed) {
      state.options.environment = { ...state.options.environment, ...changed }
      notifyEnvironment(changed)
    },
  }
}
