import { type Recording, RecordingError, readRecording } from '@souk/contract/recording'
import type { Environment } from '../environment.ts'
import { Failure } from '../failure.ts'
import { launchesOf, type RecordedLaunch } from './launches.ts'

/**
 * Opens a recording for a replay, and says on standard error if it is not whole.
 * @throws Failure 2 if the file is not a recording of a launch
 */
export async function openRecording(
  environment: Environment,
  file: string,
): Promise<Recording & { launches: RecordedLaunch[] }> {
  const recording = await readRecording(environment.readLines(file)).catch((error: unknown) => {
    throw error instanceof RecordingError ? new Failure(2, `${file}: ${error.message}`) : error
  })
  const launches = launchesOf(recording.entries)
  if (launches.length === 0)
    throw new Failure(2, `${file} contains no launch of the mini app.`, 'Record it again: souk inspect --record.')
  const { end, unknown } = recording
  if (!end) environment.err(`${file} was cut off: what follows is not known.\n`)
  if (end && end.omitted > 0) environment.err(`${file} lacks ${end.omitted} entries that could not be recorded.\n`)
  if (unknown > 0) environment.err(`${file} has ${unknown} lines that this version of souk does not understand.\n`)
  return { ...recording, launches }
}
