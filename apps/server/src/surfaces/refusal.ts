import { SoukError } from '@souk/contract'
import type { FastifyRequest } from 'fastify'
import type { Logger } from '../kernel/log.ts'

/** Fastify's errors as ours. */
const frameworkCodes = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['body_unsupported', undefined],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', undefined],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['parameter_malformed', 'The JSON body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['parameter_malformed', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['parameter_malformed', 'The size of the body differs from Content-Length.'],
  FST_ERR_BAD_URL: ['parameter_malformed', 'The path cannot be decoded.'],
  FST_ERR_MAX_PARAM_LENGTH: ['parameter_invalid', 'A segment of the path is longer than 100 characters.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['body_unsupported', undefined],
  FST_REQ_FILE_TOO_LARGE: ['file_too_large', undefined],
  FST_FILES_LIMIT: ['body_too_large', 'There are too many parts.'],
  FST_PROTO_VIOLATION: ['parameter_unknown', 'The name of a part is not allowed.'],
  FST_PARTS_LIMIT: ['body_too_large', 'There are too many parts.'],
} as const

/** Error code of the triggers that refuse writes while the installation is moved (migration 0096). */
const writesRefused = 'SOUKM'
/**
 * Error codes of a database that cannot process the request now (ADR 305): it is down (08, 57P0), read-only after a
 * failover (25006), full or overloaded (53, 58), canceled a statement or transaction that took too long (57014, 55P03,
 * 25P03, 25P04), or resolved a conflict between transactions (40001, 40P01).
 */
const databaseAway = /^(CONNECTION_|CONNECT_TIMEOUT|08|25006|25P0[34]|40001|40P01|53|55P03|57014|57P0|58)/
/** Seconds after which clients may repeat a request that the database could not process. */
const retryAfter = 2
/** Error codes of a broken connection, to the database or to the client; errors of the driver have a query. */
const connectionBroken = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/

/**
 * Converts anything thrown to a registered error. Unexpected errors become `unavailable` if the database cannot be
 * reached, otherwise `internal`; they are logged with the id of the request and not shown to the caller.
 */
export function asSoukError(thrown: unknown, { id: requestId }: Pick<FastifyRequest, 'id'>, log: Logger): SoukError {
  if (thrown instanceof SoukError) {
    if (thrown.internal || thrown.cause)
      log.warn({ requestId, code: thrown.code, internal: thrown.internal }, 'rejected with a cause')
    return thrown
  }
  const code = (thrown as { code?: unknown } | null)?.code
  if (typeof code === 'string' && code in frameworkCodes) {
    const [own, reason] = frameworkCodes[code as keyof typeof frameworkCodes]
    return new SoukError(own, reason)
  }
  if (code === writesRefused) {
    const reason = 'Its data is being moved to another database. Reads continue; try this again in a minute.'
    return new SoukError('read_only', reason, { data: { retryAfter: 10 } })
  }
  if (typeof code === 'string' && (databaseAway.test(code) || (connectionBroken.test(code) && hasQuery(thrown)))) {
    log.error({ requestId, code }, 'database unavailable')
    return new SoukError('unavailable', 'The database cannot process the request now; try again in a moment.', {
      data: { retryAfter },
    })
  }
  if (typeof code === 'string' && connectionBroken.test(code)) {
    return new SoukError('parameter_malformed', 'The body is incomplete.')
  }
  if (thrown instanceof Error && /multipart/i.test(thrown.message)) {
    return new SoukError('parameter_malformed', 'The multipart body cannot be parsed.')
  }
  if (isClientFault(thrown)) return new SoukError('parameter_malformed', 'The request cannot be read.')
  // Not the whole error: database errors repeat values in `detail` and `parameters`.
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
  log.error({ requestId, error: { name, message, code, stack } }, 'failed')
  return new SoukError('internal', 'The operator can find the cause in the log by the request id.')
}

/**
 * Returns whether Fastify blames the client. Such errors are not logged, because their messages may contain the URL.
 */
function isClientFault(thrown: unknown): boolean {
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown }
  return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500
}

function hasQuery(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'query' in thrown
}
