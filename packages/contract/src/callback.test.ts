import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import golden from '../vectors/callback.json' with { type: 'json' }
import {
  callbackAcknowledged,
  callbackBody,
  callbackRetryDelays,
  callbackWindow,
  type PaymentCallback,
  retryDelay,
  verifyCallback,
  webhookHeaders,
  webhookSecret,
} from './callback.ts'
import { parseForm } from './open/parameters.ts'
import { encodeForm } from './open/sign.ts'
import { hour, minute, second } from './time.ts'

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const secret = hex(48)
const callback: fc.Arbitrary<Omit<PaymentCallback, 'sign'>> = fc.record({
  notifyId: hex(32),
  notifyTime: fc.nat(2e12),
  appid: fc.constant('a1b2c3d4e5f6g7h'),
  merchantId: hex(32),
  tradeNo: hex(32),
  outTradeNo: fc.string({ unit: fc.constantFrom(...'aZ09_-*'), minLength: 1, maxLength: 20 }),
  transactionStatus: fc.integer({ min: 2, max: 6 }),
  failReasonType: fc.constantFrom(-1, 1, 6, 21, 27),
  amount: fc.integer({ min: 1, max: 99_999_999_999 }),
  currency: fc.constantFrom('CNY', 'USD', 'SGD', 'SAR'),
  openId: hex(32),
  payType: fc.option(fc.constantFrom(1, 2, 3)),
  payMethod: fc.option(fc.constantFrom(1, 2, 3)),
  payNo: fc.option(fc.string({ unit: fc.constantFrom(...'aé&=+% 支'), minLength: 1, maxLength: 9 })),
  timestamp: fc.nat(2e12),
})

describe('golden vectors', () => {
  test.each(golden.vectors)('$name: accepted as raw text, as bytes and as parsed fields', (vector) => {
    const parsed = Object.fromEntries(new URLSearchParams(vector.body))
    for (const received of [vector.body, Buffer.from(vector.body), parsed]) {
      expect(verifyCallback(received, [vector.secret], vector)).toEqual({ ok: true, callback: vector.callback })
    }
  })

  test.each(golden.vectors)('$name: written and signed as recorded', (vector) => {
    expect(callbackBody(vector.callback, vector.secret)).toBe(vector.body)
    const headers = webhookHeaders(vector.callback.notifyId, vector.callback.timestamp, vector.body, [vector.secret])
    expect(headers).toEqual(vector.headers)
    expect(webhookSecret(vector.secret)).toBe(vector.webhookSecret)
  })

  test.each(golden.refused)('$name: refused', ({ body, secret, now, code, ...refused }) => {
    const verdict = verifyCallback(body, [secret], { now })
    expect(verdict).toMatchObject({ ok: false, code, ...('mistake' in refused ? { mistake: refused.mistake } : {}) })
  })
})

test.each(golden.settings)('$name: verified with several secrets and a tolerance', (vector) => {
  // The list is for clients, which read the headers themselves.
  if ('headers' in vector) return
  const { body, secret, otherSecrets, now, code } = vector
  const tolerance = 'tolerance' in vector ? vector.tolerance : undefined
  const verdict = verifyCallback(body, [secret, ...otherSecrets], { now, ...(tolerance && { tolerance }) })
  expect(verdict).toMatchObject(code === null ? { ok: true } : { ok: false, code })
})

test('verifies a callback under either of two active secrets', () => {
  fc.assert(
    fc.property(callback, secret, secret, (sent, current, former) => {
      for (const signer of [current, former]) {
        const body = callbackBody(sent, signer)
        const verdict = verifyCallback(body, [current, former], { now: sent.timestamp })
        expect(verdict).toEqual({ ok: true, callback: { ...sent, sign: parseForm(body).get('sign') } })
      }
    }),
  )
})

test('refuses a callback with any field changed', () => {
  fc.assert(
    fc.property(callback, secret, fc.nat(15), fc.string({ unit: 'grapheme-ascii' }), (sent, key, index, other) => {
      const fields = [...parseForm(callbackBody(sent, key))]
      const [name, value] = fields[index]!
      fc.pre(value !== other)
      fields[index] = [name, other]
      const verdict = verifyCallback(encodeForm(fields), [key], { now: sent.timestamp })
      expect(verdict.ok).toBe(false)
    }),
  )
})

test('accepts timestamps within exactly five minutes either way', () => {
  fc.assert(
    fc.property(callback, secret, (sent, key) => {
      const body = callbackBody(sent, key)
      const at = (skew: number) => verifyCallback(body, [key], { now: sent.timestamp + skew })
      expect(at(callbackWindow).ok && at(-callbackWindow).ok).toBe(true)
      expect(at(callbackWindow + 1)).toMatchObject({ ok: false, code: 'callback_stale' })
      expect(at(-callbackWindow - 1)).toMatchObject({ ok: false, code: 'callback_stale' })
    }),
    { numRuns: 20 },
  )
})

