import { openapi, signParameters } from '@souk/contract'
import { expect, test } from 'vitest'
import { type ApiOperation, fieldsOf, operationsOf } from './openapi.ts'
import { prepareRequest } from './request.ts'

const all = operationsOf(openapi('http://souk.test') as never)
const find = (id: string) => all.find((operation) => operation.id === id) as ApiOperation
const credentials = { appid: 'a23456789012345', secret: 'x'.repeat(48), token: 'souk_test_abc', csrf: 'c' }
const prepare = (id: string, values: Record<string, string>) =>
  prepareRequest(find(id), { values }, credentials, { now: 1_700_000_000_000, origin: 'http://souk.test' })

test('parses every operation of the contract', () => {
  expect(all.length).toBeGreaterThan(60)
  for (const operation of all) {
    expect(operation.summary, operation.id).not.toBe('')
    expect(operation.refusals.flatMap(({ codes }) => codes).every(({ text }) => text !== '')).toBe(true)
  }
  expect(fieldsOf(find('tradedetail').answer ?? {}).map(({ name }) => name)).toContain('transactionStatus')
})

test('a signed request contains the sign of the sent parameters, but not the secret', () => {
  const { init, canonical, curl, url } = prepare('tradeclose', { tradeNo: 'a'.repeat(32) })
  const sent = new URLSearchParams(String(init.body))
  const { sign, ...others } = Object.fromEntries(sent)
  expect(sign).toBe(signParameters(Object.entries(others), credentials.secret))
  expect(others.timestamp).toBe('1700000000000')
  for (const text of [String(init.body), canonical ?? '', curl, url]) expect(text).not.toContain(credentials.secret)
})

test('a signed query is in the URL', () => {
  const { url, init } = prepare('tradedetail', { tradeNo: 'b'.repeat(32) })
  expect(url).toMatch(/^\/neuopenapi\/pay\/transactions\/tradedetail\?appid=.*&sign=[0-9a-f]{64}$/)
  expect(init.body).toBeUndefined()
})

test('values of a JSON body have the types of the schema', () => {
  const { init, url } = prepare('sendTestNotification', {
    appid: 'a23456789012345',
    uids: '1, 2',
    title: 'A',
    text: 'B',
    navigateType: '1',
    language: 'en_US',
    url: '',
  })
  expect(url).toBe('/console/v1/apps/a23456789012345/notifications')
  expect(init.headers['X-Souk-CSRF']).toBe('c')
  expect(JSON.parse(String(init.body))).toEqual({
    uids: [1, 2],
    title: 'A',
    text: 'B',
    navigateType: '1',
    language: 'en_US',
  })
})

test('the curl command quotes special characters of the shell', () => {
  const { curl } = prepare('createUser', { nickname: "O'Neil $HOME" })
  expect(curl).toContain(`-d '{"nickname":"O'\\''Neil $HOME"}'`)
})
