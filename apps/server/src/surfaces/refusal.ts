import { SoukError } from '@souk/contract'
import type { Logger } from '../kernel/log.ts'

/** Fastify's own refusals, as ours. */
const frameworkCodes = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['body_unsupported', undefined],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', undefined],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['parameter_malformed', 'The JSON body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['parameter_malformed', 'The body is not JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['parameter_malformed', 'The body is shorter or longer than its Content-Length.'],
  FST_ERR_BAD_URL: ['parameter_malformed', 'The path cannot be decoded.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['body_unsupported', undefined],
  FST_REQ_FILE_TOO_LARGE: ['file_too_large', undefined],
  FST_FILES_LIMIT: ['body_too_large', 'There are too many parts.'],
  FST_PROTO_VIOLATION: ['parameter_unknown', 'A part has a name that no operation knows.'],
  FST_PARTS_LIMIT: ['body_too_large', 'There are too many parts.'],
} as const

/** Codes by which the database, or its driver, says that it is not there at the moment. */
const databaseAway = /^(CONNECTION_|CONNECT_TIMEOUT|57P0|53300)/
/** Codes of a broken connection, which may be the client's as well: the driver's errors carry their query. */
const connectionBroken = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/

/**
 * Whatever was thrown, as a registered refusal. What was not thrown on purpose is `unavailable` while the database is
 * away and `internal` otherwise; the log gets the whole error, the caller nothing of it.
 */
export function asSoukError(thrown: unknown, log: Logger): SoukError {
  if (thrown instanceof SoukError) {
    if (thrown.internal || thrown.cause)
      log.warn({ code: thrown.code, internal: thrown.internal }, 'refused with a cause')
    return thrown
  }
  const code = (thrown as { code?: unknown } | null)?.code
  if (typeof code === 'string' && code in frameworkCodes) {
    const [own, reason] = frameworkCodes[code as keyof typeof frameworkCodes]
    return new SoukError(own, reason)
  }
  if (typeof code === 'string' && (databaseAway.test(code) || (connectionBroken.test(code) && isOfQuery(thrown)))) {
    log.error({ code }, 'the database is away')
    return new SoukError('unavailable', 'The database is away; try again in a moment.')
  }
  if (typeof code === 'string' && connectionBroken.test(code)) {
    return new SoukError('parameter_malformed', 'The body broke off.')
  }
  if (thrown instanceof Error && /multipart/i.test(thrown.message)) {
    return new SoukError('parameter_malformed', 'The multipart body cannot be read.')
  }
  // A database error repeats values in `detail` and `parameters`, so only its name and place are logged.
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
  log.error({ error: { name, message, code, stack } }, 'failed')
  return new SoukError('internal', 'The operator finds the cause under the request id.')
}

function isOfQuery(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'query' in thrown
}
