import { type consoleOperations, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import { newToken } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../audit/index.ts'
import { adminTokenPrefix, isToken } from './authenticateAdmin.ts'
import { findState, lockAdministrator, lockState, updateState } from './store.ts'

type Operations = typeof consoleOperations
type State = ResultOf<Operations['getAdminToken']>

/** Returns whether the admin token is accepted, and its file in the data directory of this process. */
export async function getAdminToken(context: Context<'adminToken'>): Promise<State> {
  const { enabled } = await findState(context.sql)
  return { enabled, file: context.adminToken.file }
}

/**
 * Replaces the admin token of the installation, and returns the new one, only this once. It is stored in the data
 * directory of this process. The old one is invalid immediately, in all processes.
 *
 * @throws SoukError `admin_token_disabled`
 */
export async function rotateAdminToken(
  context: Context<'adminToken'>,
  caller: ConsoleCaller,
): Promise<ResultOf<Operations['rotateAdminToken']>> {
  const token = newToken(adminTokenPrefix)
  await context.sql.begin(async (tx) => {
    if (!(await lockState(tx)).enabled) throw new SoukError('admin_token_disabled')
    await updateState(tx, { enabled: true, hash: sha256(token) })
    await audit(context, tx, caller, { action: 'adminToken.rotate', subject: 'installation' })
    // Last, because the file is not part of the transaction.
    await context.adminToken.write(token)
  })
  return { token, file: context.adminToken.file }
}

/**
 * Disables the admin token immediately in all processes, and deletes its file.
 * @throws SoukError `administrator_missing`
 */
export async function disableAdminToken(context: Context<'adminToken'>, caller: ConsoleCaller): Promise<State> {
  await context.sql.begin(async (tx) => {
    if (!(await lockAdministrator(tx))) {
      throw new SoukError('administrator_missing', 'Create the first one with the link that the server printed.')
    }
    await updateState(tx, { enabled: false, hash: null })
    await audit(context, tx, caller, { action: 'adminToken.disable', subject: 'installation' })
  })
  await context.adminToken.delete()
  return getAdminToken(context)
}

/** Location of the admin token: the file of this process or of another one, or none. */
export type AdminTokenPlace = 'here' | 'elsewhere' | 'disabled'

/**
 * Prepares the admin token at the start of a process. The first process of an installation creates it, or takes the one
 * in its file. An empty file, which only someone with access to the machine can create, replaces the token and enables
 * it; a file with any other token is deleted.
 */
export async function prepareAdminToken(context: Context<'adminToken'>): Promise<AdminTokenPlace> {
  const { adminToken, log, sql } = context
  const stored = adminToken.read()
  return sql.begin(async (tx) => {
    const { enabled, hash } = await lockState(tx)
    if (stored === '' || (enabled && hash === null)) {
      const token = stored || newToken(adminTokenPrefix)
      await updateState(tx, { enabled: true, hash: sha256(token) })
      if (!enabled || hash !== null) {
        const action = enabled ? 'adminToken.rotate' : 'adminToken.enable'
        await audit(context, tx, { kind: 'system' }, { action, subject: 'installation' })
        log.warn({ file: adminToken.file }, 'created a new admin token, because its file is empty')
      }
      if (!stored) await adminToken.write(token)
      return 'here'
    }
    if (enabled && stored !== undefined && isToken(stored, hash)) return 'here'
    if (stored !== undefined) {
      log.warn({ file: adminToken.file }, 'deleted an admin token, which is not valid any more')
      await adminToken.delete()
    }
    return enabled ? 'elsewhere' : 'disabled'
  })
}
