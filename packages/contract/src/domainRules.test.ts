import { expect, test } from 'vitest'
import { isListed } from './domainRules.ts'

const domains = ['api.example.com', '*.cdn.example.com', 'pay.example.com:8443']

test.each([
  'https://api.example.com/a?b',
  'https://API.example.com:443/',
  'wss://api.example.com/',
  'https://a.cdn.example.com/',
  'https://a.b.cdn.example.com/',
  'https://pay.example.com:8443/',
  'https://user@api.example.com/',
])('%s is listed', (url) => expect(isListed(domains, new URL(url))).toBe(true))

test.each([
  'http://api.example.com/',
  'ws://api.example.com/',
  'https://api.example.com:8443/',
  'https://pay.example.com/',
  'https://cdn.example.com/',
  'https://evilcdn.example.com/',
  'https://example.com/',
  'https://api.example.com.evil.test/',
  'https://evil.test/api.example.com',
  'https://api.example.com@evil.test/',
  'data:text/plain,api.example.com',
  'blob:https://api.example.com/1',
])('%s is not listed', (url) => expect(isListed(domains, new URL(url))).toBe(false))
