import { ApiError, api } from './api.ts'
import { isAppFile } from './appFilePaths.ts'
import { type AppFiles, loadAppFiles } from './appFiles.ts'
import { arrayBufferToBase64, base64ToArrayBuffer } from './base64.ts'
import { fallback } from './fallback.ts'
import { readFile, removeTempFile } from './files.ts'

/** Files of `saveFile` are in their own folder. */
const savedFolder = 'souk-file://saved'

type Data = string | ArrayBuffer
type At = { filePath: string }

/** Times in s, sizes in bytes. */
interface SavedFile {
  size: number
  createTime: number
}

const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  json: 'application/json',
  txt: 'text/plain',
}
const extensionOf = (path: string) => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** @throws Error if the app may not write there */
function checkPath(path: string): void {
  if (!isAppFile(path)) throw new Error(`permission denied, "${path}" is not below env.USER_DATA_PATH`)
}

function encode(data: Data, encoding = 'utf8'): Uint8Array<ArrayBuffer> {
  if (typeof data !== 'string') return new Uint8Array(data.slice(0))
  if (encoding === 'base64') return new Uint8Array(base64ToArrayBuffer(data))
  if (/^(binary|latin1|ascii)$/.test(encoding)) return Uint8Array.from(data, (character) => character.charCodeAt(0))
  return new TextEncoder().encode(data)
}

function decode(bytes: Uint8Array<ArrayBuffer>, encoding?: string): Data {
  if (!encoding) return bytes.slice().buffer
  if (encoding === 'base64') return arrayBufferToBase64(bytes.buffer)
  return new TextDecoder(/^utf-?8$/i.test(encoding) ? 'utf-8' : 'latin1').decode(bytes)
}

const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())

/** Keeps a copy of a temporary file. */
export async function saveFile({
  tempFilePath,
  filePath,
}: {
  tempFilePath: string
  filePath?: string | undefined
}): Promise<{
  savedFilePath: string
}> {
  const file = await readFile(tempFilePath)
  const named = Object.entries(types).find(([, type]) => type === file.type.split(';')[0])?.[0]
  const extension = named ?? extensionOf(tempFilePath)
  const name = [crypto.getRandomValues(new Uint32Array(3)).join(''), extension].filter(Boolean).join('.')
  const savedFilePath = filePath ?? `${savedFolder}/${name}`
  checkPath(savedFilePath)
  const files = await loadAppFiles()
  await files.write(savedFilePath, await bytesOf(file), file.type)
  return { savedFilePath }
}

export async function getSavedFileList(): Promise<{ fileList: (SavedFile & At)[] }> {
  const files = await loadAppFiles()
  const saved = files.paths().filter((path) => path.startsWith(`${savedFolder}/`))
  return { fileList: saved.map((filePath) => ({ filePath, ...savedFile(files, filePath) })) }
}

export async function getSavedFileInfo({ filePath }: At): Promise<SavedFile> {
  return savedFile(await loadAppFiles(), filePath)
}

/** Removes a file that the app keeps, or a temporary one. */
export async function removeSavedFile({ filePath }: At): Promise<void> {
  if (removeTempFile(filePath)) return
  await (await loadAppFiles()).remove(filePath)
}

function savedFile(files: AppFiles, path: string): SavedFile {
  const { bytes, createTime } = files.get(path)
  return { size: bytes.length, createTime: Math.floor(createTime / 1000) }
}

interface WriteOptions extends At {
  data: Data
  encoding?: string
}

