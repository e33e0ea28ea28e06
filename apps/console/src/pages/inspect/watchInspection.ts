import { type InspectionEnd, second } from '@souk/contract'
import { onScopeDispose, ref, shallowRef } from 'vue'
import { addressOf } from '../../api/client.ts'

/** Delays before connecting again, ms. */
const retryDelay = { first: second, max: 30 * second }

/** State of an inspection, as reported by the server. */
interface PhoneState {
  /** True if a phone has accepted. */
  paired: boolean
  /** True if the phone is connected. */
  connected: boolean
}

/** Follows an inspection until it ends or the scope is disposed, and connects again after the network was lost. */
export function watchInspection(
  input: { appid: string; inspectionId: string },
  onMessage: (message: unknown) => void,
  onEnd: (reason: InspectionEnd) => void,
) {
  const connected = ref(false)
  const phone = shallowRef<PhoneState>()
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let after: number | undefined
  let delay = retryDelay.first

  function open(): void {
    source = new EventSource(addressOf('watchInspection', { ...input, ...(after !== undefined && { after }) }))
    source.addEventListener('open', () => {
      connected.value = true
      delay = retryDelay.first
    })
    source.addEventListener('state', ({ data }: MessageEvent<string>) => {
      const state = JSON.parse(data) as PhoneState & { after: number }
      phone.value = state
      after = state.after
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { messageId, message } = JSON.parse(data) as { messageId: number; message: string }
      after = messageId
      onMessage(parse(message))
    })
    source.addEventListener('ended', ({ data }: MessageEvent<string>) => {
      close()
      onEnd((JSON.parse(data) as { reason: InspectionEnd }).reason)
    })
    // The browser would connect again with the same address, and get messages twice.
    source.addEventListener('error', () => {
      close()
      timer = setTimeout(open, delay)
      delay = Math.min(2 * delay, retryDelay.max)
    })
  }
  function close(): void {
    clearTimeout(timer)
    source?.close()
    connected.value = false
  }

  open()
  onScopeDispose(close)
  return { connected, phone }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
