import { Readable } from 'node:stream'

/** Maximum size of a part of a content in bytes. A client that does not read its response holds one or two of them. */
export const partSize = 128 * 1024

/** A content of `size` bytes in the database, of which `start` is the first part. */
export interface StoredContent {
  size: number
  start: Buffer
}

/**
 * Returns a content: a small one as it is, a large one as a stream that reads each part when the previous one has been
 * sent. The stream fails if the content is deleted meanwhile.
 *
 * @param findPart returns the part that starts at an offset in bytes, a multiple of `partSize`
 */
export function openContent(
  { size, start }: StoredContent,
  findPart: (offset: number) => Promise<Buffer | undefined>,
): Buffer | Readable {
  if (start.length === size) return start
  return Readable.from(readParts())

  async function* readParts(): AsyncGenerator<Buffer> {
    yield start
    for (let offset = start.length; offset < size; offset += partSize) {
      const part = await findPart(offset)
      if (!part) throw new Error('A file was deleted while it was sent.')
      yield part
    }
  }
}
