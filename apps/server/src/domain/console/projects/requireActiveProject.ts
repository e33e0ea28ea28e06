import { SoukError } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { existsArchivedProject } from './store.ts'

/** @throws SoukError `project_archived` */
export async function requireActiveProject(sql: Sql | Tx, projectId: string): Promise<void> {
  if (await existsArchivedProject(sql, projectId)) throw new SoukError('project_archived', 'An owner can restore it.')
}
