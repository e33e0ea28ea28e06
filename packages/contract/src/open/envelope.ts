import { Type } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import type { NotDelivered } from '../messageLevels.ts'
import { NotDeliveredSchema } from '../messageSchemas.ts'
import type { Operation } from '../operation.ts'

/** The envelope of every open API response (open-api §2.2). Errors have `response: null` and a `code`. */
export interface Envelope<T = unknown> {
  responseHeader: {
    status: number
    msg: string
    code?: ErrorCode
    data?: Record<string, unknown>
    notDelivered?: NotDelivered
  }
  response: T | null
}

/** Wraps a result in an envelope with status 200 and msg OK. */
export function success<T>(response: T, notDelivered?: NotDelivered): Envelope<T> {
  return { responseHeader: { status: 200, msg: 'OK', ...(notDelivered && { notDelivered }) }, response }
}

/** Returns the JSON Schema of the envelope of an operation. */
export const envelopeOf = ({ result, reportsNotDelivered }: Pick<Operation, 'result' | 'reportsNotDelivered'>) =>
  Type.Object({
    responseHeader: Type.Object({
      status: Type.Integer({ description: 'Status code corresponding to the HTTP status.' }),
      msg: Type.String({ description: 'OK, or the error message.' }),
      ...(reportsNotDelivered && { notDelivered: Type.Optional(NotDeliveredSchema) }),
    }),
    response: result,
  })
