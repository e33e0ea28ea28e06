import { minute, SoukError } from '@souk/contract'
import { matchesSecret } from '../../../kernel/crypto.ts'
import type { ServiceAccountCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findServiceCredential, updateLastUse } from './store.ts'
import { isServiceToken, parseServiceToken } from './token.ts'

/** Precision of the last use: a program in steady use causes one write per interval. */
const usePrecision = minute

/**
 * Returns the service account of a token, or `undefined` if the token is of another kind. Never cached, so that a
 * removed one is refused by all processes with the next request.
 *
 * @throws SoukError `service_token_invalid`, `service_account_removed`, `service_account_expired`,
 *   `project_archived`
 */
export async function serviceAccountByToken(
  context: Pick<Context, 'sql' | 'clock' | 'log'>,
  token: string,
  address?: string,
): Promise<ServiceAccountCaller | undefined> {
  if (!isServiceToken(token)) return undefined
  const parsed = parseServiceToken(token)
  const found = parsed && (await findServiceCredential(context.sql, parsed.serviceAccountId))
  if (!found || !matchesSecret(parsed.tokenHash, found.tokenHash)) throw new SoukError('service_token_invalid')
  const time = context.clock.real()
  if (found.removedTime !== null) throw new SoukError('service_account_removed', 'Ask an owner of the project.')
  if (found.expires <= time) throw new SoukError('service_account_expired', 'Add another one.')
  if (found.projectArchived) throw new SoukError('project_archived', 'An owner can restore it.')
  const { serviceAccountId } = parsed
  const { projectId, name, scopes, lastUsedAt } = found
  if (lastUsedAt === null || lastUsedAt <= time - usePrecision) {
    // The request neither waits for the write nor fails with it.
    const use = { time, before: time - usePrecision, address: address ?? null }
    updateLastUse(context.sql, serviceAccountId, use).catch((error: unknown) => {
      context.log.warn({ reason: String(error) }, 'cannot record the use of a service account')
    })
  }
  return {
    kind: 'serviceAccount',
    serviceAccountId,
    name,
    projectId,
    scopes,
    ...(address === undefined ? {} : { address }),
  }
}
