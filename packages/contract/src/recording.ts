import { type InspectedSource, type InspectionEntry, readDevice, readInspection } from './inspection.ts'
import { type InspectionEnd, inspectionEnds, inspectionsLimits } from './inspections.ts'
import { isRecord } from './recordingMasks.ts'

export { createRecordingMasks, recordingMask } from './recordingMasks.ts'

/**
 * A recording of a mini app on a phone (ADR 421): a file of JSON lines. The first line is the header, the last one says
 * why it ended. Between them, each line is an entry of the inspection in the order of arrival, masked, or the build.
 *
 * Readers ignore unknown kinds of lines and unknown fields. The version rises when older readers would get it wrong.
 */
export const recordingVersion = 1

export const recordingLimits = {
  /** Bytes of a file. A recording that reaches it ends. */
  bytes: 64 * 1024 ** 2,
  /** Entries of a file. */
  entries: 100_000,
  /** Characters of a line. Longer entries are left out. */
  line: inspectionsLimits.message,
} as const

/** The first line. */
export interface RecordingHeader {
  souk: 'recording'
  version: number
  appid: string
  /** Time of the start in ms since 1970. */
  time: number
}

/** What the mini app was built for, and the device that has shown it. */
export interface RecordedBuild extends Pick<InspectedSource, 'platform' | 'os' | 'device'> {
  kind: 'build'
}

/** `full`: the recording has reached its limits. The others are ends of inspections. */
export type RecordingEndReason = InspectionEnd | 'full'

/** The last line. A file without it was cut off. */
export interface RecordingEnd {
  kind: 'end'
  time: number
  reason: RecordingEndReason
  /** Number of entries that were left out because of limits, or because the network was too slow. */
  omitted: number
}

export type RecordingLine = RecordingHeader | RecordedBuild | InspectionEntry | RecordingEnd

/** Returns the text of a line. */
export const recordingLine = (line: RecordingLine): string => `${JSON.stringify(line)}\n`

export interface Recording {
  appid: string
  time: number
  build?: Omit<RecordedBuild, 'kind'>
  entries: InspectionEntry[]
  /** Absent if the file was cut off. */
  end?: Pick<RecordingEnd, 'reason' | 'omitted'>
  /** Number of lines that are not understood. */
  unknown: number
}

/** A file is not a recording that this version reads. */
export class RecordingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RecordingError'
  }
}

/**
 * Reads a recording. One that was cut off, also in the middle of a line, is read up to there.
 * @throws RecordingError if it is not a recording, too large, or of a newer version
 */
export async function readRecording(
  lines: AsyncIterable<string> | Iterable<string>,
  limits: { bytes: number; entries: number } = recordingLimits,
): Promise<Recording> {
  let recording: Recording | undefined
  let characters = 0
  for await (const line of lines) {
    characters += line.length + 1
    if (characters > limits.bytes)
      throw new RecordingError(`The recording is larger than ${limits.bytes / 1024 ** 2} MB.`)
    const read = parse(line)
    if (!recording) recording = fromHeader(read)
    // What follows the place where a file was cut off is not part of it.
    else if (read === undefined || recording.end || recording.entries.length >= limits.entries) break
    else add(recording, read)
  }
  if (!recording) throw new RecordingError('The file is empty.')
  return recording
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function fromHeader(header: unknown): Recording {
  const { souk, version, appid, time } = Object(header) as Partial<Record<keyof RecordingHeader, unknown>>
  if (souk !== 'recording' || typeof appid !== 'string' || typeof time !== 'number' || !Number.isInteger(version))
    throw new RecordingError('The file is not a recording: its first line is not the header of one.')
  if ((version as number) > recordingVersion)
    throw new RecordingError(
      `The recording has version ${String(version)}; this version of souk reads up to ${recordingVersion}.`,
    )
  return { appid, time, entries: [], unknown: 0 }
}

function add(recording: Recording, line: unknown): void {
  const fields = isRecord(line) ? line : {}
  const { kind, platform, os, reason, omitted } = fields
  if (kind === 'build') {
    const device = readDevice(fields.device)
    if (isOneOf(['Mini App', 'App', 'H5'], platform) && isOneOf(['iOS', 'Android'], os))
      recording.build = { platform, os, ...(device && { device }) }
    else recording.unknown++
  } else if (kind === 'end') {
    const isKnown = isOneOf([...inspectionEnds, 'full'], reason)
    recording.end = { reason: isKnown ? reason : 'stopped', omitted: typeof omitted === 'number' ? omitted : 0 }
  } else {
    const [entry] = readInspection({ entries: [line] })
    if (entry) recording.entries.push(entry)
    else recording.unknown++
  }
}

const isOneOf = <const T extends string>(allowed: readonly T[], value: unknown): value is T =>
  allowed.includes(value as T)
