import { SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { existsArchivedApp } from './store.ts'

/** @throws SoukError `app_archived` */
export async function requireNotArchived(tx: Tx, appid: string): Promise<void> {
  if (await existsArchivedApp(tx, appid)) throw new SoukError('app_archived', 'Restore it first.')
}
