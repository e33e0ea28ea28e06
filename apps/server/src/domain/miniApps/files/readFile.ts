import type { Readable } from 'node:stream'
import { type ImageType, SoukError } from '@souk/contract'
import type { Context } from '../../context.ts'
import { openContent } from '../../installation/index.ts'
import { findFile } from './store.ts'

/**
 * Returns an uploaded file to anyone who has its URL. `fileId` is 32 hexadecimal digits, without the extension. Files
 * never change, so that the response can be cached forever.
 *
 * @throws SoukError `file_not_found`, `storage_unavailable`, `storage_damaged`
 */
export async function readFile(
  context: Context<'objects'>,
  fileId: string,
): Promise<{ mediaType: ImageType; size: number; content: Buffer | Readable }> {
  const file = /^[0-9a-f]{32}$/.test(fileId) ? await findFile(context.sql, fileId) : undefined
  if (!file) throw new SoukError('file_not_found')
  const { mediaType, size } = file
  return { mediaType, size, content: await openContent(context, { table: 'files', id: fileId, ...file }) }
}
