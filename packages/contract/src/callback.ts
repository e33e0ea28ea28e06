import { utf8ToBytes } from '@noble/hashes/utils.js'
import { type Static, Type } from 'typebox'
import { ParameterFault, parseForm } from './open/parameters.ts'
import { base64, equalInConstantTime, hmacSha256 } from './open/sha256.ts'
import { encodeForm, type HashText, type ParameterValue, signParameters } from './open/sign.ts'
import { Nullable } from './schemas.ts'
import { hour, minute, second } from './time.ts'

/**
 * The payment result callback (open-api §6): what Souk posts to `notifyUrl` when a trade has reached its end, as
 * `application/x-www-form-urlencoded`. A null is an empty value on the wire. Delivered at least once: the same
 * `notifyId` can come again, and is then to be acknowledged again without further effect.
 */
export const PaymentCallback = Type.Object({
  notifyId: Type.String({ description: 'Identifies this result; the same over all attempts to deliver it.' }),
  notifyTime: Type.Integer({
    description: 'When the trade reached its end, milliseconds; the same over all attempts. A sandbox clock moves it.',
  }),
  appid: Type.String({ description: 'Mini app id.' }),
  merchantId: Type.String({ description: 'Merchant number.' }),
  tradeNo: Type.String({ description: 'Transaction number.' }),
  outTradeNo: Type.String({ description: 'Order number in the merchant’s system.' }),
  transactionStatus: Type.Integer({
    minimum: 2,
    maximum: 6,
    description: '2 succeeded, 3 failed, 4 expired, 5 canceled, 6 closed.',
  }),
  failReasonType: Type.Integer({ minimum: -1, description: 'Why the payment failed; -1 has no meaning.' }),
  amount: Type.Integer({ minimum: 1, description: 'Amount in cents.' }),
  currency: Type.String({ description: 'CNY, USD, SGD or SAR.' }),
  openId: Type.String({ description: 'The user’s openId under this appid.' }),
  payType: Nullable(Type.Integer({ description: '1 hosted checkout, 2 card processor A, 3 card processor B.' })),
  payMethod: Nullable(Type.Integer({ description: '1 mobile wallet A, 2 mobile wallet B, 3 card.' })),
  payNo: Nullable(Type.String({ description: 'The provider’s number of the payment.' })),
  timestamp: Type.Integer({ description: 'When this attempt was signed, milliseconds of real time.' }),
  sign: Type.String({ description: 'Signature with the app’s secret, by the rules of requests (open-api §4.1).' }),
})
export type PaymentCallback = Static<typeof PaymentCallback>

/**
 * The body of one attempt: the fields in the order of `PaymentCallback`, signed.
 *
 * `hash` replaces the portable SHA-256, as in `signParameters`.
 */
export function callbackBody(callback: Omit<PaymentCallback, 'sign'>, secret: string, hash?: HashText): string {
  const pairs: [string, ParameterValue][] = []
  for (const name of fieldNames) if (name !== 'sign') pairs.push([name, callback[name]])
  return encodeForm([...pairs, ['sign', signParameters(pairs, secret, hash)]])
}

const fieldNames = Object.keys(PaymentCallback.properties) as (keyof PaymentCallback)[]

/** How far the timestamp of a callback may be from the receiver's clock, in ms: the window of requests (open-api §4.1). */
export const callbackWindow = 300_000

export type CallbackFailureCode =
  /** What arrived is not a callback: not a form, a field missing or not of its type. */
  | 'callback_malformed'
  /** No secret yields the sign. `mistake` says why where that can be told. */
  | 'sign_mismatch'
  /** Rightly signed, but at another time than now: an old body sent again, or a clock that is wrong. */
  | 'callback_stale'

export interface CallbackFailure {
  readonly ok: false
  readonly code: CallbackFailureCode
  /**
   * `secret_white_space`: the secret given here has white space around it. `body_changed`: a proxy or a parser changed the
   * body between Souk and here.
   */
  readonly mistake?: 'secret_white_space' | 'body_changed'
  /** For the developer; holds no value of the callback. */
  readonly reason: string
}

