import { expect, test } from 'vitest'
import { compareLists } from './requestedChanges.ts'

test('a requested list is compared with the one in effect', () => {
  expect(compareLists('capabilities', ['login', 'file'], ['login', 'payment'])).toEqual({
    added: ['payment'],
    removed: ['file'],
  })
  expect(compareLists('testers', null, [1])).toEqual({ added: [1], removed: [] })
  expect(compareLists('name', 'Tea', 'Tea House')).toBe(undefined)
})

test('hosts are compared by their purpose', () => {
  const none = { request: [], upload: [], download: [], socket: [], webView: [] }
  const before = { ...none, request: ['api.example.com'], upload: ['files.example.com'] }
  const value = { ...none, request: ['api.example.com', 'pay.example.com'], download: ['files.example.com'] }
  expect(compareLists('domains', before, value)).toMatchObject({
    added: { request: ['pay.example.com'], download: ['files.example.com'], upload: [] },
    removed: { request: [], upload: ['files.example.com'], download: [] },
  })
})
