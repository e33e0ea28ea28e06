import { inspectionsLimits, second } from '@souk/contract'
import {
  type InspectedSource,
  type InspectionEntry,
  type InspectionReport,
  inspectionLimits,
  type RemoteCommand,
  readCommand,
} from '@souk/contract/inspection'
import { asProblem } from '@souk/web'
import { call, openInspection } from '../api/client.ts'
import { stayConnected, waitToReconnect } from '../api/stayConnected.ts'

/** Entries of this time are sent together, in ms. The server allows ten messages a second. */
const batchTime = 250
const retryDelay = 3 * second
/** Entries that wait for the network; the oldest are left out first. */
const maxWaiting = { count: 2 * inspectionLimits.entries, characters: 4 * inspectionsLimits.message }

/** `connected`: this device; `watched`: the developer as well. */
interface RemoteState {
  connected: boolean
  watched: boolean
}

interface Watching {
  inspectionId: string
  onState(state: RemoteState): void
  /** Called when a developer begins to watch, without anything that was reported before. */
  onWatcher(): void
  onCommand(command: RemoteCommand): void
  onEnd(): void
}

/** The phone's end of an inspection, over the server. */
export interface RemoteInspection {
  report(entries: readonly InspectionEntry[]): void
  reportSource(source: InspectedSource): void
  close(): void
}

/** Connects to an inspection that the user has accepted, and again after the network was lost. */
export function connectInspection({ inspectionId, onState, onWatcher, onCommand, onEnd }: Watching): RemoteInspection {
  const closing = new AbortController()
  const { signal } = closing
  const state: RemoteState = { connected: false, watched: false }
  let watcher: number | null = null
  let after: number | undefined

  function change(now: Partial<RemoteState>): void {
    Object.assign(state, now)
    onState({ ...state })
  }
  function end(): void {
    if (signal.aborted) return
    closing.abort()
    onEnd()
  }

  const sender = createSender({ inspectionId, signal, isConnected: () => state.connected, onGone: end })

  void stayConnected({
    signal,
    open: (until) => openInspection({ inspectionId, ...(after !== undefined && { after }) }, until),
    onOpen: () => {
      change({ connected: true })
      void sender.send()
    },
    onClose: () => change({ connected: false, watched: false }),
    onEvent(event, data) {
      const received = JSON.parse(data) as {
        connected?: boolean
        joined?: number | null
        after?: number
        messageId?: number
        message?: string
      }
      if (event === 'ended') end()
      else if (event === 'state') {
        after = received.after
        change({ watched: received.connected === true })
        if (received.joined != null && received.joined !== watcher) {
          watcher = received.joined
          onWatcher()
        }
      } else if (event === 'message') {
        after = received.messageId
        const command = readCommand(parse(received.message))
        if (command) onCommand(command)
      }
    },
  }).then(end)

  return {
    report: sender.report,
    reportSource: sender.reportSource,
    close: () => closing.abort(),
  }
}

interface Sending {
  inspectionId: string
  signal: AbortSignal
  isConnected(): boolean
  /** Called when the inspection has ended. */
  onGone(): void
}

/** Creates a sender of reports, which sends them in batches while the device is connected. */
function createSender({ inspectionId, signal, isConnected, onGone }: Sending) {
  const queue = createReportQueue()
  let isSending = false

  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    try {
      await pause()
      while (isConnected() && !signal.aborted) {
        const batch = queue.take()
        if (!batch) break
        const rest: Omit<InspectionReport, 'entries'> = { ...(batch.source && { source: batch.source }) }
        if (batch.omitted > 0) rest.omitted = batch.omitted
        const message = JSON.stringify({ ...rest, entries: batch.entries.map((entry) => JSON.parse(entry)) })
        try {
          await call('reportToInspection', { inspectionId, message }, signal)
          await pause()
        } catch (error) {
          const { code, status } = asProblem(error)
          if (code === 'inspection_not_found') onGone()
          else if (code === 'unreachable' || code === 'rate_limited' || status >= 500) {
            queue.requeue(batch)
            await waitToReconnect(retryDelay, signal)
          } else queue.omit(batch)
        }
      }
    } finally {
      isSending = false
    }
  }

  return {
    send,
    report(entries: readonly InspectionEntry[]): void {
      queue.add(entries)
      void send()
    },
    reportSource(source: InspectedSource): void {
      queue.setSource(source)
      void send()
    },
  }
}

interface Batch {
  entries: string[]
  source: InspectedSource | undefined
  omitted: number
  start: number
}

/** Creates the queue of unsent reports. */
function createReportQueue() {
  /** Entries as JSON. */
  let waiting: string[] = []
  let source: InspectedSource | undefined
  let omitted = 0
  /** Number of documents of the mini app that have started. */
  let start = 0

  /** Removes and returns the next batch; undefined if the queue is empty. */
  function take(): Batch | undefined {
    if (waiting.length === 0 && !source) return undefined
    let count = 0
    let characters = 0
    for (const { length } of waiting.slice(0, inspectionLimits.entries)) {
      characters += length
      if (count > 0 && characters > inspectionsLimits.message / 2) break
      count += 1
    }
    const batch = { entries: waiting.splice(0, count), source, omitted, start }
    source = undefined
    omitted = 0
    return batch
  }
  function requeue(batch: Batch): void {
    if (batch.start === start) waiting.unshift(...batch.entries)
    source ??= batch.source
    omitted += batch.omitted
  }
  function omit(batch: Batch): void {
    omitted += batch.omitted + batch.entries.length
  }
  function add(entries: readonly InspectionEntry[]): void {
    // Earlier records belong to another document.
    if (entries.some(({ kind }) => kind === 'start')) {
      waiting = []
      start += 1
    }
    waiting.push(...entries.map((entry) => JSON.stringify(entry)))
    let characters = waiting.reduce((sum, { length }) => sum + length, 0)
    while (waiting.length > maxWaiting.count || characters > maxWaiting.characters) {
      characters -= waiting.shift()!.length
      omitted += 1
    }
  }
  function setSource(now: InspectedSource): void {
    source = now
  }

  return { add, setSource, take, requeue, omit }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, batchTime))

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
