import type { BridgeMethods } from '@souk/contract/bridge'
import type { HostMethods } from '../host.ts'
import { dataUrlOf } from './dataUrl.ts'
import { reported } from './deviceMethods.ts'

type RecordingMethods = Required<Pick<HostMethods, 'startRecording' | 'controlRecording' | 'readRecording'>>
type Recorded = BridgeMethods['readRecording']['result']

interface Recording {
  recorder: MediaRecorder
  recorded: Promise<Recorded>
}

/**
 * Creates the methods that record sound for one mini app. They do not ask the user; the host application does that, and
 * calls `stop` when the mini app is hidden or closed.
 */
export function soundRecorder(): { methods: RecordingMethods; stop(): void } {
  let last: Recording | undefined
  /** Counts starts and stops, because the browser may ask the user before it records. */
  let turn = 0
  const running = () => (last && last.recorder.state !== 'inactive' ? last.recorder : undefined)

  async function start(duration: number): Promise<void> {
    if (running()) throw new Error('a recording is running')
    const own = ++turn
    const recording = await record(duration)
    if (own === turn) last = recording
    else {
      recording.recorder.stop()
      throw new Error('the recording was stopped')
    }
  }

  return {
    methods: {
      startRecording: ({ duration }) =>
        reported('startRecording', async () => {
          await start(duration)
          return {}
        }),
      controlRecording: ({ action }) =>
        reported('controlRecording', () => {
          const recorder = running()
          if (!recorder) throw new Error('no recording is running')
          recorder[action]()
          return {}
        }),
      readRecording: () =>
        reported('readRecording', () => {
          if (!last) throw new Error('nothing is recorded')
          return last.recorded
        }),
    },
    stop() {
      turn++
      running()?.stop()
    },
  }
}

/** Starts to record for at most `duration` ms, without pauses. */
async function record(duration: number): Promise<Recording> {
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined') throw new Error('not supported')
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recorder = new MediaRecorder(stream)
  const parts: Blob[] = []
  /** Time recorded before the last pause, and start of the recording since then, ms. */
  let before = 0
  let from: number | undefined
  let timer: ReturnType<typeof setTimeout>
  const time = () => before + (from === undefined ? 0 : performance.now() - from)
  const resume = () => {
    from = performance.now()
    timer = setTimeout(() => recorder.stop(), duration - before)
  }
  recorder.onpause = () => {
    before = time()
    from = undefined
    clearTimeout(timer)
  }
  recorder.onresume = resume
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const recorded = new Promise<Recorded>((resolve, reject) => {
    recorder.onstop = () => {
      clearTimeout(timer)
      for (const track of stream.getTracks()) track.stop()
      const recording = new Blob(parts, { type: recorder.mimeType })
      const recordedTime = Math.round(time())
      dataUrlOf(recording).then((data) => resolve({ data, duration: recordedTime }), reject)
    }
  })
  recorder.start()
  resume()
  return { recorder, recorded }
}
