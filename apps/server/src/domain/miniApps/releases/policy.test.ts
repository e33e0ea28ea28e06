import { expect, test } from 'vitest'
import { documentVersion } from './policy.ts'

const settings = { miniAppsUrl: undefined, publicUrl: 'https://souk.example', sandbox: false, mapTiles: undefined }
const domains = { request: [], upload: [], download: [], webView: [] }

test('the version of documents changes with their policy', () => {
  const first = documentVersion({ settings, allowedOrigins: [], domains })
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  expect(documentVersion({ settings: { ...settings }, allowedOrigins: [], domains })).toBe(first)
  const changed = [
    { settings, allowedOrigins: ['https://app.example'], domains },
    { settings, allowedOrigins: [], domains: { ...domains, request: ['api.example'] } },
    {
      settings: { ...settings, mapTiles: { url: 'https://tiles.example/{z}/{x}/{y}.png' } },
      allowedOrigins: [],
      domains,
    },
    { settings: { ...settings, miniAppsUrl: 'https://mini.example' }, allowedOrigins: [], domains },
  ].map(documentVersion)
  expect(new Set([first, ...changed]).size).toBe(changed.length + 1)
})
