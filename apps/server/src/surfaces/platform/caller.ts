import { SoukError } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountByToken } from '../../domain/accounts/index.ts'
import type { ConsoleCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { accountByKey } from '../../domain/keys/index.ts'
import { equalInConstantTime } from '../../kernel/crypto.ts'
import { bearerToken } from '../bearer.ts'

/**
 * Who asks (open-api §5.1, ADR 202). `Authorization`, where it is present, alone decides, whatever is in it: a token that is
 * not valid is refused, also beside a key that is.
 *
 * @throws SoukError `token_invalid`, `api_key_invalid`
 */
export async function platformCaller(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  adminToken: string,
): Promise<ConsoleCaller> {
  const { headers, ip: address } = request
  if (headers.authorization !== undefined) {
    const token = bearerToken(request)
    if (token !== undefined && equalInConstantTime(token, adminToken)) return { kind: 'admin', address }
    const account = token === undefined ? undefined : await accountByToken(context, token, address)
    if (account) return account
    reply.header('WWW-Authenticate', challenges('error="invalid_token"'))
    const reason =
      headers['x-api-key'] === undefined
        ? 'Send Authorization: Bearer <token>, or X-API-Key alone.'
        : 'Authorization is present, so it alone decides: leave it out for X-API-Key to count.'
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
      : 'It may have been refreshed since, or belong to another environment.',
  )
}

/** What RFC 9110 wants beside every 401: the ways to say who one is. */
function challenges(error?: string): string {
  return `ApiKey realm="souk", header="X-API-Key", Bearer realm="souk"${error ? `, ${error}` : ''}`
}
