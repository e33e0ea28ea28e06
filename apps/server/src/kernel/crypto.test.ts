import { createHmac } from 'node:crypto'
import { webhookSignature } from '@souk/contract'
import { expect, test } from 'vitest'
import { hmacSha256, matchesHmac, matchesSecret } from './crypto.ts'

test('a missing or empty secret matches nothing', () => {
  expect(matchesSecret('secret', 'secret')).toBe(true)
  expect(matchesSecret('secret', 'Secret')).toBe(false)
  expect(matchesSecret('secret', 'secrets')).toBe(false)
  for (const candidate of ['', undefined, 'secret']) {
    for (const expected of ['', undefined]) expect(matchesSecret(candidate, expected)).toBe(false)
  }
})

test('an HMAC with an empty key matches nothing', () => {
  const body = Buffer.from('body')
  const signed = (key: string) => createHmac('sha256', key).update(body).digest('hex')
  expect(matchesHmac(signed('key'), body, 'key')).toBe(true)
  expect(matchesHmac(signed('key').toUpperCase(), body, 'key')).toBe(true)
  expect(matchesHmac(signed('other'), body, 'key')).toBe(false)
  expect(matchesHmac(undefined, body, 'key')).toBe(false)
  expect(matchesHmac(signed(''), body, '')).toBe(false)
})

test('signs webhooks like the portable HMAC, which receivers verify with', () => {
  for (const body of ['', '{"name":"Layla"}', 'ليلى \u{1f49a}', 'lone \ud800 surrogate', 'x'.repeat(1_000)]) {
    expect(webhookSignature('id', '1', body, 'sécret', hmacSha256)).toBe(webhookSignature('id', '1', body, 'sécret'))
  }
})
