import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('reads the allowed hosts, and names the one that is not a host', () => {
  expect(readConfig({}).allowedHosts).toEqual([])
  const hosts = 'souk, Souk.internal 192.0.2.1,2001:db8::1'
  expect(readConfig({ SOUK_ALLOWED_HOSTS: hosts }).allowedHosts).toEqual([
    'souk',
    'Souk.internal',
    '192.0.2.1',
    '2001:db8::1',
  ])
  for (const wrong of ['http://souk', 'souk:7070', '*', '*.souk.test', 'souk/', '[::1]']) {
    expect(() => readConfig({ SOUK_ALLOWED_HOSTS: `souk,${wrong}` })).toThrow(ConfigError)
    expect(() => readConfig({ SOUK_ALLOWED_HOSTS: `souk,${wrong}` })).toThrow(`not "${wrong}"`)
  }
})
