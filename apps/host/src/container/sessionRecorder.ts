import { errorRecordingLimits } from '@souk/contract'
import type { InspectedSource, InspectionEntry } from '@souk/contract/inspection'
import {
  createRecordingMasks,
  type RecordedBuild,
  recordingLimits,
  recordingLine,
  recordingVersion,
} from '@souk/contract/recording'

/** A character takes at most three bytes in UTF-8. */
const maxCharacters = errorRecordingLimits.uncompressed / 3 - 10_000

/** Keeps a session of a mini app in memory, masked, from its next launch on. */
export interface SessionRecorder {
  add(entries: readonly InspectionEntry[]): void
  /** True when the recording has become too long to be sent. */
  isFull(): boolean
  /**
   * Returns the recording until now (packages/contract/src/recording.ts), compressed with gzip, in Base64; undefined
   * if it is too large.
   */
  finish(build: Pick<InspectedSource, 'platform' | 'os' | 'device'>): Promise<string | undefined>
}

export function createSessionRecorder(appid: string): SessionRecorder {
  const masked = createRecordingMasks()
  const header = recordingLine({ souk: 'recording', version: recordingVersion, appid, time: Date.now() })
  const lines: string[] = []
  let characters = 0
  let omitted = 0
  const isFull = () => characters > maxCharacters || lines.length >= recordingLimits.entries

  return {
    add(entries) {
      for (const entry of entries) {
        // A recording begins with a launch, so that it can be replayed.
        if (isFull() || (lines.length === 0 && entry.kind !== 'start')) continue
        const line = recordingLine(masked(entry))
        if (line.length > recordingLimits.line) {
          omitted++
          continue
        }
        lines.push(line)
        characters += line.length
      }
    },
    isFull,
    async finish(build) {
      const first: RecordedBuild = { kind: 'build', ...build }
      const end = recordingLine({ kind: 'end', time: Date.now(), reason: 'stopped', omitted })
      const content = new Blob([header, recordingLine(first), ...lines, end])
      const compressed = content.stream().pipeThrough(new CompressionStream('gzip'))
      const bytes = new Uint8Array(await new Response(compressed).arrayBuffer())
      if (bytes.length > errorRecordingLimits.compressed) return undefined
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
  }
}
