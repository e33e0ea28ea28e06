import { openapi, signParameters } from '@souk/contract'
import { expect, test } from 'vitest'
import { codeFor, codeLanguages } from './codeFor.ts'
import { type ApiOperation, fieldsOf, operationsOf } from './openapi.ts'
import { codeRequestOf, prepareRequest } from './request.ts'

const all = operationsOf(openapi('http://souk.test') as never)
const find = (id: string) => all.find((operation) => operation.id === id) as ApiOperation
const credentials = { appid: 'a23456789012345', secret: 'x'.repeat(48), token: 'souk_test_abc', csrf: 'c' }
const prepare = (id: string, values: Record<string, string | null>) =>
  prepareRequest(find(id), { values }, credentials, { now: 1_700_000_000_000 })

test('parses every operation of the contract', () => {
  expect(all.length).toBeGreaterThan(60)
  for (const operation of all) {
    expect(operation.summary, operation.id).not.toBe('')
    expect(operation.refusals.flatMap(({ codes }) => codes).every(({ text }) => text !== '')).toBe(true)
  }
  expect(fieldsOf(find('tradedetail').answer ?? {}).map(({ name }) => name)).toContain('transactionStatus')
})

test('a signed request contains the sign of the sent parameters, but not the secret', () => {
  const { init, canonical, url } = prepare('tradeclose', { tradeNo: 'a'.repeat(32) })
  const sent = new URLSearchParams(String(init.body))
  const { sign, ...others } = Object.fromEntries(sent)
  expect(sign).toBe(signParameters(Object.entries(others), credentials.secret))
  expect(others.timestamp).toBe('1700000000000')
  for (const text of [String(init.body), canonical ?? '', url]) expect(text).not.toContain(credentials.secret)
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
    link: null,
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

test('code of every operation names the variable of its credential, and its required parameters', () => {
  for (const operation of all) {
    const request = codeRequestOf(operation, { values: {} }, { appid: '', origin: 'http://souk.test' })
    for (const language of codeLanguages) {
      const code = codeFor(language, request)
      const variable = operation.proof === 'sign' ? 'SOUK_SECRET' : request.credential?.variable
      if (variable) expect(code, operation.id).toContain(variable)
      for (const { name, required, schema } of operation.parameters) {
        if (required && !schema.contentMediaType) expect(code, `${operation.id} ${language}`).toContain(name)
      }
    }
  }
})

test('code quotes special characters of its language', () => {
  const text = `O'Neil $HOME "\\ \n 茶`
  const request = codeRequestOf(
    find('createUser'),
    { values: { nickname: text } },
    { appid: '', origin: 'http://souk.test' },
  )
  const json = JSON.stringify({ nickname: text })
  expect(codeFor('curl', request)).toContain(`-d '${json.replace("'", `'\\''`)}'`)
  expect(codeFor('Node', request)).toContain(`JSON.stringify(${json})`)
  expect(codeFor('Python', request)).toContain(`data=${JSON.stringify(json)}`)
  expect(codeFor('Go', request)).toContain(`strings.NewReader(${JSON.stringify(json)})`)
  expect(codeFor('Java', request)).toContain('\\u8336')
})

test('curl sends files whose names have separators and quotes', () => {
  const file = new File([], 'Menu, 2024; "a"\\b.png')
  const request = codeRequestOf(find('fileUpload'), { values: {}, file }, { appid: '', origin: 'http://souk.test' })
  expect(codeFor('curl', request)).toContain(String.raw`-F 'fileData=@"Menu, 2024; \"a\"\\b.png"'`)
})

test('texts that are not numbers stay texts in a JSON body', () => {
  const { init } = prepare('sendTestNotification', { appid: 'a23456789012345', uids: '1,x' })
  expect(JSON.parse(String(init.body))).toEqual({ uids: [1, 'x'] })
  const request = codeRequestOf(find('sendTestNotification'), { values: {} }, { appid: '', origin: 'http://souk.test' })
  expect(JSON.parse(request.json ?? '')).toMatchObject({ uids: ['<uids>'], title: '<title>' })
})
