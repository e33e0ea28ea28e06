import { createGunzip } from 'node:zlib'
import {
  type consoleOperations,
  errorRecordingLimits,
  type hostOperations,
  hour,
  type ParametersOf,
  type ResultOf,
  SoukError,
  second,
} from '@souk/contract'
import { RecordingError, readRecording } from '@souk/contract/recording'
import type { Export } from '../../../kernel/export.ts'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller, HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import {
  deleteRecordingsAbove,
  existsTester,
  findRecording,
  insertRecording,
  listRecordings,
  listTimesSince,
  lockUser,
} from './errorRecordings.store.ts'
import { fingerprintOf, withoutFolder } from './fingerprint.ts'
import { findTarget } from './store.ts'

type Send = (typeof hostOperations)['sendErrorRecording']
type List = (typeof consoleOperations)['listErrorRecordings']
type Download = (typeof consoleOperations)['downloadErrorRecording']

/**
 * Stores the recording of a tester whose session ended with a JavaScript error, and deletes the oldest ones above the
 * limits (ADR 426).
 *
 * @throws SoukError `release_not_found`, also for published releases and for users who are no testers; `rate_limited`;
 * `parameter_invalid` if it is no recording of the mini app, or too large; `session_invalid`
 */
export async function sendErrorRecording(
  { sql, clock }: Context,
  { uid }: HostUserCaller,
  { appid, releaseId, opening, message = '', stack = '', recording }: ParametersOf<Send>,
): Promise<ResultOf<Send>> {
  const target = await findTarget(sql, appid, releaseId)
  if (target === undefined || !(await existsTester(sql, { appid, releaseId, uid })))
    throw new SoukError('release_not_found')
  if (!target.analytics) return { stored: false }
  const now = clock.real()
  const [oldest, ...others] = await listTimesSince(sql, uid, now - hour)
  if (oldest !== undefined && others.length >= errorRecordingLimits.perUser - 1) {
    throw new SoukError('rate_limited', `You have sent ${errorRecordingLimits.perUser} recordings within an hour.`, {
      data: { retryAfter: Math.ceil((oldest + hour - now) / second) },
    })
  }
  const content = Buffer.from(recording, 'base64')
  const size = await sizeOf(content, appid)
  const fingerprint = fingerprintOf(message, withoutFolder(stack))
  const row = { recordingId: newId(), appid, uid, fingerprint, releaseId, opening, size, content, ctime: now }
  return sql.begin(async (tx) => {
    if (!(await lockUser(tx, uid))) throw new SoukError('session_invalid', 'Sign in.')
    const stored = await insertRecording(tx, row)
    if (stored) await deleteRecordingsAbove(tx, appid, uid)
    return { stored }
  })
}

/** Bytes from which the header is read. */
const headerLength = 1000

/**
 * Returns the number of bytes of a recording, of which it reads the header only.
 * @throws SoukError `parameter_invalid`
 */
async function sizeOf(content: Buffer, appid: string): Promise<number> {
  let size = 0
  let start = ''
  const unzip = createGunzip({ chunkSize: 64 * 1024 })
  unzip.end(content)
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > errorRecordingLimits.uncompressed) throw refused('is too large')
      if (start.length < headerLength) start += chunk.toString('latin1', 0, headerLength)
    }
  } catch (error) {
    throw error instanceof SoukError ? error : refused('must be compressed with gzip')
  }
  const header = await readRecording(start.split('\n', 1)).catch((error: unknown) => {
    throw error instanceof RecordingError ? refused('must be a recording') : error
  })
  if (header.appid !== appid) throw refused('must be of the mini app')
  return size
}

const refused = (reason: string) =>
  new SoukError('parameter_invalid', `recording ${reason}.`, { data: { parameters: ['recording'] } })

/** Lists the recordings of testers of a mini app, newest first. */
export async function listErrorRecordings(
  { sql }: Context,
  _caller: ConsoleCaller,
  { appid, fingerprint }: ParametersOf<List>,
): Promise<ResultOf<List>> {
  return listRecordings(sql, appid, fingerprint)
}

/** Returns the recording of a tester as a file. @throws SoukError `error_recording_not_found` */
export async function downloadErrorRecording(
  context: Context,
  caller: ConsoleCaller,
  { appid, recordingId }: ParametersOf<Download>,
): Promise<Export> {
  const projectId = (await context.apps.find(appid))?.projectId
  const content = await context.sql.begin(async (tx) => {
    const found = await findRecording(tx, appid, recordingId)
    if (!found) throw new SoukError('error_recording_not_found')
    const detail = { recordingId }
    await audit(context, tx, caller, { action: 'errorRecording.download', subject: appid, projectId, detail })
    return found
  })
  const stream = createGunzip()
  stream.end(content)
  return { stream, mediaType: 'application/x-ndjson', fileName: `${appid}-${recordingId.slice(-8)}.jsonl` }
}
