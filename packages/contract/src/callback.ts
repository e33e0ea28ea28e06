import { utf8ToBytes } from '@noble/hashes/utils.js'
import { type Static, Type } from 'typebox'
import { ParameterFault, parseForm } from './open/parameters.ts'
import { base64, equalInConstantTime, hmacSha256 } from './open/sha256.ts'
import { encodeForm, type HashText, type ParameterValue, signParameters } from './open/sign.ts'
import { Nullable } from './schemas.ts'
import { hour, minute, second } from './time.ts'

/**
 * The payment result callback (open-api §6), posted to `notifyUrl` as `application/x-www-form-urlencoded` when a trade
 * reaches a final state. Null is an empty value on the wire. Delivered at least once: receivers must acknowledge a
 * repeated `notifyId` again without side effects.
 */
export const PaymentCallback = Type.Object({
  notifyId: Type.String({ description: 'Identifies this result; the same for all delivery attempts.' }),
  notifyTime: Type.Integer({
    description:
      'When the trade became final, in milliseconds; the same for all delivery attempts. Follows the sandbox clock.',
    'x-clock': 'domain',
  }),
  appid: Type.String({ description: 'Mini app id.' }),
  merchantId: Type.String({ description: 'Merchant number.' }),
  tradeNo: Type.String({ description: 'Transaction number.' }),
  outTradeNo: Type.String({ description: 'Order number in the merchant’s system.' }),
  transactionStatus: Type.Integer({
    minimum: 2,
    maximum: 6,
    description: '2 succeeded, 3 failed, 4 expired, 5 canceled, 6 closed.',
    'x-enum': 'TransactionStatus',
  }),
  failReasonType: Type.Integer({
    minimum: -1,
    description: 'Why the payment failed; -1 if it did not.',
    'x-enum': 'FailReasonType',
  }),
  amount: Type.Integer({ minimum: 1, description: 'Amount in cents.' }),
  currency: Type.String({ description: 'CNY, USD, SGD or SAR.', 'x-enum': 'Currency' }),
  openId: Type.String({ description: 'The user’s openId under this appid.' }),
  payType: Nullable(
    Type.Integer({ description: '1 hosted checkout, 2 card processor A, 3 card processor B.', 'x-enum': 'PayType' }),
  ),
  payMethod: Nullable(
    Type.Integer({ description: '1 mobile wallet A, 2 mobile wallet B, 3 card.', 'x-enum': 'PayMethod' }),
  ),
  payNo: Nullable(Type.String({ description: 'Payment number at the provider.' })),
  timestamp: Type.Integer({
    description: 'When this attempt was signed; never follows the sandbox clock.',
    'x-clock': 'real',
  }),
  sign: Type.String({ description: 'Signature with the app secret, as for requests (open-api §4.1).' }),
})
export type PaymentCallback = Static<typeof PaymentCallback>

/**
 * The result of a refund that the backend has requested (ADR 409), posted to the `notifyUrl` of the refund like that of
 * a payment. It has no `transactionStatus`, so that no receiver takes it for the result of a payment.
 */
export const RefundCallback = Type.Object({
  notifyId: Type.String({ description: 'Identifies this result; the same for all delivery attempts.' }),
  notifyTime: Type.Integer({
    description:
      'When the refund got this result, in milliseconds; the same for all delivery attempts. Follows the sandbox clock.',
    'x-clock': 'domain',
  }),
  appid: Type.String({ description: 'Mini app id.' }),
  merchantId: Type.String({ description: 'Merchant number.' }),
  tradeNo: Type.String({ description: 'Transaction number of the refunded trade.' }),
  outTradeNo: Type.String({ description: 'Order number of the refunded trade.' }),
  refundNo: Type.String({ description: 'Refund number.' }),
  outRefundNo: Type.String({ description: 'Refund number in the merchant’s system.' }),
  refundStatus: Type.Integer({
    minimum: 2,
    maximum: 3,
    description: '2 succeeded, 3 failed.',
    'x-enum': 'RefundStatus',
  }),
  failReason: Nullable(Type.String({ description: 'Why the refund failed, in the words of the provider.' })),
  amount: Type.Integer({ minimum: 1, description: 'Refunded amount in cents.' }),
  currency: Type.String({ description: 'CNY, USD, SGD or SAR.', 'x-enum': 'Currency' }),
  openId: Type.String({ description: 'The payer’s openId under this appid.' }),
  timestamp: Type.Integer({
    description: 'When this attempt was signed; never follows the sandbox clock.',
    'x-clock': 'real',
  }),
  sign: Type.String({ description: 'Signature with the app secret, as for requests (open-api §4.1).' }),
})
export type RefundCallback = Static<typeof RefundCallback>

