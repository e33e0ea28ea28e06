import { openRequestsLimit, readFrameMessage } from '@souk/contract/bridge'
import type { Bars, HostMethods, OverlayMethod, Overlays } from '../carrier.ts'
import type { FromHost } from '../carriers/bridgeMessages.ts'
import { barsCheck } from './barsCheck.ts'

/** What a frame is served with. */
export interface Service {
  methods: HostMethods
  /** Loaded with the first call for one. */
  overlays: () => Promise<Overlays>
  /** What has changed of the bars, checked. */
  onBars: (changed: Partial<Bars>) => void
}

/** One document of a mini app, as its host talks to it. */
export interface Session {
  send(message: FromHost): void
  /** Nothing is read or answered any more. */
  close(): void
}

/** Which methods the runtime draws itself; the host application answers all others. */
const overlayMethods: Record<OverlayMethod, true> = {
  showToast: true,
  hideToast: true,
  showLoading: true,
  hideLoading: true,
  showModal: true,
  showActionSheet: true,
  previewImage: true,
}

/** Answers whatever comes over the port of a frame; what is not as it should be gets a refusal, and changes nothing. */
export function serve(port: MessagePort, service: Service): Session {
  let isOpen = true
  let open = 0
  const send = (message: FromHost) => {
    if (isOpen) port.postMessage(message)
  }

  async function answer(id: number, method: string, params: never): Promise<void> {
    if (open >= openRequestsLimit) {
      send({ type: 'response', id, errMsg: `${method}:fail more than ${openRequestsLimit} calls are open` })
      return
    }
    open++
    try {
      const overlays = await service.overlays()
      if (!isOpen) return
      const result = await (Object.hasOwn(overlayMethods, method)
        ? overlays[method as OverlayMethod](params)
        : service.methods[method as keyof HostMethods](params, overlays))
      // A copy, because what Vue has wrapped cannot be sent.
      send({ type: 'response', id, result: JSON.parse(JSON.stringify(result ?? {})) })
    } catch (error) {
      send({ type: 'response', id, errMsg: errMsgOf(error, method) })
    } finally {
      open--
    }
  }

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isOpen) return
    const message = readFrameMessage<Bars>(data, barsCheck)
    if (message.type === 'request') void answer(message.id, message.method, message.params as never)
    else if (message.type === 'bars') service.onBars(message.bars)
    else if (message.id !== undefined) send({ type: 'response', id: message.id, errMsg: message.reason })
    else console.warn(`Mini app: ${message.reason}`)
  }

  return {
    send,
    close() {
      isOpen = false
      port.onmessage = null
      port.close()
    },
  }
}

/** Only what is meant for the mini app is told to it; anything else is the host's own trouble. */
function errMsgOf(error: unknown, method: string): string {
  const { errMsg } = Object(error) as { errMsg?: unknown }
  if (typeof errMsg === 'string' && errMsg.startsWith(`${method}:fail`)) return errMsg
  console.error(error)
  return `${method}:fail the host application could not do it`
}
