import { embedVersion } from '@souk/contract/embed'

/** Kinds of channels to the application, in the order in which they are looked for. */
export type ChannelKind = 'webkit' | 'soukHost' | 'reactNative' | 'frame'

/** Carries messages as text between the page and the application around it. */
export interface Channel {
  kind: ChannelKind
  send(text: string): void
}

interface Poster {
  postMessage(text: string): void
}
interface ListenerObject extends Poster {
  /** Android delivers answers here. Flutter's channel has only `postMessage`. */
  onmessage?: ((event: { data: unknown }) => void) | null
}

/** Globals that web views add to the page, and those that they call. */
interface WebViewWindow {
  webkit?: { messageHandlers?: { soukHost?: Poster } }
  soukHost?: ListenerObject
  ReactNativeWebView?: Poster
  souk?: { receive(text: unknown): void }
}

/**
 * Finds the channel to the application, and passes what arrives to `receive`.
 *
 * @returns undefined if the page is open in a browser, outside of an application
 */
export function openChannel(receive: (text: string) => void): Channel | undefined {
  const native = window as unknown as WebViewWindow
  native.souk = { receive: (text) => receive(String(text)) }
  const { soukHost, ReactNativeWebView } = native
  const handler = native.webkit?.messageHandlers?.soukHost
  if (handler) return { kind: 'webkit', send: (text) => handler.postMessage(text) }
  if (soukHost) {
    soukHost.onmessage = ({ data }) => receive(String(data))
    return { kind: 'soukHost', send: (text) => soukHost.postMessage(text) }
  }
  if (ReactNativeWebView) return { kind: 'reactNative', send: (text) => ReactNativeWebView.postMessage(text) }
  return window.parent === window ? undefined : openPort(receive)
}

/** Opens a channel to the parent, which is allowed: the page's policy restricts who can frame it (ADR 339). */
function openPort(receive: (text: string) => void): Channel {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => receive(String(data))
  window.parent.postMessage({ souk: 'embed', version: embedVersion }, '*', [port2])
  return { kind: 'frame', send: (text) => port1.postMessage(text) }
}