type CallbackType = typeof PaymentCallback | typeof RefundCallback

/**
 * Returns the signed body of one delivery attempt, with the fields in the order of its type.
 *
 * `hash` replaces the portable SHA-256, as in `signParameters`.
 */
export function callbackBody(
  callback: Omit<PaymentCallback, 'sign'> | Omit<RefundCallback, 'sign'>,
  secret: string,
  hash?: HashText,
): string {
  const names = fieldNames('refundNo' in callback ? RefundCallback : PaymentCallback)
  const values: Readonly<Record<string, ParameterValue>> = callback
  const pairs = names.filter((name) => name !== 'sign').map((name): [string, ParameterValue] => [name, values[name]])
  return encodeForm([...pairs, ['sign', signParameters(pairs, secret, hash)]])
}

const fieldNames = (type: CallbackType) => Object.keys(type.properties)

/**
 * Maximum difference between a callback's timestamp and the receiver's clock, in ms, as for requests (open-api §4.1).
 */
export const callbackWindow = 5 * minute

export type CallbackFailureCode =
  /** The body is not a callback: not a form, or a field is missing or has the wrong type. */
  | 'callback_malformed'
  /** No secret yields the sign. `mistake` names the cause if it is known. */
  | 'sign_mismatch'
  /** Correctly signed, but outside the time window: a replayed body, or a wrong clock. */
  | 'callback_stale'

export interface CallbackFailure {
  readonly ok: false
  readonly code: CallbackFailureCode
  /**
   * `secret_white_space`: the given secret has surrounding white space. `body_changed`: a proxy or parser changed the
   * body.
   */
  readonly mistake?: 'secret_white_space' | 'body_changed'
  /** Explanation for the developer; contains no value of the callback. */
  readonly reason: string
}

export type CallbackVerdict<Callback = PaymentCallback> =
  | { readonly ok: true; readonly callback: Callback }
  | CallbackFailure

/**
 * Verifies that a payment result callback was sent by Souk, is unchanged, and is recent.
 *
 * `received` should be the raw body (string or bytes); parsed form fields are accepted, but a parser may have changed
 * them. `secrets` are the app's active secrets, two during a rotation. `now` is Unix time in ms, `tolerance` the
 * maximum age in ms, by default `callbackWindow`. Unknown fields take part in the verification and are omitted from the
 * result.
 *
 * @throws RangeError if there is no secret or an empty one, since anyone could sign with it.
 */
export function verifyCallback(
  received: string | Uint8Array | Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  { now, tolerance }: { now: number; tolerance?: number },
): CallbackVerdict {
  return verify(PaymentCallback, received, secrets, now, tolerance)
}

/** Verifies the callback of a refund, like {@link verifyCallback} that of a payment. */
export function verifyRefundCallback(
  received: string | Uint8Array | Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  { now, tolerance }: { now: number; tolerance?: number },
): CallbackVerdict<RefundCallback> {
  return verify(RefundCallback, received, secrets, now, tolerance)
}

