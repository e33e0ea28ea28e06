import { SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { type FileContent, findFile } from './store.ts'

/**
 * Returns an uploaded file to anyone who has its URL. `fileId` is 32 hexadecimal digits, without the extension. Files
 * never change, so that the response can be cached forever.
 *
 * @throws SoukError `file_not_found`
 */
export async function readFile(context: Context, fileId: string): Promise<FileContent> {
  const file = /^[0-9a-f]{32}$/.test(fileId) ? await findFile(context.sql, fileId) : undefined
  if (!file) throw new SoukError('file_not_found')
  return file
}
