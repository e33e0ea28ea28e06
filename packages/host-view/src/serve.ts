import { openRequestsLimit, readFrameMessage, unlistedReason } from '@souk/contract/bridge'
import { ApiError } from '@souk/shell/apiError'
import { type Bars, barsCheck } from '@souk/shell/bars'
import type { FromHost } from '@souk/shell/bridgeMessages'
import type { HostMethods, OverlayMethod, Overlays } from '@souk/shell/host'
import { offeredOverlays, overlayMethods } from '@souk/shell/overlayMethods'
import { withoutImages } from './hostImages.ts'
import type { MiniAppObserver } from './observer.ts'

/** The parts of the host that serve a frame. */
export interface Service {
  methods: HostMethods
  /** Loads the overlays on the first call. */
  overlays: () => Promise<Overlays>
  /** Answers a call in place of methods and overlays; returns undefined for one that it leaves to them. */
  answer?: ((method: string, params: unknown) => Promise<unknown> | undefined) | undefined
  /** Returns whether the host may load an image or font for the mini app. */
  mayLoad: (address: string) => boolean
  /** Called with the changed values of the bars, after they were checked. */
  onBars: (changed: Partial<Bars>) => void
  /** Set while someone inspects the mini app. */
  observer?: () => MiniAppObserver | undefined
}

/** The host's connection to one document of a mini app. */
export interface Session {
  send(message: FromHost, ports?: MessagePort[]): void
  /** Stops reading and answering. */
  close(): void
}

/** Answers the messages from the port of a frame. Malformed messages are refused and have no effect. */
export function serve(port: MessagePort, service: Service): Session {
  let isOpen = true
  let open = 0
  const send = (message: FromHost, ports: MessagePort[] = []) => {
    if (isOpen) port.postMessage(message, ports)
  }

  /** Loaded when one of them is called. */
  const overlays = Object.fromEntries(
    [...overlayMethods, ...offeredOverlays].map((name) => [
      name,
      async (params: never) => {
        const loaded = await service.overlays()
        if (!isOpen) throw new ApiError(`${name}:fail the mini app is closed`)
        return loaded[name](params)
      },
    ]),
  ) as Overlays

  async function answer(id: number, method: string, params: never): Promise<void> {
    if (open >= openRequestsLimit) {
      send({ type: 'response', id, errMsg: `${method}:fail more than ${openRequestsLimit} calls are pending` })
      return
    }
    open++
    const answered = service.observer?.()?.onCall(method, params)
    try {
      const unlisted = imagesOf(params).find((address) => !service.mayLoad(address))
      if (unlisted !== undefined) throw new ApiError(`${method}:fail ${unlistedReason(new URL(unlisted), 'download')}`)
      const run = overlayMethods.includes(method as OverlayMethod)
        ? overlays[method as OverlayMethod]
        : service.methods[method as Exclude<keyof HostMethods, 'readStorage'>]
      const given = service.answer?.(method, params)
      if (!given && !run) throw new ApiError(`${method}:fail not supported`)
      const result = await (given ?? run?.(params, overlays))
      // Reactive proxies cannot be cloned.
      const copy = JSON.parse(JSON.stringify(result ?? {}))
      answered?.({ result: copy })
      send({ type: 'response', id, result: copy })
    } catch (error) {
      const errMsg = errMsgOf(error, method)
      answered?.({ errMsg })
      send({ type: 'response', id, errMsg })
    } finally {
      open--
    }
  }

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isOpen) return
    const message = readFrameMessage<Bars>(data, barsCheck)
    if (message.type === 'request') void answer(message.id, message.method, message.params as never)
    else if (message.type === 'bars') service.onBars(withoutImages(message.bars, service.mayLoad))
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

/** Returns the images in the parameters of a call. */
function imagesOf({
  image = '',
  imageUrl = '',
  urls = [],
}: Record<'image' | 'imageUrl', string> & { urls?: string[] }) {
  return [image, imageUrl, ...urls]
}

/** Returns the message for the mini app. Internal errors of the host are logged and not sent. */
function errMsgOf(error: unknown, method: string): string {
  const { errMsg } = Object(error) as { errMsg?: unknown }
  if (typeof errMsg === 'string' && errMsg.startsWith(`${method}:fail`)) return errMsg
  console.error(error)
  return `${method}:fail internal error of the host application`
}
