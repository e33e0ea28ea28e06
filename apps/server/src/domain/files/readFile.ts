import { SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { type FileContent, findFile } from './store.ts'

/**
 * An uploaded file, for anyone who has its address. `fileId` is 32 hexadecimal digits, without the extension. A file
 * never changes, so the answer may be kept for ever.
 *
 * @throws SoukError `file_not_found`
 */
export async function readFile(context: Context, fileId: string): Promise<FileContent> {
  const file = /^[0-9a-f]{32}$/.test(fileId) ? await findFile(context.sql, fileId) : undefined
  if (!file) throw new SoukError('file_not_found')
  return file
}