function verify<T extends CallbackType>(
  type: T,
  received: string | Uint8Array | Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  now: number,
  tolerance: number = callbackWindow,
): CallbackVerdict<Static<T>> {
  if (secrets.length === 0 || secrets.some((secret) => secret.trim() === '')) {
    throw new RangeError('the verification of callbacks requires the app secret; it is missing or empty')
  }
  const fields = fieldsOf(received)
  if (typeof fields === 'string') return { ok: false, code: 'callback_malformed', reason: fields }
  const sign = fields.get('sign')
  if (!sign) return { ok: false, code: 'callback_malformed', reason: 'the body has no sign' }

  let matches = false
  for (const secret of secrets) matches = equalInConstantTime(sign, signParameters(fields, secret)) || matches
  if (!matches) return { ok: false, code: 'sign_mismatch', ...explainMismatch(type, fields, sign, secrets) }

  const callback = decodeFields(type, fields)
  if (typeof callback === 'string') return { ok: false, code: 'callback_malformed', reason: callback }
  const skew = now - callback.timestamp
  if (Math.abs(skew) > tolerance) {
    const seconds = Math.round(Math.abs(skew) / second)
    return {
      ok: false,
      code: 'callback_stale',
      reason: `the callback was signed ${seconds} s ${skew > 0 ? 'before' : 'after'} the current time of this machine; more than ${tolerance / second} s means a replayed body or a wrong clock`,
    }
  }
  return { ok: true, callback }
}

function fieldsOf(received: string | Uint8Array | Readonly<Record<string, unknown>>): Map<string, string> | string {
  if (typeof received === 'string' || received instanceof Uint8Array) {
    const start = typeof received === 'string' ? received.trimStart().charAt(0) : String.fromCharCode(received[0] ?? 0)
    if (start === '{') return 'the body is JSON; pass the raw body as it arrived, which is form-encoded'
    try {
      return parseForm(typeof received === 'string' ? utf8ToBytes(received) : received)
    } catch (fault) {
      if (fault instanceof ParameterFault) return fault.reason
      throw fault
    }
  }
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(received)) {
    if (typeof value !== 'string') return `${name} is not a string; pass the raw body as it arrived`
    fields.set(name, value)
  }
  return fields
}

function decodeFields<T extends CallbackType>(
  callbackType: T,
  fields: ReadonlyMap<string, string>,
): Static<T> | string {
  const callback: Record<string, string | number | null> = {}
  const schemas: Readonly<Record<string, FieldSchema>> = callbackType.properties
  for (const [name, schema] of Object.entries(schemas)) {
    const nullable = 'anyOf' in schema
    const { type } = nullable ? schema.anyOf[0] : schema
    const text = fields.get(name)
    if (text === undefined || (text === '' && !nullable)) return `${name} is missing`
    if (text === '') callback[name] = null
    else if (type === 'string') callback[name] = text
    else {
      const number = Number(text)
      if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(number)) return `${name} is not an integer`
      callback[name] = number
    }
  }
  return callback as Static<T>
}

/** The schema of a field: of a text, an integer, or either with null. */
type FieldSchema = { type: string } | { anyOf: [{ type: string }, unknown] }

function explainMismatch(
  type: CallbackType,
  fields: ReadonlyMap<string, string>,
  sign: string,
  secrets: readonly string[],
): Pick<CallbackFailure, 'mistake' | 'reason'> {
  const fits = (changed: Iterable<readonly [string, string]>, secret: string) =>
    equalInConstantTime(sign, signParameters(changed, secret))
  for (const secret of secrets) {
    if (fits(fields, secret.trim())) {
      return {
        mistake: 'secret_white_space',
        reason: 'the given secret has surrounding white space or a line break; trim it where it is read',
      }
    }
    for (const { change, original } of bodyChanges(type, fields)) {
      if (fits(original, secret) || fits(original, secret.trim())) {
        return {
          mistake: 'body_changed',
          reason: `the body was changed in transit: ${change}; verify the raw body as it arrived, before any parser or proxy rewrites it`,
        }
      }
    }
  }
  return {
    reason:
      'none of the given secrets yields the sign; either the secret belongs to another app, or the body was changed in transit: verify the raw body as it arrived',
  }
}

