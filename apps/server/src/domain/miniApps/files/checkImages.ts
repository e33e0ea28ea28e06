import { SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { listFilesAmong } from './store.ts'

/** Checks that all are images of a mini app. @throws SoukError `file_not_found` */
export async function checkImages(tx: Tx, appid: string, fileIds: readonly string[]): Promise<void> {
  const found = await listFilesAmong(tx, appid, fileIds)
  const missing = fileIds.filter((fileId) => !found.has(fileId))
  if (missing.length > 0) throw new SoukError('file_not_found', `Not uploaded for ${appid}: ${missing.join(', ')}`)
}
