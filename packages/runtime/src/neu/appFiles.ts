import { filesProblem } from '@souk/contract/bridge'
import { blobOf, compactType } from '@souk/shell/device/dataUrl'
import { currentCarrier } from '../carriers/current.ts'
import { arrayBufferToBase64 } from './base64.ts'

/** A file that the app keeps. */
export interface AppFile {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  /** In ms. */
  createTime: number
}

/** All files that the app keeps, in memory for synchronous reads. Changes are written through to the host. */
export class AppFiles {
  readonly #files = new Map<string, AppFile>()

  /** Adds a file in memory. */
  add(path: string, file: AppFile): void {
    this.#forget(path)
    this.#files.set(path, file)
    currentCarrier().fileAddresses.set(path, URL.createObjectURL(this.blob(path)))
  }

  paths(): string[] {
    return [...this.#files.keys()]
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** @throws Error if there is no such file */
  get(path: string): AppFile {
    const file = this.#files.get(path)
    if (!file) throw new Error(`no such file "${path}"`)
    return file
  }

  blob(path: string): Blob {
    const { bytes, type } = this.get(path)
    return new Blob([bytes], { type })
  }

  /**
   * Writes a file immediately; the promise resolves when the host keeps it.
   *
   * @throws Error if the files are full
   */
  write(path: string, bytes: Uint8Array<ArrayBuffer>, type: string): Promise<unknown> {
    const others = this.paths().filter((each) => each !== path)
    const problem = filesProblem([...others.map((each) => this.get(each).bytes.length), bytes.length])
    if (problem) throw new Error(problem)
    this.add(path, { bytes, type, createTime: Date.now() })
    const data = `data:${compactType(type)};base64,${arrayBufferToBase64(bytes.buffer)}`
    return currentCarrier().call('writeFile', { path, data })
  }

  /** @throws Error if there is no such file */
  remove(path: string): Promise<unknown> {
    this.get(path)
    this.#forget(path)
    return currentCarrier().call('removeFile', { path })
  }

  #forget(path: string): void {
    const { fileAddresses } = currentCarrier()
    const address = fileAddresses.get(path)
    if (address) URL.revokeObjectURL(address)
    fileAddresses.delete(path)
    this.#files.delete(path)
  }
}

let loading: Promise<AppFiles> | undefined

/** Reads the files that the app keeps, once. */
export function loadAppFiles(): Promise<AppFiles> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<AppFiles> {
  const appFiles = new AppFiles()
  const { files } = await currentCarrier().call('readFiles', {})
  for (const { path, data, createTime } of files) {
    const file = blobOf(data)
    appFiles.add(path, { bytes: new Uint8Array(await file.arrayBuffer()), type: file.type, createTime })
  }
  return appFiles
}
