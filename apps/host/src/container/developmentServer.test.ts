import { expect, test } from 'vitest'
import { developmentServer } from './developmentServer.ts'

test.each([
  ['http://localhost:5173', 'http://localhost:5173/'],
  ['http://localhost:5173/__souk/device', 'http://localhost:5173/'],
  ['http://127.0.0.1:80/index.html?a=b#c', 'http://127.0.0.1/'],
])('accepts %s', (text, folder) => {
  expect(developmentServer(text)).toBe(folder)
})

test.each([
  'https://localhost:5173/',
  'http://localhost.example.com/',
  'http://example.com/?http://localhost',
  'http://example.com#@localhost/',
  'http://someone@localhost:5173/',
  'http://192.168.1.4:5173/',
  'http://0.0.0.0:5173/',
  'javascript:alert(1)//localhost',
  'localhost:5173',
  '//localhost:5173',
  '',
])('rejects %s', (text) => {
  expect(developmentServer(text)).toBeUndefined()
})
