import { agentKinds, type InspectionCommand, type InspectionEntry, readInspection } from '@souk/contract/inspection'
import { cut, describe } from '@souk/shell/describe'
import type { MiniAppObserver } from '../observer.ts'

/** The inspection of one mini app on the device where it runs. */
export interface Inspection extends MiniAppObserver {
  send(command: InspectionCommand): void
  close(): void
}

/**
 * Creates an inspection that passes on what the host sees, and what the agent in the frame reports, after checking it.
 */
export function createInspection(emit: (entries: InspectionEntry[]) => void): Inspection {
  let agent: MessagePort | undefined
  let calls = 0
  return {
    onStart: () => emit([{ kind: 'start', time: Date.now() }]),
    onMark: (mark, time) => emit([{ kind: 'mark', mark, time }]),
    onCall(method, params) {
      const id = ++calls
      emit([{ kind: 'call', id, time: Date.now(), method, params: describe(params) }])
      return (outcome) => {
        const answer = 'errMsg' in outcome ? { errMsg: cut(outcome.errMsg) } : { result: describe(outcome.result) }
        emit([{ kind: 'answer', id, time: Date.now(), ...answer }])
      }
    },
    onBarEvent({ type: action, ...rest }) {
      const { index, text } = rest as { index?: number; text?: string }
      const more = { ...(index !== undefined && { index }), ...(text !== undefined && { text: cut(text) }) }
      emit([{ kind: 'bar', time: Date.now(), action, ...more }])
    },
    connect() {
      agent?.close()
      const { port1, port2 } = new MessageChannel()
      agent = port1
      agent.onmessage = ({ data }: MessageEvent<unknown>) => {
        const entries = readInspection(data, agentKinds)
        if (entries.length > 0) emit(entries)
      }
      return port2
    },
    send: (command) => agent?.postMessage(command),
    close() {
      agent?.close()
      agent = undefined
    },
  }
}
