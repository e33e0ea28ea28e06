import { type TSchema, Type } from 'typebox'
import type { ErrorCode } from '../errors.ts'

/** The envelope of every open API response (open-api §2.2). Errors have `response: null` and a `code`. */
export interface Envelope<T = unknown> {
  responseHeader: { status: number; msg: string; code?: ErrorCode; data?: Record<string, unknown> }
  response: T | null
}

/** Wraps a result in an envelope with status 200 and msg OK. */
export function success<T>(response: T): Envelope<T> {
  return { responseHeader: { status: 200, msg: 'OK' }, response }
}

/** Returns the JSON Schema of the envelope for a result. */
export const envelopeOf = (result: TSchema) =>
  Type.Object({
    responseHeader: Type.Object({
      status: Type.Integer({ description: 'Status code corresponding to the HTTP status.' }),
      msg: Type.String({ description: 'OK, or the error message.' }),
    }),
    response: result,
  })
