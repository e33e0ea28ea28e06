import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { DomainsSchema, maxDomains, noDomains } from './domains.ts'

const validator = Compile(DomainsSchema)
const isDomain = (domain: string) => validator.Check({ ...noDomains, request: [domain] })

test('accepts hosts with an optional wildcard label and port', () => {
  for (const domain of ['api.example.com', '*.example.com', 'api.example.com:8443', 'xn--fsq.xn--p1ai', 'a.b:65535']) {
    expect([domain, isDomain(domain)]).toEqual([domain, true])
  }
})

test('rejects everything else, in particular whatever has another meaning in a content security policy', () => {
  const domains = [
    '*',
    '*.com',
    '*.*.example.com',
    'api.*.com',
    'localhost',
    '10.0.0.1',
    '[::1]',
    'https://api.example.com',
    'api.example.com/path',
    'API.example.com',
    'api.example.com:0',
    'api.example.com:65536',
    'api.example.com:*',
    '-api.example.com',
    'api..example.com',
    'api.example.com.',
    'api.example.com; script-src *',
    "'self'",
    '',
  ]
  for (const domain of domains) expect([domain, isDomain(domain)]).toEqual([domain, false])
})

test('limits the lists', () => {
  const many = Array.from({ length: maxDomains + 1 }, (_, i) => `h${i}.example.com`)
  expect(validator.Check({ ...noDomains, request: many.slice(1) })).toBe(true)
  expect(validator.Check({ ...noDomains, request: many })).toBe(false)
  expect(validator.Check({ ...noDomains, request: ['a.example.com', 'a.example.com'] })).toBe(false)
})
