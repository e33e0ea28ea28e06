import { join } from 'node:path'
import { isBuilt, webApps } from '../../../setup/webApps.mjs'

/** Folder of the repository. */
export const root = join(import.meta.dirname, '../../..')
if (!isBuilt(root, webApps.find(({ name }) => name === 'docs')!)) {
  throw new Error('apps/docs is not built from its current sources. Run the tests with: npm test')
}

/** Folder of the built site. */
export const dist = join(root, 'apps/docs/dist')
