import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { matchesHmac, matchesSecret } from './crypto.ts'

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