/** Reads any file; writes, lists and removes those that the app keeps. All other methods fail. */
const asynchronous = {
  /** Reads a file as text in `encoding`, or as ArrayBuffer without it. */
  async readFile({ filePath, encoding }: At & { encoding?: string }): Promise<{ data: Data }> {
    return { data: decode(await bytesOf(await readFile(filePath)), encoding) }
  },
  /** Writes a text or an ArrayBuffer to a file below `env.USER_DATA_PATH`. */
  async writeFile({ filePath, data, encoding }: WriteOptions): Promise<void> {
    checkPath(filePath)
    await (await loadAppFiles()).write(filePath, encode(data, encoding), types[extensionOf(filePath)] ?? '')
  },
  /** Copies a file. */
  async copyFile({ srcPath, destPath }: { srcPath: string; destPath: string }): Promise<void> {
    checkPath(destPath)
    const file = await readFile(srcPath)
    await (await loadAppFiles()).write(destPath, await bytesOf(file), file.type)
  },
  /** Removes a file. */
  unlink: removeSavedFile,
  /** Fails if there is no such file. */
  async access({ path }: { path: string }): Promise<void> {
    if (isAppFile(path)) check(await loadAppFiles(), path)
    else await readFile(path)
  },
  /** Lists the names of the files in a folder. */
  async readdir({ dirPath }: { dirPath: string }): Promise<{ files: string[] }> {
    return { files: namesIn(await loadAppFiles(), dirPath) }
  },
  /** Folders exist as soon as they are named. */
  async mkdir(_: { dirPath: string }): Promise<void> {},
  /** Returns the size of a file in bytes. */
  async getFileInfo({ filePath }: At): Promise<{ size: number }> {
    return { size: (await readFile(filePath)).size }
  },
  /** Keeps a temporary file. */
  saveFile,
  /** Lists the files that `saveFile` has kept. */
  getSavedFileList,
  /** Removes a kept file. */
  removeSavedFile,
}

/** @throws Error if there is neither such a file nor such a folder */
function check(files: AppFiles, path: string): void {
  if (!files.has(path) && namesIn(files, path).length === 0) files.get(path)
}

/** Returns the names of files and folders in a folder. */
function namesIn(files: AppFiles, folder: string): string[] {
  const prefix = `${folder.replace(/\/$/, '')}/`
  const below = files.paths().filter((path) => path.startsWith(prefix))
  return [...new Set(below.map((path) => path.slice(prefix.length).split('/')[0]!))]
}

/** Functions that act immediately and throw, as in the ecosystem. */
const synchronous = (files: AppFiles) => ({
  /** Reads a file as `readFile` does, and returns the content. */
  readFileSync: (path: string, encoding?: string) => decode(files.get(path).bytes, encoding),
  /** Writes a file as `writeFile` does; throws if it fails. */
  writeFileSync(path: string, data: Data, encoding?: string) {
    checkPath(path)
    files
      .write(path, encode(data, encoding), types[extensionOf(path)] ?? '')
      // The caller has continued already, and the file stays in memory until the app is closed.
      .catch((error: Error) => console.error(error.message))
  },
  /** Removes a file; throws if it fails. */
  unlinkSync(path: string) {
    if (!removeTempFile(path)) files.remove(path).catch((error: Error) => console.error(error.message))
  },
  /** Throws if there is no such file. */
  accessSync: (path: string) => check(files, path),
  /** Returns the names of the files in a folder. */
  readdirSync: (path: string) => namesIn(files, path),
  /** Does nothing: folders follow from the paths of files. */
  mkdirSync: (_: string) => {},
})

type Asynchronous = {
  [N in keyof typeof asynchronous]: (
    options: NonNullable<Parameters<(typeof asynchronous)[N]>[0]> & {
      success?: (result: Awaited<ReturnType<(typeof asynchronous)[N]>> & { errMsg: string }) => void
      fail?: (error: { errMsg: string }) => void
      complete?: (outcome: { errMsg: string }) => void
    },
  ) => void
}
export type FileSystemManager = Asynchronous & ReturnType<typeof synchronous>

/** Creates the manager. Files that the app keeps are read before its synchronous functions act. */
export async function fileSystemManager(): Promise<FileSystemManager> {
  const files = await loadAppFiles()
  const calls = Object.entries(asynchronous).map(([name, run]) => [name, api(name, run as () => Promise<object>)])
  const immediate = Object.entries(synchronous(files)).map(([name, run]) => [
    name,
    throwing(name, run as () => unknown),
  ])
  const manager = Object.fromEntries([...calls, ...immediate]) as FileSystemManager
  const unsupported = (fallback('createFileSystemManager') as () => Record<string, unknown>)()
  return new Proxy(manager, { get: (target, name) => Reflect.get(target, name) ?? unsupported[name as string] })
}

/** Throws errors as the ecosystem does. */
const throwing =
  <A extends unknown[], R>(name: string, run: (...args: A) => R) =>
  (...args: A): R => {
    try {
      return run(...args)
    } catch (error) {
      throw new ApiError(`${name}:fail ${(error as Error).message}`)
    }
  }
