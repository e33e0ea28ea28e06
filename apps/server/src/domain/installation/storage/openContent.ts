import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FullContext } from '../../context.ts'
import { partSize, type StoredContent } from './content.ts'
import { openObject } from './objects.ts'
import { type Content, findObject, findPart } from './store.ts'

/**
 * Returns a content: a small one as it is, a large one as a stream that reads each part when the previous one has been
 * sent, so that a client that does not read its response holds one or two of them. The stream fails if the content is
 * deleted during the read, and before its end if an object is not what was stored.
 *
 * @throws SoukError `storage_unavailable`, `storage_damaged`
 */
export async function openContent(
  context: Pick<FullContext, 'sql' | 'objects' | 'log'>,
  { table, id, size, start, object }: Pick<Content, 'table' | 'id'> & StoredContent,
): Promise<Buffer | Readable> {
  if (object !== null) {
    const stream = await openObject(context, object, size)
    return size <= partSize ? buffer(stream) : stream
  }
  if (start?.length === size) return start
  return Readable.from(readParts())

  async function* readParts(): AsyncGenerator<Buffer> {
    for (let offset = 0; offset < size; offset += partSize) {
      const part = offset === 0 && start ? start : await findPart(context.sql, { table, id }, offset)
      if (part) yield part
      else return yield* readMoved(offset)
    }
  }

  /** Continues with the object of a content that was moved during the read. */
  async function* readMoved(offset: number): AsyncGenerator<Buffer> {
    const moved = await findObject(context.sql, { table, id })
    if (moved === null) throw new Error('A file was deleted while it was sent.')
    let position = 0
    for await (const chunk of await openObject(context, moved, size)) {
      const skipped = Math.min(chunk.length, Math.max(0, offset - position))
      if (skipped < chunk.length) yield chunk.subarray(skipped)
      position += chunk.length
    }
  }
}
