import { minute } from '@souk/contract/time'
import { blobOf } from '@souk/shell/device/dataUrl'
import { currentCarrier } from '../carriers/current.ts'
import { tempPathOf } from './files.ts'

const events = [
  'Start',
  'Pause',
  'Resume',
  'Stop',
  'Error',
  'FrameRecorded',
  'InterruptionBegin',
  'InterruptionEnd',
] as const
type EventName = (typeof events)[number]

/** `duration` in ms, `fileSize` in bytes. */
interface Recorded {
  tempFilePath: string
  duration: number
  fileSize: number
}
type Listener<N extends EventName> = (event: N extends 'Stop' ? Recorded : { errMsg?: string }) => void

/** Records sound in the browser's format. `FrameRecorded` and interruption events are never sent. */
export type RecorderManager = { [N in EventName as `on${N}`]: (listener: Listener<N>) => void } & {
  /** The user may be asked first. */
  start(options?: RecorderOptions): void
  pause(): void
  resume(): void
  stop(): void
}

interface RecorderOptions {
  /** In ms, at most 10 minutes. */
  duration?: number | undefined
  /** This and the next four are without effect: the browser decides. */
  format?: string
  sampleRate?: number
  numberOfChannels?: number
  encodeBitRate?: number
  frameSize?: number
}

let manager: RecorderManager | undefined

/** Returns the one recorder of the app. */
export function getRecorderManager(): RecorderManager {
  manager ??= createRecorder()
  return manager
}

function createRecorder(): RecorderManager {
  const listeners = new Map<string, (event: object) => void>()
  const emit = (name: EventName, event: object = {}) => listeners.get(name)?.(event)
  const fail = ({ message }: Error) => emit('Error', { errMsg: message.replace(/^\w+(?=:fail)/, 'getRecorderManager') })
  const carrier = currentCarrier()

  async function record(duration: number): Promise<void> {
    await carrier.call('startRecording', { duration: Math.min(Math.max(duration, 1), 10 * minute) })
    emit('Start')
    const recorded = await carrier.call('readRecording', {})
    const file = blobOf(recorded.data)
    emit('Stop', { tempFilePath: tempPathOf(file), duration: recorded.duration, fileSize: file.size })
  }
  const control = (action: 'pause' | 'resume' | 'stop', event?: EventName) => () =>
    void carrier.call('controlRecording', { action }).then(() => event && emit(event), fail)

  return {
    ...(Object.fromEntries(
      events.map((name) => [`on${name}`, (listener: (event: object) => void) => void listeners.set(name, listener)]),
    ) as Pick<RecorderManager, `on${EventName}`>),
    start: ({ duration = minute } = {}) => void record(duration).catch(fail),
    pause: control('pause', 'Pause'),
    resume: control('resume', 'Resume'),
    stop: control('stop'),
  }
}
