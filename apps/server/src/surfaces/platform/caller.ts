import { SoukError } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleCaller } from '../../domain/caller.ts'
import { accountByKey, accountByToken, serviceAccountByToken } from '../../domain/console/index.ts'
import type { FullContext } from '../../domain/context.ts'
import { authenticateAdmin } from '../../domain/installation/index.ts'
import { bearerToken } from '../bearer.ts'

/**
 * Authenticates the caller (open-api §5.1, ADR 244). `Authorization` takes priority if present: an invalid token is
 * rejected even with a valid key.
 *
 * @throws SoukError `token_invalid`, `api_key_invalid`, `admin_token_disabled`, and the errors of service accounts
 */
export async function platformCaller(
  context: FullContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleCaller> {
  const { headers, ip: address } = request
  if (headers.authorization !== undefined) {
    const token = bearerToken(request)
    const admin = await authenticateAdmin(context, token, address)
    if (admin) return admin
    const account = token === undefined ? undefined : await accountByToken(context, token, address)
    if (account) return account
    const program = token && (await serviceAccountByToken(context, token, address))
    if (program) return program
    reply.header('WWW-Authenticate', challenges('error="invalid_token"'))
    const reason =
      headers['x-api-key'] === undefined
        ? 'Send Authorization: Bearer <token>, or X-API-Key alone.'
        : 'Authorization takes priority over X-API-Key: omit it to use the key.'
    throw new SoukError('token_invalid', reason)
  }
  const key = headers['x-api-key']
  const account = typeof key === 'string' ? await accountByKey(context, key, address) : undefined
  if (account) return account
  reply.header('WWW-Authenticate', challenges())
  throw new SoukError(
    'api_key_invalid',
    key === undefined
      ? 'Send X-API-Key: <the key that the console shows under Profile, API Key Management>.'
      : 'It may have been refreshed, or belong to another environment.',
  )
}

/** Returns the value of `WWW-Authenticate`, which RFC 9110 requires in every 401. */
function challenges(error?: string): string {
  return `ApiKey realm="souk", header="X-API-Key", Bearer realm="souk"${error ? `, ${error}` : ''}`
}
