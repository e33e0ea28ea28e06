import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { newOpaqueId } from '../../kernel/id.ts'
import type { Receipt } from '../bodyShare.ts'

/** An uploaded file outside the memory, until the sign of its request has been checked. */
export class StoredFile {
  readonly #handle: FileHandle
  readonly #room: Receipt
  #size = 0

  private constructor(handle: FileHandle, room: Receipt) {
    this.#handle = handle
    this.#room = room
  }

  /**
   * Stores a stream in a file without a name, which ends with the process. Throws what the stream throws, and SoukError
   * `unavailable`.
   */
  static async from(stream: Readable, room: Receipt): Promise<StoredFile> {
    const path = join(tmpdir(), `souk-upload-${newOpaqueId()}`)
    const handle = await open(path, 'wx+', 0o600)
    const file = new StoredFile(handle, room)
    try {
      await rm(path)
      for await (const chunk of stream as AsyncIterable<Buffer>) await file.#append(chunk)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async #append(chunk: Buffer): Promise<void> {
    this.#room.reserve(chunk.length)
    await this.#handle.appendFile(chunk)
    this.#size += chunk.length
  }

  async read(): Promise<Buffer> {
    const content = Buffer.alloc(this.#size)
    await this.#handle.read(content, 0, this.#size, 0)
    return content
  }

  async close(): Promise<void> {
    await this.#handle.close()
    this.#room.release()
  }
}