export type CallbackVerdict = { readonly ok: true; readonly callback: PaymentCallback } | CallbackFailure

/**
 * Whether a callback comes from Souk, unchanged and now.
 *
 * `received` is best the raw body (text or bytes), since nothing can have changed it; the fields that a form parser made
 * of it will do. `secrets` are the app's active secrets: two while one is being rotated. `now` is Unix time in ms.
 * Fields that are not known here are verified with the others and left out of the result.
 *
 * @throws RangeError when there is no secret, or an empty one: anyone can sign with that.
 */
export function verifyCallback(
  received: string | Uint8Array | Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  { now }: { now: number },
): CallbackVerdict {
  if (secrets.length === 0 || secrets.some((secret) => secret.trim() === '')) {
    throw new RangeError('verifyCallback needs the secret of the app; it is missing or empty')
  }
  const fields = fieldsOf(received)
  if (typeof fields === 'string') return { ok: false, code: 'callback_malformed', reason: fields }
  const sign = fields.get('sign')
  if (!sign) return { ok: false, code: 'callback_malformed', reason: 'the body has no sign' }

  let matches = false
  for (const secret of secrets) matches = equalInConstantTime(sign, signParameters(fields, secret)) || matches
  if (!matches) return { ok: false, code: 'sign_mismatch', ...explainMismatch(fields, sign, secrets) }

  const callback = decodeFields(fields)
  if (typeof callback === 'string') return { ok: false, code: 'callback_malformed', reason: callback }
  const skew = now - callback.timestamp
  if (Math.abs(skew) > callbackWindow) {
    const seconds = Math.round(Math.abs(skew) / 1000)
    return {
      ok: false,
      code: 'callback_stale',
      reason: `the callback was signed ${seconds} s ${skew > 0 ? 'before' : 'after'} the time of this machine; more than ${callbackWindow / 1000} s means an old body sent again, or a clock that is wrong`,
    }
  }
  return { ok: true, callback }
}

function fieldsOf(received: string | Uint8Array | Readonly<Record<string, unknown>>): Map<string, string> | string {
  if (typeof received === 'string' || received instanceof Uint8Array) {
    const start = typeof received === 'string' ? received.trimStart().charAt(0) : String.fromCharCode(received[0] ?? 0)
    if (start === '{') return 'the body is JSON; hand over the raw body as it arrived, which is form-encoded'
    try {
      return parseForm(typeof received === 'string' ? utf8ToBytes(received) : received)
    } catch (fault) {
      if (fault instanceof ParameterFault) return fault.reason
      throw fault
    }
  }
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(received)) {
    if (typeof value !== 'string') return `${name} is not a text; hand over the raw body as it arrived`
    fields.set(name, value)
  }
  return fields
}

function decodeFields(fields: ReadonlyMap<string, string>): PaymentCallback | string {
  const callback: Record<string, string | number | null> = {}
  for (const name of fieldNames) {
    const schema = PaymentCallback.properties[name]
    const nullable = 'anyOf' in schema
    const { type } = nullable ? schema.anyOf[0] : schema
    const text = fields.get(name)
    if (text === undefined || (text === '' && !nullable)) return `${name} is missing`
    if (text === '') callback[name] = null
    else if (type === 'string') callback[name] = text
    else {
      const number = Number(text)
      if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(number)) return `${name} is not a whole number`
      callback[name] = number
    }
  }
  return callback as PaymentCallback
}

function explainMismatch(
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
        reason: 'the secret given here has white space or a line break around it; trim it where it is read',
      }
    }
    for (const { change, original } of bodyChanges(fields)) {
      if (fits(original, secret) || fits(original, secret.trim())) {
        return {
          mistake: 'body_changed',
          reason: `the body was changed on its way: ${change}; verify the raw body as it arrived, before any parser or proxy rewrites it`,
        }
      }
    }
  }
  return {
    reason:
      'no secret given here yields the sign; either the secret is not that of this app, or the body was changed on its way: verify the raw body as it arrived',
  }
}

