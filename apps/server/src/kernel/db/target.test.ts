import { userInfo } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { parseTarget } from './target.ts'

afterEach(() => vi.unstubAllEnvs())

test('parses hosts, login and settings', () => {
  expect(
    parseTarget('postgres://us%40er:p%2Fw@a:5433,b.test,[::1]:7/so%20uk?lock_timeout=2000&connect_timeout=1'),
  ).toEqual({
    places: [
      { host: 'a', port: 5433 },
      { host: 'b.test', port: 5432 },
      { host: '::1', port: 7 },
    ],
    login: { user: 'us@er', password: 'p/w', database: 'so uk' },
    tls: { options: undefined, isOptional: false, isDirect: false },
    settings: { lock_timeout: '2000' },
  })
  expect(parseTarget('postgresql://u@%2Frun%2Fpostgresql/db').places).toEqual([{ host: '/run/postgresql', port: 5432 }])
})

test('takes what the URL lacks from the environment, as libpq does', () => {
  expect(parseTarget('postgres:///')).toMatchObject({
    places: [{ host: 'localhost', port: 5432 }],
    login: { user: userInfo().username, password: undefined, database: undefined },
  })
  vi.stubEnv('PGHOST', 'h')
  vi.stubEnv('PGPORT', '7')
  vi.stubEnv('PGUSER', 'u')
  expect(parseTarget('postgres:///')).toMatchObject({ places: [{ host: 'h', port: 7 }], login: { user: 'u' } })
})

test.each([
  ['', undefined, false],
  ['sslmode=disable', undefined, false],
  ['ssl=false', undefined, false],
  ['sslmode=allow', { rejectUnauthorized: false }, false],
  ['sslmode=prefer', { rejectUnauthorized: false }, true],
  ['sslmode=require', { rejectUnauthorized: false }, false],
  ['sslmode=verify-ca', {}, false],
  ['sslmode=verify-full', {}, false],
  ['ssl=true', {}, false],
  ['sslrootcert=system', {}, false],
])('%s', (query, options, isOptional) => {
  expect(parseTarget(`postgres://u@h/d?${query}`)).toMatchObject({ tls: { options, isOptional }, settings: {} })
})

test('sslnegotiation=direct skips the request for TLS', () => {
  expect(parseTarget('postgres://u@h/d?sslmode=require&sslnegotiation=direct').tls.isDirect).toBe(true)
})

test.each(['nothing', 'postgres://u@::1/d', 'postgres://u@h:99999/d', 'postgres://u:p/w@h/d'])('refuses %s', (url) => {
  expect(() => parseTarget(url)).toThrow(TypeError)
})
