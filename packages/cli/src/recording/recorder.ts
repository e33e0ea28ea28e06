import type { InspectionReport } from '@souk/contract/inspection'
import {
  createRecordingMasks,
  type RecordingEndReason,
  type RecordingLine,
  recordingLimits,
  recordingLine,
  recordingVersion,
} from '@souk/contract/recording'
import type { OpenFile } from '../environment.ts'

/** Numbers of what a recording contains. */
export interface RecordedNumbers {
  launches: number
  pages: number
  calls: number
  requests: number
  taps: number
  errors: number
  /** Entries that were left out. */
  omitted: number
}

/** Writes a recording, masked, as the phone reports it. */
export interface Recorder {
  readonly numbers: Readonly<RecordedNumbers>
  /** Returns false when the recording has reached its limits, and ends. */
  add(report: InspectionReport): Promise<boolean>
  end(reason: RecordingEndReason): Promise<void>
}

export async function startRecorder(
  file: OpenFile,
  { appid, now, limits = recordingLimits }: { appid: string; now: () => number; limits?: typeof recordingLimits },
): Promise<Recorder> {
  const masked = createRecordingMasks()
  const numbers: RecordedNumbers = { launches: 0, pages: 0, calls: 0, requests: 0, taps: 0, errors: 0, omitted: 0 }
  let entries = 0
  let bytes = 0

  /** Returns false if the line does not fit, with room for the last one. */
  async function write(line: RecordingLine, room = 1000): Promise<boolean> {
    const text = recordingLine(line)
    const size = Buffer.byteLength(text)
    if (bytes + size > limits.bytes - room) return false
    bytes += size
    await file.append(text)
    return true
  }
  const end = async (reason: RecordingEndReason) => {
    await write({ kind: 'end', time: now(), reason, omitted: numbers.omitted }, 0)
  }

  await write({ souk: 'recording', version: recordingVersion, appid, time: now() })
  return {
    numbers,
    end,
    async add({ source, entries: reported, omitted = 0 }) {
      numbers.omitted += omitted
      if (source) {
        const { text: _, ...build } = source
        await write({ kind: 'build', ...build })
      }
      for (const entry of reported.map(masked)) {
        if (JSON.stringify(entry).length > limits.line) {
          numbers.omitted++
          continue
        }
        if (entries >= limits.entries || !(await write(entry))) return false
        entries++
        if (entry.kind === 'start') numbers.launches++
        else if (entry.kind === 'pages') numbers.pages++
        else if (entry.kind === 'call') numbers.calls++
        else if (entry.kind === 'request') numbers.requests++
        else if (entry.kind === 'tap' || entry.kind === 'bar') numbers.taps++
        else if (entry.kind === 'console' && entry.stack !== undefined) numbers.errors++
      }
      return true
    },
  }
}
