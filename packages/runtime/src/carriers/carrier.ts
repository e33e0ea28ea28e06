import type { BridgeMethods, DomainRules, HostApplication, MapTiles, Referrer } from '@souk/contract/bridge'
import type { Bars, PageBars } from '@souk/shell/bars'
import type { BarEvent, Device } from '@souk/shell/host'

/**
 * The platform below the runtime. On H5 the app runs in its own page, which draws bars and overlays beside the
 * pages. On App and Mini App it runs in a frame, whose host draws them and does what a frame may not. This folder has
 * one implementation of each.
 */
export interface Carrier {
  readonly kind: 'page' | 'frame'
  /** Reactive: changes with the window or the device. */
  readonly device: Device
  /**
   * Draws the bars of the page on top. The runtime calls it when any of their values changes, at most once per tick,
   * always with the complete state. On H5, only with that of `PageBars`.
   */
  showBars(bars: PageBars | Bars): void
  /** Called when the user acts on the bars. The runtime sets it. */
  onBarEvent: (event: BarEvent) => void
  /**
   * Calls a method of the host and rejects with an `ApiError` if the host refuses. On H5 there is no host: the page
   * draws overlays, the development server provides a host for the other methods, and in a release they reject.
   */
  call<M extends keyof BridgeMethods>(
    method: M,
    params: BridgeMethods[M]['params'],
  ): Promise<BridgeMethods[M]['result']>
  /**
   * The first page: taken from the document's address on H5, sent by the host in a frame. Undefined means the launch
   * page.
   */
  readonly start: { path: string; query: Record<string, string> } | undefined
  /** The mini app that has opened this one. Not set on H5. */
  readonly referrer?: Referrer | undefined
  /** Set if the user has opened a card. Not set on H5. */
  readonly card?: { extraData?: string } | undefined
  /** Set in a frame if the host says. */
  readonly host?: HostApplication | undefined
  /** The app's id at the host's Souk server. Not set on H5. */
  readonly appid?: string
  /** Set in a frame if the host knows them. */
  readonly domainRules?: DomainRules | undefined
  /** Undefined if no server is configured. */
  readonly mapTiles?: MapTiles | undefined
  /** True in a frame whose host wants to know what happens. */
  readonly collectsEvents?: boolean
  /** The app's storage. Not set on H5, where `neu` opens that of the browser when it is first used. */
  readonly storage?: CarrierStorage
  /** Reactive: addresses in this document of the files that the app keeps, by path, once they are read. */
  readonly fileAddresses: Map<string, string>
  /** False while the host hides the app, which it may do before the app has started. Not set on H5. */
  readonly isVisible?: boolean
  /** Called when the app is hidden or shown again. The runtime sets it. */
  onVisibilityChange: (visible: boolean) => void
}

/** The carrier of App and Mini App. */
export type FrameCarrier = Carrier & { readonly storage: CarrierStorage }

/**
 * The storage of one app: strings by key, which `neu.setStorage` encodes. Synchronous, because the `…Sync` functions
 * are.
 */
export interface CarrierStorage {
  get(key: string): string | undefined
  /** Throws if the entry exceeds a limit. */
  set(key: string, text: string): void
  remove(key: string): void
  clear(): void
  keys(): string[]
  /** Size of all keys and values in bytes. */
  size(): number
}
