import { constants, createReadStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { SoukError } from '@souk/contract'
import type { Encrypter } from 'age-encryption'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { syncDirectory } from '../../../kernel/secretFile.ts'

/** Adds an entry to an archive. */
export type AddEntry = (name: string, content: Uint8Array) => Promise<void>

/** An entry of an archive that is being read. Its content must be read before the next entry. */
export interface Entry {
  name: string
  content: AsyncIterable<Uint8Array>
}

/** Encryption of a new archive. */
export interface Encryption {
  passphrase: string
  /** Base-2 logarithm of the number of rounds that derive the key. The default takes about a second and 256 MB. */
  workFactor?: number | undefined
}

/** Loads the library when it is first used: servers import this file, but only commands use it. */
const loadAge = () => import('age-encryption')

const defaultWorkFactor = 18
const magic = 'age-encryption.org/v1\n'

/**
 * Writes an archive: a gzipped tar, encrypted with age under a passphrase (ADR 298). The file appears when it is
 * complete and on disk; until then it has the suffix `.part`.
 * @param produce adds the entries
 * @throws SoukError `backup_exists`, `backup_unwritable`
 */
export async function writeArchive<T>(
  path: string,
  { passphrase, workFactor = defaultWorkFactor }: Encryption,
  produce: (add: AddEntry) => Promise<T>,
): Promise<T> {
  await access(path, constants.F_OK).then(
    () => {
      throw new SoukError('backup_exists', `${path} stays as it is. Choose another name.`)
    },
    () => {},
  )
  const draft = join(dirname(path), `${basename(path)}.part`)
  const file = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw unwritable(draft, error)
    throw new SoukError('backup_exists', `${draft} is from another backup. Delete it unless that one is still running.`)
  })
  const { Encrypter } = await loadAge()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  try {
    const result = await encryptTo(file.createWriteStream({ flush: true }), draft, encrypter, produce)
    await rename(draft, path)
    await syncDirectory(dirname(path))
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function encryptTo<T>(
  file: Writable,
  path: string,
  encrypter: Encrypter,
  produce: (add: AddEntry) => Promise<T>,
): Promise<T> {
  const { readable, controller } = createTarPacker()
  const encrypted = await encrypter.encrypt(readable.pipeThrough(new CompressionStream('gzip')))
  let failure: unknown
  file.on('error', (error) => {
    failure = unwritable(path, error)
  })
  const written = encrypted.pipeTo(Writable.toWeb(file) as WritableStream<Uint8Array>)
  // `produce` fails when this does, so the error is handled below.
  written.catch(() => {})
  try {
    const result = await produce(async (name, content) => {
      const writer = controller.add({ name, size: content.length }).getWriter()
      writer.closed.catch(() => {})
      await writer.write(content)
      await writer.close()
    })
    controller.finalize()
    await written
    return result
  } catch (error) {
    controller.error(error)
    await written.catch(() => {})
    throw failure ?? error
  }
}

/**
 * Reads the entries of an archive in order.
 * @throws SoukError `backup_unreadable`, `backup_damaged`, `backup_passphrase_wrong`
 */
export async function* readArchive(path: string, passphrase: string): AsyncGenerator<Entry> {
  const bytes = Readable.toWeb(await openArchive(path)) as ReadableStream<Uint8Array>
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const decrypted = await decrypter.decrypt(bytes).catch((error: Error) => {
    if (!error.message.startsWith('no identity matched')) throw damaged(path, error)
    throw new SoukError('backup_passphrase_wrong', `${path} was encrypted with another one.`)
  })
  const gunzip = new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>
  const tar = decrypted.pipeThrough(gunzip)
  const entries = tar.pipeThrough(createTarDecoder({ strict: true })).getReader()
  try {
    for (;;) {
      const { done, value } = await entries.read().catch((error) => Promise.reject(damaged(path, error)))
      if (done) return
      const { name, type = 'file' } = value.header
      if (type !== 'file') throw damaged(path, new Error(`${JSON.stringify(name.slice(0, 100))} is a ${type}`))
      yield { name, content: contentOf(path, value.body) }
    }
  } finally {
    await entries.cancel().catch(() => {})
  }
}

async function* contentOf(path: string, body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => Promise.reject(damaged(path, error)))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Opens a file that starts like an archive. */
async function openArchive(path: string): Promise<Readable> {
  const file = await open(path).catch((error: Error) => {
    throw new SoukError('backup_unreadable', `${path}: ${error.message}.`)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    if (buffer.toString('latin1', 0, bytesRead) !== magic) {
      throw new SoukError('backup_damaged', `${path} is not a backup: it does not start with ${magic.trim()}.`)
    }
  } finally {
    await file.close()
  }
  return createReadStream(path)
}

function damaged(path: string, cause: unknown): Error {
  const reason = `${path} was cut off or changed: ${(cause as Error).message}. Use another copy of it.`
  return new SoukError('backup_damaged', reason, { cause })
}

function unwritable(path: string, error: Error): SoukError {
  return new SoukError('backup_unwritable', `${path}: ${error.message}. Free space, or choose another folder.`)
}
