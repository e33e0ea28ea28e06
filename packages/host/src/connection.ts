import { ProtocolError, Refusal } from './methods.ts'
import {
  type EmbedMessage,
  type EmbedNotifications,
  type EmbedPageMethods,
  type EmbedPageNotifications,
  embedErrors,
  embedMessageLimit,
} from './protocol.generated.ts'

type Notify = <N extends keyof EmbedNotifications>(name: N, params: EmbedNotifications[N]) => void

/** JSON-RPC over the port of a page: `answer` is called for its calls, and `onNotification` for its notifications. */
export interface Connection {
  call<M extends keyof EmbedPageMethods>(
    method: M,
    params: EmbedPageMethods[M]['params'],
  ): Promise<EmbedPageMethods[M]['result']>
  notify<N extends keyof EmbedPageNotifications>(name: N, params: EmbedPageNotifications[N]): void
  close(): void
}

const notifications: Record<keyof EmbedNotifications, true> = {
  ready: true,
  failed: true,
  close: true,
  appearance: true,
}

export function connect(
  port: MessagePort,
  answer: (method: string, params: unknown) => Promise<unknown>,
  onNotification: Notify,
): Connection {
  const pending = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let calls = 0
  const send = (message: EmbedMessage) => port.postMessage(JSON.stringify(message))

  async function reply(id: number, method: string, params: unknown): Promise<void> {
    try {
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: await answer(method, params) } satisfies EmbedMessage)
      if (text.length > embedMessageLimit)
        throw new TypeError(`the result has ${text.length} characters as JSON; the limit is ${embedMessageLimit}`)
      port.postMessage(text)
    } catch (error) {
      send({ jsonrpc: '2.0', id, error: describe(error, method) })
    }
  }

  function settle(id: number, message: { result?: unknown; error?: { message?: unknown } }): void {
    const call = pending.get(id)
    pending.delete(id)
    if (message.error) call?.reject(new Error(String(message.error.message)))
    else call?.resolve(message.result as never)
  }

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parse(data)
    if (!message) return
    const { id, method, params } = message
    if (typeof method !== 'string') {
      if (typeof id === 'number') settle(id, message)
    } else if (typeof id === 'number') void reply(id, method, params)
    else if (Object.hasOwn(notifications, method)) onNotification(method as 'close', Object(params))
  }

  return {
    call(method, params) {
      return new Promise((resolve, reject) => {
        pending.set(++calls, { resolve, reject })
        send({ jsonrpc: '2.0', id: calls, method, params })
      })
    },
    notify(method, params) {
      send({ jsonrpc: '2.0', method, params })
    },
    close() {
      port.close()
      for (const call of pending.values()) call.reject(new Error('The mini app was closed.'))
      pending.clear()
    },
  }
}

interface Received {
  id?: unknown
  method?: unknown
  params?: unknown
  result?: unknown
  error?: { message?: unknown }
}

function parse(data: unknown): Received | undefined {
  try {
    return Object(JSON.parse(String(data)))
  } catch {
    console.error('@souk/host: the page sent a message that is not JSON')
  }
}

/** Converts an error to that of the response. Errors of the application itself are logged and not sent. */
function describe(error: unknown, method: string): { code: number; message: string } {
  if (error instanceof ProtocolError) return { code: error.code, message: error.message }
  if (error instanceof Refusal) return { code: embedErrors.refused, message: error.message }
  console.error(`@souk/host: ${method} failed:`, error)
  return { code: embedErrors.internal, message: `${method} failed in the application, see its console` }
}
