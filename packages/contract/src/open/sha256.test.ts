import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64, equalInConstantTime, fromBase64, hmacSha256, sha256Hex } from './sha256.ts'

const text = fc.string({ unit: 'binary', maxLength: 300 })

test('SHA-256 and HMAC match OpenSSL', () => {
  fc.assert(
    fc.property(text, text, (key, message) => {
      expect(sha256Hex(message)).toBe(createHash('sha256').update(message).digest('hex'))
      expect(base64(hmacSha256(key, message))).toBe(createHmac('sha256', key).update(message).digest('base64'))
    }),
  )
})

test('decodes base64 in both alphabets, with and without padding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const buffer = Buffer.from(bytes)
      for (const written of [base64(bytes), base64(bytes).replace(/=+$/, ''), buffer.toString('base64url')]) {
        expect(Buffer.from(fromBase64(written) ?? []).equals(buffer)).toBe(true)
      }
    }),
  )
  expect(fromBase64('a')).toBeUndefined()
  expect(fromBase64('ab*d')).toBeUndefined()
})

test('the constant-time comparison agrees with ===', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(equalInConstantTime(a, b)).toBe(a === b)
    }),
  )
})