/** Lists changes that proxies and parsers may have made to a form, each with the reconstructed original fields. */
function bodyChanges(
  type: CallbackType,
  fields: ReadonlyMap<string, string>,
): { change: string; original: [string, string][] }[] {
  const names = fieldNames(type)
  const known = new Set(names)
  const pairs = [...fields]
  const values = (change: (value: string) => string) =>
    pairs.map(([name, value]): [string, string] => [name, change(value)])
  const dropped = names.filter((name) => !fields.has(name)).map((name): [string, string] => [name, ''])
  const ours = pairs.filter(([name]) => known.has(name))
  return [
    { change: 'fields with empty values were dropped', original: [...pairs, ...dropped] },
    { change: 'fields were added', original: ours },
    { change: 'fields were added, and fields with empty values were dropped', original: [...ours, ...dropped] },
    { change: 'the values were not decoded', original: values(decodedOnceMore) },
    {
      change: 'the values were decoded twice, which turned "+" into a space',
      original: values((value) => value.replaceAll(' ', '+')),
    },
    {
      change: 'empty values were replaced by a word',
      original: values((value) => (/^(null|undefined|None|nil)$/.test(value) ? '' : value)),
    },
  ]
}

function decodedOnceMore(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

/**
 * Returns whether a response acknowledges the callback: any 2xx whose trimmed body is not `fail`, in any case. `body`
 * is the part of the body that was read.
 */
export function callbackAcknowledged(status: number, body: string): boolean {
  return status >= 200 && status <= 299 && body.trim().toLowerCase() !== 'fail'
}

/** Delays between failed attempts, in ms. After the last one there are no more attempts. */
export const callbackRetryDelays: readonly number[] = [
  15 * second,
  15 * second,
  30 * second,
  3 * minute,
  10 * minute,
  20 * minute,
  30 * minute,
  30 * minute,
  30 * minute,
  1 * hour,
  3 * hour,
  3 * hour,
  3 * hour,
  6 * hour,
  6 * hour,
]

/** Maximum fraction of a delay that jitter removes. */
const jitter = 0.1

/** Longest `Retry-After` that is honored, in ms. */
const longestRetryAfter = 6 * hour

/**
 * Returns the delay after a failed attempt in ms, or null after the last attempt.
 *
 * `attempt` is the number of attempts made so far. `random` is in [0, 1): jitter shortens the delay by up to 10 %, so
 * that callbacks which failed together are not retried together, and none is retried later than scheduled. `retryAfter`
 * is the receiver's `Retry-After` in ms; it can extend the delay to 6 hours at most.
 */
export function retryDelay(attempt: number, random: number, retryAfter = 0): number | null {
  const delay = callbackRetryDelays[attempt - 1]
  if (delay === undefined) return null
  return Math.max(Math.round(delay * (1 - jitter * random)), Math.min(retryAfter, longestRetryAfter))
}

/** Returns the HMAC-SHA256 (32 bytes) of two strings in UTF-8. */
export type HmacText = (key: string, message: string) => Uint8Array

/** Standard Webhooks headers, sent in addition to `sign`. */
export const webhookHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/**
 * Returns the Standard Webhooks headers of one attempt: the id is `notifyId`, the timestamp is `signedAt` (ms) in
 * seconds, the signature is HMAC-SHA256 over `id.timestamp.body`, one `v1,…` per active secret, separated by spaces.
 *
 * The key is the UTF-8 encoding of the secret's 48 characters, not the 24 bytes that they encode. `hmac` replaces the
 * portable HMAC-SHA256.
 */
export function webhookHeaders(
  notifyId: string,
  signedAt: number,
  body: string,
  secrets: readonly string[],
  hmac: HmacText = hmacSha256,
): Record<(typeof webhookHeaderNames)[keyof typeof webhookHeaderNames], string> {
  const timestamp = String(Math.floor(signedAt / second))
  const signatures = secrets.map((secret) => webhookSignature(notifyId, timestamp, body, secret, hmac))
  return { 'webhook-id': notifyId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/**
 * Returns a Standard Webhooks signature: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; `timestamp` in
 * seconds.
 */
export function webhookSignature(
  id: string,
  timestamp: string,
  body: string,
  secret: string,
  hmac: HmacText = hmacSha256,
): string {
  return `v1,${base64(hmac(secret, `${id}.${timestamp}.${body}`))}`
}

/** Converts an app secret to the form that Standard Webhooks libraries expect: `whsec_` and the base64 of the key. */
export function webhookSecret(secret: string): string {
  return `whsec_${base64(utf8ToBytes(secret))}`
}
