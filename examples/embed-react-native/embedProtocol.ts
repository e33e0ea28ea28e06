/** A call of the page: its parameters by name. */
export type Params = Record<string, unknown>

/** Thrown by a handler if the user or the application declines. The mini app gets the message. */
export class Refusal extends Error {}

interface Options {
  /** Returns a session of the user. */
  getSession(): Promise<string>
  /** Handlers of the application that replace the page's, by method name. */
  handlers: Record<string, (params: Params) => object | Promise<object>>
  /** Gets ready, failed, close and appearance. */
  onNotification(name: string, params: Params): void
  /** Sends a text to the page. */
  send(text: string): void
}

const version = 1

/** Returns an object without fields for what is not a message: the frame of a mini app can send anything. */
function parse(text: string) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The application's side of the messages with /host/embed/<appid>: JSON-RPC 2.0 as text. */
export function createProtocol({ getSession, handlers, onNotification, send }: Options) {
  const pending = new Map<number, (result: Params) => void>()
  let calls = 0
  /** Id in each message of the page. The frame of a mini app can send messages, too, but does not know it. */
  let pageId: string | undefined
  const post = (message: object) => send(JSON.stringify({ jsonrpc: '2.0', ...message }))

  async function run(method: string, params: Params): Promise<object> {
    if (method === 'getSession') return { session: await getSession() }
    if (method === 'initialize') {
      if (params.version !== version) throw new Refusal(`This application implements version ${version}.`)
      return { version, session: await getSession(), handles: Object.keys(handlers) }
    }
    return (await handlers[method]?.(params)) ?? {}
  }

  async function answer(id: number, method: string, params: Params): Promise<void> {
    if (method !== 'initialize' && method !== 'getSession' && !handlers[method]) {
      post({ id, error: { code: -32601, message: `The application does not implement ${method}.` } })
      return
    }
    try {
      post({ id, result: await run(method, params) })
    } catch (error) {
      const isRefusal = error instanceof Refusal
      const message = isRefusal ? error.message : `${method} failed in the application.`
      post({ id, error: { code: isRefusal ? 1 : -32603, message } })
    }
  }

  return {
    /** Call it when the page starts to load. */
    reset(): void {
      pageId = undefined
    },
    receive(text: string): void {
      const { pageId: sender, id, method, params = {}, result = {} } = parse(text)
      pageId ??= sender
      if (sender === undefined || sender !== pageId) return
      if (method === undefined) {
        pending.get(id)?.(result)
        pending.delete(id)
      } else if (id === undefined) onNotification(method, params)
      else void answer(id, method, params)
    },
    /** Goes back by one page. Returns false if no mini app is running. */
    back(): Promise<boolean> {
      return new Promise((resolve) => {
        pending.set(++calls, ({ isHandled }) => resolve(isHandled === true))
        post({ id: calls, method: 'back', params: {} })
      })
    },
    setVisible(isVisible: boolean): void {
      post({ method: 'visibility', params: { isVisible } })
    },
  }
}
