import { expect, test } from 'vitest'
import { cardOfLink, isLocalLink, miniAppLink } from './miniAppLink.ts'

const server = 'https://souk.example'
const appid = 'demoapp00000001'

test('a link names the mini app, and what it opens', () => {
  expect(miniAppLink(server, { appid })).toBe('https://souk.example/host/apps/demoapp00000001')
  expect(miniAppLink(server, { appid, stage: 'review' })).toBe(
    'https://souk.example/host/apps/demoapp00000001?stage=review',
  )
  const link = new URL(miniAppLink(server, { appid, page: 'pages/a/b?name=شاي&id=1#x', releaseId: 'f'.repeat(32) }))
  expect(Object.fromEntries(link.searchParams)).toEqual({ page: 'pages/a/b?name=شاي&id=1#x', release: 'f'.repeat(32) })
})

test('a release takes precedence over a stage', () => {
  const link = miniAppLink(server, { appid, releaseId: 'a'.repeat(32), stage: 'development' })
  expect(new URL(link).search).toBe(`?release=${'a'.repeat(32)}`)
})

test('only links to the device itself are local', () => {
  const local = ['http://localhost:4400/host/', 'http://127.0.0.1:4400/', 'https://[::1]/']
  const others = ['https://localhost.example/', 'http://192.168.1.5:4400/', 'otpauth://totp/Souk', '']
  expect([...local, ...others].filter(isLocalLink)).toEqual(local)
})

test('the link of a card passes its data on, and no other text', () => {
  const card = { extraData: '{"from":"شاي"}' }
  const link = new URL(miniAppLink(server, { appid, page: 'pages/a/b?id=1', card }))
  expect(link.searchParams.get('page')).toBe('pages/a/b?id=1')
  expect(cardOfLink(Object.fromEntries(link.searchParams))).toEqual(card)
  expect(
    cardOfLink(Object.fromEntries(new URL(miniAppLink(server, { appid, card: { extraData: '' } })).searchParams)),
  ).toEqual({})
  for (const extraData of ['{', `"${'x'.repeat(2047)}"`, ['1', '2']])
    expect(cardOfLink({ from: 'card', extraData })).toEqual({})
  expect(cardOfLink({ extraData: '1' })).toBeUndefined()
})
