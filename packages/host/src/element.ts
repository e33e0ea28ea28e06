import { type Connection, connect } from './connection.ts'
import { createAnswers } from './methods.ts'
import type { HostOptions } from './options.ts'
import type { EmbedCard, EmbedEnvironment, EmbedNotifications, EmbedReferrer } from './protocol.generated.ts'

/** Options of `createHost`, which elements read when they load a mini app. */
export interface HostState {
  origin: string
  options: HostOptions
}

/** Events of a mini app; `detail` contains the values. */
export type MiniAppEventMap = { [N in keyof EmbedNotifications]: CustomEvent<EmbedNotifications[N]> }

/** `<souk-mini-app appid page>`: loads the mini app while it is in the document. */
export interface MiniAppElement extends HTMLElement {
  /** Attribute `appid`: the mini app. */
  appid: string
  /** Attribute `page`: a page with its query, such as `pages/order/index?id=1`, or empty for the launch page. */
  page: string
  /** The mini app for which your handler `openMiniApp` shows this one; set it before `appid`. */
  referrer: EmbedReferrer | undefined
  /** A card that your handler `shareMiniApp` got: sets `appid` and `page`, and passes its data to the page. */
  card: EmbedCard | undefined
  /** Goes back by one page. On its first page the mini app leaves, with `close`. Returns false if none is running. */
  back(): Promise<boolean>
  addEventListener<N extends keyof MiniAppEventMap>(
    type: N,
    listener: (this: MiniAppElement, event: MiniAppEventMap[N]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

export const tagName = 'souk-mini-app'

/** Time between the load of the frame and the first message of the page. */
const helloTimeout = 10_000

const features = 'camera; microphone; geolocation; clipboard-write; web-share; fullscreen'
const styles = `
:host { display: block; block-size: 100%; min-block-size: 30rem }
:host([hidden]) { display: none }
iframe { display: block; inline-size: 100%; block-size: 100%; min-block-size: inherit; border: 0 }
`

/** Elements that are in the document, to pass changes of the environment to. */
const connected = new Set<{ connection: Connection | undefined }>()

export function notifyEnvironment(changed: EmbedEnvironment): void {
  for (const { connection } of connected) connection?.notify('environment', changed)
}

/**
 * Defines the element. Its class is created here and not in the module, because Node has no HTMLElement: so the package
 * can be imported where pages are rendered on a server.
 */
export function defineElement(currentHost: () => HostState): void {
  if (typeof customElements === 'undefined' || customElements.get(tagName)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)

  class SoukMiniApp extends HTMLElement {
    static readonly observedAttributes = ['appid', 'page']
    connection: Connection | undefined
    referrer: EmbedReferrer | undefined
    #card: EmbedCard | undefined
    #frame: HTMLIFrameElement | undefined
    #origin = ''
    #answer: ((method: string, params: unknown) => Promise<unknown>) | undefined
    #helloTimer: ReturnType<typeof setTimeout> | undefined
    #isVisible = true
    #isChanging = false
    // An element without a size is hidden.
    readonly #sizes = new ResizeObserver(() => this.#showVisibility())

    constructor() {
      super()
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet]
    }

    get appid(): string {
      return this.getAttribute('appid') ?? ''
    }
    set appid(value: string) {
      this.setAttribute('appid', value)
    }
    get page(): string {
      return this.getAttribute('page') ?? ''
    }
    set page(value: string) {
      this.setAttribute('page', value)
    }

    get card(): EmbedCard | undefined {
      return this.#card
    }
    set card(card: EmbedCard | undefined) {
      this.#card = card
      if (!card) return
      this.appid = card.appid
      this.page = card.path
      this.#loadAgain()
    }

    async back(): Promise<boolean> {
      const { isHandled } = (await this.connection?.call('back', {})) ?? { isHandled: false }
      return isHandled
    }

    connectedCallback(): void {
      connected.add(this)
      addEventListener('message', this.#onMessage)
      this.#sizes.observe(this)
      this.#load()
    }

    disconnectedCallback(): void {
      connected.delete(this)
      removeEventListener('message', this.#onMessage)
      this.#sizes.disconnect()
      this.#unload()
    }

    attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
      if (before !== after) this.#loadAgain()
    }

    /** Loads the mini app once if several attributes change in one tick. */
    #loadAgain(): void {
      if (!this.isConnected || this.#isChanging) return
      this.#isChanging = true
      queueMicrotask(() => {
        this.#isChanging = false
        if (!this.isConnected) return
        this.#unload()
        this.#load()
      })
    }

    #load(): void {
      if (this.appid === '' || this.#frame) return
      if (!/^[a-z][a-z0-9]{14}$/.test(this.appid)) {
        throw new TypeError(
          `<${tagName}>: appid must be 15 lowercase letters and digits, the first a letter; it is ${this.appid}.`,
        )
      }
      const { origin, options } = currentHost()
      this.#origin = origin
      this.#answer = createAnswers(options, () => this.referrer)
      const url = new URL(`/host/embed/${this.appid}`, origin)
      if (this.page) url.searchParams.set('page', this.page)
      // The attributes may have changed since.
      if (this.#card?.appid === this.appid && this.#card.path === this.page) {
        url.searchParams.set('from', 'card')
        url.searchParams.set('extraData', this.#card.extraData)
      }
      const frame = document.createElement('iframe')
      frame.title = 'Mini app'
      frame.allow = features
      frame.src = url.href
      // Browsers fire this event also for a page that may not be framed.
      frame.onload = () => this.#expectHello()
      this.#frame = frame
      this.shadowRoot?.append(frame)
    }

    #unload(): void {
      clearTimeout(this.#helloTimer)
      this.connection?.close()
      this.connection = undefined
      this.#frame?.remove()
      this.#frame = undefined
    }

    #expectHello(): void {
      if (this.connection) return
      clearTimeout(this.#helloTimer)
      this.#helloTimer = setTimeout(() => {
        const message =
          `${this.#origin} did not answer. Check that it runs, and that the platform settings in its console ` +
          `allow the origin ${location.origin}.`
        console.error(`<${tagName}>: ${message}`)
        this.#emit('failed', { code: 'unreachable', message })
      }, helloTimeout)
    }

    readonly #onMessage = ({ source, origin, data, ports: [port] }: MessageEvent<unknown>) => {
      if (!this.#frame || source !== this.#frame.contentWindow || origin !== this.#origin || !port) return
      if ((Object(data) as { souk?: unknown }).souk !== 'embed' || !this.#answer) return
      clearTimeout(this.#helloTimer)
      // A page that was loaded again sends a new port.
      this.connection?.close()
      this.#isVisible = true
      this.connection = connect(port, this.#answer, (name, params) => this.#emit(name, params))
      this.#showVisibility()
    }

    #emit<N extends keyof EmbedNotifications>(name: N, detail: EmbedNotifications[N]): void {
      if (name === 'ready' && this.#frame) this.#frame.title = String((detail as EmbedNotifications['ready']).name)
      this.dispatchEvent(new CustomEvent(name, { detail }))
    }

    #showVisibility(): void {
      const isVisible = this.offsetWidth > 0 && this.offsetHeight > 0
      if (isVisible === this.#isVisible || !this.connection) return
      this.#isVisible = isVisible
      this.connection.notify('visibility', { isVisible })
    }
  }

  customElements.define(tagName, SoukMiniApp)
}