describe('explains a sign mismatch', () => {
  const [vector] = golden.vectors
  const { body, secret, now } = vector!
  const expired = golden.vectors.find((one) => one.callback.payNo === null)!
  const fields = Object.fromEntries(new URLSearchParams(body))

  test.each([`${secret}\n`, ` ${secret}`, `\uFEFF${secret}`])('white space in the secret: %j', (padded) => {
    expect(verifyCallback(body, [padded], { now })).toMatchObject({
      code: 'sign_mismatch',
      mistake: 'secret_white_space',
    })
  })

  test.each<[string, string | Record<string, string>]>([
    ['a field added', { ...fields, requestId: '1' }],
    ['decoded twice', { ...fields, payNo: fields.payNo!.replaceAll('+', ' ') }],
    ['not decoded', { ...fields, payNo: encodeURIComponent(fields.payNo!) }],
  ])('a body changed on its way: %s', (_, received) => {
    expect(verifyCallback(received, [secret], { now })).toMatchObject({
      code: 'sign_mismatch',
      mistake: 'body_changed',
    })
  })

  test('empty values dropped or replaced by a word', () => {
    const all = [...new URLSearchParams(expired.body)]
    for (const received of [
      Object.fromEntries(all.filter(([, value]) => value)),
      Object.fromEntries(all.map(([name, value]) => [name, value || 'null'])),
      Object.fromEntries([...all.filter(([, value]) => value), ['via', 'proxy']]),
    ]) {
      const verdict = verifyCallback(received, [expired.secret], expired)
      expect(verdict).toMatchObject({ code: 'sign_mismatch', mistake: 'body_changed' })
    }
  })

  test('another secret: reports no specific mistake', () => {
    const verdict = verifyCallback(body, ['f'.repeat(48)], { now })
    expect(verdict).toMatchObject({ ok: false, code: 'sign_mismatch', reason: expect.stringContaining('raw body') })
    expect(verdict).not.toHaveProperty('mistake')
  })
})

test('refuses fields that a parser did not leave as strings', () => {
  const [vector] = golden.vectors
  const fields = Object.fromEntries(new URLSearchParams(vector!.body))
  for (const amount of [1999, ['1999'], null, { $gt: '' }]) {
    const verdict = verifyCallback({ ...fields, amount }, [vector!.secret], vector!)
    expect(verdict).toMatchObject({ ok: false, code: 'callback_malformed' })
  }
})

test('throws for a missing or empty secret', () => {
  for (const secrets of [[], [''], ['\n'], ['a', '']]) {
    expect(() => verifyCallback('a=1', secrets, { now: 0 })).toThrow(RangeError)
  }
})

test('returns a verdict for any body', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array(), fc.dictionary(fc.string(), fc.anything())),
      (body) => {
        expect(verifyCallback(body, ['secret'], { now: 0 }).ok).toBe(false)
      },
    ),
  )
})

test('any 2xx acknowledges unless the body is fail', () => {
  for (const body of ['', 'success', 'OK', '{"code":"fail"}', 'failure', 'failed']) {
    expect(callbackAcknowledged(200, body)).toBe(true)
    expect(callbackAcknowledged(204, body)).toBe(true)
    expect(callbackAcknowledged(299, body)).toBe(true)
    for (const status of [100, 199, 300, 302, 400, 404, 500]) expect(callbackAcknowledged(status, body)).toBe(false)
  }
  for (const body of ['fail', 'FAIL', 'Fail', ' fail\r\n']) expect(callbackAcknowledged(200, body)).toBe(false)
})

describe('retry schedule', () => {
  test('has the specified delays', () => {
    const [s, m, h] = [second, minute, hour]
    expect(callbackRetryDelays).toEqual([
      ...[15 * s, 15 * s, 30 * s, 3 * m, 10 * m, 20 * m, 30 * m, 30 * m, 30 * m],
      ...[h, 3 * h, 3 * h, 3 * h, 6 * h, 6 * h],
    ])
  })

  test('jitter shortens a delay by at most 10 % and never lengthens it', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15 }), chance, (attempt, random) => {
        const delay = callbackRetryDelays[attempt - 1]!
        expect(retryDelay(attempt, random)).toBeLessThanOrEqual(delay)
        expect(retryDelay(attempt, random)).toBeGreaterThanOrEqual(delay * 0.9 - 1)
      }),
    )
    expect(retryDelay(1, 0)).toBe(15_000)
  })

  test('ends after the last attempt, regardless of Retry-After', () => {
    expect(retryDelay(15, 0)).toBe(6 * hour)
    expect(retryDelay(16, 0)).toBeNull()
    expect(retryDelay(16, 0, minute)).toBeNull()
  })

  test('honors Retry-After up to six hours', () => {
    expect(retryDelay(1, 0, minute)).toBe(minute)
    expect(retryDelay(4, 0, minute)).toBe(3 * minute)
    expect(retryDelay(1, 0, 1e12)).toBe(6 * hour)
  })
})

test('signs with every active secret, verifiable by any Standard Webhooks library', () => {
  fc.assert(
    fc.property(callback, secret, secret, (sent, current, former) => {
      const body = callbackBody(sent, current)
      const headers = webhookHeaders(sent.notifyId, sent.timestamp, body, [current, former])
      const expected = [current, former].map((one) => {
        const key = Buffer.from(webhookSecret(one).slice('whsec_'.length), 'base64')
        const seconds = Math.floor(sent.timestamp / 1000)
        return `v1,${createHmac('sha256', key).update(`${sent.notifyId}.${seconds}.${body}`).digest('base64')}`
      })
      expect(headers['webhook-signature']).toBe(expected.join(' '))
    }),
    { numRuns: 20 },
  )
})