/** What proxies and parsers are known to do to a form, and the fields as they were before. */
function bodyChanges(fields: ReadonlyMap<string, string>): { change: string; original: [string, string][] }[] {
  const known = new Set<string>(fieldNames)
  const pairs = [...fields]
  const values = (change: (value: string) => string) =>
    pairs.map(([name, value]): [string, string] => [name, change(value)])
  const dropped = fieldNames.filter((name) => !fields.has(name)).map((name): [string, string] => [name, ''])
  const ours = pairs.filter(([name]) => known.has(name))
  return [
    { change: 'fields with empty values were dropped', original: [...pairs, ...dropped] },
    { change: 'fields were added to it', original: ours },
    { change: 'fields were added to it, and those with empty values dropped', original: [...ours, ...dropped] },
    { change: 'it was not decoded', original: values(decodedOnceMore) },
    {
      change: 'it was decoded twice, which turned "+" into a space',
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
 * Whether the answer of a receiver acknowledges the callback: any 2xx whose body, without white space around it, is not
 * the word `fail`, in upper-case or lower-case letters. `body` is as much of it as was read.
 */
export function callbackAcknowledged(status: number, body: string): boolean {
  return status >= 200 && status <= 299 && body.trim().toLowerCase() !== 'fail'
}

/** The time from one failed attempt to the next, in ms. After the last one no further attempt is made. */
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

/** The part of a delay that chance takes away, at most. */
const JITTER = 0.1

/** The longest `Retry-After` that is followed, in ms. */
const longestRetryAfter = 6 * hour

/**
 * How long to wait after a failed attempt, in ms; null when it was the last.
 *
 * `attempt` is the number of attempts made so far, 1 after the first. `random` is from [0, 1): chance shortens the delay
 * by up to a tenth, so that callbacks which failed together do not come back together, and none comes later than the
 * schedule says. `retryAfter` is what the receiver asked for, in ms: it can lengthen the delay, to 6 hours at most.
 */
export function retryDelay(attempt: number, random: number, retryAfter = 0): number | null {
  const delay = callbackRetryDelays[attempt - 1]
  if (delay === undefined) return null
  return Math.max(Math.round(delay * (1 - JITTER * random)), Math.min(retryAfter, longestRetryAfter))
}

/** Header names of Standard Webhooks, which a callback carries beside its `sign`. */
export const webhookHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/**
 * The Standard Webhooks headers of one attempt: the id is the `notifyId`, the timestamp is `signedAt` (ms) in seconds, the
 * signature is HMAC-SHA256 over `id.timestamp.body`, one `v1,…` for each active secret, with a space between them.
 *
 * The key is the UTF-8 bytes of the app's secret as it is shown: its 48 characters, not the 24 bytes they spell.
 */
export function webhookHeaders(
  notifyId: string,
  signedAt: number,
  body: string,
  secrets: readonly string[],
): Record<(typeof webhookHeaderNames)[keyof typeof webhookHeaderNames], string> {
  const timestamp = String(Math.floor(signedAt / 1000))
  const signatures = secrets.map((secret) => webhookSignature(notifyId, timestamp, body, secret))
  return { 'webhook-id': notifyId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** One signature of Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; `timestamp` in seconds. */
export function webhookSignature(id: string, timestamp: string, body: string, secret: string): string {
  return `v1,${base64(hmacSha256(secret, `${id}.${timestamp}.${body}`))}`
}

/** The app's secret in the form that Standard Webhooks libraries take: `whsec_` and the base64 of the key's bytes. */
export function webhookSecret(secret: string): string {
  return `whsec_${base64(utf8ToBytes(secret))}`
}
