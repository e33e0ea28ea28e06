import {
  type consoleOperations,
  day,
  type ParametersOf,
  type ResultOf,
  SoukError,
  serviceAccountDays,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockProject } from '../projects/index.ts'
import { insertServiceAccount, listServiceAccountRows, updateRemoved } from './store.ts'
import { newServiceToken } from './token.ts'

type Operations = typeof consoleOperations

const maxPerProject = 50

/** Lists the service accounts of a project, newest first. */
export async function listServiceAccounts(
  context: Context,
  _caller: ConsoleCaller,
  { projectId }: ParametersOf<Operations['listServiceAccounts']>,
): Promise<ResultOf<Operations['listServiceAccounts']>> {
  return listServiceAccountRows(context.sql, projectId)
}

/**
 * Adds a service account. Its token is returned only here; the database stores a SHA-256.
 * @throws SoukError `service_account_name_taken`, `service_account_limit_reached`
 */
export async function addServiceAccount(
  context: Context,
  caller: ConsoleCaller,
  { projectId, name, scopes, days = serviceAccountDays.default }: ParametersOf<Operations['addServiceAccount']>,
): Promise<ResultOf<Operations['addServiceAccount']>> {
  const serviceAccountId = newId()
  const { token, tokenHash } = newServiceToken(serviceAccountId)
  const ctime = context.clock.real()
  const expires = ctime + days * day
  return context.sql.begin(async (tx) => {
    await lockProject(tx, projectId)
    if ((await listServiceAccountRows(tx, projectId)).length >= maxPerProject) {
      throw new SoukError('service_account_limit_reached', `Remove one first: a project can have ${maxPerProject}.`)
    }
    const createdBy = caller.kind === 'account' ? caller.accountId : null
    const row = { serviceAccountId, projectId, name, scopes, expires, ctime }
    if (!(await insertServiceAccount(tx, { ...row, tokenHash, createdBy }))) {
      throw new SoukError('service_account_name_taken', 'Choose another name, or remove it first.')
    }
    const detail = { name, scopes, expires }
    await audit(context, tx, caller, { action: 'serviceAccount.add', subject: serviceAccountId, projectId, detail })
    const added = (await listServiceAccountRows(tx, projectId)).find((it) => it.serviceAccountId === serviceAccountId)!
    return { serviceAccount: added, token }
  })
}

/** Removes a service account, whose token is refused from now on. @throws SoukError `service_account_not_found` */
export async function removeServiceAccount(
  context: Context,
  caller: ConsoleCaller,
  { projectId, serviceAccountId }: ParametersOf<Operations['removeServiceAccount']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    const name = await updateRemoved(tx, { projectId, serviceAccountId }, context.clock.real())
    if (name === undefined) throw new SoukError('service_account_not_found')
    const entry = { action: 'serviceAccount.remove', subject: serviceAccountId, projectId, detail: { name } }
    await audit(context, tx, caller, entry)
  })
  return true
}
