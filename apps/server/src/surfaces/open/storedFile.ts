import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

  /** Stores a stream in a file without a name, which ends with the process. Throws what the stream throws. */
  static async from(stream: Readable, room: Receipt): Promise<StoredFile> {
    const path = join(tmpdir(), `souk-upload-${newOpaqueId()}`)
    const handle = await open(path, 'wx+', 0o600)
    const file = new StoredFile(handle, room)
    try {
      await rm(path)
      await pipeline(stream, (chunks) => file.#count(chunks), handle.createWriteStream({ autoClose: false }))
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async *#count(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of chunks) {
      this.#room.reserve(chunk.length)
      this.#size += chunk.length
      yield chunk
    }
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
