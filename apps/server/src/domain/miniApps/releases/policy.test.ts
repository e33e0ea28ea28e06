import { expect, test } from 'vitest'
import { documentVersion } from './policy.ts'

const settings = { publicUrl: 'https://souk.example', sandbox: false }
const web = {}
const domains = { request: [], upload: [], download: [], webView: [] }

test('the version of documents changes with their policy', () => {
  const first = documentVersion({ settings, web, allowedOrigins: [], domains })
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  expect(documentVersion({ settings: { ...settings }, web, allowedOrigins: [], domains })).toBe(first)
  const changed = [
    { settings, web, allowedOrigins: ['https://app.example'], domains },
    { settings, web, allowedOrigins: [], domains: { ...domains, request: ['api.example'] } },
    {
      settings,
      web: { mapTiles: { url: 'https://tiles.example/{z}/{x}/{y}.png' } },
      allowedOrigins: [],
      domains,
    },
    { settings, web: { miniAppsUrl: 'https://mini.example' }, allowedOrigins: [], domains },
  ].map(documentVersion)
  expect(new Set([first, ...changed]).size).toBe(changed.length + 1)
})
