import { type consoleOperations, errorRecordingLimits, type ResultOf } from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

type ErrorRecording = ResultOf<(typeof consoleOperations)['listErrorRecordings']>[number]

/** Returns whether a user is a tester of a release that is not published. */
export async function existsTester(
  sql: Sql,
  { appid, releaseId, uid }: { appid: string; releaseId: string; uid: number },
): Promise<boolean> {
  const rows = await sql`
    select from releases join app_testers using (appid)
    where release_id = ${releaseId} and appid = ${appid} and uid = ${uid} and stage <> 'published'`
  return rows.length > 0
}

/** Returns the times of a user's recordings since `time`, oldest first. */
export async function listTimesSince(sql: Sql, uid: number, time: number): Promise<number[]> {
  const rows = await sql<{ ctime: number }[]>`
    select ctime from error_recordings where uid = ${uid} and ctime > ${time} order by ctime`
  return rows.map(({ ctime }) => ctime)
}

/** Locks a user, so that no recording outlives an erased user. */
export async function lockUser(tx: Tx, uid: number): Promise<boolean> {
  const rows = await tx`select from users where uid = ${uid} and erased_time is null for no key update`
  return rows.length > 0
}

/** Stores a recording unless the opening has one, and returns whether it did. `ctime` is real time, ms. */
export async function insertRecording(
  tx: Tx,
  recording: {
    recordingId: string
    appid: string
    uid: number
    fingerprint: string
    releaseId: string
    opening: string
    size: number
    content: Buffer
    ctime: number
  },
): Promise<boolean> {
  const { recordingId, appid, uid, fingerprint, releaseId, opening, size, content, ctime } = recording
  const { count } = await tx`
    insert into error_recordings
      (recording_id, appid, uid, fingerprint, release_id, opening, size, content, ctime)
    values
      (${recordingId}, ${appid}, ${uid}, ${fingerprint}, ${releaseId}, ${opening}, ${size}, ${content}, ${ctime})
    on conflict (appid, opening) do nothing`
  return count > 0
}

/** Deletes the oldest recordings above the limits: of a user first, who would else displace those of other testers. */
export async function deleteRecordingsAbove(tx: Tx, appid: string, uid: number): Promise<void> {
  const { perApp, perUser } = errorRecordingLimits
  await tx`
    delete from error_recordings where recording_id = any(array(
      select recording_id from error_recordings where uid = ${uid} order by recording_id desc offset ${perUser}))`
  await tx`
    delete from error_recordings where recording_id = any(array(
      select recording_id from error_recordings where appid = ${appid} order by recording_id desc offset ${perApp}))`
}

/** Returns the recordings of a mini app, newest first. */
export function listRecordings(sql: Sql, appid: string, fingerprint: string | undefined): Rows<ErrorRecording> {
  return sql<ErrorRecording[]>`
    select e.recording_id, e.fingerprint, e.uid, e.release_id, r.version, e.size, e.ctime
    from error_recordings e left join releases r using (release_id)
    where e.appid = ${appid} ${fingerprint === undefined ? sql`` : sql`and e.fingerprint = ${fingerprint}`}
    order by e.recording_id desc limit ${errorRecordingLimits.perApp}`
}

/** Returns the gzipped file of a recording. */
export async function findRecording(tx: Tx, appid: string, recordingId: string): Promise<Buffer | undefined> {
  const [row] = await tx<{ content: Buffer }[]>`
    select content from error_recordings where appid = ${appid} and recording_id = ${recordingId}`
  return row?.content
}

/** Deletes the recordings from before `time`, in ms of real time. */
export async function deleteRecordingsBefore(sql: Sql, time: number): Promise<void> {
  await sql`delete from error_recordings where ctime < ${time}`
}
