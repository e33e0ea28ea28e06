import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { day, SoukError } from '@souk/contract'
import { giveToFolderOwner } from '../../../kernel/filePermissions.ts'

/** Contents of an archive file. */
export interface Content {
  rows: number
  /** Bytes of the file. */
  size: number
  /** SHA-256 of the file, lowercase hex. */
  sha256: string
}

const lineFeed = 10

/** End of the names of files that are being written. */
export const draftEnding = '.ndjson.gz.part'

/**
 * Creates the folder of archives if it is missing, readable by its owner only.
 * @throws SoukError `archive_unwritable`
 */
export async function createFolder(folder: string): Promise<void> {
  try {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (created === undefined) return
    const handle = await open(folder)
    await giveToFolderOwner(handle, folder)
    await handle.close()
  } catch (error) {
    throw unwritable(folder, error as Error)
  }
}

/** Deletes files that an archive has not completed because its process was killed. */
export async function deleteAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(draftEnding)) continue
    const path = join(folder, name)
    // Another process may be writing a younger one, or have completed it in the meantime.
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - day) await rm(path, { force: true })
  }
}

/** Writes lines of JSON to a new gzipped file, readable by its owner only. @throws SoukError `archive_unwritable` */
export async function writeLines(path: string, lines: AsyncIterable<Buffer>): Promise<Content> {
  const [counter, meter] = [countLines(), measureBytes()]
  try {
    // The stream closes it.
    const file = await open(path, 'wx', 0o600)
    await giveToFolderOwner(file, path)
    await pipeline(lines, counter.stream, createGzip(), meter.stream, file.createWriteStream({ flush: true }))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(path, error as Error)
  }
  return { rows: counter.lines(), ...meter.result() }
}

function unwritable(path: string, cause: Error): SoukError {
  const reason = `${path}: ${cause.message}. Free space, or set SOUK_ARCHIVE_DIR to another folder.`
  return new SoukError('archive_unwritable', reason, { cause })
}

/**
 * Reads a file whose content is known, and compares it. `consume` receives the lines in chunks.
 * @throws SoukError `archive_damaged`
 */
export async function readLines(
  path: string,
  expected: Content,
  consume: (lines: AsyncIterable<Buffer>) => Promise<unknown>,
): Promise<void> {
  const [counter, meter] = [countLines(), measureBytes()]
  const wrong = (what: string, cause?: unknown) =>
    new SoukError('archive_damaged', `${path} ${what}. Use another copy of it.`, { cause })
  try {
    await pipeline(createReadStream(path), meter.stream, createGunzip(), counter.stream, consume)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw wrong('does not exist', error)
    if (/^Z_|^ERR_STREAM|^E[A-Z]+$/.test(code)) throw wrong(`cannot be read: ${message}`, error)
    throw error
  }
  const { sha256 } = meter.result()
  if (sha256 !== expected.sha256) throw wrong(`has the SHA-256 ${sha256} instead of ${expected.sha256}`)
  if (counter.lines() !== expected.rows) throw wrong(`has ${counter.lines()} rows instead of ${expected.rows}`)
}

/** Reads and discards lines. */
export async function discard(lines: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of lines);
}

function countLines() {
  let count = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) count++
      done(null, chunk)
    },
  })
  return { stream, lines: () => count }
}

function measureBytes() {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ size, sha256: hash.digest('hex') }) }
}
